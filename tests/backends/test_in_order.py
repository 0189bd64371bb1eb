"""Where NumPy's warnings are errors, the first error is plain Python's."""
from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.ops import raising
from autograph_lite.ops.raising import filters_raise


def written_into_the_return(a, b, i):
    t0 = 1 / a
    t1 = b[i]
    return t1, t0 * 2


def two_that_warn(a, b, i):
    t0 = np.reciprocal(a)
    t1 = np.log(-b)
    return t1, t0


def in_a_loop(a, b, i):
    t = np.zeros(3)
    for k in range(200):
        t = t + b[i + k]
        t = t + 1 / a
    return t


def before_the_users_own(a, b, i):
    t = 1 / a
    if b[0] > 0:
        raise ValueError('positive')
    return t


def an_inverse(a, b, i):
    t = np.exp(b * 1e4)
    return np.linalg.inv(a * np.ones((3, 3))), t


def under_its_own_errstate(a, b, i):
    with np.errstate(all='raise'):
        t0 = 1 / a
        t1 = b[i]
        return t1, t0 * 2


def caught(a, b, i):
    with np.errstate(all='raise'):
        try:
            t0 = 1 / a
            t1 = b[i]
            s = np.sum(t1 + t0 * 2)
        except FloatingPointError:
            s = np.float64(-1.0)
        except IndexError:
            s = np.float64(-2.0)
    return s


OURS = [
    written_into_the_return, two_that_warn, in_a_loop, before_the_users_own, an_inverse,
    under_its_own_errstate,
]
ARGS = np.zeros(3), np.ones(3), np.int64(9)


def error_of(f):
    try:
        f(*ARGS)
    except Exception as error:
        return type(error), str(error), error.__context__, error.__cause__
    return None


@pytest.mark.parametrize('f', OURS)
def test_under_errstate(f):
    g = ag.function(f)
    with np.errstate(all='raise'):
        assert error_of(g) == error_of(f) != None  # noqa: E711  all parts of the error
        assert error_of(g) == error_of(f)  # the second call has another way in


@pytest.mark.parametrize('f', OURS)
def test_with_warnings_as_errors(f, monkeypatch):
    monkeypatch.setattr(raising, 'filters_raise', filters_raise)
    g = ag.function(f)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert error_of(g) == error_of(f) != None  # noqa: E711  all parts of the error


def test_what_is_caught_inside():
    assert ag.function(caught)(*ARGS) == caught(*ARGS) == -1


def test_it_points_at_the_users_line():
    with np.errstate(all='raise'), pytest.raises(FloatingPointError) as info:
        ag.function(written_into_the_return)(*ARGS)
    assert str(info.traceback[-1].statement).strip() == 't0 = 1 / a'


def test_what_may_not_run_twice_does_not(capsys):
    @ag.function
    def shown(a, b, i):
        ag.print('once')
        return 1 / a, b[i]

    with np.errstate(all='raise'), pytest.raises(FloatingPointError):
        shown(*ARGS)
    assert capsys.readouterr().out == 'once\n'


ORDERED = [
    lambda m, b, i: (lambda t0, t1: (t1, t0 * 2))(np.linalg.inv(m), b[i]),
    lambda m, b, i: (lambda t1, t0: (t0 * 2, t1))(b[i], np.linalg.inv(m)),
    lambda m, b, i: (lambda t1, t0: t0 + t1)(b[i], np.linalg.inv(m)),
    lambda m, b, i: (lambda t1, t0: t0 if t1 > 0 else t0 + 1)(b[i], np.linalg.inv(m)),
    lambda m, b, i: (lambda t0, t1: t0 if t1 > 0 else t0 + 1)(np.linalg.inv(m), b[i]),
]


@pytest.mark.parametrize('f', ORDERED)
def test_what_may_raise_is_done_in_program_order(f):
    args = np.zeros((2, 2)), np.ones(3), np.int64(9)
    with pytest.raises((IndexError, np.linalg.LinAlgError)) as expected:
        f(*args)
    with pytest.raises(expected.type):
        ag.function(f)(*args)
