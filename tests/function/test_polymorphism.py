"""Which calls make a trace, what a trace is for, and how that is told."""
import functools
import warnings

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import RetracingWarning


def relu(x):
    return np.maximum(0, x)


def test_three_kinds_of_argument_make_three_graphs():
    my_relu = ag.function(relu)
    assert my_relu(np.float32(5.5)) == np.float32(5.5)
    np.testing.assert_array_equal(my_relu([1, -1]), [1, 0])
    np.testing.assert_array_equal(my_relu(np.array([3.0, -3.0])), [3.0, 0.0])
    assert my_relu.tracing_count == 3
    my_relu(np.float32(-2.0))
    my_relu([1, -1])
    my_relu(np.array([4.0, -4.0]))
    assert my_relu.tracing_count == 3
    assert my_relu.pretty_printed_concrete_signatures() == """\
relu(x)
  Args:
    x: float32 Tensor, shape=()
  Returns:
    float32 Tensor, shape=()

relu(x=[1, -1])
  Returns:
    int64 Tensor, shape=(2,)

relu(x)
  Args:
    x: float64 Tensor, shape=(2,)
  Returns:
    float64 Tensor, shape=(2,)"""


def test_nests_of_arrays_are_shown_with_numbers():
    @ag.function
    def step(params, rate):
        return {'w': params['w'] - rate, 'b': params['b']}

    step({'w': np.ones(3), 'b': np.float32(1)}, 0.5)
    assert step.pretty_printed_concrete_signatures() == """\
step(params, rate=0.5)
  Args:
    params: {'w': <1>, 'b': <2>}
      <1>: float64 Tensor, shape=(3,)
      <2>: float32 Tensor, shape=()
  Returns:
    {'w': <1>, 'b': <2>}
      <1>: float64 Tensor, shape=(3,)
      <2>: float32 Tensor, shape=()"""


@pytest.mark.parametrize(
    ('values', 'traces'),
    [
        ([1, 1.0, True], 3),
        ([1, 1, 2, 1], 2),
        ([0.0, -0.0], 2),
        ([float('nan'), float('nan')], 1),
        (['a', 'b', 'a', b'a', None, ...], 5),
        ([1 + 0j, complex(1, -0.0)], 2),
        ([range(3), range(3), range(4)], 2),
        ([slice(1, 2), slice(1, 2), slice(2)], 2),
        ([{1, 2}, {2, 1}, {1}], 2),
        ([np.dtype('f4'), np.dtype('f4'), np.dtype('f8')], 2),
        ([np.int64(1), np.int64(2), np.int32(1)], 2),
        ([np.ones(2), np.zeros(2), np.ones(3), np.ones((1, 2)), np.ones(2, 'f4')], 4),
        ([(1, 2), (1, 2), [1, 2], (2, 1)], 3),
        ([np.datetime64(1, 's'), np.datetime64(2, 's'), np.datetime64(1, 'D')], 2),
        ([np.str_('a'), np.str_('b'), np.str_('ab')], 2),
        ([np.array(['a']), np.array(['b']), np.array(['ab'])], 2),
        ([np.ones(2, '>f8'), np.ones(2, '>f8'), np.ones(2)], 2),
        ([np.zeros(1, [('a', 'i4')]), np.zeros(1, [('a', 'i4')]), np.zeros(1, [('b', 'i4')])], 2),
    ],
)
def test_python_values_by_type_and_value_arrays_by_dtype_and_shape(values, traces):
    @ag.function
    def f(x):
        return np.float64(1.0)

    for _ in range(2):
        for value in values:
            f(value)
    assert f.tracing_count == traces


def test_objects_by_identity():
    class Config:
        rate = 2.0

    @ag.function
    def f(config, x):
        return x * config.rate

    one, two = Config(), Config()
    for config in (one, two, one, two):
        assert f(config, np.float64(3.0)) == 6.0
    assert f.tracing_count == 2


