"""What a function reads from outside: after a change, the next call gives Python's answer."""
import gc
import weakref

import numpy as np
import pytest

import autograph_lite as ag

RATE = 2.0
TABLE = {'rate': 3.0, 'steps': [1, 2]}
WEIGHTS = np.ones(2)


def helper(x):
    return x * 2


def scaled(x):
    return helper(x) * RATE


def test_a_global(monkeypatch):
    f = ag.function(scaled)
    x = np.float64(1.0)
    assert f(x) == scaled(x) == 4.0
    monkeypatch.setitem(globals(), 'RATE', 5.0)
    assert f(x) == scaled(x) == 10.0
    monkeypatch.setitem(globals(), 'RATE', 2.0)
    assert f(x) == 4.0
    assert f.tracing_count == 2
    assert 'RATE has changed' in f.trace_report()


def test_a_helper_function(monkeypatch):
    f = ag.function(scaled)
    x = np.float64(1.0)
    assert f(x) == 4.0
    monkeypatch.setitem(globals(), 'helper', lambda x: x * 10)
    assert f(x) == scaled(x) == 20.0
    assert 'helper has changed' in f.trace_report()


def number(x):
    return NUMBER(x)


NUMBER = int


def test_a_global_that_means_another_builtin(monkeypatch):
    x = np.float64(1.5)
    for kind in (int, float):
        monkeypatch.setitem(globals(), 'NUMBER', kind)
        result = ag.function(number)(x)
        assert result == number(x)
        assert type(result) is kind


def test_the_code_of_a_helper_function():
    def inner(x, n=2):
        return x * n

    def other(x, n=2):
        return x + n

    @ag.function
    def f(x):
        return inner(x)

    x = np.float64(5.0)
    assert f(x) == 10.0
    assert f(x) == 10.0
    inner.__defaults__ = (3,)
    assert f(x) == 15.0
    inner.__code__ = other.__code__
    assert f(x) == 8.0


def test_a_closure_variable():
    rate = 2.0

    @ag.function
    def f(x):
        return x * rate

    assert f(np.float64(1)) == 2.0
    rate = 3.0
    assert f(np.float64(1)) == 3.0
    assert f.tracing_count == 2


def test_an_item_and_what_is_in_it(monkeypatch):
    @ag.function
    def f(x):
        return x * TABLE['rate'] + len(TABLE['steps'])

    assert f(np.float64(1)) == 5.0
    assert f(np.float64(1)) == 5.0
    monkeypatch.setitem(TABLE, 'rate', 4.0)
    assert f(np.float64(1)) == 6.0
    TABLE['steps'].append(3)
    try:
        assert f(np.float64(1)) == 7.0
    finally:
        TABLE['steps'].pop()


def test_an_attribute():
    class Config:
        rate = 2.0

    config = Config()

    @ag.function
    def f(x):
        return x * config.rate

    assert f(np.float64(1)) == 2.0
    config.rate = 3.0
    assert f(np.float64(1)) == 3.0
    Config.rate = 4.0
    assert f(np.float64(1)) == 3.0
    del config.rate
    assert f(np.float64(1)) == 4.0


def test_a_default_value():
    def f(x, n=2):
        return x * n

    graph = ag.function(f)
    assert graph(np.float64(1)) == 2.0
    f.__defaults__ = (5,)
    assert graph(np.float64(1)) == 5.0
    f.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'n'"):
        graph(np.float64(1))


def test_an_array_changed_in_place_is_seen_without_a_trace(monkeypatch):
    @ag.function
    def f(x):
        return x + WEIGHTS

    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 2.0])
    WEIGHTS[0] = 5.0
    try:
        np.testing.assert_array_equal(f(np.ones(2)), [6.0, 2.0])
        assert f.tracing_count == 1
    finally:
        WEIGHTS[0] = 1.0
    monkeypatch.setitem(globals(), 'WEIGHTS', np.ones((2, 2)))
    np.testing.assert_array_equal(f(np.ones(2)), np.full((2, 2), 2.0))


