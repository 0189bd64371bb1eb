"""Lists that a `try` block puts something into: its handlers find that."""
from __future__ import annotations

from collections import Counter, defaultdict, deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def pops(x):
    rows = []
    try:
        rows.append(x)
        if x == 0:
            raise ValueError
    except ValueError:
        rows.pop()
    return rows


def reads(x):
    rows = []
    try:
        rows.append(x + 4)
        if x == 0:
            raise ValueError
    except ValueError:
        (first,) = rows
        return rows[-1] + max(rows) + np.stack(rows)[0] + first
    return x


def empties(x):
    rows = []
    try:
        rows.append(x)
        rows.append(x + 1)
        if x == 0:
            raise ValueError
    except ValueError:
        while rows:
            rows.pop()
    return rows


def of_tuples(x):
    rows = []
    try:
        rows.append((x, 2))
        if x == 0:
            raise ValueError
    except ValueError:
        return rows[0][1]
    return 3


def before_it_raises_in_a_branch(x):
    rows = []
    try:
        if x == 0:
            rows.append(x)
            raise ValueError
    except ValueError:
        rows.pop()
    return rows


def in_a_loop(x):
    rows = []
    try:
        for k in range(3):
            rows.append(x + k)
            if x + k == 2:
                raise ValueError
    except ValueError:
        rows.pop()
    return rows


def wider_than_before(x):
    rows = [1]
    try:
        rows.append(x + 0.5)
        if x == 0:
            raise ValueError
    except ValueError:
        return rows.pop()
    return x + 0.25


def in_a_dict(x):
    tables = {'a': [], 'b': [[]]}
    try:
        tables['a'].append(x)
        tables['b'][0].append(x)
        if x == 0:
            raise ValueError
    except ValueError:
        return tables['a'].pop() + tables['b'][0][-1]
    return x


class Bag:
    def __init__(self):
        self.rows = []

    def put(self, x):
        self.rows.append(x)
        if x == 0:
            raise ValueError


def of_an_object(x):
    bag = Bag()
    try:
        bag.put(x + 1)
        bag.put(x)
    except ValueError:
        bag.rows.pop()
    return bag.rows


def in_a_deque(x):
    rows = deque()
    try:
        rows.append(x)
        if x == 0:
            raise ValueError
    except ValueError:
        rows.popleft()
    return rows


def in_a_set(x):
    seen = set()
    try:
        seen.add(3)
        seen.add(x)
        if x == 0:
            raise ValueError
    except ValueError:
        seen.discard(3)
        return len(seen), x in seen
    return 7, False


def in_a_finally(x):
    rows = []
    try:
        rows.append(x + 1)
        if x == 0:
            raise ValueError
    except ValueError:
        rows.append(rows[-1] + 1)
    finally:
        rows.append(rows.pop() + 5)
    return rows


CASES = [
    pops, reads, empties, of_tuples, before_it_raises_in_a_branch, in_a_loop, wider_than_before,
    in_a_dict, of_an_object, in_a_deque, in_a_set, in_a_finally,
]  # fmt: skip


@pytest.mark.parametrize('f', CASES)
def test_the_handler_finds_what_was_put_into_an_empty_list(f):
    check(f, *[(np.int64(x),) for x in (0, 1, 2)], joins=True)


def until_it_raises(x):
    rows, n = [], 0
    try:
        while True:
            n += 1
            rows.append(n)
            if n > x:
                raise ValueError(n)
    except ValueError as error:
        return n, rows, str(error)


def until_nothing_is_left(x):
    rows, n = [x], 0
    try:
        while True:
            rows.pop()
            n += 1
            if n < x:
                rows.append(n)
    except IndexError as error:
        return n, str(error), rows


@pytest.mark.parametrize('f', [until_it_raises, until_nothing_is_left])
def test_a_block_that_only_an_exception_ends(f):
    check(f, *[(np.int64(x),) for x in (0, 1, 4)], joins=True)


def counts(x):
    found = Counter()
    try:
        found['a'] += 1
        if x == 0:
            raise ValueError
    except ValueError:
        return found['a']
    return 7


def groups(x):
    found = defaultdict(list)
    try:
        found['a'].append(x)
        if x == 0:
            raise ValueError
    except ValueError:
        return len(found)
    return 7


@pytest.mark.parametrize('f', [counts, groups])
def test_what_a_handler_cannot_find_in_a_dict_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match="needs 'found', which this `try` block"):
        ag.function(f)(np.int64(0))


def test_the_text_of_the_graph_shows_a_list_of_what_is_put_into_it_later():
    graph = ag.function(pops).get_concrete_function(np.int64(0)).graph
    assert 'rows: list of int64 = list\n' in str(graph)
