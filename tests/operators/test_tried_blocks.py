"""A `try` block that changes lists, dicts and attributes by what it calls, and then raises."""
from __future__ import annotations

import functools
from collections import Counter, defaultdict

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64
CALLS = [(F(v),) for v in (1.0, 2.0, 3.0, 4.0, -1.0)]


class Account:
    def __init__(self):
        self.log = []
        self.count = 0
        self.parts = {'a': 0.0, 'b': 0.0}

    def put(self, x):
        if x > 3:
            raise ValueError('too much')
        self.log.append(x)

    def perhaps(self, x):
        if x > 2:
            self.log.append(-x)

    def early(self, x):
        self.log.append(x)
        self.count += 1
        if x > 2:
            raise ValueError('too much')
        self.log.append(2 * x)

    def part(self, x):
        self.parts['a'] += x
        if x > 2:
            raise ValueError('too much')
        self.parts['b'] += x


def one_of_two_methods(x):
    account = Account()
    try:
        if x > 0:
            account.put(x)
        else:
            account.perhaps(-3 * x)
    except ValueError:
        pass
    return account.log


def two_methods(x):
    account = Account()
    try:
        account.put(x)
        account.perhaps(x)
        account.put(x + 1)
    except ValueError:
        pass
    return account.log


def attributes_and_a_list(x):
    account = Account()
    try:
        account.early(x)
        account.early(x + 1)
    except ValueError:
        account.log.append(F(-1))
    return account.log, account.count


def dict_of_an_object(x):
    account = Account()
    try:
        account.part(x)
        account.part(x + 1)
    except ValueError:
        account.parts['b'] -= 10
    return account.parts


def try_in_a_helper_that_appends(x):
    log = []

    def invert(v):
        try:
            log.append('try')
            if v == 2:
                raise ValueError('two')
            log.append('fine')
            return 1 / v
        except ValueError:
            log.append('except')
            return v
        finally:
            log.append('finally')

    return invert(x), invert(x + 1), log


def try_in_a_helper_that_sets_an_item(x):
    counts = [0.0]

    def count(v):
        try:
            counts[0] += v
            if v == 2:
                raise ValueError('two')
            counts[0] += 10
        except ValueError:
            counts[0] += 100

    count(x)
    count(x + 1)
    return counts


def try_in_a_helper_that_sets_a_key(x):
    counts = {'a': F(0)}

    def count(v):
        try:
            counts['a'] += v
            if v == 2:
                raise ValueError('two')
            counts['a'] += 10
        except ValueError:
            counts['a'] += 100

    count(x)
    return counts


