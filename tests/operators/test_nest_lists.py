"""Lists of tuples and other nests that grow in a staged block."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [3.0, 2.0, 5.0], [-1.0, 4.0, 0.5])]


def pairs(xs):
    out = []
    for i, x in enumerate(xs):
        if x > 0:
            out.append((i, x))
    return out, len(out)


def iterated(xs):
    out = []
    for i, x in enumerate(xs):
        if x > 0:
            out.append((i, x))
    total = np.float64(0)
    for i, x in out:
        total += i * x
    return total


def dicts(xs):
    out = []
    for x in xs:
        out.append({'x': x, 'row': x * xs})
    return out


def work_list(xs):
    todo = [(xs[0], 0)]
    total = np.float64(0)
    while todo:
        x, depth = todo.pop()
        total += x
        if depth < 3:
            todo.append((x * 0.5, depth + 1))
            todo.append((x * 0.25, depth + 1))
    return total


def sliced(xs):
    out = [(xs[0], 1)]
    for x in xs:
        out.insert(0, (x, 2))
    out[1] = (xs[1], 3)
    del out[0]
    last = [(xs[2], 4)]
    more = out + last
    more.reverse()
    return out[1:], more, more[-1]


def last_replaced(xs):
    out = []
    for x in xs:
        now = (x, x * 2)
        if len(out) > 0 and out[-1][0] > x:
            out[-1] = now
        else:
            out.append(now)
    return out


def lists(xs):
    rows = []
    for x in xs:
        row = []
        for y in xs:
            if y > x:
                row.append(y)
        rows.append(row)
    return rows


@pytest.mark.parametrize('f', [pairs, iterated, dicts, work_list, sliced, last_replaced, lists])
def test_growing(f):
    check(f, *VECTORS)


def test_a_list_in_a_list_is_not_modified():
    @ag.function
    def f(xs):
        rows = []
        for x in xs:
            row = []
            for y in xs:
                if y > x:
                    row.append(y)
            rows.append(row)
            row.append(x)
        return rows

    with pytest.raises(ag.errors.OwnershipError, match='test_nest_lists'):
        f(np.ones(3))
