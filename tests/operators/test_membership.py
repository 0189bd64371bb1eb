"""`in`, and items of Python's containers."""
from __future__ import annotations

import operator

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag


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


def in_a_range_of_the_running_graph(n, k):
    return k in range(n), k not in range(2, n, 3), k in range(n, -3, -2), 2 in range(k, n)


@pytest.mark.parametrize('kind', [np.int64, np.int8, np.float64])
def test_in_a_range_of_which_only_the_running_graph_knows_the_end(kind):
    f = in_a_range_of_the_running_graph if kind is not np.float64 else lambda n, k: k in range(n)
    check(f, *[(np.int64(n), kind(k)) for n in (-4, 0, 3, 11) for k in (-3, 0, 2, 5, 8, 100)])


def test_no_number_of_a_long_range_is_looked_at():
    def f(n, k):
        return 2 in range(n), k in range(n), k in range(10 ** 15), k in range(-10 ** 15, 0, 3)

    concrete = ag.function(f).get_concrete_function(np.int64(0), np.int64(0))
    assert concrete(np.int64(10 ** 15), np.int64(7)) == (True, True, True, False)


def test_an_unsigned_integer_in_a_range_from_below_zero():
    check(lambda k: (k in range(-5, 5), k in range(2 ** 70)), *[(np.uint8(k),) for k in (0, 4, 5)])


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


def test_the_functions_of_the_operators():
    def f(x, xs):
        asked = operator.truth(x), operator.not_(x > 0), operator.contains([1.0, 3.0], x)
        return asked, operator.contains(xs, x)

    check(f, *((np.float64(x), np.array([3.0, 5.0])) for x in (0.0, 3.0, 5.0)))


def test_an_index_out_of_range_is_told_of_a_tuple_and_of_a_list():
    def of_numbers(n):
        return (10, 20, 30)[n], [1, 2, 3][n]

    def of_pairs(n):
        return ((10, n), (20, 1))[n]

    for f in (of_numbers, of_pairs):
        for n in (0, 1, -2, 2, 9, -9):
            assert differences(f, np.int64(n)) == []


def test_an_array_is_no_element_of_a_set_and_no_key():
    def f(x):
        return x in {0, 1, 2}

    def g(x):
        return x in {0: 1}

    for x in (np.array(3), np.array([1, 2])):
        check(f, (x,))
        check(g, (x,))
