"""The type of what a NumPy function returns, found by running it on small sample arrays.

The dtype, the rank and the Python type of a result do not depend on the values, so one run tells
them. Lengths may: so the function is run with different contents, and where an axis of an argument
is unknown or long, with different lengths of it. Each axis of the result is then either a fixed
length, a sum of lengths of the arguments' axes (`concatenate`, `diff`), or unknown.
"""
from __future__ import annotations

import itertools
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph.nest import Structure, flatten
from ..graph.types import STRING, Shape, TensorType, type_of
from .refusals import refuse
from .stand_ins import HUGE, ORDERED, contents_for, stand_in
from .trial_lengths import FEW, SHORT, Guess, Layout, Length, layouts, loosened
from .value_dtypes import of_values, texts

Run = Callable[[Sequence[Any]], Any]

_MOST_LEAVES = 1000



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


# What one run gave: the structure and the types of the results.
_Run = tuple['Structure | None', 'list[TensorType]']


class _NoAnswer(Exception):
    """The function does not run on stand-ins of this layout."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


def ask(
    name: str, run: Run, types: Sequence[TensorType], literals: Sequence[int] = ()
) -> Answer:
    """What `run` returns for inputs of these types, whose ranks are known.

    Args:
      name: the public name of the function.
      run: calls it.
      types: those of the inputs.
      literals: lengths that the call itself tells, as `np.split(x, 7)` does.

    Raises:
      StagingError: the type of the result depends on the values, or no graph can hold it.
      Exception: what NumPy itself raises for every input of these types.
    """
    errors: list[Exception] = []
    guess: Answer | None = None
    for layout, scale in layouts(types, literals):
        question = _Question(name, run, types, layout, scale)
        try:
            found = question.answer()
            if not question.guessed:
                return guess or found
            if guess is not None and guess != found:
                raise refuse(
                    name,
                    'gives a result whose rank depends on an unknown length.',
                    'Give the shape in the TensorSpec.',
                )
            guess = found
        except _NoAnswer as no_answer:
            # The last layout has the true sizes where all are known: its error is NumPy's own.
            known = not any(isinstance(n, Length | Guess) for axes in layout for n in axes)
            errors = [no_answer.cause] if known else [*errors, no_answer.cause]
    if guess is not None:
        return guess
    # A dtype that does not fit is wrong for every length, and so is what most lengths are told.
    (told, _), *_ = Counter(map(str, errors)).most_common(1)
    often = next(error for error in errors if str(error) == told)
    first = next((error for error in errors if isinstance(error, TypeError)), often)
    of_rank = 'dimensional array given' in str(first)
    unknown = any(None in (t.shape or ()) for t in types)
    if isinstance(first, np.linalg.LinAlgError) and unknown and not of_rank:
        # Which lengths make a square matrix, no layout happened to guess.
        raise refuse(name, 'needs lengths that are known.', 'Give the shape in the TensorSpec.')
    raise first


class _Question:
    """One layout: the runs that answer it."""

    def __init__(
        self, name: str, run: Run, types: Sequence[TensorType], layout: Layout, scale: int
    ) -> None:
        self.name = name
        self.run = run
        self.types = types
        self.layout = layout
        lengths = {n for axes in layout for n in axes if isinstance(n, Length)}
        # Known sizes keep their order, for what takes the shorter of two axes.
        self.lengths = sorted(lengths, key=lambda length: (length.size or 0, length.index))
        self.scale = scale
        self.guessed = any(isinstance(n, Guess) for axes in layout for n in axes)
        self.base = {length: scale * (i + 1) for i, length in enumerate(self.lengths)}
        if len(lengths) > FEW:
            self.base = {length: SHORT + 1 + i for i, length in enumerate(self.lengths)}
        self.viewed: set[tuple[int, int]] = set()

    def answer(self) -> Answer:
        """Runs the function on stand-ins with different contents, then with different lengths."""
        runs, fill = self._runs()
        structure, _ = runs[0]
        found = self._types(runs)
        shapes = [
            [
                sizes[0] if len(set(sizes)) == 1 else None
                for sizes in zip(*(types[i].shape or () for _, types in runs), strict=True)
            ]
            for i in range(len(found))
        ]
        solved = self._solve(structure, shapes, fill)
        types = tuple(replace(t, shape=shape) for t, shape in zip(found, solved, strict=True))
        inputs = range(len(self.types))
        viewed = tuple(
            tuple(i for i in inputs if (i, output) in self.viewed) for output in range(len(types))
        )
        return Answer(structure, types, viewed)

    def _runs(self) -> tuple[list[_Run], Callable[..., Any]]:
        """The runs with different contents, and contents for which the function runs."""
        shapes = self._shapes(self.base)
        total = sum(math.prod(shape) for shape in shapes)
        if self.lengths and total > HUGE * 10:
            raise _NoAnswer(MemoryError(f'no stand-ins of {total} elements'))
        runs: dict[Callable[..., Any], _Run] = {}
        failed: list[Exception] = []
        for fill in (*contents_for(self.name, total if self.types else 0), *ORDERED):
            if fill in ORDERED and runs:
                break
            try:
                runs[fill] = self._ask(fill, shapes)
            except StagingError:
                raise
            except Exception as error:
                failed.append(error)
        if not runs:
            raise _NoAnswer(failed[0])
        return list(runs.values()), next(iter(runs))

    def _types(self, runs: Sequence[_Run]) -> Sequence[TensorType]:
        """The types of the results, on which the runs agree but for lengths.

        Raises:
          StagingError: they do not.
        """
        structure, first = runs[0]
        if any(other != structure for other, _ in runs):
            why = 'gives results whose number depends on the values.'
            fix = 'Give it numbers that are known, or take the parts one by one in a loop.'
            raise refuse(self.name, why, fix)
        every = [types for _, types in runs]
        found = of_values(self.name, self.types, every)
        if found is None and not all(all(map(_alike, first, types)) for types in every):
            why = 'gives a result whose type depends on the values.'
            raise refuse(self.name, why, 'Convert the argument first: `x.astype(complex)`.')
        return texts(self.name, self.types, found or first, every)

    def _solve(
        self,
        structure: Structure | None,
        shapes: list[list[int | None]],
        fill: Callable[..., Any],
    ) -> Sequence[Shape | None]:
        """The true shapes of the results, from those for the base lengths."""
        if self.guessed:
            return [(None,) * len(shape) for shape in shapes]
        loose = [
            (n, run)
            for n, tried in loosened(self.types, self.layout, self.base)
            if (run := self._try(fill, tried)) is not None
        ]
        if not self.lengths and not loose:
            return [tuple(shape) for shape in shapes]
        steps = [self._step(length, fill) for length in self.lengths]
        checks = [(each, self._try(fill, self._shapes(each))) for each in self._checks()]
        shortest = [(each, self._try(fill, self._shapes(each))) for each in self._shortest()]
        longer = [(n, run) for n, run in loose if n > 1]
        runs = [run for _, run in (*steps, *checks, *longer) if run is not None]
        if not self._are_ranked(runs, structure, shapes):
            return [None] * len(shapes)
        checks += [each for each in shortest if each[1] and _comparable(each[1], structure, shapes)]
        others = [run for _, run in loose if _comparable(run, structure, shapes)]
        result: list[Shape | None] = []
        for i, shape in enumerate(shapes):
            axes: list[int | None] = []
            for axis, size in enumerate(shape):
                seen = [run and _size(run, i, axis) for _, run in steps]
                found = [(lengths, _size(run, i, axis)) for lengths, run in checks if run]
                if any(_size(run, i, axis) != size for run in others):
                    size = None
                axes.append(self._length(size, [step for step, _ in steps], seen, found))
            result.append(tuple(axes))
        return result

    def _are_ranked(
        self, runs: Sequence[_Run], structure: Structure | None, shapes: list[list[int | None]]
    ) -> bool:
        """Whether results have the same ranks for all lengths; else they are arrays of any rank."""
        others = [run for run in runs if not _comparable(run, structure, shapes)]
        if not others:
            return True
        why = 'gives results whose number depends on an unknown length.'
        fix = 'Give the shape in the TensorSpec, or take the parts in a loop.'
        if not any(None in (type_.shape or ()) for type_ in self.types):
            raise _NoAnswer(refuse(self.name, why, fix))
        if any(run[0] != structure or any(t.kind != 'array' for t in run[1]) for run in others):
            raise refuse(self.name, why, fix)
        return False

    def _length(
        self,
        size: int | None,
        steps: list[int],
        seen: list[int | None],
        checks: list[tuple[dict[Length, int], int | None]],
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

    def _checks(self) -> list[dict[Length, int]]:
        """Other lengths, for which a rule must hold; unknown axes also shorter than known ones."""
        steps = enumerate(self.base.items())
        checks = [{length: n + 2 * i + 3 for i, (length, n) in steps}]
        unknown = [length for length in self.lengths if length.size is None]
        if unknown:
            checks.append({**self.base, **dict.fromkeys(unknown, 2)})
        return checks

    def _shortest(self) -> Iterator[dict[Length, int]]:
        """Unknown axes of one element and of none, for which results may be others altogether."""
        unknown = [length for length in self.lengths if length.size is None]
        for n in (1, 0) if unknown else ():
            yield {**self.base, **dict.fromkeys(unknown, n)}

    def _unsolved(self, size: int) -> None:
        """An axis that no sum of lengths explains: known sizes are asked for as they are."""
        if all(length.size is not None for length in self.lengths):
            raise _NoAnswer(
                refuse(self.name, f'gives an axis of {size} that no rule explains.')
            )

    def _step(
        self, length: Length, fill: Callable[..., Any]
    ) -> tuple[int, _Run | None]:
        for step in (1, self.scale):
            longer = {**self.base, length: self.base[length] + step}
            run = self._try(fill, self._shapes(longer))
            if run is not None:
                return step, run
        return 1, None

    def _try(
        self, fill: Callable[..., Any], shapes: Sequence[tuple[int, ...]]
    ) -> _Run | None:
        try:
            return self._ask(fill, shapes)
        except Exception:
            return None

    def _shapes(self, lengths: dict[Length, int]) -> list[tuple[int, ...]]:
        return [
            tuple(lengths[n] if isinstance(n, Length) else n for n in axes)
            for axes in self.layout
        ]

    def _ask(
        self, fill: Callable[..., Any], shapes: Sequence[tuple[int, ...]]
    ) -> _Run:
        """One run: the structure and the types of what it returns."""
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


def _size(run: _Run, output: int, axis: int) -> int | None:
    return (run[1][output].shape or ())[axis]


def _comparable(
    run: _Run,
    structure: Structure | None,
    shapes: list[list[int | None]],
) -> bool:
    """Whether a run gives as many results, of the same ranks."""
    ranks = [len(type_.shape or ()) for type_ in run[1]]
    return run[0] == structure and ranks == [len(shape) for shape in shapes]


def _alike(a: TensorType, b: TensorType) -> bool:
    same = a.dtype == b.dtype or (a.dtype.kind in 'US' and a.dtype.kind == b.dtype.kind)
    return same and a.kind == b.kind and len(a.shape or ()) == len(b.shape or ())
