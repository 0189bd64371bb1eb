"""What a lowered program raises points at the user's line."""
from __future__ import annotations

import gc
import linecache
import sys
import traceback

import numpy as np
import pytest
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run


def invert(x, y):
    z = x @ y
    return np.linalg.inv(z) + np.sum(x)


def failing_lines(function, args, values):
    """The user's lines in the traceback of the program, the innermost last."""
    program = lower(traced(function, *args))
    with pytest.raises(Exception) as caught:  # noqa: PT011  any class will do
        run(program, values)
    assert caught.value.__context__ is None
    entries = traceback.extract_tb(caught.value.__traceback__)
    assert not any('<lowered' in entry.filename for entry in entries)
    return caught.value, entries


def test_the_innermost_frame_is_the_users():
    error, entries = failing_lines(invert, [np.ones((2, 2))] * 2, [np.ones((2, 2))] * 2)
    assert type(error) is np.linalg.LinAlgError
    assert entries[-1].filename == __file__
    assert entries[-1].name == 'invert'
    assert entries[-1].line == 'return np.linalg.inv(z) + np.sum(x)'
    shown = ''.join(traceback.format_exception(error))
    assert 'linalg/_linalg.py' not in shown
    assert getattr(error, '__notes__', []) == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason='columns are kept from 3.11 on')
def test_the_part_of_a_line_that_failed():
    error, entries = failing_lines(
        invert, [np.ones((2, 2))] * 2, [np.ones((2, 2)), np.ones((3, 2))]
    )
    assert type(error) is ValueError
    assert entries[-1].line == 'z = x @ y'
    assert (entries[-1].colno, entries[-1].end_colno) == (8, 13)


def test_a_failure_in_a_loop_in_a_branch():
    def halves(x, n):
        def body(i, x):
            return ag.cond(i > 1, lambda: np.linalg.cholesky(x), lambda: x)

        return ag.for_loop(ag.range(n), body, x, names=['x'])

    error, entries = failing_lines(halves, [np.ones((2, 2)), np.int64(3)], [np.zeros((2, 2)), 3])
    assert type(error) is np.linalg.LinAlgError
    assert 'np.linalg.cholesky(x)' in entries[-1].line


def test_the_source_is_registered_as_long_as_the_program_lives():
    program = lower(traced(invert, np.ones((2, 2)), np.ones((2, 2))))
    filename = program.filename
    assert ''.join(linecache.getlines(filename)) == program.code
    linecache.checkcache(filename)
    assert linecache.getline(filename, 1).startswith('def invert(')
    del program
    gc.collect()
    assert filename not in linecache.cache


def test_a_missing_value():
    from autograph_lite.backends.optional import not_none, present
    from autograph_lite.errors import UnboundError

    assert present(0, 'y') == 0
    with pytest.raises(UnboundError, match="'y'"):
        present(None, 'y')
    with pytest.raises(TypeError, match='best is None'):
        not_none(None, 'best')


def test_the_users_own_exception_in_a_branch():
    def check(x):
        def if_true(x):
            ag.assert_(x < 5, lambda: 'too much')  # noqa: PT009  ours, not unittest's
            return x

        return ag.cond(x > 0, if_true, ag.unchanged, x)

    error, entries = failing_lines(check, [np.float64(1)], [np.float64(9)])
    assert type(error) is AssertionError
    assert entries[-1].line.startswith('ag.assert_(x < 5')


def item(x, i):
    return x[i]


@ag.function
def last_item(x, i):
    return item(x, i - 1)


@ag.function
def last_of_last_items(x, i):
    last = 0.0
    for row in x:
        if row[0] > 0:
            last = last_item(row, i)
    return last


def test_the_calls_around_what_failed():
    with pytest.raises(IndexError) as caught:
        last_of_last_items(np.ones((2, 3)), np.int64(9))
    *_, outer, middle, inner = traceback.extract_tb(caught.value.__traceback__)
    lines = ['last = last_item(row, i)', 'return item(x, i - 1)', 'return x[i]']
    assert [outer.line, middle.line, inner.line] == lines
    assert [outer.name, middle.name, inner.name] == ['last_of_last_items', 'last_item', 'item']


def inverse(v, d):
    if d == 0:
        raise ValueError(f'no inverse of {v}')
    return v / d


