"""`ag.explain`: one row for each `if`, loop, comprehension and call."""
from __future__ import annotations

import math
import re
import sys

import numpy as np
import pytest

import autograph_lite as ag


def scaled(x):
    return np.tanh(x) * 2


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


class Doubling:
    def apply(self, x):
        return x * 2


def nothing_more(x):
    return x


def calling(x):
    if len(x) > 0:
        x = nothing_more(scaled(x))
    total = x.sum()
    return Doubling().apply(total), chosen(total)


def chosen(x):
    return x if x > 0 else -x


def test_what_a_call_has_made_stands_in_the_function_that_is_called():
    f = ag.function(calling)
    f(np.array([1.0, 2.0]))
    for text, happened in (
        ('scaled(x)', 'in the graph'), ('Doubling().apply', 'in the graph'),
        ('chosen(total)', 'in the graph'), ('if len(x)', 'Python'), ('len(x)', 'Python'),
    ):  # fmt: skip
        assert row(f, text)[2] == happened, text


@pytest.mark.skipif(sys.version_info < (3, 11), reason='Python keeps no columns before 3.11')
def test_calls_on_one_line():
    f = ag.function(calling)
    f(np.array([1.0, 2.0]))
    table = str(ag.explain(f)).splitlines()
    made = {line.split()[1]: line.endswith('in the graph') for line in table[2:]}
    assert made['Doubling()'] is False
    assert made['Doubling().apply(total)'] is True


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


def test_a_comprehension_that_binds_a_name():
    def f(xs):
        return [y for x in xs if (y := x * 2) > 1]

    assert 'it becomes a loop where it is evaluated first' in str(ag.explain(f))


@ag.do_not_convert
def left_alone(x):
    return x


def with_reasons(xs, n=None, best=None):
    if n is None:
        n = 3
    if isinstance(xs, list):
        n = 4
    if 1:
        n = 5
    for k in (1, 2, 3):
        best = xs[k] if best is None else best
    while True:
        n = left_alone(n)
        if xs[n] > 0:
            break
    made = [lambda: k for k in xs]  # noqa: B023
    for key in {'a': 1}.keys():
        n = np.sin(n), 'abc'.upper(), str(key), math.floor(2.5), Doubling()
    return n, made


@pytest.mark.parametrize(('text', 'why'), [
    ('if n is None', 'the call says whether `n` is `None`'),
    ('if isinstance', '`isinstance` is answered while tracing'),
    ('if 1', 'its test is `1`'),
    ('for k in (1', 'it runs over 3 items that are written out'),
    ('xs[k] if best', 'its test may be a tensor'),
    ('while True', 'a `break` or `return` in it may depend on a tensor'),
    ('left_alone', 'it is marked @ag.do_not_convert'),
    ('[lambda', 'a function that is made in it sees its variables change'),
    ('for key in', "it runs over what `.keys()` gives, which is Python's"),
    ('np.sin', "it is NumPy's"),
    ("'abc'.upper", '`str` has such a method'),
    ('str(key)', "it is Python's own"),
])  # fmt: skip
def test_each_says_its_own_reason(text, why):
    assert row(with_reasons, text)[1] == why


class Meter:
    def step(self, x):
        return x + 1

    def count(self, x):
        return x + 2


def with_methods(x):
    meter = Meter()
    return meter.step(x) + meter.count(x)


def test_a_method_of_the_users_is_converted():
    assert row(with_methods, 'meter.step')[:2] == ('converted', 'it may be a function of yours')
    assert row(with_methods, 'meter.count')[1] == (
        '`str` has such a method; one of yours is converted')


async def awaiting(xs):
    return [x async for x in xs]


def test_what_is_refused_says_why():
    assert row(awaiting, '[x async')[:2] == (
        'refused', '`async` in a comprehension does not convert')


def chosen_by_a_value(x, mode, n=None):
    if mode == 'b':
        for v in x:
            x = x + v
    if n is None:
        n = len(x)
        x = x * n
    if 0:
        n = abs(n)
    for k in n:
        print(k)
    any(v > 3 for v in x)
    sum([v * v for v in x])
    x = scaled(x)
    return x if mode == 'a' else summary(x)


