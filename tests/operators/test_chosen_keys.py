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
        counts = {0: 0, 1: 0}
        for code in codes:
            counts[int(code)] = 1
        return counts

    graph = ag.function(f)
    with pytest.raises(ag.errors.StagingError, match='Give every key a value before'):
        graph(np.array([0, 1, 2]))
    assert graph(np.array([1, 1, 0])) == {0: 1, 1: 1}


def test_a_dict_without_keys_is_refused():
    def f(codes):
        seen = {}
        for i, code in enumerate(codes):
            seen[code] = i
        return seen

    with pytest.raises(ag.errors.StagingError, match='all its keys before'):
        ag.function(f)(np.array([0, 1, 2]))
