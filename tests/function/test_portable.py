"""A pickled trace serves the Python values that it was made for."""
from __future__ import annotations

import enum
import functools
import pickle
import subprocess
import sys
import types

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.keys import leaf_key
from autograph_lite.portable import portable


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


class Power:
    """An object with an equality of its own."""

    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Power) and self.n == other.n

    def __hash__(self):
        return hash(self.n)


class Listed(Power):
    """One that can change."""

    __hash__ = None


def double(x):
    return x + x


def halve(x):
    return x / 2


def second(what, x):
    return x * 2.0


x = np.ones(2)
KINDS = [
    (np.tanh, np.exp),
    (np.float32, np.float64),
    (int, float),
    (len, max),
    (np.sum, np.prod),
    (Level.LOW, Level.HIGH),
    (Power(2), Power(3)),
    (double, halve),
    (functools.partial(np.sum, axis=0), functools.partial(np.sum, axis=1)),
    ({'k': np.add}, {'k': np.subtract}),
    (frozenset([1]), frozenset([2])),
]


@pytest.mark.parametrize(('value', 'other'), KINDS)
def test_the_value_of_a_pickled_trace(value, other):
    concrete = ag.function(second).get_concrete_function(value, x)
    once = pickle.loads(pickle.dumps(concrete))
    for again in (once, pickle.loads(pickle.dumps(once))):
        np.testing.assert_array_equal(again(value, x), [2.0, 2.0])
        with pytest.raises(TypeError, match='was traced with'):
            again(other, x)


@pytest.mark.parametrize('value', [Listed(2), object(), lambda x: x])
def test_what_cannot_be_told_is_refused(value):
    again = pickle.loads(pickle.dumps(ag.function(second).get_concrete_function(value, x)))
    with pytest.raises(TypeError, match=r'by its name in its module or, .* by `==`'):
        again(value, x)


def test_functions_of_one_name_are_told_by_their_code():
    other = types.FunctionType(halve.__code__, globals(), 'double')
    other.__qualname__ = 'double'
    key = portable(leaf_key(double))
    assert key == leaf_key(double)
    assert key != leaf_key(other)


CALL = """
import pickle, sys
import numpy as np
concrete = pickle.load(sys.stdin.buffer)
print(concrete(np.tanh, np.ones(2)))
try:
    concrete(np.exp, np.ones(2))
except TypeError as error:
    print(str(error).splitlines()[0])
"""


def test_another_process():
    concrete = ag.function(second).get_concrete_function(np.tanh, x)
    ran = subprocess.run(
        [sys.executable, '-c', CALL], input=pickle.dumps(concrete), capture_output=True, check=True
    )
    expected = "[2. 2.]\nsecond was traced with what=<ufunc 'tanh'>; it is called with "
    assert ran.stdout.decode().replace('\r', '').startswith(expected + "what=<ufunc 'exp'>.")
