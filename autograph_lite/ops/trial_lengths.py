"""The lengths of the sample arrays that a function is tried on: unknown axes are varied."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..graph.types import Shape, TensorType
from .template import Arguments, Listed

# Arguments of up to so many elements are stood for by arrays of the very same shape.
_SMALL = 4096
# The lengths that stand for unknown ones are multiples of this, so that they can be split.
_SCALE = 12
_LARGE_SCALE = 120
# More lengths than this are kept short, so that an outer product of all fits.
FEW = 3
# An axis up to this length may mean something (RGB, xyz), and is never varied.
SHORT = 4
_MOST_LAYOUTS = 40
_LARGE_LAYOUTS = 3
_GUESSES = (3, 2, 1)
_MOST_LITERALS = 8
_LONGEST_LITERAL = 1000


@dataclass(frozen=True)
class Length:
    """A length that is varied: that of an unknown axis, or of every axis of one long size."""

    index: int
    size: int | None


class Guess(int):
    """A length that an unknown axis may have."""


Layout = tuple[tuple['int | Length', ...], ...]


def literal_lengths(arguments: Arguments) -> list[int]:
    """What may be a length in the arguments of a call: numbers, and how long its lists are."""
    found: dict[int, None] = {}

    def look(part: object) -> None:
        if isinstance(part, Listed):
            part = part.items
        if isinstance(part, tuple):
            found[len(part)] = None
            for item in part[:_MOST_LITERALS]:
                look(item)
        elif type(part) is int:
            found[part] = None

    for part in (*arguments.args, *(part for _, part in arguments.kwargs)):
        look(part)
    return [n for n in found if 0 < n <= _LONGEST_LITERAL][:_MOST_LITERALS]


def layouts(
    types: Sequence[TensorType], literals: Sequence[int]
) -> Iterator[tuple[Layout, int]]:
    """Which axes to vary, and the size of the smallest length; the most general layout first."""
    shapes: list[Shape] = []
    for type_ in types:
        assert type_.shape is not None
        shapes.append(type_.shape)
    sizes = list(dict.fromkeys(n for shape in shapes for n in shape if n is not None))
    unknown = sum(n is None for shape in shapes for n in shape)
    small = sum(math.prod(_SCALE if n is None else n for n in shape) for shape in shapes) <= _SMALL
    tries = [(not small, _SCALE), (False, _SCALE)][small:]
    if unknown:
        # An index or a count in the call may ask for longer axes.
        tries.append((False, _LARGE_SCALE))
    for varied, scale in tries:
        names = {
            n: Length(unknown + i, n) if varied and n > SHORT else n for i, n in enumerate(sizes)
        }
        most = None if scale == _SCALE else _LARGE_LAYOUTS
        for choice in itertools.islice(_choices(shapes, names, literals), most):
            chosen = iter(choice)
            layout = tuple(
                tuple(next(chosen) if n is None else names[n] for n in shape) for shape in shapes
            )
            yield layout, scale


def _choices(
    shapes: Sequence[Shape], names: dict[int, int | Length], literals: Sequence[int]
) -> Iterator[tuple[int | Length, ...]]:
    """The lengths to try for the unknown axes."""
    places = [(s, a) for s, shape in enumerate(shapes) for a, n in enumerate(shape) if n is None]
    # Each on its own; then as long as another in the same place, as broadcasting and stacking ask.
    yield tuple(Length(i, None) for i in range(len(places)))
    for from_end in (True, False):
        yield tuple(_neighbour(shapes, names, s, a, from_end) for s, a in places)
    for link in (_of_product, _of_system):
        yield _linked(link, shapes, names, places)
    for from_end in (True, False):
        # An axis of one element may be what has to match, where nothing is broadcast.
        yield tuple(_neighbour(shapes, names, s, a, from_end, wide=False) for s, a in places)
    # Then all combinations of what may be asked for.
    free = [Length(i, None) for i in range(len(places))]
    equal = itertools.product(*(free[i::-1] for i in range(len(places))))
    yield from itertools.islice(equal, _MOST_LAYOUTS)
    # The last axis may be that of coordinates.
    for guess in map(Guess, _GUESSES):
        yield tuple(
            guess if a == len(shapes[s]) - 1 else _neighbour(shapes, names, s, a, True)
            for s, a in places
        )
    known: list[int | Length] = [*names.values(), *map(Guess, _GUESSES)]
    mixed = itertools.product(*([*free[i::-1], *known] for i in range(len(places))))
    yield from itertools.islice(mixed, _MOST_LAYOUTS)
    # What is in the call may say how long an axis is.
    for literal in map(Guess, literals):
        yield (literal,) * len(places)
        for i in range(len(places)):
            yield (*free[:i], literal, *free[i + 1 :])


def _of_product(shape: int, axis: int, rank: int) -> int:
    """Where stacks of matrices are multiplied, columns of one are as many as rows of the next."""
    if rank == 1:
        return max(shape, 1)  # a vector has neither rows before it nor columns behind it
    return shape + axis - rank + 2 if axis >= rank - 2 else axis - rank


def _of_system(shape: int, axis: int, rank: int) -> int:
    """Where equations are solved, rows are as many as columns, and as numbers on the right."""
    if axis < rank - 2:
        return axis - rank
    return int(shape > 0 and rank > 1 and axis == rank - 1)


def _linked(
    link: Callable[[int, int, int], int],
    shapes: Sequence[Shape],
    names: dict[int, int | Length],
    places: Sequence[tuple[int, int]],
) -> tuple[int | Length, ...]:
    """One length for all axes with the same link: the known one, if there is one."""
    known = {
        link(s, a, len(shape)): names[n]
        for s, shape in enumerate(shapes) for a, n in enumerate(shape) if n not in (None, 1)
    }
    links = [link(s, a, len(shapes[s])) for s, a in places]
    order = sorted(set(links))
    return tuple(known.get(each) or Length(order.index(each), None) for each in links)


def _neighbour(
    shapes: Sequence[Shape],
    names: dict[int, int | Length],
    shape: int,
    axis: int,
    from_end: bool,
    wide: bool = True,
) -> int | Length:
    """The known length in the same place of another input, or one length for the whole place.

    A length of 1 is passed over unless `wide` is false: broadcasting allows it beside any other.
    """
    place = axis - len(shapes[shape]) if from_end else axis
    for other in shapes:
        n = other[place] if -len(other) <= place < len(other) else None
        if n is not None and not (wide and n == 1):
            return names[n]
    return Length(-place if from_end else place, None)


# Whether an unknown axis has the length that it was given: that `np.vstack([np.ones((2, 3)), x])`
# runs where x has 2 rows says nothing of what x has. So other lengths are tried.

_MOST_SUBSETS = 40
# An axis of an input: the index of the input, and of the axis in its shape.
_Place = tuple[int, int]


def loosened(
    types: Sequence[TensorType], layout: Layout, base: Mapping[Length, int]
) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Shapes with another length for some of the unknown axes that have one, after that length."""
    ties: dict[int | Length, list[_Place]] = {}
    for i, (type_, axes) in enumerate(zip(types, layout, strict=True)):
        for axis, (known, given) in enumerate(zip(type_.shape or (), axes, strict=True)):
            if known is None:
                ties.setdefault(given, []).append((i, axis))
    unknown = dict.fromkeys((place for places in ties.values() for place in places), 0)
    shapes = [tuple(base[n] if isinstance(n, Length) else n for n in axes) for axes in layout]
    for tied, places in ties.items():
        size = base[tied] if isinstance(tied, Length) else tied
        free = isinstance(tied, Length) and tied.size is None
        lengths = dict.fromkeys((size + 1, 2 * size + 3, max(size - 1, 0), 1, 0))
        for chosen, n in itertools.product(_subsets(places, proper=free), lengths):
            if n != size:
                yield n, _with(shapes, dict.fromkeys(chosen, n))
                if size == 0:
                    # Where an array has to be empty, another axis may be what makes it so.
                    yield n, _with(shapes, unknown | dict.fromkeys(chosen, n))


def _with(
    shapes: Sequence[tuple[int, ...]], lengths: Mapping[_Place, int]
) -> list[tuple[int, ...]]:
    return [
        tuple(lengths.get((i, axis), n) for axis, n in enumerate(axes))
        for i, axes in enumerate(shapes)
    ]


def _subsets(places: Sequence[_Place], *, proper: bool) -> Iterator[tuple[_Place, ...]]:
    """One axis, then all of them unless `proper`, then those between."""
    count = len(places)
    sizes = dict.fromkeys((1, count, *range(2, count)))
    subsets = itertools.chain.from_iterable(itertools.combinations(places, n) for n in sizes)
    for subset in itertools.islice(subsets, _MOST_SUBSETS):
        if not proper or len(subset) < count:
            yield subset
