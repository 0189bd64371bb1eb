"""Loops over Python's items that change these, and end where only the running graph knows."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag


class Part:
    def __init__(self, v):
        self.v, self.count, self.seen = v, 0, []

    def is_below(self, x):
        self.count += 1
        self.seen.append(x)
        return self.v < x


def objects_up_to_one(x):
    parts = [Part(1.0), Part(2.0), Part(3.0)]
    for part in parts:
        if part.is_below(x):
            break
    return [(part.count, part.seen) for part in parts]


def attributes_up_to_one(x):
    parts = [Part(1.0), Part(2.0)]
    for part in parts:
        part.count += 1
        if part.v < x:
            break
    return [part.count for part in parts]


def lists_up_to_one(x):
    rows = [[0.0, 1.0], [2.0, 3.0], [4.0]]
    for _, row in enumerate(rows):
        row.append(x)
        if len(row) + x > 4:
            break
    return rows


def dicts_up_to_one(x):
    groups = {'a': {'n': 0}, 'b': {'n': 0}}
    for _, group in groups.items():
        group['n'] += 1
        if x > 1:
            break
    return groups['a']['n'], groups['b']['n']


def any_of_objects(x):
    parts = [Part(1.0), Part(2.0), Part(3.0)]
    return any(part.is_below(x) for part in parts), [part.count for part in parts]


def objects_in_nested_loops(x):
    parts = [Part(1.0), Part(2.0)]
    for part in parts:
        for other in parts:
            other.count += 1
            if other.v * part.v > x:
                break
        if part.is_below(x):
            break
    return [(part.count, len(part.seen)) for part in parts]


@pytest.mark.parametrize('f', [
    objects_up_to_one, attributes_up_to_one, lists_up_to_one, dicts_up_to_one, any_of_objects,
    objects_in_nested_loops,
])  # fmt: skip
def test_items_that_turns_change_up_to_the_one_that_leaves(f):
    check(f, *((np.float64(x),) for x in (-1.0, 0.5, 1.5, 2.5, 9.0)))


LOG = []
_HAS_EFFECT = r'(?s)to take one has an effect.*list\('


class Numbers:
    def __init__(self):
        self.last = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.last += 1
        if self.last > 4:
            raise StopIteration
        LOG.append(self.last)
        return self.last


def test_what_is_done_to_take_an_item_after_the_one_that_leaves_is_refused():
    def up_to_one(x):
        for v in Numbers():
            if v * x > 3:
                break
        return v

    def from_a_list(x):
        for v in list(Numbers()):
            if v * x > 3:
                break
        return v

    with pytest.raises(ag.errors.StagingError, match=_HAS_EFFECT):
        ag.function(up_to_one)(np.float64(1.5))
    LOG.clear()
    assert ag.function(from_a_list)(np.float64(1.5)) == 3
    assert LOG == [1, 2, 3, 4]


class Telling:
    def __init__(self, log):
        self.log, self.last = log, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.last += 1
        if self.last > 4:
            raise StopIteration
        self.log.append(self.last)
        return self.last


class ByIndex:
    def __init__(self):
        self.asked = 0

    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i > 3:
            raise IndexError
        self.asked += 1
        return i


@ag.do_not_convert
def telling(log):
    for i in range(4):
        log.append(i)
        yield i


def kept(log, i):
    log.append(i)
    return i


LEFT = {
    'its own list': 'Telling(log)',
    'a generator': 'telling(log)',
    'what iter calls': 'iter(lambda: kept(log, len(log)), 5)',
    'zip': '(i for i, _ in zip(map(lambda i: kept(log, i), [1, 2, 3]), [1, 2, 3]))',
    'itertools': 'itertools.chain(map(lambda i: kept(log, i), [1, 2, 3]))',
    'items of an object': 'counting',
    'backwards': 'reversed(counting)',
}


@pytest.mark.parametrize('iterable', LEFT.values(), ids=LEFT)
@pytest.mark.parametrize('loop', [
    'for v in {}:\n        if v * x > 2:\n            break',
    'v = any(v * x > 2 for v in {})',
], ids=['for', 'any'])  # fmt: skip
def test_what_is_done_to_take_an_item_is_seen_in_what_the_function_makes(loop, iterable):
    def defined(iterable):
        return define(
            'import itertools\ndef f(x):\n    log, counting = [], ByIndex()\n'
            f'    {loop.format(iterable)}\n    return v, log, counting.asked\n',
            ByIndex=ByIndex, Telling=Telling, kept=kept, telling=telling)

    with pytest.raises(ag.errors.StagingError, match=_HAS_EFFECT):
        ag.function(defined(iterable))(np.float64(1.5))
    check(defined(f'list({iterable})'), (np.float64(-1.0),), (np.float64(1.5),))


def test_what_only_the_iterator_knows_may_change_after_the_item_that_leaves():
    def counted(x):
        for v in Telling([]):
            if v * x > 2:
                break
        return v

    check(counted, *((np.float64(x),) for x in (-1.0, 0.5, 1.5)))


def test_what_is_done_to_a_list_of_the_graph_is_seen():
    def filled_before(x, items):
        log = [0.0]
        if x > 2:
            log.append(x)
        for v, _ in items(map(lambda i: kept(log, i), [1.0, 2.0, 3.0]), [1, 2, 3]):
            if v * x > 2:
                break
        return log, v

    def new_lists(x, y):
        total = 0.0
        for v, w in zip(map(lambda i: sum([i * z for z in y]), [1.0, 2.0, 3.0]), [1, 2, 3]):
            total += v * w
            if total > x:
                break
        return total

    def of_lists(*iterables):
        return list(zip(*iterables))

    with pytest.raises(ag.errors.StagingError, match=_HAS_EFFECT):
        ag.function(filled_before)(np.float64(1.5), zip)
    check(filled_before, (np.float64(1.5), of_lists), (np.float64(2.5), of_lists))
    check(new_lists, *((np.float64(v), np.ones(2)) for v in (0.0, 5.0, 50.0)))
