"""Objects whose attributes refer to one of several, where these leave the function."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import autograph_lite as ag

CALLS = [(np.float64(1.0),), (np.float64(-2.0),), (np.float64(3.0),)]


class Point:
    def __init__(self, x):
        self.x = x


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class SlotPair:
    __slots__ = ('a', 'b')

    def __init__(self, a, b):
        self.a = a
        self.b = b


@dataclass
class Holder:
    held: object


def held(x):
    """What objects hold, in lists and dicts that `check` compares."""
    if isinstance(x, list | tuple):
        return [held(part) for part in x]
    if isinstance(x, dict):
        return {key: held(part) for key, part in x.items()}
    if isinstance(x, Pair | SlotPair):
        return [type(x).__name__, held(x.a), held(x.b)]
    if isinstance(x, Point):
        return ['Point', float(x.x)]
    return ['Holder', held(x.held)] if isinstance(x, Holder) else x


def swapped(x):
    pair = Pair(Point(0.0), Point(1.0))
    if x > 0:
        pair.a, pair.b = pair.b, pair.a
    pair.a.x = 2.0
    return pair


def swapped_in_slots(x):
    pair = SlotPair(Point(0.0), Point(1.0))
    if x > 0:
        pair.a, pair.b = pair.b, pair.a
    pair.a.x = x
    return pair


def swapped_in_a_loop(x):
    pair = Pair(Point(0.0), Point(1.0))
    for i in range(3):
        if x > i:
            pair.a, pair.b = pair.b, pair.a
        pair.a.x += x
    return pair


def deep(x):
    pair = swapped(x)
    return Holder([{'pair': (pair,)}, Pair(pair.a, [pair.b])])


def in_a_tuple(x):
    pair = swapped(x)
    return Holder((1, pair.a, (pair.b,)))


def containers(x):
    pair = Pair([0.0], [1.0, 2.0])
    if x > 0:
        pair.a, pair.b = pair.b, pair.a
    pair.a.append(3.0)
    return pair


def pairs_of_pairs(x):
    pair = Pair(swapped(x), swapped(x + 1.0))
    if x > 2:
        pair.a, pair.b = pair.b, pair.a
    pair.a.a.x += 1.0
    return pair


def many(x):
    return [*(Holder(None) for _ in range(1200)), Holder(swapped(x))]


@pytest.mark.parametrize(
    'f', [swapped, swapped_in_slots, swapped_in_a_loop, deep, in_a_tuple, containers,
          pairs_of_pairs, many])  # fmt: skip
def test_attributes_that_a_branch_swaps_are_returned_as_objects(f):
    traced = ag.function(f)
    for args in CALLS:
        assert held(traced(*args)) == held(f(*args))


def test_one_object_at_two_places_is_returned_as_one():
    @ag.function
    def f(x):
        pair = swapped(x)
        return pair, Pair(pair.a, pair.b)

    for args in CALLS:
        pair, other = f(*args)
        assert pair.a is other.a
        assert pair.b is other.b
        assert pair.a is not pair.b


def test_one_of_several_is_put_into_what_the_caller_gave():
    def f(x, rows, named):
        pair = swapped(x)
        rows.append(pair.a)
        named['pair'] = pair
        return x

    for args in CALLS:
        ours, theirs = ([], {}), ([], {})
        ag.function(f)(*args, *ours)
        f(*args, *theirs)
        assert held(ours) == held(theirs)


class Closing(Pair):
    def __del__(self):
        pass


def test_an_object_that_is_more_than_its_attributes_is_refused():
    @ag.function
    def f(x):
        pair = Closing(Point(0.0), Point(1.0))
        if x > 0:
            pair.a, pair.b = pair.b, pair.a
        pair.a.x = x
        return pair

    with pytest.raises(ag.errors.AutographError, match=r'pair\.a\.x = x'):
        f(np.float64(1.0))
