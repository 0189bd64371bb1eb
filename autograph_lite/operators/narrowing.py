"""Of a large list, dict or dataclass, a staged block is passed only the items that it touches.

    for k in keys:
        d[k] = x * 2
        if x > 0:
            d[k] += 1

The state of each of these blocks is one item. With all of them its cost would grow with the dict.
"""
from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..errors import AutographError
from ..graph import nest, nest_contents
from ..graph.checkpoints import checkpoint, undo
from .blocks_around import may_be_reached
from .leaves import enclosing
from .outside import is_anothers
from .staging import graph_now, unchanged
from .watched import rewatch

# Containers with no more items are passed whole.
_FEW = 16

# By the number of an operand, the steps to the items that are touched: `['k']` or `.a`.
Touched = Callable[[], dict[int, list[Any]]]
Block = Callable[..., Any]


class Passing(Protocol):
    """Makes a block one that takes what it is passed."""

    def __call__(self, block: Block, taken: int = 0) -> Block:
        """The block; `taken` arguments come before the operands."""


Stage = Callable[[tuple[Any, ...], Passing], Any]


class Whole(BaseException):
    """A block is to be traced again, and to be passed its containers whole."""


class _Tracing(threading.local):
    narrowed = 0  # how many blocks around are
    is_off = False


_tracing = _Tracing()


@dataclasses.dataclass(frozen=True, eq=False)
class _Kind:
    """Of which container the items are, and which of them there may be."""

    container: Any
    wanted: tuple[Any, ...]


class Part(nest.Nest):
    """Some of the items of a container.

    Attributes:
      kind: of which container.
      items: what is there, by key, index or attribute.
    """

    __slots__ = ('items', 'kind')

    def __init__(self, kind: _Kind, items: dict[Any, Any]) -> None:
        self.kind = kind
        self.items = items

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.kind, *self.items), list(self.items.values())

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        kind, *own = keys
        return cls(kind, dict(zip(own, parts, strict=True)))

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'{{{", ".join(parts)}}}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        kind, *own = keys
        is_indexed = isinstance(kind.container, (list, dict))
        return [f'[{key!r}]' if is_indexed else f'.{key}' for key in own]

    def filled(self) -> Any:
        """A container like that of which they are, with these items in their places."""
        like = self.kind.container
        made = like.copy() if isinstance(like, (list, dict)) else object.__new__(type(like))
        if not isinstance(like, (list, dict)):
            nest_contents.restore([(made, nest_contents.content(like))])
        _put(made, self.items)
        return made

    def now(self, made: Any) -> Part:
        """The same items of what `filled` gave, as they are now."""
        return Part(self.kind, _items(made, self.kind.wanted))

    def is_changed(self, made: Any) -> bool:
        """Whether what `filled` gave holds other items now."""
        now = self.now(made).items
        return list(now) != list(self.items) or any(
            now[key] is not value for key, value in self.items.items())


def _items(container: Any, wanted: Sequence[Any]) -> dict[Any, Any]:
    if isinstance(container, list):
        return {i: container[i] for i in wanted}
    if isinstance(container, dict):
        return {key: container[key] for key in wanted if key in container}
    return {name: getattr(container, name) for name in wanted}


def _put(container: Any, items: dict[Any, Any]) -> None:
    if isinstance(container, (list, dict)):
        for key, value in items.items():
            container[key] = value
    else:
        nest_contents.restore([(container, items)])


def narrowly(touched: Touched | None, operands: tuple[Any, ...], stage: Stage) -> Any:
    """What staging gives, with large containers narrowed to what is touched, if that goes.

    Args:
      touched: what the blocks touch, if they do nothing else with an operand.
      operands: what the blocks are given.
      stage: stages them, given the operands and what makes a block one that takes these.
    """
    parts = _parts(touched, operands) if touched is not None and _may_narrow() else {}
    if not parts:
        return stage(operands, _passed_all)
    start = checkpoint()
    _tracing.narrowed += 1
    try:
        narrowed = tuple(parts.get(i, operand) for i, operand in enumerate(operands))
        results = stage(narrowed, functools.partial(_passed_few, list(parts)))
        results = _each(_put_back, results)
        rewatch(graph_now(), start)
        return results
    except (AutographError, Whole):
        if _tracing.narrowed > 1:  # all of them are traced again
            raise Whole from None
    finally:
        _tracing.narrowed -= 1
    undo(start)
    _tracing.is_off = True
    try:
        return stage(operands, _passed_all)
    finally:
        _tracing.is_off = False


