"""`with np.errstate(...)` holds when the graph runs; warnings are errors in these tests."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, 4.0], [0.0, 1.0, -1.0])]


def quiet(x):
    with np.errstate(divide='ignore', invalid='ignore'):
        y = np.log(x) / x
    return y * 2


def given_back(x):
    with np.errstate(all='ignore'):
        return 1 / x


def in_a_loop(x):
    total = 0.0
    for y in x:
        with np.errstate(divide='ignore'):
            if y >= 0:
                total += 1 / y
    return total


def unused(x):
    with np.errstate(divide='raise'):
        n = x.ndim
    return x * n


@pytest.mark.parametrize('f', [quiet, given_back, in_a_loop, unused])
def test_same_as_python(f):
    check(f, *VECTORS)


def test_raises_when_the_graph_runs():
    @ag.function
    def strict(x):
        with np.errstate(divide='raise'):
            y = 1 / x
        return y

    assert strict(np.array([2.0])) == 0.5
    before = np.geterr()
    with pytest.raises(FloatingPointError):
        strict(np.array([0.0]))
    assert np.geterr() == before


def test_the_program_has_it():
    code = ag.function(quiet).get_concrete_function(np.zeros(3)).lowered_code
    assert "    with np.errstate(divide='ignore', invalid='ignore'):\n        " in code


# As a decorator.


@np.errstate(divide='ignore', invalid='ignore')
def decorated(x):
    if x[0] > 0:
        x = x * 2
    return 1 / x


@np.errstate(divide='raise')
@np.errstate(invalid='ignore')
def twice_decorated(x):
    return 1 / x


class Quiet:
    """Divides without a warning."""

    @np.errstate(all='ignore')
    def over(self, x):
        return 1 / x if x[0] > 0 else -1 / x


def calls_decorated(x):
    return decorated(x), Quiet().over(x)


def test_decorated_functions():
    for f in (decorated, Quiet().over, calls_decorated):
        graph = ag.function(f)
        for (x,) in VECTORS:
            assert same(graph(x), f(x))
        assert graph.tracing_count == 1
    assert 'np.errstate(all=' in ag.function(Quiet().over).get_concrete_function(
        np.ones(3)).lowered_code
    strict = ag.function(twice_decorated)
    assert strict(np.array([2.0])) == 0.5
    with pytest.raises(FloatingPointError):
        strict(np.array([0.0]))
