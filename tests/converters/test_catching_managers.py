"""`with` a manager whose `__exit__` has a part in what the block raises."""
from __future__ import annotations

import contextlib
import functools

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(xs),) for xs in ([1.0, 2.0, 4.0], [1.0, 0.0, -2.0], [5.0, 3.0, -1.0], [])]


class Log:
    """Writes down how its block was left, and swallows divisions by zero."""

    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append('in')
        return self

    def __exit__(self, kind, error, trace):
        self.lines.append('out' if kind is None else f'{kind.__name__}: {error}')
        assert (trace is None) == (kind is None)
        return kind is ZeroDivisionError


class OwnLog(Log):
    def __init__(self):
        super().__init__([])


class Transaction:
    """Takes back what a block that raises has added."""

    def __init__(self):
        self.total = self.before = 0.0
        self.failed = 0

    def __enter__(self):
        self.before = self.total
        return self

    def __exit__(self, *error):
        if not error[0]:
            return False
        self.total = self.before
        self.failed += 1
        return issubclass(error[0], (ValueError, KeyError))


class Expecting:
    """Swallows exceptions of some classes."""

    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        return kind in self.kinds and kind is not KeyError


def inverse(x):
    if x < 0:
        raise ValueError(f'{x} is negative')
    if x == 0:
        raise ZeroDivisionError('zero')
    return 1 / x


def logged(xs):
    lines, total = [], 0.0
    for x in xs:
        with Log(lines):
            total += inverse(abs(x))
    return total, lines


def in_one_block(xs):
    transaction = Transaction()
    for x in xs:
        with transaction as now:
            now.total += x
            if x < 0:
                raise ValueError(x)
            now.total *= 2
    return transaction.total, transaction.failed


def left_by_jumps(xs):
    lines, found = [], []
    for x in xs:
        with Log(lines), Expecting(ValueError, KeyError):
            if x == 5:
                continue
            found.append(inverse(x))
            if x == 2:
                break
    return found, lines


def returned(xs):
    with Expecting(ValueError):
        for x in xs:
            if x > 4:
                return 'large'
            inverse(x)
        return 'all'
    return 'none'


def raised_again(xs):
    lines = []
    try:
        with Log(lines):
            for x in xs:
                inverse(x)
                lines.append('one')
    except ValueError as error:
        lines.append(str(error))
    return lines


@pytest.mark.parametrize('f', [logged, in_one_block, left_by_jumps, returned, raised_again])
def test_what_the_block_raises(f):
    check(f, *CALLS, joins=True, traces=2)  # one for no elements


def test_functions_that_share_their_code_have_managers_of_their_own():
    def with_manager(kind, *given):
        def f(x):
            y = np.float64(0)
            with kind(*given):
                y = inverse(x)
            return y

        return f

    for f in (with_manager(Expecting, ValueError), with_manager(OwnLog), with_manager(Transaction)):
        check(f, (np.float64(-1),), (np.float64(0),), (np.float64(4),))


def suppressed_among_others(x):
    with np.errstate(all='ignore'), contextlib.suppress(ValueError), Log([]):
        if x < 0:
            raise ValueError('negative')
        return np.sqrt(x)
    return x


def test_suppress_among_other_managers():
    check(suppressed_among_others, (np.float64(4),), (np.float64(-1),))


class Swallowing:
    def leave(self, *error):
        return True

    def stay(self, *error):
        self.left = True


def swallow(*error):
    return True


def say_nothing(*error):
    return None


def of_a_stack(leave, x):
    with contextlib.ExitStack() as stack:
        stack.push(leave)
        if x > 0:
            raise ValueError('positive')
        x = x * 2
    return x


@pytest.mark.parametrize('leave', [
    swallow, lambda *error: True, functools.partial(swallow, 1), Swallowing().leave])
def test_what_a_stack_calls_may_swallow(leave):
    with pytest.raises(ag.errors.StagingError, match='`ExitStack` may swallow what is raised'):
        ag.function(functools.partial(of_a_stack, leave))(np.float64(1.0))


@pytest.mark.parametrize('leave', [say_nothing, lambda *error: False, Swallowing().stay])
def test_what_a_stack_calls_swallows_nothing(leave):
    f = ag.function(functools.partial(of_a_stack, leave))
    assert f(np.float64(-1.0)) == -2
    with pytest.raises(ValueError, match='positive'):
        f(np.float64(1.0))
