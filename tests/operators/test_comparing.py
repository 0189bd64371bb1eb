"""Comparisons of tuples and lists with tensors in them."""
from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag

UNKNOWN = ag.TensorSpec([None, None])


def shapes(x, y):
    if x.shape != y.shape:
        return 'different', x.shape[1:] == y.shape[1:], x.shape == (2, 3) == y.shape, False
    assert x.shape in [(2, 3), (3, 2)], 'no such shape'
    return 'same', x.shape[1:] == (3,), list(x.shape) == [2, 3], x.shape not in {(2, 3)}


def orders(x, y):
    a, b = x.shape, y.shape
    return a < b, a <= b, a > b, a >= b, (*a, 1) > b, a < (*b, 1), max(a, b) == max([b, a])


def nested(x, y):
    a, b = (x.shape, {'k': 1}), (y.shape, {'k': 1})
    return a == b, [a] != [b], x.shape == 2, x.shape == None, x.shape == [2, 3]  # noqa: E711


@pytest.mark.parametrize('f', [shapes, orders, nested])
def test_shapes_that_are_not_known(f):
    concrete = ag.function(f).get_concrete_function(UNKNOWN, UNKNOWN)
    sizes = (2, 3), (3, 2), (2, 2)
    for x in map(np.zeros, sizes):
        for y in map(np.zeros, sizes):
            if f is shapes and x.shape == y.shape == (2, 2):
                with pytest.raises(AssertionError, match='no such shape'):
                    concrete(x, y)
            else:
                assert same(f(x, y), concrete(x, y))


def test_what_is_known_decides():
    def f(x, y):
        return 1 if x.shape == y.shape else 'two'

    unknown, other = ag.TensorSpec([None, 3]), ag.TensorSpec([None, 4])
    concrete = ag.function(f).get_concrete_function(unknown, other)
    assert concrete(np.zeros((2, 3)), np.zeros((2, 4))) == 'two'


Point = namedtuple('Point', 'x y')


def values(x, y):
    pair = Point(x, y)
    return (x, 1) == (y, 1), [x, y] == [y, x], pair == (y, x), pair < (y, x), (x,) != (y, 2)


def test_values():
    numbers = 1.0, 2.0, np.nan
    calls = [(np.float64(x), np.float64(y)) for x in numbers for y in numbers]
    check(values, *calls, joins=True)


def test_arrays_have_no_truth():
    def f(x, y):
        return (x, 1) == (y, 1)

    check(f, (np.ones(3), np.ones(3)))


def dicts(x, y):
    a, b = {'v': x, 'w': [x, 1]}, {'w': [y, 1], 'v': y}
    return a == b, a != b, {'v': x} == {'w': x}, {} == {'v': x}, {'v': x} == {'v': x, 'w': y}


def special_dicts(x, y):
    a, b = OrderedDict(v=x, w=y), OrderedDict(w=y, v=x)
    return a == b, a == dict(b), defaultdict(int, v=x) == {'v': y}, a == OrderedDict(v=y, w=y)


def deques(x, y):
    a, b = deque([x, y]), deque([y, x])
    return a == b, a != b, a == deque([x, y]), a == [x, y], a.count(y), a.index(y)


def tuples_of_tensors(x, y):
    t = (x, y, x)
    return t.index(y), t.count(x), (t, t).count((x, y, x)), t == (y, x, y)


@pytest.mark.parametrize('f', [dicts, special_dicts, deques, tuples_of_tensors])
def test_other_containers(f):
    check(f, *[(np.float64(x), np.float64(y)) for x, y in ((1, 2), (1, 1), (2, 1))])


def test_the_first_difference_decides():
    def f(x):
        return [1, x] == [2, x * 2], {'a': 1, 'b': x} == {'a': 2, 'b': x * 2}

    check(f, (np.ones(3),))


def ranges(n, m):
    a, b = range(n), range(0, m, 2)
    return a == b, a != b, a == range(3), range(n, n) == range(m, 0), range(2) == a, a == [0, 1, 2]


def views(n, m):
    table = {'a': n, 'b': m}
    return table.items() == {'b': m, 'a': m}.items(), n in table.values(), ('a', m) in table.items()


@pytest.mark.parametrize('f', [ranges, views])
def test_ranges_and_views(f):
    check(f, *[(np.int64(n), np.int64(m)) for n, m in ((3, 3), (1, 1), (1, 2), (0, 0))])


def test_a_slice_that_only_the_graph_knows_is_not_returned():
    with pytest.raises(ag.errors.StagingError, match='return start, stop'):
        ag.function(lambda n: slice(n, 3))(np.int64(1))
