"""Which functions of NumPy trace: a walk over its public names, each called with sample arguments.

`python tests/ops/numpy_coverage.py` writes `docs/numpy-coverage.md`.
"""
from __future__ import annotations

import copy
import operator
import pathlib
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

TESTS = pathlib.Path(__file__).parents[1]
if __name__ == '__main__':
    sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from ops.evaluate import check  # noqa: E402  where it is found is said above

import autograph_lite as ag  # noqa: E402

PAGE = TESTS.parent / 'docs' / 'numpy-coverage.md'

X = np.array([[1.0, -2, 3], [0.5, 5, 4]])
V = np.array([3.0, 1, 2])
W = np.array([1.0, 2, 2])
M = np.array([[2.0, 1], [1, 3]])
I = np.array([2, 0, 1, 2])  # noqa: E741  an array of integers
B = np.array([True, False, True])
C = np.array([1 + 2j, 3 - 1j])
D = np.array(['2020-01-01', '2021-03-05'], 'M8[D]')
T = np.array(['ab', 'Cd e', ' 12 '])
SAMPLES: list[tuple[Any, ...]] = [
    (X,), (V,), (M,), (I,), (B,), (C,), (np.float32(2.5),), (np.array(2.0),), (3,),
    (X, X), (V, W), (M, M), (I, I), (B, B), (X, 2), (X, 0), (V, 1), (X, (0, 1)), (X, (3, 2)),
    ([V, W],), (B, V), (X > 1, X), (X > 1, X, -X), (B, V, W), (X, 0, 1), (V, 0, 1), (X, V),
    ((2, 3),), ((2, 3), 1.5), (3, 4), (0, 10, 4), (X, [0, 2], 1), ([1, 2, 3],),
    ([B, ~B], [V, W]), (X, I[:2], 0), (X, 'f4'),
]  # fmt: skip
TEXTS: list[tuple[Any, ...]] = [
    (T,), (T, T), (T, 'a'), (T, 'a', 'b'), (T, 8), (T, 2), (T, 8, '*'), (T.astype('S4'),),
    (np.array(['1', '23']),), ('-', T), ('%s!', T),
]  # fmt: skip
METHODS: list[tuple[Any, ...]] = [
    (X,), (V,), (I,), (B,), (C,), (M, M), (X, 0), (V, 1), (X, (3, 2)), (X, 0, 1), (X, I[:2], 0),
    (X, 'f4'), (I, [V, W, V]), (V, W), (V, B), (X, [1], [7.0]),
]  # fmt: skip
# Where no general sample fits.
OWN: dict[str, list[tuple[Any, ...]]] = {
    'numpy.apply_along_axis': [(np.sum, 0, X)],
    'numpy.apply_over_axes': [(np.sum, X, [0, 1])],
    'numpy.busday_count': [(D, D[::-1])],
    'numpy.busday_offset': [(D, 2, 'forward')],
    'numpy.is_busday': [(D,)],
    'numpy.datetime_as_string': [(D,)],
    'numpy.dsplit': [(X.reshape(1, 2, 3), 3)],
    'numpy.fromfunction': [(operator.add, (2, 3))],
    'numpy.fromiter': [([1.0, 2.0], float)],
    # With columns of unknown number it would be asked for histograms of many dimensions.
    'numpy.histogramdd': [([V, W], 2)],
    'numpy.linalg.matrix_power': [(M, 3), (M, -1)],
    'numpy.linalg.tensorinv': [(np.eye(4).reshape(2, 2, 2, 2), 2)],
    'numpy.place': [(X.copy(), X > 1, [7.0])],
    'numpy.polyfit': [(V, W, 1)],
    'numpy.put_along_axis': [(X.copy(), np.array([[0], [1]]), 7.0, 1)],
    'numpy.putmask': [(X.copy(), X > 1, 7.0)],
    'numpy.ravel_multi_index': [((I, I), (3, 4))],
    'numpy.unpackbits': [(np.array([1, 7], np.uint8),)],
    'numpy.piecewise': [(X, [X > 1], [1.0, 2.0])],
    'numpy.datetime64': [('2020-01-01',)],
    'numpy.promote_types': [('f4', 'i8')],
    'numpy.fromstring': [('1 2', float, -1, ' ')],
}
# What sets, shows or reads the state of NumPy itself, or gives what was in memory.
NOT_ON_VALUES = {
    'bmat', 'empty', 'empty_like', 'from_dlpack', 'get_include', 'info', 'memmap',
    'printoptions', 'set_printoptions', 'setbufsize', 'seterr', 'seterrcall', 'show_config',
    'show_runtime', 'test', 'fromfile', 'genfromtxt', 'load', 'loadtxt', 'save', 'savetxt',
    'savez', 'savez_compressed', 'fromregex', 'get_printoptions', 'getbufsize', 'geterr',
    'geterrcall', 'typename', 'isdtype', 'datetime_data', 'frompyfunc', 'char.array',
    'char.asarray', 'char.chararray', 'char.compare_chararrays', 'record', 'asmatrix',
    'flexible', 'character', 'generic', 'number', 'integer', 'inexact', 'floating',
    'ndarray.dump', 'ndarray.tofile', 'complexfloating', 'signedinteger', 'unsignedinteger',
    'nested_iters', 'mintypecode',
}  # fmt: skip
# Functions that modify their first argument.
_UPDATES = {
    'copyto', 'fill', 'fill_diagonal', 'partition', 'place', 'put', 'put_along_axis', 'putmask',
    'setfield', 'sort',
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A function: whether it traces, and why not where it does not."""

    name: str
    verdict: str
    why: str
    failures: tuple[str, ...]


def functions() -> Iterator[tuple[str, Callable[..., Any], list[tuple[Any, ...]]]]:
    """The public functions, and what to call them with."""
    modules = ((np, SAMPLES), (np.linalg, SAMPLES), (np.fft, SAMPLES), (np.emath, SAMPLES),
               (np.strings, TEXTS), (np.char, TEXTS))
    for module, samples in modules:
        home = 'numpy.emath' if module is np.emath else module.__name__
        for name in sorted(getattr(module, '__all__', dir(module))):
            local = f'{home}.{name}'.removeprefix('numpy.')
            if name.startswith('_') or not {name, local}.isdisjoint(NOT_ON_VALUES):
                continue
            function = getattr(module, name)
            plain = isinstance(function, type) and not issubclass(function, np.generic)
            if callable(function) and not plain:
                yield f'{home}.{name}', function, OWN.get(f'{home}.{name}', samples)
    for name in dir(np.ndarray):
        if not name.startswith('_') and f'ndarray.{name}' not in NOT_ON_VALUES:
            yield f'ndarray.{name}', _method(name), METHODS


def _method(name: str) -> Callable[..., Any]:
    if not callable(getattr(np.ndarray, name)):
        return operator.attrgetter(name)
    return lambda x, *args: getattr(x, name)(*args)


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


def outcome(
    name: str, function: Callable[..., Any], sample: tuple[Any, ...], symbolic: bool
) -> tuple[str, str]:
    """'same', 'refused' or 'fails', and why."""
    updates = name.rpartition('.')[2] in _UPDATES

    def run(*inputs: Any) -> Any:
        args = replaced(sample, iter(inputs))
        if not updates:
            return ag.call(function, *args)
        changed = args[0].copy()
        return ag.call(function, changed, *args[1:]), changed

    try:
        check(run, *tensors(sample), symbolic=symbolic)
    except ag.errors.AutographError as error:
        return 'refused', str(error).splitlines()[0]
    except Exception as error:
        return 'fails', f'{sample}: {type(error).__name__}: {error}'
    return 'same', ''


def row(name: str, function: Callable[..., Any], samples: list[tuple[Any, ...]]) -> Row | None:
    """What becomes of one function; None where NumPy takes none of the samples."""
    known, unknown, failures = [], [], []
    for sample in samples:
        # Vectors of unknown length are taken to be of 3; those of 2 are gone from NumPy 2.5.
        if not accepted(function, sample) or (function is np.cross and len(sample) > 2):
            continue
        for symbolic, found in ((False, known), (True, unknown)):
            kind, why = outcome(name, function, sample, symbolic)
            found.append((kind, why))
            if kind == 'fails':
                failures.append(why)
    if not known:
        return None
    refused = [why for kind, why in known if kind == 'refused']
    later = [why for kind, why in unknown if kind == 'refused']
    verdict = 'refused' if len(refused) == len(known) else 'partly' if refused else 'traces'
    why = refused[0] if refused else f'unknown lengths: {later[0]}' if later else ''
    return Row(name, verdict, _plain(why), tuple(failures))


def _plain(why: str) -> str:
    return re.sub(r'Tensor\(".*?, dtype=[^)]+\)', 'A tensor', why).replace('|', r'\|')


def rows() -> list[Row]:
    """Every public function that a sample fits."""
    return [found for each in functions() if (found := row(*each)) is not None]


def page(found: list[Row]) -> str:
    """The page of what traces and what does not."""
    counts = {
        verdict: sum(each.verdict == verdict for each in found)
        for verdict in ('traces', 'partly', 'refused')
    }
    head = f"""# NumPy in a graph

Every public function of NumPy {np.__version__} and every method of an array that has a meaning on
values, called eagerly and as a graph with the same arguments: value, dtype, shape and type are the
same, or the call is refused while tracing, in one sentence. {counts['traces']} trace,
{counts['partly']} trace for some arguments only, {counts['refused']} are refused. Made by
`python tests/ops/numpy_coverage.py`; the tests compare.

What is called stays as it is written. While tracing, every call of NumPy sees its arguments first,
so that lists of tensors (`np.sum([a, b])`, `np.maximum.reduce([a, b])`) are the arrays that NumPy
would make of them, and draws from a random generator are made when the graph runs, in order.

| function | | why not, and where |
|---|---|---|
"""
    lines = (f'| `{each.name}` | {each.verdict} | {each.why} |' for each in found)
    return head + '\n'.join(lines) + '\n'


if __name__ == '__main__':
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(rows()))
