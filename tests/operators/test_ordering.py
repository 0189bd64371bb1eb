"""`sorted`, `min` and `max` by keys, of tuples, and of what only the running graph knows."""
from __future__ import annotations

import heapq
import math

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag

X, Y = np.array([1.0, 5.0, 2.0, 5.0]), np.array([3.0, 1.0, 2.0, 1.0])
CALLS = [(X, Y), (Y, X), (-X, X)]


def test_the_best_index():
    def best(x, y):
        return max(range(len(x)), key=lambda i: x[i]), min([3, 1, 2], key=lambda i: y[i])

    check(best, *CALLS)


def test_names_by_their_values():
    def best(x, y):
        names = ['a', 'b', 'c', 'd']
        values = dict(zip(names, [x[0], x[1], x[2], x[3]], strict=True))
        return max(values, key=values.get), sorted(names, key=lambda n: values[n], reverse=True)

    check(best, *CALLS)


def test_stable_orders():
    def order(x, y):
        indices = range(len(x))
        return (
            sorted(indices, key=lambda i: x[i]),
            sorted(indices, key=lambda i: x[i], reverse=True),
            sorted(indices, key=lambda i: (y[i], -x[i])),
            sorted(indices, key=lambda i: (y[i], i), reverse=True),
            sorted([x[0], x[2], y[0]]),
            sorted(x, key=lambda v: abs(v - 2)),
        )

    check(order, *CALLS)


def test_tuples():
    def extremes(x, y):
        pairs = [(x[i], i) for i in range(3)]
        return max(pairs), min(pairs), sorted(pairs), max(zip(x, y)), min(enumerate(x), key=second)

    def second(pair):
        return pair[1]

    check(extremes, *CALLS)


def test_rows_and_default():
    def largest(x):
        rows = max(x, key=lambda row: row.sum())
        return rows, max([row.sum() for row in x], default=-1.0)

    check(largest, (np.array([[1.0, 5.0], [2.0, 2.0]]),))


def test_of_any_length():
    def best(n, x, y):
        found = [x[i] * 2 for i in range(n)]
        return (
            max(found, default=y), min(found, key=lambda v: -v, default=y),
            max(range(n), key=lambda i: x[i], default=0),
        )

    check(best, *((np.int64(n), X, np.float64(-1)) for n in (3, 1, 0)))


def test_nothing_is_an_error():
    @ag.function
    def f(n, x):
        return max(zip(range(n), x))[0]

    assert f(np.int64(2), X) == 1
    with pytest.raises(ValueError, match='empty'):
        f(np.int64(0), X)


def test_keys_of_python_stay_with_python():
    calls = []

    def length(name):
        calls.append(name)
        return len(name)

    @ag.function
    def f(x):
        return x, sorted(['aaa', 'b', 'cc'], key=length), max('a', 'bb', key=length)

    assert f(X)[1:] == (['b', 'cc', 'aaa'], 'bb')
    assert calls == ['aaa', 'b', 'cc', 'a', 'bb']


@pytest.mark.parametrize('x', [
    np.array([1, np.nan, -np.inf, 0.0, -0.0]), np.array([3, 1, 2]), np.array([]), np.array([2j, 1]),
])  # fmt: skip
def test_items_of_a_row_as_python_sorts_them(x):
    assert differences(lambda x: (sorted(x), sorted(x, reverse=True), len(sorted(x))), x) == []


def test_bools_index_a_number():
    assert differences(lambda x: (x[x > 0], x[True], x[None, np.True_]), np.float64(2)) == []


def pairs_in_order(xs):
    pairs = [(x, i) for i, x in enumerate(xs)]
    other_name = pairs
    pairs.sort()
    return other_name


def by_a_key_in_reverse(xs):
    pairs = [(i, x) for i, x in enumerate(xs)]
    pairs.sort(key=lambda pair: pair[1], reverse=True)
    return pairs


def of_a_list_that_a_loop_fills(xs):
    pairs, plain = [], []
    for i, x in enumerate(xs):
        if x > 1:
            pairs.append((x, i))
            plain.append(x)
    pairs.sort()
    plain.sort(key=lambda x: -x)
    return pairs, plain, sorted(pairs, key=lambda pair: pair[1], reverse=True)


def in_a_loop(xs):
    heap = [(x, i) for i, x in enumerate(xs) if x > 0]
    while len(heap) > 1:
        heap.sort()
        (a, i), (b, _) = heap.pop(0), heap.pop(0)
        heap.append((a + b, i))
    return heap


