"""What a function puts into lists, dicts and dataclasses of the caller's is there afterwards."""
from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

X = np.float64(2)


@dataclass
class State:
    n: Any
    w: Any = None

    def add(self, x):
        self.n = self.n + x


def made():
    return {
        'n': np.float64(1), 'w': np.arange(3.0), 'inner': {'k': np.float64(2)},
        'list': [np.float64(5), np.float64(6)], 'state': State(np.float64(0)), 'other': 'text',
    }  # fmt: skip


def in_order(held, x):
    held['n'] = held['n'] + x
    held['new'] = x
    held['inner']['k'] += held['n']
    held['state'].add(x)


def in_a_branch(held, x):
    if x > 0:
        held['n'] = x
        held['state'].n += x
    return held['n']


def in_a_loop(held, x):
    for i in range(4):
        if x > i:
            held['inner']['k'] += x
            held['list'].append(x * i)
    return len(held['list'])


def in_a_while(held, x):
    while x > 0:
        x = x - 1
        held['list'].append(x)
        held['state'].add(x)
    return held['list'][-1]


def of_a_list(held, x):
    items = held['list']
    items[0], items[1] = items[1], items[0]
    items.insert(0, x)
    if x > 0:
        items[1] = x


def taken_out(held, x):
    held['n'] = held.pop('n') + x
    held['last'] = x
    del held['last']


def an_array(held, x):
    held['w'] = held['w'] + x
    if x > 0:
        held['w'] += x
    held['w'][0] = x


def of_other_kinds(held, x):
    held['other'] = None
    held['pair'] = (x, 'a', 3)
    held['more'] = {'w': held['w'], 'list': [x]}


FUNCTIONS = [
    in_order, in_a_branch, in_a_loop, in_a_while, of_a_list, taken_out, an_array, of_other_kinds]


@pytest.mark.parametrize('check', [False, True])
@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_left_after_each_call(f, check):
    graph = ag.function(f, check=check)
    plain, staged = made(), made()
    for x in (X, -X, X * 2):
        assert same(f(plain, x), graph(staged, x))
        assert same(plain, staged)
        assert list(plain) == list(staged)


def returned(held, x):
    inner = held['inner']
    held['n'] = x
    held['also'] = inner
    held['state'].w = held['w']
    return held, inner


def test_it_stays_the_callers_own():
    held = made()
    got, inner = ag.function(returned)(held, X)
    assert got is held
    assert inner is held['inner'] is held['also']
    assert held['state'].w is held['w']


def test_one_trace_serves_many():
    graph = ag.function(in_a_branch)
    for _ in range(3):
        held = made()
        assert graph(held, X) == held['n'] == held['state'].n == X
    assert graph.tracing_count == 1


def test_a_default_value_is_changed():
    @ag.function
    def f(x, found=[]):  # noqa: B006  that is what it is about
        found.append(x)
        return len(found)

    assert [f(X), f(X)] == [1, 2]


@pytest.mark.parametrize('again', [lambda f: f, lambda f: pickle.loads(pickle.dumps(f))])
def test_one_trace_alone(again):
    concrete = again(ag.function(in_order).get_concrete_function(made(), X))
    plain, staged = made(), made()
    in_order(plain, X)
    concrete(staged, X)
    assert same(plain, staged)


def test_what_one_trace_returns():
    concrete = ag.function(returned).get_concrete_function(made(), X)
    held, _ = concrete.structured_outputs
    assert held['n'] == ag.TensorSpec((), np.float64)


def test_within_another():
    inner = ag.function(in_order)

    def outer(held, x):
        inner(held, x)
        inner(held, held['n'])

    plain, staged = made(), made()
    in_order(plain, X)
    in_order(plain, plain['n'])
    ag.function(outer)(staged, X)
    assert same(plain, staged)


def test_with_a_declared_signature():
    @ag.function(input_signature=[{'n': ag.TensorSpec([], np.float64)}])
    def add(held):
        held['n'] = held['n'] + 1

    held = {'n': X}
    add(held)
    assert held == {'n': 3.0}
    with pytest.raises(ag.errors.OwnershipError, match='leave the `input_signature` out'):
        ag.function(lambda x: add({'n': x}))(X)


OUTSIDE = {'n': np.float64(1)}


def changes_the_argument(held, x):
    held['n'] = x
    return OUTSIDE['n']


def changes_the_captured(held, x):
    OUTSIDE['n'] = x
    return held['n']


