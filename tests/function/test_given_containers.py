"""Sets, deques, Counters and defaultdicts that are given and changed are so after the call."""
from __future__ import annotations

from collections import Counter, defaultdict, deque

import numpy as np
import pytest
from states import left

import autograph_lite as ag

CALLS = [np.array([1, 2, 1]), np.array([3, 2, 3]), np.array([9, 1, 9])]


def new_ones(xs, seen):
    new = 0
    for v in xs:
        if int(v) not in seen:
            seen.add(int(v))
            new += 1
    return new, len(seen)


def by_another_name(xs, seen):
    mine = seen
    mine.discard(int(xs[0]))
    mine |= {int(xs[1]), 7}
    return len(seen), seen


def in_a_branch(xs, seen):
    if xs[0] > 2:
        seen.add(int(xs[0]))
    return 3 in seen


def put(seen, v):
    seen.add(v)
    return len(seen)


def by_a_helper(xs, seen):
    total = 0
    for v in xs:
        total += put(seen, int(v))
    return total


@pytest.mark.parametrize('f', [new_ones, by_another_name, in_a_branch, by_a_helper])
def test_a_set(f):
    left(set, lambda seen: f, CALLS, lambda seen: seen.add(4), traces=None)


def window(xs, last):
    total = 0.0
    for x in xs:
        last.append(x)
        if len(last) > 3:
            last.popleft()
        total = total + sum(last)
    return total


def queue(xs, waiting):
    done = 0
    waiting.append(int(xs[0]))
    while len(waiting) > 0:
        n = waiting.popleft()
        done += n
        if n > 2:
            waiting.append(n - 2)
    return done


@pytest.mark.parametrize(('make_state', 'f', 'more'), [
    (deque, window, np.int64(6)), (lambda: deque(maxlen=2), window, np.int64(6)),
    (deque, queue, 6)])
def test_a_deque(make_state, f, more):
    left(make_state, lambda last: f, CALLS, lambda last: last.append(more), traces=None)


def numbers_counted(xs, counts):
    for v in xs:
        counts[int(v)] += 1
    return counts[2], len(counts)


def asked_for(xs, counts):
    return counts[int(xs[0])] + counts[5]


def of_known_keys(xs, counts):
    counts['a'] += 1
    counts['b'] = xs[0]
    return counts['a']


@pytest.mark.parametrize('make_state', [
    Counter, lambda: defaultdict(int), lambda: defaultdict(lambda: 3)])
@pytest.mark.parametrize('f', [numbers_counted, asked_for, of_known_keys])
def test_a_counter_and_a_defaultdict(make_state, f):
    left(make_state, lambda counts: f, CALLS, lambda counts: counts.pop(2, None), traces=None)


def test_they_are_found_in_what_is_given():
    def f(xs, state):
        for v in xs:
            state['seen'].add(int(v))
            state['last'].append(v)
        state['n'] += 1
        return len(state['seen'])

    given = {'seen': {5}, 'last': deque(), 'n': 0}
    graph = ag.function(f)
    assert [graph(xs, given) for xs in CALLS] == [3, 4, 5]
    assert given == {'seen': {1, 2, 3, 5, 9}, 'last': deque([1, 2, 1, 3, 2, 3, 9, 1, 9]), 'n': 3}


def deleted(xs, table):
    del table[int(xs[0])]
    table[int(xs[1])] = 7.0
    return len(table), list(table)


def deleted_if_there(xs, table):
    for v in xs:
        if int(v) in table:
            del table[int(v)]
    return len(table)


def memo(n, cache):
    if n in cache:
        return cache[n]
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    cache[n] = a
    return a


@pytest.mark.parametrize('f', [deleted, deleted_if_there])
def test_keys_of_a_dict_are_deleted(f):
    left(
        lambda: {1: 1.0, 2: 2.0, 3: 3.0, 9: 9.0}, lambda table: f, CALLS,
        lambda table: table.update({5: 5.0, 1: 1.0}), traces=None)


def test_a_memo_table_is_given():
    numbers = [np.int64(5), np.int64(3), np.int64(5), np.int64(7)]
    left(dict, lambda cache: memo, numbers, lambda cache: cache.pop(3, None), traces=None)


def test_a_call_that_raises_has_changed_it_before():
    @ag.function
    def f(x, seen):
        seen.add(int(x))
        if x > 2:
            raise ValueError('too large')

    seen = {1}
    f(np.int64(2), seen)
    with pytest.raises(ValueError, match='too large'):
        f(np.int64(3), seen)
    assert seen == {1, 2, 3}


def test_the_given_one_is_returned_itself():
    @ag.function
    def f(x, seen):
        seen.add(int(x))
        return seen

    seen = set()
    assert f(np.int64(2), seen) is seen
    assert f(np.int64(3), seen) is seen


def test_plain_python_beside_it_changes_another():
    last, counts = deque(), Counter()

    @ag.function(check=True)
    def f(xs, last, counts):
        for v in xs:
            last.append(int(v))
            counts[int(v)] += 1

    f(CALLS[0], last, counts)
    f(CALLS[1], last, counts)
    assert last == deque([1, 2, 1, 3, 2, 3])
    assert counts == Counter({1: 2, 2: 2, 3: 2})


def test_arrays_in_one_are_refused():
    @ag.function
    def f(x, last):
        if x[0] > 0:
            last.append(x)

    last = deque([np.ones(2)])
    with pytest.raises(ag.errors.OwnershipError, match='a deque that lives outside'):
        f(np.ones(2), last)
    assert len(last) == 1


def test_one_that_another_trace_has_from_outside_is_refused():
    concrete = ag.function(lambda x, seen: put(seen, int(x))).get_concrete_function(
        np.int64(1), {7})
    seen = {7}

    @ag.function
    def f(x):
        return concrete(x, seen)

    with pytest.raises(ag.errors.OwnershipError, match='modifies a set'):
        f(np.int64(2))
    assert seen == {7}
