"""A jump out of a `finally` ends what the running graph raises, as in Python."""
# ruff: noqa: B012 - what becomes of such code is what they are about
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


def return_ends_it(x):
    try:
        assert x < 0, 'positive'
    finally:
        return x


def break_ends_it(x):
    for k in range(3):
        try:
            if x > 0:
                raise ValueError('positive')
        finally:
            break
    return x, k


def return_after_a_return(x):
    try:
        if x > 2:
            return 1 / int(x - x)
        if x > 0:
            raise ValueError('positive')
        x = x + 1
        return x
    finally:
        return x * 2


def what_a_handler_raises(x):
    try:
        if x > 0:
            raise ValueError('positive')
    except ValueError:
        raise KeyError('positive') from None
    finally:
        return x


def jump_that_python_decides(x, best=None):
    try:
        if x > 0:
            raise ValueError('positive')
    finally:
        if best is None:
            return x
    return x + 1


def jump_that_the_graph_decides(x):
    try:
        if x > 0:
            raise ValueError('positive')
    finally:
        if x < 2:
            return x
    return x + 1


def raise_or_return(x):
    try:
        if x > 0:
            raise ValueError('positive')
    finally:
        if x > 2:
            raise KeyError('large')
        return x


def list_is_changed_first(x):
    log = []
    try:
        log.append(x)
        assert x < 0
        log.append(x + 1)
    finally:
        log.append(x + 2)
        return log


def nothing_is_raised(x):
    try:
        y = x * 2
    finally:
        return y


def return_in_a_loop_of_the_block(x):
    try:
        for k in range(3):
            if k == 1:
                return 1 / int(x - 1)
        x = x + 10
    finally:
        return x * 2


def return_in_a_with_and_a_handler(x):
    try:
        with np.errstate(all='ignore'):
            try:
                if x > 2:
                    raise KeyError('large')
                return x
            except KeyError:
                return 1 / int(x - 3)
    finally:
        if x != -1:
            return x * 2
    return x


def return_that_the_finally_may_end(x):
    total = x
    for k in range(4):
        try:
            if k == 2:
                return total, k
            if x > 2:
                raise ValueError('large')
            total = total + 1
        finally:
            total = total * 2
            if x < 3:
                continue
    return total, -1


def break_that_the_finally_may_end(x):
    total = x
    for k in range(4):
        try:
            for _ in range(2):
                total = total + 1
                if total > 4:
                    break
            else:
                if k == 1:
                    break
            if total > 6:
                raise ValueError('large')
        finally:
            if x > 2:
                return total, k
    return total, -1


PROGRAMS = [
    return_ends_it, break_ends_it, return_after_a_return, what_a_handler_raises,
    jump_that_python_decides, jump_that_the_graph_decides, raise_or_return,
    list_is_changed_first, nothing_is_raised, return_in_a_loop_of_the_block,
    return_in_a_with_and_a_handler, return_that_the_finally_may_end,
    break_that_the_finally_may_end,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
def test_the_same(f):
    check(f, (F(1),), (F(3),), (F(-1),))


def continue_ends_it(xs):
    n = 0.0
    for x in xs:
        try:
            if x == 0:
                continue
            if x > 2:
                raise ValueError('large')
            n += x
        finally:
            n += 10
            continue
    return n


def test_a_turn_that_raises_is_followed_by_the_next():
    check(continue_ends_it, (np.array([1.0, 3, 1]),), (np.array([1.0, 0, 1]),))


def sum_of_what_may_not_fit(a, b):
    y = 0.0
    try:
        y = np.sum(a + b)
    finally:
        return y


def test_shapes_that_do_not_fit():
    graph = ag.function(sum_of_what_may_not_fit, input_signature=[ag.TensorSpec([None])] * 2)
    for size in (2, 3, 1):
        given = np.ones(3), np.ones(size)
        assert graph(*given) == sum_of_what_may_not_fit(*given)


def inverse_sum(x):
    y = 1.0
    try:
        y = y + np.log(x)
        y = y + 1
    finally:
        return y


def test_what_numpy_warns_of_where_that_is_an_error():
    graph = ag.function(inverse_sum)
    for state in ('ignore', 'raise', 'ignore'):
        with np.errstate(all=state):
            for x in (F(1), F(0)):
                assert graph(x) == inverse_sum(x)
    assert graph.tracing_count == 2


def test_a_value_that_the_block_may_not_come_to_is_asked_for():
    graph = ag.function(nothing_is_raised)
    with np.errstate(all='raise'), pytest.raises(ag.errors.UnboundError, match="'y' is read here"):
        graph(F(1))
