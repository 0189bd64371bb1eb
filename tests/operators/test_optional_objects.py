"""Operators of classes of the user's, of objects that may be `None` when the graph runs."""
from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

NUMBERS = [(np.float64(v),) for v in (-1.0, 0.5, 1.5, 2.5)]


class Part:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return bool(self.v > 2)

    def __len__(self):
        return 3

    def __contains__(self, x):
        return bool(x > self.v)

    def __lt__(self, x):
        return self.v < x

    def __gt__(self, x):
        return self.v > x

    def __eq__(self, x):
        return bool(self.v == x)

    def __hash__(self):
        return 1

    def __add__(self, x):
        return self.v + x

    def __rsub__(self, x):
        return x - self.v

    def __neg__(self):
        return -self.v

    def __float__(self):
        return float(self.v)

    def __getitem__(self, x):
        return self.v * x

    def __call__(self, x, by=1.0):
        return self.v - x * by

    def __iter__(self):
        return iter([self.v, 1.0])

    def __enter__(self):
        return self.v

    def __exit__(self, *error):
        return False


@dataclass(order=True)
class Pair:
    v: float
    w: float = 1.0


def with_part(statements, is_known):
    lines = textwrap.indent(statements, ' ' * 8)
    return define(
        'def f(x):\n    part = None\n    if x > 1:\n        part = Part(x)\n    found = 0.0\n'
        f'    if {"part is not None" if is_known else "x > 0"}:\n{lines}\n    return found\n',
        Part=Part)


TRUTHS = {
    'if': 'if part:\n    found = 1.0',
    'and': 'if x > 0 and part:\n    found = 1.0',
    'or': 'found = 1.0 if part or x < 1 else 2.0',
    'not': 'found = 1.0 if not part else 2.0',
    'while': 'while part and found < 2:\n    found += 1',
    'equal': 'found = 1.0 if part == 1.5 else 2.0',
    'unequal': 'found = 1.0 if 1.5 != part else 2.0',
}
OPERATORS = {
    'length': 'found = len(part) * 1.0',
    'in': 'found = 1.0 if x + 1 in part else 2.0',
    'less': 'found = 1.0 if part < 2 else 2.0',
    'greater, behind': 'found = 1.0 if 2.0 < part else 2.0',
    'sum': 'found = part + 1.0',
    'difference, behind': 'found = 1.0 - part',
    'negative': 'found = -part',
    'float': 'found = float(part)',
    'item': 'found = part[2.0]',
    'call': 'found = part(1.0, by=2.0)',
    'loop': 'for v in part:\n    found += v',
    'list': 'found = list(part)[0]',
    'with': 'with part as v:\n    found = v',
}


@pytest.mark.parametrize('is_known', [False, True])
@pytest.mark.parametrize('statements', TRUTHS.values(), ids=TRUTHS)
def test_truth_and_equality(statements, is_known):
    check(with_part(statements, is_known), *NUMBERS, joins=True)


@pytest.mark.parametrize('is_known', [False, True])
@pytest.mark.parametrize('statements', OPERATORS.values(), ids=OPERATORS)
def test_operators(statements, is_known):
    if is_known:
        check(with_part(statements, is_known), *NUMBERS, joins=True)
    else:
        f = with_part(statements, is_known)
        graph, (nothing, there) = ag.function(f), (NUMBERS[1], NUMBERS[2])
        assert graph(*there) == f(*there)
        with pytest.raises((AttributeError, TypeError)) as expected:
            f(*nothing)
        with pytest.raises(expected.type) as found:
            graph(*nothing)
        assert str(found.value).partition('\n')[0] == str(expected.value)


def test_dataclasses():
    def ordered(x):
        pair = None
        if x > 1:
            pair = Pair(x)
        if pair is None:
            return False, False
        return pair < Pair(2.0), pair == Pair(1.5)

    check(ordered, *NUMBERS, joins=True)


class Counting(Part):
    def __init__(self, v):
        super().__init__(v)
        self.n = 0

    def __bool__(self):
        self.n += 1
        return bool(self.v > 2)

    def __eq__(self, x):
        self.n += 1
        return bool(self.v == x)

    __hash__ = Part.__hash__

    def __iadd__(self, x):
        self.v = self.v + x
        return self


@pytest.mark.parametrize(
    'statement', ['if part:\n    found = 1.0', 'if part == 1.5:\n    found = 1.0', 'part += 1.0'])
def test_what_changes_the_object(statement):
    f = with_part(statement, True)
    f.__globals__['Part'] = Counting
    check(f, *NUMBERS, joins=True)


class Step:
    def __init__(self, x):
        self.parts, self.steps, self.of = x + 2, x * 2, x
        self.closed, self.names, self.kind, self.values, self.owner = x, x + 1, x + 3, x + 4, x + 5


class Presence:
    def __init__(self, x):
        self.present = x


def test_attributes_are_those_of_the_object():
    def f(xs):
        best = None
        for x in xs:
            if best is None or x > best.of:
                best = Step(x)
        if best is None:
            return None
        return (
            best.parts, best.steps, best.closed, best.names, best.kind, best.values, best.owner)

    check(f, (np.array([1.0, 3.0, 2.0]),), (np.array([-1.0, -3.0, -2.0]),))


def test_an_attribute_that_its_stand_in_has():
    def f(x):
        best = None
        if x > 0:
            best = Presence(x)
        return best.present

    check(f, (np.float64(1),), (np.float64(-1),))
