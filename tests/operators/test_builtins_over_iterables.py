"""Each builtin over each iterable: of none, one, many and NaN, in one trace and in one for each."""
from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from defining import define
from differential import joined, outcome, same

import autograph_lite as ag

ITERABLES = [
    'x', 'x[x > 0]', 'x.flat', '[v for v in x]', '[v for v in x if v > 0]', '[float(v) for v in x]',
    '[(v, i) for i, v in enumerate(x)]', '(v * 2 for v in x)', '(v for v in x if v > 0)',
    'filter(None, x)', 'map(abs, filter(None, x))', 'iter(x)', 'range(n)', 'map(float, range(n))',
    'reversed(x)', 'reversed(list(zip(x, x)))', 'zip(x, range(n))', 'zip(filter(positive, x), x)',
    'zip(x, map(abs, x))', 'enumerate(x)', 'enumerate(filter(positive, x))',
]  # fmt: skip
BUILTINS = [
    'sum({})', 'min({})', 'max({}, default=None)', 'any({})', 'all({})', 'sorted({})', 'list({})',
    'sorted({}, reverse=True)', '[*{}]', 'math.fsum({})', 'math.prod({})', 'last(enumerate({}))',
    'last(zip({}, x))', 'last(zip(x, {}))', 'list(map(repeated, {}))', 'list(filter(None, {}))',
    'next({}, None)', 'last({})', 'functools.reduce(min, {})', 'any(map(positive, {}))',
    'tuple({})', '2.0 in {}', 'extended([], {})', 'sorted({}, key=negative)',
    'max({}, key=negative, default=None)', 'min({}, key=negative, default=None)',
    'list(enumerate({}, 5))', 'list(reversed([*{}]))', 'sum(map(negative, {}), 2.5)',
]  # fmt: skip
DATA = [np.array(x) for x in ([3.0, -1.0, 2.0], [], [2.0], [np.nan, 1.0, np.nan, -0.0])]


def positive(x):
    return x if isinstance(x, tuple) else x > 0


def negative(x):
    return -x[0] if isinstance(x, tuple) else -x


def repeated(x):
    return x, x


def last(items):
    count, found = 0, None
    for item in items:
        count += 1
        found = item
    return count, found


def extended(found, items):
    found.extend(items)
    return found


def functions(called):
    adds = any(name in called for name in ('sum', 'prod'))
    for iterable in ITERABLES:
        if (adds and ('zip' in iterable or 'enumerate' in iterable)) or (
            'next' in called and 'flat' in iterable
        ):
            continue
        text = f'def f(x, n):\n    return {called.format(iterable)}'
        given = {'math': math, 'functools': functools, 'positive': positive, 'negative': negative}
        yield iterable, define(text, repeated=repeated, last=last, extended=extended, **given)


@pytest.mark.parametrize('called', BUILTINS)
def test_as_python_does(called):
    for iterable, f in functions(called):
        types = [ag.TensorSpec([None], 'f8'), ag.TensorSpec([], 'i8')]
        converted, known = ag.to_graph(f), ag.function(f)
        any_length = ag.function(f, input_signature=types)
        for i, x in enumerate(DATA):
            if not len(x) and ('sum' in called or 'prod' in called) and 'float' in iterable:
                continue  # Python gives an int, which no loop that adds floats begins with
            args = x, np.int64(len(x))
            expected = outcome(f, args)
            for way in (converted, any_length, known) if i < 2 else (converted, any_length):
                got = outcome(way, args)
                alike = same(expected, got) or joined(expected, got)
                assert alike, f'{called.format(iterable)} of {x}: {got}'