@pytest.mark.parametrize('f', [changes_the_argument, changes_the_captured])
def test_what_is_also_outside_is_refused(f):
    before = copy.deepcopy(OUTSIDE)
    graph = ag.function(f)
    try:
        assert same(graph({'n': X}, X), f({'n': X}, X))
        left = copy.deepcopy(OUTSIDE)
        with pytest.raises(ag.errors.OwnershipError, match='by its parameter alone'):
            graph(OUTSIDE, X)
        assert left == OUTSIDE
    finally:
        OUTSIDE.update(before)


def test_what_is_given_twice_is_refused():
    def f(a, b, x):
        a['n'] = x
        return b['n']

    graph, held = ag.function(f), {'n': X}
    assert graph(dict(held), held, X * 2) == X
    with pytest.raises(ag.errors.OwnershipError, match='given twice'):
        graph(held, held, X)


def test_what_would_have_two_names_is_refused():
    def f(held, x):
        new = [x]
        held['new'] = new
        return new

    def g(held, x):
        new = [x]
        held['new'] = copy.copy(new)
        return new

    held = {}
    with pytest.raises(ag.errors.OwnershipError, match=r'copy\.copy\(v\)'):
        ag.function(f)(held, X)
    assert held == {}
    assert ag.function(g)(held, X) == held['new'] == [X]


def set_in_a_branch(held, x):
    if x > 0:
        held['z'] = x
    held['last'] = 1


def taken_out_in_a_branch(held, x):
    if x > 0:
        del held['a']
    return len(held)


def put_last_in_a_branch(held, x):
    if x > 0:
        a = held.pop('a')
        held['a'] = a


def set_in_a_loop(held, x):
    for i in range(3):
        if x > i:
            held['z'] = x + i
        else:
            held['y'] = i


KEYS = [set_in_a_branch, taken_out_in_a_branch, put_last_in_a_branch, set_in_a_loop]


@pytest.mark.parametrize('check', [False, True])
@pytest.mark.parametrize('f', KEYS, ids=lambda f: f.__name__)
def test_keys_that_only_the_running_graph_knows(f, check):
    graph = ag.function(f, check=check)
    for kind in (dict, OrderedDict):
        for x in (X, -X):
            plain, staged = kind(a=1.0, b=2.0), kind(a=1.0, b=2.0)
            assert same(f(plain, x), graph(staged, x))
            assert same(plain, staged)
            assert list(plain) == list(staged)


def test_keys_beside_lists_that_only_the_running_graph_knows_are_refused():
    held = {'list': [1.0]}
    with pytest.raises(ag.errors.OwnershipError, match='knows which keys a dict has'):
        ag.function(set_in_a_branch)(held, X)
    assert held == {'list': [1.0]}


def behind_an_elif(items, x):
    if x == 0:
        pass
    elif x > 0:
        items.append(x)


def behind_an_else(items, x):
    if x == 0:
        n = 0
    else:
        n = 1
        if x > 0:
            items.insert(0, x)
    items.append(x + n)


def behind_two(items, x):
    other = items
    if x == 0:
        pass
    elif x < 0:
        raise ValueError('negative')
    elif x > 1:
        items[:] = [x]
    other.append(x)
    return items


def in_a_case(items, x):
    match x:
        case 0:
            pass
        case _ if x > 0:
            items.clear()
    return items


def in_an_unrolled_loop(items, x):
    for one in (x, x + 1):
        if one == 2:
            continue
        elif one > 2:
            items.extend([one, x])


def in_a_finally(items, x):
    try:
        if x < 0:
            pass
        elif x > 0:
            items.pop()
    finally:
        if x == 0:
            pass
        elif x > 1:
            del items[0]


INNER = [
    behind_an_elif, behind_an_else, behind_two, in_a_case, in_an_unrolled_loop, in_a_finally]


@pytest.mark.parametrize('f', INNER, ids=lambda f: f.__name__)
def test_a_length_that_a_branch_in_a_branch_changes(f):
    graph = ag.function(f)
    for x in (X, X / X, 0 * X):
        plain, staged = [X, X + 1, X + 2], [X, X + 1, X + 2]
        expected, got = f(plain, x), graph(staged, x)
        assert same(expected, got)
        assert same(plain, staged)
        assert (expected is plain) == (got is staged)


def test_keys_that_a_branch_in_a_branch_changes():
    def f(held, x):
        if x == 0:
            pass
        elif x > 0:
            held['z'] = x
            held.pop('a')
        return held

    for x in (X, 0 * X, -X):
        plain, staged = {'a': X, 'b': X}, {'a': X, 'b': X}
        assert same(f(plain, x), ag.function(f)(staged, x))
        assert same(plain, staged)
