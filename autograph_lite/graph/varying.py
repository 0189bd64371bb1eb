"""Arrays whose dtype depends on values: `np.linalg.eigvals(x)` is real, or complex if it must be.

While tracing, the dtype is one of several, and what is done with such a value is asked for each.
Where the answers are the same, as for `abs(w)` and `w.astype(complex)`, the dtype is known again.
"""
from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..errors import StagingError, describe, user_location
from .joins import JoinError, join_shapes
from .types import Shape, TensorType, VaryingType, is_of_any_length, of_any_length

Answer = TypeVar('Answer')

_FIX = 'Convert it first: `x.astype(complex)`, or `x.real`.'


def for_each(
    types: Sequence[TensorType], ask: Callable[[list[TensorType]], Answer]
) -> list[Answer]:
    """What `ask` says of these types; of each combination, where a dtype is one of several.

    Raises:
      StagingError: it raises for some and not for others.
    """
    answers: list[Answer] = []
    errors: list[Exception] = []
    varying = [type_ for type_ in types if isinstance(type_, VaryingType)]
    if not varying:
        return [ask(list(types))]
    for combination in _combinations(types):
        try:
            answers.append(ask(combination))
        except Exception as error:
            errors.append(error)
    if errors and answers:
        what = f'This cannot be done for every dtype that may come: {varying[0].shown}.'
        raise StagingError(describe(f'{what} {errors[0]}', user_location(), _FIX))
    if errors:
        raise errors[0]
    return answers


def _combinations(types: Sequence[TensorType]) -> Iterator[list[TensorType]]:
    """The types for each choice of dtypes; those that may be the same ones vary together."""
    sets = dict.fromkeys(type_.dtypes for type_ in types if isinstance(type_, VaryingType))
    for chosen in itertools.product(*sets):
        dtypes = dict(zip(sets, chosen, strict=True))
        yield [
            type_.of(dtypes[type_.dtypes]) if isinstance(type_, VaryingType) else type_
            for type_ in types
        ]


def merged(answers: Sequence[Sequence[TensorType]]) -> tuple[TensorType, ...] | None:
    """The types that results have of which each answer tells one; None if there are none."""
    if any(len(types) != len(answers[0]) for types in answers):
        return None
    found = [_merged(types) for types in zip(*answers, strict=True)]
    return tuple(type_ for type_ in found if type_ is not None) if None not in found else None


def _merged(types: Sequence[TensorType]) -> TensorType | None:
    first = types[0]
    if all(type_ == first for type_ in types):
        return first
    dtypes = dict.fromkeys(dtype for type_ in types for dtype in dtypes_of(type_))
    same_carrier = {(type_.kind, type_.maybe) for type_ in types} == {(first.kind, first.maybe)}
    if first.weak or not same_carrier or any(dtype.kind not in 'biufc' for dtype in dtypes):
        return None
    try:
        shape = functools.reduce(join_shapes, (type_.shape for type_ in types))
    except JoinError:
        return None
    return varying(first, dtypes, shape)


def dtypes_of(type_: TensorType) -> tuple[np.dtype[Any], ...]:
    """The dtypes that a value of the type may have."""
    return type_.dtypes if isinstance(type_, VaryingType) else (type_.dtype,)


def varying(
    like: TensorType, dtypes: Iterable[np.dtype[Any]], shape: Shape | None
) -> TensorType:
    """A type like this one, whose dtype is one of these."""
    ordered = tuple(sorted(dtypes, key=lambda dtype: ('biufc'.index(dtype.kind), dtype.itemsize)))
    if len(ordered) == 1:
        return replace(like, dtype=ordered[0], shape=shape)
    return VaryingType(shape=shape, kind=like.kind, maybe=like.maybe, dtypes=ordered)


def infer(
    name: str, types: Sequence[TensorType], ask: Callable[..., Any], keeps_length: bool
) -> tuple[TensorType, ...]:
    """The types of an operation's results; `keeps_length` if texts stay as long as they are.

    Raises:
      StagingError: they depend on a dtype that is not known.
    """

    def results(given: list[TensorType]) -> tuple[TensorType, ...]:
        found = ask(given)
        return found if isinstance(found, tuple) else (found,)

    answers = for_each(types, results)
    found = answers[0] if len(answers) == 1 else merged(answers)
    if found is None:
        raise unknown(name)
    if keeps_length:
        return found
    any_length = any(map(is_of_any_length, types))
    # A text that is no array is as long as it is, whatever it was taken from.
    return tuple(of_any_length(t) if any_length or t.kind == 'scalar' else t for t in found)


def unknown(name: str) -> StagingError:
    """The error of something whose type depends on a dtype that depends on values."""
    what = f'What `{name}` gives depends on a dtype that depends on values.'
    return StagingError(describe(what, user_location(), _FIX))
