"""What Python makes of values is made once, while tracing: with tensors in it, it is refused."""
from __future__ import annotations

import collections
import functools
import itertools
import types

import numpy as np
import pytest

import autograph_lite as ag


class Held:
    def __init__(self, value):
        self.value = value

    def read(self):
        return self.value


MADE = [
    lambda x: {'a': x}.values(), lambda x: {'a': x}.items(), lambda x: zip([x], [1]),
    lambda x: enumerate([x]), lambda x: reversed([x]), lambda x: (v for v in [x]),
    lambda x: itertools.chain([x]), lambda x: lambda: x, lambda x: functools.partial(max, x),
    lambda x: types.MappingProxyType({'a': x}), lambda x: collections.ChainMap({'a': x}),
    lambda x: Held(x).read, lambda x: [x].append, lambda x: ValueError(x),
    lambda x: [1, {'a': {'a': x}.values()}],
]  # fmt: skip


@pytest.mark.parametrize('f', MADE)
def test_what_python_has_made_of_tensors_is_not_returned(f):
    with pytest.raises(ag.errors.StagingError, match='is returned'):
        ag.function(f)(np.float64(1))


OUTSIDE = Held(np.float64(2))


def test_what_is_outside_is_returned():
    def f(x):
        OUTSIDE.value = x
        return OUTSIDE.read, len, {'a': 1}.values().__len__, functools.partial(max, 1)

    found = ag.function(f)(np.float64(3))
    assert found[0]() == 3
    assert found[2]() == found[3](0) == 1
