"""What functions of Python's library go through: objects of the user's, whose code is converted.

    out.extend(numbers)     itertools.chain(numbers, more)      set(numbers)        {**table}
"""
from __future__ import annotations

import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from ..pyct.asking import get_attribute, has_attribute
from .membership import item
from .own_iterators import iterated, through
from .own_methods import is_pythons, own_method

_DICTS = (dict, Counter, OrderedDict, defaultdict)
_KINDS = (*_DICTS, set, frozenset, deque, bytes, bytearray)
# Methods of Python's containers, and of texts, that go through all that they are given.
_METHODS = frozenset({
    'difference', 'difference_update', 'extend', 'extendleft', 'intersection',
    'intersection_update', 'isdisjoint', 'issubset', 'issuperset', 'join', 'symmetric_difference',
    'symmetric_difference_update', 'union', 'update', 'writelines',
})  # fmt: skip
# Functions of `itertools` that take one object again and again.
_NOT_THROUGH = (itertools.count, itertools.repeat)


def gone_through(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a function of Python's library is given, for the user's objects what goes through them.

    Args:
      f: the function.
      args: what it is given.
    """
    if all(map(is_pythons, args)) or not _goes_through(f):
        return args
    owner = get_attribute(f, '__self__')
    is_of_dicts = isinstance(owner, dict) or any(f is each for each in _DICTS)
    return tuple(pairs(x) if is_of_dicts else through(x) for x in args)


def _goes_through(f: Any) -> bool:
    if isinstance(f, type):
        return f in _KINDS or (f.__module__ == 'itertools' and f not in _NOT_THROUGH)
    owner, name = get_attribute(f, '__self__'), get_attribute(f, '__name__')
    if isinstance(owner, type):
        return name in ('fromkeys', 'from_iterable') and owner in (itertools.chain, *_KINDS)
    return name in _METHODS and isinstance(owner, (str, list, *_KINDS))


def pairs(x: Any) -> Any:
    """The dict of what a mapping of the user's holds; what goes through any other object."""
    if own_method(x, '__getitem__') is None or not has_attribute(x, 'keys'):
        return through(x)
    own = own_method(x, 'keys')
    return {key: item(x, key) for key in iterated(x if own is None else own())}
