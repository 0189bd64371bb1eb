"""Objects outside of which a choice takes one: their arrays are written in the one that it is."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import same

import autograph_lite as ag


class Inner:
    def __init__(self, x):
        self.x = x
        self.n = 0


class Plain:
    def __init__(self, x):
        self.x = x
        self.n = 0
        self.inner = Inner(x + 1)


@dataclass
class Data:
    x: np.ndarray
    n: int = 0
    inner: Inner | None = None

    def __post_init__(self):
        self.inner = Inner(self.x + 1)


def an_index(p, q, s):
    w = p if s > 0 else q
    w.x[0] = 5
    w.n += 1


def a_traced_value(p, q, s):
    w = p if s > 0 else q
    w.x[0] = s
    w.x[1] += w.x[0]
    w.n += 1
    return w.x.sum()


def a_slice_and_a_mask(p, q, s):
    w = p if s > 0 else q
    w.n = 7
    w.x[1:] = 4
    w.x[w.x > 3] = -s


def in_a_loop(p, q, s):
    w = p if s > 0 else q
    for i in range(3):
        w.x[i] = i * 10
        w.n += 1


def in_a_branch_not_taken(p, q, s):
    w = p if s > 0 else q
    if s > 9:
        w.x[0] = 5
    w.n += 1


def by_methods_and_functions(p, q, s):
    w = p if s > 0 else q
    w.x.fill(3)
    np.add(w.x, s, out=w.x)
    np.put(w.x, [0], 8)
    w.x[::-1].sort()
    w.n += 1


def by_a_name_for_the_array(p, q, s):
    w = p if s > 0 else q
    x = w.x
    x[0] = 5
    x += 1
    w.n += 1


def both(p, q, s):
    a, b = (p, q) if s > 0 else (q, p)
    a.x[0] = b.x[1]
    b.x[2] = 9
    a.n += 1
    b.n += 2


def in_an_object_within(p, q, s):
    w = p if s > 0 else q
    w.inner.x[0] = 4
    w.inner.n += 1
    w.inner.x = w.inner.x * 2
    w.n += 1


def an_attribute_of_an_object_within(p, q, s):
    w = p if s > 0 else q
    w.inner.n += 1


def of_a_display(p, q, s):
    w = [p, q][int(s > 0)]
    w.x[:2] = 5
    w.n += 1


def a_new_one_or_one_outside(p, q, s):
    a = type(p)(p.x)
    w = a if s > 0 else q
    w.x[0] = 5
    w.n += 1
    return a.n


FUNCTIONS = [
    an_index, a_traced_value, a_slice_and_a_mask, in_a_loop, in_a_branch_not_taken,
    by_methods_and_functions, by_a_name_for_the_array, both, in_an_object_within,
    an_attribute_of_an_object_within, of_a_display, a_new_one_or_one_outside,
]  # fmt: skip


def left(*objects):
    return [(p.x, p.n, p.inner.x, p.inner.n) for p in objects]


@pytest.mark.parametrize('kind', [Plain, Data])
@pytest.mark.parametrize('f', FUNCTIONS)
def test_what_is_left_after_each_call(f, kind):
    def run(f):
        p, q = kind(np.arange(3.0)), kind(np.ones(3))
        for s in (1.0, -1.0, 2.0):
            yield f(p, q, np.float64(s)), left(p, q)
            p.n += 5

    assert same(list(run(f)), list(run(ag.function(f))))


@pytest.mark.parametrize('f', FUNCTIONS)
def test_tracing_alone_writes_nothing(f):
    p, q = Plain(np.arange(3.0)), Plain(np.ones(3))
    ag.function(f).get_concrete_function(p, q, np.float64(1))
    assert same(left(p, q), left(Plain(np.arange(3.0)), Plain(np.ones(3))))


def test_tracing_writes_nothing_to_an_object_bound_in_a_loop():
    def f(p, s):
        for _ in range(3):
            w = p
            if p.x[0] > s:
                break
        np.put(w.x, [0], s)

    p = Plain(np.arange(3.0))
    graph = ag.function(f)
    graph.get_concrete_function(p, np.float64(7))
    assert p.x[0] == 0
    graph(p, np.float64(7))
    assert p.x[0] == 7


class Shelf:
    def __init__(self, x):
        self.rows = [x * 2, x * 3]
        self.sizes = [1, 2]
        self.named = {'k': x * 4, 'm': 2}
        self.n = 0


def an_attribute_read(p, q, s):
    w = p if s > 0 else q
    return w.n


def a_row_of_a_named_list(p, q, s):
    w = p if s > 0 else q
    rows = w.rows
    rows[1][0] = s
    return rows[0].sum()


def the_length_and_the_items(p, q, s):
    w = p if s > 0 else q
    sizes = w.sizes
    return len(sizes), sum(sizes), sizes[-1]


def all_of_a_list(p, q, s):
    w = p if s > 0 else q
    w.rows[0][1:] = s
    return w.sizes, w.named


def items_of_a_dict(p, q, s):
    w = p if s > 0 else q
    w.named['k'][0] = 4
    return w.named['m'], w.named['k'].sum()


@pytest.mark.parametrize('f', [
    an_attribute_read, a_row_of_a_named_list, the_length_and_the_items, all_of_a_list,
    items_of_a_dict,
])  # fmt: skip
def test_what_it_holds_is_read_at_every_call(f):
    def run(f):
        p, q = Shelf(np.arange(3.0)), Shelf(np.ones(3))
        for turn in range(4):
            for s in (1.0, -1.0):
                yield repr((f(p, q, np.float64(s)), vars(p), vars(q)))
            if turn == 0:
                p.n, p.sizes[0], q.named['m'], q.rows[0] = 4, 9, 7, np.full(3, 9.0)
            elif turn == 1:
                q.sizes, q.named, q.rows = [5, 6, 7], {'k': np.zeros(3), 'm': 5}, [np.ones(3)] * 2
            else:
                p.sizes.append(8)

    assert list(run(f)) == list(run(ag.function(f)))
