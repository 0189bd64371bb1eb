"""Ranges whose end only the running graph knows, where more is asked than a loop."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag


def test_length_items_and_membership():
    def asked(n):
        numbers = range(1, n)
        return len(numbers), numbers[0], numbers[-1], 2 in numbers, n in numbers

    check(asked, (np.int64(5),), (np.int64(3),), (np.int64(2),))


def test_membership_in_a_loop():
    def first_beyond(n):
        for i in range(10):
            if i not in range(n):
                return i
        return -1

    check(first_beyond, (np.int64(4),), (np.int64(0),), (np.int64(20),))


def test_slices_are_refused():
    with pytest.raises(ag.errors.StagingError, match=r'slice is taken of a range'):
        ag.function(lambda n: range(n)[1:3])(np.int64(5))


def test_where_numpy_takes_an_array():
    def arrays(x, n):
        y = x.copy()
        y[range(n)] = range(n)
        y[:n] += range(n)
        made = np.array(range(n)), np.sum(range(n)), x[range(n)]
        return made, x[:n] + range(n), x[:n] == range(n), y

    x = np.array([3.0, 1.0, 2.0])
    check(arrays, (x, np.int64(2)), (x, np.int64(0)), (x, np.int64(3)))


def test_several_at_once():
    def joined(x, n):
        return np.add(range(n), 1), np.stack([range(n), range(n)]), np.take(x, range(1, n))

    x = np.array([3.0, 1.0, 2.0])
    check(joined, (x, np.int64(3)), (x, np.int64(2)))


def test_what_it_is():
    def kind(n):
        numbers = range(n)
        return isinstance(numbers, range), isinstance(numbers, list), type(numbers) is range

    check(kind, (np.int64(2),))


def test_the_number_at_an_index():
    def numbers(n):
        few = range(1, 9, 3)
        return few[n], few[-n], range(n)[n - 1], range(n, -n, -1)[-1]

    def in_a_loop(n):
        total = 0
        for i in range(n):
            total += range(9, 0, -2)[i]
        return total

    for n in (1, 2, 3, 0, 9):
        assert differences(numbers, np.int64(n)) == []
        assert differences(in_a_loop, np.int64(n)) == []


@pytest.mark.parametrize('index', [2.0, np.float64(2)])
def test_an_index_is_an_integer(index):
    assert differences(lambda i: range(5)[i], index) == []


def test_ranges_in_a_list_are_not_returned():
    def f(xs):
        found = []
        for i, x in enumerate(xs):
            if x > 0:
                found.append(range(i + 1))
        return found

    with pytest.raises(ag.errors.StagingError, match='An iterator is returned'):
        ag.function(f)(np.array([1.0, 2.0]))


def test_the_text_of_a_range_with_a_step_of_the_graph():
    def f(xs):
        found = None
        for i, x in enumerate(xs):
            if x > 0:
                found = range(i + 1)
        return f'{found}'

    with pytest.raises(ag.errors.StagingError, match='Show its bounds'):
        ag.function(f)(np.array([1.0, 2.0]))


@pytest.mark.parametrize('use', [
    len, list, sum, lambda numbers: numbers[0], lambda numbers: 2 in numbers,
    lambda numbers: [i * 2 for i in numbers], lambda numbers: 7, lambda numbers: numbers.count(3),
])
def test_the_step_of_a_range_is_not_zero(use):
    def f(n):
        return use(range(0, 5, int(n)))

    check(f, (np.int64(0),), (np.int64(2),))


def test_an_empty_range_is_false():
    def f(n):
        return bool(range(0, 5, n)), 1 if range(n) else 2

    check(f, (np.int64(-1),), (np.int64(2),))


def test_the_place_of_a_number_is_asked_of_a_list():
    check(lambda n: list(range(n)).index(2), (np.int64(4),))
    with pytest.raises(ag.errors.StagingError, match=r'list\(range\(...\)\).index'):
        ag.function(lambda n: range(n).index(2))(np.int64(4))
