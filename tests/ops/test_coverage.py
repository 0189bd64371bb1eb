"""A walk over NumPy's public names: each function traces and gives NumPy's result, or refuses.

Every function is called with every set of sample arguments that NumPy itself accepts, with shapes
known and unknown. Run with `-s` to see the counts.
"""
from __future__ import annotations

import collections
import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from ops.evaluate import check

from autograph_lite.errors import AutographError
from autograph_lite.operators.namespaces import np as ag_np

X = np.array([[1.0, -2, 3], [0.5, 5, 4]])
V = np.array([3.0, 1, 2])
W = np.array([1.0, 2, 2])
M = np.array([[2.0, 1], [1, 3]])
I = np.array([2, 0, 1, 2])  # noqa: E741  an array of integers
B = np.array([True, False, True])
C = np.array([1 + 2j, 3 - 1j])
SAMPLES: list[tuple[Any, ...]] = [
    (X,), (V,), (M,), (I,), (B,), (C,), (np.float32(2.5),), (np.array(2.0),), (3,),
    (X, X), (V, W), (M, M), (I, I), (B, B), (X, 2), (X, 0), (V, 1), (X, (0, 1)), (X, (3, 2)),
    ([V, W],), (B, V), (X > 1, X), (X > 1, X, -X), (B, V, W), (X, 0, 1), (V, 0, 1), (X, V),
    ((2, 3),), ((2, 3), 1.5), (3, 4), (0, 10, 4), (X, [0, 2], 1), ([1, 2, 3],),
    ([B, ~B], [V, W]), (X, I[:2], 0), (X, 'f4'),
]  # fmt: skip

# What sets, shows or reads the state of NumPy itself, or gives what was in memory.
NOT_ON_VALUES = {
    'bmat', 'empty', 'empty_like', 'from_dlpack', 'get_include', 'info', 'memmap', 'printoptions',
    'set_printoptions', 'setbufsize', 'seterr', 'seterrcall', 'show_config', 'show_runtime', 'test',
    'fromfile', 'genfromtxt', 'load', 'loadtxt', 'save', 'savetxt', 'savez', 'savez_compressed',
}  # fmt: skip


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions, and the ones that the converter calls instead."""
    for module, staged in ((np, ag_np), (np.linalg, np.linalg), (np.fft, np.fft)):
        for name in sorted(dir(module)):
            function = getattr(module, name)
            plain = isinstance(function, type) and not issubclass(function, np.generic)
            if callable(function) and not (name.startswith('_') or plain or name in NOT_ON_VALUES):
                yield f'{module.__name__}.{name}', getattr(staged, name)


def tensors(part: Any) -> list[Any]:
    """The arrays and NumPy scalars among the arguments."""
    if isinstance(part, tuple | list):
        return [tensor for item in part for tensor in tensors(item)]
    return [part] if isinstance(part, np.ndarray | np.generic) else []


def replaced(part: Any, inputs: Iterator[Any]) -> Any:
    """The arguments with others for the arrays and NumPy scalars."""
    if isinstance(part, tuple | list):
        return type(part)(replaced(item, inputs) for item in part)
    return next(inputs) if isinstance(part, np.ndarray | np.generic) else part


def accepted(function: Callable[..., Any], sample: tuple[Any, ...]) -> bool:
    """Whether NumPy itself takes the arguments."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        try:
            function(*copy.deepcopy(sample))
        except Exception:
            return False
    return True


def outcomes(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """'same', 'refused' or 'fails' for every sample, and why."""
    for sample in SAMPLES:
        if not accepted(function, sample) or (function is np.cross and len(sample) > 2):
            # Vectors of unknown length are taken to be of 3; those of 2 are gone from NumPy 2.5.
            continue

        def run(*inputs: Any, sample: tuple[Any, ...] = sample) -> Any:
            return function(*replaced(sample, iter(inputs)))

        for symbolic in (False, True):
            try:
                check(run, *tensors(sample), symbolic=symbolic)
            except AutographError as error:
                yield 'refused', str(error).splitlines()[0]
            except Exception as error:
                # NumPy's own words for an argument that it cannot iterate over.
                kind = 'refused' if 'did not return an iterable' in str(error) else 'fails'
                yield kind, f'{sample}: {type(error).__name__}: {error}'
            else:
                yield 'same', ''


def test_every_public_function_traces_or_refuses() -> None:
    counts: collections.Counter[str] = collections.Counter()
    failures = []
    for name, function in functions():
        found = list(outcomes(function))
        kinds = {kind for kind, _ in found}
        failures += [f'{name}{why}' for kind, why in found if kind == 'fails']
        best = next((kind for kind in ('fails', 'same', 'refused') if kind in kinds), 'no sample')
        counts[best] += 1
    print(dict(counts))
    assert failures == []
    assert counts['same'] > 400
