"""`copy.copy` and `copy.deepcopy` of what only the running graph knows."""
from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1.0, -2.0, 3.0, 1.0], [-1.0, -2.0, 1.0, 1.0])]


def positive(x):
    return [y for y in x if y > 0]


def pairs(x):
    found = []
    for y in x:
        if y > 0:
            found.append((y, 2 * y))
    return found


def arrays(x):
    found = []
    for y in x:
        if y > 0:
            found.append(x * y)
    return found


def rows(x):
    found = []
    for y in x:
        row = []
        for z in x:
            if z > y:
                row.append(z)
        found.append(row)
    return found


def within(x):
    groups = {'a': [[0.0], [1.0]], 'b': 2.0}
    for y in x:
        groups['a'][0].append(y)
    return groups


def chosen(x):
    groups, others = [[0.0], [0.0]], [[1.0, 2.0], [x[0]]]
    for _ in x:
        groups = others
    return groups


def counts(x):
    return Counter([int(y) for y in x])


def grouped(x):
    groups = defaultdict(list)
    for y in x:
        groups[int(y) % 2].append(y)
    return groups


def of_arrays(x):
    found = {}
    for y in x:
        found[int(y)] = x * y
    return found


def with_keys_perhaps(x):
    found = {'a': 1.0}
    if x[0] > 0:
        found['b'] = x * 2
    return found


def elements(x):
    found = set()
    for y in x:
        found.add(int(y))
    return found


def last(x):
    found = deque(maxlen=3)
    for y in x:
        found.append(y)
    return found


@dataclass
class Found:
    items: list = field(default_factory=list)


def in_an_object(x):
    found = Found()
    for y in x:
        if y > 0:
            found.items.append(y)
    return found


def perhaps(x):
    best = None
    for y in x:
        if y > 2:
            best = [y]
    return best


def elements_perhaps(x):
    found = []
    for y in x:
        found.append(x * y if y > 0 else None)
    return found


MADE = [
    positive, pairs, arrays, rows, within, chosen, counts, grouped, of_arrays, with_keys_perhaps,
    elements, last, in_an_object, perhaps, elements_perhaps,
]  # fmt: skip


@pytest.mark.parametrize('copied', [copy.copy, copy.deepcopy])
@pytest.mark.parametrize('make', MADE, ids=lambda make: make.__name__)
def test_a_copy_is_what_it_is_of(make, copied):
    def f(x):
        made = make(x)
        return copied(made), made

    check(f, *CALLS)


@pytest.mark.parametrize('copied', [copy.copy, copy.deepcopy])
def test_a_copy_is_another_one(copied):
    def f(x):
        made = positive(x), counts(x), elements(x), last(x)
        items, times, numbers, ends = map(copied, made)
        items.append(9.0)
        times[9] += 1
        numbers.add(9)
        ends.append(9.0)
        return items, times, numbers, ends, made

    check(f, *CALLS)


def test_a_deep_copy_has_lists_of_its_own():
    def f(x):
        made = {'a': positive(x)}, grouped(x)
        known, groups = copy.deepcopy(made)
        known['a'].append(9.0)
        for y in x:
            groups[int(y) % 2].append(y)
        made[1][0].append(7.0)
        return made, known, groups

    check(f, *CALLS)


def of_tuples(x):
    items = []
    t, u, v = (items, 1), (x, 1), (1, (2, 3), 'a')
    if x > 0:
        items.append(x)
    same = copy.copy(t) is t, copy.copy(u) is u, copy.copy(v) is v, copy.deepcopy(v) is v
    return (*same, copy.copy(t)[0] is items, copy.deepcopy(t)[0] is items)


def of_tuples_before_a_list_grows(xs):
    items = []
    t = items, 1
    u, v = copy.copy(t), copy.deepcopy(t)
    for x in xs:
        u[0].append(x)
    return t, u, v, items


def test_a_copy_of_a_tuple_is_the_tuple():
    check(of_tuples, (np.float64(1),), (np.float64(-1),))
    check(of_tuples_before_a_list_grows, (np.array([1.0, 2.0]),))


def test_a_deep_copy_of_what_the_running_program_has_itself():
    def states(xs):
        state, saved = {'log': [], 'n': 0}, []
        for x in xs:
            if x < 0:
                state = saved.pop()
                continue
            saved.append(copy.deepcopy(state))
            state['log'].append(x)
            state['n'] += 1
        return state, saved

    def of_rows(xs):
        made = []
        for x in xs:
            made.append([x])
            last = made[-1]
            last.append(2 * x)
        own = copy.deepcopy(made)
        own[0].append(xs[0])
        return made, own

    def of_two(xs):
        made = []
        for x in xs:
            made.append([x])
            last = made[-1]
            last.append(x)
        return copy.deepcopy((made[0], made[-1]))

    check(states, *CALLS[:1])
    check(of_rows, *CALLS)
    with pytest.raises(ag.errors.StagingError, match='one after the other'):
        ag.function(of_two)(*CALLS[0])
