"""The operations, one file per family; importing this package fills the tables of `graph.dispatch`."""
from __future__ import annotations

from . import control_flow
