"""`np.ndindex` and `np.ndenumerate` in loops that are staged, and what is refused instead."""
from __future__ import annotations

import numpy as np
import pytest
from sweep import differences, refusal

X = np.array([[3.0, -1, 2], [0.5, 5, 4]])
KEPT = np.arange(4.0)


def places(x):
    y = x.copy()
    for i, j in np.ndindex(x.shape):
        y[i, j] = i * 10 + j
    return y


def leaving(x):
    y = x.copy()
    for place in np.ndindex(*x.shape):
        if x[place] < 0:
            continue
        if x[place] > 4:
            break
        y[place] = 0
    return y


def largest(x):
    most, where = -1.0, (-1, -1)
    for place, value in np.ndenumerate(x):
        if value > most:
            most, where = value, place
    return most, where


def of_what_is_outside(x):
    total = 0.0
    for (i,), value in np.ndenumerate(KEPT):
        total += i * value * x[0, 0]
    return total


def in_a_comprehension(x):
    return [value for _, value in np.ndenumerate(x)], sum(i * j for i, j in np.ndindex(x.shape))


def no_axes(x):
    total = 0.0
    for place, value in np.ndenumerate(x[0, 0]):
        total += value + len(place)
    return total


@pytest.mark.parametrize('f', [
    places, leaving, largest, of_what_is_outside, in_a_comprehension, no_axes,
])  # fmt: skip
def test_loops(f):
    assert differences(f, X) == []


def counted(n, m):
    turns = 0
    for i, j in np.ndindex(n, m):
        turns += i + j + 1
    return turns


@pytest.mark.parametrize('n', [0, 1, 3])
def test_lengths_that_are_numbers(n):
    assert differences(counted, np.int64(n), np.int64(2)) == []


@pytest.mark.filterwarnings('ignore:the matrix subclass:PendingDeprecationWarning')
@pytest.mark.parametrize(('f', 'instead'), [
    (lambda x: [v for v in np.nditer(x)], '`for v in x.flat`'),
    (lambda x: np.matrix(x), '`np.array(x, ndmin=2)`'),
    (lambda x: np.bmat([[x, x]]), '`np.block(...)`'),
])  # fmt: skip
def test_refusals(f, instead):
    assert instead in refusal(f, X)
