"""Jumps in a `try` whose `finally` changes what is returned, or jumps itself."""
# ruff: noqa: B012 - what becomes of such code is what they are about
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


def list_that_grows(x):
    out = []
    try:
        if x > 0:
            return out
        out.append(x)
    finally:
        out.append(1.0)
    return out


def dict_that_changes(x):
    d = {'n': x}
    try:
        if x > 0:
            return d
        d['n'] = d['n'] * 3
    finally:
        d['n'] = d['n'] + 1
    return d


def array_that_changes(x):
    a = np.zeros(3)
    try:
        a[0] = x
        if x > 0:
            return a
        a[1] = x
    finally:
        a[2] = x * 2
    return a


def changed_by_a_helper(x):
    d = {'n': x}
    try:
        if x > 0:
            return d
        d['n'] = d['n'] * 3
    finally:
        count(d)
    return d


def count(d):
    d['n'] = d['n'] + 1


def number_that_changes(x):
    n = x
    try:
        if x > 0:
            return n
        n = n - 1
    finally:
        n += 10
    return n


def one_in_another(x):
    log = []
    try:
        try:
            if x > 0:
                return log
            log.append(x)
        finally:
            log.append(x + 1)
        if x > -2:
            return log
    finally:
        log.append(x + 2)
    return log


def what_has_gone_wrong(x):
    log = []
    try:
        log.append(x)
        if x > 0:
            return np.linalg.cholesky(np.array([[-x]]))[0, 0], log
    finally:
        log.append(x + 1)
    return x, log


def number_that_another_changes(x):
    out, t = [], x
    try:
        try:
            if x > 0:
                return out, t
        finally:
            t = x * 2
    finally:
        out.append(t)
    return out, t


