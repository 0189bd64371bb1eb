"""Keys of dicts and elements of sets: Python asks `__hash__` and `__eq__` of them as they are.

    {node: 1}       ->      {ag.as_key(node): 1}
"""
from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict
from typing import Any

from ..converters.callees import is_of_library
from ..graph.tracing import is_tracing
from ..pyct.asking import attributes, get_attribute
from .blocks_around import unknown_identity
from .contents import is_object
from .identical import is_told_by_identity
from .outside import is_outside
from .own_methods import is_pythons
from .unconverted import check_given, record_reads

_BUILTIN = (dict, defaultdict, OrderedDict, Counter, set, frozenset)
_TAKES_KEYS = (*_BUILTIN, hash)


def as_key(x: Any) -> Any:
    """The value itself, which Python hashes and compares with others of its kind.

    Raises:
      StagingError: code of the user's class does that, and what it reads may be None when the
        graph runs; or it is told by its identity, and may have another name.
    """
    if (is_pythons(x) and type(x) not in (tuple, frozenset)) or not is_tracing():
        return x
    for part in x if isinstance(x, tuple | frozenset) else ():
        as_key(part)
    if is_told_by_identity(x, '__hash__'):
        raise unknown_identity('Which key or element it is,')
    held = attributes(x)  # as it is: to ask for more would run code of the user's
    for name in ('__hash__', '__eq__'):
        method = get_attribute(type(x), name)
        if not isinstance(method, types.FunctionType) or is_of_library(method):
            continue
        record_reads(method, *((x,) if is_outside(x) else ()))
        for each in method.__code__.co_names:
            check_given(method, held.get(each))
    return x


def check_keys(container: Any, *keys: Any) -> None:
    """Keys that are looked for in a dict or a set, whose own ones of that kind are asked, too.

    Raises:
      StagingError: as `as_key` does.
    """
    if not is_tracing() or not isinstance(container, _BUILTIN):
        return
    kinds = {type(as_key(key)) for key in keys if is_object(key)}
    for own in container if kinds else ():
        if type(own) in kinds:
            as_key(own)


def check_call(f: Any, args: tuple[Any, ...]) -> None:
    """A call of a method of a dict or a set, or of what makes one.

    Raises:
      StagingError: as `as_key` does.
    """
    owner = f if any(f is each for each in _TAKES_KEYS) else get_attribute(f, '__self__')
    if not isinstance(owner, _BUILTIN) and not any(owner is each for each in _TAKES_KEYS):
        return
    for x in args:
        taken = x if isinstance(x, list | tuple | set | frozenset | dict) else ()
        check_keys(owner, x, *taken)
        for each in (x, *taken):
            as_key(each)
