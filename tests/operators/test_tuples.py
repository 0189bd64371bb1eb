"""Tuples of as many items as only the running graph knows."""
from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [1.0, 2.0, 3.0], [0.0, 5.0, 1.0], [2.0, 2.0, 4.0]
CALLS = [(np.array(x),) for x in VECTORS]


def above(x, limit=1):
    found = []
    for v in x:
        if v > limit:
            found.append(v)
    return found


def rows(x):
    return [[v, v * 2] for v in above(x)]


def made(x):
    return tuple(above(x)), tuple(rows(x)), tuple(v * 2 for v in above(x)), tuple(x[x > 1])


def given_to_numpy(x):
    t = tuple(above(x))
    return np.stack(t), np.array(t), np.concatenate((np.array(t), x)), np.sum(t), np.array(rows(x))


def read(x):
    t = tuple(above(x))
    first, *rest = t
    return t[0], t[-1], t[1:], len(t), bool(t), first, rest, 2.0 in t, t.count(2.0)


def run_over(x):
    t = tuple(above(x))
    total = 0.0
    for v in t:
        total += v
    return total, sum(t), max(t), sorted(t), list(t), [v + 1 for v in t], list(zip(t, x))


def put_together(x):
    t = tuple(above(x))
    one = (1.0,)
    return t + one, one + t, t * 2, t + t, (*above(x), 2.0), [*t, 1.0], {'t': t}, [t]


def compared(x):
    t = tuple(above(x))
    return t == tuple(above(x)), t == above(x), t == (2.0, 3.0), (2.0,) != t, t < (9.0,), t >= t


def asked(x):
    t = tuple(above(x))
    return isinstance(t, tuple), isinstance(t, list), type(t) is tuple


def matched(x):
    match tuple(above(x)):
        case (a, b):
            return a + b
        case (a,):
            return a
    return 0.0


def rows_matched(x):
    match rows(x):
        case [[a, b], _]:
            return a + b
        case [[a, _]]:
            return a
    return 0.0


def on_one_way(x):
    return tuple(above(x)) if x[0] > 0 else (x[0],)


def the_longest(x):
    best = ()
    for v in x:
        t = tuple(above(x * v))
        if len(t) > len(best):
            best = t
    return best


def longer_every_turn(x):
    t = tuple(above(x))
    for v in x:
        last = (v,)
        t = t + last
    return t


def put_into_lists(x):
    t, pairs = tuple(above(x)), tuple(rows(x))
    new, more, others = [], above(x), rows(x)
    new.extend(t)
    more.extend(t)
    others.extend(pairs)
    more += t
    return new, more, others


def apart_from_the_list(x):
    found = above(x)
    t = tuple(found)
    found.append(9.0)
    return t, found


@pytest.mark.parametrize('f', [
    made, given_to_numpy, read, run_over, put_together, compared, asked, matched, rows_matched,
    on_one_way, the_longest, longer_every_turn, put_into_lists, apart_from_the_list,
])  # fmt: skip
def test_as_in_python(f):
    check(f, *CALLS, joins=True)


@pytest.mark.parametrize(('f', 'says'), [
    (lambda x: x[tuple(above(x))], 'being an index(.|\n)*as many as there are axes'),
    (lambda x: {tuple(above(x)): 1}, 'being a key'),
    (lambda x: '%s' % tuple(above(x)), 'text of a tuple'),  # noqa: UP031
])
def test_what_is_refused(f, says):
    with pytest.raises(ag.errors.StagingError, match=says):
        ag.function(f)(*CALLS[0])


def test_the_text_of_a_tuple():
    check(lambda x: str(tuple(above(x))), *CALLS)


def test_a_tuple_that_grows():
    def grown(x):
        t = ()
        for v in x:
            if v > 1:
                t += (v,)
        return t

    with pytest.raises(ag.errors.StagingError, match=r'`tuple\(items\)` after it'):
        ag.function(grown)(*CALLS[0])


class Point(namedtuple('Point', 'v m')):
    """Without `__slots__`, so that it has attributes beside its items."""


class Store:
    def __init__(self):
        self.v = 1.0

    def add(self, x):
        if x > 0:
            self.v += x


def test_a_named_tuple_with_attributes_is_returned_from_a_loop_that_changes_an_object():
    def f(x, y):
        point, store, k = Point(x, 0), Store(), 0
        while k < 3 and y > 0:
            k += 1
            if x > 1:
                return y, point
            store.add(y)
            y = y - store.v
        return y, point

    calls = [(1.5, 1.0), (-1.0, 1.0), (0.5, 8.0)]
    check(f, *((np.float64(x), np.float64(y)) for x, y in calls))


def test_what_a_tuple_raises_is_pythons():
    def item(x, i):
        return tuple(above(x))[i]

    def place(x, i):
        return tuple(above(x)).index(i)

    for function in (item, place):
        for i in (2, -1, 7, -8):
            told = []
            for f in (function, ag.function(function)):
                try:
                    told.append(f(np.array([1.0, 2.0, 3.0]), np.int64(i)))
                except (IndexError, ValueError) as error:
                    told.append((type(error), str(error)))
            assert told[0] == told[1]
