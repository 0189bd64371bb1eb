"""Chains of `elif`, `case`, `and` and `or` that are longer than branches nest."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

LONG = 40
CALLS = [(np.array([value, 1.0]),) for value in (-3.0, 0.5, 17.5, LONG - 16.5, LONG + 1.0)]


def elifs(end, shape='#'):
    lines = ['def f(x):', '    if x[1] < 0:', '        y = @x@']
    for i in range(LONG):
        lines += [f'    elif x[0] > {LONG - i}:', f'        y = @x + {i}@']
    before, after = shape.split('#')
    text = '\n'.join([*lines, *end, '    return y'])
    return define(text.replace('@x', before + 'x').replace('@', after))


@pytest.mark.parametrize('shape', ['#', '[#]', '(#, 0)', '{"a": #}'])
def test_a_variable_that_each_elif_gives_a_value(shape):
    check(elifs(['    else:', '        y = @x@'], shape), *CALLS)


def test_a_variable_that_no_else_gives_a_value():
    with pytest.raises(ag.errors.UnboundError, match="'y' is read here, but it has no value"):
        ag.function(elifs([]))(*CALLS[0])


def test_a_variable_that_each_case_gives_a_value():
    lines = ['def f(x):', '    match int(x[0]):']
    for i in range(LONG):
        lines += [f'        case {i}:', f'            y = x * {i}']
    lines += ['        case _:', '            y = x', '    return y']
    check(define('\n'.join(lines)), *CALLS)


@pytest.mark.parametrize(('word', 'sign'), [('and', '>'), ('or', '<')])
def test_long_conditions(word, sign):
    operands = [f'x[0] {sign} {LONG / 2 - i}' for i in range(3 * LONG)]
    check(define(f'def f(x):\n    return {f" {word} ".join(operands)}\n'), *CALLS)


@pytest.mark.parametrize('word', ['and', 'or'])
def test_long_conditions_in_python(word):
    operands = f' {word} '.join(f'x != {i}' for i in range(30 * LONG))
    f = define(f'def f(x):\n    return {operands}\n')
    converted = ag.to_graph(f)
    assert [converted(x) for x in (-1, 3)] == [f(x) for x in (-1, 3)]


def test_a_condition_in_a_line_of_a_thousand_parts():
    parts = ', '.join(f'n * {i}' for i in range(1000))
    check(define(f'def f(x, n=2):\n    return max({parts}, x[0])\n'), *CALLS, joins=True)
