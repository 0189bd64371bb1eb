"""Lists, deques, sets and dicts outside that methods change: the graph does so at every call."""
from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict, deque
from types import MethodType
from typing import ClassVar

import numpy as np
import pytest
from differential import outcome, same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
CALLS = [XS, -XS, XS * 2, XS[::-1].copy()]


class Log:
    shared: ClassVar[deque] = deque(maxlen=2)

    def __init__(self):
        self.rows, self.window, self.table = [], deque(maxlen=3), {'a': []}
        self.weights = [1.5, 2, np.float64(3)]
        self.seen, self.sums, self.counts = set(), defaultdict(float), Counter()
        self.order = OrderedDict(a=1, b=2)
        self.n, self.values = 0, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        self.layers = [np.zeros(3), np.ones((2, 2))]

    def note(self, x):
        self.rows.append(x)

    def state(self):
        return dict(vars(self)), list(self.shared)


def in_a_branch(self, xs):
    if xs[0] > 0:
        self.rows.append(xs[0])
    return xs


def in_a_loop_by_a_method(self, xs):
    for x in xs:
        if x > 0:
            self.note(x * 2)
    return xs


def of_python_values(self, xs):
    self.rows.append(1)
    self.rows.extend(['a', (2, None)])
    self.counts.update(['a', 'b', 'a'])
    return xs


def of_all_kinds(self, xs):
    self.rows.append((xs.sum(), {'x': xs * 2}, [xs[0]], None))
    self.rows.append(xs)
    self.table['a'].append(xs[0] > 0)
    return xs


def and_its_length(self, xs):
    before = len(self.rows)
    self.rows.append(xs[0])
    return before, len(self.rows)


def a_window(self, xs):
    self.rows.append(xs[0])
    if len(self.rows) > 2:
        self.rows.pop(0)
    return np.mean(self.rows), self.rows[-1]


def the_last_one(self, xs):
    last = self.rows[-1] if self.rows else xs[1]
    self.rows.append(xs[0])
    return last, max(self.rows), sum(self.rows), xs[0] in self.rows


def what_is_taken_out(self, xs):
    first = self.values.pop(0)
    return first * xs, self.values.pop()


def items(self, xs):
    self.weights[0] = xs[0]
    self.weights[1] += 1
    del self.values[0]
    self.values[1:] = [2.0, 3.0]
    return xs


def items_by_index(self, xs):
    for i in range(3):
        if xs[i] > 0:
            self.values[i] += xs[i]
    self.values[int(abs(xs[1])) % 3] = 0.5
    return self.values[0]


def arrays(self, xs):
    for i, w in enumerate(self.layers):
        self.layers[i] = w - xs.sum()
    return self.layers[1]


def with_an_operator(self, xs):
    self.rows += [xs[0]]
    if xs[0] > 0:
        self.rows += [xs[1], 2]
    self.rows *= 1
    return xs


def turned(self, xs):
    self.values.reverse()
    if xs[0] > 0:
        self.values.sort(reverse=True)
        self.values.insert(1, xs[0])
        self.values.remove(6.0)
        self.values.append(6.0)
    return xs


def emptied(self, xs):
    self.values.clear()
    self.rows.append(xs[0])
    if xs[0] < 0:
        self.rows.clear()
    return xs


def of_a_deque(self, xs):
    self.window.append(xs[0])
    self.window.appendleft(2.5)
    if xs[0] > 0:
        self.window.rotate(1)
    self.shared.append(xs[1])
    return len(self.window)


def a_running_mean(self, xs):
    self.window.append(xs[0])
    return sum(self.window) / len(self.window)


def of_a_set(self, xs):
    known = 'a' in self.seen
    self.seen.add('a')
    if xs[0] > 0:
        self.seen.add('b')
        self.seen.discard('c')
    self.seen |= {'c'}
    return known


def by_a_key_of_the_graph(self, xs):
    self.seen.add(int(xs[0]))
    return xs


def of_dicts(self, xs):
    self.sums['a'] += xs[0]
    self.order.update(c=xs[0])
    self.order.move_to_end('a')
    if xs[0] > 0:
        self.table.update(b=2)
    return xs


def by_another_name(self, xs):
    rows = self.rows
    rows.append(xs[0])
    rows.append(2)
    return xs


def a_deque_by_another_name(self, xs):
    window = self.window
    for x in xs:
        window.append(x)
        if len(window) > 2:
            window.popleft()
    return len(window), window[-1]


def gone_through_before(self, xs):
    total = 0.0
    for x in self.values:
        total += x
    if total > 20:
        self.values.pop()
    self.values.append(total)
    return total


def after_what_it_counts(self, xs):
    self.n += 1
    self.rows.append((self.n, xs[0]))
    return self.n


GROWING = [
    in_a_branch, in_a_loop_by_a_method, of_python_values, of_all_kinds, and_its_length, a_window,
    the_last_one, what_is_taken_out, items, items_by_index, arrays, with_an_operator, turned,
    emptied, of_a_deque, a_running_mean, of_a_set, by_a_key_of_the_graph, of_dicts,
    by_another_name, a_deque_by_another_name, gone_through_before, after_what_it_counts,
]  # fmt: skip


@pytest.mark.parametrize('f', GROWING, ids=lambda f: f.__name__)
def test_what_it_holds_is_what_python_leaves(f):
    plain, traced = Log(), Log()
    graph = ag.function(MethodType(f, traced))
    containers = dict(vars(traced))
    for xs in CALLS:
        before = list(Log.shared)
        expected = outcome(f.__get__(plain), (xs,)), copy.deepcopy(plain.state())
        Log.shared.clear()
        Log.shared.extend(before)
        got = outcome(graph, (xs,)), traced.state()
        assert same(expected, got), (expected, got)
    assert all(getattr(traced, name) is held for name, held in containers.items() if name != 'n')
    assert graph.tracing_count <= 2 or f is arrays  # each call reads others while tracing