PROGRAMS = [
    list_that_grows, dict_that_changes, array_that_changes, changed_by_a_helper,
    number_that_changes, one_in_another, what_has_gone_wrong, number_that_another_changes,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
def test_the_same(f):
    check(f, (F(3),), (F(-1),), (F(-3),))


def break_ends_return(x):
    for i in range(3):
        try:
            if x > 1:
                return -x
        finally:
            x += 1
            if i == 2:
                break
    return x


def continue_ends_return(x):
    for i in range(3):
        try:
            if x > 1:
                return -x
        finally:
            x += 1
            if i < 2:
                continue
        x += 10
    return x


def break_further_out_ends_return(x):
    y = 0
    for _ in range(3):
        try:
            try:
                if x > 1:
                    return x, -1
            finally:
                x += 1
        finally:
            y += 1
            if x > 2:
                break
    return x, y


def continue_ends_break(x):
    for i in range(3):
        try:
            if x > 0:
                break
        finally:
            x += 1
            if i < 2:
                continue
        x += 10
    else:
        x += 100
    return x


def every_continue_ends_break(x):
    for _ in range(3):
        try:
            if x > 0:
                break
        finally:
            x += 1
            continue
    else:
        x += 100
    return x


def break_ends_return_in_a_finally_that_returns(x):
    y = x
    try:
        if x > 1:
            return 'try', y
    finally:
        for _ in range(2):
            y += 2
            try:
                if x > 0:
                    return 'inner', y
            finally:
                y = y * 2 - x
                if y > 4:
                    break
        return x, y


def return_ends_return_around_which_things_change(x):
    y = x
    try:
        try:
            x += 1
            if y > 0:
                return x, y
        finally:
            y = y * 2 - x
            return 5, y
    finally:
        y += 2


ENDED = [
    break_ends_return, continue_ends_return, break_further_out_ends_return, continue_ends_break,
    every_continue_ends_break, break_ends_return_in_a_finally_that_returns,
    return_ends_return_around_which_things_change,
]  # fmt: skip


@pytest.mark.parametrize('f', ENDED)
def test_a_jump_in_a_finally_ends_another(f):
    check(f, (0,), (1,), (-1,), (5,), traces=4)


@pytest.mark.parametrize('f', ENDED[:5])
def test_a_tensor_asks_for_a_jump_that_a_finally_ends(f):
    check(f, (F(0),), (F(1),), (F(-1),), (F(5),))


def raise_ends_return(x):
    y = 0.0
    try:
        try:
            if x > 0:
                return 5.0
        finally:
            if x < 4:
                raise ValueError
    except ValueError:
        y = 7.0
    return y + x


def raise_ends_return_of_a_literal(x):
    try:
        try:
            if x > 0:
                return 5.0
        finally:
            if x < 4:
                raise ValueError
    except ValueError:
        x += 1
    return 1.0


def raise_ends_return_in_a_loop(x):
    for _ in range(3):
        try:
            try:
                if x > 0:
                    return 5.0
            finally:
                if x < 3:
                    raise ValueError
        except ValueError:
            x += 1
    return x


def raise_ends_break(x):
    for _ in range(3):
        try:
            try:
                if x > 0:
                    break
            finally:
                if x < 3:
                    raise ValueError
        except ValueError:
            x += 10
        x += 1
    return x


def raise_ends_break_of_a_loop_with_else(x):
    for _ in range(2):
        try:
            try:
                if x > 0:
                    break
            finally:
                if x < 3:
                    raise ValueError
        except ValueError:
            x -= 10
    else:
        x += 100
    return x


@pytest.mark.parametrize('f', [
    raise_ends_return, raise_ends_return_of_a_literal, raise_ends_return_in_a_loop,
    raise_ends_break, raise_ends_break_of_a_loop_with_else,
])
def test_what_a_finally_raises_ends_a_jump(f):
    check(f, (F(0),), (F(1),), (F(-1),), (F(5),), joins=True)


def raise_past_the_handlers(x):
    out = []
    try:
        if x > 0:
            return out
        out.append(x)
    except ValueError:
        out.append(100.0)
    finally:
        out.append(x)
        if x > 4:
            raise ValueError('too large')
    return out


def raise_in_a_helper_past_the_handlers(x):
    n = x
    try:
        if x > 0:
            return n
        n = n - 1
    except ValueError:
        n = n * 100
    finally:
        n += 10
        small(x)
    return n


def small(x):
    if x > 4:
        raise ValueError('too large')


@pytest.mark.parametrize('f', [raise_past_the_handlers, raise_in_a_helper_past_the_handlers])
def test_what_a_finally_raises_is_not_for_its_own_handlers(f):
    check(f, (F(0),), (F(1),), (F(-1),), (F(5),))
    check(f, (0,), (1,), (-1,), (5,), traces=4)


def list_changed_in_a_try(t):
    out = []
    try:
        try:
            out.append(10 // int(t))
        finally:
            out.append(1)
            try:
                out.append(10 // (int(t) - 2))
            except ZeroDivisionError:
                out.append(-7)
    except ZeroDivisionError:
        out.append(99)
    return out


def array_changed_in_a_try(t):
    out = np.zeros(3)
    try:
        try:
            out[0] = 10 // int(t)
        finally:
            try:
                out[1] = 10 // (int(t) - 2)
            except ZeroDivisionError:
                out[1] = 7
            else:
                out[2] += 4
    except ZeroDivisionError:
        out[2] += 1
    return out


def array_changed_in_a_while(t):
    out = np.zeros(3)
    try:
        try:
            out[0] = 10 // int(t)
        finally:
            i = 0
            while i < 2:
                out[i] += 10
                i += 1
    except ZeroDivisionError:
        out[2] += 1
    return out


def variables_set_in_a_try(t):
    v = w = 0
    try:
        try:
            v = 10 // int(t)
        finally:
            try:
                w = 10 // (int(t) - 2)
            except ZeroDivisionError:
                w = v + 3
    except ZeroDivisionError:
        v = w + 100
    return v, w


@pytest.mark.parametrize('f', [
    list_changed_in_a_try, array_changed_in_a_try, array_changed_in_a_while,
    variables_set_in_a_try,
])
def test_handlers_find_what_a_statement_in_a_finally_changes(f):
    check(f, *((np.int64(t),) for t in (2, -1, 0)))


def test_an_array_that_only_tracing_changes_in_a_finally_is_refused_where_a_handler_finds_it():
    def by_map(t):
        out = np.ones(3)
        try:
            try:
                out[0] = 10 // int(t)
            finally:
                list(map(out.fill, [1, 2]))
        except ZeroDivisionError:
            out[2] = 7
        return out

    def in_the_handlers(t):
        out = np.ones(3)
        try:
            out[0] = 10 // int(t)
        except ZeroDivisionError:
            list(map(out.fill, [1, 2]))
            out[2] = 7
        else:
            list(map(out.fill, [1, 2]))
        return out

    with pytest.raises(ag.errors.StagingError, match='Change it in the handlers and after'):
        ag.function(by_map)(np.int64(2))
    check(in_the_handlers, (np.int64(2),), (np.int64(0),))


class Noting:
    """A manager that notes where it is entered and left, and may swallow."""

    def __init__(self, log, name, swallows=False):
        self.log, self.name, self.swallows = log, name, swallows

    def __enter__(self):
        self.log.append('+' + self.name)
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append('-' + self.name + (kind.__name__ if kind else ''))
        return self.swallows


def test_managers_within_each_other_note_how_a_turn_ends():
    def f(xs):
        log = []
        for x in xs:
            with Noting(log, 'o'), Noting(log, 'i'):
                if x < 0:
                    continue
                if x > 5:
                    break
                log.append('b')
        return log

    check(f, (np.array([1.0, -1.0, 6.0, 1.0]),), (np.array([-1.0, 2.0, 3.0, 4.0]),))
