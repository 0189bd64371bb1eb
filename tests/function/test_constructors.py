"""Objects of the user's classes that are made while tracing."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class Magnitude:
    """It chooses what it keeps."""

    def __init__(self, x, *, scale=1):
        if x > 0:
            self.x = x * scale
        else:
            self.x = -x * scale


class Signed(Magnitude):
    """It keeps more."""

    def __init__(self, x):
        super().__init__(x, scale=2)
        self.sign = 1 if x > 0 else -1


class Bad(Exception):
    """It says what is bad."""

    def __init__(self, x):
        super().__init__(f'bad: {x}')


def magnitude(x):
    return Magnitude(x).x, Magnitude(x, scale=3).x


def signed(x):
    s = Signed(x)
    return s.x, s.sign


def each(xs):
    total = 0.0
    for x in xs:
        total = total + Signed(x).x
    return total


def test_control_flow_in_init():
    check(magnitude, (F(2),), (F(-2),))
    check(signed, (F(2),), (F(-2),))
    check(each, (np.array([1.0, -2.0, 3.0]),), joins=True)


def checked(x):
    if x > 0:
        raise Bad(x)
    return x


def test_the_message_of_an_exception():
    check(checked, (F(2),), (F(-2),))
    with pytest.raises(Bad, match=r'^bad: 2\.0$'):
        ag.function(checked)(F(2))


@dataclasses.dataclass
class Range:
    """It puts its ends in order."""

    low: float
    high: float = 0.0

    def __post_init__(self):
        if self.low > self.high:
            self.low, self.high = self.high, self.low


def ordered(x):
    r = Range(x)
    for i in range(2):
        r = Range(r.high, r.low + i)
    return r, Range(1.0, high=x)


def test_what_a_dataclass_does_at_last():
    check(ordered, (F(2),), (F(-2),), joins=True)