def test_a_tensor_prints_as_itself_while_tracing(capsys):
    @ag.function
    def f(a, b, c):
        print(a, b, c)
        return a

    f(np.int64(1), np.ones((2, 3), 'f4'), 2)
    expected = (
        'Tensor("a:0", shape=(), dtype=int64) Tensor("b:0", shape=(2, 3), dtype=float32) 2\n'
    )
    assert capsys.readouterr().out == expected
    f(np.int64(5), np.zeros((2, 3), 'f4'), 2)
    assert capsys.readouterr().out == ''


def test_a_warning_names_the_argument_that_is_never_the_same():
    @ag.function
    def f(x, n):
        return x * n

    def use():
        for n in range(20):
            f(np.ones(2), n)

    with pytest.warns(RetracingWarning, match=r"value of the argument 'n'.*np\.int64") as caught:
        use()
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_warning_names_the_shape_that_varies():
    @ag.function
    def f(x):
        return x * 2

    def use():
        for n in range(10):
            f(np.ones(n))

    with pytest.warns(RetracingWarning, match="shape of the argument 'x'.*reduce_retracing"):
        use()


def test_reduce_retracing_makes_varying_axes_unknown():
    @ag.function(reduce_retracing=True)
    def f(x):
        return x * 2

    with warnings.catch_warnings():
        warnings.simplefilter('error')
        for n in range(10):
            np.testing.assert_array_equal(f(np.ones((n, 3))), np.full((n, 3), 2.0))
    assert f.tracing_count == 2
    assert 'shape=(None, 3)' in f.pretty_printed_concrete_signatures()
    f(np.ones((4, 3), 'f4'))
    assert f.tracing_count == 3


def test_the_report_tells_why_each_trace_was_made():
    @ag.function
    def f(x, n=2):
        return x * n

    f(np.ones(2))
    f(np.ones(3))
    f(np.ones(3), n=4)
    f([np.ones(3)], n=4)
    report = f.trace_report().splitlines()
    assert report[0] == 'f: 4 traces'
    assert 'the first call' in report[1]
    assert 'the argument x is float64[3], not float64[2]' in report[2]
    assert 'the argument n is 4, not 2' in report[3]
    assert 'the argument x has the structure [*], not *' in report[4]


def test_a_lambda_a_partial_and_an_object_that_is_called():
    class Scale:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return x * self.by if np.sum(x) > 0 else x

    x = np.array([1.0, 2.0])
    double = ag.function(lambda x: x * 2)
    np.testing.assert_array_equal(double(x), [2.0, 4.0])
    partial = ag.function(functools.partial(lambda x, y: x * y, y=3))
    np.testing.assert_array_equal(partial(x), [3.0, 6.0])
    scale = ag.function(Scale(4))
    np.testing.assert_array_equal(scale(x), [4.0, 8.0])
    np.testing.assert_array_equal(scale(-x), -x)
    assert scale.tracing_count == 1


def test_a_function_of_a_function():
    def f(x, n=2):
        return x * n if np.sum(x) > 0 else x

    for again in (ag.function(ag.function(f)), ag.function(functools.partial(ag.function(f), n=3))):
        np.testing.assert_array_equal(again(-np.ones(2)), -np.ones(2))
        np.testing.assert_array_equal(again(np.ones(2), n=4), [4.0, 4.0])


def test_a_decorated_function_keeps_what_tells_it():
    @ag.function(autograph=True)
    def f(x: np.ndarray, n: int = 2) -> np.ndarray:
        """What it does."""
        return x * n

    import inspect

    assert (f.__name__, f.__doc__) == ('f', 'What it does.')
    assert str(inspect.signature(f)) == '(x: numpy.ndarray, n: int = 2) -> numpy.ndarray'
    assert isinstance(f, ag.Function)
    assert callable(f)
    assert f.python_function(1, 3) == 3


def test_operations_of_inner_functions_are_in_the_graph():
    @ag.function
    def inner(x, y, b):
        return x @ y + b

    @ag.function
    def outer(x):
        return inner(x, np.ones((2, 2)), np.float64(4.0))

    np.testing.assert_array_equal(outer(np.ones((2, 2))), np.full((2, 2), 6.0))
    text = str(outer.get_concrete_function(np.ones((2, 2))).graph)
    assert 'matmul' in text
    assert inner.tracing_count == 0
