"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, would silently be wrong.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor

_PACKAGE = __package__.partition('.')[0]

# How many objects are looked at.
_MOST = 200


class Reachable:
    """What the objects and containers hold that a function can reach through its closure."""

    def __init__(self, *roots: Any) -> None:
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
            elif not isinstance(x, types.FunctionType):
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
            now = x if isinstance(x, (list, dict)) else _attributes(x)
            kind = type(x).__name__
            if isinstance(content, dict):
                for name in dict.fromkeys([*content, *now]):
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
    if isinstance(x, (list, dict)):
        return x.copy()
    return dict(_attributes(x)) if _is_users(x) else None


def _cells(f: Callable[..., Any]) -> Iterator[Any]:
    for cell in f.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it has no value yet
            continue


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