def in_a_dict(xs):
    found = {'all': [xs[0], xs[1], xs[2]], 'none': [3, 1, 2]}
    found['all'].sort(reverse=True)
    found['none'].sort()
    return found


@pytest.mark.parametrize('f', [
    pairs_in_order, by_a_key_in_reverse, of_a_list_that_a_loop_fills, in_a_loop, in_a_dict,
])  # fmt: skip
def test_lists_are_sorted_in_place(f):
    check(f, (X,), (np.array([3.0, 1.0, 2.0, 2.0]),), (np.array([-3.0, -1.0, -2.0, 0.5]),))


def test_arrays_have_no_order():
    def f(x, y):
        pairs = [x, y]
        pairs.sort()
        return pairs

    with pytest.raises(ValueError, match='ambiguous'):
        ag.function(f)(X, Y)


# Numbers that have no order: what comes where depends on which of them Python compares.
UNORDERED = [
    (np.array(numbers),)
    for numbers in (
        [3.0, np.nan, 1.0, 2.0, 0.0], [np.nan, np.nan, 3.0, -1.0, np.nan],
        [-0.0, 0.0, -0.0, np.nan, -0.0], [5.0, 4.0, np.nan, 3.0, 2.0], [1.0, 1.0, 1.0, 0.0, 1.0],
    )
]  # fmt: skip


def indices(x):
    return sorted(range(5), key=lambda i: x[i]), sorted(range(5), key=lambda i: x[i], reverse=True)


def some_of_them(x):
    return sorted([x[0], x[1], x[2], x[3]]), sorted([(x[i], i) for i in range(5)], reverse=True)


def by_two(x):
    return sorted(x, key=lambda v: (v > 0, v)), sorted(x, key=abs, reverse=True)


def of_a_list(x):
    pairs = []
    for i, v in enumerate(x):
        if not v > 100:
            pairs.append((v, i))
    pairs.sort(key=lambda pair: -pair[0], reverse=True)
    return pairs


def behind_one_that_is_the_same(x):
    return sorted([(np.nan, x[0]), (np.nan, x[1]), (np.nan, x[2])])


def the_first(x):
    return heapq.nsmallest(3, x), heapq.nlargest(2, [(v, 1) for v in x]), heapq.nlargest(-2, x)


def the_best(x):
    return min(range(5), key=lambda i: x[i]), max(x, key=lambda v: -v), min(x[1], x[0], x[3])


@pytest.mark.parametrize('f', [
    indices, some_of_them, by_two, of_a_list, behind_one_that_is_the_same, the_first, the_best,
])  # fmt: skip
def test_nan_goes_where_python_leaves_it(f):
    check(f, *UNORDERED)


def test_as_many_as_the_graph_knows():
    def f(x, n):
        return heapq.nsmallest(n, x)

    check(f, *((x, n) for (x,) in UNORDERED for n in (np.int64(2), np.int64(-1))))


def test_complex_numbers_of_numpy_are_compared():
    def f(x):
        return sorted([x[0] + 1j, x[1], x[2]]), sorted(x, key=lambda z: z * 1j)

    check(f, *[(x + 0j,) for (x,) in UNORDERED])
    with pytest.raises(TypeError, match='not supported between'):
        ag.function(lambda x: sorted(x, key=complex))(X)


def test_keys_that_hold_lists_of_several_lengths():
    def f(xs):
        groups, pairs = {}, []
        for i, x in enumerate(xs):
            groups.setdefault(int(x), []).append(x * i)
            if i % 2:
                pairs.append((1, [y for y in xs if y > x]))
        items = groups.items()
        return sorted(items), sorted(items, reverse=True), min(items), sorted(pairs)

    check(f, *((np.array(x),) for x in ([2.0, 1.0, 2.0, 3.0], [-1.0, 4.0, -1.0, 1.0])))


def queued(x, n):
    queue = []
    for i in range(n):
        queue.sort(key=lambda z: -z)
        queue.append(x * i)
    return queue


def queued_tuples(x, n):
    queue = []
    for i in range(n):
        queue.sort(key=lambda z: z[1], reverse=True)
        queue.append((x * i, i % 2))
    return queue


def in_a_branch(x, n):
    items = []
    if n > 0:
        items.sort(key=abs)
    items.append(x)
    return items


@pytest.mark.parametrize('f', [queued, queued_tuples, in_a_branch])
def test_a_list_that_is_empty_at_first(f):
    check(f, *((np.float64(2), np.int64(n)) for n in (0, 1, 4)))


