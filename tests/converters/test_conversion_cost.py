"""Conversion takes time in proportion to the function."""
from __future__ import annotations

import time

import pytest
from defining import define

from autograph_lite import to_code

LIMIT = 4.0  # seconds; about one where nothing else runs
SLACK = 3.2  # twice the function, and what else the machine does


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
    [(ifs, 1000), (elifs, 500), (returns, 500), (nested_loops, 50), (comprehensions, 500)])
def test_about_twice_the_time_for_twice_the_function(program, size):
    to_code(define(program(10)))
    half, whole = (min(_seconds(program(n)) for _ in range(2)) for n in (size // 2, size))
    assert whole < LIMIT
    assert whole < max(SLACK * half, 0.2)


def _seconds(text):
    function = define(text)
    start = time.process_time()
    to_code(function)
    return time.process_time() - start
