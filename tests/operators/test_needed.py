"""What may be None when the graph runs, where a value is needed."""
from __future__ import annotations

import traceback
from typing import NamedTuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array([1.0, 2.0]),), (np.array([-1.0, -2.0]),)]


class Box:
    def __init__(self, v=None):
        self.v = v


class Pair(NamedTuple):
    a: float
    b: float


def last(xs, make=lambda x: x):
    found = None
    for x in xs:
        if x > 0:
            found = make(x)
    return found


def added(xs):
    return last(xs) + 1


def given_to_numpy(xs):
    return np.sqrt(last(xs))


def compared(xs):
    return last(xs) > 1


def equal(xs):
    found = last(xs)
    return found == 2.0, found != 2.0, found == xs[1], xs[1] != found


def a_method(xs):
    return last(xs, lambda x: np.ones(3) * x).sum()


def a_shape(xs):
    return last(xs, lambda x: np.ones(3) * x).shape


def a_length(xs):
    return len(last(xs, lambda x: np.ones(3) * x))


def an_item(xs):
    return last(xs, lambda x: (x, x))[1]


def a_length_of_a_tuple(xs):
    return len(last(xs, lambda x: (x, x)))


def unpacked(xs):
    a, b = last(xs, lambda x: (x, x))
    return a + b


def a_field(xs):
    return last(xs, lambda x: Pair(x, x)).b


def an_attribute(xs):
    return last(xs, Box).v


def a_class(xs):
    found, pair = last(xs), last(xs, lambda x: (x, x))
    return isinstance(found, float), isinstance(found, int), isinstance(pair, tuple), (
        isinstance(found, float | None))


def asked_first(xs):
    found = last(xs, lambda x: np.ones(3) * x)
    if found is not None and len(found) > 2:
        return found.shape[0] + found.sum()
    return 0.0


@pytest.mark.parametrize(
    'f',
    [
        added, given_to_numpy, compared, equal, a_method, a_shape, a_length, an_item,
        a_length_of_a_tuple, unpacked, a_field, an_attribute, a_class, asked_first,
    ],
)  # fmt: skip
def test_is_python(f):
    check(f, *CALLS, joins=True)


def best_of(xs):
    best = None
    for x in xs:
        if x > 0:
            best = x
    return best + 1


def test_the_error_is_at_the_line():
    with pytest.raises(TypeError, match="'NoneType' and 'int'") as raised:
        ag.function(best_of)(CALLS[1][0])
    lines = [frame.line for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert 'return best + 1' in lines


def an_attribute_of_one_way(xs):
    box = Box()
    if xs[0] > 0:
        box.more = xs[1]
    return hasattr(box, 'more'), getattr(box, 'more', 3.0), hasattr(box, 'v'), hasattr(box, 'w')


def test_attributes_are_asked_for():
    check(an_attribute_of_one_way, *CALLS, joins=True)


def first_of_a_number(xs):
    return last(xs)[0]


def part_of_a_number(xs):
    try:
        return last(xs, float)[:1]
    except (TypeError, IndexError) as error:
        return str(error)


def item_of_a_number_set(xs):
    found = last(xs, int)
    found[0] = 1


@pytest.mark.parametrize('f', [first_of_a_number, part_of_a_number, item_of_a_number_set])
def test_a_number_that_is_none_is_not_subscriptable(f):
    check(f, *CALLS)
    for args in CALLS:
        messages = []
        for run in (f, ag.function(f)):
            try:
                messages.append(run(*args))
            except (TypeError, IndexError) as error:
                messages.append(str(error).partition('\n')[0])
        assert messages[0] == messages[1]


def test_none_is_not_gone_through():
    def f(x):
        rows = None
        if x > 0:
            rows = [x, x]
        total = 0.0
        for row in rows:
            total += row
        return total

    check(f, (np.float64(1.0),), (np.float64(-1.0),))
