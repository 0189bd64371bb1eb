"""Deques, defaultdicts, Counters and the like that a function finds outside, copies and returns."""
from __future__ import annotations

import copy
import functools
import types
from collections import Counter, UserList, defaultdict, deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1.0, 2.0], [-1.0, -2.0], [0.5, -3.0])]
SUMS = defaultdict(float, {'a': 1.0})
COUNTS = Counter('aab')
QUEUE = deque([1.0, 2.0], maxlen=4)


def copied_sums(x):
    sums = SUMS.copy()
    sums['a'] += x[0]
    sums['new'] += 2.0
    return sums


def copied_counts(x):
    counts = COUNTS.copy()
    counts['a'] += x[0]
    counts['c'] += 1
    return counts, counts['d']


def copied_queue(x):
    queue = QUEUE.copy()
    queue.append(x[0])
    return queue


def copied_by_copy(x):
    queue, sums = copy.copy(QUEUE), copy.deepcopy(SUMS)
    queue.appendleft(x[0])
    sums['b'] = x[1]
    return queue, [sums], {'q': queue.maxlen}


def changed_in_a_branch(x):
    sums, queue = SUMS.copy(), QUEUE.copy()
    if x[0] > 0:
        sums['a'] += x[0]
        queue.append(x[1])
    return sums, queue


def changed_in_a_loop(x):
    queue, counts = QUEUE.copy(), COUNTS.copy()
    for v in x:
        queue.append(v)
        counts['a'] += 1
    return queue, counts


def put_together(x):
    queue = QUEUE + deque([x[0]])
    sums = SUMS | {'q': x[0]}
    counts = COUNTS + Counter(a=2) - Counter(b=5)
    counts['a'] += x[0]
    return queue, sums, counts, QUEUE * 2


def a_list_of_its_own(x):
    items = UserList([x[0]])
    items.append(x[1])
    return items


@pytest.mark.parametrize('f', [
    copied_sums, copied_counts, copied_queue, copied_by_copy, changed_in_a_branch,
    changed_in_a_loop, put_together, a_list_of_its_own,
])  # fmt: skip
def test_a_copy_is_changed_and_returned(f):
    before = copy.deepcopy((SUMS, COUNTS, QUEUE))
    check(f, *CALLS, joins=True)
    assert (SUMS, COUNTS, QUEUE) == before


def empty_deque(x):
    queue = deque()
    for v in x:
        if v > 0:
            queue.append(v)
    return queue.popleft(), queue.pop()


def removed_from_a_set(x):
    seen = set()
    if x[0] > 0:
        seen.remove(2)
    return len(seen)


@pytest.mark.parametrize('f', [empty_deque, removed_from_a_set])
def test_what_is_not_there_raises_as_in_python(f):
    check(f, *CALLS)


def counted(counts, x):
    for v in x:
        counts[int(v)] += 1


@pytest.mark.parametrize('counts', [defaultdict(int, {1: 2}), Counter({1: 2})])
def test_what_the_caller_passed_in_is_changed(counts):
    expected = copy.copy(counts)
    counted(expected, CALLS[0][0])
    ag.function(counted)(counts, CALLS[0][0])
    assert counts == expected


def test_objects_that_are_more_than_their_attributes():
    class Closing(types.SimpleNamespace):
        def __del__(self):
            pass

    with pytest.raises(ag.errors.StagingError, match='A Closing with tensors in it'):
        ag.function(lambda x: Closing(x=x))(np.float64(1))


def partial_of(x):
    return functools.partial(np.add, x, 1)


@pytest.mark.parametrize('factory', [lambda x: lambda: x.sum(), lambda x: lambda: [x], partial_of])
def test_a_defaultdict_whose_factory_has_tensors_is_not_returned(factory):
    def f(x):
        sums = defaultdict(factory(x))
        sums['a'] = 1
        return sums

    with pytest.raises(ag.errors.StagingError, match='returned of which the factory has'):
        ag.function(f)(np.ones(2))
    check(lambda x: dict(defaultdict(factory(x), a=1)), (np.ones(2),))


def test_a_defaultdict_that_is_kept_outside():
    def f(x):
        kept.sums = defaultdict(lambda: 0.5)
        kept.sums['a'] += x.sum()

    kept, run = types.SimpleNamespace(sums=None), ag.function(f)
    for x in (np.ones(2), np.array([3.0, 4.0])):
        before = kept.sums
        run(x)
        assert kept.sums is not before
        assert (kept.sums['b'], kept.sums) == (0.5, {'a': 0.5 + x.sum(), 'b': 0.5})


def test_a_list_of_python_code_that_grows_is_gone_over():
    def pushed(xs):
        kept = UserList()
        for x in xs:
            if x > 1:
                kept.append(x)
        total = 0.0
        for x in kept:
            total += x
        return total, list(kept)

    check(pushed, (np.array([1.0, 2.0, 3.0]),))
