"""What a function tells of its traces, and of what it cannot do, names what the user wrote."""
from __future__ import annotations

import functools
import os

import numpy as np
import pytest

import autograph_lite as ag

x = np.ones(2)
CHANGED = 'has changed, which the function reads from outside'


class Scale:
    rate = 2.0

    @ag.function
    @classmethod
    def times(cls, x):
        return x * cls.rate


def test_an_attribute_of_a_class(monkeypatch):
    Scale.times(x)
    monkeypatch.setattr(Scale, 'rate', 3.0)
    Scale.times(x)
    assert f'2. Scale.rate {CHANGED}' in vars(Scale)['times'].trace_report()


def test_the_environment(monkeypatch):
    @ag.function
    def f(x):
        return x * float(os.environ.get('THE_RATE', '1'))

    f(x)
    monkeypatch.setenv('THE_RATE', '2')
    f(x)
    assert f"2. os.environ.get('THE_RATE') {CHANGED}" in f.trace_report()


def times(x, by):
    return x * by


def test_what_repeats_is_one_line():
    class Model:
        @ag.function
        def call(self, x):
            return x * 2

    for _ in range(5):
        Model().call(x)
    assert Model.call.trace_report().splitlines() == [
        'call: 5 traces',
        '  1. the first call',
        '  2 to 5. the argument self is another object, the one before is gone',
    ]


def test_a_partial_that_changes_is_told_once():
    call = ag.function(lambda f, x: f(x))
    for by in (2.0, 3.0):
        call(functools.partial(times, by=by), x)
    assert call.trace_report().endswith('\n  2. the argument f has changed')


def test_texts_have_the_lengths_of_numpy():
    f = ag.function(lambda s: s)
    f(np.array(['a']))
    assert '  s: <U1 Tensor, shape=(1,)' in f.pretty_printed_concrete_signatures()


def test_a_lambda_that_returns_what_was_not_declared():
    f = ag.function(lambda x: ag.numpy_function(lambda y: 'text', [x], np.float64))
    with pytest.raises(TypeError, match=r"^<lambda> returns 'text', where"):
        f(x)


def test_what_does_not_convert_as_it_is_told_so():
    f = ag.function(lambda x: x if np.sum(x) > 0 else -x, autograph=False)
    with pytest.raises(ag.errors.StagingError, match='without `autograph=False`'):
        f(x)


def test_functions_run_eagerly_if_nothing_else_is_said():
    with ag.config.run_functions_eagerly():
        assert ag.function(lambda x: type(x))(x) is np.ndarray
