"""Every ufunc, in every form of call, on integers, floats, complex numbers and booleans."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from sweep import check_all

UFUNCS = {
    name: ufunc
    for name in dir(np)
    if isinstance(ufunc := getattr(np, name), np.ufunc) and ufunc.__name__ == name
}
FLOATS = np.array([[0.5, -2.0, 3.0], [1.0, 0.0, 4.0]])
ARRAYS = (np.array([[5, 2, 3], [1, 0, 4]]), FLOATS, FLOATS + 1j, FLOATS > 0)
MASK = FLOATS > 0.7

Program = tuple[str, Callable[..., Any], tuple[Any, ...]]


def programs(ufunc: np.ufunc, x: Any) -> Iterator[Program]:
    """The calls of a ufunc on one array."""

    def call(x: Any, **options: Any) -> Any:
        return ufunc(*[x] * ufunc.nin, **options)

    yield 'call', lambda x: call(x), (x,)
    if not takes(ufunc, x):
        return
    with np.errstate(all='ignore'):
        results = call(x) if ufunc.nout > 1 else (call(x),)
    dtypes = [result.dtype for result in results]

    def into(*shape: int, **options: Any) -> Callable[..., Any]:
        def run(x: Any, *mask: Any) -> Any:
            outs = tuple(np.ones((*shape, *x.shape), dtype) for dtype in dtypes)
            given = {'where': mask[0]} if mask else options
            return call(x, out=outs if ufunc.nout > 1 else outs[0], **given), outs

        return run

    def into_positional(x: Any) -> Any:
        outs = [np.zeros(x.shape, dtype) for dtype in dtypes]
        return ufunc(*[x] * ufunc.nin, *outs), outs

    yield 'out', into(), (x,)
    yield 'out, by position', into_positional, (x,)
    yield 'out, larger', into(2), (x,)
    yield 'out, where', into(), (x, MASK)
    yield 'out, where a list', into(where=[True, False, True]), (x,)
    nones = [None] * (ufunc.nout - 1)
    yield 'a tuple for out', lambda x: call(x, out=(np.ones_like(x), *nones)), (x,)
    yield 'scalars', lambda x: call(x[0, 0]), (x,)
    for dtype in ('f4', 'i8', '?'):
        yield f'dtype {dtype}', lambda x, dtype=dtype: call(x, dtype=dtype), (x,)
        yield (
            f'dtype {dtype}, unsafe',
            lambda x, dtype=dtype: call(x, dtype=dtype, casting='unsafe'),
            (x,),
        )
    yield 'no casting', lambda x: call(x, casting='no'), (x,)


def methods(ufunc: np.ufunc, x: Any) -> Iterator[Program]:
    """The calls of the methods of a ufunc of two operands."""
    for options in (
        {}, {'axis': 1}, {'axis': -1, 'keepdims': True}, {'axis': None}, {'axis': (0, 1)},
        {'initial': 2}, {'dtype': 'f8'}, {'where': [[True, False, True]], 'initial': 1},
    ):  # fmt: skip
        yield f'reduce {options}', lambda x, options=options: ufunc.reduce(x, **options), (x,)
    yield 'reduce, where', lambda x, m: ufunc.reduce(x, where=m, initial=1), (x, MASK)
    yield 'accumulate', lambda x: (ufunc.accumulate(x), ufunc.accumulate(x, axis=1)), (x,)
    yield 'outer', lambda x, y: ufunc.outer(x, y), (x, x[0])
    yield 'outer of a scalar', lambda x, y: ufunc.outer(x, y), (x, x[0, 0])
    yield 'reduceat', lambda x: ufunc.reduceat(x, [0, 2, 1], axis=1), (x,)
    yield 'reduceat of an array', lambda x, i: ufunc.reduceat(x, i, 1), (x, np.array([0, 2]))

    def into(method: str, shape: Callable[[Any], Any]) -> Callable[..., Any]:
        def run(x: Any) -> Any:
            out = np.zeros(shape(x), x.dtype)
            return getattr(ufunc, method)(x, out=out), out

        return run

    yield 'reduce, out', into('reduce', lambda x: x.shape[1:]), (x,)
    yield 'accumulate, out', into('accumulate', lambda x: x.shape), (x,)


def at(ufunc: np.ufunc, x: Any) -> Iterator[Program]:
    """The calls of `at`."""

    def run(x: Any, *index: Any) -> Any:
        y = x.copy()
        ufunc.at(y, *index, *[y[0]] * (ufunc.nin - 1))
        return y

    yield 'at', lambda x: run(x, [1, 1, 0]), (x,)
    yield 'at, an array', run, (x, np.array([1, 1, 0]))


def takes(ufunc: np.ufunc, x: Any) -> bool:
    """Whether the ufunc has a loop for so many arrays of this dtype."""
    try:
        ufunc.resolve_dtypes((*[x.dtype] * ufunc.nin, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


@pytest.mark.parametrize('name', [name for name, ufunc in UFUNCS.items() if not ufunc.signature])
def test_calls(name: str) -> None:
    ufunc = UFUNCS[name]
    for x in ARRAYS:
        check_all(programs(ufunc, x))
        if takes(ufunc, x) and ufunc.nin < 3:
            check_all(at(ufunc, x), unknown=False)


@pytest.mark.parametrize(
    'name', [name for name, ufunc in UFUNCS.items() if (ufunc.nin, ufunc.nout) == (2, 1)]
)
def test_methods(name: str) -> None:
    ufunc = UFUNCS[name]
    for x in ARRAYS[:2]:
        if takes(ufunc, x) and not ufunc.signature:
            check_all(methods(ufunc, x), unknown=ufunc in (np.add, np.maximum, np.logical_and))


M = np.array([[2.0, 1.0], [1.0, 3.0]])
GENERALIZED: dict[str, Callable[..., Any]] = {
    'matmul': lambda x, y: (np.matmul(x, y), x @ y[0], np.matmul(x, y, dtype=np.complex64)),
    'matmul, out': lambda x, y: into_zeros(np.matmul, x, y),
    'matmul, axes': lambda x, y: np.matmul(x, y, axes=[(1, 0), (0, 1), (0, 1)]),
    'vecdot': lambda x, y: (np.vecdot(x, y), np.vecdot(x, y, axis=0), np.vecdot(x[0], y[0])),
    'vecdot, keepdims': lambda x, y: np.vecdot(x, y, keepdims=True),
    'matvec': lambda x, y: np.matvec(x, y[0]),
    'vecmat': lambda x, y: np.vecmat(x[0], y),
    'vecdot, out': lambda x, y: np.vecdot(x, y, out=np.zeros(2)),
    'do not fit': lambda x, y: np.matmul(x, y[:1].T),
    'linalg': lambda x, y: (np.linalg.inv(x), np.linalg.det(x), np.linalg.solve(x, y)),
    'stacks': lambda x, y: (np.linalg.inv(np.stack([x, x])), np.linalg.det(np.stack([x, x]))),
    'eigenvalues': lambda x, y: (np.linalg.eigvalsh(x), np.linalg.eigh(x + x.T)),
    'decompositions': lambda x, y: (np.linalg.cholesky(x), np.linalg.svd(x), np.linalg.qr(x)),
}


def into_zeros(ufunc: Any, x: Any, y: Any) -> Any:
    """What is written to an array, and the array."""
    out = np.zeros_like(x)
    return ufunc(x, y, out=out), out


@pytest.mark.parametrize('name', GENERALIZED)
def test_generalized_ufuncs(name: str) -> None:
    needed = name.partition(',')[0]
    if needed in ('vecdot', 'matvec', 'vecmat') and needed not in UFUNCS:
        pytest.skip(f'this NumPy has no np.{needed}')
    check_all([(name, GENERALIZED[name], (M, M + 0.5))])


def test_methods_of_arrays_are_the_functions() -> None:
    names = ('sum', 'prod', 'max', 'min', 'all', 'any', 'cumsum', 'cumprod', 'mean', 'std', 'var',
             'argmax', 'argmin', 'argsort', 'round', 'clip', 'ravel', 'squeeze', 'nonzero',
             'diagonal', 'trace', 'conj', 'transpose', 'copy')  # fmt: skip
    for name in names:
        more = (0, 2) if name == 'clip' else ()
        check_all([
            (name, lambda x, name=name, more=more: getattr(x, name)(*more), (FLOATS,)),
            (name, lambda x, name=name, more=more: getattr(np, name)(x, *more), (FLOATS,)),
        ], unknown=name != 'squeeze')  # fmt: skip
