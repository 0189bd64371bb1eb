"""Dicts outside that get keys which only the running graph knows: the graph sets them there."""
from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest
from differential import same
from states import left

import autograph_lite as ag

CALLS = [np.array([1, 2, 1]), np.array([3, 2, 3]), np.array([9, 1, 9])]
NUMBERS = [np.int64(5), np.int64(3), np.int64(5), np.int64(7)]


def of_counts(counts):
    def f(xs):
        for v in xs:
            k = int(v)
            if k in counts:
                counts[k] += 1
            else:
                counts[k] = 1
        return counts.get(int(xs[1]), 0), len(counts)
    return f


def of_a_factory(counts):
    def f(xs):
        for v in xs:
            counts[int(v)] += 1
        return counts[int(xs[0])]
    return f


def of_a_memo(cache):
    def fib(n):
        if n in cache:
            return cache[n]
        a, b = 0, 1
        for _ in range(n):
            a, b = b, a + b
        cache[n] = a
        return a
    return fib


def of_steps(cache):
    def collatz(n):
        path = []
        m = int(n)
        while m != 1 and m not in cache:
            path.append(m)
            m = m // 2 if m % 2 == 0 else 3 * m + 1
        known = 0 if m == 1 else cache[m]
        for i in range(len(path)):
            cache[path[len(path) - 1 - i]] = known + i + 1
        return known + len(path)
    return collatz


def of_recursion(cache):
    def fib(n):
        if n in cache:
            return cache[n]
        if n < 2:
            return n
        found = fib(n - 1) + fib(n - 2)
        cache[n] = found
        return found
    return fib


@pytest.mark.parametrize('make', [of_memo for of_memo in (of_a_memo, of_steps, of_recursion)])
def test_a_memo_table_is_filled_and_read(make):
    left(dict, make, NUMBERS, lambda cache: cache.pop(3, None))


def test_counts_go_on_from_what_the_caller_has_put_there():
    left(dict, of_counts, CALLS, lambda counts: counts.update({7: 5, 2: 40}))


@pytest.mark.parametrize('make_state', [
    Counter, lambda: defaultdict(int), lambda: defaultdict(float),
    lambda: defaultdict(lambda: 10)])
def test_a_key_that_is_not_there_is_made(make_state):
    left(make_state, of_a_factory, CALLS, lambda counts: counts.pop(2, None))


class Tracker:
    def __init__(self):
        self.counts, self.sums, self.n = {}, defaultdict(float), 0

    def step(self, xs):
        for v in xs:
            k = int(v)
            self.counts[k] = self.counts.get(k, 0) + 1
            self.sums[k] += v * 0.5
            self.n += 1
        return max(self.counts.values())


def test_an_attribute_is_such_a_dict():
    left(Tracker, lambda tracker: tracker.step, CALLS, lambda tracker: tracker.counts.clear())


def of_all_that_reads(counts):
    def f(xs):
        for v in xs:
            counts[int(v)] = counts.get(int(v), 0) + 1
        total = 0
        for k, n in counts.items():
            total = total * 10 + k * n
        for k in counts:
            total = total * 3 + k
        pairs = sorted(counts.items()), list(counts), dict(counts), {**counts}, counts.copy()
        found = min(counts, key=counts.get), max(counts.values()), sum(counts.values())
        return total, pairs, found, 1 in counts, int(xs[1]) in counts.keys(), counts == {1: 2}
    return f


def test_all_of_it_is_read_after_a_change():
    left(dict, of_all_that_reads, CALLS, lambda counts: counts.update({7: 5}))


def of_a_counter(counts):
    def f(xs):
        counts.update(int(v) for v in xs)
        counts.subtract({1: 3})
        return counts.most_common(2), counts.total(), counts[99], +counts, -counts
    return f


def of_a_sum(counts):
    def f(xs):
        nonlocal counts
        more = Counter()
        for v in xs:
            more[int(v)] += 1
        counts += more
        return len(counts)
    return f


@pytest.mark.parametrize('make', [of_a_counter, of_a_sum])
def test_a_counter_does_what_counters_do(make):
    left(Counter, make, CALLS, lambda counts: counts.update([1, 5]))


