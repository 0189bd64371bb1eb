"""Whether two values are the same in everything that a program can ask of them."""
from __future__ import annotations

from collections import deque
from dataclasses import fields, is_dataclass
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from .pyct.asking import get_attribute


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal in value, dtype, shape and type; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        alike: bool = a.dtype == b.dtype and a.shape == b.shape
        return alike and bool(a.tobytes() == b.tobytes())
    if isinstance(a, int | float | complex | str | bytes | None):
        return repr(a) == repr(b)
    if isinstance(a, dict):
        factories = get_attribute(a, 'default_factory'), get_attribute(b, 'default_factory')
        return same(*factories) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple | deque):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, FunctionType | GeneratorType):
        return bool(a.__qualname__ == b.__qualname__)
    if is_dataclass(a) and not isinstance(a, type):
        return all(same(getattr(a, each.name), getattr(b, each.name)) for each in fields(a))
    try:
        return a is b or bool(a == b) or _same_attributes(a, b)
    except Exception:
        return False


_IDENTICAL: Any = object.__eq__


def _same_attributes(a: Any, b: Any) -> bool:
    """Whether two objects of one class hold the same."""
    mine, others = get_attribute(a, '__dict__'), get_attribute(b, '__dict__')
    if not isinstance(mine, dict) or get_attribute(type(a), '__eq__') is not _IDENTICAL:
        return False
    return mine.keys() == others.keys() and all(same(mine[name], others[name]) for name in mine)
