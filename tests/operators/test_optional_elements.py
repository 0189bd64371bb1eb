"""Lists of which an element may be None."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.5, 2.5, 0.5], [-1.0, 2.0, 3.0], [3.0, -2.0, -1.0])]


def in_a_comprehension(xs):
    return [x if x > 0 else None for x in xs], [(x, x if x > 0 else None) for x in xs]


def appended(xs):
    out, pairs = [], []
    for i, x in enumerate(xs):
        out.append(None if x < 0 else x)
        pairs.append((i, x) if x > 0 else None)
    return out, pairs


def appended_on_either_way(xs):
    out = []
    for x in xs:
        if x < 0:
            out.append(None)
        else:
            out.append(x)
    return out


def the_largest_before(xs):
    out, best = [], None
    for x in xs:
        out.append(best)
        if best is None or x > best:
            best = x
    return out


def filled_in(xs):
    out = [None] * 3
    for i, x in enumerate(xs):
        if x > 0:
            out[i] = x
    return out


def nothing_but_none(xs):
    out = [None]
    for _ in xs:
        out.append(None)
    return out, out[0], [None for x in xs]


def beside_others(xs):
    text = ['large' if x > 2 else None for x in xs]
    counts = [int(x) if x > 0 else None for x in xs]
    rows = [xs if x > 0 else None for x in xs]
    return text, counts, rows, {'first': xs[0] if xs[0] > 0 else None}


def read_again(xs):
    out = [x if x > 0 else None for x in xs]
    total, gaps = 0.0, 0
    for v in out:
        if v is not None:
            total += v
        else:
            gaps += 1
    for i in range(1, len(out)):
        a, b = out[i - 1], out[i]
        if a is not None and b is not None:
            total += a * b
    return total, gaps, out[0], out[-1] is None, [v is None for v in out]


def chosen(xs):
    out = [x if x > 0 else None for x in xs]
    there = [v for v in out if v is not None]
    return there, sum(v for v in out if v is not None), np.array(there), sorted(there), sum(there)


def changed(xs):
    out = [x if x > 0 else None for x in xs]
    last = out.pop()
    for i, v in enumerate(out):
        if v is None:
            out[i] = 0.0
    out[0] = None
    return out, last, out[::-1], [*out, None], sorted(out, key=lambda v: v is None)


@pytest.mark.parametrize(
    'f',
    [
        in_a_comprehension, appended, appended_on_either_way, the_largest_before, filled_in,
        nothing_but_none, beside_others, read_again, chosen, changed,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_the_same(f):
    check(f, *VECTORS)
    graph = ag.function(f, input_signature=[ag.TensorSpec([None], np.float64)])
    for (xs,) in VECTORS:
        assert repr(graph(xs)) == repr(f(xs))


def test_an_array_is_not_made_of_none():
    @ag.function
    def f(xs):
        return np.array([x if x > 0 else None for x in xs])

    np.testing.assert_array_equal(f(np.array([1.0, 2.0])), [1.0, 2.0])
    with pytest.raises(TypeError, match='an element of the list is None'):
        f(np.array([1.0, -2.0]))
