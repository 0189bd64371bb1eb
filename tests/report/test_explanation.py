"""`ag.explain`: one row for each `if`, loop, comprehension and call."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag


def scaled(x):
    return x * 2


def summary(xs, n=None):
    if n is None:
        n = len(xs)
    total = 0.0
    for x in (xs[0], xs[1]):
        total += scaled(x)
    for x in xs:
        if x > 0:
            total += np.sqrt(x)
    for _ in range(3):
        total = total + 1
    return [x for x in xs if x > total], {k: 1 for k in 'ab'}


def collected(text):
    try:
        yield float(text)
    except ValueError:
        return


def row(f, text):
    """The cells of the row of a construct."""
    explanation = ag.explain(f)
    for i, decision in enumerate(explanation.decisions):
        if decision.text.startswith(text):
            happened = explanation.happened[i] if explanation.happened else ''
            return decision.outcome, decision.why, happened
    raise LookupError(text)


@pytest.mark.parametrize(('text', 'outcome'), [
    ('if n is None:', 'always Python'),
    ('len(xs)', 'staged with a tensor'),
    ('for x in (xs', 'always Python'),
    ('scaled(x)', 'converted'),
    ('for x in xs', 'staged with a tensor'),
    ('if x > 0:', 'staged with a tensor'),
    ('np.sqrt', 'as it is'),
    ('for _ in', 'staged with a tensor'),
    ('[x for x', 'staged with a tensor'),
    ('{k: 1', 'always Python'),
])  # fmt: skip
def test_before_a_trace(text, outcome):
    assert row(summary, text)[::2] == (outcome, '')


def test_after_a_trace():
    f = ag.function(summary)
    f(np.array([1.0, 2.0, -3.0]))
    found = [row(f, text)[2] for text in ('for x in xs', 'if x > 0:', 'for _ in', 'np.sqrt', 'len')]
    assert found == ['staged', 'staged', 'Python', 'in the graph', 'Python']


def test_what_is_refused_says_what_to_write():
    table = str(ag.explain(collected))
    assert 'yield float(text)' in table
    assert 'refused' in table
    line = collected.__code__.co_firstlineno + 2
    assert table.splitlines()[-1].startswith(f'line {line}: Collect')


def test_methods_and_lambdas():
    class A:
        def f(self, x):
            return x if x > 0 else -x

    assert row(A().f, 'x if')[0] == 'staged with a tensor'
    assert row(lambda x: x if x > 0 else -x, 'x if')[0] == 'staged with a tensor'


class Doubling:
    def apply(self, x):
        return x * 2


def chosen(x):
    return x if x > 0 else -x


def calling(x):
    y = scaled(x)
    if len(x) > 0:
        y = y + 1
    np.any(x > 3)
    return Doubling().apply(y), chosen(x.sum())


@pytest.mark.parametrize(('text', 'happened'), [
    ('scaled(x)', 'in the graph'),
    ('Doubling().apply', 'in the graph'),
    ('chosen(x', 'in the graph'),
    ('if len(x)', 'Python'),
    ('len(x)', 'Python'),
    ('np.any', 'not needed'),
])  # fmt: skip
def test_what_a_call_has_made_stands_in_the_function_that_is_called(text, happened):
    f = ag.function(calling)
    f(np.array([1.0, 2.0]))
    assert row(f, text)[2] == happened


class Method:
    @ag.function
    def scaled(self, x):
        return x if x[0] > 0 else -x


def test_a_bound_method_has_the_traces_of_the_function():
    method = Method()
    method.scaled(np.ones(2))
    assert row(method.scaled, 'x if') == row(Method.scaled, 'x if')
    assert row(method.scaled, 'x if')[2] == 'staged'


def test_each_trace_has_its_say():
    @ag.function
    def f(x, k):
        if k == 3:
            x = x + 1
        return x

    for k in (np.int64(3), 3):
        f(np.arange(3), k)
    assert ag.explain(f).happened == ['staged and Python']
