"""Whether an unknown axis has the length that it was given: other lengths are tried, too.

That `np.vstack([np.ones((2, 3)), x])` runs where x has 2 rows says nothing of what x has. So each
unknown axis that a layout made as long as another one is tried with lengths of its own, alone and
together with those that may have to stay alike. What then changes in the result is not known.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from ..graph.types import TensorType
from .layouts import Layout, Length

_MOST_SUBSETS = 40

# An axis of an input: the index of the input, and of the axis in its shape.
_Place = tuple[int, int]


def loosened(
    types: Sequence[TensorType], layout: Layout, base: Mapping[Length, int]
) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Shapes with other lengths for some of the tied axes, after that length."""
    ties = _ties(types, layout)
    unknown = [place for places in ties.values() for place in places]
    shapes = [[base[n] if isinstance(n, Length) else n for n in axes] for axes in layout]
    for tied, places in ties.items():
        size = base[tied] if isinstance(tied, Length) else tied
        free = isinstance(tied, Length) and tied.size is None
        lengths = dict.fromkeys((size + 1, 2 * size + 3, max(size - 1, 0), 1, 0))
        for chosen, n in itertools.product(_subsets(places, proper=free), lengths):
            if n != size:
                yield n, _with(shapes, dict.fromkeys(chosen, n))
                if size == 0:
                    # Where an array has to be empty, another axis may be what makes it so.
                    yield n, _with(shapes, dict.fromkeys(unknown, 0) | dict.fromkeys(chosen, n))


def _with(
    shapes: Sequence[Sequence[int]], lengths: Mapping[_Place, int]
) -> list[tuple[int, ...]]:
    return [
        tuple(lengths.get((i, axis), n) for axis, n in enumerate(axes))
        for i, axes in enumerate(shapes)
    ]


def _ties(types: Sequence[TensorType], layout: Layout) -> dict[int | Length, list[_Place]]:
    """The unknown axes, by the length that they were given."""
    ties: dict[int | Length, list[_Place]] = {}
    for i, (type_, axes) in enumerate(zip(types, layout, strict=True)):
        for axis, (known, given) in enumerate(zip(type_.shape or (), axes, strict=True)):
            if known is None:
                ties.setdefault(given, []).append((i, axis))
    return ties


def _subsets(places: Sequence[_Place], *, proper: bool) -> Iterator[tuple[_Place, ...]]:
    """One axis, all of them unless `proper`, then those between."""
    count = len(places)
    sizes = [1, count, *range(2, count)] if count > 1 else [1]
    subsets = itertools.chain.from_iterable(itertools.combinations(places, n) for n in sizes)
    for subset in itertools.islice(subsets, _MOST_SUBSETS):
        if not proper or len(subset) < count:
            yield subset