@pytest.mark.parametrize('key', [abs, lambda z: (-z, 1.0)])
def test_nothing_to_sort(key):
    def f(xs):
        items = [x for x in xs]
        items.sort(key=key)
        return items, heapq.nsmallest(2, items, key=key), heapq.nlargest(len(xs), xs, key=key)

    check(f, (np.zeros(0),))
    check(f, (np.array([2.0, -3.0, 1.0]),))


def test_as_many_of_nothing_as_the_graph_knows():
    def f(x, n):
        return heapq.nsmallest(n, [], key=abs), x

    check(f, *((X, np.int64(n)) for n in (-1, 0, 2)))


class Keyed:
    def __init__(self, key):
        self.key = key


def test_the_graph_knows_which_way_round():
    def rows(x, n):
        return sorted(x, reverse=n), sorted(x, key=lambda v: -v, reverse=n)

    def pairs(x, n):
        found = [(i, v) for i, v in enumerate(x) if v > 0]
        found.sort(key=lambda pair: pair[1], reverse=n)
        return sorted([(1, x[0]), (2, x[0]), (0, x[1])], key=lambda pair: pair[1], reverse=n), found

    def known(x, n):
        names = sorted(['b', 'a', 'c'], reverse=bool(n > 0))
        numbers = [3.0, x[0]]
        numbers.sort(reverse=bool(n > 0))
        return names, numbers, sorted({'b': 1, 'a': 2}, reverse=int(n))

    def in_a_loop(x, n):
        total = x[0]
        for i in range(n):
            total = total * 10 + sorted(x, reverse=i)[0]
        return total

    def objects(x, n):
        keyed = [Keyed(x[0]), Keyed(x[1]), Keyed(x[1])]
        by_key = sorted(keyed, key=lambda each: each.key, reverse=n)
        known = sorted([Keyed(2), Keyed(3)], key=lambda each: each.key, reverse=bool(n > 0))
        return [each.key for each in by_key], [each.key for each in known]

    def by_a_float(x, n):
        return sorted(x, reverse=x[0])

    calls = [(np.array([3.0, 1.0, 2.0]), np.int64(n)) for n in (0, 1, 2)]
    for f in (rows, pairs, known, in_a_loop, objects):
        check(f, *calls)
    try:
        sorted((), reverse=1.5)
    except TypeError as error:
        with pytest.raises(TypeError, match=f"numpy.float64{str(error).partition('float')[2]}"):
            ag.function(by_a_float)(*calls[0])
    else:
        check(by_a_float, *calls)


def test_what_is_known_of_the_keys_decides_before_what_the_graph_knows():
    def by_name(x):
        rows = [('b', [x, x]), ('a', [x]), ('c', [])]
        rows.sort(reverse=True)
        return sorted({'b': x, 'a': x + 1}.items()), sorted([(2, [x]), (1, [])]), rows

    def in_parts(x):
        return sorted([('b', 1, x), ('a', 2, x), ('b', 0, -x)]), sorted([[(1, 'b'), x], [(1,), x]])

    def in_a_heap(x):
        rows = [(3, x), (1, x + 1), (2, -x)]
        first = heapq.nsmallest(2, rows), heapq.nlargest(1, rows)
        heapq.heapify(rows)
        return first, heapq.heappop(rows)

    def ties(x):
        return sorted([(1, x[0]), (0, x[1]), (1, x[2])])

    def no_order(x):
        return sorted([(math.nan, x), (1.0, x), (0.0, -x)])

    for f in (by_name, in_parts, in_a_heap, ties, no_order):
        check(f, (X,), (Y,))


def test_what_is_known_of_the_keys_may_have_no_order():
    def mixed(x):
        return sorted([(1, x), ('a', x)])

    def tied_arrays(x):
        return sorted([(1, x), (1, x + 1)])

    with pytest.raises(TypeError, match="between instances of 'str' and 'int'"):
        ag.function(mixed)(X)
    with pytest.raises(ValueError, match='truth value of an array'):
        ag.function(tied_arrays)(X)


def one_array_beside_equal_numbers(x):
    a = np.array([x, x])
    tied = sorted([(1, a), (1, a)])
    pairs = [(x, a), (x + 1, a), (x, a)]
    pairs.sort(reverse=True)
    return tied[0][0], [k for k, _ in pairs], sorted('ab', key=lambda s: (1, a, s == 'a'))


def test_an_array_is_equal_to_itself_before_it_is_compared():
    check(one_array_beside_equal_numbers, (np.float64(1),))

    def two_arrays(x):
        return sorted([(1, x), (1, x + 1)])

    with pytest.raises(ValueError, match='ambiguous'):
        ag.function(two_arrays)(np.ones(2))
