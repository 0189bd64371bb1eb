"""Lists of a new object of which a loop sets items: in its first turn the index may be known."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check


class Ring:
    def __init__(self, size=3):
        self.items, self.at = [0.0] * size, 0

    def push(self, x):
        self.items[self.at] = x
        self.at = (self.at + 1) % len(self.items)


def plainly(xs):
    ring = Ring()
    for x in xs:
        ring.items[ring.at] = x
        ring.at = (ring.at + 1) % 3
    return ring.items


def by_a_method(xs):
    ring, other = Ring(), Ring(2)
    for x in xs:
        ring.push(x)
        if x > 1:
            other.push(-x)
    return ring.items, other.items


def by_another_name(xs):
    ring = Ring()
    items = ring.items
    for x in xs:
        ring.push(x)
    return items, items is ring.items


def beside_a_known_item(xs):
    ring = Ring()
    for x in xs:
        old = ring.items[ring.at]
        ring.push(x)
        ring.items[0] += old
    return ring.items


def of_a_dict(xs):
    ring = {'items': [0.0] * 3, 'at': 0}
    for x in xs:
        ring['items'][ring['at']] = x
        ring['at'] = (ring['at'] + 1) % 3
    return ring


@pytest.mark.parametrize('f', [
    plainly, by_a_method, by_another_name, beside_a_known_item, of_a_dict,
])
def test_a_ring_that_a_loop_fills(f):
    check(f, (np.arange(5.0),), (np.arange(1.0),), (np.arange(0.0),), traces=3)