PROGRAMS = [
    one_of_two_methods, two_methods, attributes_and_a_list, dict_of_an_object,
    try_in_a_helper_that_appends, try_in_a_helper_that_sets_an_item,
    try_in_a_helper_that_sets_a_key,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
def test_the_same(f):
    check(f, *CALLS, joins=True)


def in_a_loop(xs):
    log, sums = [], [0.0, 0.0]

    def invert(v):
        try:
            log.append('try')
            sums[0] += v
            if v == 2:
                raise ValueError('two')
            sums[1] += v
            return 1 / v
        except ValueError:
            log.append('except')
            return v

    total = F(0)
    for x in xs:
        total += invert(x)
    return total, log, sums


def test_in_a_loop():
    calls = [(np.array([1.0, 2.0]),), (np.array([3.0, 2.0, 2.0, 1.0]),)]
    check(in_a_loop, *calls, joins=True, traces=2)


def change_then_raise(xs):
    counts, seen = [0.0, 0.0], []
    try:
        for x in xs:
            if x > 2:
                counts[0] += 1
                seen.append(x)
                raise KeyError('large')
            counts[1] += 10
    except KeyError:
        counts[0] += 100
    return counts, seen


def handler_that_appends_and_raises(xs):
    log = []
    try:
        try:
            for x in xs:
                if x > 2:
                    raise KeyError('large')
        except KeyError:
            log.append('inner')
            raise ValueError('large') from None
    except ValueError:
        log.append('outer')
    return log


def helper_that_changes_and_raises(xs):
    counts, parts = [0.0, 0.0], {'a': 0.0}

    def check_one(x):
        if x > 2:
            counts[0] += x
            parts['a'] += 1
            raise KeyError('large')
        counts[1] += 1

    try:
        for x in xs:
            check_one(x)
    except KeyError:
        parts['a'] += 10
    return counts, parts


def items_of_nested_lists(xs):
    table = [[0.0, 0.0], [1.0, 1.0]]
    try:
        for x in xs:
            table[1][0] += x
            if x > 2:
                raise ValueError
            table[0][1] -= x
    except ValueError:
        table[0][0] += 100
    return table


def dicts_in_a_list(xs):
    table = [{'a': 0.0}, {'a': 0.0}]
    try:
        for x in xs:
            table[0]['a'] += x
            if x > 2:
                raise ValueError
            table[1]['a'] -= x
    except ValueError:
        pass
    return table


IN_LOOPS = [
    change_then_raise, handler_that_appends_and_raises, helper_that_changes_and_raises,
    items_of_nested_lists, dicts_in_a_list,
]  # fmt: skip


@pytest.mark.parametrize('f', IN_LOOPS)
def test_in_loops_and_branches(f):
    calls = [(np.array(xs),) for xs in ([1.0, 2.0], [1.0, 3.0], [3.0, 1.0])]
    check(f, *calls, joins=True)


class Stack:
    def __init__(self):
        self.items = []

    def replace(self, x):
        self.items.append(x)
        if len(self.items) > 0:
            self.items.pop()
        self.items.append(x)

    def put(self, x):
        if x == 2:
            raise KeyError(2)
        self.items.append(x)


def sum_beside_a_list(x):
    stack, s = Stack(), 0.0
    try:
        stack.replace(x)
        s += 1 / int(x)
        stack.put(x - 1)
    except (ValueError, KeyError):
        s += 100
    return stack.items, s


def test_the_variable_of_a_list_is_left_to_the_handler():
    check(sum_beside_a_list, *CALLS, joins=True)


def test_a_dict_that_a_block_gives_keys_is_refused_and_one_that_has_them_is_not():
    def counting(made):
        def f(xs):
            counts = made()
            for x in xs:
                try:
                    counts['n'] += 1
                    if x < 0:
                        raise ValueError
                    counts['right'] += 1
                except ValueError:
                    counts['wrong'] += 1
            return counts['n'], counts['right'], counts['wrong']

        return f

    xs = np.array([1.0, -1.0, 2.0])
    for made in Counter, functools.partial(defaultdict, int):
        with pytest.raises(ag.errors.StagingError, match='a plain dict that has all its keys'):
            ag.function(counting(made))(xs)
    check(counting(lambda: {'n': 0, 'right': 0, 'wrong': 0}), (xs,))


class Logged:
    def __init__(self, amount):
        self._amount, self.log = amount, []

    @property
    def amount(self):
        return self._amount

    @amount.setter
    def amount(self, amount):
        if amount < 0:
            raise ValueError('too little')
        self._amount = amount

    def take(self, x):
        self.log.append(('take', x))
        self.amount = self.amount - x

    def put(self, x):
        self.amount += x
        self.log.append(('put', x))


def pairs_in_a_log(moves):
    account, failed = Logged(F(5.0)), 0
    for move in moves:
        try:
            if move < 0:
                account.take(-move)
            else:
                account.put(move)
        except ValueError:
            failed += 1
    return account.amount, failed, account.log


def pairs_in_a_log_and_a_finally(moves):
    account = Logged(F(5.0))
    for move in moves:
        try:
            account.take(move)
        except ValueError:
            account.amount = account.amount + account.log[-1][1]
        finally:
            account.log.append(('done', move))
    return account.amount, account.log


@pytest.mark.parametrize('f', [pairs_in_a_log, pairs_in_a_log_and_a_finally])
def test_methods_append_tuples_to_a_log_before_and_after_what_may_raise(f):
    check(f, (np.array([1.0, -9.0, 2.0]),), (np.array([1.0, 9.0, -1.0]),))
