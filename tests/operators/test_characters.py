"""The characters of a text of which only the running graph knows which it is."""
import fractions
import itertools
import json
import re
import statistics

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array([sign, 2.0, 3.0]),) for sign in (1.0, -1.0)]


def text(x):
    return 'bca' if x[0] > 0 else 'de'


def until(t):
    total = 0
    for i, c in enumerate(t):
        if c == 'c':
            break
        total += i * ord(c)
    else:
        total = -1
    return total


ONE = [
    lambda t, x: [c for c in t] + [c + d for c in t for d in t if c < d],
    lambda t, x: (list(t), tuple(t), list(reversed(t)), [*t], (*t, 'z')),
    lambda t, x: (sorted(t), sorted(t, reverse=True), sorted(t, key=lambda c: -ord(c))),
    lambda t, x: (','.join(t), ''.join(sorted(t)), ''.join(c.upper() for c in t)),
    lambda t, x: (max(t), min(t), max(t, key=ord), sum(1 for c in t)),
    lambda t, x: (any(c == 'a' for c in t), all(c < 'z' for c in t)),
    lambda t, x: (list(enumerate(t)), list(zip(t, x)), [ord(c) for c in t]),
    lambda t, x: (list(map(str.upper, t)), list(filter(str.isalpha, t)), str.upper(t)),
    lambda t, x: (next(iter(t)), list(t.encode()), t[0] + t[-1], 'e' in t),
    lambda t, x: ('abc'[len(t) - 2], t.rindex('e' if x[0] < 0 else 'a'), until(t)),
    lambda t, x: [i for i, c in enumerate(t) if c > 'a'],
]


@pytest.mark.parametrize('f', ONE)
def test_characters(f):
    check(lambda x: f(text(x), x), *CALLS)


def test_they_are_printed(capsys):
    graph = ag.function(lambda x: print(*text(x), sep='-'))
    for call in CALLS:
        graph(*call)
    assert capsys.readouterr().out == 'b-c-a\nd-e\n'


REFUSED = [
    lambda t: frozenset(t),
    lambda t: list(itertools.chain(t, 'x')),
    lambda t: re.sub('a', 'b', t),
    lambda t: getattr(t, t),
    lambda t: re.sub('a', 'b', t) if t > 'c' else t,
]


@pytest.mark.parametrize('f', REFUSED)
def test_what_is_refused_says_where(f):
    with pytest.raises(ag.errors.StagingError, match=r'test_characters\.py'):
        ag.function(lambda x: f(text(x)))(*CALLS[0])


def test_what_is_advised_for_functions_of_python():
    def f(x):
        return str(ag.py_function(lambda t: re.sub('a', 'b', t), [text(x)], str)) + '!'

    check(f, *CALLS)


def test_texts_of_numbers():
    def f(x):
        n = int(x[0]) + 70
        return chr(n), hex(n), bin(n), oct(n), ord(chr(n)), [*map(hex, [n, 2])]

    check(f, *CALLS)


LIBRARY = [
    (lambda x: statistics.multimode(x), '`multimode` of the module `statistics`'),
    (lambda x: statistics.correlation(list(x), x), '`correlation` of the module `statistics`'),
    (lambda x: fractions.Fraction(x[0]), 'ag.py_function'),
    (lambda x: zip(x, x).__next__(), r'next\(\.\.\.\)'),
]


@pytest.mark.parametrize(('f', 'advice'), LIBRARY)
def test_advice_for_libraries_fits(f, advice):
    with pytest.raises(ag.errors.StagingError, match=advice):
        ag.function(f)(np.ones(3))


def test_what_is_advised_for_libraries():
    def f(x):
        return str(ag.py_function(lambda x: json.dumps(x.tolist()), [x], str))

    check(f, *CALLS)
