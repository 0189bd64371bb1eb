"""Joins: the type of a variable where two ways meet (branches, turns of a loop, returns).

weak with weak, or equal types, stay; weak with a NumPy type takes NumPy's promotion of the two,
which goes on to take that NumPy type, so that the order in which ways meet does not matter;
axes of different length become unknown, and so does how long texts are; a text of Python's or of
NumPy's stays what it is on the way that was taken. Everything else is an error.
"""
from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import dispatch
from .types import (
    DictType,
    ErrorType,
    ListType,
    LiveType,
    NothingType,
    ObjectType,
    Shape,
    TensorType,
    VaryingType,
    array_type,
    python_text,
    scalar_type,
)


class JoinError(Exception):
    """Two types that do not join; the message says why in a few words."""


def join(a: TensorType, b: TensorType) -> TensorType:
    """The type that values of both types fit.

    Raises:
      JoinError: two NumPy dtypes that differ, or ranks that differ.
    """
    if a == b:
        return a if b.met else b
    if isinstance(a, NothingType):
        return replace(b, maybe=True)
    if isinstance(b, NothingType):
        return replace(a, maybe=True)
    if a.maybe or b.maybe:
        return replace(join(a.present, b.present), maybe=True)
    if isinstance(a, ListType) or isinstance(b, ListType):
        return _join_lists(a, b)
    if python_text(a) is not None and python_text(a) == python_text(b):
        return a if isinstance(a, ObjectType) else b
    if isinstance(a, ErrorType) and isinstance(b, ErrorType):
        return ErrorType(kinds=a.kinds | b.kinds if a.kinds and b.kinds else frozenset())
    if isinstance(a, LiveType) and isinstance(b, LiveType):
        dispatch.FALLBACKS['one form'](a, b)
    if isinstance(a, ObjectType) or isinstance(b, ObjectType):
        raise JoinError(f'{a} against {b}')
    if isinstance(a, VaryingType):
        return _join_varying(a, b)
    if isinstance(b, VaryingType):
        return _join_varying(b, a)
    if a.weak and b.weak:
        wider, other = (a, b) if np.promote_types(a.dtype, b.dtype) == a.dtype else (b, a)
        return wider if other.dtype == wider.dtype else replace(wider, met=other.dtype)
    shape = join_shapes(a.shape, b.shape)
    dtype = _join_dtypes(a, b)
    if 'array' in (a.kind, b.kind):
        return array_type(dtype, shape)
    return replace(scalar_type(dtype), met=_met(a, b, dtype))


def _met(a: TensorType, b: TensorType, dtype: np.dtype[np.generic]) -> np.dtype[Any] | None:
    """The dtype of the NumPy number, of two that join in another dtype."""
    if a.weak == b.weak:
        return a.met or b.met
    strong = b if a.weak else a
    return strong.met or (strong.dtype if strong.dtype != dtype else None)


def _join_lists(a: TensorType, b: TensorType) -> TensorType:
    if not (isinstance(a, ListType) and type(a) is type(b)):
        raise JoinError('a list against what is none')
    assert isinstance(b, ListType)
    if a.element is None or b.element is None:
        return a if b.element is None else b
    element = join(a.element, b.element)
    if isinstance(a, DictType) and isinstance(b, DictType):
        return DictType(element=element, keys=_join_keys(a.keys or (), b.keys or ()))
    return ListType(element=element)


def _join_keys(a: Sequence[TensorType], b: Sequence[TensorType]) -> tuple[TensorType, ...]:
    return tuple(join(one, other) for one, other in zip(a, b, strict=True))


def _join_varying(a: VaryingType, b: TensorType) -> TensorType:
    """A dtype that depends on values takes in those that it may be."""
    if isinstance(b, VaryingType):
        is_within = a.dtypes == b.dtypes
    else:
        is_within = b.dtype in a.dtypes and not b.weak
    if not is_within or a.kind != b.kind:
        raise JoinError(f'{a} against {b}')
    return replace(a, shape=join_shapes(a.shape, b.shape))


def _join_dtypes(a: TensorType, b: TensorType) -> np.dtype[np.generic]:
    if a.dtype == b.dtype and not (a.weak or b.weak):
        return a.dtype
    if a.weak:
        return _promote(b, a)
    if b.weak:
        return _promote(a, b)
    for one, other in ((a, b), (b, a)):
        if one.met is not None and one.met == other.dtype:
            return one.dtype
    if a.dtype.kind == b.dtype.kind and a.dtype.kind in 'US':
        return np.dtype(a.dtype.kind)  # as long as they are on the way that was taken
    raise JoinError(f'{a.dtype} against {b.dtype}')


def _promote(strong: TensorType, weak: TensorType) -> np.dtype[np.generic]:
    """NumPy's own promotion of an array with a Python number, which must stay one.

    Raises:
      JoinError: it would be written as a text.
    """
    if strong.dtype.kind not in 'biufcm':
        raise JoinError(f'{strong} against {weak}')
    return np.result_type(strong.dtype, weak.python_type(1))


def join_all(types: Iterable[TensorType]) -> TensorType | None:
    """The type that values of all these types fit, of which there is one at least; None for none.
    """
    try:
        return functools.reduce(join, types)
    except JoinError:
        return None


def join_shapes(a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape that both fit: axes of different length become unknown.

    Raises:
      JoinError: the ranks differ.
    """
    if a is None or b is None:
        return None
    if len(a) != len(b):
        raise JoinError(f'{len(a)} axes against {len(b)}')
    return tuple(m if m == n else None for m, n in zip(a, b, strict=True))
