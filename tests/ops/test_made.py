"""What NumPy makes of numbers alone while tracing is the graph's own: each call has a new one."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

MADE = [
    lambda x: np.roll(np.float64(2), 1),
    lambda x: np.atleast_1d(3.0),
    lambda x: np.expand_dims(np.float64(1), 0),
    lambda x: np.repeat(np.float64(2), 3),
    lambda x: np.resize(np.float64(1), 2),
    lambda x: np.ravel(1.0),
    lambda x: np.where(True, 1, 2),
    lambda x: np.block([[1.0, 2.0]]),
    lambda x: np.i0(np.float64(1)),
    lambda x: np.piecewise(np.float64(1), [True], [1]),
    lambda x: np.select([np.True_], [np.float64(1)]),
    lambda x: np.sqrt([1.0, 4.0]),
    lambda x: np.linalg.inv([[1.0, 2.0], [3.0, 4.0]]),
    lambda x: np.float64(2).repeat(3),
    lambda x: np.add.accumulate([1.0, 2.0]),
    lambda x: np.linalg.eigh([[2.0, 0.0], [0.0, 3.0]]).eigenvectors,
    lambda x: np.array_split([1.0, 2.0], 2)[1],
    lambda x: np.float64(2)[None],
    lambda x: np.sqrt(4.0)[(..., None) if x.ndim else ...],
    lambda x: np.bool_(True) & [True, False],
    lambda x: np.float64(2) < [1.0, 3.0],
    lambda x: np.float64(2) - (1.0, 3.0),
]


@pytest.mark.parametrize('f', MADE)
def test_what_a_caller_does_to_a_result_changes_no_later_one(f):
    g = check(f, (np.ones(3),))
    first = g(np.ones(3))
    first[...] = 7
    np.testing.assert_array_equal(g(np.ones(3)), f(np.ones(3)))


def test_it_is_modified_like_any_array():
    def items(x):
        total = np.repeat(0.0, 3)
        for i in range(len(x)):
            total[i] += x[i]
        return total

    def whole(x):
        total = np.resize(0.0, 3)
        total += x
        return total

    def out(x):
        total = np.ravel(0.0)
        return np.add(x[0], total, out=total)

    def other_name(x):
        table = np.block([[1.0, 2.0, 3.0]])
        row = table[0]
        row[0] = x[0]
        return table

    def in_a_branch(x):
        total = np.repeat(0.0, 3)
        if x[0] > 0:
            total[0] = 1
        return total

    for f in (items, whole, out, other_name, in_a_branch):
        check(f, (np.arange(1.0, 4.0),), (np.arange(-1.0, 2.0),))


def test_one_that_is_only_read_is_not_copied():
    def f(x):
        return x * np.repeat(0.5, 3)

    g = check(f, (np.ones(3),))
    assert 'copy' not in g.get_concrete_function(np.ones(3)).lowered_code


def test_its_numbers_are_known_until_it_is_modified():
    def known(x):
        ends = np.cumsum([2, 3])
        return x[: ends[0]], x[ends[:-1][0] : ends[1]], 'abcdef'[ends[1]]

    def modified(x):
        ends = np.cumsum([2, 3])
        ends[0] = np.sum(x > 3)
        return ends[0], ends[1]

    graph = check(known, (np.arange(7.0),)).get_concrete_function(np.arange(7.0)).graph
    assert [value.type.shape for value in graph.outputs[:2]] == [(2,), (3,)]
    check(modified, (np.arange(7.0),))


WARNING = [
    lambda x: np.exp(1000.0) if x[0] > 5 else 2.0,
    lambda x: np.log([0.0, 1.0])[0] if x[0] > 5 else 2.0,
    lambda x: np.std([]) if x[0] > 5 else 2.0,
    lambda x: np.mean([]) if x[0] > 5 else 2.0,
    lambda x: np.add.reduce([1e308, 1e308]) if x[0] > 5 else 2.0,
    lambda x: np.float32(1e300) if x[0] > 5 else np.float32(2),
]


@pytest.mark.parametrize('f', WARNING)
def test_what_warns_does_so_when_the_graph_comes_there_and_each_time(f):
    g = ag.function(f)
    assert g(np.ones(3)) == 2
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            result = g(np.full(3, 6.0))
        with warnings.catch_warnings(record=True) as expected:
            warnings.simplefilter('always')
            np.testing.assert_equal(result, f(np.full(3, 6.0)))
        assert [str(each.message) for each in caught] == [str(each.message) for each in expected]
