"""Rows of a list that grows in a staged block, changed where they are."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1, 1, 2, 3, 3, 3, 1], [5] * 7, [2, 2, 1, 1, 2, 2, 0])]
NONE = (np.zeros(0, int),)


@dataclass
class Run:
    value: int
    count: int = 1

    def more(self):
        self.count += 1
        return self


def runs(xs):
    found = []
    for x in xs:
        if found and found[-1][0] == x:
            found[-1][1] += 1
        else:
            found.append([x, 1])
    return found


def runs_begun_at_once(xs):
    found = []
    for x in xs:
        if not found or found[-1][0] != int(x):
            found.append([int(x), 0])
        found[-1][1] += 1
    return [(value, count) for value, count in found]


def runs_of_objects(xs):
    found = []
    for x in xs:
        if found and found[-1].value == x:
            found[-1].count += 1
        else:
            found.append(Run(int(x)))
    return found


def runs_of_dicts(xs):
    found = []
    for x in xs:
        if found and found[-1]['value'] == x:
            found[-1]['count'] += 1
        else:
            found.append({'value': x, 'count': 1})
    return found


def merged(xs):
    out = []
    for i in range(len(xs)):
        start, end = xs[i], xs[i] + i % 3
        if not out or out[-1][1] < start:
            out.append([start, end])
        else:
            out[-1][1] = max(out[-1][1], end)
    return out


def by_index(xs):
    rows = []
    for x in xs:
        rows.append([x, 1])
    for i in range(1, len(rows)):
        rows[i][1] += rows[i - 1][1]
        rows[-i][0], rows[0][0] = rows[0][0], rows[-i][0]
    if len(rows) > 2:
        rows[0][1] = rows[x % 2][0] = -1
    return rows


def by_a_helper(xs):
    def count(row, n):
        row[1] += n

    rows = []
    for i, x in enumerate(xs):
        rows.append([x, 0])
        rows[i // 2][1] += 1
        count([x, 0], 1)
    return rows


def in_every_loop(xs):
    rows = []
    for x in xs:
        rows.append([x, [0, 0]])
        while rows[-1][0] < 3:
            rows[-1][0] += 1
            if x == 1:
                break
            rows[0][1][1] -= 1
        else:
            rows[0][1][0] += 1
    return rows


def a_row_that_is_not_there(xs):
    rows = []
    for x in xs:
        if x > 1:
            rows.append([x, 1])
        rows[-1][1] += 1
    return rows


@pytest.mark.parametrize(
    'f',
    [
        runs, runs_begun_at_once, runs_of_objects, runs_of_dicts, merged, by_index, by_a_helper,
        in_every_loop, a_row_that_is_not_there,
    ],
)  # fmt: skip
def test_is_changed_in_its_place(f):
    check(f, *CALLS)
    check(f, NONE)


def with_a_name_for_the_row(xs):
    rows = []
    for x in xs:
        row = [x, 1]
        rows.append(row)
        rows[-1][1] += 1
        row[0] += 1
    return rows


def with_a_name_taken_from_the_list(xs):
    rows, total = [], 0
    for x in xs:
        rows.append([x, 1])
        first = rows[0]
        rows[-1][1] += 1
        total += first[1]
    return total


def with_a_name_from_another_turn(xs):
    rows, row, total = [[0, 0]], [0, 0], 0
    for x in xs:
        rows[-1][1] += 1
        total += row[1]
        row = rows[-1]
        rows.append([x, 1])
    return total


def a_row_in_two_places(xs):
    rows = []
    for x in xs:
        rows.append([x, 1])
        rows.append(rows[0])
        rows[0][1] += 1
    return rows


def a_row_in_every_place(xs):
    def filled():
        row, rows = [0, 0], []
        for _ in xs:
            rows.append(row)
        return rows

    rows = filled()
    rows[0][1] = 5
    return rows


def a_row_of_two_lists(xs):
    rows = []
    for x in xs:
        rows.append([x, 1])
    others = rows[1:]
    rows[-1][1] = 5
    return others


def a_row_that_a_method_gives(xs):
    found, total = [], 0
    for x in xs:
        found.append(Run(x))
        last = found[-1].more()
        found[-1].more()
        total += last.count
    return total


@pytest.mark.parametrize(
    'f',
    [
        with_a_name_for_the_row, with_a_name_taken_from_the_list, a_row_in_two_places,
        a_row_in_every_place, a_row_of_two_lists, a_row_that_a_method_gives,
    ],
)  # fmt: skip
def test_with_another_name(f):
    check(f, *CALLS, joins=True)


def test_with_a_name_from_another_turn_is_refused():
    with pytest.raises(ag.errors.OwnershipError, match='test_rows'):
        ag.function(with_a_name_from_another_turn)(*CALLS[0])


def by_another_name(xs):
    rows = []
    other = rows
    for x in xs:
        rows.append([x, 0])
        other[-1][1] += x
    return rows, other


def numbers_by_another_name(xs):
    numbers = others = []
    for x in xs:
        others.append(x)
        numbers[-1] += len(others)
    return numbers


def by_another_name_in_two_loops(xs):
    rows = []
    other = rows
    for x in xs:
        for y in xs:
            rows.append([x, y])
            other[-1][0] += 1
    return rows


def by_another_name_in_a_branch(xs):
    rows = []
    other = rows
    for x in xs:
        if x > 1:
            rows.append([x, 0])
            other[-1][1] += x
    return rows


@pytest.mark.parametrize('f', [
    by_another_name_in_a_branch, by_another_name, numbers_by_another_name,
    by_another_name_in_two_loops,
])  # fmt: skip
def test_a_list_that_begins_empty_has_another_name(f):
    check(f, *CALLS, joins=True)
    check(f, NONE, joins=True)
