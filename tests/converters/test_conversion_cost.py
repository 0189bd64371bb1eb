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


def conditional_expressions(n):
    return 'def f(x):\n    return ' + ' '.join(f'{i} if x > {i} else' for i in range(n)) + ' x'


def comparisons(n):
    return 'def f(x):\n    return ' + ' < '.join(f'abs(x + {i})' for i in range(n))


def comprehensions(n):
    lines = ['def f(x):', '    s = 0']
    lines += [f'    s = s + sum([y * {i} for y in x if y > {i}])' for i in range(n)]
    return '\n'.join([*lines, '    return s'])


def repeated(*lines):
    """Programs that are the same lines again and again."""
    def program(n):
        body = [f'    {line}'.replace('#', str(i)) for i in range(n) for line in lines]
        return '\n'.join(['def f(x, y):', *body, '    return x'])

    return program


straight = repeated('y = x * # + y', 'x = np.tanh(x) - y[#]')
calls = repeated('x = helper(x, #)', 'y = helper(y, x)')
logic = repeated('x = x > # and y < # or not x', 'y = x if y > # else y + 1')
breaks = repeated('for i in range(y):', '    if x > i:', '        break', '    x = x + #')
jumps = repeated('for i in range(y):', '    if x == i:', '        return #', '    x = x + i')
attributes = repeated('y.a = y.a + #', 'if y.a > #:', '    y.b = x')


@pytest.mark.parametrize(
    ('program', 'size'),
    [(ifs, 500), (elifs, 100), (returns, 500), (nested_loops, 50), (comprehensions, 500),
     (conditional_expressions, 80), (conditional_expressions, 400), (comparisons, 400),
     (straight, 200), (calls, 200), (logic, 200), (breaks, 200), (jumps, 200), (attributes, 200)])
def test_about_twice_the_work_for_twice_the_function(program, size):
    to_code(define(program(10)))
    half, whole = (work(to_code, define(program(n))) for n in (size // 2, size))
    assert whole < 2.2 * half


def test_a_chain_deeper_than_the_recursion_limit():
    assert '499' in to_code(define(elifs(500)))
