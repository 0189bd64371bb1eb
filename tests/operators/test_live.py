"""Lists, dicts and objects in lists of the running graph, changed under all their names."""
from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [
    (np.array(x),) for x in ([1.0, 1, 2, 3, 3, 3], [5.0, 5, 5, 2, 1, 1], [2.0, 7, 1, 8, 2, 8])]
NONE = (np.zeros(0),)


@dataclass
class Particle:
    x: float
    v: float
    count: int = 0

    def bump(self):
        self.count += 1
        return self

    @property
    def momentum(self):
        return self.x * self.v


class Counter:
    kind = 'counter'

    def __init__(self, x):
        self.x = x
        self.count = 0

    def meet(self, other):
        other.x += 1
        self.x += other.x
        self.count += 1


@dataclass
class Node:
    key: float
    left: Node | None = None
    right: Node | None = None


def the_last_row(xs):
    rows = []
    for x in xs:
        if rows and rows[-1][0] == x:
            last = rows[-1]
            last[1] += 1
        else:
            rows.append([x, 1])
    return rows


def a_row_by_its_index(xs):
    rows = []
    for x in xs:
        rows.append([x, 0.0])
    for i in range(len(rows)):
        row = rows[i]
        row[1] = row[0] * 2
    return rows


def a_row_of_a_stack(xs):
    stack = []
    for x in xs:
        if stack and stack[-1][0] == x:
            pair = stack.pop()
            pair[1] += 1
            stack.append(pair)
        else:
            stack.append([x, 1])
    return stack


def the_last_row_or_none(xs):
    rows, last = [], None
    for x in xs:
        if last is not None and last[0] == x:
            last[1] += 1
        else:
            last = [x, 1]
            rows.append(last)
    return rows, last


def merged_spans(xs):
    merged = []
    for x in xs:
        if not merged or merged[-1][1] < x:
            merged.append([x, x + 1.5])
        else:
            last = merged[-1]
            last[1] = max(last[1], x + 1.5)
    return merged


def each_row(xs):
    rows = []
    for x in xs:
        rows.append([x, 0.0])
    for row in rows:
        row[1] = row[0] * 2
    for i, row in enumerate(rows):
        row[1] += i
    for row, x in zip(rows, xs):
        row[0] -= x
    for row in reversed(rows):
        row.reverse()
    return rows


def a_row_under_two_names(xs):
    rows, others = [], []
    for x in xs:
        row = [x, 0]
        rows.append(row)
        if x > 1:
            others.append(row)
        row[1] += 1
    for row in others:
        row[1] += 5
    rows.sort(key=lambda row: -row[0])
    if len(rows) > 2:
        a, b = rows[0], rows[0]
        a[1] += 1
        return rows, others, a is b, a is rows[1], a == b
    return rows, others, False, False, False


def slices_and_copies(xs):
    rows = []
    for x in xs:
        rows.append([x, 0])
    same, copies = rows[:], [row[:] for row in rows]
    for row in same:
        row[1] += 1
    for row in copies:
        row[0] = 0.0
    return rows, same, copies


def as_an_array(xs):
    rows = []
    for x in xs:
        rows.append([x, 0.0])
    for row in rows:
        row[1] += 1
    before = np.array(rows)
    for row in rows:
        row[1] += 1
    return before, rows


def dicts_in_a_list(xs):
    rows = []
    for x in xs:
        rows.append({'x': x, 'n': 0})
    for row in rows:
        row['n'] += 1
    return rows


def lists_in_rows(xs):
    rows = []
    for x in xs:
        rows.append([x, [0, 0]])
    for row in rows:
        row[1][0] += 1
        inner = row[1]
        inner[1] = 2
    return rows


def two_lists_of_rows(xs):
    a, b = [], []
    for _ in xs:
        a.append([1, 2])
        b.append([0.5, 1.0])
    for row in a:
        row[0] += 1
    for row in b:
        row[0] += 1
    return a, b


def runs_of_items(xs):
    groups, run = [], []
    for x in xs:
        if run and run[-1] != x:
            groups.append(run)
            run = []
        run.append(x)
    if run:
        groups.append(run)
    return groups, [len(group) for group in groups]


