"""What a NumPy function returns, found by asking NumPy: it is run on small stand-ins.

The dtype, the rank and the Python type of a result do not depend on the values, so one run tells
them. Lengths may: so the function is run with different contents, and where an axis of an argument
is unknown or long, with different lengths of it. Each axis of the result is then either a fixed
length, a sum of lengths of the arguments' axes (`concatenate`, `diff`), or unknown.
"""
from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph.nest import Structure, flatten
from ..graph.types import STRING, Shape, TensorType, type_of
from .refusals import refuse
from .stand_ins import HUGE, ORDERED, contents_for, stand_in

Run = Callable[[Sequence[Any]], Any]

# Arguments of up to so many elements are stood for by arrays of the very same shape.
_SMALL = 4096
# The lengths that stand for unknown ones are multiples of this, so that they can be split.
_SCALE = 12
_LARGE_SCALE = 120
# More lengths than this are kept short, so that an outer product of all fits.
_FEW = 3
# An axis up to this length may mean something (RGB, xyz), and is never varied.
_SHORT = 4
_MOST_LEAVES = 1000
_MOST_LAYOUTS = 40
_LARGE_LAYOUTS = 3
_GUESSES = (3, 2, 1)

# What to do where the type of a result depends on the values: ask for the most general one.
_WIDEN_NUMBERS = (
    'Convert the argument first so that it does not, such as by `x.astype(complex)`, or call it '
    'under `ag.py_function`.'
)
_WIDEN_TEXTS = (
    'How long the texts are is part of the type; convert them first to texts of any length: '
    '`x.astype(np.dtypes.StringDType())`.'
)


@dataclass(frozen=True)
class Answer:
    """What the function returns.

    Attributes:
      structure: how the results are nested; None if the function returns None.
      types: the type of each result.
      viewed: for each result, the inputs whose memory it may share, by index.
    """

    structure: Structure | None
    types: tuple[TensorType, ...]
    viewed: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class _Length:
    """A length that is varied: that of an unknown axis, or of every axis of one long size."""

    index: int
    size: int | None


# What one run gave: the structure and the types of the results.
_Run = tuple['Structure | None', 'list[TensorType]']
class _Guess(int):
    """A length that an unknown axis may have."""


_Layout = tuple[tuple['int | _Length', ...], ...]


