"""Telling quickly that a container holds what it held: the same objects, unchanged themselves."""
from __future__ import annotations

import dataclasses
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from ..graph import nest
from ..signatures import Identity, leaf_key
from .guards import is_bound_builtin, is_container

Test = Callable[[Any], bool]

# What a change in place cannot change.
_FIXED = (int, float, complex, bool, str, bytes, type(None), type(...), type, ModuleType, range,
          BuiltinFunctionType, np.ufunc, np.dtype, np.generic)  # fmt: skip
_SEQUENCES = (list, tuple, deque, set, frozenset)
_MAPPINGS = (dict, OrderedDict, defaultdict, Counter)


def is_fixed(value: Any) -> bool:
    """Whether nothing can change in place what the value is."""
    if type(value) in (tuple, frozenset):
        return all(map(is_fixed, value))
    return isinstance(value, _FIXED) and nest.is_leaf(value) and not is_bound_builtin(value)


def unchanged(value: Any) -> Test | None:
    """A test that something is this very value, as it is now; None if nothing quick can tell.

    Objects are told by identity, and not kept alive.
    """
    if is_fixed(value):
        return lambda x: x is value
    if type(value) is np.ndarray:
        shape, dtype = value.shape, value.dtype
        return lambda x: x is value and value.shape == shape and value.dtype is dtype
    if is_container(value):
        return _unchanged_parts(value)
    key = leaf_key(value)
    told_by_more = callable(value) or isinstance(value, dict | list)
    return None if told_by_more or not isinstance(key, Identity) else _Held(key, type(value))


def _unchanged_parts(value: Any) -> Test | None:
    kind = type(value)
    if kind in _SEQUENCES:
        return _parts(kind, None, list(value))
    if kind in _MAPPINGS:
        return _parts(kind, list(value), list(value.values()))
    return None


def _parts(kind: type[Any], keys: list[Any] | None, parts: list[Any]) -> Test | None:
    if all(map(is_fixed, parts)):
        return _Parts(kind, keys, parts, None)
    tests = [unchanged(part) for part in parts]
    known = [test for test in tests if test is not None]
    return _Parts(kind, keys, [None] * len(parts), known) if len(known) == len(parts) else None


@dataclasses.dataclass(frozen=True)
class _Held:
    """The object, of the class that it had."""

    identity: Identity
    kind: type[Any]

    def __call__(self, x: Any) -> bool:
        return x is not None and x is self.identity.value() and type(x) is self.kind


@dataclasses.dataclass(frozen=True)
class _Parts:
    """A container of these very objects; or, where they may change, of what passes these tests."""

    kind: type[Any]
    keys: list[Any] | None
    parts: list[Any]
    tests: list[Test] | None

    def __call__(self, x: Any) -> bool:
        if type(x) is not self.kind or len(x) != len(self.parts):
            return False
        if self.keys is not None:
            if not all(map(operator.is_, x, self.keys)):
                return False
            x = x.values()
        if self.tests is None:
            return all(map(operator.is_, x, self.parts))
        return all(test(part) for test, part in zip(self.tests, x, strict=True))
