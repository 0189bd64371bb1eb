"""`[*items, x]` where only the running graph knows how many items there are."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

XS = np.array([1.0, 3.0, -2.0])


def put_together(xs):
    found = [x for x in xs if x > 0]
    found = [xs[0], *found, *found, 2.0]
    return found, [*range(3), *(x for x in (1, 2))], [*xs[:2], 1.0]


def pairs(xs):
    found = [(x, i) for i, x in enumerate(xs) if x > 0]
    (x, i), *rest = [(xs[0], 7), *found]
    return x, i, rest


def reversed_by_display(xs):
    found = []
    for x in xs:
        if x > 0:
            found = [x, *found]
    return found


@pytest.mark.parametrize('f', [put_together, pairs, reversed_by_display])
def test_list_displays(f):
    check(f, (XS,), (np.array([2.0, 0.5, 3.0]),), (-XS,), (-np.abs(XS),), joins=f is put_together)
