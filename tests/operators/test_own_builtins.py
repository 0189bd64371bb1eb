"""Builtins that ask the class of their first argument, where another argument is staged."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

V = np.array([3, 7])


@pytest.mark.parametrize('f', [
    lambda v: pow(2, 3, int(v[0]) + 10), lambda v: pow(3, int(v[0]), 5),
    lambda v: pow(3, exp=int(v[0]), mod=int(v[1])), lambda v: pow(True, int(v[0]), 5),
    lambda v: pow(3, -1, int(v[1])),
])  # fmt: skip
def test_a_power_of_a_known_base_with_a_modulus(f):
    check(f, (V,), (V + 4,))


@pytest.mark.parametrize('f', [
    lambda v: pow(3, 2, v[0]), lambda v: pow(3, v[0], 5), lambda v: pow(2.0, 3, int(v[0])),
    lambda v: pow(2, 3, int(v[0]) - 3),
])  # fmt: skip
def test_a_power_with_a_modulus_fails_as_in_python(f):
    with pytest.raises((TypeError, ValueError)) as expected:
        f(V)
    with pytest.raises(type(expected.value)) as caught:
        ag.function(f)(V)
    assert str(caught.value) == str(expected.value)


def test_a_known_number_is_rounded_to_as_many_digits_as_the_graph_knows():
    def each(n):
        return round(2.71828, n), round(1234, ndigits=n), round(np.float32(2.71828), n)

    check(each, *((np.int64(n),) for n in (2, -2, 0)))


class Keyed:
    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return hash((self.x, 3))


def test_the_graph_hashes_what_only_it_knows():
    def each(n):
        h = hash(n) + hash(Keyed(int(n)))
        if n > 0:
            h = hash((int(n), n / 7))
        for i in range(n):
            h ^= hash(i)
        return h, hash(n > 1), hash(f'{n}') == hash(f'{n}')

    def of_none(n):
        x = None
        if n > 0:
            x = int(n)
        return hash(x)

    check(each, *((np.int64(n),) for n in (2, -2, 0)))
    check(lambda x: hash(x), (np.zeros(2),))
    with pytest.raises(ag.errors.StagingError):
        ag.function(of_none)(np.int64(2))
