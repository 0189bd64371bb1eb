"""`np.split` into as many parts as only the running graph knows."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.arange(12.0).reshape(6, 2)


def test_runs_of_equal_numbers():
    def runs(x):
        groups = np.split(x, np.flatnonzero(np.diff(x)) + 1)
        long = []
        for g in groups:
            if len(g) > 1:
                long.append(g[0])
        return groups, len(groups), [g.sum() for g in groups], long

    check(runs, (np.array([3, 3, 1, 2, 2, 3]),), (np.array([1, 1, 1, 1, 1, 1]),))


@pytest.mark.parametrize('f', [
    lambda x, n: np.split(x, n),
    lambda x, n: np.array_split(x, n, axis=1),
    lambda x, n: np.hsplit(x, n),
    lambda x, n: np.vsplit(x, n),
    lambda x, n: np.split(x, range(n)),
])  # fmt: skip
def test_a_number_of_parts(f):
    check(f, (X, np.int64(2)), (X, np.int64(1)), (X, np.int64(5)))


def test_what_has_parts_is_not_modified():
    def modified(x, n):
        x = x.copy()
        first = np.array_split(x, n)[0]
        x[0] = 9
        return first

    with pytest.raises(ag.errors.OwnershipError, match=r'whose parts `np\.array_split` gave'):
        ag.function(modified)(X, np.int64(2))
