"""What Python decided while tracing: the way that it went is told from the others."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.report.lines import graph_lines

THREE = np.ones(3)


def norm(x, ord=2):
    if ord == 2:
        return np.sqrt(np.sum(x * x))
    if ord == 1:
        return np.sum(np.abs(x))
    return np.max(np.abs(x))


def found(x, n):
    for i in range(n):
        if i == 2:
            return x * 5
    return x + 1


def same(x):
    return x


def power(x, n):
    if n == 0:
        return x
    return power(x, n - 1)


def doubled(x):
    return same(x) * 2


def powered(x):
    return power(x, 2) * 2


def either(y, w, flag):
    if flag:
        r = y
    else:
        r = w
    return r


def named(x, mode):
    if mode == 'double':
        return x * 2
    elif mode == 'same':
        add = x + 0
        return add
    return x + 1


def twice(x, n):
    if n > 1:
        return x
    if np.sum(x) > 0:
        return x * 2
    return twice(x, 2)


def notes(function, *args):
    shown = ag.inspect(function, *args)
    return {
        line.text.strip(): (line.note, line.idle)
        for listing in shown.source for line in listing.lines if line.text
    }


def lit(function, *args):
    """The texts of the lines that some line of the graph comes from."""
    shown = ag.inspect(function, *args)
    places = {
        place for line in graph_lines(shown.traces[0].graph, shown.behind[0])
        for place in line.places
    }
    return {line.text.strip() for line in shown.source[0].lines if places & set(line.places)}


UNTAKEN = ('not in the graph', True)


@pytest.mark.parametrize(('function', 'args', 'taken', 'untaken'), [
    (norm, (THREE, 1), ['return np.sum(np.abs(x))'],
     ['return np.sqrt(np.sum(x * x))', 'return np.max(np.abs(x))']),
    (norm, (THREE, 2), ['return np.sqrt(np.sum(x * x))'],
     ['return np.sum(np.abs(x))', 'return np.max(np.abs(x))']),
    (norm, (THREE, 3), ['return np.max(np.abs(x))'],
     ['return np.sum(np.abs(x))', 'return np.sqrt(np.sum(x * x))']),
    (found, (THREE, 2), ['return x + 1'], ['return x * 5']),
    (found, (THREE, 3), ['return x * 5'], ['return x + 1']),
    (either, (THREE, THREE, True), ['r = y'], ['r = w']),
    (either, (THREE, THREE, False), ['r = w'], ['r = y']),
    (named, (THREE, 'more'), ['return x + 1'], ['return x * 2', 'add = x + 0', 'return add']),
    (twice, (THREE, 0), ['return x * 2'], []),
])  # fmt: skip
def test_only_the_way_that_was_taken_is_in_the_graph(function, args, taken, untaken):
    told, shown = notes(function, *args), lit(function, *args)
    assert [text for text in taken if text in shown and told[text] != UNTAKEN] == taken
    assert [text for text in untaken if text not in shown and told[text] == UNTAKEN] == untaken


@pytest.mark.parametrize(('function', 'head', 'last'), [
    (doubled, 'def same(x):', 'return x'),
    (powered, 'def power(x, n):', 'return power(x, n - 1)'),
])
def test_a_function_that_gives_what_it_is_given_was_called(function, head, last):
    told = notes(function, THREE)
    assert told[head] == ('inlined', False)
    assert told[last] == ('while tracing', False)


def unneeded(x):
    same(x * 3)
    squared(x)
    return x + 1


def squared(x):
    return x * x


def test_a_call_whose_result_nobody_needs_says_so():
    told = notes(unneeded, THREE)
    assert told['squared(x)'] == told['return x * x'] == ('not needed', True)
    assert told['def squared(x):'] == ('inlined', False)


@ag.function
def decorated(x):
    return same(x) + 1


def test_what_is_inspected_is_not_inlined():
    assert notes(decorated, THREE)['def decorated(x):'] == ('x: float64[3]', False)
