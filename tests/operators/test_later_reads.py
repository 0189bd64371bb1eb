"""What a Python function changes that the running graph calls is not read after it as it was."""
from __future__ import annotations

import pickle

import numpy as np
import pytest

import autograph_lite as ag

X = np.float64(2)


class Helper:
    def __init__(self, model):
        self.model = model

    def deep(self, x):
        self.model.change(x)


class Model:
    def __init__(self):
        self.n, self.rate, self.named, self.seen = np.float64(0), 2.0, {'a': 1}, []
        self.helper = Helper(self)

    def change(self, x):
        global count
        self.n = np.float64(x)
        self.rate += 1
        self.named['a'] += 1
        count += 1

    def log(self, x):
        self.seen.append(float(x))


count = 0


def call(f, x):
    ag.py_function(f, [x], None)


def what_was_set_before(model, x):
    model.n = model.n + 1
    call(model.helper.deep, x)
    return model.n


def what_is_set_after(model, x):
    call(model.helper.deep, x)
    model.n = model.n + x
    return x


def a_python_value(model, x):
    call(model.helper.deep, x)
    return x * model.rate


def an_item(model, x):
    call(model.helper.deep, x)
    return x * model.named['a']


def in_the_next_turn(model, x):
    for _ in x * np.ones(3):
        x = x + model.n
        call(model.helper.deep, x)
    return x


def a_global(model, x):
    global count
    if x > 0:
        count += 1
        call(model.helper.deep, x)
        x = x + count
    return x


@pytest.mark.parametrize('f', [
    what_was_set_before, what_is_set_after, a_python_value, an_item, in_the_next_turn, a_global,
], ids=lambda f: f.__name__)  # fmt: skip
def test_it_is_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match='set it from the result of'):
        ag.function(f)(Model(), X)


def before(model, x):
    y = x * model.rate + model.n
    call(model.helper.deep, x)
    return y


def others(model, x):
    for each in x * np.ones(3):
        call(model.log, each)
        model.n = model.n + each
    return model.n * model.rate + count


@pytest.mark.parametrize('f', [before, others], ids=lambda f: f.__name__)
def test_what_it_does_not_touch_may_be_read(f):
    graph, plain, staged = ag.function(f), Model(), Model()
    for _ in range(3):
        assert f(plain, X) == graph(staged, X)
        assert plain.n == staged.n
        assert (plain.rate, plain.seen) == (staged.rate, staged.seen)


def test_the_advice_works():
    def returned(model, x):
        model.n = ag.py_function(lambda x: np.float64(x) * 3, [x], np.float64)
        return model.n

    model = Model()
    assert ag.function(returned)(model, X) == model.n == 6.0


def logged(x):
    call(print, x)
    return x * count


def test_it_pickles(capsys):
    concrete = ag.function(logged).get_concrete_function(X)
    assert pickle.loads(pickle.dumps(concrete))(X) == X * count
    assert capsys.readouterr().out == '2.0\n'
