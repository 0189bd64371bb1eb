"""What a function imports when it runs is read from outside, like a global."""
import sys
import types

import numpy as np
import pytest

import autograph_lite as ag


@pytest.fixture
def settings(monkeypatch):
    module = types.ModuleType('ag_test_settings')
    module.RATE, module.WEIGHTS, module.TABLE = 2.0, np.ones(2), {'rate': 3.0, 'w': np.ones(2)}
    module.scale = lambda x: x * 2
    monkeypatch.setitem(sys.modules, 'ag_test_settings', module)
    return module


def by_module(x):
    import ag_test_settings
    return ag_test_settings.scale(x) * ag_test_settings.RATE


def by_another_name(x):
    import ag_test_settings as module
    return x * module.WEIGHTS.sum() + module.TABLE['w'].sum()


def by_names(x):
    from ag_test_settings import RATE, TABLE, scale
    from ag_test_settings import WEIGHTS as weights
    return scale(x) * RATE + TABLE['rate'] * weights.sum()


def in_a_helper(x):
    def helper(y):
        from ag_test_settings import WEIGHTS
        return y + WEIGHTS

    return helper(x) * 2


def in_a_staged_branch(x):
    if np.sum(x) > 0:
        from ag_test_settings import RATE as rate
        x = x * rate
    return x


@pytest.mark.parametrize(
    'f', [by_module, by_another_name, by_names, in_a_helper, in_a_staged_branch])
def test_a_change_is_seen(f, settings, monkeypatch):
    graph, x = ag.function(f), np.ones(2)

    def change_arrays():
        settings.WEIGHTS[0] = 7.0
        settings.TABLE['w'][1] = 8.0

    def change_a_table():
        settings.TABLE['rate'] = 9.0

    def change_names():
        settings.RATE, settings.scale, settings.WEIGHTS = 5.0, lambda x: x - 1, np.zeros(2)

    def change_the_module():
        other = types.ModuleType('ag_test_settings')
        vars(other).update(vars(settings), RATE=11.0, WEIGHTS=np.full(2, 4.0))
        monkeypatch.setitem(sys.modules, 'ag_test_settings', other)

    for change in (lambda: None, change_arrays, change_a_table, change_names, change_the_module):
        change()
        np.testing.assert_array_equal(graph(x), f(x))
        traces = graph.tracing_count
        np.testing.assert_array_equal(graph(x), f(x))
        assert graph.tracing_count == traces


def test_arrays_that_are_imported_are_read_at_every_call(settings):
    graph, x = ag.function(in_a_helper), np.ones(2)
    for _ in range(3):
        settings.WEIGHTS += 1
        np.testing.assert_array_equal(graph(x), in_a_helper(x))
    assert graph.tracing_count == 1


def test_a_submodule_and_what_is_of_python():
    @ag.function
    def f(x):
        import importlib.util
        from math import sqrt

        import numpy.linalg as linear
        from numpy import tanh
        assert importlib.util is not None
        return tanh(x) * linear.norm(x) * sqrt(np.sum(x))

    x = np.ones(2)
    np.testing.assert_array_equal(f(x), np.tanh(x) * np.linalg.norm(x) * np.sqrt(2))
    assert f.traces[0].guards == () or all('sys.modules' not in g.path for g in f.traces[0].guards)
