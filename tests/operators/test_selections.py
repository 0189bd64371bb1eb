"""`itertools`: what chooses elements, and what never ends."""
from __future__ import annotations

import itertools
from itertools import compress, count, cycle, dropwhile, filterfalse, islice, repeat, takewhile

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

ROWS = [(np.array(v),) for v in ([1.0, 2.0, -3.0, 4.0], [-1.0, 0.5, 4.0, -2.0], [1.0] * 4)]
COUNTS = [(np.array([1.0, -2.0, 3.0, -4.0]), np.int64(n)) for n in (2, 0, 3, 9)]


def taken(xs):
    total = 0.0
    for x in takewhile(lambda x: x > 0, xs):
        total = total + x
    return total


def dropped(xs):
    total = 0.0
    for x in dropwhile(lambda x: x > 0, xs):
        total = total + x
    return total


def listed(xs):
    return (
        list(takewhile(lambda x: x > 0, xs)), list(dropwhile(lambda x: x > 0, xs)),
        list(filterfalse(lambda x: x > 0, xs)), list(compress(xs, xs > 0)))


def left_by_break(xs):
    total = 0.0
    for i in range(2):
        for y in dropwhile(lambda y: y < 0, xs):
            if y > 1:
                break
            total = total + y * i
        for y in takewhile(lambda y: y != 0.5, xs):
            if y > 3:
                break
            total = total + 1
    return total


def of_a_list(xs):
    ys = [x for x in xs if x > 0]
    return sum(takewhile(lambda y: y < 3, ys)), sum(filterfalse(None, [xs[0], xs[1] - 2]))


def pairs(xs):
    few = [x for x in xs if x > 0]
    return [a * b for a, b in itertools.pairwise(few)], list(itertools.pairwise(xs))


def starred(xs):
    few = [(x, i) for i, x in enumerate(xs) if x > 0]
    scaled = list(itertools.starmap(lambda x, i: x * i if i > 1 else x, few))
    return scaled, list(itertools.starmap(pow, [(2, 3), (3, 2)]))


def of_python(xs):
    numbers = list(takewhile(lambda i: i < 4, count(1)))
    taking = dropwhile(lambda i: i < 3, [1, 2, 3, 4])
    return numbers, next(taking), next(taking), xs


def of_few(xs):
    return [x * y for x, y in zip(takewhile(lambda i: i < 3, [1, 2, 3]), xs)]


@pytest.mark.parametrize(
    'f', [taken, dropped, listed, left_by_break, of_a_list, of_python, of_few, pairs, starred])
def test_same_as_python(f):
    check(f, *ROWS, joins=True)


def sliced(xs, n):
    total = 0.0
    for x in islice(xs, n):
        total = total + x
    return total, list(islice(xs, 1, n)), list(islice([2.0, 3.0, 4.0], n)), sum(islice(xs, n, None))


def sliced_endless(xs, n):
    signs = cycle([1.0, -1.0])
    first = list(islice(signs, n))
    return first, next(signs)


def repeated(xs, n):
    total = 0.0
    for x in repeat(xs[0], n):
        total = total + x
    return total, list(repeat(2, n))


@pytest.mark.parametrize('f', [sliced, sliced_endless, repeated])
def test_a_number_that_the_running_graph_knows(f):
    check(f, *COUNTS, joins=True)


def test_a_negative_number():
    def f(xs, n):
        return sum(islice(xs, n))

    check(f, COUNTS[0], (COUNTS[0][0], np.int64(-1)))


def test_an_iterator_of_pythons_is_refused():
    def f(xs, n):
        return sum(islice(itertools.chain(xs, xs), n))

    with pytest.raises(ag.errors.StagingError, match='Where `islice` ends'):
        ag.function(f)(*COUNTS[0])


def test_what_is_refused_says_what_to_write():
    def joined(xs):
        return list(itertools.chain([x for x in xs if x > 0], xs))

    def grouped(xs):
        return [len(list(group)) for _, group in itertools.groupby(xs)]

    for f, text in (joined, r'\[\*a, \*b\]'), (grouped, 'compares the key with the one before'):
        with pytest.raises(ag.errors.StagingError, match=text):
            ag.function(f)(*ROWS[0])


def of_known_length(xs):
    sums = list(itertools.accumulate(xs)), list(itertools.accumulate(xs, max))
    return sums, list(itertools.chain(xs, [1.0])), [key for key, _ in itertools.groupby('aab')]


def test_of_known_length():
    check(of_known_length, *ROWS)


LIMITS = [(np.array([1.0, 2.0, 3.0]), np.float64(limit)) for limit in (5.0, 40.0, 0.0)]


def zipped(xs, limit):
    total = 0.0
    for i, x in zip(count(), cycle(xs)):
        total = total + x * i
        if total > limit:
            break
    return total, i


def enumerated(xs, limit):
    total = 0.0
    for i, (x, y) in enumerate(zip(cycle(xs), cycle([1, 2])), 1):
        total = total + x * y
        if total > limit:
            return i, total


def the_same_again(xs, limit):
    total = 0.0
    numbers = count(1)
    for x, i in zip(repeat(xs[0]), numbers):
        total = total + x * i
        if total > limit:
            break
    return total, next(numbers)


@pytest.mark.parametrize('f', [zipped, enumerated, the_same_again])
def test_endless_ones_beside_each_other(f):
    check(f, *LIMITS)
