"""Loops over everything that one may loop over, from no turn on."""
from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest
from reference.sweep import (
    COUNTERS,
    FLOATS,
    ITERABLES,
    NUMBERS,
    RANGES,
    each,
    integers,
    sweep,
)

import autograph_lite as ag

LISTS = [[], [4], [3, 1], [1, 2, 3]]
FORMS = list(itertools.product((int, np.int64, np.array), repeat=2))


def while_one(n):
    i = 1
    while i < n:
        i = i * 3 + 1
    return i


def while_two(n):
    digits = 0
    i = 0
    while i < n:
        digits = digits * 10 + i
        i += 1
    return digits


def while_nothing(n):
    while n > 10:
        pass
    return n


def while_the_bound_moves(n):
    i = 0
    while i < n:
        i += 2
        n = n - i % 3
    return i, n


def while_swapped(n):
    a, b = 0, 1
    i = 0
    while i < n:
        a, b, i = b, a + b, i + 1
    return a, b


def while_counts_down(n):
    turns = 0
    while n:
        n = n - 1
        turns += 1
    return turns


def while_else(n):
    total = 0
    while n > 0:
        n = n - 1
        if n > 2:
            break
        total += n
    else:
        total = -100
    return total


def while_both_bounds(n):
    i = 0
    while -1 < i < n and i != 2:
        i += 1
    return i


@pytest.mark.parametrize(
    'f',
    [
        while_one, while_two, while_nothing, while_the_bound_moves, while_swapped,
        while_counts_down, while_else, while_both_bounds,
    ],
)  # fmt: skip
def test_while(f):
    sweep(f, each(NUMBERS, [0, 1, 2, 4]) + each(FLOATS, [0.0, 3.0]), joins=True)


def for_last(xs):
    last = -1
    for last in xs:
        pass
    return last


def for_one(xs):
    digits = 0
    for x in xs:
        digits = digits * 10 + x
    return digits


def for_counted(xs):
    turns = 0
    for _ in xs:
        turns += 1
    return turns


def for_two(xs):
    total, largest = 0, -5
    for x in xs:
        total += x
        if x > largest:
            largest = x
    return total, largest


def for_else(xs):
    total = 0
    for x in xs:
        if x == 1:
            break
        total = total * 10 + x
    else:
        total = total - 1000
    return total


def for_numbered(xs):
    total = 0
    for i, x in enumerate(xs):
        total += i * x
    return total


def for_numbered_from(xs):
    total = 0
    for i, x in enumerate(xs, start=2):
        total += i * x
    return total


def for_paired(xs):
    total = 0
    for a, b in zip(xs, xs):
        total += a * 10 - b
    return total


def for_paired_and_numbered(xs):
    total = 0
    for i, (a, b) in enumerate(zip(xs, range(5))):
        total = total * 3 + i * a + b
    return total


def for_reversed(xs):
    digits = 0
    for x in reversed(xs):
        digits = digits * 10 + x
    return digits


def for_indexed(xs):
    digits = 0
    for i in range(len(xs)):
        digits = digits * 10 + xs[i]
    return digits


def for_indexed_backwards(xs):
    digits = 0
    for i in range(len(xs) - 1, -1, -1):
        digits = digits * 10 + xs[i]
    return digits


def for_listed(xs):
    digits = 0
    for x in list(xs):
        digits = digits * 10 + x
    return digits


def for_sorted(xs):
    digits = 0
    for x in sorted(xs):
        digits = digits * 10 + x
    return digits


def for_a_generator(xs):
    total = 0
    for x in (2 * x for x in xs):
        total += x
    return total


def for_mapped(xs):
    total = 0
    for x in map(lambda x: x + 1, xs):
        total += x
    return total


def for_chosen(xs):
    total = 0
    for x in filter(lambda x: x > 1, xs):
        total += x
    return total


@pytest.mark.parametrize(
    'f',
    [
        for_last, for_one, for_counted, for_two, for_else, for_numbered, for_numbered_from,
        for_paired, for_paired_and_numbered, for_reversed, for_indexed, for_indexed_backwards,
        for_listed, for_sorted, for_a_generator, for_mapped, for_chosen,
    ],
)  # fmt: skip
def test_for(f):
    sweep(f, each(ITERABLES, LISTS), joins=True)


@pytest.mark.parametrize('f', [for_last, for_one, for_counted, for_two, for_else, for_numbered])
def test_for_over_ranges(f):
    sweep(f, each(RANGES, [0, 1, 3]), joins=True)


def range_one(n):
    total = 0
    for i in range(n):
        total = total * 10 + i
    return total


def range_two(n):
    total = 0
    for i in range(1, n):
        total = total * 10 + i
    return total


def range_three(n):
    total = 0
    for i in range(n, 0, -2):
        total = total * 10 + i
    return total


