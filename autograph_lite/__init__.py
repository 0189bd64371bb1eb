"""autograph_lite: write NumPy, read the graph program it becomes, run it faster than you wrote it."""
from __future__ import annotations

from . import errors
from .operators.builtins import (  # noqa: A004  generated code says ag.len where Python says len
    abs,
    all,
    any,
    bool,
    complex,
    divmod,
    enumerate,
    filter,
    float,
    int,
    isinstance,
    len,
    map,
    max,
    min,
    pow,
    print,
    range,
    reversed,
    round,
    sorted,
    sum,
    zip,
)
from .operators.calls import call
from .operators.conditionals import cond, unchanged
from .operators.logic import and_, not_, or_
from .operators.loops import for_loop, while_loop
from .operators.namespaces import math, np
from .operators.unbound import bound, unbound
