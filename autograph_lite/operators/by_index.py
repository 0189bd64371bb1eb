"""A loop over what its body changes: it takes each item by its index, from what there is by then.

    for v in y:             for i in range(len(y)):
        y[2] = s                v = y[i]
        s += v                  y[2] = s
                                s += v
"""
from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from ..errors import OwnershipError, describe, user_location
from ..graph.storage import Place, Storage
from ..graph.tensor import Tensor
from ..ops.flat import Flat
from .lists import StagedList
from .logic import and_
from .progress import Progress
from .staged_iterable import Staged
from .staging import unchanged

if TYPE_CHECKING:
    from .loop_turns import Loop

Template = tuple[Any, ...]


class RunsOver(BaseException):
    """A loop's body changes what the loop runs over."""


def check_runs_over(rows: Staged | None, written: Iterable[Storage]) -> None:
    """What a loop runs over, its body does not write.

    Raises:
      RunsOver: it does.
    """
    if rows is not None and not read_by(rows).isdisjoint(written):
        raise RunsOver


def read_by(rows: Staged) -> set[Storage]:
    """The memory that a loop runs over."""
    arrays = [source.of if isinstance(source, Flat) else source for source in rows.read()]
    return {each for array in arrays if isinstance(array, Tensor) for each in array.memory}


def runs_over(rows: Staged | None = None) -> OwnershipError:
    """The error of a loop over what its body changes that is not known how to stage."""
    if rows is not None and any(map(_is_perhaps_a_copy, rows.read())):
        return OwnershipError(
            describe(
                'The loop runs over what is changed in it, by a view that NumPy may make a copy.',
                user_location(),
                'Copy what has that shape, `y = x.reshape(-1, 2).copy()`; or change it by index, '
                'and read it by that name alone: `y = y.reshape(-1, 2)`, '
                '`for i in range(len(y)): y[i] += 1`.',
            )
        )
    if rows is not None and any(isinstance(each, StagedList) for each in rows.read()):
        return OwnershipError(
            describe(
                'The loop runs over a list that is changed in it, or of which an array is.',
                user_location(),
                'Put a changed copy in the place of each array: `for i in range(len(xs)): '
                'x = xs[i].copy(); x += 1; xs[i] = x`; or make another list: '
                '`xs = [x + 1 for x in xs]`. Where the list itself is changed, run over a copy of '
                'it: `for x in list(xs):`.',
            )
        )
    return OwnershipError(
        describe(
            'The loop runs over what is changed in it, where only the running graph knows when.',
            user_location(),
            'Run over a copy, `for x in list(xs):` or `for x in xs.copy():`; or take what is '
            'there by then: `i = 0`, `while i < len(xs): x = xs[i]; ...; i += 1`; or, of a dict, '
            'what is at each key: `for k in d: d[k].append(v)`.',
        )
    )


def _is_perhaps_a_copy(source: Any) -> bool:
    array = source.of if isinstance(source, Flat) else source
    return isinstance(array, Tensor) and not array.is_taken_anew


class Cursor(Progress, Iterator[Any]):
    """What takes items by their index.

    Attributes:
      sources: the arrays, lists and numbers that it reads; for a view, its base.
    """

    def __init__(self, rows: Staged) -> None:
        self._places = [_places(source) for source in rows.read()]
        self.sources = [
            places[0].base if places else source
            for places, source in zip(self._places, rows.read(), strict=True)]
        self._template = rows.template(count())
        self._item = rows.item

    def __next__(self) -> Any:
        raise NotImplementedError

    def at(self, index: Any) -> Any:
        """The item at an index."""
        return self._item(iter(_leaves(self._template, self._now(), index)))

    def lengths(self) -> list[Any]:
        """How many items there are now of each part of what the loop runs over."""
        return list(_lengths(self._template, self._now()))

    def _now(self) -> list[Any]:
        """What it reads, with the views as they are now."""
        return list(map(_view, self.sources, self._places))


def _view(source: Any, places: list[Place]) -> Any:
    """A view of an array, or of what it was, by where it lies in it."""
    for place in places:
        source = place.of(source)
        if source is None:
            raise runs_over()
    return source


def _places(source: Any) -> list[Place]:
    """Where a view lies in its base, in the order in which the one is a view of the other."""
    places: list[Place] = []
    while isinstance(source, (Tensor, Flat)) and source.place is not None:
        places.insert(0, source.place)
        source = source.place.base
    return places


def _leaves(template: Template, sources: Sequence[Any], index: Any) -> list[Any]:
    kind, *parts = template
    if kind == 'rows':
        return [sources[parts[0]][index]]
    if kind == 'range':
        return [sources[parts[0]] + index * sources[parts[2]]]
    if kind == 'enumerate':
        return [sources[parts[1]] + index, *_leaves(parts[0], sources, index)]
    if kind == 'reversed':
        (length,) = _lengths(parts[0], sources)
        return _leaves(parts[0], sources, length - 1 - index)
    return [leaf for part in parts for leaf in _leaves(part, sources, index)]


def _lengths(template: Template, sources: Sequence[Any]) -> Iterator[Any]:
    kind, *parts = template
    if kind == 'rows':
        source = sources[parts[0]]
        if isinstance(source, StagedList):
            yield source.length()
        else:
            yield source.of.size if isinstance(source, Flat) else source.shape[0]
    elif kind == 'range':
        bounds = [sources[part] for part in parts]
        if any(isinstance(bound, Tensor) for bound in bounds):
            raise runs_over()
        yield len(range(*bounds))
    elif kind == 'zip':
        for part in parts:
            yield from _lengths(part, sources)
    else:
        if kind == 'reversed' and any(isinstance(each, StagedList) for each in sources):
            raise runs_over()
        yield from _lengths(parts[0], sources)


def by_index(loop: Loop, first: Any = 0) -> Loop:
    """The loop over the indices of what it runs over; its first state is the next index.

    Args:
      loop: one with rows.
      first: the index of the first item.
    """
    assert loop.rows is not None
    # What a function closes over is what it may change: not the loop with its state.
    cursor, body, test, size = Cursor(loop.rows), loop.body, loop.test, len(loop.state)

    @functools.wraps(body)
    def turn(index: Any, *state: Any) -> Any:
        returned = body(cursor.at(index), *state)
        after = (returned,) if size == 1 else returned or ()
        return unchanged(index + 1, *after)

    def going_on(index: Any, *state: Any) -> Any:
        asked = [index < length for length in cursor.lengths()]
        more = functools.reduce(lambda one, other: and_(one, lambda: other), asked)
        return more if test is None else and_(test(*state), lambda: more)

    names = ['<index>', *loop.called()]
    return replace(
        loop, rows=None, test=going_on, body=turn, state=(first, *loop.state), names=names,
        recalled=loop.recalled.sharing('by index'))
