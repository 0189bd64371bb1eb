"""Loops over numbers run on Python's own numbers, and give what NumPy's give."""
from __future__ import annotations

import contextlib
import random
import textwrap
import warnings

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag
from autograph_lite.graph.verify import verify
from autograph_lite.optimize import scalar_loops
from autograph_lite.optimize.scalar_loops import calls_libm
from autograph_lite.optimize.unboxing import unboxing

LARGE = np.int64(2**62)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return n, steps


def recurrence(x):
    y = np.zeros(x.shape[0])
    y[0] = x[0]
    for i in range(1, x.shape[0]):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i]
    return y


def newton(x):
    guess = x
    while abs(guess * guess - x) > 1e-12 * x:
        guess = (guess + x / guess) / 2
    return guess, np.sqrt(guess)


def wraps(n, turns):
    for _ in range(turns):
        n = n * 6364136223846793005 + 1442695040888963407
    return n


def grows(x, turns):
    for _ in range(turns):
        x = x * x
    return x, 1 / x


def divides(x, turns):
    total = x - x
    while turns > -1:
        total += x / turns
        turns -= 1
    return total


def counts(xs, limit):
    found = 0
    for x in xs:
        if x > limit:
            found += 1
    return found


def lookup(table, i, turns):
    for _ in range(turns):
        i = table[i]
    return i


def test_a_loop_over_integers():
    f = check(collatz, (np.int64(27),), (np.int64(1),))
    assert f.get_concrete_function(np.int64(1)).lowered_code == textwrap.dedent("""
        def collatz(n):
            n = int(n)
            steps = 0
            while n != 1:
                if not n % 2:
                    n = n // 2
                else:
                    n = 3 * n + 1
                    if abs(n) > 2 ** 62:
                        raise OverflowError
                steps = steps + 1
            return np.int64(n), steps
        """).lstrip()


def test_a_loop_over_the_elements_of_arrays():
    f = check(recurrence, (np.arange(300.0),), traces=1)
    assert f.get_concrete_function(np.arange(300.0)).lowered_code == textwrap.dedent("""
        def recurrence(x):
            y = np.zeros(300)
            y[0] = x[0]
            y_items = memoryview(y)
            x_items = memoryview(x)
            clear_float_errors()
            for i in range(1, 300):
                y_items[i] = 0.9 * y_items[i - 1] + 0.1 * x_items[i]
            check_float_errors()
            return y
        """).lstrip()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize(
    ('function', 'calls'),
    [
        (newton, [(np.float64(2),), (np.float64(1e300),), (np.float64(4),)]),
        (wraps, [(np.int64(1), np.int64(4)), (np.int64(0), np.int64(1)), (LARGE, np.int64(9))]),
        (grows, [(np.float64(1.5), np.int64(3)), (np.float64(9), np.int64(20))]),
        (grows, [(np.int64(3), np.int64(3)), (np.int64(3), np.int64(8))]),
        (divides, [(np.float64(3), np.int64(4)), (np.float64(0), np.int64(4))]),
        (counts, [(np.arange(9.0), np.float64(4)), (np.array([np.nan] * 9), np.float64(4))]),
        (counts, [(np.arange(9), np.int64(4)), (np.arange(9)[::-1], np.int64(4))]),
        (lookup, [(np.array([2, 0, 1]), np.int64(0), np.int64(n)) for n in (0, 1, 20)]),
        (lookup, [(np.array([-1, 9, 1]), np.int64(0), np.int64(n)) for n in (0, 1, 20)]),
    ],
)
def test_the_same_as_numpy(function, calls):
    check(function, *calls, traces=1)


def steps(a, n):
    row = np.zeros(9, np.int64)
    row[0] = a
    last = row[0]
    for i in range(n):
        best = min(last + 1, row[i % 9] + 1)
        last = row[(i + 1) % 9]
        row[(i + 1) % 9] = best + last
    return row, last


def made(a, n):
    row = np.zeros(9, np.int64)
    for i in range(n):
        last = row[0]
        row[0] = i
        for j in range(n % 8):
            best = last + 1 if last < row[j] else row[j] + 1
            if j == 3:
                best = best + a
            last = row[j + 1]
            row[j + 1] = best
    return row


def viewed(a, n):
    row = np.zeros(9, np.int64)
    back = row[::-1]
    for i in range(n):
        back[i % 9] = a
        a = row[i % 9] + a
    return a


