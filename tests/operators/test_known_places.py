"""What nested blocks change by way of a method is found out once, not once for each way around."""
from __future__ import annotations

import numpy as np
from defining import define
from differential import check
from work import work

import autograph_lite as ag


class Seen:
    def __init__(self):
        self.number = 0
        self.sum = np.float64(0)
        self.best = None
        self.all = []

    def see(self, x):
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


def work_of_a_trace(depth):
    return work(ag.function(nested(depth)).get_concrete_function, np.ones(3))


def test_results_at_some_depth():
    check(nested(3), (np.array([1.0, 5.0]),), (np.zeros(2),), (np.zeros(0),), traces=2)


def test_the_growth_with_depth_is_not_exponential():
    two, three, four = map(work_of_a_trace, (2, 3, 4))
    assert four - three < 2 * (three - two)