def test_a_name_that_is_gone_is_pythons_error(monkeypatch):
    f = ag.function(scaled)
    f(np.float64(1))
    monkeypatch.delitem(globals(), 'RATE')
    with pytest.raises(NameError, match='RATE'):
        f(np.float64(1))


def test_an_object_that_cannot_be_held_weakly():
    class Config:
        __slots__ = ('rate',)

    config = Config()
    config.rate = 2.0

    @ag.function
    def f(x, config):
        return x * config.rate

    for _ in range(3):
        assert f(np.float64(1), config) == 2.0
    config.rate = 3.0
    assert f(np.float64(1), config) == 3.0
    assert f.tracing_count == 2


def test_a_function_that_is_an_argument():
    def inner(x, n=2, *, m=1):
        return x * n * m

    @ag.function
    def f(x, g):
        return g(x)

    for _ in range(3):
        assert f(np.float64(1), inner) == 2.0
    inner.__defaults__ = (3,)
    for _ in range(3):
        assert f(np.float64(1), inner) == 3.0
    inner.__kwdefaults__ = {'m': 10}
    assert f(np.float64(1), inner) == 30.0
    inner.__kwdefaults__['m'] = 100
    assert f(np.float64(1), inner) == 300.0
    watched = weakref.ref(inner)
    del inner
    gc.collect()
    assert watched() is None


def test_the_defaults_of_a_helper():
    def helper(x, n=2, *, m=1):
        return x * n * m

    @ag.function
    def f(x):
        return helper(x)

    for _ in range(3):
        assert f(np.float64(1)) == 2.0
    helper.__kwdefaults__['m'] = 5
    assert f(np.float64(1)) == 10.0
    helper.__defaults__ = (3,)
    assert f(np.float64(1)) == 15.0


def test_many_versions_do_not_pile_up():
    class State:
        step = 0

    state = State()

    @ag.function
    def f(x):
        return x + state.step

    def use():
        for step in range(40):
            state.step = step
            assert f(np.float64(1)) == 1.0 + step

    with pytest.warns(UserWarning, match=r'capture.*step.*ag\.Variable'):
        use()
    assert len(list(f._cache)) <= 16


def test_nothing_keeps_captured_objects_alive():
    class Config:
        rate = 2.0

    def made():
        config = Config()

        @ag.function
        def f(x):
            return x * config.rate

        f(np.float64(1))
        f(np.float64(1))
        return f, weakref.ref(config)

    f, config = made()
    assert f(np.float64(1)) == 2.0
    del f
    gc.collect()
    assert config() is None


PARAMS = {'w': np.ones(2), 'layers': [np.zeros(2), (1.5, None)]}


@pytest.mark.parametrize(
    ('change', 'traces'),
    [
        (lambda params: params['w'].fill(3.0), 1),
        (lambda params: params.update(w=np.zeros(2)), 2),
        (lambda params: params['layers'].append(1), 2),
        (lambda params: params['layers'].__setitem__(1, (2.5, None)), 2),
        (lambda params: params['layers'].__setitem__(1, (1.5, None)), 1),
        (lambda params: params.update(extra=1), 2),
        (lambda params: params.update(w=params.pop('w')), 2),
    ],
)
def test_a_nest_of_parameters(monkeypatch, change, traces):
    monkeypatch.setitem(
        globals(), 'PARAMS', {'w': np.ones(2), 'layers': [np.zeros(2), (1.5, None)]}
    )

    def f(x):
        params = PARAMS
        return x * params['w'] + params['layers'][0] + params['layers'][1][0], len(params)

    graph = ag.function(f)
    for _ in range(3):
        np.testing.assert_equal(graph(np.ones(2)), f(np.ones(2)))
    change(PARAMS)
    for _ in range(3):
        np.testing.assert_equal(graph(np.ones(2)), f(np.ones(2)))
    assert graph.tracing_count == traces