def of_elements(x, d):
    return [inverse(v, d) for v in x]


def by_a_lambda(x, d):
    return list(map(lambda v: inverse(v, d), x))


def of_each(x, d):
    total = 0.0
    for v in x:
        total += inverse(v, d)
    return total


def countdown(n, d):
    if n < 0:
        return inverse(n, d)
    return countdown(n - 1, d) + 1


def counted_down(x, d):
    return countdown(x[0], d)


def counted_inside(x, d):
    def inner(n):
        if n < 0:
            return inverse(n, d)
        return inner(n - 1) + 1

    return inner(x[0])


def caught_and_raised(x, d):
    try:
        return inverse(x[0], d)
    except ValueError:
        raise


@pytest.mark.parametrize('function', [
    of_elements, by_a_lambda, of_each, countdown, counted_down, counted_inside, caught_and_raised])
def test_the_calls_around_what_the_user_raises(function):
    def told(f):
        first = np.int64(2) if function is countdown else np.array([2.0, 3.0])
        with pytest.raises(ValueError, match='no inverse') as caught:
            f(first, np.int64(0))
        entries = traceback.extract_tb(caught.value.__traceback__)[1:]
        # Up to Python 3.11 a comprehension has a frame of its own.
        return [
            (entry.name, entry.line) for entry in entries
            if entry.filename == __file__ and not entry.name.endswith('comp>')]

    assert told(ag.function(function)) == told(function)


def ratio(a, b):
    return int(a) // int(b)


def on_one_line(x, d):
    total = x[0] + ratio(x[1], 1)
    total = total * ratio(x[0], x[1]) - ratio(x[1], d) + item(x, 0)
    return total


def by_the_test_of_a_loop(x, d):
    n = x[0]
    while n + item(x, n.astype(int)) > 0 and ratio(n, 1) < 9:
        n = n + 1
    return n


def by_an_item_that_is_set(x, d):
    y = x.copy()
    for k in range(int(x[0]) + 3):
        y[k - k] = item(x, k) + y[k - k] * item(y, 0)
    return y


@pytest.mark.parametrize('function', [on_one_line, by_the_test_of_a_loop, by_an_item_that_is_set])
def test_the_part_of_a_line_whose_call_failed(function):
    def told(f):
        with pytest.raises((IndexError, ZeroDivisionError)) as caught:
            f(np.array([2.0, 3.0]), np.int64(0))
        entries = traceback.extract_tb(caught.value.__traceback__)[1:]
        return [(entry.name, entry.lineno) for entry in entries if entry.filename == __file__]

    assert told(ag.function(function)) == told(function)


def raised_from(x):
    try:
        raise KeyError(x)
    except KeyError as error:
        raise ValueError('other') from error


def raised_at_once(x):
    raise ValueError(x)


@pytest.mark.parametrize('function', [raised_from, raised_at_once])
@pytest.mark.parametrize('value', [np.float64(1), 1.0])
def test_no_frame_around_the_call_and_none_of_the_library(function, value):
    def called(f):
        with pytest.raises(ValueError) as caught:  # noqa: PT011  it has the value
            f(value)
        return [
            [(entry.name, entry.lineno) for entry in traceback.extract_tb(error.__traceback__)
             if entry.filename == __file__ and entry.name != 'called']
            for error in (caught.value, caught.value.__cause__) if error is not None]

    (found, *causes), (expected, *others) = called(ag.function(function)), called(function)
    assert found == expected
    # What the running graph makes to raise another from it is raised nowhere.
    assert causes == (others if type(value) is float else [[] for _ in others])


class LateError(Exception):
    """What a handler of a signal raises, say."""


def summed(xs):
    total = 0.0
    for x in xs:
        total = total + x * 0.5
    return total


def test_what_interrupts_a_program_comes_out():
    """It is no reason to run another program, which would swallow it."""
    graph, xs = ag.function(summed), np.ones(3)
    graph(xs)

    def interrupt(frame, event, _):
        if frame.f_code.co_filename != __file__:
            return None
        if event == 'line' and frame.f_lineno == summed.__code__.co_firstlineno + 3:
            raise LateError
        return interrupt

    outer = sys.gettrace()
    sys.settrace(interrupt)
    try:
        with pytest.raises(LateError):
            graph(xs)
    finally:
        sys.settrace(outer)
