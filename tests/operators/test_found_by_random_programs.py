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


def a_dict_changed_where_a_closure_sees_it(x, w):
    d = {'x': x}
    v = w * 2
    try:
        if x > 2:
            if np.any(e > x for e in w):
                d['x'] -= w[0]
            elif np.any(v > 4):
                d = {**d, 'x': w[1]}
    finally:
        x += 1
    return x, d


def a_list_changed_after_a_loop(x, w):
    out = [x]
    for e in w:
        if x > e:
            continue
        if x > 2:
            out[0] += e
        x = x + 1
    out[-1] = x
    return out, x


def a_dict_returned_from_a_loop(x, w):
    d = {'x': x}
    for e in w:
        d['x'] = d['x'] + e
        if d['x'] > 3:
            return d, x
        x = x + 1
    return d, x


def bound_perhaps_in_an_assertion(x, w):
    y = x
    assert x < 4 or (y := w[0]) > 1, 'no'  # noqa: RUF018  it is what is tested
    return y


def a_finally_where_a_trace_begins_anew(x, w):
    y, n, i = x + 1, 3, 0
    while i < 3 and x > -9:
        i += 1
        x, (y, n) = y, (x, n)
        try:
            if x > 2:
                if len(w) < n:
                    break
                y = w[0]
        finally:
            x += 1
    return x, y


@pytest.mark.parametrize(
    'f',
    [
        a_finally_where_a_trace_begins_anew,
        a_dict_changed_where_a_closure_sees_it, a_list_changed_after_a_loop,
        a_dict_returned_from_a_loop, bound_perhaps_in_an_assertion,
        a_turn_that_never_ends, python_in_a_staged_branch, none_under_a_flag,
        an_item_in_one_branch, lists_of_both_kinds, a_part_in_one_branch_the_whole_in_the_other,
        a_list_that_both_branches_stage,
    ],
)  # fmt: skip
def test_found(f):
    check(f, *CALLS)


def test_what_a_test_in_a_loop_holds_is_free_after_it():
    def f(x, m, k, a):
        c = a - 1
        items = []
        w = 0
        while w < m and x[k] * x[k] < abs(a):
            w += 1
            if -1.0 <= a * 0.5 or (
                (x[0] if c <= 1.5 else a) <= (-2.0 if a != 0.0 else a) and len(items) > 2
            ):
                return x
        return x

    args = [(VECTOR, np.int64(3), np.int64(1), np.float64(a)) for a in (0.7, -9.0, 5.0)]
    check(f, *args)
