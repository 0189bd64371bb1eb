"""What tells one value from another: the keys of arguments, and of what is read from outside.

Equal keys mean that one trace serves both. An array that is an argument is told by its type alone,
since it is staged. Python values are told by type and value, what holds others by what it holds,
anything else by identity.
"""
from __future__ import annotations

import array
import copy
import functools
import sys
import types
import weakref
from collections import UserDict, UserList, deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from .errors import StagingError, describe, is_package, kind_of, user_location
from .graph import nest
from .graph.specs import TensorSpec
from .graph.tensor import Tensor
from .graph.types import TensorType, scalar_type, type_of
from .pyct.asking import package_of

_PLAIN = (int, float, complex, bool, str, bytes, type(None), type(...))
# Python values that cannot change, told by what they equal.
_VALUES = (range, np.dtype)
# Modules of values that cannot change and are told by what they print.
TEXTUAL = ('datetime', 'decimal', 'fractions', 'pathlib')


class Identity:
    """An object told by identity; held weakly where Python can, so that no cache keeps it alive."""

    __slots__ = ('_hash', 'value')

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        # Gives the object; None if it is gone.
        try:
            self.value: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self.value = lambda: value

    @property
    def gone(self) -> bool:
        """Whether the object is no more, so that nothing equals this."""
        return self.value() is None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Identity):
            return NotImplemented
        mine = self.value()
        return mine is not None and mine is other.value()


def identities(key: Hashable) -> Iterator[Identity]:
    """The objects that a key tells by identity."""
    if isinstance(key, Identity):
        yield key
    elif isinstance(key, tuple | frozenset):
        for part in key:
            yield from identities(part)


# Arguments.


class ArrayKindError(StagingError):
    """An array of a class whose meaning a graph does not know."""


def refused_array(array: Any, name: str = 'An argument') -> ArrayKindError:
    """The error for an array of a class of its own.

    Args:
      array: the array.
      name: what the user calls it.
    """
    kind = type(array).__name__
    what = f'{name} is {kind_of(array)}, which cannot be traced as an array.'
    fix = _INSTEAD.get(kind, _PLAINLY)
    return ArrayKindError(describe(what, user_location(), fix))


_PLAINLY = 'Make it a plain one first, outside: `x = np.asarray(x)`, which copies nothing.'
_INSTEAD = {
    'MaskedArray': 'Make it plain first, outside: `x.data` and `x.mask`, or `x.filled(value)`.',
    'matrix': 'Make it a plain one first, outside: `x = np.asarray(x)`, whose product is `@`.',
}


def leaf_type(leaf: Any) -> TensorType | None:
    """The type of the parameter that a leaf becomes; None for a Python value.

    Raises:
      ArrayKindError: a subclass of ndarray.
    """
    if isinstance(leaf, TensorSpec):
        return scalar_type(leaf.dtype) if leaf.shape == () else leaf.type
    if isinstance(leaf, Tensor):
        return leaf.type
    if isinstance(leaf, np.ndarray):
        if type(leaf) is not np.ndarray:
            raise refused_array(leaf)
        return type_of(leaf)
    return type_of(leaf) if isinstance(leaf, np.generic) else None


def is_array_like(x: Any) -> bool:
    """Whether NumPy takes an object for an array, and would do so while tracing, once for all."""
    kind = type(x)
    if not hasattr(kind, '__array__') or isinstance(x, np.generic | type):
        return False
    return kind is not np.ndarray and not is_package(kind.__module__) and kind is not np.poly1d


def leaf_key(leaf: Any) -> Hashable:
    """What of an argument the trace depends on: an array's type, or what tells a Python value."""
    kind = type(leaf)
    if kind is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if kind in _PLAIN:
        return _plain_key(leaf)
    type_ = leaf_type(leaf)
    if type_ is not None:
        return type_ if type_.kind != 'array' else (type_.dtype, type_.shape)
    return _python_key(leaf)


