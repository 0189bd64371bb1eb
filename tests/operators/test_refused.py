"""Refusals that code cannot swallow which Python runs as it is."""
from __future__ import annotations

import contextlib
import pprint

import numpy as np
import pytest

import autograph_lite as ag


@ag.do_not_convert
def number_or(x, default):
    try:
        return float(x)
    except Exception:
        return default


@ag.do_not_convert
def number_of(x):
    try:
        return float(x)
    except TypeError:
        raise ValueError('no number') from None


@ag.do_not_convert
def filled(x):
    row = np.zeros(1)
    try:
        row[0] = x
    except (TypeError, ValueError):
        pass
    return row


@ag.do_not_convert
def copied(x):
    try:
        return np.frompyfunc(abs, 1, 1)(x)
    except Exception:
        return x


def numbers(values):
    for x in values:
        try:
            y = float(x)
        except (TypeError, ValueError):
            continue
        yield y


def signs(values):
    for x in values:
        with contextlib.suppress(TypeError):
            if x > 0:
                yield 1


@contextlib.contextmanager
def doubled(x):
    try:
        factor = 2.0 if x > 0 else 1.0
    except TypeError:
        factor = 0.0
    yield factor


class Shown:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        try:
            return f'{float(self.x):.2f}'
        except Exception:
            return '?'


def a_helper(x):
    return number_or(x, -1.0)


def another_error(x):
    try:
        return number_of(x)
    except ValueError:
        return 0.0


def into_an_array(x):
    return filled(x)


def a_generator(x):
    return sum(numbers([x, 1.0]))


def in_a_loop(x):
    total = 0.0
    for y in numbers([x, 1.0]):
        total += y
    return total


def suppressed(x):
    return list(signs([x, 1.0]))


def in_a_branch(x):
    return number_or(x, -1.0) if x > 0 else 0.0


def a_manager(x):
    with doubled(x) as factor:
        return x * factor


def a_text(x):
    return pprint.pformat([Shown(x)])


def a_key(x):
    return min([3.0, 1.0], key=lambda y: number_or(x, -1.0) * y)


@pytest.mark.parametrize('f', [
    a_helper, another_error, into_an_array, a_generator, in_a_loop, suppressed, in_a_branch,
    a_manager, a_text, a_key], ids=lambda f: f.__name__)
def test_what_swallows_it_does_not_go_on(f):
    with pytest.raises(ag.errors.StagingError, match='has no value while tracing') as refused:
        ag.function(f)(np.float64(2.0))
    assert __file__ in str(refused.value)


def test_what_numpy_cannot_trace_is_no_reason_to_do_something_else():
    with pytest.raises(ag.errors.AutographError):
        ag.function(lambda x: copied(x))(np.array([-2.0]))


def test_what_is_not_refused_is_handled():
    @ag.do_not_convert
    def third(values):
        try:
            return values[2]
        except IndexError:
            return values[0]

    def f(x):
        return third([x, x + 1.0]) * 2.0

    assert ag.function(f)(np.float64(2.0)) == f(np.float64(2.0))


def test_the_next_trace_knows_nothing_of_it():
    f = ag.function(a_helper)
    with pytest.raises(ag.errors.StagingError):
        f(np.float64(2.0))
    assert f(2.0) == 2.0
    assert ag.function(lambda x: x + 1.0)(np.float64(2.0)) == 3.0
