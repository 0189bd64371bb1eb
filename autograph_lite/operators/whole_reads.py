"""All of a dict or an object outside is read: what a branch may not have set in it must be there.

    if x > 0:
        TABLE['best'] = x
    return len(TABLE)

While such code is traced the dict holds something at that key, whether the branch is taken or not:
so whatever reads more of it than one key asks here first.
"""
from __future__ import annotations

import builtins
import functools
import gc
import itertools
import operator
import types
from collections import ChainMap, OrderedDict, UserDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..converters.callees import is_of_library, reads_objects
from ..graph import nest
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute
from .holders import walk
from .outside import rebound
from .perhaps_missing import check_bound
from .set_variables import Variable
from .unbound import Unbound

# How many parts of a value are looked at.
_MOST = 1000


def check_whole(*values: Any) -> None:
    """What traced code sets of dicts and objects outside, of which all is read, must be there.

    Raises:
      UnboundError: something may be missing.
    """
    world = rebound()
    owners = [_shown_by(x) if isinstance(x, _VIEWS) else x for x in values]
    if world is None or not any(world.keys_of(x) or isinstance(x, dict) for x in owners):
        return
    for variable in world.parts:
        if any(_is_of(variable, x) for x in owners):
            check_bound(nest.map_leaves(_as_variable, variable.read()))


def _as_variable(x: Any) -> Any:
    return x.as_variable() if isinstance(x, Unbound) else x


def check_inside(*values: Any) -> None:
    """The same of dicts anywhere in values of which all that is in them is read."""
    if _variables():
        check_whole(*(part for x in values for part in _parts(x)))


def check_of_block(returned: Any, given: Sequence[Any]) -> None:
    """The same of what a block returns, but for the objects that it was given as they are.

    Args:
      returned: what it returns.
      given: the leaves of what it was given.
    """
    if _variables():
        own = {id(x) for x in given}
        check_whole(*(x for x in _parts(returned) if id(x) not in own))


def check_reached(*values: Any) -> None:
    """The same of all that can be reached from values, through objects too."""
    if _variables():
        check_whole(*(held.owner for held in walk(*(('', x) for x in values))))


def check_taking(f: Callable[..., Any], *values: Any) -> None:
    """The same of what a function is given that is not converted.

    Args:
      f: the function; a method of Python's reads all of what it is one of, too.
      *values: what it is given.
    """
    if not _variables():
        return
    owner, name = get_attribute(f, '__self__'), get_attribute(f, '__name__')
    if isinstance(owner, types.ModuleType | type):
        owner = None
    if owner is not None and name not in OF_PARTS:
        check_whole(owner)
    if (owner is not None and name in OF_PARTS) or any(f is each for each in _HANDING_ON):
        return
    if isinstance(f, type) and not is_of_library(f):
        return  # it holds what it is given
    if _goes_over(f) or name in _GOING_OVER:
        check_whole(*values)
    elif reads_objects(f):
        check_reached(*values)
    else:
        check_inside(*values)


def _goes_over(f: Callable[..., Any]) -> bool:
    """Whether it only takes out what is in its arguments."""
    module = get_attribute(f, '__module__')
    return module == itertools.__name__ or any(f is each for each in _TAKING_OUT)


# Methods that read or set no more of a container than a part, and hold what they are given.
OF_PARTS = frozenset({
    'append', 'appendleft', 'clear', 'get', 'insert', 'pop', 'setdefault', '__delitem__',
    '__getitem__', '__setitem__',
})  # fmt: skip
_GOING_OVER = frozenset({'extend', 'extendleft', 'update'})
_HANDING_ON = (
    builtins.callable, builtins.id, builtins.isinstance, builtins.issubclass, builtins.type,
    builtins.getattr, builtins.hasattr, builtins.setattr, builtins.delattr, functools.partial,
    operator.is_, operator.is_not, operator.getitem, operator.setitem, operator.contains,
)  # fmt: skip
_TAKING_OUT = (
    builtins.dict, builtins.enumerate, builtins.filter, builtins.iter, builtins.len, builtins.list,
    builtins.map, builtins.max, builtins.min, builtins.next, builtins.reversed, builtins.sorted,
    builtins.tuple, builtins.zip, defaultdict, deque, OrderedDict,
)  # fmt: skip


def _variables() -> list[Variable]:
    """The attributes and items outside that traced code sets."""
    world = rebound()
    return [] if world is None else world.parts


def _shown_by(view: Any) -> Any:
    """The dict of which a view shows all."""
    return next(iter(gc.get_referents(view)), None)


def _is_of(variable: Variable, owner: Any) -> bool:
    """Whether a variable is a part of a dict or an object, or of the `__dict__` of an object."""
    held = variable.holder
    return held is owner or (owner is not None and get_attribute(held, '__dict__') is owner)


_VIEWS: tuple[type[Any], ...] = (
    type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)


def _parts(x: Any) -> Iterator[Any]:
    """A value, and what is in it in any depth."""
    waiting, seen = deque([x]), set[int]()
    while waiting and len(seen) < _MOST:
        part = nest.actual(waiting.popleft())
        if id(part) in seen or isinstance(part, Tensor):
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, (ChainMap, UserDict)):
            waiting.extend(vars(part).values())
        elif isinstance(part, deque):
            waiting.extend(part)
        elif isinstance(part, _VIEWS):
            waiting.extend(gc.get_referents(part))
        else:
            waiting.extend(nest.children(part))


def whole(x: Any) -> Any:
    """The value itself, of which Python reads all: `f(**x)`, `{k for k in x}`."""
    check_whole(nest.actual(x))
    return x
