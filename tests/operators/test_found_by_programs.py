"""What whole programs have found."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

CALLS = [(np.array(x),) for x in ([1.0, 2.0, 0.5, -1.0], [-1.0, -3.0, -2.0, 4.0])]


def a_stack_that_is_left(x):
    stack = []
    for i, v in enumerate(x):
        if v > 0:
            stack.append((v, i))
    n = 0
    while stack:
        v, _ = stack.pop()
        if v > 1.5:
            break
        n += 1
    return n, len(stack)


def the_best_of_three_parts(x):
    best = None
    w = x.copy()
    for t in range(20):
        w = w * 0.9
        loss = (w * w).sum()
        if best is None or loss < best[0]:
            best = loss, t, w
        if loss < 1:
            break
    return best


@pytest.mark.parametrize('f', [a_stack_that_is_left, the_best_of_three_parts])
def test_is_python(f):
    check(f, *CALLS)
