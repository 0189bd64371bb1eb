"""Conversion takes work in proportion to the function."""
from __future__ import annotations

import pytest
from defining import define
from work import work

from autograph_lite import to_code


def ifs(n):
    lines = ['def f(x):']
    for i in range(n):
        lines += [f'    if x > {i}:', f'        x = x - {i}']
    return '\n'.join([*lines, '    return x'])


def elifs(n):
    lines = ['def f(x):', '    if x == 0:', '        y = 0']
    for i in range(1, n):
        lines += [f'    elif x == {i}:', f'        y = {i}']
    return '\n'.join([*lines, '    else:', '        y = -1', '    return y'])


def returns(n):
    lines = ['def f(x):']
    for i in range(n):
        lines += [f'    if x == {i}:', f'        return {i}']
    return '\n'.join([*lines, '    return x'])


def nested_loops(n):
    lines = ['def f(x):']
    for i in range(n):
        kind = f'for i{i} in range(x):' if i % 2 else f'while x > {i}:'
        lines.append('    ' * (i % 18 + 1) + kind)
        if i % 18 == 17 or i == n - 1:
            lines.append('    ' * (i % 18 + 2) + f'x = x - {i}')
    return '\n'.join([*lines, '    return x'])


def comprehensions(n):
    lines = ['def f(x):', '    s = 0']
    lines += [f'    s = s + sum([y * {i} for y in x if y > {i}])' for i in range(n)]
    return '\n'.join([*lines, '    return s'])


@pytest.mark.parametrize(
    ('program', 'size'),
    [(ifs, 1000), (elifs, 100), (returns, 500), (nested_loops, 50), (comprehensions, 500)])
def test_about_twice_the_work_for_twice_the_function(program, size):
    to_code(define(program(10)))
    half, whole = (work(to_code, define(program(n))) for n in (size // 2, size))
    assert whole < 2.2 * half


def test_a_chain_deeper_than_the_recursion_limit():
    assert '499' in to_code(define(elifs(500)))
