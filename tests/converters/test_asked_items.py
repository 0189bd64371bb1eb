"""Variables that change where a `for` asks for its next item, or by way of another closure."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, 3.0], [-1.0, 0.5, 0.25], [0.1, 0.1, 0.1])]

ITERABLES = {
    'map': 'map(count, xs)',
    'a generator expression': '(count(x) for x in xs)',
    'with a condition': '(x for x in xs if count(x) > 1)',
    'numbered': '(v for _, v in enumerate(map(count, [1.0, 2.0])))',
    'zip': '(v for _, v in zip(xs, map(count, xs)))',
    'filter, by a lambda': 'filter(lambda x: count(x) > 1, xs)',
    'what reads it': '(x * n for x in xs)',
    'a name': 'elements',
}
BODIES = {
    'adds': 'total += v',
    'reads': 'total += v * n',
    'sets': 'n += 1\n        total += v',
    'calls': 'total += v + count(2.0)',
    'sets in a branch': 'if v > 1:\n            n -= 2\n        total += v',
}


@pytest.mark.parametrize('iterable', ITERABLES.values(), ids=ITERABLES)
@pytest.mark.parametrize('body', BODIES.values(), ids=BODIES)
def test_what_asking_for_an_item_changes(iterable, body):
    f = define(
        'def f(xs):\n    n, total = 0.0, 0.0\n'
        '    def count(x):\n        nonlocal n\n        n += x\n        return n\n'
        '    elements = map(count, xs)\n'
        f'    for v in {iterable}:\n        {body}\n    return total, n\n')
    check(f, *VECTORS, joins=True)


def test_what_iter_calls_changes_a_variable():
    def called(x):
        n = 0

        def count():
            nonlocal n
            n += 1
            return n

        for v in iter(count, 4):
            x = x + v * n
        return x, n

    check(called, (np.float64(2.0),))


def test_what_asking_for_an_item_changes_and_a_block_that_may_raise():
    def kept(xs):
        seen, total = [], 0.0

        def log(x):
            seen.append(x)
            return x

        for v in map(log, xs):
            try:
                if v < 0:
                    raise ValueError
                total += log(v)
            except ValueError:
                seen.append(total)
        return seen, total

    check(kept, *VECTORS, joins=True)


CALLS = {
    'called': '(lambda x: count(x))(v)',
    'given to a builtin': 'sum(map(lambda x: count(x), [v, 1.0]))',
    'as a key': 'max([v, v + 1], key=lambda x: count(x))',
    'given to a helper': 'applied(lambda x: count(x), v)',
    'out of a list': '[lambda x: count(x)][0](v)',
    'of a function': 'applied(lambda x: more(x), v)',
}


@pytest.mark.parametrize('called', CALLS.values(), ids=CALLS)
def test_what_a_lambda_changes_by_a_function_that_it_calls(called):
    f = define(
        'def applied(function, x):\n    return function(x)\n'
        'def f(xs):\n    n, total = 0.0, 0.0\n'
        '    def count(x):\n        nonlocal n\n        n += x\n        return n\n'
        '    def more(x):\n        return count(x) + 1\n'
        f'    for v in xs:\n        n += 1\n        total += {called}\n    return total, n\n')
    check(f, *VECTORS)
