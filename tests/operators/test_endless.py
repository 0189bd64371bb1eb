"""`itertools.count` and `itertools.cycle`, and Python's other iterators in staged blocks."""
import itertools

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag

ROWS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, 0.5, 4.0]),)]


def test_a_loop_that_counts_until_a_tensor_ends_it():
    def f(x):
        for i in itertools.count(2, 3):
            x = x * 0.5
            if x < 1:
                return i

    check(f, (np.float64(9.0),), (np.float64(0.5),))


def test_a_count_is_state_of_a_staged_loop():
    def f(xs):
        ids = itertools.count(1)
        found = [next(ids) * x for x in xs if x > 0]
        return found, next(ids)

    check(f, *ROWS)


def test_a_count_goes_on_after_a_trace_that_was_given_up():
    def f(xs):
        ids = itertools.count()
        return [(next(ids), x) for x in xs], next(ids)

    check(f, *ROWS)


def test_a_cycle_of_an_array_and_of_a_list():
    def f(n, xs):
        items, signs = itertools.cycle(xs), itertools.cycle([1.0, -1.0])
        total = xs[0]
        for _ in range(n):
            total = total + next(items) * next(signs)
        return total, next(items)

    check(f, *((np.int64(n), *row) for n in (0, 7) for row in ROWS))


def test_a_count_and_a_cycle_that_python_takes_from():
    def f(xs):
        signed = [sign * x for x, sign in zip(xs, itertools.cycle([1, -1]))]
        few = list(itertools.takewhile(lambda i: i < 4, itertools.count(1)))
        return signed, few, list(zip(itertools.count(), xs)), list(itertools.cycle(()))

    check(f, *ROWS)


def test_no_staged_block_takes_from_an_iterator_of_pythons_that_was_there_before():
    def f(n, xs):
        both = itertools.chain(xs, xs)
        total = xs[0]
        for _ in range(n):
            total = total + next(both)
        return total

    def g(n, xs):
        both = itertools.chain(xs, xs)
        for _ in range(n):
            for x in both:
                xs = xs + x
                break
        return xs

    for each in (f, g):
        with pytest.raises(ag.errors.OwnershipError, match='changes both, a chain, in a way'):
            ag.function(each)(np.int64(3), *ROWS[0])


def numbered_by_a_count(xs):
    numbers, more = itertools.count(), itertools.count(100)
    found = list(zip(numbers, filter(None, xs), more, xs[xs > 1]))
    return found, next(numbers), next(more)


def numbered_until(xs):
    numbers, more = itertools.count(), itertools.count(100)
    total = np.float64(0)
    for i, x, j in zip(numbers, filter(None, xs), more):
        total += x * i + j
        if x < 2:
            break
    return total, next(numbers), next(more)


@pytest.mark.parametrize('f', [numbered_by_a_count, numbered_until])
def test_a_count_beside_what_only_the_running_graph_counts(f):
    one, two = np.array([3.0, 0.0, 2.0, 1.0, 5.0]), np.array([3.0, 2.0])
    for xs in (one, one[::-1], two, two - 3, two * 0, two[:0]):
        assert differences(f, xs) == []
