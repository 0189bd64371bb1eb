"""Attributes and items that staged blocks set."""
from __future__ import annotations

import numpy as np
from differential import check


def loop_in_a_branch(c, w):
    d = {'x': w[0] * 2}
    if c > 0:
        for e in w:
            d['x'] -= e
    return d


def whole_after_an_early_return(c, x):
    d = {'x': x}
    if c > 0:
        return x, d
    d['x'] -= 1
    return x, d


def branch_in_a_loop_in_a_branch(c, w):
    d = {'x': w[0]}
    if c > 0:
        while d['x'] < 10:
            if d['x'] > 3:
                d['x'] += 2
            d['x'] += 1
    return d


def loop_in_a_loop(c, w):
    d = {'x': w[0], 'n': 0}
    for e in w:
        for f in w:
            d['x'] += e * f
        d['n'] += 1
    return d


def test_items():
    w = np.array([1.0, 2.0])
    for f in (loop_in_a_branch, branch_in_a_loop_in_a_branch, loop_in_a_loop):
        check(f, (np.float64(1), w), (np.float64(-1), w))


def test_the_whole_object():
    check(
        whole_after_an_early_return,
        (np.float64(1), np.float64(3)),
        (np.float64(-1), np.float64(3)),
    )
