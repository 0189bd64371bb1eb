"""A jump out of a `finally` ends what the running graph raises, as in Python."""
# ruff: noqa: B012 - what becomes of such code is what they are about
from __future__ import annotations

import numpy as np
import pytest
from differential import check

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


PROGRAMS = [
    return_ends_it, break_ends_it, return_after_a_return, what_a_handler_raises,
    jump_that_python_decides, jump_that_the_graph_decides, raise_or_return,
    list_is_changed_first, nothing_is_raised,
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
