"""The operations, one file per family; importing them fills the tables of `graph.dispatch`."""
from __future__ import annotations

from . import calls as calls
from . import control_flow as control_flow
from . import operators as operators
from . import ufuncs as ufuncs
