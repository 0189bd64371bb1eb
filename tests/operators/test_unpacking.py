"""`a, b = x`, also where only the running graph knows how long `x` is."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check
from sweep import differences

import autograph_lite as ag

X = np.arange(5.0)
PAIRS = np.arange(6.0).reshape(3, 2)


def selected(x):
    a, b = x[x > 2]
    (c, d), e = x[:2], x[[1, 2]][0]
    [low, high] = np.percentile(x, [25, 75])
    return a, b, c, d, e, low, high


def of_rows(x):
    total = 0.0
    for a, b in x:
        total += a * b
    p, q, (r, s) = x
    return total, p + q, r - s, [a - b for a, b in x]


def with_a_star(x):
    first, *rest = x
    *most, last = x[x > 1]
    a, *middle, b = x[:2]
    return first, rest, sum(most), last, a, middle, b


def of_staged_lists(x):
    items, pairs = [], []
    for each in x:
        if each > 2:
            items.append(each)
            pairs.append((each, each * 2))
    first, *rest = items
    a, b = items
    (c, d), (e, f) = pairs
    return first, rest, a, b, c, d, e, f


def of_python_values(x):
    a, (b, *c), d = x, (1, 2, 3), 'text'
    *e, f = d
    g, h = c
    return a, b, c, d, e, f, g + h


@pytest.mark.parametrize(
    ('f', 'x'),
    [(selected, X), (of_rows, PAIRS), (with_a_star, X), (of_staged_lists, X),
     (of_python_values, X)],
)  # fmt: skip
def test_as_python_does(f, x):
    assert differences(f, x) == []


def too_many(x):
    a, b = x
    return a + b


def too_few(x):
    a, b = x[:1]
    return a + b


def too_few_for_a_star(x):
    a, *b, c = x[:1]
    return a, b, c


def nothing_to_unpack(x):
    a, *b = len(x)
    return a, b


@pytest.mark.parametrize('f', [too_many, too_few, too_few_for_a_star, nothing_to_unpack])
def test_numbers_that_differ(f):
    assert differences(f, X, unknown=f is not nothing_to_unpack) == []


def test_the_number_is_found_when_the_graph_runs():
    def f(x):
        try:
            a, b = x[x > 0]
        except ValueError:
            return -1.0
        return a - b

    check(f, (np.array([1.0, 2, -1]),), (np.array([1.0, 2, 3]),), joins=True)


def added(*items):
    total = 0.0
    for item in items:
        total = total + item
    return total


def test_arguments_of_a_call():
    def f(xs):
        pairs = [(x, x * 2) for x in (xs[0], xs[1])]
        return added(*xs), added(1, *pairs[0]), max(*xs), np.maximum(*xs[:2]), added(*range(3))

    check(f, (np.array([1.0, 3.0, 2.0]),))


def test_as_many_arguments_as_the_graph_knows():
    def of_a_list(xs):
        return added(*[x for x in xs if x > 0])

    def of_a_range(xs):
        return added(0, *range(int(xs[0])))

    def of_rows(xs):
        return np.maximum(*xs[xs > 0])

    for f in (of_a_list, of_a_range, of_rows):
        with pytest.raises(ag.errors.StagingError, match='as many arguments as only') as caught:
            ag.function(f)(np.array([1.0, 3.0]))
        assert 'Pass the list itself' in str(caught.value)


def test_the_parts_of_pairs_are_taken_one_by_one():
    def zipped(x):
        pairs = [(v, i) for i, v in enumerate(x) if v > 1]
        values, places = zip(*pairs)
        return values, places

    def one_by_one(x):
        pairs = [(v, i) for i, v in enumerate(x) if v > 1]
        return [a for a, b in pairs], [b for a, b in pairs]

    with pytest.raises(ag.errors.StagingError, match=r'is `\[a for a, b in pairs\]`'):
        ag.function(zipped)(np.array([3.0, 1.0, 2.0]))
    check(one_by_one, (np.array([3.0, 1.0, 2.0]),), (np.zeros(3),))


def test_the_keys_of_a_dict_that_a_loop_fills_are_no_arguments():
    def f(xs):
        found, last = {}, ''
        for x in xs:
            found['a' if x > 1 else 'b'] = x
            last = max(*found)
        return last

    with pytest.raises(ag.errors.StagingError, match='does not support going over its keys'):
        ag.function(f)(np.ones(2))


@pytest.mark.parametrize(('before', 'value'), [
    ('0.0, 1.0', '[x, 1.0]'), ('0.0, 1.0', 'as_list(x)'), ('0.0, 1.0', 'np.array([x, 2.0])'),
    ('0.0, 1.0', 'grown(x)'), ('0.0, 1.0', 'map(float, [x, x])'), ('0.0, 1.0', '{x: 1, 2.0: x}'),
    ('0.0, 1.0', '(y * 2 for y in [x, x])'), ('0.0, 1.0', 'np.linalg.slogdet(np.eye(2) * x)'),
    ('0.0, 1.0', 'ag.py_function(lambda x: (x, x))(x)'), ('0.0, 1.0', '[x, 1.0, x]'),
    ('0.0, 1.0', '[x]'), ('0.0, 1.0', '1'), ("'p', 'q'", "'u-v'.split('-')"),
    ("'p', 'q'", "{'a': x, 'b': x}"), ('X[:1], X[:1]', 'np.split(np.array([x, 2.0]), 2)'),
])  # fmt: skip
def test_a_branch_that_does_no_more_than_unpack(before, value):
    f = define(f"""
def as_list(x):
    return [x, 1.0]

def grown(x):
    items = []
    for y in X[1:3]:
        items.append(x * y)
    return items

def f(x):
    a, b = {before}
    if x > 3:
        a, b = {value}
    elif x > 2:
        a, b = b, a
    return a, b
""", ag=ag, X=X)
    check(f, *((np.float64(x),) for x in (5, 3, 1)), joins=True)


def number(x):
    a, b = x
    return a + b


def number_of_pythons(x):
    (a, *b), c = int(x), x
    return a + b[0] + c


def number_of_a_pair(x):
    total = 0.0
    for a, b in [(x, x), x]:
        total += a * b
    return total


def nothing(x):
    pair = (x, x) if x > 5 else None
    a, b = pair
    return a + b


@pytest.mark.parametrize('f', [number, number_of_pythons, number_of_a_pair, nothing])
def test_what_has_no_items(f):
    with pytest.raises(TypeError) as expected:
        f(np.float64(1))
    with pytest.raises(TypeError) as raised:
        ag.function(f)(np.float64(1))
    assert str(raised.value) == str(expected.value)
