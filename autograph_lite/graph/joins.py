"""Joins: the type of a variable where two ways meet (branches, turns of a loop, returns).

weak with weak, or equal types, stay; weak with a NumPy type takes NumPy's promotion of the two;
axes of different length become unknown, and so does how long texts are. Everything else is an
error.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from .types import (
    ListType,
    ObjectType,
    Shape,
    TensorType,
    VaryingType,
    array_type,
    of_any_length,
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
        return a
    if a.maybe or b.maybe:
        return replace(join(a.present, b.present), maybe=True)
    if isinstance(a, ListType) or isinstance(b, ListType):
        return _join_lists(a, b)
    if isinstance(a, ObjectType) or isinstance(b, ObjectType):
        raise JoinError(f'{a} against {b}')
    if isinstance(a, VaryingType):
        return _join_varying(a, b)
    if isinstance(b, VaryingType):
        return _join_varying(b, a)
    if a.weak and b.weak:
        return a if np.promote_types(a.dtype, b.dtype) == a.dtype else b
    shape = join_shapes(a.shape, b.shape)
    dtype = _join_dtypes(a, b)
    if 'array' in (a.kind, b.kind):
        return array_type(dtype, shape)
    return scalar_type(dtype)


def _join_lists(a: TensorType, b: TensorType) -> TensorType:
    if not (isinstance(a, ListType) and isinstance(b, ListType)):
        raise JoinError('a list against what is none')
    if a.element is None or b.element is None:
        return a if b.element is None else b
    return ListType(element=join(a.element, b.element))


def _join_varying(a: VaryingType, b: TensorType) -> TensorType:
    """A dtype that depends on values takes in those that it may be."""
    within = b.dtypes == a.dtypes if isinstance(b, VaryingType) else b.dtype in a.dtypes
    if not within or b.weak or a.kind != b.kind:
        raise JoinError(f'{a} against {b}')
    return replace(a, shape=join_shapes(a.shape, b.shape))


def _join_dtypes(a: TensorType, b: TensorType) -> np.dtype[np.generic]:
    if a.dtype == b.dtype and not (a.weak or b.weak):
        return a.dtype
    if a.weak:
        return _promote(b, a)
    if b.weak:
        return _promote(a, b)
    if a.dtype.kind == b.dtype.kind and a.dtype.kind in 'US':
        return of_any_length(a).dtype
    raise JoinError(f'{a.dtype} against {b.dtype}')


def _promote(strong: TensorType, weak: TensorType) -> np.dtype[np.generic]:
    """NumPy's own promotion of an array with a Python number.

    Raises:
      JoinError: the number would become a text.
    """
    if strong.dtype.kind not in 'biufcm':
        raise JoinError(f'{strong} against {weak}')
    return np.result_type(strong.dtype, weak.python_type(1))


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
