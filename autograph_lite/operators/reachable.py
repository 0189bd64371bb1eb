"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, would silently be wrong.
"""
from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import length_hint
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, is_internal, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor
from .moved import is_moved

_PACKAGE = __package__.partition('.')[0]

# How many objects are looked at.
_MOST = 200


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
        for x, content in self._held.values():
            if isinstance(x, (list, dict)):
                nest.restore([(x, content)])
            elif isinstance(x, set):
                x.clear()
                x.update(content)
            elif not isinstance(x, (types.FunctionType, Iterator)):
                _attributes(x).clear()
                _attributes(x).update(content)

    def check(self) -> None:
        """What a staged block can reach holds what it held.

        Raises:
          OwnershipError: the block changed it; everything is put back first.
        """
        changed = next(self._changed(), None)
        if changed is None:
            return
        self.restore()
        raise OwnershipError(
            describe(
                f'A staged block modifies {changed}, which it reaches through another name or a '
                'method; the graph would not do so at every turn.',
                user_location(),
                'Let the function or method return the new value, and assign it in the block.',
            )
        )

    def _changed(self) -> Iterator[str]:
        for x, content in self._held.values():
            if isinstance(x, types.FunctionType):
                continue
            if id(x) in self._given and is_moved(x):
                # A block inside this one took it over; another branch may still have it.
                nest.restore([(x, content)])
            kind = type(x).__name__
            if isinstance(x, (set, Iterator)):
                if content != (x if isinstance(x, set) else _content(x)):
                    yield f'a {kind}'
                continue
            now = x if isinstance(x, (list, dict)) else _attributes(x)
            if isinstance(content, dict):
                for name in dict.fromkeys([*content, *now]):
                    if name in self._state:
                        continue
                    if name not in now or name not in content or now[name] is not content[name]:
                        yield f'{name!r} of a {kind}'
            elif len(now) != len(content) or any(
                a is not b for a, b in zip(now, content, strict=True)
            ):
                yield f'a {kind}'


def _content(x: Any) -> Any:
    """What can be reached from it, as a new list or dict; None for what leads no further."""
    if isinstance(x, types.FunctionType):
        return list(_cells(x))
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    if isinstance(x, (list, dict, set)):
        return x.copy()
    if isinstance(x, Iterator):
        return [length_hint(x, -1)]
    return dict(_attributes(x)) if _is_users(x) else None


def _cells(f: Callable[..., Any]) -> Iterator[Any]:
    for cell in f.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it has no value yet
            continue


def _variables(block: Any, names: Sequence[str]) -> set[int]:
    """The identities of the lists and dicts that these variables of a closure hold."""
    if not isinstance(block, types.FunctionType):
        return set()
    cells = zip(block.__code__.co_freevars, block.__closure__ or (), strict=True)
    held = [cell.cell_contents for name, cell in cells if name in names and cell != _EMPTY]
    return {id(x) for x in held if isinstance(x, (list, dict))}


_EMPTY = types.CellType()


def _set_by(block: Any) -> Iterator[Any]:
    """The attributes that a block's own code sets, and the constants among its items' keys.

    A block that the library has wrapped up is in the closure of the wrapper.
    """
    waiting, seen = [block], {id(block)}
    while waiting:
        f = waiting.pop()
        if isinstance(f, types.FunctionType):
            yield from _set_in(f.__code__)
            if is_internal(f.__code__.co_filename):
                inner = [g for g in _cells(f) if id(g) not in seen]
                seen.update(map(id, inner))
                waiting += inner


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
        hasattr(x, '__dict__')
        and not isinstance(x, (type, types.ModuleType))
        and module.partition('.')[0] != _PACKAGE
    )


def _attributes(x: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = vars(x)
    return attributes
