"""What a function reads from outside."""
from __future__ import annotations

import random

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

TABLE = np.arange(5.0)
RATE = 2.0


def looked_up(i):
    return TABLE[i] * RATE


def test_a_global_array_indexed_by_a_tensor():
    check(looked_up, *[(np.int64(i),) for i in range(5)])


def test_a_captured_array_is_read_where_it_is():
    table = np.zeros(3)

    @ag.function
    def f(i):
        return table[i]

    assert f(np.int64(1)) == 0
    table[1] = 7
    assert f(np.int64(1)) == 7
    assert f.tracing_count == 1


def test_a_global_number_that_changes(monkeypatch):
    f = ag.function(looked_up)
    assert f(np.int64(2)) == 4
    monkeypatch.setitem(globals(), 'RATE', 3.0)
    assert f(np.int64(2)) == 6
    assert f.tracing_count == 2
    monkeypatch.setitem(globals(), 'RATE', 2.0)
    assert f(np.int64(2)) == 4
    assert f.tracing_count == 2


def test_an_attribute_that_changes():
    class Scale:
        def __init__(self):
            self.by = 2.0
            self.offset = np.ones(2)

        @ag.function
        def __call__(self, x):
            return x * self.by + self.offset

    scale = Scale()
    assert scale(np.ones(2)).tolist() == [3, 3]
    scale.by = 3.0
    assert scale(np.ones(2)).tolist() == [4, 4]
    scale.offset = np.zeros(2)
    assert scale(np.ones(2)).tolist() == [3, 3]
    scale.offset[0] = 1
    assert scale(np.ones(2)).tolist() == [4, 3]


def test_a_captured_dict_that_changes():
    config = {'rate': 2.0}

    @ag.function
    def f(x):
        return x * config['rate']

    assert f(np.float64(1)) == 2
    config['rate'] = 5.0
    assert f(np.float64(1)) == 5


def test_a_helper_that_is_replaced(monkeypatch):
    monkeypatch.setitem(globals(), 'helper', lambda x: x + 1)

    @ag.function
    def f(x):
        return helper(x)  # noqa: F821

    assert f(np.float64(1)) == 2
    monkeypatch.setitem(globals(), 'helper', lambda x: x + 2)
    assert f(np.float64(1)) == 3


def test_python_random_numbers_are_not_frozen():
    @ag.function
    def f(x):
        return x + random.random()

    with pytest.raises(ag.errors.OwnershipError, match='random'):
        f(np.float64(1))


def test_a_set_or_an_iterator_that_a_staged_loop_changes():
    def fill(n):
        seen = set()
        for i in range(n):
            seen.add(i % 2)
        return len(seen)

    def advance(n):
        numbers = iter([5, 6, 7])
        total = 0
        for _ in range(n):
            total += next(numbers)
        return total

    for f in (fill, advance):
        with pytest.raises(ag.errors.AutographError):
            ag.function(f)(np.int64(2))