def test_what_is_read_from_an_array_of_the_programs_needs_no_check():
    sizes = (1, -3, 2**61, 2**62 - 1, 2**62, -(2**62), 2**63 - 1, -(2**63))
    calls = [(np.int64(a), np.int64(n)) for a in sizes for n in (0, 1, 3, 30)]
    with np.errstate(over='ignore'):
        for f in (steps, made):
            check(f, *calls)
        graph = ag.function(viewed)
        for call in calls:
            with contextlib.suppress(ag.errors.AutographError):
                assert same(graph(*call), viewed(*call))
    code = ag.function(made).get_concrete_function(*calls[0]).lowered_code
    assert '> 2 ** 62' in code.split('best = last + 1 if last < item else item + 1\n')[1]
    assert 'abs(last)' not in code


def noticed(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        function(*args)
    return {str(warning.message) for warning in caught}


@pytest.mark.parametrize(
    ('function', 'args'),
    [
        (grows, (np.float64(9), np.int64(20))),
        (grows, (np.int64(3), np.int64(8))),
        (divides, (np.float64(3), np.int64(4))),
        (divides, (np.float64(0), np.int64(4))),
    ],
)
def test_what_numpy_warns_of_is_warned_of(function, args):
    graph = ag.function(function)
    noticed(graph, *(type(x)(1) for x in args))
    assert noticed(graph, *args) == noticed(function, *args) != set()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_errors_that_the_user_asks_for():
    graph = ag.function(grows)
    args = np.float64(1e-9), np.int64(20)
    with np.errstate(all='raise'), pytest.raises(FloatingPointError, match='underflow'):
        graph(*args)
    assert same(graph(*args), grows(*args))


def test_an_index_out_of_bounds_is_numpys_error():
    graph = ag.function(lookup)
    with pytest.raises(IndexError, match='index 9 is out of bounds for axis 0 with size 3'):
        graph(np.array([-1, 9, 1]), np.int64(1), np.int64(3))


def test_nothing_is_unboxed_beside_an_effect():
    def f(n):
        while n > 1:
            ag.print(n)
            n = n // 2
        return n

    graph = ag.function(f).get_concrete_function(np.int64(9)).graph
    assert unboxing(graph) is None


@pytest.mark.parametrize('function', [collatz, newton])
def test_the_graph_that_results_is_valid(function):
    dtype = np.int64 if function is collatz else np.float64
    graph = ag.function(function).get_concrete_function(dtype(2)).graph
    copy = unboxing(graph)
    assert copy is not None
    verify(copy)
    verify(graph)


EXPRESSIONS = {
    np.int64: (
        *('a + b', 'a - b', 'a * b', 'a // b', 'a % b', 'a ^ b', 'a & b', '-a', 'abs(b)', 'a + 3'),
        *('3 * a - i', 'b // 7', 'i - b', 'a | i'),
    ),
    np.float64: (
        *('a + b', 'a - b', 'a * b', 'a / b', '-a', 'abs(b)', 'a * 0.5 + i', '2 - b', 'i / a'),
    ),
}


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('dtype', EXPRESSIONS)
@pytest.mark.parametrize('seed', range(25))
def test_random_loops(dtype, seed, tmp_path):
    rng = random.Random(seed)
    lines = ['def f(a, b, n):', '    for i in range(n):']
    for _ in range(rng.randrange(1, 5)):
        name, value = rng.choice('ab'), rng.choice(EXPRESSIONS[dtype])
        if rng.random() < 0.4:
            test = rng.choice(['a < b', 'a != i', 'b >= 2', 'a == b'])
            lines += [f'        if {test}:', f'            {name} = {value}']
        else:
            lines.append(f'        {name} = {value}')
    path = tmp_path / 'program.py'
    path.write_text('\n'.join([*lines, '    return a, b', '']))
    names = {}
    exec(compile(path.read_text(), str(path), 'exec'), names)
    graph = ag.function(names['f'])
    for _ in range(5):
        size = rng.choice([10, 10**6, 2**62])
        a, b = (dtype(rng.randrange(-size, size)) for _ in range(2))
        n = np.int64(rng.randrange(0, 40))
        expected, got = names['f'](a, b, n), graph(a, b, n)
        assert same(expected, got), f'{path.read_text()}{(a, b, n)}: {got}, not {expected}'
        assert noticed(graph, a, b, n) == noticed(names['f'], a, b, n)


def kepler(anomaly, eccentricity):
    x = anomaly
    for _ in range(50):
        step = (x - eccentricity * np.sin(x) - anomaly) / (1 - eccentricity * np.cos(x))
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


def test_sines_are_those_of_math_where_numpy_calls_it_too(monkeypatch):
    given = [(np.float64(x), np.float64(0.4)) for x in (0.3, -2.0, 1e8, np.inf, np.nan)]
    code = check(kepler, *given).get_concrete_function(*given[0]).lowered_code
    assert ('math.sin(' in code) == calls_libm('numpy.sin')
    monkeypatch.setattr(scalar_loops, 'calls_libm', lambda ufunc: False)
    code = check(kepler, *given).get_concrete_function(*given[0]).lowered_code
    assert 'np.sin(' in code
