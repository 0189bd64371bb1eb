"""What is the same in every turn of a loop is broadcast once, and every bit stays what it was."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from differential import check, same
from optimize.troublesome import values

import autograph_lite as ag

RNG = np.random.default_rng(0)
TURNS = np.int64(4)


def moved(x, b, n):
    for _ in range(n):
        x = x - b
    return x


def program(f, *args):
    return ag.function(f).get_concrete_function(*args).lowered_code


def test_the_program():
    expected = """
        def moved(x, b, n):
            if not x.flags.c_contiguous:
                raise UnorderedError
            b_1 = np.full((4, 3), b, np.float64)
            for _ in range(n):
                x = x - b_1
            return x
        """
    x, b = np.ones((4, 3)), np.ones(3)
    assert program(moved, x, b, TURNS) == textwrap.dedent(expected).lstrip()
    check(moved, (x, b, TURNS), (x, b, np.int64(0)), (np.asfortranarray(x), b[::-1], TURNS))


@pytest.mark.parametrize(
    ('x', 'b'),
    [
        (np.ones((4, 3)), np.ones((4, 1))),  # of two NaNs, the result may be another one
        (np.ones((4, 1)), np.ones(1)),
        (np.ones((4, 3)), np.ones((4, 3))),
        (np.ones((4, 3), complex), np.ones(3, complex)),
        (np.ones((4, 3)), np.ones(3, np.float16)),
        (np.ones((400, 300)), np.ones(300)),
        (np.ones((0, 3)), np.ones(3)),
    ],
)
def test_what_stays_as_it_is(x, b):
    assert 'full' not in program(moved, x, b, TURNS)


def test_few_turns():
    def f(x, b):
        for _ in range(2):
            x = x + b
        return x

    assert 'full' not in program(f, np.ones((4, 3)), np.ones(3))


def test_what_the_loop_changes_and_what_others_may_change():
    def f(x, b, n):
        for _ in range(n):
            x = x + b
            b = b * 2
        return x

    def g(x, b, n):
        for _ in range(n):
            ag.print(x)
            x = x + b
        return x

    x, b = np.ones((4, 3)), np.ones(3)
    assert 'full' not in program(f, x, b, TURNS)
    assert 'full' not in program(g, x, b, TURNS)
    check(f, (x, b, TURNS))


def test_loops_in_loops_and_both_sides():
    def f(x, b, n):
        total = np.zeros((4, 3))
        for _ in range(n):
            y = b * x
            for _ in range(n):
                y = b / y
                y += b
            total = total + y
        return total

    x, b = np.abs(RNG.normal(size=(4, 3))), np.array([0.1, 0.2, 0.3])
    assert 'full' in program(f, x, b, TURNS)
    check(f, (x, b, TURNS), (x.T.copy().T, b, TURNS))


OPERATIONS = (
    np.add, np.subtract, np.multiply, np.divide, np.equal, np.not_equal, np.less, np.less_equal,
    np.greater, np.greater_equal)


@pytest.mark.parametrize('dtype', ['?', 'i1', 'i8', 'u4', 'f4', 'f8'])
@pytest.mark.parametrize('operation', OPERATIONS)
@pytest.mark.filterwarnings('ignore')
def test_every_bit(operation, dtype):
    def f(xs, b, n):
        y = z = w = operation(xs[0], b)
        for i in range(n):
            y = operation(xs[i], b)
            z = operation(b, xs[i])
            w = np.where(y == z, y, w)
        return y, z, w, y.sum(axis=0)

    graph = ag.function(f, reduce_retracing=False)
    for width in (2, 5, 33):
        xs = RNG.choice(values(dtype).ravel(), (4, 7, width))
        b = RNG.choice(values(dtype).ravel(), width)
        try:
            f(xs, b, 2)
        except TypeError:  # the difference of truths
            return
        assert 'full' in graph.get_concrete_function(xs, b, TURNS).lowered_code
        for x in (xs, np.asfortranarray(xs), xs[:, ::-1]):
            for expected, got in zip(f(x, b, TURNS), graph(x, b, TURNS), strict=True):
                assert same(expected, got)
                assert expected.tobytes() == got.tobytes()
                assert expected.strides == got.strides


def test_loops_with_tests():
    def f(x, b):
        while np.sum(x) < 100:
            x = x + b
        for row in x:
            x = x * b
            if np.max(x) > 1000:
                break
        return x

    x, b = np.ones((4, 3)), np.array([1.0, 2.0, 3.0])
    assert program(f, x, b).count('full') == 2
    check(f, (x, b), (x + 50, b))
