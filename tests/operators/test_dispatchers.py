"""`functools.singledispatch`: the class of a tensor is that of what it stands for."""
import functools

import numpy as np
import pytest

import autograph_lite as ag


@functools.singledispatch
def scaled(x, factor):
    return 'something else'


@scaled.register
def _(x: np.ndarray, factor):
    if np.sum(x) > factor:
        x = x * factor
    return x


@scaled.register(float)
def _(x, factor):
    return x + factor


class Scale:
    factor = 2.0

    @functools.singledispatchmethod
    def of(self, x):
        return 'something else'

    @of.register
    def _(self, x: np.ndarray):
        for row in x:
            x = x + row if row > 0 else x - self.factor
        return x

    @of.register(str)
    def _(self, x):
        return len(x) * self.factor


@pytest.mark.parametrize('factor', [0.5, 100.0])
def test_a_function_for_each_class(factor):
    def f(x, n):
        return scaled(x, factor), scaled(n, factor), scaled(2.5, factor), scaled('a', factor)

    arguments = np.arange(3.0), np.float64(2.0)
    assert repr(ag.function(f)(*arguments)) == repr(f(*arguments))


def test_a_method_for_each_class():
    def f(scale, x):
        return scale.of(x), scale.of('abc'), scale.of(3)

    graph, scale = ag.function(f), Scale()
    for x in (np.arange(3.0), np.array([-1.0, 2.0, -3.0])):
        assert repr(graph(scale, x)) == repr(f(scale, x))
    assert graph.tracing_count == 1
    scale.factor = 5.0
    assert repr(graph(scale, x)) == repr(f(scale, x))


def test_a_class_that_is_registered_later():
    @functools.singledispatch
    def named(x):
        return x

    @ag.function
    def f(x):
        return x * named(2.0)

    assert f(np.float64(1.0)) == 2.0
    named.register(float, lambda x: x * 10)
    assert f(np.float64(1.0)) == 20.0


def test_it_chooses_under_convert_too():
    converted = ag.convert(scaled)
    x = np.array([1.0, 2.0])
    got = ag.function(lambda x, factor: converted(x, factor))(x, 2.0)
    np.testing.assert_array_equal(got, scaled(x, 2.0))
