"""Chains of conditional expressions and comparisons that are longer than functions nest."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

LONG = 205  # Python parses no text with so many brackets in each other
CALLS = [(np.float64(value), np.array([1.0, LONG - 2.0])) for value in (-1.0, 3.0, LONG - 2.0)]


def choices(value, last):
    return ''.join(f'{value} + {i} if x == {i} else ' for i in range(LONG)) + last


@pytest.mark.parametrize('body', [
    f'return {choices("x", "x")}',
    f'return ys[0] + ({choices("x", "x")}) * 2',
    f'return [{choices("y", "-y")} for y in ys]',
    f'return {choices("x", "(" + choices("-x", "x") + ")")}',
    f'g = lambda a, *b, c=1: {choices("a + c", "a")}; return g(x, ys), g(x, c=x)',
    f'for y in ys: x = {choices("y", "-x")}\n    return x',
    f'if x > 9: pass\n    elif ({choices("x", "x")}) > 3: return x\n    return -x',
    f'z = {choices("x", "(z := x)")}; return z',
], ids=[
    'returned', 'in what is computed', 'with a variable of its own', 'in each other', 'in a lambda',
    'in a loop', 'as a test', 'binding a name',
])
def test_conditional_expressions(body):
    check(define(f'def f(x, ys):\n    {body}\n'), *CALLS)


@pytest.mark.parametrize('chain', [
    ' < '.join(f'abs(x + {i})' for i in range(LONG)),
    ' <= '.join(f'abs(x + {i // 2})' for i in range(LONG)),
    ' in '.join(f'[x + {i}]' for i in range(LONG)),
])
def test_comparisons(chain):
    f = define(f'def f(x, ys):\n    return {chain}\n')
    check(f, *CALLS)


def test_what_is_compared_is_computed_once_and_in_order_as_far_as_it_is_needed():
    f = define(f'''
def f(x, ys):
    seen = []

    def at(i):
        seen.append(i)
        return min(i, {LONG - 9})

    return {" < ".join(f"at({i})" for i in range(LONG))}, seen
''')
    check(f, CALLS[0])


