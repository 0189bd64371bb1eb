"""A variable that holds what another one was at the turn before, and starts as the same thing."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

TURNS = [(np.array([1.0, 2.0]), np.int64(n)) for n in (0, 1, 2, 5)]


def fibonacci(x, n):
    a = x
    b = x
    for _ in range(n):
        a, b = b, a + b
    return a, b


def three(x, n):
    a = b = c = x
    for _ in range(n):
        a, b, c = b, c, a + b + c
    return a, b, c


def before_the_last(x, n):
    now = x
    before = now
    while np.sum(now) < n * 5:
        before = now
        now = now * 2
    return before, now


def where_it_may_stay(x, n):
    now = before = x
    for _ in range(n):
        before = now
        if np.sum(now) < 10:
            now = now * 2
    return before, now


def made_before(x, n):
    now = x * 2
    before = now
    for _ in range(n):
        before = now
        now = now + 1
    return before, now


def trading_places(x, n):
    a = b = x
    for _ in range(n):
        a, b = b, a
    return a, b


def in_place(x, n):
    now = x.copy()
    before = now
    for _ in range(n):
        before = now
        now[0] += 1
    return before, now


def in_nested_loops(x, n):
    a = b = x
    for _ in range(n):
        for _ in range(n):
            a, b = b, a + b
        b = a * 1
    return a, b


def lists(x, n):
    now = [x]
    before = now
    for _ in range(n):
        before = now
        now = [now[0] * 2]
    return before, now


def dicts(x, n):
    now = {'one': x, 'two': [x, x]}
    before = now
    for _ in range(n):
        before = now
        now = {'one': now['one'] * 2, 'two': [now['two'][1], now['one']]}
    return before, now


def until_it_stays(x, n):
    y = x / 2
    before = y
    while True:
        before = y
        y = (y + x / y) / 2
        if np.max(np.abs(y - before)) < 1e-6 or np.sum(y) > n * 100:
            break
    return before, y


@pytest.mark.parametrize(
    'f',
    [
        fibonacci, three, before_the_last, where_it_may_stay, made_before, trading_places,
        in_place, in_nested_loops, lists, dicts, until_it_stays,
    ],
)  # fmt: skip
def test_what_starts_as_the_same_thing(f):
    check(f, *TURNS)