def _plain_key(leaf: Any) -> Hashable:
    kind = type(leaf)
    if kind is float:
        return (kind, leaf.hex())
    return (kind, repr(leaf) if kind is complex else leaf)


# Values from outside, and what arguments hold that are no nests.


def value_key(value: Any) -> Hashable:
    """What of a value from outside a trace depends on."""
    leaves, structure = nest.flatten(value)
    return (structure, *map(_key, leaves))


def _key(leaf: Any) -> Hashable:
    if isinstance(leaf, np.ndarray):
        return (Identity(leaf), leaf.dtype, leaf.shape)
    if isinstance(leaf, np.generic):
        return (type(leaf), leaf.tobytes())
    if type(leaf) in _PLAIN:
        return _plain_key(leaf)
    key = _python_key(leaf)
    return (key, Identity(type(leaf))) if isinstance(key, Identity) else key


def _python_key(leaf: Any) -> Hashable:
    kind = type(leaf)
    if isinstance(leaf, types.FunctionType):
        defaults = (leaf.__defaults__, leaf.__kwdefaults__)
        return (Identity(leaf), Identity(leaf.__code__), value_key(defaults))
    if isinstance(leaf, types.MethodType):
        return ('method', Identity(leaf.__self__), _key(leaf.__func__))
    if is_bound_builtin(leaf):
        return ('method', Identity(leaf.__self__), leaf.__name__)
    if isinstance(leaf, functools.partial):
        return (kind, value_key((leaf.func, leaf.args, dict(leaf.keywords))))
    if kind is slice:
        return (kind, value_key((leaf.start, leaf.stop, leaf.step)))
    if isinstance(leaf, _VALUES):
        return (kind, leaf)
    if is_container(leaf):
        return (kind, *_content_key(leaf))
    if isinstance(leaf, dict | list):  # of a class of the user's
        return (Identity(leaf), value_key(_plain(leaf)))
    if package_of(kind) in TEXTUAL and getattr(leaf, 'tzinfo', None) is None:
        return (kind, repr(leaf))
    return Identity(leaf)


def is_bound_builtin(value: Any) -> bool:
    """Whether it is a method such as `items.append`, which is another object at every read."""
    builtin = isinstance(value, types.BuiltinMethodType)
    return builtin and not isinstance(value.__self__, types.ModuleType | None)


# What holds others.


def _plain(container: Any) -> Any:
    if isinstance(container, dict):
        return dict(dict.items(container))
    return list(list.__iter__(container))


def _content_key(container: Any) -> Iterator[Hashable]:
    if not nest.is_leaf(container):
        yield value_key(container)
    elif isinstance(container, set | frozenset):
        yield frozenset(map(value_key, container))
    elif isinstance(container, bytes | bytearray | memoryview | array.array):
        yield bytes(container)
    elif isinstance(container, Mapping):
        yield value_key(dict(container))
    else:
        yield value_key(list(container))


_PLAIN_CONTAINERS = (list, dict, tuple, set, frozenset, bytearray, memoryview, deque, array.array)
_NO_CONTAINERS = (str, bytes, range, np.ndarray, np.generic)
_COPIED = (set, deque, bytearray, array.array, dict, UserDict, UserList)


def is_container(value: Any) -> bool:
    """Whether a value is told by what it holds: a collection of Python's own, or a nest."""
    if isinstance(value, _NO_CONTAINERS):
        return False
    if type(value) in _PLAIN_CONTAINERS or not nest.is_leaf(value):
        return True
    if isinstance(value, types.MappingProxyType):
        return True
    return isinstance(value, Collection) and package_of(type(value)) in sys.stdlib_module_names


def copied(value: Any) -> Any:
    """A container that is no nest as another one that holds the same; anything else itself."""
    mutable = isinstance(value, _COPIED) and is_container(value) and nest.is_leaf(value)
    return copy.copy(value) if mutable else value

