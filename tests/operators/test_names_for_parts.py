"""What is in a list or dict that only the running graph knows, and gets a name."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in (
    [1.0, -2.0, 3.0, 0.5, -1.0], [-1.0, -2.0, -3.0, 5.0, 6.0], [1.0, 1.0, 1.0, 1.0, 1.0])]


def popped_row(x):
    row = [1.0, 2.0]
    rows = {'p': [row], 'n': [[3.0, 4.0]]}
    taken = rows['p' if x[0] > 0 else 'n'].pop()
    taken[0] = 5.0
    return row, rows, taken


def gone_over(x):
    rows = {'p': [[1.0], [2.0]], 'n': [[3.0], [4.0]]}
    for row in rows['p' if x[0] > 0 else 'n']:
        row[0] = 5.0
    return rows


def joined(x):
    rows = {'p': [[1.0], [2.0]], 'n': [[3.0], [4.0]]}
    some = rows['p' if x[0] > 0 else 'n'] + []
    some[0][0] = 5.0
    return rows, some


def collected(x):
    rows = {'p': [[1.0], [2.0]], 'n': [[3.0], [4.0]]}
    some = [row for row in rows['p' if x[0] > 0 else 'n']]
    some[0][0] = 5.0
    return rows, some


def largest(x):
    rows = {'p': [[1.0], [2.0, 3.0]], 'n': [[3.0], [4.0]]}
    row = max(rows['p' if x[0] > 0 else 'n'])
    row[0] = 5.0
    return rows, row


def or_another(x):
    rows = {'p': [1.0], 'n': [2.0]}
    row = rows['p' if x[0] > 0 else 'n'] or [0.0]
    rows['p'][0] = 5.0
    return rows, row


def put_by_setdefault(x):
    groups, row = {'p': {}, 'n': {}}, [7.0]
    groups['p' if x[0] > 0 else 'n'].setdefault('a', row)
    row[0] = 5.0
    return groups, row


@pytest.mark.parametrize('f', [
    popped_row, gone_over, joined, collected, largest, put_by_setdefault])
def test_what_is_in_it_gets_another_name(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(*VECTORS[0])


def test_one_of_two_or_another():
    check(or_another, *VECTORS, joins=True)


def copied_where_it_is_popped(x):
    row = [1.0, 2.0]
    rows = {'p': [row], 'n': [[3.0, 4.0]]}
    taken = rows['p' if x[0] > 0 else 'n'].pop().copy()
    taken[0] = 5.0
    return row, rows, taken


def changed_by_index(x):
    rows = {'p': [[1.0], [2.0]], 'n': [[3.0], [4.0]]}
    k = 'p' if x[0] > 0 else 'n'
    for i in range(len(rows[k])):
        rows[k][i][0] = 5.0
    return rows


def asked_for_its_truth(x):
    groups, n = {'p': [1.0, 2.0], 'n': []}, 0
    for v in x:
        k = 'p' if v > 0 else 'n'
        if (groups[k] and groups[k][-1] > v) or not groups[k]:
            groups[k].append(v)
        while groups[k] and groups[k][-1] > 2:
            groups[k].pop()
        n += 1 if groups[k] else 2
    return groups, n


@pytest.mark.parametrize('f', [copied_where_it_is_popped, changed_by_index, asked_for_its_truth])
def test_without_another_name(f):
    check(f, *VECTORS, joins=True)


def by_setdefault(x):
    groups = {'p': [], 'n': []}
    for v in x:
        groups.setdefault('p' if v > 0 else 'n', []).append(v)
    return groups


def by_get(x):
    groups = {'p': [], 'n': []}
    for v in x:
        groups.get('p' if v > 0 else 'n').append(v)
    return groups


def of_an_empty_one(x):
    groups = {}
    for v in x:
        groups.setdefault('p' if v > 0 else 'n', []).append(v)
    return groups


def as_advised(x):
    groups = {'p': [], 'n': []}
    for v in x:
        k = 'p' if v > 0 else 'n'
        groups[k].append(v)
    return groups


def test_lists_in_a_dict_that_begins_empty():
    check(of_an_empty_one, *VECTORS, joins=True)


@pytest.mark.parametrize('f', [by_setdefault, by_get])
def test_what_a_method_of_a_dict_gives_is_changed_by_its_key(f):
    with pytest.raises(ag.errors.AutographError, match=r'groups\[k\].append\(v\)'):
        ag.function(f)(*VECTORS[0])
    check(as_advised, *VECTORS, joins=True)


def test_setdefault_of_a_key_that_is_there():
    def f(x):
        rates, total = {'p': 1.0, 'n': 2.0}, 0.0
        for v in x:
            total += rates.setdefault('p' if v > 0 else 'n', 0.0) * v
        return rates, total

    def of_another(x):
        rates = {'p': 1.0}
        return rates.setdefault('p' if x[0] > 0 else 'n', 0.0)

    check(f, *VECTORS, joins=True)
    with pytest.raises(ag.errors.StagingError, match='Give every key a value before'):
        ag.function(of_another)(VECTORS[1][0])
