"""Arrays of an object that are modified in place where a list of it grows, too, and is read."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from states import left

import autograph_lite as ag


class Particle:
    def __init__(self):
        self.velocity = np.array([-3.0, 1.0])
        self.trail, self.recent = [], deque()


def beside_a_list_that_is_measured(x, p):
    p.velocity[0] *= -x
    p.trail.append(x)
    return len(p.trail), p.trail[-1]


def beside_a_deque_that_is_read_in_a_loop(x, p):
    for i in range(4):
        p.velocity[i % 2] += x
        p.recent.append(p.velocity.sum())
        if len(p.recent) > 2:
            p.recent.popleft()
    return len(p.recent), p.recent[0]


@pytest.mark.parametrize('f', [
    beside_a_list_that_is_measured, beside_a_deque_that_is_read_in_a_loop,
])
def test_an_array_is_modified_beside_a_list_that_grows_and_is_read(f):
    left(Particle, lambda _: f, [np.float64(2.0), np.float64(-2.0)])


def beside_a_list_of_arrays(x, p):
    p.velocity[0] *= -x
    p.trail.append(p.velocity * 2)
    return p.trail[-1]


def on_a_copy(x, p):
    p.velocity = p.velocity.copy()
    return beside_a_list_of_arrays(x, p)


def test_an_array_that_may_be_what_is_read_of_a_list_is_called_as_in_the_line():
    with pytest.raises(ag.errors.OwnershipError, match='on a copy') as error:
        ag.function(beside_a_list_of_arrays)(np.float64(2.0), Particle())
    assert "the captured array 'p.velocity' in place" in str(error.value)
    assert '`p.velocity = p.velocity.copy()`' in str(error.value)
    left(Particle, lambda _: on_a_copy, [np.float64(2.0), np.float64(-2.0)])


def in_place_or_anew(xs, p):
    for x in xs:
        if x > 0:
            p.velocity[0] += 1
        else:
            p.velocity = p.velocity * 2
    return p.velocity


def test_an_error_of_who_owns_an_array_is_of_a_public_class():
    with pytest.raises(ag.errors.OwnershipError, match='to the caller') as error:
        ag.function(in_place_or_anew)(np.array([2.0, -2.0]), Particle())
    assert error.type is ag.errors.OwnershipError