def _may_narrow() -> bool:
    """Whether nobody may look at what a block has changed by the time that it raises."""
    return not _tracing.is_off and all(graph.name != 'try' for graph in enclosing(graph_now()))


def _parts(touched: Touched, operands: tuple[Any, ...]) -> dict[int, Part]:
    """The operands of which only some items are passed, and these, by the operand's number."""
    try:
        steps = touched()
    except NameError:  # a key has no value, which is for the block to find out
        return {}
    found = {i: part for i, each in steps.items() if (part := _part(operands[i], each))}
    passed = [found.get(i, operand) for i, operand in enumerate(operands)]
    others = [id(container) for container, _ in nest_contents.contents(passed)]
    others += [id(part.kind.container) for part in found.values()]
    return {i: part for i, part in found.items() if others.count(id(part.kind.container)) == 1}


def _part(operand: Any, steps: list[Any]) -> Part | None:
    """The items of a container to which the steps lead; None where it is to be passed whole."""
    container = nest.actual(operand)
    wanted = _wanted(container, steps)
    if wanted is None or is_anothers(id(container)):
        return None
    return Part(_Kind(container, wanted), _items(container, wanted))


def _wanted(container: Any, steps: list[Any]) -> tuple[Any, ...] | None:
    if type(container) not in (list, dict):
        names = tuple(step[1:] for step in steps if isinstance(step, str))
        fields = getattr(type(container), '__dataclass_fields__', ())
        is_known = len(names) == len(steps) and all(name in fields for name in names)
        is_large = len(fields) > _FEW and is_known
        return names if is_large and not nest.is_leaf(container) else None
    keys = [step[0] for step in steps if isinstance(step, list)]
    size = len(container)
    if size <= _FEW or len(keys) < len(steps):
        return None
    if type(container) is dict:
        return tuple(dict.fromkeys(keys)) if all(type(k) in (int, str) for k in keys) else None
    if not all(type(key) is int and -size <= key < size for key in keys):
        return None
    return tuple(dict.fromkeys(key % size for key in keys))


def _passed_all(block: Block, taken: int = 0) -> Block:
    return block


def _passed_few(numbers: Sequence[int], block: Block, taken: int = 0) -> Block:
    """A block that is passed parts of some operands, and gives back these.

    Args:
      numbers: which operands.
      block: takes the containers whole.
      taken: how many arguments it takes before the operands.
    """
    if block is unchanged:
        return block

    @functools.wraps(block)
    def narrow(*given: Any) -> Any:
        args, filled = list(given), []
        for i in numbers:
            part = given[taken + i]
            if not isinstance(part, Part) or may_be_reached(part.kind.container):
                raise Whole
            args[taken + i] = part.filled()
            filled.append((part, args[taken + i]))
        returned: Any = None
        try:
            returned = block(*args)
        finally:
            kept = [id(x) for x in (returned if type(returned) is tuple else (returned,))]
            if any(part.is_changed(made) and id(made) not in kept for part, made in filled):
                raise Whole from None
        found = {id(made): part.now(made) for part, made in filled}
        return _each(lambda x: found.get(id(x), x), returned)

    return narrow


def _each(function: Callable[[Any], Any], results: Any) -> Any:
    """One result, or several as a tuple, with the function applied."""
    return tuple(map(function, results)) if type(results) is tuple else function(results)


def _put_back(result: Any) -> Any:
    """The container, with the items in it that a block gives."""
    if not isinstance(result, Part):
        return result
    _put(result.kind.container, result.items)
    return result.kind.container
