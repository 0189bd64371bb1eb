"""Functions that NumPy writes in Python, as what they do."""
from __future__ import annotations

import textwrap
import warnings

import numpy as np
import pytest
from backends.traced import traced
from differential import same

from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.text import text
from autograph_lite.graph.types import array_type, type_of
from autograph_lite.graph.verify import verify
from autograph_lite.optimize import optimize
from autograph_lite.optimize.spelled_out import spelled_out

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 6))
ARRAYS = [X, X.T, X.astype(np.float32), X[::2, ::-1], X * 1e200, X * np.inf, X[:1]]
CALLS = [
    lambda x: np.linalg.norm(x),
    lambda x: np.linalg.norm(x[0]),
    lambda x: np.linalg.norm(x, axis=0),
    lambda x: np.linalg.norm(x, axis=-1, keepdims=True),
    lambda x: np.var(x),
    lambda x: x.var(0),
    lambda x: np.var(x, axis=1, keepdims=True, ddof=1),
    lambda x: np.std(x, axis=-1),
    lambda x: x.std((0, 1)),
    lambda x: np.diff(x),
    lambda x: np.diff(x, axis=0),
    lambda x: np.outer(x[0], x[:, 0]),
]


def both(program, function, x):
    """What the program and the function give, and what they warn of."""
    found = []
    for call in (lambda: run(program, [x])[0], lambda: function(x)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            result = call()
        found.append((result, sorted({str(warning.message) for warning in caught})))
    return found


@pytest.mark.parametrize('call', CALLS)
@pytest.mark.parametrize('x', ARRAYS, ids=range(len(ARRAYS)))
def test_results_and_warnings_are_those_of_numpy(call, x):
    graph = traced(lambda x: call(x), type_of(x))
    before = text(graph)
    spelled_out(graph)
    verify(graph)
    assert text(graph) != before
    (got, caught), (expected, warned) = both(lower(graph), call, x)
    assert same(got, expected)
    assert caught == warned
    if got.ndim:
        assert got.flags.c_contiguous == expected.flags.c_contiguous


def test_a_mean_that_is_needed_too_is_found_once():
    def normalized(x):
        return (x - x.mean(axis=0)) / np.std(x, axis=0)

    x = RNG.normal(size=(20, 3))
    graph = optimize(traced(normalized, type_of(x)))
    after = """
        graph normalized(x: float64[20, 3]) -> float64[20, 3]:
          mean: float64[3] = x.mean(axis=0)
          subtract: float64[20, 3] = subtract(x, mean)
          square: float64[20, 3] = square(subtract)
          sum: float64[3] = sum(square, axis=0)
          divide: float64[3] = divide(sum, 20)
          std: float64[3] = sqrt(divide)
          divide_1: float64[20, 3] = divide(subtract, std)
          return divide_1
        """
    if 'square' in text(graph):  # which NumPy takes since 2.3
        assert text(graph) == textwrap.dedent(after).strip()
    program = lower(graph)
    assert program.code.count('np.add.reduce(x, axis=0)') == 1
    assert same(run(program, [x])[0], normalized(x))


@pytest.mark.parametrize(
    'call',
    [
        lambda x: np.linalg.norm(x, 1),
        lambda x: np.linalg.norm(x, axis=(0, 1)),
        lambda x: np.linalg.norm(x, keepdims=True),
        lambda x: np.var(x, ddof=30),
        lambda x: np.var(x, dtype=np.float32),
        lambda x: np.diff(x, n=2),
        lambda x: np.outer(x, x),
        lambda x: np.std(x.astype(np.float16)),
        lambda x: np.diff(x > 0),
    ],
)
def test_what_else_these_functions_do_is_left_to_numpy(call):
    graph = traced(lambda x: call(x), type_of(X))
    before = text(graph)
    spelled_out(graph)
    assert text(graph) == before


def test_programs_are_made_where_an_overflow_raises():
    x = np.array([[np.inf, 1.0], [3.0, 2.0]])
    with np.errstate(over='raise', invalid='ignore'):
        graph = optimize(traced(lambda x: np.std(x, axis=0), type_of(x)))
        assert same(run(lower(graph), [x])[0], np.std(x, axis=0))


def test_lengths_that_are_not_known_are_left_to_numpy():
    graph = traced(lambda x: np.std(x), array_type(np.float64, (None, 3)))
    before = text(graph)
    spelled_out(graph)
    assert text(graph) == before
