"""One function, every combination of values: of Python, of NumPy, and of both."""
from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from differential import check

from autograph_lite.errors import RetracingWarning

Form = Callable[[Any], Any]

# What a number or a truth value may come as; an array of no axes is one of them.
NUMBERS: tuple[Form, ...] = (int, np.int64, np.int32, np.array)
FLOATS: tuple[Form, ...] = (float, np.float64, np.float32, np.array)
TRUTHS: tuple[Form, ...] = (bool, np.bool_, np.array, np.int64)
# Numbers that `x -= 1` does not change in place.
COUNTERS: tuple[Form, ...] = (int, np.int64, np.int32)


def integers(values: Iterable[int]) -> Any:
    """An array of integers, also where there are none."""
    return np.array(list(values), np.int64)


def numbers_of(values: Iterable[int]) -> Any:
    """A list of NumPy numbers."""
    return [np.int64(value) for value in values]


# What a function may be given to iterate over.
ITERABLES: tuple[Form, ...] = (list, tuple, integers, numbers_of)
RANGES: tuple[Form, ...] = (range, np.arange, lambda n: list(range(n)))


def each(forms: Iterable[Form], values: Iterable[Any]) -> list[Any]:
    """Every value in every form."""
    return [form(value) for form, value in itertools.product(forms, list(values))]


def sweep(f: Callable[..., Any], *axes: Sequence[Any], joins: bool = False) -> None:
    """Checks every combination of arguments: same results, one trace for each signature."""
    calls = list({_exactly(call): call for call in itertools.product(*axes)}.values())
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', RetracingWarning)
        check(f, *calls, traces=len({_signature(call) for call in calls}), joins=joins)


def _exactly(call: tuple[Any, ...]) -> Any:
    """What two calls have in common that are the same: a call that raises is not remembered."""
    return repr(call), _signature(call)


def _signature(value: Any) -> Any:
    """What distinguishes traces: the types of what NumPy made, the values of all else."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype, value.shape, isinstance(value, np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value), *map(_signature, value)
    if isinstance(value, dict):
        return dict, *((key, _signature(item)) for key, item in value.items())
    return type(value), value
