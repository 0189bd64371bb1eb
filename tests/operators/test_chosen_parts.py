"""Lists, dicts and objects at keys that only the running graph knows, changed where they are."""
from __future__ import annotations

import collections
import dataclasses
import functools

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in (
    [1.0, -2.0, 3.0, 0.5, -1.0], [-1.0, -2.0, -3.0, 5.0, 6.0], [1.0, 1.0, 1.0, 1.0, 1.0])]


@dataclasses.dataclass
class Group:
    items: object
    count: object


class Sum:
    def __init__(self):
        self.items = []
        self.total = 0.0

    def add(self, v):
        self.items.append(v)
        self.total += v
        return len(self.items)


def by_text(x):
    groups = {'p': [], 'n': []}
    for v in x:
        groups['p' if v > 0 else 'n'].append(v)
    return groups


def by_a_name(x):
    groups = {'p': [], 'n': []}
    for v in x:
        k = 'p' if v > 0 else 'n'
        groups[k].append(v)
        if len(groups[k]) > 1:
            groups[k][0] += groups[k][-1]
    return groups


def by_index(x):
    out = [[] for _ in range(2)]
    for v in x:
        out[int(v > 0)].append(v)
    return out


def by_negative_index(x):
    out = [[], []]
    for v in x:
        out[-1 - int(v > 0)].append(v)
    return out


def by_counter(x):
    groups = [[], [], []]
    for i in range(len(x)):
        groups[i % 3].append(i)
    return groups


def items_of_items(x):
    sums = {1: {'s': 0.0}, 0: {'s': 0.0}}
    for v in x:
        sums[int(v > 0)]['s'] += v
        sums[int(v > 0)]['s'] = sums[int(v > 0)]['s'] * 2
    return sums


def two_keys(x):
    groups = {'p': {0: [], 1: []}, 'n': {0: [], 1: []}}
    for i, v in enumerate(x):
        groups['p' if v > 0 else 'n'][i % 2].append(v)
    return groups


def in_tuples(x):
    groups = {'p': ([], []), 'n': ([], [])}
    for i, v in enumerate(x):
        groups['p' if v > 0 else 'n'][0].append(v)
        groups['p' if v > 0 else 'n'][i % 2].append(v)
    return groups


