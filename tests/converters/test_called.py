"""`to_code(f, recursive=True)`: the functions and methods that a function calls, each once."""
from __future__ import annotations

import textwrap

import numpy as np

import autograph_lite as ag


class Layer:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return rectified(self.scale * x)


class Model:
    def __init__(self):
        self.layer = Layer(2)

    def predict(self, x):
        return self.normalised(x)

    def normalised(self, x):
        return x / np.max(x)


OUTPUT = Layer(3)


def rectified(x):
    return x if x > 0 else 0 * x


@ag.function
def loss(y):
    return np.sum(rectified(y))


def train(x):
    model = Model()
    return loss(OUTPUT(model.predict(x))) + rectified(x)


def recursive(x):
    return recursive(x - 1) if x > 0 else other(x)


def other(x):
    return recursive(-x)


def test_functions_and_methods():
    assert ag.to_code(train, recursive=True) == textwrap.dedent('''\
        def train(x):
            model = ag.call(Model)
            return loss(ag.call(OUTPUT, ag.call(model.predict, x))) + ag.call(rectified, x)


        # Model.__init__
        def __init__(self):
            self.layer = ag.call(Layer, 2)


        # Model.predict
        def predict(self, x):
            return ag.call(self.normalised, x)


        # Layer.__call__
        def __call__(self, x):
            return ag.call(rectified, self.scale * x)


        def loss(y):
            return np.sum(ag.call(rectified, y))


        def rectified(x):
            return ag.cond(x > 0, lambda: x, lambda: 0 * x)


        # Layer.__init__
        def __init__(self, scale):
            self.scale = scale


        # Model.normalised
        def normalised(self, x):
            return x / np.max(x)''')


def test_each_once():
    text = ag.to_code(recursive, recursive=True)
    assert text.count('def recursive') == text.count('def other') == 1


def test_a_method():
    assert '# Model.normalised' in ag.to_code(Model().predict, recursive=True)
