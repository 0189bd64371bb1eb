"""Lists that grow in a staged block."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [-1.0, -2.0, -3.0])]


def appended(xs):
    out = []
    for x in xs:
        out.append(x * 2)
    return out


def stacked(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.stack(out)


def sometimes(xs):
    out = [0.0]
    for x in xs:
        if x > 0:
            out.append(x)
    return out, len(out), out[-1]


def of_texts(xs):
    log, stack = ['start'], [('S', 0.0)]
    for x in xs:
        if x > 0:
            log.append(f'{x:.0f}')
            stack.append(('A', x))
        else:
            log += ['-', '-']
    return log, ' '.join(log), stack


def popped(xs):
    stack = []
    for x in xs:
        stack.append(x)
    s = 0.0
    while len(stack) > 0:
        s = s * 2 + stack.pop()
    return s, stack


def iterated(xs):
    out = []
    for x in xs:
        out.append(x + 1)
    s = 0.0
    for y in out:
        s += y
    return s


def indexed(xs, n):
    values = [xs[0], xs[1], xs[2]]
    s = xs[0] * 0
    for i in range(n):
        values[i] = values[i] * 2
        s += values[i]
    return s, values


def in_a_loop_in_a_branch(xs):
    out = []
    for x in (xs[0], xs[1]):
        if x < 0:
            for y in xs:
                out.append(y)
    return out


@pytest.mark.parametrize(
    'f', [in_a_loop_in_a_branch, appended, of_texts, stacked, popped, iterated])
def test_growing(f):
    check(f, *VECTORS)


def test_growing_in_a_branch():
    graph = ag.function(sometimes)
    for (xs,) in VECTORS:
        out, n, last = graph(xs)
        plain, plain_n, plain_last = sometimes(xs)
        assert out == plain
        assert (n, last) == (plain_n, plain_last)
    assert graph.tracing_count == 1


def test_indexed_by_a_tensor():
    check(indexed, *[(np.arange(3.0), np.int64(n)) for n in (0, 1, 3)])


def test_elements_that_do_not_join():
    @ag.function
    def f(xs):
        out = [np.zeros((2, 2))]
        for x in xs:
            out.append(x)
        return out

    with pytest.raises(ag.errors.StagingError, match=r'test_lists\.py'):
        f(np.ones(3))


def positive(xs):
    out = [np.float64(1)]
    for x in xs:
        if x > 0:
            out.append(x)
    return out


def orders(xs):
    out = positive(xs)
    back = out[::-1]
    out.sort()
    return out, back, sorted(back), sorted(back, reverse=True), out[1:], back[-2:]


def counted(xs):
    out = positive(xs)
    return out.count(2.0), out.index(1.0), min(out), max(out), sum(out), len(out)


def joined(xs):
    out = positive(xs)
    more = positive(xs * 2)
    first = [xs[0]]
    return out + more, out * 2, out + first, first + out


def extended(xs):
    out = positive(xs)
    for x in xs:
        out.extend([x, x * 2])
    out += [xs[0]]
    out.extend(xs)
    out.extend(positive(xs))
    return out


def emptied(xs):
    out = []
    total = 0
    for x in xs:
        if x > 1.5:
            out.clear()
        out.append(x)
        total = total + len(out)
    return out, total


def made_anew(xs):
    out = []
    for x in xs:
        if x > 1.5:
            out = []
        else:
            out.append(x)
    return out


def as_condition(xs):
    out = positive(xs)
    n = 0
    while out:
        out.pop()
        n += 1
    if not out:
        n += 10
    return n


@pytest.mark.parametrize(
    'f', [orders, counted, joined, extended, emptied, made_anew, as_condition]
)
def test_what_lists_can_do(f):
    check(f, *VECTORS)


def of_different_lengths(xs):
    out = []
    n = 0
    for x in xs:
        n = n + 1
        if x > -2.5:
            out.append(np.full(n, x))
    return np.hstack(out), out


def stacked_rows(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.vstack(out), np.hstack(out), np.stack(out, axis=1)


@pytest.mark.parametrize('f', [of_different_lengths, stacked_rows])
def test_joining(f):
    check(f, *VECTORS)


def test_the_array_of_a_list_is_made_once():
    def f(xs):
        out = []
        for x in xs:
            out.append(x * 2)
        return np.array(out)

    graph = check(f, *VECTORS)
    assert graph.get_concrete_function(VECTORS[0][0]).lowered_code.count('np.array') == 1


def test_a_loop_over_a_list_that_it_fills():
    def primes(n):
        found = []
        k = 2
        while k <= n:
            for p in found:
                if k % p == 0:
                    break
            else:
                found.append(k)
            k += 1
        return found

    check(primes, (np.int64(10),), (np.int64(1),))


def test_a_loop_over_a_list_that_stays_empty():
    def count(n):
        nothing = []
        turns = 0
        for i in range(n):
            for each in nothing:
                turns += each
        return turns, nothing

    check(count, (np.int64(2),), (np.int64(0),))


def copied(xs):
    out = positive(xs)
    more = list(out)
    more.append(xs[0])
    return out, more, list(reversed(out)), list(enumerate(out))


def compared(xs):
    out = positive(xs)
    return out == [1.0, 1.0, 2.0], out != [1.0], out == out.copy(), out == [], out == 1


def taken_out(xs):
    out = positive(xs)
    out.remove(1.0)
    out.sort(reverse=True)
    return out


def all_rows(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.concatenate(out), np.concatenate(out, axis=0), np.concatenate(out[:2])


def parts_of_different_lengths(xs):
    out = []
    n = 0
    for x in xs:
        n = n + 1
        if x > -5:
            out.append(np.full(n, x))
    return np.concatenate(out), len(out[1])


@pytest.mark.parametrize(
    'f', [copied, compared, taken_out, all_rows, parts_of_different_lengths]
)
def test_whole_lists(f):
    check(f, *VECTORS)


def without_a_slice(xs):
    out = positive(xs)
    del out[1:-1]
    return out


def slices_replaced(xs):
    out, rest, ends = positive(xs), positive(xs), positive(xs)
    out[1:2] = [xs[0], xs[1], xs[2]]
    del rest[:-1]
    ends[3:1] = ends
    ends[-2:-1] = xs
    del out[4:]
    return out, rest, ends


def extended_and_changed(xs):
    first, second = positive(xs), positive(xs)
    first.extend(second)
    second.append(xs[0])
    first.append(xs[1])
    second.extend(second)
    return first, second


def test_a_list_that_was_put_into_another_may_change():
    check(extended_and_changed, *VECTORS)


def test_slices_replaced():
    check(slices_replaced, *VECTORS)


def a_slice_of_the_graphs_replaced(xs):
    out, i = positive(xs), int(xs[0] > 0)
    out[i : i + 1] = [7.0]
    return out


@pytest.mark.parametrize('f', [without_a_slice, a_slice_of_the_graphs_replaced])
def test_slices_wherever_they_are(f):
    check(f, *VECTORS, joins=True)


def test_whether_a_list_is_empty():
    def ask(n):
        out = []
        for i in range(n):
            out.append(i)
        empty = bool(out)
        assert out or n == 0
        return empty, not out

    check(ask, (np.int64(2),), (np.int64(0),))


def test_an_assertion_that_a_list_is_not_empty():
    def ask(n):
        out = []
        for i in range(n):
            out.append(i)
        assert out, 'nothing'
        return len(out)

    check(ask, (np.int64(2),), (np.int64(0),))


def stacked_if_any(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
    return np.stack(out)


def test_nothing_to_stack():
    check(stacked_if_any, *VECTORS)
    with pytest.raises(ValueError, match='need at least one array to stack'):
        ag.function(stacked_if_any)(-np.ones(2))


def test_lists_repeated_as_often_as_a_number_says():
    def numbers(n):
        items = [0, 1.5] * int(n)
        counts = [0] * n
        for i in range(n):
            counts[i] += i
        return items, counts, n * [True], 'ab' * n

    check(numbers, (np.int64(3),), (np.int64(0),))
    check(lambda n: [1] * n, (np.array(3),))
    check(lambda n: [1] * n, (np.float64(3),))
    check(lambda x: x @ x, (np.float64(3),))


def items_of_a_row(x):
    total = 0.0
    items = x.tolist()
    for item in items:
        total += item
    items.append(1.5)
    return total, sum(x.tolist()), items, len(items)


def test_the_items_of_a_row():
    assert differences(items_of_a_row, np.array([3.0, -1])) == []


def test_tuples_of_as_many_elements_as_are_known():
    xs = np.array([1.0, 2.0])
    check(lambda xs: tuple(2 * x for x in xs), (xs,), (xs + 1,))
    check(lambda xs: tuple(x * y for y in (2, 3) for x in xs), (xs,), (xs + 1,))


def test_a_list_and_an_array_are_added_as_arrays():
    def added(xs):
        listed = [x for x in xs]
        more = [x for x in xs]
        more += xs
        return listed + xs, xs + listed, listed + xs[0], more

    check(added, (np.array([3.0, -1.0, 2.0]),), (np.array([1.0, 0.0, 5.0]),))


def test_a_list_is_extended_by_whatever_can_be_iterated_over():
    def extended(xs):
        found, pairs, more = [], [(xs[0], 1.0)], [xs[0]]
        found.extend(x for x in xs if x > 0)
        found += reversed(xs)
        pairs.extend(zip(xs, filter(None, xs)))
        pairs += zip(xs[xs > 0], xs)
        more += tuple(filter(None, xs))
        more += xs.flat
        return found, pairs, more

    check(extended, (np.array([3.0, -1.0, 2.0]),), (np.array([0.0, -1.0, -2.0]),))


def joined_if_there_are_some(m):
    rows = [row for row in m if row.sum() > 0]
    return np.stack(rows) if len(rows) > 0 else None


@pytest.mark.parametrize(
    'f',
    [
        joined_if_there_are_some,
        lambda m: np.stack([row for row in m]),
        lambda m: np.stack([row for row in m], axis=1),
        lambda m: np.concatenate([row for row in m]),
        lambda m: np.hstack([row for row in m]),
    ],
)
def test_joining_a_list_that_nothing_is_put_into(f):
    check(f, (np.zeros((0, 2)),))
    check(f, (np.ones((3, 2)),))


def test_a_slice_takes_the_keys_of_a_dict_and_no_set_whose_order_only_python_knows():
    def keys(xs):
        kept = [1.0, 2.0]
        kept[:1] = {int(x): 1 for x in xs}
        return kept

    def elements(xs):
        kept = [1.0, 2.0]
        kept[:] = {x for x in xs}
        return kept

    check(keys, (np.array([1.0, 2.0]),), (np.array([3.0, 3.0]),))
    with pytest.raises(ag.errors.StagingError, match='going over it, whose order is its own'):
        ag.function(elements)(np.ones(2))


def test_a_turn_puts_another_list_into_a_list_or_dict():
    def first(xs):
        lists = [[], []]
        for x in xs:
            lists[0], lists[1] = lists[1], [x]
        return lists

    def by_key(xs):
        groups = {'a': [], 'b': []}
        for x in xs:
            if x > 1:
                groups['a'] = [x, x]
            groups['a'].append(x)
        return groups

    for f in (first, by_key):
        check(f, (np.array([1.0, 2.0, 0.0]),), (np.array([3.0, -1.0, 2.0]),))
        check(f, (np.zeros(0),))