def popped(x):
    left = {'p': [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 'n': [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    total = 0.0
    for v in x:
        total += left['p' if v > 0 else 'n'].pop() * v
    return left, total


def deleted(x):
    left = {'p': [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 'n': [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    for v in x:
        del left['p' if v > 0 else 'n'][0]
    return left


def updated(x):
    d = {0: {'a': 1.0}, 1: {'a': 2.0}}
    for v in x:
        d[int(v > 0)].update(a=v)
    return d


def looked_at(x):
    groups = {'p': [], 'n': []}
    total = 0.0
    for v in x:
        k = 'p' if v > 0 else 'n'
        for r in groups[k]:
            total += r
        total += sum(groups[k]) + sum(y * 2 for y in groups[k]) + len([y for y in groups[k]])
        groups[k].append(v)
    return groups, total


def dataclasses_(x):
    groups = {0: Group([], 0), 1: Group([], 0)}
    for v in x:
        groups[int(v > 0)].items.append(v)
        groups[int(v > 0)].count += 1
    return groups


def objects(x):
    sums, n = [Sum(), Sum()], 0
    for v in x:
        n += sums[int(v > 0)].add(v)
        sums[int(v > 0)].total *= 2
    return n, [s.items for s in sums], [s.total for s in sums]


class Adder:
    def __init__(self, start):
        self.total = start

    def __call__(self, v):
        self.total += v
        return self.total


def callables(x):
    steps = {'p': functools.partial(max, 1.0), 'n': functools.partial(min, -1.0)}
    adders, total = [Adder(1.0), Adder(2.0)], 0.0
    for v in x:
        k = 'p' if v > 0 else 'n'
        total += steps[k](v) + adders[int(v > 0)](v)
    return total, [adder.total for adder in adders]


def of_a_display(x):
    a, b = [], []
    for v in x:
        [a, b][int(v > 0)].append(v)
        (b, a)[int(v > 0)].append(v)
        {True: a, False: b}[bool(v > 0)].append(v)
    return a, b


def other_names(x):
    a, b = [], []
    groups = {'p': a, 'n': b}
    for v in x:
        groups['p' if v > 0 else 'n'].append(v)
    a.append(1.0)
    return groups, a, b


def in_a_helper(x):
    groups = {'p': [], 'n': []}

    def put(v):
        groups['p' if v > 0 else 'n'].append(v)

    for v in x:
        put(v)
    return groups


def without_a_loop(x):
    d = {'p': [1.0], 'n': [2.0, 3.0]}
    d['p' if x[0] > 0 else 'n'].extend([x[1], x[2]])
    d['p' if x[0] > 0 else 'n'].insert(0, x[1])
    d['p' if x[0] > 0 else 'n'].sort()
    d['p' if x[0] > 0 else 'n'].reverse()
    return d


def deques(x):
    d = {'p': collections.deque(), 'n': collections.deque()}
    for v in x:
        d['p' if v > 0 else 'n'].append(v)
    return list(d['p']), list(d['n'])


def only_one_has_such_an_item(x):
    rows = [[], [2.0, 3.0]]
    sums = {0: {'s': 0.0, 'l': []}, 1: {'s': 1.0, 'l': [2.0, 3.0]}}
    total = 0.0
    k = int(x[0] > 0)
    if len(sums[k]['l']) > 0:
        del sums[k]['l'][0]
        total += sums[k]['l'][0] + rows[k].pop() + rows[k][0]
        rows[k][-1] += 1
    return rows, sums, total


def with_a_factory(x):
    sums = collections.defaultdict(float, even=0.0, odd=0.0)
    groups = collections.defaultdict(list, even=[], odd=[])
    counts = collections.Counter({'p': 1, 'n': 2})
    total = 0
    for i, v in enumerate(x):
        sums['even' if i % 2 == 0 else 'odd'] += v
        groups['even' if i % 2 == 0 else 'odd'].append(v)
        counts['p' if v > 0 else 'n'] += 1
        total += counts['p' if v > 0 else 'none']
    return dict(sums), groups, counts, total


def no_such_index(x):
    out = [[], []]
    for v in x:
        out[int(v)].append(v)
    return out


def no_such_key(x):
    out = {0: [], 1: []}
    for v in x:
        out[int(v)].append(v)
    return out


@pytest.mark.parametrize('f', [
    by_text, by_a_name, by_index, by_negative_index, by_counter, items_of_items, two_keys,
    in_tuples, popped, deleted, updated, looked_at, dataclasses_, objects, callables,
    of_a_display,     other_names, in_a_helper, without_a_loop, deques,
    only_one_has_such_an_item, with_a_factory, no_such_index, no_such_key,
])  # fmt: skip
def test_changed_in_its_place(f):
    check(f, *VECTORS, joins=True)


def named(x):
    groups = {'p': [1.0], 'n': [2.0]}
    group = groups['p' if x[0] > 0 else 'n']
    group[0] = 5.0
    return groups


def named_in_a_loop(x):
    rows = {'p': [[], [1.0]], 'n': [[], [2.0]]}
    k, total = 'n', 0.0
    for v in x:
        row = rows[k][int(v > 0)]
        row.append(v)
        total += sum(row)
    return rows, total


def named_before(x):
    groups = {'p': [1.0], 'n': [2.0]}
    group = groups['p' if x[0] > 0 else 'n']
    groups['p'][0] = 7.0
    return groups, group


def smallest(x):
    rows = [[1.0, 2.0], [5.0, 4.0]]
    row = min(rows, key=lambda row: row[0] * x[0])
    row[0] = 7.0
    return rows


def smallest_at_once(x):
    rows = [[], []]
    for v in x:
        max(rows, key=lambda row: len(row) * v).append(v)
    return rows


def first(x):
    rows = [[1.0, 2.0], [5.0, 4.0]]
    row = next((row for row in rows if row[1] > x[2]), [0.0])
    row.append(1.0)
    return rows


@pytest.mark.parametrize('f', [named, named_in_a_loop, named_before, smallest, first])
def test_by_another_name(f):
    check(f, *VECTORS, joins=True)


def test_by_another_name_that_is_refused():
    with pytest.raises(ag.errors.OwnershipError, match='in its place, by its key'):
        ag.function(smallest_at_once)(*VECTORS[0])


def test_what_is_advised_works():
    def f(x):
        rows = [[1.0, 2.0], [5.0, 4.0]]
        i = min(range(len(rows)), key=lambda i: rows[i][0] * x[0])
        rows[i][0] = 7.0
        return rows

    check(f, *VECTORS)


def reset(x):
    rows = [[], []]
    rows[int(x[0] > 0)] = [x[0]]
    return rows


def reset_in_its_place(x):
    rows = [[], []]
    rows[int(x[0] > 0)].clear()
    rows[int(x[0] > 0)].extend([x[0]])
    return rows


def test_empty_lists_are_replaced_in_their_place():
    check(reset, *VECTORS)
    check(reset_in_its_place, *VECTORS)


def test_a_new_key_of_a_defaultdict():
    def f(x):
        groups = collections.defaultdict(list, {0: [], 1: []})
        for v in x:
            groups[int(v)].append(v)
        return groups

    check(f, *VECTORS)


def runs(x):
    out, run = [], []
    for v in x:
        if v > 0:
            run.append(v)
        else:
            out.append(run)
            run = []
    return out


def copied_runs(x):
    out, run = [], []
    for v in x:
        if v > 0:
            run.append(v)
        else:
            out.append(run.copy())
            run = []
    return out


def test_lists_are_collected():
    check(runs, *VECTORS)
    check(copied_runs, *VECTORS)


def put_by_a_loop(x):
    out, row = [], [x[0], x[1]]
    for _ in x:
        out.append(row)
    row[0] = 5.0
    return out, row


def put_by_a_branch(x):
    groups, row = {'p': [], 'n': []}, [x[0], x[1]]
    groups['p' if x[0] > 0 else 'n'].append(row)
    row[0] = 5.0
    return groups, row


@pytest.mark.parametrize('f', [put_by_a_loop, put_by_a_branch])
def test_modified_after_it_was_put_into_a_list(f):
    check(f, *VECTORS, joins=True)
