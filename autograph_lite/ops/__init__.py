"""The operations, one file per family; importing them fills the tables of `graph.dispatch`."""
from __future__ import annotations

from ..graph.tensor import Tensor as Tensor
from . import attributes as attributes
from . import calls as calls
from . import control_flow as control_flow
from . import creation as creation
from . import grids as grids
from . import indexing as indexing
from . import methods as methods
from . import operators as operators
from . import python_scalars as python_scalars
from . import random as random
from . import shapes as shapes
from . import ufuncs as ufuncs