def of_the_least_recent(cache):
    def f(xs):
        hits = 0
        for v in xs:
            k = int(v)
            if k in cache:
                cache.move_to_end(k)
                hits += 1
            else:
                cache[k] = k * k
                if len(cache) > 2:
                    cache.popitem(last=False)
        return hits
    return f


def test_keys_stay_in_order():
    left(OrderedDict, of_the_least_recent, CALLS, lambda cache: cache.update({1: 5}))


def of_what_takes_out(table):
    def f(xs):
        total = 0
        for v in xs:
            k = int(v)
            if k in table:
                total += table.pop(k)
            else:
                table[k] = k * 2
            total += table.pop(k + 1, 100)
        if int(xs[2]) in table:
            del table[int(xs[2])]
        return total, len(table)
    return f


def of_what_sets(table):
    def f(xs):
        table.update({int(v): int(v) * 2 for v in xs})
        table.update([(int(xs[0]), 7)])
        table.setdefault(int(xs[1]) + 1, 3)
        table[0] = len(table)
        return table[0], table.setdefault(int(xs[1]), 3)
    return f


@pytest.mark.parametrize('make', [of_what_takes_out, of_what_sets])
def test_items_are_taken_out_and_set_by_methods(make):
    left(dict, make, CALLS, lambda table: table.update({1: 5}))


def of_groups(groups):
    def f(xs):
        for v in xs:
            groups[int(v) % 3].append(v)
        return len(groups[0]), sum(groups[1])
    return f


def of_groups_by_setdefault(groups):
    def f(xs):
        for v in xs:
            groups.setdefault(int(v), []).append(v)
        return len(groups[int(xs[0])])
    return f


@pytest.mark.parametrize(('make_state', 'make'), [
    (lambda: defaultdict(list), of_groups), (dict, of_groups_by_setdefault)])
def test_lists_in_it_grow_where_they_are(make_state, make):
    left(make_state, make, CALLS, lambda groups: groups.setdefault(1, []).append(np.int64(7)))


def test_a_list_in_it_is_the_callers_own():
    rows = []
    groups = {1: rows}

    @ag.function
    def f(k, x):
        groups[int(k)].append(x)

    f(np.int64(1), np.float64(2.0))
    f(np.int64(1), np.float64(3.0))
    assert groups[1] is rows
    assert same(rows, [np.float64(2.0), np.float64(3.0)])


def of_keys_and_values(table):
    def f(xs):
        for i, v in enumerate(xs):
            key = int(v), 'odd' if v % 2 else 'even'
            if key in table:
                n, total = table[key]
                table[key] = n + 1, total + v * 0.5
            else:
                table[key] = 1, v * 0.5
        n, total = table[int(xs[0]), 'odd']
        return n, total
    return f


def of_arrays(table):
    def f(xs):
        for v in xs:
            k = int(v)
            table[k] = (table[k] if k in table else np.zeros(2)) + v
        return table[int(xs[0])]
    return f


def of_none(table):
    def f(xs):
        total = 0.0
        for v in xs:
            found = table.get(int(v))
            if found is None:
                table[int(v)] = int(v) * 2.0
            else:
                total = total + found
        return total
    return f


@pytest.mark.parametrize(
    ('make', 'calls'),
    [(of_keys_and_values, [np.array([1, 2, 1]), np.array([3, 1, 3])]), (of_arrays, CALLS)])
def test_keys_and_values_are_tuples_texts_and_arrays(make, calls):
    left(dict, make, calls)


def test_values_of_another_kind_are_traced_anew():
    left(dict, of_none, CALLS, lambda table: table.update({1: None}), traces=2)


def test_a_turn_finds_what_one_before_has_set():
    def make(table):
        def f(xs):
            total = 0
            for v in table.values():
                total = total * 10 + v
                table[int(xs[2])] = table[int(xs[2])] + 1
            return total
        return f

    left(lambda: {1: 1, 2: 2, 3: 3, 9: 4}, make, CALLS)


def test_a_turn_finds_what_one_before_has_set_in_a_dict_of_the_function():
    @ag.function
    def f(x):
        table = {int(x): 1, 5: 5, 7: 0}
        total = 0
        for v in table.values():
            total = total * 10 + v
            table[7] = table[7] + 1
        return total

    assert f(np.int64(3)) == 152


