"""`raise`, `assert` and `ag.print` when the graph runs."""
from __future__ import annotations

import sys
import textwrap
import traceback

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag


class TooSmallError(ValueError):
    """The user's own."""


def checked_root(x):
    if x < 0:
        raise TooSmallError(f'{x:.1f} is negative')
    return np.sqrt(x)


def checked_loop(xs):
    s = 0.0
    for x in xs:
        if x < 0:
            raise TooSmallError('negative', x)
        s += x
    return s


def asserted(x):
    assert x > 0, f'not positive: {x}'
    return x + 1


@pytest.mark.parametrize('f', [checked_root, asserted])
def test_scalars(f):
    check(f, (np.float64(2),), (np.float64(-2),))


def test_in_a_loop():
    check(checked_loop, (np.array([1.0, 2.0]),), (np.array([1.0, -2.0]),))


def test_the_message_has_the_values_of_the_run():
    graph = ag.function(checked_root)
    with pytest.raises(TooSmallError, match=r'^-2\.5 is negative$') as caught:
        graph(np.float64(-2.5))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.line == "raise TooSmallError(f'{x:.1f} is negative')"
    assert last.name == 'checked_root'


def test_print_happens_at_every_call_in_order(capsys):
    @ag.function
    def f(xs):
        for x in xs:
            if x > 0:
                ag.print('positive', x)
            else:
                ag.print('other', x)
        ag.print('done')
        return xs

    f(np.array([1, -2]))
    f(np.array([-3, 4]))
    assert capsys.readouterr().out == (
        'positive 1\nother -2\ndone\nother -3\npositive 4\ndone\n'
    )


def test_both_ways_raise():
    def f(x):
        if x > 0:
            raise TooSmallError('a')
        raise KeyError('b')

    check(f, (np.float64(1),), (np.float64(-1),))


def test_an_error_at_run_time_points_at_the_users_line():
    @ag.function
    def f(x, i):
        y = x + 1
        return np.take(y, i)

    with pytest.raises(IndexError) as caught:
        f(np.arange(3), np.int64(7))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.line == 'return np.take(y, i)'


@pytest.mark.skipif(sys.version_info < (3, 11), reason='`except*` is new in Python 3.11')
def test_a_group_around_staged_code_is_refused():
    f = define(textwrap.dedent("""
        def f(x):
            try:
                if x > 0:
                    raise ValueError('a')
            except* ValueError:
                x = x * 10
            return x
    """))
    with pytest.raises(ag.errors.StagingError, match='cannot catch') as caught:
        ag.function(f)(np.float64(1))
    assert 'try:' in str(caught.value)


def test_except_around_python_stays():
    def f(x, text):
        try:
            n = int(text)
        except ValueError:
            n = 3
        return x * n

    check(f, (np.float64(2), 'a'), (np.float64(2), '5'), traces=2)


def test_containers_that_are_shown(capsys):
    def f(x):
        ag.print((1, 2), {'a': x, 'b': [x, 'text']}, (x,), {'k': (1,)})
        assert x < 5, ('too large', x)
        return x

    graph = ag.function(f)
    for x in (np.int64(1), np.int64(2)):
        f(x)
        expected = capsys.readouterr().out
        graph(x)
        assert capsys.readouterr().out == expected
    with pytest.raises(AssertionError) as raised:
        graph(np.int64(7))
    assert raised.value.args == (('too large', 7),)


class Coded(Exception):
    """It makes its message itself."""

    def __init__(self, code):
        super().__init__(f'code {code}')
        self.code = code


def test_an_exception_that_makes_its_message_itself():
    @ag.function
    def f(x):
        if x < 0:
            raise Coded(3)
        return x

    assert f(np.float64(1)) == 1
    with pytest.raises(Coded, match=r'^code 3$') as caught:
        f(np.float64(-1))
    assert caught.value.code == 3
