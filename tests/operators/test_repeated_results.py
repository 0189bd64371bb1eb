"""A container at several places of what a function returns is one there, as in Python."""
from __future__ import annotations

import dataclasses
import pickle
from collections import deque, namedtuple

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
Pair = namedtuple('Pair', 'a b')


@dataclasses.dataclass
class Data:
    rows: object


class Held:
    def __init__(self, rows):
        self.rows = rows


def a_list(xs):
    rows = [xs[0]]
    return rows, rows


def one_that_grows(xs):
    rows = []
    for x in xs:
        rows.append(x)
    return {'a': rows, 'b': (1, rows)}


def one_in_another(xs):
    rows = [xs[0]]
    table = {'rows': rows}
    return [table, rows], table, Pair(rows, xs)


def sets_and_deques(xs):
    seen, window = {1, 2}, deque([xs[0]], maxlen=2)
    return seen, [window, seen], window


def in_objects(xs):
    rows = [xs[0]]
    data = Data(rows)
    return Held(rows), data, rows, (data, Held(data))


def equal_ones(xs):
    return [xs[0]], [xs[0]], {'a': [1]}, [1]


def identities(x, seen=None):
    """What is returned, with the number of the first one in the place of what comes again."""
    seen = {} if seen is None else seen
    if not isinstance(x, list | dict | set | deque | tuple | Data | Held):
        return None
    if id(x) in seen and not isinstance(x, tuple):
        return seen[id(x)]
    seen[id(x)] = len(seen)
    parts = x.values() if isinstance(x, dict) else vars(x).values() if isinstance(
        x, Data | Held) else x
    return [identities(part, seen) for part in parts]


@pytest.mark.parametrize(
    'f', [a_list, one_that_grows, one_in_another, sets_and_deques, in_objects, equal_ones],
    ids=lambda f: f.__name__)
def test_it_is_one(f):
    graph = ag.function(f)
    for xs in XS, -XS, XS * 2:
        expected, got = f(xs), graph(xs)
        assert identities(expected) == identities(got)
        if f is not in_objects:
            assert same(expected, got)
    assert graph.tracing_count == 1
    concrete = pickle.loads(pickle.dumps(graph.get_concrete_function(XS)))
    assert identities(concrete(XS)) == identities(f(XS))


def test_each_call_makes_its_own():
    graph = ag.function(a_list)
    first, second = graph(XS), graph(XS)
    first[0].append(5.0)
    assert first[1] == [1.0, 5.0]
    assert second == ([1.0], [1.0])


def test_what_is_told_of_it():
    concrete = ag.function(a_list).get_concrete_function(XS)
    one, two = concrete.structured_outputs
    assert one is two
    assert one == [ag.TensorSpec([], np.float64)]


def test_one_that_an_inner_function_returns():
    inner = ag.function(a_list)

    @ag.function
    def f(xs):
        one, two = inner(xs)
        one.append(xs[1])
        return two

    assert f(XS) == [1.0, -2.0]
