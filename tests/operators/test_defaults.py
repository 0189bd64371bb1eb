"""What a function takes by default lives outside of the graph, as globals and closures do."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.float64(3.0)


class Counter:
    def __init__(self):
        self.n = 0


def into_a_list(v, seen=[]):  # noqa: B006  that is the question
    seen.append(v)
    return len(seen)


def into_a_dict(v, memo={'n': 0}):  # noqa: B006
    memo['n'] += 1
    return memo['n']


def into_an_array(v, sums=np.zeros(2)):  # noqa: B008
    sums[0] += 1
    return sums[0]


def into_an_array_by_name(v, *, sums=np.zeros(2)):  # noqa: B008
    sums[0] += v
    return sums[0]


def into_an_object(v, counter=Counter()):  # noqa: B008
    counter.n += 1
    return counter.n


@pytest.mark.parametrize(
    'helper',
    [into_a_list, into_a_dict, into_an_array, into_an_array_by_name],
)
def test_a_branch_does_not_change_a_default(helper):
    def f(x):
        n = 0.0
        if x > 0:
            n = np.float64(helper(x))
        return n

    with pytest.raises(ag.errors.OwnershipError):
        ag.function(f)(X)
    fresh = {'seen': [], 'memo': {'n': 0}}
    for default in helper.__defaults__ or helper.__kwdefaults__.values():
        assert not np.any(default) if not isinstance(default, dict) else default == fresh['memo']


def test_a_branch_changes_a_default_that_is_an_object():
    def f(x):
        n = 0
        if x > 0:
            n = into_an_object(x)
        return n

    graph = ag.function(f)
    assert [graph(X), graph(-X), graph(X)] == [1, 0, 2]


def test_a_list_that_is_a_default_grows_at_every_call():
    @ag.function
    def f(x):
        return into_a_list(x)

    (seen,) = into_a_list.__defaults__
    assert [f(X), f(X)] == [1, 2]
    assert all(x is X for x in seen)
    seen.clear()


def weighted(x, weights=np.array([1.0, 2.0]), *, bias=np.array([0.5, 0.25])):  # noqa: B008
    return x * weights + bias


class Scaled:
    def by(self, x, factor=np.array([2.0, 3.0])):  # noqa: B008
        return x * factor


def test_defaults_are_read():
    def f(x):
        total = weighted(x) + weighted(x, np.ones(2)) + weighted(x, bias=x) + Scaled().by(x)
        if x[0] > 0:
            total = total + weighted(x)
        return total

    check(f, (np.ones(2),), (-np.ones(2),))


def test_a_default_that_changes_between_calls_is_seen():
    def f(x):
        return weighted(x)

    g = ag.function(f)
    before = g(np.ones(2))
    weighted.__defaults__[0][0] += 1.0
    after = g(np.ones(2))
    weighted.__defaults__[0][0] -= 1.0
    assert (after - before).tolist() == [1.0, 0.0]
