"""A list or tuple of lists, dicts and objects of one form, indexed by a tensor."""
from __future__ import annotations

import collections
import dataclasses

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

Pair = collections.namedtuple('Pair', 'a b')


@dataclasses.dataclass
class Point:
    x: object
    y: object


@dataclasses.dataclass
class One:
    value: object


BOARD = [[1, 2, 3], [4, 5, 6]]


def of_a_board(i):
    return BOARD[i][1], BOARD[i][i], sum(BOARD[i]), len(BOARD[i]), max(BOARD[i])


def rows_made_here(i):
    rows = [[i, 1], [2, i]]
    a, b = rows[i]
    return rows[i], a - b, [x * 2 for x in rows[i]]


def of_a_tuple(i):
    return ([1, 2.5], [3, 4.5])[i]


def dicts(i):
    return [{'a': 1, 'b': np.ones(2)}, {'a': 2, 'b': np.zeros(3)}][i]['b']


def named_tuples(i):
    return [Pair(1, 2), Pair(3, 4)][i]


def objects(i):
    return [Point(1, 'left'), Point(2, 'right')][i]


def nested(i):
    return [[1, [2, 3]], [4, [5, 6]]][i][1][0]


def of_one_element(i):
    return [[1], [2]][i], [(1,), (2,)][i], [{'a': 1}, {'a': 2}][i], [One(1), One(2)][i]


def taken_in_turn(i):
    rows = iter([[1, 2], [3, 4]])
    total = 0
    for _ in range(i):
        total = total * 10 + np.sum(next(rows))
    return total


@pytest.mark.parametrize(
    'f',
    [
        of_a_board, rows_made_here, of_a_tuple, dicts, named_tuples, objects, nested,
        of_one_element, taken_in_turn,
    ],
)  # fmt: skip
def test_read(f):
    check(f, *[(np.int64(i),) for i in (0, 1, -1, 2)], joins=True)


def test_modified_in_its_place():
    def modified(i):
        rows = [[1, 1], [2, 2]]
        rows[i][0] = 9
        return rows

    check(modified, *[(np.int64(i),) for i in (0, 1, -1, 2)])


def lengthened(i):
    rows = [[1, 1], [2, 2]]
    row = rows[i]
    row.append(3)
    return rows


def another_is_modified(i):
    rows = [[1, 1], [2, 2]]
    row = rows[i]
    rows[0][0] = 9
    return row


@pytest.mark.parametrize('f', [lengthened, another_is_modified])
def test_which_one_is_modified_the_running_graph_knows(f):
    check(f, *[(np.int64(i),) for i in (0, 1, -1, 2)], joins=True)


@pytest.mark.parametrize('rows', [[[1], [2, 3]], [{'a': 1}, {'b': 2}], [[], []]])
def test_of_several_forms(rows):
    check(lambda i: rows[i], *[(np.int64(i),) for i in (0, 1, -1, 2)], joins=True)


def test_of_several_kinds():
    rows = [[1], 2]
    with pytest.raises(ag.errors.StagingError, match='same structure on both ways'):
        ag.function(lambda i: rows[i])(np.int64(0))
