"""What nested blocks change by way of a method is found out once, not once for each way around."""
from __future__ import annotations

import itertools

import numpy as np
from defining import define
from differential import check

import autograph_lite as ag

times = itertools.count()


@ag.do_not_convert
def traced():
    next(times)


class Seen:
    def __init__(self):
        self.number = 0
        self.sum = np.float64(0)
        self.best = None
        self.all = []

    def see(self, x):
        traced()
        self.number += 1
        if self.best is None or x > self.best:
            self.best = x
        self.all.append(x)
        self.sum += x


def nested(depth):
    lines, indent = ['def f(xs):', '    seen = Seen()'], '    '
    for i in range(depth):
        lines += [f'{indent}for x{i} in xs:', f'{indent}    if x{i} > {i}:']
        indent += 8 * ' '
    lines += [f'{indent}seen.see(x{depth - 1})']
    lines += ['    return seen.number, seen.best, seen.sum, seen.all']
    return define('\n'.join(lines), Seen=Seen)


def times_traced(depth):
    global times
    times = itertools.count()
    ag.function(nested(depth)).get_concrete_function(np.ones(3))
    return next(times)


def test_results_at_some_depth():
    check(nested(3), (np.array([1.0, 5.0]),), (np.zeros(2),), (np.zeros(0),), traces=2)


def test_the_growth_with_depth_is_not_exponential():
    two, three, four = times_traced(2), times_traced(3), times_traced(4)
    assert four - three < 2 * (three - two)
