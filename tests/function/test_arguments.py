"""Arguments that do not fit raise what Python raises."""
import functools

import numpy as np
import pytest

import autograph_lite as ag


def no_arguments():
    return np.float64(1)


def positional(a, b, /, c=3):
    return a + b + c


def keywords(a, *, b, c=3):
    return a + b + c


def variadic(a, *rest, **options):
    return a + sum(rest) + sum(options.values())


class Model:
    def call(self, x, y=1):
        return x + y


x = np.float64(2.0)


@pytest.mark.parametrize(
    ('f', 'args', 'kwargs'),
    [
        (no_arguments, (x,), {}),
        (positional, (), {}),
        (positional, (x,), {}),
        (positional, (x, x, x, x), {}),
        (positional, (x,), {'b': x}),
        (positional, (x, x), {'d': x}),
        (keywords, (x,), {}),
        (keywords, (x, x), {}),
        (keywords, (), {'b': x}),
        (keywords, (x,), {'b': x, 'a': x}),
        (keywords, (x,), {'b': x, 'd': x}),
        (variadic, (), {'b': x}),
        (Model().call, (), {}),
        (Model().call, (x, x, x), {}),
        (Model().call, (x,), {'x': x}),
        (functools.partial(positional, x), (), {}),
        (functools.partial(keywords, b=x), (x, x), {}),
    ],
)
def test_what_does_not_fit_is_pythons_own_error(f, args, kwargs):
    with pytest.raises(TypeError) as plain:
        f(*args, **kwargs)
    graph = ag.function(f)
    for _ in range(2):
        with pytest.raises(TypeError) as caught:
            graph(*args, **kwargs)
        assert str(caught.value) == str(plain.value)
        assert type(caught.value) is TypeError


def test_it_is_the_same_after_a_trace_was_made():
    graph = ag.function(positional)
    graph(x, x)
    with pytest.raises(TypeError) as caught:
        graph(x)
    assert str(caught.value) == "positional() missing 1 required positional argument: 'b'"


@pytest.mark.parametrize(
    ('f', 'calls', 'traces'),
    [
        (positional, [((x, x), {}), ((x, x, 4), {}), ((x, x), {'c': x})], 3),
        (keywords, [((x,), {'b': x}), ((), {'b': x, 'a': x}), ((x,), {'c': 1, 'b': 2})], 2),
        (variadic, [((x,), {}), ((x, x, x), {}), ((x,), {'m': x, 'n': 2.0})], 3),
        (Model().call, [((x,), {}), ((x,), {'y': x})], 2),
    ],
)
def test_every_kind_of_parameter(f, calls, traces):
    graph = ag.function(f)
    for _ in range(3):
        for args, kwargs in calls:
            expected, got = f(*args, **kwargs), graph(*args, **kwargs)
            assert got == expected
            assert type(got) is type(expected)
    assert graph.tracing_count == traces


@pytest.mark.parametrize('thing', [3, 'text'])
def test_what_cannot_be_called(thing):
    with pytest.raises(TypeError, match='not callable'):
        ag.function(thing)


def generator(x):
    yield x


async def coroutine(x):
    return x


@pytest.mark.parametrize('thing', [int, np.ndarray, len, print, generator, coroutine])
def test_what_does_not_trace_is_refused_by_name(thing):
    with pytest.raises(ag.errors.ConversionError, match=thing.__name__):
        ag.function(thing)


@pytest.mark.parametrize('thing', [generator, coroutine])
def test_convert_refuses_at_once_too(thing):
    with pytest.raises(ag.errors.ConversionError, match=f'{thing.__name__} is a '):
        ag.convert(thing)


def test_there_is_no_compiler_yet():
    def f(x):
        return x + 1

    with pytest.raises(NotImplementedError, match=r'jit_compile=True.*\n*Leave it out'):
        ag.function(jit_compile=True)(f)
    assert ag.function(jit_compile=False)(f)(np.int64(1)) == 2


def test_an_array_scalar_and_a_vector_of_one_are_different():
    @ag.function
    def f(x):
        return x + 1

    for value in (np.float64(1), np.ones(1), np.ones(()), 1.0):
        expected = value + 1
        got = f(value)
        assert type(got) is type(expected)
        assert got == expected


def test_nests_of_every_kind():
    import collections
    import dataclasses

    Pair = collections.namedtuple('Pair', 'a b')

    @dataclasses.dataclass
    class State:
        w: np.ndarray
        n: int

    @ag.function
    def f(pair, state, items):
        return Pair(pair.b, pair.a), State(state.w * 2, state.n + 1), [items[0]['k'], (items[1],)]

    for _ in range(3):
        pair, state, items = f(
            Pair(np.float64(1), np.ones(2)), State(np.ones(3), 4), [{'k': np.ones(1)}, 5]
        )
        assert isinstance(pair, Pair)
        assert pair.b == 1.0
        np.testing.assert_array_equal(pair.a, np.ones(2))
        np.testing.assert_array_equal(state.w, np.full(3, 2.0))
        assert state.n == 5
        assert items[1] == (5,)
    assert f.tracing_count == 1