def test_a_dict_that_grows_while_it_is_gone_through_is_an_error():
    def make(table):
        def f(xs):
            for k in table:
                table[k + int(xs[0])] = 1
        return f

    left(lambda: {1: 1, 2: 2}, make, CALLS[:1])


def test_a_missing_key_is_the_error_that_python_raises():
    def make(table):
        def f(k):
            if k == 5:
                table[int(k)] = 2.0
            return table[int(k)]
        return f

    left(dict, make, NUMBERS)


def test_what_was_done_before_an_error_stays():
    def make(table):
        def f(k):
            table[int(k)] = 1.0
            if k == 3:
                raise ValueError('three')
            return len(table)
        return f

    left(dict, make, NUMBERS)


def test_a_large_table_is_read_by_key():
    def make(table):
        def f(k):
            return table[int(k)] + table.get(int(k) + 1, 0.0)
        return f

    left(lambda: {i: i * 1.5 for i in range(200)}, make, NUMBERS)


def test_the_dict_that_is_returned_is_the_dict_itself():
    table = {}

    @ag.function
    def f(k):
        table[int(k)] = k
        return table

    assert f(np.int64(3)) is table
    assert f(np.int64(4)) is table
    assert same(table, {3: np.int64(3), 4: np.int64(4)})


def test_a_dict_and_a_set_are_printed_as_they_are_then(capsys):
    table, seen = {}, set()

    @ag.function
    def f(xs):
        for v in xs:
            table[int(v)] = int(v)
            seen.add(int(v))
        print(table, seen)

    f(np.array([1, 2]))
    assert capsys.readouterr().out == '{1: 1, 2: 2} {1, 2}\n'


def test_a_set_that_is_returned_is_the_set_itself():
    seen = set()

    @ag.function
    def f(xs):
        for v in xs:
            seen.add(int(v))
        return seen

    assert f(np.array([1, 2])) is seen
    assert seen == {1, 2}


def test_an_array_in_it_that_is_modified_in_place_is_refused():
    table = {1: np.zeros(2)}
    other = {}

    @ag.function
    def f(k):
        other[int(k)] = np.ones(2)
        other[int(k)] += 1.0

    with pytest.raises(ag.errors.OwnershipError, match='belongs to the caller'):
        f(np.int64(1))
    assert same(table, {1: np.zeros(2)})


def test_values_of_several_kinds_are_refused():
    table = {1: np.zeros(2), 2: 'text'}

    @ag.function
    def f(k):
        table[int(k)] = 2.0

    with pytest.raises(ag.errors.AutographError):
        f(np.int64(7))
    assert list(table) == [1, 2]


def of_an_update(table):
    def f(xs):
        total = 0
        for v in xs:
            if int(v) in table:
                total += table[int(v)]
        table.update({int(xs[1]): total})
        return len(table)
    return f


def of_a_known_key(table):
    def f(xs):
        table[1] = table.get(1, 0) + 1
        return len(table), list(table), dict(table), sum(table.values())
    return f


@pytest.mark.parametrize('make', [of_an_update, of_a_known_key])
def test_what_the_caller_has_put_there_is_found_in_all_of_it(make):
    left(dict, make, CALLS, lambda table: table.update({len(table) + 4: 5}), traces=None)


def test_a_copy_is_another_one():
    table, seen = {}, set()

    @ag.function
    def f(xs):
        for v in xs:
            table[int(v)] = v
            seen.add(int(v))
        copies = copy.copy(table), copy.copy(seen), copy.deepcopy(table)
        for copied in copies[::2]:
            copied[100] = xs[0]
        copies[1].add(100)
        return copies, list(reversed(table)), table.__len__(), table.__contains__(100)

    (first, second, third), keys, length, has = f(CALLS[0])
    assert same(table, {1: np.int64(1), 2: np.int64(2)})
    assert seen == {1, 2}
    assert same(first, table | {100: np.int64(1)})
    assert same(third, first)
    assert second == {1, 2, 100}
    assert (keys, length, has) == ([2, 1], 2, False)