def range_of_steps(n):
    total = 0
    for i in range(-3, 5, n + 1):
        total += i
    return total


def range_in_reverse(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 10 + i
    return total


def range_with_else(n):
    total = 0
    for i in range(n):
        if i == 2:
            break
        total += i
    else:
        total += 100
    return total


def range_numbered(n):
    total = 0
    for i, j in enumerate(range(2, n)):
        total += i * j
    return total


def range_alters_its_bound(n):
    total = 0
    for i in range(n):
        n = n - 1
        total += i
    return total, n


@pytest.mark.parametrize(
    'f',
    [
        range_one, range_two, range_three, range_of_steps, range_in_reverse, range_with_else,
        range_numbered, range_alters_its_bound,
    ],
)  # fmt: skip
def test_range(f):
    sweep(f, each(NUMBERS, [0, 1, 3]), joins=True)


@pytest.mark.parametrize('n', [1.0, np.float64(1.0), np.array([1.0]), '1'])
def test_a_range_of_what_is_no_integer(n):
    with pytest.raises(TypeError):
        range_one(n)
    with pytest.raises(TypeError):
        ag.function(range_one)(n)


# What else one may loop over.


def rows(m):
    total = 0
    for row in m:
        total = total * 2 + row.sum()
    return total


def elements(m):
    digits = 1
    for row in m:
        for x in row:
            digits = digits * 2 + x
    return digits


def numbered_elements(m):
    total = 0
    for i, row in enumerate(m):
        for j, x in enumerate(row):
            total += x * (i + 1) - j
    return total


def columns(m):
    total = 0
    for column in m.T:
        total = total * 2 + column[0] - column[-1]
    return total


def unpacked_rows(m):
    total = 0
    for a, b in m:
        total = total * 10 + a - b
    return total


def starred_rows(m):
    total = 0
    for a, *rest in m:
        total = total * 10 + a - rest[0]
    return total


@pytest.mark.parametrize('f', [rows, elements, numbered_elements, columns])
def test_rows(f):
    matrices = [np.arange(a * b).reshape(a, b) for a, b in [(1, 1), (1, 3), (2, 2), (3, 2)]]
    sweep(f, matrices + [m.astype(np.float32) for m in matrices], joins=True)


@pytest.mark.parametrize('f', [rows, elements, numbered_elements])
def test_no_rows(f):
    sweep(f, [np.zeros((0, 3)), np.zeros((2, 0)), np.zeros((0, 0), np.int64)], joins=True)


@pytest.mark.parametrize('f', [unpacked_rows, starred_rows])
def test_rows_taken_apart(f):
    pairs = [[1, 2], [3, 5], [4, 0]]
    sweep(f, [np.array(pairs), np.array(pairs[:1]), pairs, [(1, 2)], np.zeros((0, 2))], joins=True)


@pytest.mark.parametrize('f', [elements, numbered_elements])
def test_nested_lists(f):
    sweep(
        f,
        [
            [], [[]], [[], []], [[1]], [[1, 2], [3]], ((1,), [2, 3]),
            [np.array([1, 2]), np.array([3, 4])], [np.array([1, 2]), np.array([3])],
            [[], integers([]), [1], integers([1]), [np.int64(1), 2]],
        ],
        joins=True,
    )  # fmt: skip


def keys(d):
    total = 0
    for k in d:
        total = total * 10 + d[k]
    return total


def values(d):
    total = 0
    for v in d.values():
        total = total * 10 + v
    return total


def items(d):
    out = {}
    for k, v in d.items():
        if v > 1:
            out[k] = v
        else:
            out[k] = -v
    return out


@pytest.mark.parametrize('f', [keys, values, items])
@pytest.mark.parametrize('form', [int, np.int64, np.array])
def test_dicts(f, form):
    sweep(f, [{}, {'a': form(1)}, {'a': form(1), 'b': form(2)}], joins=True)


def characters(text, x):
    for c in text:
        x = x * 2 if c == 'a' else x + 1
    return x


def test_text():
    sweep(characters, ['', 'a', 'abca'], each(NUMBERS, [3]))


def a_set(n):
    total = n
    for k in sorted({3, 1, 2}):
        if total > k:
            total = total - k
    return total


def a_counter(n):
    total = n
    for k, count in collections.Counter('abracadabra').items():
        total = total + count if k == 'a' else total - count
    return total


def a_product(n):
    total = n
    for a, b in itertools.product(range(2), (3, 4)):
        total = total * a + b
    return total


def a_chain(n):
    total = n
    for a in itertools.chain([1], (2, 3), range(2)):
        if total > a:
            total = total - a
    return total


def a_deque(n):
    queue = collections.deque([n, n + 1])
    total = 0
    while queue:
        total = total * 10 + queue.popleft()
    return total


@pytest.mark.parametrize('f', [a_set, a_counter, a_product, a_chain, a_deque])
def test_other_containers(f):
    sweep(f, each(NUMBERS, [0, 5]))


# Variables that the loop makes.


def while_makes(n):
    i = 0
    while i < n:
        i = n + 1
        made = i + 1
    return i, made


def for_makes(xs):
    for x in xs:
        made = x * 2
    return made


def for_makes_its_target(xs):
    for x in xs:
        pass
    return x


def for_makes_parts_of_it(xs):
    for i, x in enumerate(xs):
        pass
    return i, x


def for_makes_a_nest(xs):
    for x in xs:
        made = {'a': x, 'b': (x * 2, [x])}
    return made


def for_makes_an_array(xs):
    for x in xs:
        made = np.zeros((1, 2)) + x
    return made


def for_makes_a_growing_array(xs):
    i = 0
    for _ in xs:
        made = np.arange(i) + 1
        i += 1
    return made


def for_makes_one_from_itself(xs):
    for i, x in enumerate(xs):
        if i == 0:
            made = x
        else:
            made = made * 2 + x
    return made


LOOPS_THAT_MAKE = [
    for_makes, for_makes_its_target, for_makes_parts_of_it, for_makes_a_nest, for_makes_an_array,
    for_makes_a_growing_array, for_makes_one_from_itself,
]  # fmt: skip


@pytest.mark.parametrize('f', LOOPS_THAT_MAKE)
def test_variables_that_a_loop_makes(f):
    sweep(f, each(ITERABLES, LISTS))


def test_variables_that_a_while_loop_makes():
    sweep(while_makes, each(COUNTERS, [0, 1, 2]))


@pytest.mark.parametrize('f', LOOPS_THAT_MAKE)
def test_without_a_turn_they_are_named_where_they_are_read(f):
    def over_a_part(xs, n):
        return f(xs[:n])

    graph = ag.function(over_a_part)
    xs = np.array([1.0, 2.0])
    graph(xs, np.int64(2))
    with pytest.raises(UnboundLocalError, match=r"'(made|x|i)'"):
        graph(xs, np.int64(0))
    assert graph.tracing_count == 1


# One after another, and inside one another.


def successive_whiles(a, b):
    s = 0
    i = 0
    while i < a:
        s = s * 10 + i
        i += 1
    i = 0
    while i < b:
        s = s * 10 + i
        i += 1
    return s


def nested_whiles(a, b):
    i = 0
    out = []
    while i < a:
        j = 0
        s = 1
        while j < b:
            s = s * 10 + i * j
            j += 1
        out.append(s)
        i += 1
    return out


def nested_whiles_of_each_other(a, b):
    r = 1
    while a > 0:
        r += 1
        t = b
        while t > 0:
            a = a - 1
            t = t - 1
        a = a - 1
    return r


def nested_ranges(a, b):
    r = 1
    for i in range(a):
        for j in range(i, b):
            r = r * 2 + j
        r += i
    return r


def range_in_while(a, b):
    r = 0
    while a > 0:
        for i in range(b):
            r += a * i
        a = a - 1
    return r


def while_in_range(a, b):
    r = 0
    for i in range(a):
        j = b
        while j > i:
            j = j - 1
            r += j
    return r


@pytest.mark.parametrize(
    'f',
    [
        successive_whiles, nested_whiles, nested_whiles_of_each_other, nested_ranges,
        range_in_while, while_in_range,
    ],
)  # fmt: skip
def test_two_bounds(f):
    for one, other in FORMS:
        sweep(f, each([one], [0, 1, 2]), each([other], [0, 1, 2]), joins=True)


def successive_fors(xs, ys):
    s = 0
    for x in xs:
        s = s * 10 + x
    for x in ys:
        s = s * 10 + x
    return s


def independent_fors(xs, ys):
    p = 0
    for _ in xs:
        inner = ys
        for y in inner:
            p += y
    return p


def dependent_fors(xs, ys):
    r, s = 1, 0
    for _ in xs:
        r += s
        for y in ys:
            s += y
    return r, s


def for_in_a_found_one(xs, ys):
    s = 0
    for x in xs:
        if x in ys:
            break
        s = s * 10 + x
    else:
        s = -1000
    return s


@pytest.mark.parametrize(
    'f', [successive_fors, independent_fors, dependent_fors, for_in_a_found_one]
)
def test_two_iterables(f):
    sweep(f, each(ITERABLES, LISTS[:3]), each(ITERABLES, LISTS[:3]), joins=True)


def four_deep(n, xs):
    total = 0
    for i in range(n):
        for x in xs:
            j = 0
            while j < i:
                for y in xs:
                    if y > x:
                        total += j + 1
                j += 1
    return total


def test_four_deep():
    sweep(four_deep, each((int, np.int64), [0, 3]), each(ITERABLES, [[], [1, 2]]), joins=True)
