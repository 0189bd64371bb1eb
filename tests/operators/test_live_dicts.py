"""Dicts, sets, lists and objects in dicts whose keys only the running graph knows."""
from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(x),) for x in ([1, 1, 2, 3, 3, 3], [5, 5, 5, 2, 1, 1], [2, 7, 1, 8, 2, 8])]
NONE = (np.zeros(0, int),)
EDGES = np.array([[0, 1], [1, 2], [0, 3], [3, 4], [0, 1]])


@dataclass
class Seen:
    first: int
    places: list = field(default_factory=list)


def sets_by_setdefault(edges):
    graph = {}
    for u, v in edges:
        graph.setdefault(int(u), set()).add(int(v))
    return graph


def sets_of_a_defaultdict(edges):
    graph = defaultdict(set)
    for u, v in edges:
        graph[int(u)].add(int(v))
        graph[int(v)].add(int(u))
    return {k: len(v) for k, v in graph.items()}


def sets_gone_over(edges):
    graph, total = {}, 0
    for u, v in edges:
        if int(u) not in graph:
            graph[int(u)] = set()
        graph[int(u)].add(int(v))
    for u in graph:
        for v in graph[u]:
            total += v
        graph[u].discard(1)
    return graph, total


@pytest.mark.parametrize('f', [sets_by_setdefault, sets_of_a_defaultdict, sets_gone_over])
def test_sets(f):
    check(f, (EDGES,), (EDGES[::-1].copy(),), traces=1)
    check(f, (EDGES[:0],))


def records(xs):
    found = {}
    for i, x in enumerate(xs):
        found.setdefault(int(x), {'n': 0, 'last': -1})
        record = found[int(x)]
        record['n'] += 1
        record['last'] = i
    return found


def dicts_that_grow(xs):
    found = defaultdict(dict)
    for i, x in enumerate(xs):
        found[int(x)][i] = float(x)
    return dict(found), {k: len(d) for k, d in found.items()}


def named_rows(xs):
    found = {}
    for i, x in enumerate(xs):
        if int(x) in found:
            row = found[int(x)]
            row[0] += 1
        else:
            found[int(x)] = [1, i]
    return found


def lists_gone_over(xs):
    found = {}
    for i, x in enumerate(xs):
        found.setdefault(int(x), []).append(i)
    for places in found.values():
        places.append(-1)
    for k, places in found.items():
        places[0] = k
    return found


def windows(xs):
    found = {}
    for i, x in enumerate(xs):
        if int(x) not in found:
            found[int(x)] = []
        window = found[int(x)]
        window.append(i)
        if len(window) > 1:
            window.pop(0)
    return found, [len(window) for window in found.values()]


def objects(xs):
    found = {}
    for i, x in enumerate(xs):
        if int(x) not in found:
            found[int(x)] = Seen(i)
        found[int(x)].places.append(i)
    return found, [len(seen.places) for seen in found.values()]


def a_queue(xs):
    waiting, done = deque(), []
    for x in xs:
        waiting.append([x, 1])
    while waiting:
        row = waiting.popleft()
        row[1] += 1
        if row[1] < 3:
            waiting.append(row)
        else:
            done.append(row)
    return done


def longer_paths(xs):
    waiting, found = [[0]], []
    while waiting and len(found) < 6:
        path = waiting.pop(0)
        found.append(path)
        for x in xs:
            if x > path[-1]:
                waiting.append([*path, int(x)])
    return found, len(waiting)


def subsets(xs):
    found = [[]]
    for x in xs:
        found = found + [subset + [int(x)] for subset in found]  # noqa: RUF005  as users write it
    for subset in found:
        subset.append(0)
    return found


def all_of_a_row(xs):
    rows = []
    for x in xs:
        rows.append([int(x), 0])
    for row in rows:
        row[:] = [row[1], row[0]]
    return rows


@pytest.mark.parametrize('f', [
    records, dicts_that_grow, named_rows, lists_gone_over, windows, objects, a_queue, longer_paths,
    subsets, all_of_a_row,
])  # fmt: skip
def test_every_name_sees_a_change(f):
    check(f, *VECTORS, traces=1, joins=True)
    check(f, NONE, joins=True)


def keys_taken_out(xs):
    rows = {}
    for i, x in enumerate(xs):
        row = rows.setdefault(int(x) % 3, {})
        row[i] = x
        taken = row.pop(i - 1, None)
        if taken is not None:
            row[i + 10] = taken
        if len(row) > 1:
            row.pop(next(iter(row)))
    return rows


def rows_taken_out(xs):
    rows = {}
    for i, x in enumerate(xs):
        row = rows.setdefault(int(x) % 3, {})
        row[i] = [x]
        if i > 1:
            taken = row.pop(i)
            taken.append(x)
            row[i + 10] = taken
    return rows


def what_is_in_one(xs):
    seen, times = {}, 0
    for i, x in enumerate(xs):
        group, row = seen.setdefault(int(x) % 3, set()), seen.setdefault(7, set())
        if int(x) in group:
            times += 1
        group.add(int(x))
        row.add(i)
    return seen, times


@pytest.mark.parametrize('f', [keys_taken_out, rows_taken_out, what_is_in_one])
def test_keys_are_taken_out_and_asked_for(f):
    check(f, *VECTORS, traces=1, joins=True)
    check(f, NONE, joins=True)


def a_key_that_is_not_there(xs):
    rows = {}
    for x in xs:
        rows.setdefault(int(x) % 3, {})[int(x)] = x
    return rows[2].pop(99)


def test_a_key_that_is_not_there_is_python_s_error():
    check(a_key_that_is_not_there, VECTORS[0])


def any_item(xs):
    rows = {}
    for i, x in enumerate(xs):
        row = rows.setdefault(int(x) % 3, {})
        row[i] = x
        row.popitem()
    return rows


def other_values(xs):
    rows = {}
    for i, x in enumerate(xs):
        rows.setdefault(int(x) % 3, {}).update({i: x})
    return rows


def all_of_two(xs):
    groups = {}
    for x in xs:
        group = groups.setdefault(int(x) % 3, set())
        group.add(int(x))
        groups[0] = group.union(group)
    return groups


def one_by_one(xs):
    rows, groups = {}, {}
    for i, x in enumerate(xs):
        rows.setdefault(int(x) % 3, {})[i] = x
        group = groups.setdefault(int(x) % 3, set())
        group.add(int(x))
        groups[0] = {0}
        for each in list(group):
            groups[0].add(each)
    return rows, groups


@pytest.mark.parametrize(('f', 'method'), [
    (any_item, 'popitem'), (other_values, 'update'), (all_of_two, 'union')])
def test_other_methods_are_refused(f, method):
    with pytest.raises(ag.errors.StagingError, match='test_live_dicts') as caught:
        ag.function(f)(*VECTORS[0])
    assert f'does not support `{method}`' in str(caught.value)
    assert 'Write a loop in its place' in str(caught.value)


def test_what_they_do_is_done_by_a_loop():
    check(one_by_one, VECTORS[0])
