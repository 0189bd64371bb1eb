"""Objects that nothing but their own methods looks into: files, queues, locks, cursors."""
from __future__ import annotations

import array
import io
import types
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..errors import is_package
from ..keys import is_container
from ..pyct.asking import get_attribute, package_of
from ..pyct.written import CACHED

# Modules whose classes make what never changes, or what is known otherwise.
_KNOWN = frozenset({
    '_operator', '_struct', '_weakref', 'builtins', 'datetime', 'decimal', 'fractions', 'functools',
    'numpy', 'operator', 'pathlib', 're', 'types', 'typing', 'weakref', 'zoneinfo',
})  # fmt: skip
_TOLD = (
    ContextVar, Iterator, BaseException, np.generic, np.ndarray, type, types.ModuleType,
    str, bytes, int, float, complex, tuple, frozenset, list, dict, set, deque, bytearray,
    array.array)  # fmt: skip


def is_opaque(x: Any) -> bool:
    """Whether it may change, and no attribute of it says how."""
    if isinstance(x, (io.IOBase, CACHED)):
        return True
    if never_changes(x) or isinstance(x, _TOLD):
        return False
    is_told = get_attribute(x, '__dict__') is not None or _has_slots(type(x))
    return not is_told and not is_container(x)


def has_opaque_base(x: Any) -> bool:
    """Whether a method that is not written in Python may change what no attribute of it tells."""
    return is_opaque(x) or not (never_changes(x) or isinstance(x, _TOLD) or is_container(x))


def never_changes(x: Any) -> bool:
    """Whether it is of a class of a library whose objects do not change, or are known otherwise."""
    kind = type(x)
    return package_of(kind) in _KNOWN or is_package(kind.__module__)


def is_lock(x: Any) -> bool:
    """Whether threads take it by turns."""
    return package_of(type(x)) == '_thread'


def _has_slots(kind: type) -> bool:
    return any('__slots__' in vars(each) for each in kind.__mro__)
