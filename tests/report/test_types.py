"""The types that stand beside the user's lines: of all that has one, named or not."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

THREE = np.ones(3)


def halved(x, n):
    state = {'x': x, 'n': 0}
    while np.sum(state['x']) > 1:
        state['x'] = state['x'] / 2
        state['n'] = state['n'] + 1
    if state['n'] > n:
        y = x * 2
    else:
        y = x
    return y, state['n']


def rows(m):
    total = np.float64(0)
    for i, row in enumerate(m):
        total += row.sum() * i
    return total


def of_parts(params, x):
    w = params['w']
    w = w @ x
    return w


@pytest.mark.parametrize(('function', 'args', 'text', 'note'), [
    (halved, (THREE, np.int64(1)), 'def halved(x, n):', 'x: float64[3] · n: int64'),
    (halved, (THREE, np.int64(1)), "while np.sum(state['x']) > 1:", 'bool'),
    (halved, (THREE, np.int64(1)), "state['n'] = state['n'] + 1", 'int'),
    (halved, (THREE, np.int64(1)), "if state['n'] > n:", 'bool · y: float64[3]'),
    (halved, (THREE, np.int64(1)), "return y, state['n']", 'float64[3], int'),
    (rows, (np.ones((60, 2)),), 'for i, row in enumerate(m):',
     'i: int · row: float64[2] · total: float64'),
    (rows, (np.ones((60, 2)),), 'return total', 'float64'),
    (of_parts, ({'w': np.ones((2, 3))}, THREE), 'def of_parts(params, x):',
     "params['w']: float64[2, 3] · x: float64[3]"),
])  # fmt: skip
def test_what_a_line_computes_or_is_given_has_its_type(function, args, text, note):
    lines = ag.inspect(function, *args).source[0].lines
    assert next(line.note for line in lines if line.text.strip() == text) == note


def over_several_lines(x, n):
    y = (
        x / 2
    )
    parts = {
        'y': y * 3,
        'k': n // 8,
    }
    return (
        parts['y'] + y,
        parts['k'],
    )


def test_a_statement_over_several_lines_is_in_the_graph_where_it_begins():
    lines = ag.inspect(over_several_lines, THREE, np.arange(3)).source[0].lines
    assert not [line.text for line in lines if line.idle]
    assert not [line.text for line in lines if 'not in the graph' in line.note]
