"""Items of dicts by keys that only the running graph knows."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CODES = [(np.array(codes),) for codes in ([0, 1, 2], [2, 2, 0])]


def add(a):
    return a + 1.0


def double(a):
    return a * 2.0


OPERATIONS = {0: lambda a, b: a + b, 1: lambda a, b: a - b, 2: lambda a, b: a * b}
STEPS = {0: add, 1: double, 2: add}
NAMES = {0: 'zero', 1: 'one', 2: 'two'}


def dispatched(codes):
    total = 2.0
    for code in codes:
        total = OPERATIONS[code](total, 3.0)
        step = STEPS[int(code)]
        total = step(total)
    return total


def looked_up(codes):
    table = {0: (1.0, 2.0), 1: (3.0, 4.0), 2: (5.0, 6.0)}
    total = 0.0
    names = []
    for code in codes:
        a, b = table[int(code)]
        total += a * b
        names.append(NAMES[int(code)])
    return total, ' '.join(names)


def or_a_default(codes):
    table = {0: 1.0, 2: 3.0}
    total = 0.0
    for code in codes:
        if int(code) in table:
            total += table[int(code)]
        total += table.get(int(code), 0.5)
    return total


def counted(codes):
    counts = {0: 0, 1: 0, 2: 0}
    by_name = {'large': 0.0, 'small': 0.0}
    for code in codes:
        counts[int(code)] += 1
        by_name['large' if code > 1 else 'small'] += code
    return counts, by_name


def without_a_key(codes):
    table = {0: 1.0, 1: 2.0}
    total = 0.0
    for code in codes:
        total += table[int(code)]
    return total


def perhaps_a_function(codes):
    steps = {0: add, 2: double}
    total = 2.0
    for code in codes:
        step = steps.get(int(code))
        if step is None:
            return -1.0
        total = step(total)
    return total


def or_another_function(codes):
    steps = {0: add, 2: double}
    total = 2.0
    for code in codes:
        total = steps.get(int(code), abs)(total)
    return total


def called_though_not_there(codes):
    steps = {0: add, 2: double}
    return steps.get(int(codes[1]))(1.0)


@pytest.mark.parametrize('f', [
    dispatched, looked_up, or_a_default, counted, without_a_key, perhaps_a_function,
    or_another_function, called_though_not_there,
])
def test_is_python(f):
    check(f, *CODES, joins=True)


def test_a_new_key_is_refused_when_it_is_set():
    def f(codes):
        names = {'a': 0, 'b': 0}
        for code in codes:
            names[f'{code}'] = 1
        return names

    with pytest.raises(ag.errors.StagingError, match='begin with an empty dict'):
        ag.function(f)(np.array([0, 1, 2]))


def of_several_parts(codes):
    table = {(0, 'a'): 1.0, (1, 'a'): 2.0, (2, 'b'): 3.0}
    total = 0.0
    for code in codes:
        table[int(code > 0), 'a'] += 5.0
        total += table.get((int(code), 'b'), 0.5)
    return table, total


NAMED = {0: 'zero', 2: 'two'}


def got_from_a_captured_one(codes):
    return [NAMED.get(int(code), 'none') for code in codes]


@pytest.mark.parametrize('f', [of_several_parts, got_from_a_captured_one])
def test_by_parts_and_by_get(f):
    check(f, *CODES, joins=True)


NEXT = {('off', 0): 'off', ('off', 1): 'on', ('on', 0): 'on', ('on', 1): 'off', ('on', 2): 'off'}


def by_state_and_event(events):
    state = 'off'
    for event in events:
        if (state, event) not in NEXT:
            return state, 'stuck'
        state = NEXT[state, event]
    return state, 'done'


def by_a_tuple_in_a_try(events):
    table = {(0, 0): 1, (1, 1): 0, (1, 0): 1}
    state = 0
    try:
        for event in events:
            state = table[(state, int(event))]
    except KeyError:
        return -1
    return state


@pytest.mark.parametrize('f', [by_state_and_event, by_a_tuple_in_a_try])
def test_by_a_tuple(f):
    check(f, *((np.array(events),) for events in ([1, 2, 0], [0, 1, 0], [2, 0, 0], [1, 1, 2])))


def test_the_keys_values_and_items_of_one_of_several_dicts():
    def f(x):
        prices = {'a': {'x': 1, 'y': x}, 'b': {'x': 3, 'y': 4}}
        s, total = 'a' if x > 0 else 'b', 0
        for name, price in prices[s].items():
            total += price * len(name)
        return total, sorted(prices[s].values()), dict(prices[s].items()), list(prices[s].keys())

    check(f, (np.int64(2),), (np.int64(-1),), joins=True)
