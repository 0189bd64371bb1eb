"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, would silently be wrong.
"""
from __future__ import annotations

import dis
import functools
import types
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from operator import length_hint
from typing import Any

import numpy as np

from ..asking import has_attribute
from ..errors import is_internal
from ..graph import nest
from ..graph.tensor import State, Tensor
from .moved import is_moved
from .outside import Outside, is_cache, key_of, modifies_reached, variables_set_by

_PACKAGE = __package__.partition('.')[0]

# How many objects are looked at.
_MOST = 200

# What leads on to other things, and is never changed itself.
_FIXED = (types.MethodType, functools.partial, tuple, Iterator)


class Reachable:
    """What the objects and containers hold that a function can reach through its closure.

    Attributes and items that the block itself sets are its state: it takes and returns them.

    Args:
      block: the function.
      *others: what else it can reach.
      names: the variables to which it gives a new value.
    """

    def __init__(self, block: Any, *others: Any, names: Sequence[str] = ()) -> None:
        self._state = set(_set_by(block))
        self._own = _bound_by(block)
        self._outside = Outside()
        self._given = _variables(block, names)
        roots = (block, *others)
        self._held: dict[int, tuple[Any, Any]] = {}
        waiting = list(roots)
        while waiting and len(self._held) < _MOST:
            x = waiting.pop()
            if id(x) not in self._held and not isinstance(x, (Tensor, State, np.ndarray)):
                content = _content(x)
                if content is not None:
                    self._held[id(x)] = (x, content)
                    waiting += content.values() if isinstance(content, dict) else content

    def restore(self) -> None:
        """Gives everything back what it held."""
        self._outside.restore()
        for x, content in self._held.values():
            if isinstance(x, (list, dict)):
                nest.restore([(x, content)])
            elif isinstance(x, set):
                x.clear()
                x.update(content)
            elif isinstance(x, types.FunctionType):
                for cell, value in zip(x.__closure__ or (), content, strict=True):
                    if value is not _NOTHING:
                        cell.cell_contents = value
            elif not isinstance(x, _FIXED):
                _attributes(x).clear()
                _attributes(x).update(content)

    def check(self) -> None:
        """What a staged block can reach holds what it held.

        Raises:
          OwnershipError: the block changed it; everything is put back first.
        """
        self._outside.check(self._own | self._state)
        changed = next(self._changed(), None)
        if changed is None:
            return
        self.restore()
        raise modifies_reached(changed)

    def _changed(self) -> Iterator[str]:
        for x, content in self._held.values():
            if isinstance(x, types.FunctionType):
                yield from self._rebound(x, content)
                continue
            if id(x) in self._given and is_moved(x):
                # A block inside this one took it over; another branch may still have it.
                nest.restore([(x, content)])
            kind = type(x).__name__
            if isinstance(x, (set, Iterator)):
                if content != (x if isinstance(x, set) else _content(x)):
                    yield f'a {kind}'
                continue
            if isinstance(x, _FIXED):
                continue
            now = x if isinstance(x, (list, dict)) else _attributes(x)
            if isinstance(content, dict):
                for name in dict.fromkeys([*content, *now]):
                    if name in self._state or is_cache(x, name):
                        continue
                    if name not in now or name not in content or now[name] is not content[name]:
                        yield f'{name!r} of a {kind}'
            elif len(now) != len(content) or any(
                a is not b for a, b in zip(now, content, strict=True)
            ):
                yield f'a {kind}'

    def _rebound(self, f: types.FunctionType, held: list[Any]) -> Iterator[str]:
        """The variables of a closure that have another value now, except those of the block."""
        cells = zip(f.__code__.co_freevars, f.__closure__ or (), held, strict=True)
        for name, cell, value in cells:
            if value is not _NOTHING and key_of(cell) not in self._own and _in(cell) is not value:
                yield f'{name!r} of {f.__name__!r}'


def _content(x: Any) -> Any:
    """What can be reached from it, as a new list or dict; None for what leads no further."""
    if isinstance(x, types.FunctionType):
        return [_in(cell) for cell in x.__closure__ or ()]
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if type(x) is tuple:
        return list(x)
    if isinstance(x, (list, dict, set)):
        return x.copy()
    if isinstance(x, Iterator):
        return [length_hint(x, -1)]
    return dict(_attributes(x)) if _is_users(x) else None


class _Nothing(State):
    """What a variable holds that has no value yet."""

    __slots__ = ()


_NOTHING = _Nothing()


def _in(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _NOTHING


def _variables(block: Any, names: Sequence[str]) -> set[int]:
    """The identities of the lists and dicts that these variables of a closure hold."""
    if not isinstance(block, types.FunctionType):
        return set()
    cells = zip(block.__code__.co_freevars, block.__closure__ or (), strict=True)
    held = [_in(cell) for name, cell in cells if name in names]
    return {id(x) for x in held if isinstance(x, (list, dict))}


def _code_of(block: Any) -> Iterator[types.FunctionType]:
    """The functions that are the block: one that the library has wrapped up is in the wrapper."""
    waiting, seen = [block], {id(block)}
    while waiting:
        f = waiting.pop()
        if isinstance(f, types.FunctionType):
            yield f
            if is_internal(f.__code__.co_filename):
                inner = [_in(cell) for cell in f.__closure__ or ()]
                inner = [g for g in inner if id(g) not in seen]
                seen.update(map(id, inner))
                waiting += inner


def _set_by(block: Any) -> Iterator[Hashable]:
    """The attributes that a block's own code sets, and the constants among its items' keys."""
    for f in _code_of(block):
        yield from _set_in(f.__code__)


def _bound_by(block: Any) -> set[Hashable]:
    """The variables of enclosing functions and of the module that a block's own code binds."""
    return {variable.key for f in _code_of(block) for variable in variables_set_by(f)}


@lru_cache(maxsize=1024)
def _set_in(code: types.CodeType) -> tuple[Any, ...]:
    found: list[Any] = []
    for instruction in dis.get_instructions(code):
        if instruction.opname == 'STORE_ATTR':
            found.append(instruction.argval)
        elif instruction.opname == 'STORE_SUBSCR':
            found += [const for const in code.co_consts if isinstance(const, (str, int))]
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found += _set_in(const)
    return tuple(found)


def _is_users(x: Any) -> bool:
    """Whether it is an object of a class that is written in Python, and not by this library."""
    module = type(x).__module__ or ''
    return (
        has_attribute(x, '__dict__')
        and not isinstance(x, (type, types.ModuleType))
        and module.partition('.')[0] != _PACKAGE
    )


def _attributes(x: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = vars(x)
    return attributes
