"""Effects come in Python's order, and as often: of elements and keys, of operators of classes."""
from __future__ import annotations

import functools
import heapq
import itertools

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

NUMBERS = [(np.float64(v),) for v in (-1.0, 0.5, 1.5, 2.5)]
VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [4.0, -2.0, -3.0], [0.0, 9.0, 1.0])]
_LOGGING = (
    'def f(x):\n    log = []\n'
    '    def element(v):\n        log.append(v)\n        return v\n'
    '    def key(v):\n        log.append(-v)\n        return v * v\n')

KEYS = {
    'max': 'max((element(v * x) for v in (3.0, 1.0, -2.0)), key=key)',
    'min of map': 'min(map(element, [x, x - 1, x + 1]), key=key)',
    'of pairs': 'min(enumerate(map(element, [x, x + 1])), key=lambda pair: key(pair[1]))',
    'reduce': 'functools.reduce(lambda a, b: key(a) + b, (element(v) for v in (x, x + 1, x - 1)))',
    'accumulate': 'list(itertools.accumulate(map(element, [x, x + 1]), lambda a, b: key(a) + b))',
    'sorted': 'sorted(map(element, [x, x - 1]), key=key)',
    'nsmallest': 'heapq.nsmallest(2, map(element, [x, x - 1, x + 1]), key=key)',
    'nlargest': 'heapq.nlargest(9, (element(v * x) for v in (3.0, 1.0, -2.0)), key=key)',
    'none': 'heapq.nlargest(0, map(element, [x, x - 1]), key=key)',
}
KEYS_OF_ROWS = {
    'max': 'max((element(v) for v in x), key=key)',
    'min of map': 'min(map(element, x), key=key)',
    'of a list': 'max([v for v in x if element(v) < 9], key=key, default=0.0)',
    'reduce': 'functools.reduce(lambda a, b: key(a) + b, (element(v) for v in x))',
    'nsmallest': 'heapq.nsmallest(1, (element(v) for v in x), key=key)',
    'nlargest': 'heapq.nlargest(2, (v for v in x if element(v) < 9), key=key)',
    'reduce from': 'functools.reduce(lambda a, b: key(a) + b, map(element, x), 1.0)',
}


@pytest.mark.parametrize('expression', KEYS.values(), ids=KEYS)
def test_elements_and_keys(expression):
    f = define(
        f'{_LOGGING}    return {expression}, log\n', functools=functools, heapq=heapq,
        itertools=itertools)
    check(f, *NUMBERS, joins=True)


@pytest.mark.parametrize('expression', KEYS_OF_ROWS.values(), ids=KEYS_OF_ROWS)
def test_elements_and_keys_of_rows(expression):
    f = define(f'{_LOGGING}    return {expression}, log\n', functools=functools, heapq=heapq)
    check(f, *VECTORS, joins=True)


class Logged:
    def __init__(self, v, log):
        self.v, self.log = v, log

    def __add__(self, other):
        self.log.append(('+', self.v))
        return Logged(self.v + other.v, self.log)

    __radd__ = __add__

    def __gt__(self, other):
        self.log.append(('>', self.v))
        return self.v > other.v

    def __lt__(self, other):
        self.log.append(('<', self.v))
        return self.v < other.v

    def __eq__(self, other):
        self.log.append(('==', self.v))
        return self.v == other.v

    def __hash__(self):
        return id(self)

    def __bool__(self):
        self.log.append(('bool', self.v))
        return bool(self.v > 1)

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        self.log.append(name)
        return self.v


OPERATORS = {
    'any': 'any(objects)',
    'all': 'all(objects)',
    'any of a tuple': 'any((b, a))',
    'not': 'not a or not b',
    'sum': 'sum((p + b for p in objects), c).v',
    'in': 'b in objects',
    'lists': '[a, b] == [b, a]',
    'unequal lists': '[a, b, 1] != [a, c, 2]',
    'a key': 'len({a: 1, b: 2})',
    'its attributes': 'a.other + b.more',
}


@pytest.mark.parametrize('expression', OPERATORS.values(), ids=OPERATORS)
def test_operators_of_a_class(expression):
    f = define(
        'def f(x):\n    log = []\n'
        '    a, b, c = Logged(x, log), Logged(1.0, log), Logged(2.0, log)\n'
        f'    objects = [a, b, c]\n    return {expression}, log\n', Logged=Logged)
    check(f, *NUMBERS, joins=True)


class Asked:
    def __init__(self, v):
        self.v, self.times = v, 0

    def __bool__(self):
        self.times += 1
        return bool(self.v > 1)


@pytest.mark.parametrize('expression', ['a and b', 'b and a', 'a or b', 'b or a'])
def test_an_operand_is_asked_once(expression):
    f = define(
        'def f(x):\n    a, b = Asked(x), Asked(2.0)\n'
        f'    return ({expression}).v, a.times, b.times\n', Asked=Asked)
    check(f, *NUMBERS, joins=True)


@pytest.mark.parametrize('end', ['', '\n    except AssertionError:\n        log.append(9.0)'])
def test_the_message_of_an_assert(end):
    start = '    try:\n    ' if end else ''
    f = define(
        f'{_LOGGING}    counted = [v for v in map(element, [x])]\n'
        f'{start}    assert x < 2, element(x * 2){end}\n    return log, counted\n')
    check(f, *NUMBERS)


def test_the_message_of_an_assert_that_changes_an_object():
    class Counting:
        def __init__(self):
            self.n = 0

        def told(self):
            self.n += 1
            return 'told'

    def asserted(x):
        counting = Counting()
        assert x < 2, counting.told()
        return counting.n

    check(asserted, *NUMBERS)


DISPLAYS = {
    'a list': '[*map(element, kept), element(5.0)]',
    'a tuple': '(*map(element, kept), element(5.0))',
    'a list that changes': '[*kept, kept.append(x), 2.0][:2]',
    'a tuple of one that changes': '(*kept, kept.pop())',
    'a dict that changes': "{**table, 'k': table.pop('a')}",
    'several': '[element(1.0), *map(element, kept), *map(element, [x + 1])]',
}


@pytest.mark.parametrize('display', DISPLAYS.values(), ids=DISPLAYS)
def test_what_a_display_takes_apart(display):
    f = define(
        f"{_LOGGING}    kept, table = [x, 2.0], {{'a': x, 'b': 1.0}}\n"
        f'    return {display}, kept, table, log\n')
    check(f, *NUMBERS)


def test_a_cycle_takes_what_has_effects_at_once():
    def shown(v):
        ag.print(v)
        return v

    def lazily(xs):
        return list(itertools.islice(itertools.cycle(shown(v) for v in xs), 4))

    def at_once(xs):
        return list(itertools.islice(itertools.cycle([shown(v) for v in xs]), 4))

    with pytest.raises(ag.errors.StagingError, match=r'Make a list of them first'):
        ag.function(lazily)(VECTORS[0][0])
    check(at_once, *VECTORS)
