"""Sample values of a type, on which a function is tried to learn what it returns."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.types import ObjectType, TensorType

# Texts of any length are stood for by texts of this one.
_WIDTH = 3
# Above so many elements, the contents are not varied any more.
HUGE = 1_000_000


def stand_in(
    type_: TensorType, shape: tuple[int, ...], fill: Callable[..., Any], index: int = 0
) -> Any:
    """An array, NumPy scalar, Python number or random generator of the type."""
    if isinstance(type_, ObjectType):
        return np.random.default_rng(0) if type_.of is np.random.Generator else type_.of(0)
    array = np.asarray(fill(shape, type_.dtype, index))
    if array.dtype.kind == type_.dtype.kind and not type_.dtype.isnative:
        array = array.astype(type_.dtype)
    if type_.kind == 'array':
        return array
    return array.item() if type_.kind == 'python' else array[()]


def _pattern(shape: tuple[int, ...], index: int) -> Any:
    """Numbers from 0 to 6, not all the same, different for every input."""
    return (np.arange(math.prod(shape)).reshape(shape) * 5 + 3 * index + 2) % 7


def _varied(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    """Different numbers, those of integers small: they may be lengths."""
    numbers = _pattern(shape, index)
    if dtype.kind in 'iu':
        numbers = numbers % 3
    if dtype.kind == 'b':
        numbers = numbers % 2
    return _cast(numbers, dtype)


def _signed(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    """Different numbers, some of them negative, no integers where they need not be."""
    numbers = _pattern(shape, index + 1) - 3
    if dtype.kind == 'c':
        return (numbers * 0.75 + 0.5j).astype(dtype)
    if dtype.kind == 'f':
        return (numbers * 0.75).astype(dtype)
    return _cast(np.abs(numbers) % 3 if dtype.kind == 'u' else numbers, dtype)


def _ones(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    return _cast(np.ones(shape, np.int64), dtype)


def zeros(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    """Zeros, which every dtype has."""
    return np.zeros(shape, dtype)


def _identity(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    """Identity matrices, which no decomposition refuses, in the other memory order."""
    if len(shape) < 2 or dtype.kind not in 'biufc':
        return _ones(shape, dtype, index)
    result = np.zeros(shape, dtype, order='F')
    result[...] = np.eye(shape[-2], shape[-1])
    return result


def _rising(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    return _cast(np.full(shape, 1 + index), dtype)


def _falling(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    return _cast(np.full(shape, max(9 - index, 0)), dtype)


# Numbers that are larger, or smaller, with each argument, for what takes bounds in order.
ORDERED = _rising, _falling


def _spread(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Any:
    """Ones without memory for each."""
    return np.broadcast_to(_ones((), dtype, index), shape)


def _cast(numbers: Any, dtype: np.dtype[Any]) -> Any:
    """Integers as another dtype; texts as long as the dtype allows."""
    if dtype.names is not None:
        return np.zeros(numbers.shape, dtype)
    if dtype.kind in 'US':
        width = dtype.itemsize // np.dtype((dtype.kind, 1)).itemsize or _WIDTH
        return np.strings.multiply(numbers.astype(dtype), width).astype(dtype)
    return np.asarray(numbers).astype(np.int64).astype(dtype)


# Vectors of length zero become NaN, of which LAPACK says on the terminal what it thinks.
_DIVIDES_BY_LENGTH = frozenset(('numpy.polyfit',))


def contents_for(name: str, elements: int) -> tuple[Callable[..., Any], ...]:
    """The contents to try for the stand-ins that a function is given, of so many elements."""
    if not elements:
        return (zeros,)
    if elements > HUGE:
        return zeros, _spread
    if name in _DIVIDES_BY_LENGTH:
        return _varied, _signed
    return _varied, _signed, _ones, zeros, _identity
