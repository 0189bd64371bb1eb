"""`in`, and items of Python's containers."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check


def in_a_tuple(x):
    return 1 if x in (1, 2) else 0


def not_in_a_list(x):
    return x not in [1, 5] and x in {2, 3, 7}


def in_a_range(x):
    return x in range(1, 9, 2), x in range(5, 0, -2), x in range(0)


def in_nothing(x, nothing=()):
    return x in nothing


@pytest.mark.parametrize('f', [in_a_tuple, not_in_a_list, in_a_range, in_nothing])
def test_scalars(f):
    check(f, *[(np.int64(v),) for v in (-1, 0, 1, 2, 5, 7, 9)])


def test_in_an_array():
    def f(x, xs):
        return x in xs, 3.0 not in xs

    check(f, (np.float64(1), np.array([1.0, 2.0])), (np.float64(5), np.array([3.0, 2.0])))


def test_python_containers_stay_python():
    def f(x, names):
        return x * 2 if 'a' in names else x

    check(f, (np.float64(1), {'a': 1}), (np.float64(1), {'b': 1}), traces=2)


def test_a_list_indexed_by_a_tensor():
    def f(i, x):
        table = [1.0, 2.0, 3.0]
        rows = (x, x * 2)
        return table[i] * rows[i % 2]

    check(f, *[(np.int64(i), np.ones(2)) for i in (0, 1, -1)])


def in_a_list_of_tensors(n, x, y):
    return n in [x, y], 7 not in (x, y), x in [x]


def test_a_number_in_a_list_of_tensors():
    check(
        in_a_list_of_tensors,
        (np.int64(1), np.int64(1), np.int64(7)),
        (np.int64(3), np.int64(2), np.int64(4)),
    )
