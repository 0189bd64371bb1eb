"""Arrays of an object that are modified in place where a list of it grows, too, and is read."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from defining import define
from states import left

import autograph_lite as ag


class Particle:
    def __init__(self):
        self.velocity = np.array([-3.0, 1.0])
        self.trail, self.recent = [], deque()


def beside_a_list_that_is_measured(x, p):
    p.velocity[0] *= -x
    p.trail.append(x)
    return len(p.trail), p.trail[-1]


def beside_a_deque_that_is_read_in_a_loop(x, p):
    for i in range(4):
        p.velocity[i % 2] += x
        p.recent.append(p.velocity.sum())
        if len(p.recent) > 2:
            p.recent.popleft()
    return len(p.recent), p.recent[0]


@pytest.mark.parametrize('f', [
    beside_a_list_that_is_measured, beside_a_deque_that_is_read_in_a_loop,
])
def test_an_array_is_modified_beside_a_list_that_grows_and_is_read(f):
    left(Particle, lambda _: f, [np.float64(2.0), np.float64(-2.0)])


class Buffers:
    """Arrays beside lists of numbers, and of arrays."""

    def __init__(self):
        self.total, self.weights = np.zeros(3), np.ones(2)
        self.last, self.rows = [*np.array([3.0, 1.0, 2.0])], [np.zeros(3), np.ones(3)]
        self.queue = deque(self.last)


CHANGES = (
    's.last[0] = x; return s.total.sum(), s.last[0]',
    's.last[1:] = [x]; return len(s.last)',
    's.last.append(x); del s.last[0]; return sum(s.last)',
    's.last.sort(); return s.last[0]',
    's.last.sort(key=lambda v: -v); return s.last[0]',
    's.last.sort(key=abs, reverse=True); return s.last[0]',
    's.last.append(x); s.last.remove(min(s.last)); return s.last',
    's.last.append(x); return x in s.last, s.last.index(x)',
    's.last += [x, x]; return len(s.last)',
    's.queue.append(x); s.queue.rotate(1); s.queue[0] = x; return s.queue[-1]',
    's.rows[0] = s.rows[0] + x; return np.stack(s.rows).sum()',
    's.rows.append(np.full(3, x)); return np.stack(s.rows).sum()',
    's.rows.append(s.total * 2); return s.rows[-1]',
)  # fmt: skip


@pytest.mark.parametrize('change', CHANGES)
@pytest.mark.parametrize('begin', ['s.total[0] += x', 's.total *= 0.5; s.weights[1] -= x'])
def test_an_array_is_modified_beside_a_list_that_is_changed(begin, change):
    f = define(f'def f(x, s):\n    {begin}; {change}', np=np)
    left(Buffers, lambda _: f, [np.float64(x) for x in (2.0, -2.0, 0.5)], traces=None)


MODIFIES = {
    'a captured array': 's.total[0] += 1; s.rows.append(np.ones(3)); return s.rows[2].sum()',
    'an argument': 'x[0] += 1; s.rows.append(np.ones(3)); return s.rows[2].sum()',
}


@pytest.mark.parametrize('change', MODIFIES.values(), ids=MODIFIES)
def test_an_array_that_is_in_a_list_which_the_graph_reads_is_refused(change):
    f = ag.function(define(f'def f(x, s):\n    {change}', np=np))
    plain = f.python_function
    for _ in range(2):
        s, x = Buffers(), np.zeros(3)
        s.rows.append(x + 5)
        other, y = Buffers(), x.copy()
        other.rows.append(y + 5)
        assert f(x, s) == plain(y, other)
        s = Buffers()
        s.rows.append(s.total[:2] if 'total' in change else x)
        with pytest.raises(ag.errors.OwnershipError, match='shares memory with another array'):
            f(x, s)
        assert len(s.rows) == 3


def test_an_array_that_is_in_a_list_which_an_attribute_holds():
    class Batches:
        def __init__(self, is_in):
            self.total = np.zeros(2)
            self.batch = [self.total if is_in else np.ones(2)]

        def step(self, x):
            self.total[0] += x
            if len(self.batch) == 3:
                self.batch = []
            self.batch.append(self.total * 2)
            return len(self.batch), self.batch[0].sum()

    plain, s = Batches(False), Batches(False)
    f = ag.function(s.step)
    for _ in range(4):
        assert f(np.float64(1.0)) == plain.step(np.float64(1.0))
    with pytest.raises(ag.errors.OwnershipError, match='shares memory with another array'):
        ag.function(Batches(True).step)(np.float64(1.0))


def test_an_object_that_is_compared_may_read_the_array():
    total = np.zeros(3)

    class Agent:
        def __eq__(self, other):
            return total[0] > 0

    agents = [Agent()]

    def f(x):
        total[0] += x
        agents.remove(3)

    with pytest.raises(ag.errors.OwnershipError, match='an Agent in a list outside'):
        ag.function(f)(np.float64(1.0))

    scale = [2.0]

    def by_what_others_change(x):
        total[0] += x
        numbers.sort(key=lambda v: v * scale[0])

    numbers = [1.0, 2.0]
    with pytest.raises(ag.errors.OwnershipError, match='not converted'):
        ag.function(by_what_others_change)(np.float64(1.0))


def in_place_or_anew(xs, p):
    for x in xs:
        if x > 0:
            p.velocity[0] += 1
        else:
            p.velocity = p.velocity * 2
    return p.velocity


def test_an_error_of_who_owns_an_array_is_of_a_public_class():
    with pytest.raises(ag.errors.OwnershipError, match='to the caller') as error:
        ag.function(in_place_or_anew)(np.array([2.0, -2.0]), Particle())
    assert error.type is ag.errors.OwnershipError
