"""Containers outside of classes that the user derives from Python's, and methods by other names."""
from __future__ import annotations

import functools
from collections import deque

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([-1.0, 2.0])]


class Stack(list):
    def push(self, value):
        self.append(value)

    def push_of_three(self, value):
        if len(self) >= 3:
            self.clear()
        super().append(value)


class Doubling(list):
    def append(self, value):
        super().append(value * 2)


class Register(dict):
    def add(self, key, value):
        self[key] = value

    def more(self, key, value):
        self.setdefault(key, []).append(value)


class Shifting(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value + 1)


class Model:
    def __init__(self):
        self.log, self.table, self.seen, self.queue = [], {}, set(), deque()
        self.stack, self.doubling = Stack(), Doubling()
        self.register, self.shifting = Register(), Shifting()


def another_name(m, x):
    push, take = m.log.append, m.queue.popleft
    push(1)
    push(x.sum())
    m.queue.append(2)
    return take()


def in_a_helper(m, x):
    put(m.log.append, 1)
    put(m.seen.add, 2)
    list(map(m.log.append, [3, 4]))
    m.table.update(a=1)
    return len(m.log)


def put(push, value):
    push(value)


def in_blocks(m, x):
    push = m.log.append
    for v in x:
        if v > 0:
            push(v)


def by_the_class(m, x):
    list.append(m.log, 1)
    dict.update(m.table, a=x.sum())
    list.append(m.stack, 5)
    return len(m.log)


def a_partial(m, x):
    functools.partial(m.log.append, 5)()


def appended(m, x):
    m.stack.append(1)
    return len(m.stack)


def pushed(m, x):
    m.stack.push(x.sum())
    return m.stack[-1]


def cleared(m, x):
    m.stack.push_of_three(1)
    m.stack.push_of_three(x[0])
    return len(m.stack)


def changed_in_many_ways(m, x):
    m.stack.append(2)
    m.stack.extend([1, 3])
    m.stack.sort()
    m.stack[0] = 7
    m.stack += [4]
    m.stack.insert(0, m.stack.pop())
    return sum(m.stack)


def of_its_own(m, x):
    m.doubling.append(1)
    m.doubling.append(x[0])
    return m.doubling[-1]


def items(m, x):
    m.register.add('x', x.sum())
    m.register['n'] = m.register.get('n', 0) + 1
    return m.register['n']


def lists_in_items(m, x):
    m.register.more('a', 1)
    return len(m.register['a'])


def items_of_its_own(m, x):
    m.shifting['n'] = len(m.shifting)


@pytest.mark.parametrize('f', [
    another_name, in_a_helper, in_blocks, by_the_class, a_partial, appended, pushed, cleared,
    changed_in_many_ways, of_its_own, items, lists_in_items, items_of_its_own,
], ids=lambda f: f.__name__)  # fmt: skip
def test_each_call_changes_them(f):
    def run(f):
        m = Model()
        for x in XS:
            yield f(m, x), [list(each) for each in vars(m).values()], list(m.table.values()), [
                list(each.values()) for each in (m.register, m.shifting)]

    assert same(list(run(f)), list(run(ag.function(f))))


def test_what_others_change_meanwhile_is_seen():
    @ag.function
    def f(x):
        m.stack.push(1)
        return len(m.stack)

    m = Model()
    assert [f(x) for x in XS] == [1, 2, 3]
    m.stack.clear()
    assert f(XS[0]) == 1


def test_a_block_does_not_change_one():
    @ag.function
    def f(x):
        if x[0] > 0:
            m.stack.push(1)

    m = Model()
    with pytest.raises(ag.errors.OwnershipError, match='modifies a Stack'):
        f(XS[0])
    assert m.stack == []