class _NoAnswer(Exception):
    """The function does not run on stand-ins of this layout."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


def ask(name: str, run: Run, types: Sequence[TensorType]) -> Answer:
    """What `run` returns for inputs of these types, whose ranks are known.

    Raises:
      StagingError: the type of the result depends on the values, or no graph can hold it.
      Exception: what NumPy itself raises for every input of these types.
    """
    first: Exception | None = None
    guess: Answer | None = None
    for layout, scale in _layouts(name, types):
        question = _Question(name, run, types, layout, scale)
        try:
            found = question.answer()
            if not question.guessed:
                return guess or found
            if guess is not None and guess != found:
                raise refuse(name, 'gives a result whose rank depends on an unknown length.')
            guess = found
        except _NoAnswer as no_answer:
            # The last layout has the true sizes where all are known: its error is NumPy's own.
            known = not any(isinstance(n, _Length) for axes in layout for n in axes)
            first = no_answer.cause if known or first is None else first
    if guess is not None:
        return guess
    assert first is not None
    if isinstance(first, np.linalg.LinAlgError) and any(None in (t.shape or ()) for t in types):
        # Which lengths make a square matrix, no layout happened to guess.
        raise refuse(name, 'needs lengths that are known.', 'Give the shape in the TensorSpec.')
    raise first


def _layouts(name: str, types: Sequence[TensorType]) -> Iterator[tuple[_Layout, int]]:
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
            n: _Length(unknown + i, n) if varied and n > _SHORT else n for i, n in enumerate(sizes)
        }
        most = None if scale == _SCALE else _LARGE_LAYOUTS
        for choice in itertools.islice(_choices(shapes, names), most):
            chosen = iter(choice)
            layout = tuple(
                tuple(next(chosen) if n is None else names[n] for n in shape) for shape in shapes
            )
            yield layout, scale


def _choices(
    shapes: Sequence[Shape], names: dict[int, int | _Length]
) -> Iterator[tuple[int | _Length, ...]]:
    """The lengths to try for the unknown axes."""
    places = [(s, a) for s, shape in enumerate(shapes) for a, n in enumerate(shape) if n is None]
    # Each on its own; then as long as another in the same place, as broadcasting and stacking ask.
    yield tuple(_Length(i, None) for i in range(len(places)))
    for from_end in (True, False):
        yield tuple(_neighbour(shapes, names, s, a, from_end) for s, a in places)
    # Then all combinations of what may be asked for.
    free = [_Length(i, None) for i in range(len(places))]
    equal = itertools.product(*(free[i::-1] for i in range(len(places))))
    yield from itertools.islice(equal, _MOST_LAYOUTS)
    # The last axis may be that of coordinates.
    for guess in map(_Guess, _GUESSES):
        yield tuple(
            guess if a == len(shapes[s]) - 1 else _neighbour(shapes, names, s, a, True)
            for s, a in places
        )
    known: list[int | _Length] = [*names.values(), *map(_Guess, _GUESSES)]
    mixed = itertools.product(*([*free[i::-1], *known] for i in range(len(places))))
    yield from itertools.islice(mixed, _MOST_LAYOUTS)


def _neighbour(
    shapes: Sequence[Shape],
    names: dict[int, int | _Length],
    shape: int,
    axis: int,
    from_end: bool,
) -> int | _Length:
    """The known length in the same place of another input, or one length for the whole place."""
    place = axis - len(shapes[shape]) if from_end else axis
    for other in shapes:
        if -len(other) <= place < len(other) and (n := other[place]) not in (None, 1):
            return names[n]
    return _Length(-place if from_end else place, None)


class _Question:
    """One layout: the runs that answer it."""

    def __init__(
        self, name: str, run: Run, types: Sequence[TensorType], layout: _Layout, scale: int
    ) -> None:
        self.name = name
        self.run = run
        self.types = types
        self.layout = layout
        lengths = {n for axes in layout for n in axes if isinstance(n, _Length)}
        # Known sizes keep their order, for what takes the shorter of two axes.
        self.lengths = sorted(lengths, key=lambda length: (length.size or 0, length.index))
        self.scale = scale
        self.guessed = any(isinstance(n, _Guess) for axes in layout for n in axes)
        self.base = {length: scale * (i + 1) for i, length in enumerate(self.lengths)}
        if len(lengths) > _FEW:
            self.base = {length: _SHORT + 1 + i for i, length in enumerate(self.lengths)}
        self.viewed: set[tuple[int, int]] = set()

    def answer(self) -> Answer:
        """Runs the function on stand-ins with different contents, then with different lengths."""
        total = sum(math.prod(shape) for shape in self._shapes(self.base))
        if self.lengths and total > HUGE * 10:
            raise _NoAnswer(MemoryError(f'no stand-ins of {total} elements'))
        runs: list[_Run] = []
        failed: list[Exception] = []
        contents = contents_for(self.name, total if self.types else 0)
        fill = contents[0]
        for content in (*contents, *ORDERED):
            if content in ORDERED and runs:
                break
            try:
                runs.append(self._ask(content, self.base))
                fill = content if len(runs) == 1 else fill
            except StagingError:
                raise
            except Exception as error:
                failed.append(error)
        if not runs:
            raise _NoAnswer(failed[0])
        structure, found = runs[0]
        for other_structure, others in runs[1:]:
            if other_structure != structure or not all(map(_alike, found, others)):
                raise refuse(
                    self.name,
                    'gives a result whose type depends on the values.',
                    _WIDEN_TEXTS if found[0].dtype.kind in 'US' else _WIDEN_NUMBERS,
                )
        shapes = [
            [
                sizes[0] if len(set(sizes)) == 1 else None
                for sizes in zip(*(types[i].shape or () for _, types in runs), strict=True)
            ]
            for i in range(len(found))
        ]
        solved = self._solve(structure, shapes, fill)
        types = tuple(
            replace(t, shape=shape) for t, shape in zip(found, solved, strict=True)
        )
        inputs = range(len(self.types))
        viewed = tuple(
            tuple(i for i in inputs if (i, output) in self.viewed) for output in range(len(types))
        )
        return Answer(structure, types, viewed)

    def _solve(
        self,
        structure: Structure | None,
        shapes: list[list[int | None]],
        fill: Callable[..., Any],
    ) -> Sequence[Shape | None]:
        """The true shapes of the results, from those for the base lengths."""
        if self.guessed:
            return [(None,) * len(shape) for shape in shapes]
        if not self.lengths:
            return [tuple(shape) for shape in shapes]
        steps = [self._step(length, fill) for length in self.lengths]
        checks = [(lengths, self._try(fill, lengths)) for lengths in self._checks()]
        ranked = True
        for _, run in (*steps, *checks):
            if run is not None and not _comparable(run, structure, shapes):
                error = refuse(
                    self.name, 'gives results whose number depends on an unknown length.'
                )
                if not any(length.size is None for length in self.lengths):
                    raise _NoAnswer(error)
                if run[0] != structure or any(type_.kind != 'array' for type_ in run[1]):
                    raise error
                ranked = False
        if not ranked:
            return [None] * len(shapes)
        result: list[Shape | None] = []
        for i, shape in enumerate(shapes):
            axes: list[int | None] = []
            for axis, size in enumerate(shape):
                seen = [
                    None if run is None else (run[1][i].shape or ())[axis] for _, run in steps
                ]
                found = [
                    (lengths, (run[1][i].shape or ())[axis]) for lengths, run in checks if run
                ]
                axes.append(self._length(size, [step for step, _ in steps], seen, found))
            result.append(tuple(axes))
        return result

    def _length(
        self,
        size: int | None,
        steps: list[int],
        seen: list[int | None],
        checks: list[tuple[dict[_Length, int], int | None]],
    ) -> int | None:
        """One axis of the result as `constant + sum(factor * length)`, if it is that."""
        if size is None:
            return None
        factors = []
        for step, n in zip(steps, seen, strict=True):
            if n is None or (n - size) % step:
                self._unsolved(size)
                return None
            factors.append((n - size) // step)
        pairs = list(zip(self.lengths, factors, strict=True))
        constant = size - sum(factor * self.base[length] for length, factor in pairs)
        for lengths, n in checks:
            if n != constant + sum(factor * lengths[length] for length, factor in pairs):
                self._unsolved(size)
                return None
        for length, factor in pairs:
            if factor and length.size is None:
                return None
            constant += factor * (length.size or 0)
        return constant

    def _checks(self) -> list[dict[_Length, int]]:
        """Other lengths, for which a rule must hold; unknown axes also shorter than known ones."""
        steps = enumerate(self.base.items())
        checks = [{length: n + 2 * i + 3 for i, (length, n) in steps}]
        unknown = [length for length in self.lengths if length.size is None]
        if unknown:
            checks.append({**self.base, **dict.fromkeys(unknown, 2)})
        return checks

    def _unsolved(self, size: int) -> None:
        """An axis that no sum of lengths explains: known sizes are asked for as they are."""
        if all(length.size is not None for length in self.lengths):
            raise _NoAnswer(
                refuse(self.name, f'gives an axis of {size} that no rule explains.')
            )

    def _step(
        self, length: _Length, fill: Callable[..., Any]
    ) -> tuple[int, _Run | None]:
        for step in (1, self.scale):
            run = self._try(fill, {**self.base, length: self.base[length] + step})
            if run is not None:
                return step, run
        return 1, None

    def _try(
        self, fill: Callable[..., Any], lengths: dict[_Length, int]
    ) -> _Run | None:
        try:
            return self._ask(fill, lengths)
        except Exception:
            return None

    def _shapes(self, lengths: dict[_Length, int]) -> list[tuple[int, ...]]:
        return [
            tuple(lengths[n] if isinstance(n, _Length) else n for n in axes)
            for axes in self.layout
        ]

    def _ask(
        self, fill: Callable[..., Any], lengths: dict[_Length, int]
    ) -> _Run:
        """One run: the structure and the types of what it returns."""
        shapes = self._shapes(lengths)
        stand_ins = [
            stand_in(type_, shape, fill, i)
            for i, (type_, shape) in enumerate(zip(self.types, shapes, strict=True))
        ]
        with warnings.catch_warnings(), np.errstate(all='ignore'):
            warnings.simplefilter('ignore')
            result = self.run(stand_ins)
        if result is None:
            return None, []
        leaves, structure = flatten(result)
        if len(leaves) > _MOST_LEAVES:
            raise refuse(self.name, f'gives {len(leaves)} results.', 'Keep them in one array.')
        types = []
        for leaf in leaves:
            type_ = STRING if type(leaf) is str else type_of(leaf)
            if type_ is None or type(leaf) in (np.matrix, np.ma.MaskedArray):
                raise refuse(
                    self.name, f'gives a {type(leaf).__name__}, which no graph can hold.'
                )
            types.append(type_)
        pairs = itertools.product(enumerate(stand_ins), enumerate(leaves))
        for (i, given), (output, leaf) in pairs:
            both = isinstance(given, np.ndarray) and isinstance(leaf, np.ndarray)
            if both and np.may_share_memory(leaf, given):
                self.viewed.add((i, output))
        return structure, types


def _comparable(
    run: _Run,
    structure: Structure | None,
    shapes: list[list[int | None]],
) -> bool:
    """Whether a run gives as many results, of the same ranks."""
    ranks = [len(type_.shape or ()) for type_ in run[1]]
    return run[0] == structure and ranks == [len(shape) for shape in shapes]


def _alike(a: TensorType, b: TensorType) -> bool:
    return a.dtype == b.dtype and a.kind == b.kind and len(a.shape or ()) == len(b.shape or ())
