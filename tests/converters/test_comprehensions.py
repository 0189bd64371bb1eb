"""List comprehensions and generator expressions over tensors and over Python values."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [-1.0, -2.0, -3.0])]


def doubled(xs):
    return [x * 2 for x in xs]


def chosen(xs):
    return [x * 2 for x in xs if x > 1]


def stacked(xs):
    return np.stack([x * xs for x in xs])


def numbered(xs):
    return [i * x for i, x in enumerate(xs) if i > 0 if x < 2]


def paired(xs):
    return [a * b + i for i, (a, b) in enumerate(zip(xs, xs[::-1], strict=True)) if a != b]


def crossed(xs):
    return [x * y for x in xs if x < 0 for y in xs if y < x]


def nested(xs):
    return [[x * y for y in xs] for x in xs]


def pairs(xs):
    return [(x, -x) for x in xs]


def added(xs):
    return sum(x * x for x in xs if x > -10), sum([x + 1 for x in xs])


def rows_added(xs):
    return sum(x * xs for x in xs)


def counted(xs):
    n = len([x for x in xs if x > 0])
    return n


def asked(xs):
    return any(x > 1 for x in xs), all(x < 0 for x in xs), any(x > y for x in xs for y in xs)


def extremes(xs):
    return max(x * x for x in xs), min(-x for x in xs if x < 0)


def or_default(xs):
    return max((x for x in xs if x > 0), default=-1.0)


def chosen_pairs(xs):
    return [(x, i) for i, x in enumerate(xs) if x < 2]


def of_python(xs):
    return [xs * i for i in (1, 2, 3)], {k: xs[k] for k in (0, 1)}


def chosen_of_python(xs):
    return [v for v in (xs[0], xs[1], xs[2]) if v > 0]


def names_of_the_user(xs, x=3):
    kept = [x * 2 for x in xs if x > 0]
    return kept, x


def closures(xs):
    return [f() for f in [lambda: i for i in range(3)]], xs  # noqa: B023  the closures share i


def iterated(xs):
    s = 0.0
    for y in [x + 1 for x in xs if x > -2]:
        s += y
    return s


def zipped(xs):
    names = ['a', 'b', 'c']
    return {name: x for name, x in zip(names, (2 * x for x in xs), strict=True)}


@pytest.mark.parametrize('f', [
    doubled, chosen, stacked, numbered, paired, crossed, nested, pairs, added, rows_added, counted,
    asked, of_python, chosen_of_python, names_of_the_user, closures, iterated, zipped, extremes,
    chosen_pairs,
])  # fmt: skip
def test_same_as_python(f):
    check(f, *VECTORS)


def test_extremes_of_nothing():
    def largest(xs):
        return max(x for x in xs if x > 0)

    check(largest, *VECTORS)


def test_a_default():
    for xs in ([1.0, 3.0], [-1.0, -2.0]):
        xs = np.array(xs)
        assert ag.function(or_default)(xs) == or_default(xs)


def test_graph_size():
    """A comprehension over rows is one loop, however many rows there are."""
    graphs = [
        ag.function(chosen).get_concrete_function(np.zeros(n)).graph for n in (10, 1000)]
    assert len(graphs[0].nodes) == len(graphs[1].nodes) < 10


def test_printed():
    assert ag.to_code(numbered) == (
        'def numbered(xs):\n'
        '    return ag.list_of(\n'
        '        lambda i, x: i * x, ag.enumerate(xs),\n'
        '        where=lambda i, x: ag.and_(i > 0, lambda: x < 2))')
    assert ag.to_code(crossed) == (
        'def crossed(xs):\n'
        '    return ag.list_of(\n'
        '        lambda x: ag.each(lambda y: x * y, xs, where=lambda y: y < x), xs,\n'
        '        where=lambda x: x < 0, flat=True)')
    assert ag.to_code(of_python).endswith(
        '    return [xs * i for i in (1, 2, 3)], {k: xs[k] for k in (0, 1)}')


def test_refused():
    @ag.function
    def chosen_set(xs):
        return {float(i) for i, x in enumerate(xs) if x > 0}

    with pytest.raises(ag.errors.StagingError, match=r'test_comprehensions\.py'):
        chosen_set(np.ones(3))
