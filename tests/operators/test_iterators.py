"""`map`, `filter`, `sorted` and generator expressions over tensors; iterators that are left."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([3.0, 1.0, 2.0], [-1.0, -2.0, -3.0], [2.0, 2.0, 0.0])]


def filtered(xs):
    total = 0.0
    for x in filter(lambda x: x > 1, xs):
        total = total * 2 + x
    return total


def filtered_truths(xs):
    return sum(filter(None, xs))


def mapped(xs):
    total = 0.0
    for x in map(lambda x: x * 2 if x > 1 else x, xs):
        if x > 3:
            break
        total += x
    return total


def mapped_pairs(xs):
    return sum(map(lambda x, y: x * y if x > 1 else y, xs, xs[::-1]))


def mapped_and_listed(xs):
    a, b, c = map(lambda x: x + 1, xs)
    return a, b, c


def chosen(xs):
    total = 0.0
    for x in (x * 2 for x in xs if x > 1):
        total = total * 2 + x
    return total


def chosen_until(xs):
    for x in (x * 2 for x in xs if x > 0):
        if x > 3:
            return x
    return -1.0


def sorted_numbers(xs):
    a, b, c = sorted([xs[2], xs[0], xs[1]])
    return a, b, c


def sorted_backwards(xs):
    return sorted([xs[2], xs[0], xs[1]], reverse=True)


def sorted_by_a_key(xs):
    return sorted(xs, key=lambda x: -x), sorted([0, 1, 2], key=lambda i: xs[i])


def sorted_by_a_key_backwards(xs):
    return sorted([0, 1, 2], key=lambda i: xs[i], reverse=True)


def sorted_by_a_python_key(xs):
    return sorted([xs, xs + 1, xs + 2], key=lambda y: 3 if y is xs else 2)


@pytest.mark.parametrize(
    'f',
    [
        filtered, filtered_truths, mapped, mapped_pairs, mapped_and_listed, chosen, chosen_until,
        sorted_numbers, sorted_backwards, sorted_by_a_key, sorted_by_a_key_backwards,
        sorted_by_a_python_key,
    ],
)  # fmt: skip
def test_over_tensors(f):
    check(f, *VECTORS, joins=True)


def resumed(xs):
    numbers = iter([1, 2, 3, 4])
    total = xs[0]
    for n in numbers:
        total = total * 10 + n
        break
    for n in numbers:
        if n > 2:
            break
        total = total * 10 + n
    return total, list(numbers)


def read_on(xs):
    elements = iter(xs)
    first = next(elements)
    total = 0.0
    for x in elements:
        total = total * 2 + x - first
    return total, next(elements, None)


def taken_once(xs):
    elements = (x * 2 for x in xs)
    return sum(elements), sum(elements)


@pytest.mark.parametrize('f', [resumed, read_on, taken_once])
def test_iterators_go_on_where_they_are(f):
    check(f, *VECTORS)


def test_a_generator_expression_is_taken_where_it_is_made():
    def f(xs):
        elements = (x * 2 for x in xs)
        if xs[0] > 0:
            return sum(elements)
        return sum(elements) + 1

    with pytest.raises(ag.errors.OwnershipError, match='made outside of it'):
        ag.function(f)(np.ones(2))
