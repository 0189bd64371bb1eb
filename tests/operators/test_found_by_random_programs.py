"""What random programs found, each made small."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

VECTOR = np.array([1.0, -2.0, 3.0, 0.5])
CALLS = [(np.float64(x), VECTOR) for x in (1.0, -1.0, 5.0)]


def a_turn_that_never_ends(x, w):
    v = w * 2
    if x > 4:
        for _ in range(np.int64(x)):
            for e in w:
                v += e
            assert len(v) > 5, 'no'
    return v


def python_in_a_staged_branch(x, w):
    v = w * 2
    y = x
    if x > 0:
        if x > 2:
            y = np.tanh(v.sum())
        elif len(w) > 2:
            v[1] = x
    return v, y


def none_under_a_flag(x, w):
    best = None
    for e in w:
        if e > x:
            best = e
            return best, x
        if e < -x:
            return None, x
    return best, x


def an_item_in_one_branch(x, w):
    for e in w.copy():
        x = x + e
    if x > 2:
        x = (e if x > 3 else np.float64(2)) * 0.5
    return x


def lists_of_both_kinds(x, w):
    out = [x]
    if x > 2:
        out.append(x)
    elif x > 0:
        out = [x, x * 2]
    else:
        y = np.float64(sum(out))
        out = [y]
    return out


def a_part_in_one_branch_the_whole_in_the_other(x, w):
    d = {'x': x, 'n': w[0]}
    if x > 4:
        d = {'x': w[1], 'n': w[2]}
    elif x > 0:
        d['n'] = x
    return d


def a_list_that_both_branches_stage(x, w):
    out = [x]
    if x > 4:
        for _ in w:
            out.append(sum(out))
    elif x > 0:
        out.append(sum(out))
    return out


@pytest.mark.parametrize(
    'f',
    [
        a_turn_that_never_ends, python_in_a_staged_branch, none_under_a_flag,
        an_item_in_one_branch, lists_of_both_kinds, a_part_in_one_branch_the_whole_in_the_other,
        a_list_that_both_branches_stage,
    ],
)  # fmt: skip
def test_found(f):
    check(f, *CALLS)