def test_what_is_not_reached_and_what_is_not_needed():
    f = ag.function(chosen_by_a_value)
    f(np.ones(2), 'a', ())
    expected = {
        'if mode': 'Python', 'for v in x': 'not reached', 'len(x)': 'not reached',
        'abs(n)': 'Python or not reached', 'for k': 'Python', 'print(k)': 'not reached',
        'any(': 'not needed', '[v * v': 'not needed', 'scaled(x)': 'in the graph',
    }  # fmt: skip
    assert {text: row(f, text)[2] for text in expected} == expected
    f(np.ones(2), 'b', 'k')
    assert row(f, 'for v in x')[2] == 'staged'
    assert row(f, 'print(k)')[2] == 'Python'


@pytest.mark.skipif(sys.version_info < (3, 11), reason='Python keeps no columns before 3.11')
def test_what_is_not_reached_on_one_line():
    f = ag.function(chosen_by_a_value)
    f(np.ones(2), 'a', ())
    assert row(f, 'summary(x)')[2] == 'not reached'


def test_where_a_trace_stopped():
    def f(x, mode=0):
        for _ in range(mode):
            x = x + mode
        return 'a' if x > 0 else 1

    g = ag.function(f)
    with pytest.raises(ag.errors.StagingError):
        g(np.float64(3))
    assert row(g, "'a' if")[2] == 'stopped here'
    assert row(g, 'for _')[2] == ''
    line = f.__code__.co_firstlineno + 3
    last = str(ag.explain(g)).splitlines()[-1]
    assert last.startswith(f'line {line}: The last trace stopped here. StagingError: ')
    assert last.endswith('Give the result one type on both ways.')
    g(2.0, 1)
    assert 'The last trace' not in str(ag.explain(g))


class Method:
    @ag.function
    def scaled(self, x):
        return x if x[0] > 0 else -x


def test_a_bound_method_has_the_traces_of_the_function():
    method = Method()
    method.scaled(np.ones(2))
    assert row(method.scaled, 'x if') == row(Method.scaled, 'x if')
    assert row(method.scaled, 'x if')[2] == 'staged'


def test_a_nested_generator_is_refused_where_it_is_called():
    def f(x):
        def parts():
            yield x

        return list(parts())

    assert row(f, 'parts()')[0] == 'refused'


def test_what_the_traces_made_of_a_match_and_of_what_stays_python_on_its_line():
    @ag.function
    def f(n, t):
        match n:
            case 1:
                t += 1
            case _:
                t -= 1
        return t, all(v > 0 for v in (n, t)), all(n // v > 0 for v in (n, t))

    f(np.float64(1), np.float64(2))
    assert row(f, 'match')[2] == 'staged'
    assert row(f, '(v > 0')[::2] == ('always Python', 'Python')
    assert row(f, '(n // v')[1] == 'its elements are evaluated as they are asked for'


def test_a_break_that_is_the_end_of_a_staged_loop():
    def f(x):
        total, turns = x.sum(), 0
        while True:
            total -= 1
            if total < 0:
                break
        while True:
            turns += 1
            if turns > 3:
                break
        for i in range(3):
            if total > i:
                break
        return total, turns

    g = ag.function(f)
    g(np.ones(2))
    expected = {'if total < 0': 'staged', 'if turns': 'Python', 'if total > i': 'not needed'}
    assert {text: row(g, text)[2] for text in expected} == expected


def test_traces_that_are_gone_with_their_object():
    g = ag.function(lambda x, method: x if x[0] > method.limit else -x)
    method = Method()
    method.limit = 0
    g(np.ones(2), method)
    assert row(g, 'x if')[2] == 'staged'
    del method
    assert str(ag.explain(g)).splitlines()[-1].startswith('None of its traces is kept')
    assert 'is kept' not in str(ag.explain(ag.function(lambda x: -x)))


def looks_at_its_variables(x):
    return eval('x + 1'), {int(v): i for i, v in enumerate(x)}


async def awaits(x):
    return x


def test_what_is_refused_and_what_a_dict_comprehension_runs_over():
    table = str(ag.explain(looks_at_its_variables))
    assert re.search(r"eval\('x \+ 1'\) +refused +`eval\(...\)` looks at the variables", table)
    assert re.search(r'\{int\(v\).*staged with a tensor +it may run over an array', table)
    assert re.search(r'async def .*refused', str(ag.explain(awaits)))
    with pytest.raises(ag.errors.ConversionError, match='without `await`'):
        ag.function(awaits)


def test_each_trace_has_its_say():
    @ag.function
    def f(x, k):
        if k == 3:
            x = x + 1
        return x

    for k in (np.int64(3), 3, 4):
        f(np.arange(3), k)
    assert ag.explain(f).happened == ['staged and Python']
