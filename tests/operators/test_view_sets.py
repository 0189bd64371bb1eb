"""Views of dicts that only the running graph knows: gone over, and keys and items as sets."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

CALLS = [(np.array(x),) for x in ([1.0, 2.0, 3.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 2.0])]


def growing(x):
    one, other = {}, {}
    for y in x:
        one[int(y)] = y
        if y > 0:
            other[int(y)] = y
    return one, other


def with_keys_perhaps(x):
    one, other = {1: 1.0}, {1: 1.0}
    if x[0] > 0:
        one[2] = 2.0
    if x[1] > 0:
        other[2] = 2.0
    return one, other


def equal(one, other):
    return one.keys() == other.keys(), one.items() == other.items(), one.keys() != other.keys()


def equal_to_a_set(one, other):
    return one.keys() == {1, 2}, {1, 2} == other.keys(), {1: 2} == other.keys()


def ordered(one, other):
    return one.keys() <= other.keys(), one.keys() > other.keys(), {1} <= one.keys()


def combined(one, other):
    return one.keys() - other.keys(), one.keys() & {1, 2}, one.keys() | other.keys()


def combined_with_a_set(one, other):
    return {1, 7} - one.keys(), {1, 7} | other.keys(), one.keys() ^ {7}, one.keys() - [1]


def disjoint(one, other):
    keys = one.keys()
    return keys.isdisjoint({-1, 2}), keys.isdisjoint([2]), keys.isdisjoint(other.keys())


def values(one, other):
    return one.values() == one.values(), one.values() == other.values()


@pytest.mark.parametrize('make', [growing, with_keys_perhaps], ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    'ask', [equal, equal_to_a_set, ordered, combined, combined_with_a_set, disjoint, values],
    ids=lambda ask: ask.__name__)
def test_operators(ask, make):
    check(lambda x: ask(*make(x)), *CALLS)


def summed(xs):
    found, n = {'z': 1.0}, 0.0
    for x in xs:
        if x > 0:
            found['a'] = found.get('a', 0) + x
        elif sum(found.values()) > 2:
            n += 1.0
    return found, n


def gone_over(xs):
    found, n = {}, 0.0
    for x in xs:
        if x > 0:
            found['a'] = np.array([x, x])
        else:
            for v in found.values():
                n += v[0]
    return found, n + 0 * xs[0]


@pytest.mark.parametrize('f', [summed, gone_over])
def test_values_of_a_dict_to_which_another_branch_of_the_turn_adds_a_key(f):
    check(f, (np.array([1.0, -2.0, 3.0, -4.0]),), (np.array([-5.0, 6.0, -7.0, 0.5]),))