def longer_in_place(xs):
    groups = [[]]
    for x in xs:
        if x < 2:
            groups.append([])
        else:
            groups[-1].append(x)
    for group in groups:
        group += [0.0]
        group.insert(0, 1.0)
    return groups, [max(group) for group in groups], [sum(group) for group in groups]


def filtered_rows(xs):
    rows = []
    for x in xs:
        row = [y for y in xs if y > x]
        rows.append(row)
        row.append(7.0)
    return rows


def particles(xs, make):
    made = []
    for x in xs:
        p = make(x, 2.0)
        made.append(p)
        p.x += 1
    for _ in range(3):
        for p in made:
            p.x += p.v * 0.1
            if p.x > 2:
                p.v = -p.v
    best = None
    for p in made:
        if best is None or p.x > best.x:
            best = p
    if best is not None:
        best.count = 9
    return [(p.x, p.v, p.count) for p in made], len(made)


class Plain:
    def __init__(self, x, v):
        self.x, self.v, self.count = x, v, 0


def of_dataclass(xs):
    return particles(xs, Particle)


def of_plain_class(xs):
    return particles(xs, Plain)


def methods_and_properties(xs):
    made, total = [], 0.0
    for x in xs:
        p = Particle(x, 1.0)
        made.append(p)
        p.bump().bump()
    for p in made:
        total += p.momentum
    return total, made


def objects_that_meet(xs):
    made = []
    for x in xs:
        made.append(Counter(x))
    for i in range(len(made)):
        for j in range(len(made)):
            made[i].meet(made[j])
    return [c.x for c in made], [c.count for c in made], [c.kind for c in made[:1]], (
        [isinstance(c, Counter) for c in made], [type(c) is Counter for c in made])


def copied_objects(xs):
    made = []
    for x in xs:
        made.append(Particle(x, 1.0))
    for p in made:
        p.x += 1
    others = [replace(p, v=2.0) for p in made]
    for p in others:
        p.x -= 1
    copies = [copy.copy(p) for p in made]
    for p in copies:
        p.v = 0.5
    return made, others, copies


def counted(xs):
    made = []
    for x in xs:
        for p in made:
            if p.x == x:
                p.count += 1
                break
        else:
            made.append(Particle(x, 0.0))
    return made


@pytest.mark.parametrize('f', [
    the_last_row, a_row_by_its_index, a_row_of_a_stack, the_last_row_or_none, merged_spans,
    each_row, a_row_under_two_names, slices_and_copies, dicts_in_a_list, lists_in_rows,
    two_lists_of_rows, runs_of_items, longer_in_place, filtered_rows, of_dataclass, of_plain_class,
    methods_and_properties, objects_that_meet, copied_objects, counted,
])  # fmt: skip
def test_every_name_sees_a_change(f):
    check(f, *VECTORS, traces=1, joins=True)
    check(f, NONE, joins=True)


def test_an_array_of_rows():
    check(as_an_array, *VECTORS, traces=1, joins=True)


def pascal(n):
    rows = [[1]]
    for _ in range(n):
        previous = rows[-1]
        row = [1]
        for j in range(1, len(previous)):
            row.append(previous[j - 1] + previous[j])
        row.append(1)
        rows.append(row)
    return rows, len(rows[-1]), rows[-1][-1]


def test_rows_that_become_longer():
    check(pascal, (np.int64(6),), (np.int64(0),), traces=1)


def test_the_program_does_what_python_does():
    concrete = ag.function(the_last_row).get_concrete_function(*VECTORS[0])
    assert 'last = rows[-1]' in concrete.lowered_code


def neighbours(edges, n):
    near = [[] for _ in range(n)]
    for u, v in edges:
        near[int(u)].append(int(v))
        near[int(v)].append(int(u))
    seen, order, waiting = [False] * n, [], [0]
    while waiting:
        at = waiting.pop()
        if seen[at]:
            continue
        seen[at] = True
        order.append(at)
        for to in near[at]:
            if not seen[to]:
                waiting.append(to)
    return near, order


