"""Values, not places: what is modified in place, and who may still read it."""
from __future__ import annotations

import re

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def fill(n):
    out = np.zeros(10)
    for i in range(n):
        out[i] = i * 2
    return out


def fill_if(x, c):
    out = x.copy()
    if c > 0:
        out[0] = c
    return out


def add_in_place(x):
    y = x * 2
    y += x
    return y


def recurrence(n):
    out = np.zeros(20)
    out[0] = 1.0
    for i in range(1, n):
        out[i] = out[i - 1] * 0.5 + i
    return out


def masked(x):
    y = x.copy()
    y[y < 0] = 0
    return y


def alias_sees_it(x):
    y = x.copy()
    z = y
    y[0] = 5.0
    return z


def out_argument(x):
    y = np.zeros(3)
    np.add(x, 1, out=y)
    return y


@pytest.mark.parametrize('f', [fill, recurrence])
def test_filling_in_a_loop(f):
    check(f, *[(np.int64(n),) for n in (0, 1, 5, 10)])


@pytest.mark.parametrize('f', [add_in_place, masked, alias_sees_it, out_argument])
def test_straight_line(f):
    check(f, (np.array([1.0, -2.0, 3.0]),))


def test_in_a_branch():
    check(fill_if, *[(np.arange(3.0), np.float64(c)) for c in (-1, 2)])


def test_a_loop_fills_in_place():
    code = ag.function(fill).get_concrete_function(np.int64(3)).lowered_code
    assert 'copy' not in code


def test_swapped_buffers():
    def f(x, n):
        a = x.copy()
        b = np.zeros_like(a)
        for _ in range(n):
            b[1:] = a[:-1] + 1
            a, b = b, a
        return a, b

    check(f, *[(np.arange(4.0), np.int64(n)) for n in (0, 1, 2, 5)])


def test_what_is_read_through_another_name_in_a_loop():
    def f(x, n):
        y = x * 2
        row = y[0]
        for i in range(n):
            y[0, 0] = i + row[1]
        return y

    check(f, (np.ones((2, 2)), np.int64(2)), (np.ones((2, 2)), np.int64(0)))


def test_an_alias_of_what_a_loop_modifies():
    def f(n):
        x = np.zeros(3)
        y = x
        for i in range(n):
            x[i] = 1
        return x, y

    check(f, (np.int64(2),), (np.int64(0),))


def test_an_alias_that_a_loop_reads():
    def f(n):
        x = np.zeros(3)
        y = x
        for i in range(n):
            x[i] = y[0] + 1
        return x

    check(f, (np.int64(2),), (np.int64(0),))


def test_a_helper_that_modifies_what_a_branch_does_not_own():
    def put(x):
        x[0] = 1

    def f(c):
        x = np.zeros(3)
        if c > 0:
            put(x)
        return x

    check(f, (np.float64(1),), (np.float64(-1),))


def test_the_memory_that_an_array_may_be_does_not_grow_with_the_branches_that_it_goes_through():
    found = []

    @ag.do_not_convert
    def note(x):
        found.append(len(x.memory))

    @ag.function
    def f(x, numbers):
        x = x.copy()
        for c in numbers:
            if x[0] > c:
                x = x + 1
            note(x)
        return x

    f.get_concrete_function(np.zeros(3), tuple(range(9)))
    assert found == [1] * 9


def crossed(x, p):
    a, b = x + 1, x + 2
    if p:
        c, d = a, b
    else:
        c = x * 2
        d = c
    c[0] = 7.0
    return d


def test_arrays_that_one_branch_makes_one_of_are_known_to_share():
    graph = ag.function(crossed)
    with pytest.raises(ag.errors.OwnershipError):
        graph(np.ones(3), np.bool_(False))


def kept_or_new(x, p):
    a = x + 1
    b = a
    if p:
        b = a * 2
    a[0] = 7.0
    return b


def test_what_may_be_an_array_is_modified_with_it():
    check(kept_or_new, *[(np.ones(3), np.bool_(p)) for p in (False, True)])


def steps_between_rows(xs):
    before, steps = None, []
    for row in xs:
        if before is not None:
            steps.append(np.abs(row - before).sum())
        before = row
    return steps


def best_row(xs):
    best, out = xs[0], np.zeros(3)
    for i, row in enumerate(xs):
        if row.sum() > best.sum():
            best = row
        out[i] = best[0]
    return best, out


def three_in_turn(xs):
    a, b, c, last = np.zeros(2), np.ones(2), np.full(2, 2.0), xs[0]
    for row in xs:
        a, b, c = b, c, a
        a[0] += row[0]
        last = row
    return a, b, c, last


@pytest.mark.parametrize('function', [steps_between_rows, best_row, three_in_turn])
def test_a_loop_may_keep_a_row_and_modify_what_is_no_row(function):
    check(function, (np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]]),),
          (np.array([[-1.0, 2.0], [-3.0, 4.0], [9.0, 0.0]]),))


def test_a_row_that_a_loop_keeps_is_not_modified_behind_its_array():
    def f(xs):
        rows, before = xs.copy(), None
        for row in rows:
            if before is not None:
                before[0] = 9.0
            before = row
        return rows

    with pytest.raises(ag.errors.OwnershipError, match='before may be an array'):
        ag.function(f)(np.ones((3, 2)))


class Buffers:
    def __init__(self):
        self.now, self.next = np.arange(3.0), np.zeros(3)

    def step(self, v):
        self.next[:] = self.now * v
        self.now, self.next = self.next, self.now

    def advised(self, v):
        self.next = self.next.copy()
        self.next[:] = self.now * v
        self.now, self.next = self.next, self.now


def test_attributes_outside_that_trade_places_are_named_as_the_user_does():
    given = Buffers()

    def once(v):
        given.step(v)

    def in_turns(v):
        while given.now.sum() < 100:
            given.step(v)

    for f, fix in (once, 'self.now = x.copy()'), (in_turns, 'self.next = self.next.copy()'):
        with pytest.raises(ag.errors.OwnershipError, match=re.escape(f'`{fix}`')):
            ag.function(f)(np.float64(2))

    def result(run):
        given.__init__()
        run(np.float64(2))
        return given.now.tolist(), given.next.tolist()

    def advised(v):
        while given.now.sum() < 100:
            given.advised(v)

    assert result(ag.function(advised)) == result(in_turns)
