"""Keys and elements of sets that the user's classes hash and compare."""
import collections
import dataclasses

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, -2.0]), np.array([-1.0, -2.0])


class Node:
    """Its hash, and what equals it, depend on what may be None when the graph runs."""

    def __init__(self, name):
        self.name, self.best = name, None

    def __hash__(self):
        return 1 if self.best is None else 2

    def __eq__(self, other):
        return (self.best is None) == (other.best is None)


@dataclasses.dataclass(frozen=True)
class Frozen:
    best: float | None = None


class Named:
    def __init__(self, name):
        self.name, self.best = name, None

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return self.name == other.name


def two(kind, xs):
    a, b = kind('a'), kind('b')
    for x in xs:
        if x > 0:
            a.best = x
    return a, b


def in_a_display(a, b):
    return len({a, b})


def in_a_comprehension(a, b):
    return {x: 1 for x in (a, b)}


def set_as_a_key(a, b):
    table = {b: 1}
    table[a] = 2


def looked_up(a, b):
    return {b: 1}[a]


def asked_for(a, b):
    return b in {(1, a)}


def got(a, b):
    return {b: 1}.get(a)


def compared_with_a_key(a, b):
    return Frozen(a.best) in {Frozen(1.0)}


def put_into_a_set(a, b):
    return set([b, a])


@pytest.mark.parametrize(
    'f',
    [
        in_a_display, in_a_comprehension, set_as_a_key, looked_up, asked_for, got,
        compared_with_a_key, put_into_a_set,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_what_may_be_none_is_not_hashed_while_tracing(f):
    with pytest.raises(ag.errors.StagingError, match='may be None when the graph runs') as caught:
        ag.function(lambda xs: f(*two(Node, xs)))(XS[0])
    assert 'test_hashed.py' in str(caught.value)


def test_keys_of_which_all_is_known():
    def f(xs):
        a, b = two(Named, xs)
        table = {a: 1, b: 2}
        table[Named('a')] += 5
        return table[a], len({a, b, Named('b')}), a in table, {x: 1 for x in (a, b)} == {a: 1, b: 1}

    check(f, *[(xs,) for xs in XS])


def test_where_it_is_known_not_to_be_none():
    def f(xs):
        a, b = two(Node, xs)
        if a.best is not None:
            return len({a, b})
        return 0

    check(f, *[(xs,) for xs in XS])


def compared_in_lists(xs):
    a, b = two(Node, xs)
    return [a] == [b], (a, 1) == (b, 1), {'a': [a]} == {'a': [b]}, a in (b,), [b].count(a)


def taken_out(xs):
    a, b = two(Node, xs)
    items = [a, b]
    items.remove(a)
    return len(items), items[0].name


@pytest.mark.parametrize('f', [compared_in_lists, taken_out])
def test_the_users_comparison_in_containers(f):
    check(f, *[(xs,) for xs in XS])


def test_which_object_is_taken_out():
    def f(xs):
        a, b = two(Node, xs)
        items = [a, b]
        items.remove(b)
        return len(items)

    with pytest.raises(ag.errors.StagingError, match='Which object is taken out'):
        ag.function(f)(XS[0])


RETURNED = {
    'a key': lambda node: {node: 1},
    'a key in a tuple': lambda node: [{(1, node): 1}],
    'fromkeys': lambda node: dict.fromkeys([node]),
    'a Counter': lambda node: collections.Counter([node]),
    'a set': lambda node: {node},
    'a view': lambda node: {node: 1}.keys(),
}


@pytest.mark.parametrize('made', RETURNED.values(), ids=RETURNED)
def test_an_object_with_tensors_is_not_returned_where_python_hashes_it(made):
    def f(xs):
        node = Named('a')
        node.best = xs[0]
        return made(node)

    with pytest.raises(ag.errors.StagingError, match='Return a list of them'):
        ag.function(f)(XS[0])


def test_a_list_of_objects_with_tensors_is_returned():
    def f(xs):
        node = Named('a')
        node.best = xs[0]
        return [node]

    (node,) = ag.function(f)(XS[0])
    assert (node.name, node.best) == ('a', 1.0)
