"""What a dict outside gives for a key that it lacks: when the graph runs to there, as in Python."""
from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

CALLS = [np.float64(x) for x in (-1.0, 2.0, -3.0, 4.0)]


class Zeros(dict):
    """Sets what it gives."""

    def __missing__(self, key):
        self[key] = 0.0
        return 0.0


class Marks(dict):
    """Sets nothing."""

    def __missing__(self, key):
        return 1.5


class Counted(dict):
    asked = 0

    def __missing__(self, key):
        self.asked += 1
        return 1.0


KINDS = [Counter, Zeros, Marks, lambda: defaultdict(float), lambda: defaultdict(lambda: 2)]


def left(make, function, between=lambda d: None, calls=CALLS):
    """Each call gives and leaves what it does in Python; the traces it took."""
    mine, theirs = make(), make()
    graph = ag.function(function(mine))
    plain = function(theirs)
    for x in calls:
        got, expected = graph(x), plain(x)
        assert same(expected, got), (x, expected, got)
        assert list(mine.items()) == list(theirs.items()), (x, dict(theirs), dict(mine))
        assert list(map(type, mine.values())) == list(map(type, theirs.values()))
        between(mine)
        between(theirs)
    return graph.tracing_count


def counted(d):
    def f(x):
        if x > 0:
            d['b'] += 1
        return x
    return f


def counted_on_both_ways(d):
    def f(x):
        if x > 0:
            d['p'] += 1
        else:
            d['n'] += 1
        return x
    return f


def counted_in_a_loop(d):
    def f(x):
        while x < 9:
            d['turns'] += 1
            x = x + 3
        return x
    return f


def counted_twice(d):
    def f(x):
        if x > 0:
            d['b'] += 1
        if x > 3 or x < -2:
            d['b'] += 1
        return x
    return f


def counted_always(d):
    def f(x):
        d['b'] += 1
        d['c'] += x
        return d['c']
    return f


def read_in_a_branch(d):
    def f(x):
        if x > 0:
            return d['b'] + x
        return x
    return f


def added_in_a_helper(d):
    def add(key, x):
        d[key] = d[key] + x

    def f(x):
        if x > 0:
            add('b', x)
        return x
    return f


@pytest.mark.parametrize('make', KINDS)
@pytest.mark.parametrize('function', [
    counted, counted_on_both_ways, counted_in_a_loop, counted_twice, counted_always,
    read_in_a_branch, added_in_a_helper,
])  # fmt: skip
def test_a_key_that_is_missing_is_made_where_the_graph_runs_to_there(make, function):
    left(make, function)


@pytest.mark.parametrize('make', KINDS)
@pytest.mark.parametrize('function', [counted, counted_always, read_in_a_branch])
def test_a_key_that_was_taken_out_since_is_made_again_and_not_by_asking_for_it(make, function):
    left(make, function, between=lambda d: d.clear())


def test_another_factory_makes_a_new_trace():
    def change(d):
        d.default_factory = lambda: 7.0
        d.clear()

    left(lambda: defaultdict(float), counted, between=change)


def is_in(d):
    def f(x):
        if x > 0:
            d['b'] = x
        return 'b' in d
    return f


@pytest.mark.parametrize('make', KINDS)
def test_whether_a_key_is_there_that_a_branch_sets_the_graph_tells(make):
    left(make, is_in)


def test_a_default_dict_without_a_factory_raises_a_key_error():
    d = defaultdict(None)
    with pytest.raises(KeyError, match='b'):
        ag.function(counted(d))(np.float64(1.0))
    assert not d


def test_a_counter_that_is_traced_anew_does_not_count_what_it_holds():
    def f(d):
        def count(x):
            if x > 0:
                d['p'] += 1
            else:
                d['n'] += 1
            return d['p'] + d['n']
        return count

    left(lambda: Counter(n=3), f)


def test_an_attribute_of_a_dict_that_a_branch_sets_is_refused():
    d = Counted()
    f = ag.function(read_in_a_branch(d))
    with pytest.raises(ag.errors.OwnershipError, match=r"modifies 'asked' of a Counted"):
        f(np.float64(1.0))
    assert not d


def test_a_key_that_only_the_running_graph_knows_is_made():
    d = defaultdict(float, p=0.0, n=0.0)

    def f(x):
        return d['p' if x > 0 else 'n'] if x > -2 else d['p' if x > 0 else 'other']

    graph = ag.function(f)
    assert same(graph(np.float64(1.0)), 0.0)
    assert list(d) == ['p', 'n']
    assert same(graph(np.float64(-3.0)), 0.0)
    assert list(d) == ['p', 'n', 'other']
