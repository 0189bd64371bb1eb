"""An attribute that what is asked for it lacks: an error of the way that asks, as in Python."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

X = np.array([1.0, 2.0])
F, N = np.float64, np.int64


def in_a_branch(x, k):
    if k > 3:
        return x.area()
    return x * 2


def in_an_expression(x, k):
    return x.missing if k > 3 else x


def in_a_loop(x, k):
    while k > 0:
        if k > 3:
            x.missing()
        k -= 1
    return x


def of_a_list(x, k):
    found = []
    for v in x:
        found.append(v)
    if k > 3:
        found.missing()
    return found


def of_a_text(x, k):
    text = f'{x[0]}'
    if k > 3:
        text.missing()
    return text


def caught_around(x, k):
    try:
        y = x.missing if k > 3 else x[0]
    except AttributeError:
        y = -1.0
    return y


@pytest.mark.parametrize('f', [
    in_a_branch, in_an_expression, in_a_loop, of_a_list, of_a_text, caught_around])
def test_a_way_that_is_not_taken_may_ask_for_it(f):
    check(f, (X, N(1)), (X, N(4)), joins=True)


def test_it_may_be_a_number():
    check(in_a_branch, (F(2), N(1)), (F(2), N(4)))


class Record:
    """It has its attributes in a dict."""

    def __init__(self):
        object.__setattr__(self, 'held', {})

    def __getattr__(self, name):
        try:
            return self.held[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self.held[name] = value


class Limited:
    def __init__(self, x):
        self.x = x

    @property
    def small(self):
        if self.x > 2:
            raise AttributeError('large')
        return self.x * 2


def of_a_class_with_a_dict(n):
    record = Record()
    if n > 0:
        record.y = 3
    return getattr(record, 'y', None), hasattr(record, 'y'), getattr(record, 'z', 5)


def of_a_property(n):
    limited = Limited(n)
    return getattr(limited, 'small', n), hasattr(limited, 'small')


def in_turns(n):
    total = 0
    for i in range(n):
        limited = Limited(i)
        total += getattr(limited, 'small', -1)
        if hasattr(limited, 'small'):
            total += 10
    return total


@pytest.mark.parametrize('f', [of_a_class_with_a_dict, of_a_property, in_turns])
def test_code_of_the_class_tells_it_when_the_graph_runs(f):
    check(f, (N(1),), (N(-2),), (N(5),))
