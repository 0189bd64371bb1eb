"""Tuples and other nests that are None on one way."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [3.0, 2.0, 5.0], [-1.0, 4.0, 0.5])]


class Found(NamedTuple):
    where: int
    value: float


@dataclass
class Best:
    where: int
    value: float


def largest(xs):
    best = None
    for i, x in enumerate(xs):
        if x > 0 and (best is None or x > best[1]):
            best = (i, x)
    return best


def named(xs):
    best = None
    for i, x in enumerate(xs):
        if best is None or x > best.value:
            best = Found(i, x)
    return best


def of_dataclass(xs):
    best = None
    for i, x in enumerate(xs):
        if best is None or x > best.value:
            best = Best(i, x)
    return best


def unpacked(xs):
    found = (xs[0], xs[1]) if xs[0] > 0 else None
    if found is None:
        return xs[2]
    a, b = found
    return a + b


def emptied(xs):
    current = None
    total = np.float64(0)
    for i, x in enumerate(xs):
        if x > 1:
            current = (x, i)
        elif current is not None:
            total += current[0]
            current = None
    return total, current


def with_text(xs):
    found = None
    for x in xs:
        if x > 2:
            found = ('large', x)
    return found


def as_condition(xs):
    found = None
    for x in xs:
        if not found and x > 1.5:
            found = (x, x * 2)
    return found


def changed_where_it_is_there(xs):
    found = None
    for x in xs:
        if x > 0:
            if found is None:
                found = (x, None)
            else:
                found = (found[0] + x, x)
    return found


def returned_by_a_helper(xs):
    def find(xs):
        for i, x in enumerate(xs):
            if x > 1.5:
                return i, x
        return None

    found = find(xs)
    if found is None:
        return np.float64(-1)
    i, x = found
    return x * i


def optional_number(xs):
    found = None
    n = 0
    for x in xs:
        if found:
            n += 1
        found = x if x > 1 else None
    return n, found


@pytest.mark.parametrize(
    'f',
    [
        largest, named, of_dataclass, unpacked, emptied, with_text, as_condition, optional_number,
        changed_where_it_is_there, returned_by_a_helper,
    ],
)  # fmt: skip
def test_optional(f):
    check(f, *VECTORS)


def test_taken_apart_where_it_is_none():
    @ag.function
    def f(x):
        found = (x, x) if x > 0 else None
        return found[0]

    assert f(np.float64(1)) == 1
    with pytest.raises(TypeError, match='None'):
        f(np.float64(-1))


def test_what_is_refused():
    @ag.function
    def f(xs):
        found = None
        for x in xs:
            if x > 0:
                found = Best(0, x)
            elif found is not None:
                found.value = x
        return found

    with pytest.raises(ag.errors.StagingError, match='test_optional_nests'):
        f(np.ones(3))
