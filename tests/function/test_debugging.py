"""Assertions about arrays, and where a NaN comes from."""
import sys
import traceback

import numpy as np
import pytest

import autograph_lite as ag

CASES = [
    (ag.debugging.assert_equal, (1.0, 1.0), (1.0, 2.0)),
    (ag.debugging.assert_none_equal, (1.0, 2.0), (1.0, 1.0)),
    (ag.debugging.assert_less, (1.0, 2.0), (2.0, 2.0)),
    (ag.debugging.assert_less_equal, (2.0, 2.0), (3.0, 2.0)),
    (ag.debugging.assert_greater, (3.0, 2.0), (2.0, 2.0)),
    (ag.debugging.assert_greater_equal, (2.0, 2.0), (1.0, 2.0)),
    (ag.debugging.assert_near, (1.0, 1.0 + 1e-9), (1.0, 1.1)),
    (ag.debugging.assert_positive, (1.0,), (0.0,)),
    (ag.debugging.assert_non_negative, (0.0,), (-1.0,)),
    (ag.debugging.assert_negative, (-1.0,), (0.0,)),
    (ag.debugging.assert_non_positive, (0.0,), (1.0,)),
    (ag.debugging.assert_all_finite, (1.0,), (np.nan,)),
]


@pytest.mark.parametrize('graph', [False, True])
@pytest.mark.parametrize(('check', 'good', 'bad'), CASES, ids=[c[0].__name__ for c in CASES])
def test_assertions_about_values(check, good, bad, graph):
    def f(*args):
        check(*args, message='of the run')
        return args[0]

    run = ag.function(f) if graph else f
    for wrap in (np.float64, lambda x: np.array([good[0], x])[1:], lambda x: np.full(3, x)):
        run(*map(wrap, good))
        with pytest.raises(AssertionError, match=r'(?s)of the run.*x'):
            run(*map(wrap, bad))
        run(*map(wrap, good))


def test_the_values_are_in_the_message():
    @ag.function
    def f(x, y):
        ag.debugging.assert_equal(x, y)

    with pytest.raises(AssertionError) as caught:
        f(np.array([1, 2]), np.array([1, 3]))
    assert str(caught.value) == (
        'x == y does not hold for every element.\n  x = [1 2]\n  y = [1 3]')


@pytest.mark.parametrize('graph', [False, True])
def test_shapes(graph):
    def f(x, y):
        ag.debugging.assert_shapes([(x, ('N', 'Q')), (y, ('N', 2))])
        ag.debugging.assert_shapes({0: ()}.items() and [(x, (..., 'Q')), (y, (None, None))])
        ag.debugging.assert_rank(x, 2)
        ag.debugging.assert_type(x, np.float64)
        return x

    run = ag.function(f) if graph else f
    run(np.ones((3, 4)), np.ones((3, 2)))
    for x, y in [((3, 4), (2, 2)), ((3, 4), (3, 3)), ((3,), (3, 2)), ((3, 4), (3, 2, 1))]:
        with pytest.raises(AssertionError, match='has the shape'):
            run(np.ones(x), np.ones(y))


def test_shapes_that_only_the_running_graph_knows():
    @ag.function(input_signature=[ag.TensorSpec([None, None]), ag.TensorSpec([None])])
    def f(x, y):
        ag.debugging.assert_shapes([(x, ('N', 3)), (y, ('N',))])
        return x[0] * 2

    f(np.ones((2, 3)), np.ones(2))
    for x, y in [((2, 4), 2), ((2, 3), 3)]:
        with pytest.raises(AssertionError, match='has the shape'):
            f(np.ones(x), np.ones(y))


def test_what_is_told_of_a_shape_are_numbers():
    @ag.function(input_signature=[ag.TensorSpec([None]), ag.TensorSpec([None, 3])])
    def f(x, y):
        ag.debugging.assert_shapes([(x, ('N',)), (y, ('N', 3))], message='rows differ')
        ag.debugging.assert_shapes([(x, (2,))])
        return np.sum(x)

    with pytest.raises(AssertionError) as caught:
        f(np.ones(2), np.ones((4, 3)))
    message = "rows differ\narray 1 has the shape (4, 3), not ('N', 3), where N is 2."
    assert str(caught.value) == message
    with pytest.raises(AssertionError) as caught:
        f(np.ones(4), np.ones((4, 3)))
    assert str(caught.value) == 'array 0 has the shape (4,), not (2,).'


@pytest.fixture
def numerics():
    ag.debugging.enable_check_numerics()
    yield
    ag.debugging.disable_check_numerics()


def test_where_a_nan_comes_from(numerics):
    @ag.function
    def f(x):
        y = x - 1.0
        for i in range(3):
            if i == 2:
                y = np.log(y)
        return y * 2

    f(np.float64(3.0))
    with pytest.raises(FloatingPointError, match='infinity') as caught:
        f(np.float64(1.0))
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == 'y = np.log(y)'
    with pytest.raises(FloatingPointError, match='NaN') as caught:
        f(np.float64(0.0))
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == 'y = np.log(y)'


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_graphs_that_were_made_before_are_made_again(numerics):
    ag.debugging.disable_check_numerics()
    f = ag.function(lambda x: np.log(x))
    assert f(np.float64(0.0)) == -np.inf
    ag.debugging.enable_check_numerics()
    with pytest.raises(FloatingPointError):
        f(np.float64(0.0))
    ag.debugging.disable_check_numerics()
    assert f(np.float64(0.0)) == -np.inf
    assert f.tracing_count == 2


def log_of(x):
    y = x - 1.0
    z = np.log(y)
    return z * 2.0 + y


def test_the_message_shows_the_operation_and_its_line(numerics):
    """NumPy's own warnings, which would be errors here, are not shown."""
    with pytest.raises(FloatingPointError) as caught:
        ag.function(log_of)(np.array([2.0, 1.0]))
    message = str(caught.value)
    # Without the columns of instructions, which came with Python 3.11, it is the graph's own name.
    name = 'y' if sys.version_info >= (3, 11) else 'subtract'
    assert f'log({name}) makes an infinity: array([  0., -inf])' in message
    assert f'File "{__file__}", line ' in message
    assert 'z = np.log(y)' in message


def test_a_nan_that_comes_in_is_not_blamed_on_who_passes_it_on(numerics):
    with pytest.raises(FloatingPointError, match='gives a NaN, because x has a NaN already'):
        ag.function(log_of)(np.array([np.nan]))
    table = np.array([np.inf])
    with pytest.raises(FloatingPointError, match='because table has an infinity already'):
        ag.function(lambda x: np.max(x * table))(np.array([1.0]))
    v = ag.Variable(np.array([np.nan]), name='weights')
    with pytest.raises(FloatingPointError, match="The variable 'weights' holds a NaN"):
        ag.function(lambda x: x * v)(np.array([1.0]))


def test_what_is_finite_passes(numerics):
    x = np.array([3.0, 4.0])
    np.testing.assert_array_equal(ag.function(log_of)(x), log_of(x))