def test_neighbours_of_edges_that_only_the_graph_knows():
    edges = np.array([[0, 1], [1, 2], [0, 3], [3, 4]])
    check(neighbours, (edges, np.int64(6)), (edges[::-1].copy(), np.int64(5)), traces=1)
    check(neighbours, (edges[:0], np.int64(3)))


def inserted(xs):
    root = None
    for x in xs:
        if root is None:
            root = Node(x)
            continue
        node = root
        while True:
            if x < node.key:
                if node.left is None:
                    node.left = Node(x)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(x)
                    break
                node = node.right
    return root


def test_a_tree_by_insertion():
    check(inserted, *VECTORS, traces=1)
    check(inserted, NONE)


def a_row_from_before(xs):
    row, rows = [9.0, 9], []
    for x in xs:
        rows.append([x, 0])
        one = rows[-1] if x > 1 else row
        one[1] += 1
    return rows, row


def chained(xs):
    first, total, rows, row = None, 0.0, [], None
    for x in xs:
        first = Node(x, first)
        if row:
            row[0] += 1
        if x > 1:
            row = [x, 0]
            rows.append(row)
    node = first
    while node:
        total += node.key
        node = node.left
    return total, first, rows


def test_what_may_be_none_is_a_condition():
    check(chained, *VECTORS, traces=1, joins=True)
    check(chained, NONE, joins=True)


def two_names_in_a_branch(xs):
    a = b = None
    for x in xs:
        if x > 1:
            a = [x, 0]
            b = a
        elif a:
            a[1] = 5
    return a, b


@pytest.mark.parametrize('f', [a_row_from_before, two_names_in_a_branch])
def test_what_may_be_two_is_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match='test_live'):
        ag.function(f)(*VECTORS[0])


def a_local_class(xs):
    class Point:
        def __init__(self, x):
            self.x = x

    points = []
    for x in xs:
        if x > 2:
            points.append(Point(x))
    return [p.x for p in points]


def a_local_dataclass_with_a_method(xs):
    @dataclass
    class Count:
        x: float
        times: int = 0

        def bump(self):
            self.times += 1
            return self

    counts = []
    for x in xs:
        if counts and counts[-1].x == x:
            counts[-1].bump()
        else:
            counts.append(Count(x).bump())
    return [(c.x, c.times) for c in counts]


def a_local_class_with_an_attribute(xs):
    most = xs.sum()

    class Point:
        made = 0
        scale = 3

        def __init__(self, x):
            self.x = x
            Point.made += 1

        def scaled(self):
            return min(self.x * Point.scale, most)

    points = []
    for x in xs:
        if x > 2:
            points.append(Point(x))
    for p in points:
        p.x += 1
    return [p.scaled() for p in points], Point.made


def class_of(factor):
    class Scaled:
        def __init__(self, x):
            self.x = x * factor

    return Scaled


def two_local_classes_of_one_name(xs):
    twice, threefold = class_of(2), class_of(3)
    some, others = [], []
    for x in xs:
        if x > 2:
            some.append(twice(x))
            others.append(threefold(x))
        else:
            others.append(threefold(x + 1))
    return [p.x for p in some], [p.x for p in others]


@pytest.mark.parametrize('f', [
    a_local_class, a_local_dataclass_with_a_method, a_local_class_with_an_attribute,
    two_local_classes_of_one_name,
])  # fmt: skip
def test_objects_of_a_class_that_the_function_makes(f):
    check(f, *VECTORS, traces=1, joins=True)
    check(f, NONE, joins=True)


def a_class_for_every_one(xs):
    points = []
    for x in xs:
        class Point:
            def __init__(self, x):
                self.x = x

        if x > 2:
            points.append(Point(x))
    return [p.x for p in points]


def test_what_stays_unknown_is_refused():
    with pytest.raises(ag.errors.StagingError, match='test_live'):
        ag.function(a_class_for_every_one)(*VECTORS[0])


def test_a_trace_that_always_begins_anew_is_refused(monkeypatch):
    monkeypatch.setattr('autograph_lite.operators.live_types._MOST_TIMES', 0)
    with pytest.raises(ag.errors.StagingError, match='test_live'):
        ag.function(a_local_class)(*VECTORS[0])
