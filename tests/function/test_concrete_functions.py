"""Concrete functions: what they are made from, what they accept, how they print."""
import numpy as np
import pytest

import autograph_lite as ag


def power(a, b):
    return a**b


def test_python_arguments_are_bound():
    concrete = ag.function(power).get_concrete_function(a=ag.TensorSpec(None, np.float32), b=2)
    assert concrete(np.float32(10.0)) == np.float32(100.0)
    assert concrete(a=np.float32(3.0)) == 9.0
    assert concrete(np.float32(3.0), b=2) == 9.0
    with pytest.raises(TypeError, match=r'b=2.*b=3'):
        concrete(np.float32(10.0), b=3)
    assert str(concrete) == """\
ConcreteFunction power(a, b=2)
  Args:
    a: float32 Tensor, shape=<unknown>
  Returns:
    float32 Tensor, shape=<unknown>"""
    assert repr(concrete) == '<ConcreteFunction power(a, b=2)>'


def test_a_bound_argument_before_a_free_one_may_be_left_out():
    concrete = ag.function(lambda n, x: x * n).get_concrete_function(3, ag.TensorSpec([2]))
    np.testing.assert_array_equal(concrete(np.ones(2)), [3.0, 3.0])
    np.testing.assert_array_equal(concrete(3, np.ones(2)), [3.0, 3.0])


@pytest.mark.parametrize(
    ('argument', 'shown'),
    [
        (np.ones(3), r"'a' float32 Tensor, shape=\(None, 2\).*float64 Tensor, shape=\(3,\)"),
        (np.ones((3, 3), 'f4'), r'float32 Tensor, shape=\(3, 3\)'),
        (np.float32(3), r'float32 Tensor, shape=\(\)'),
        (2.0, r'called with 2\.0'),
        ([np.ones(2)], r'structure'),
    ],
)
def test_what_does_not_fit_is_named(argument, shown):
    concrete = ag.function(power).get_concrete_function(ag.TensorSpec([None, 2], np.float32), 2)
    with pytest.raises(ValueError, match=shown):
        concrete(argument)


def test_an_argument_that_is_nested_differently_is_named():
    f = ag.function(lambda x, params: x + params['w'])
    concrete = f.get_concrete_function(np.ones(2), {'w': np.ones(2)})
    with pytest.raises(ValueError, match=r"argument 'params' the structure {'w': \*}.*{'v': \*}"):
        concrete(np.ones(2), {'v': np.ones(2)})
    with pytest.raises(ValueError, match=r"argument 'x' the structure \*;.*\[\*\]"):
        concrete([np.ones(2)], {'w': np.ones(2)})


def test_missing_and_superfluous_arguments():
    concrete = ag.function(power).get_concrete_function(ag.TensorSpec([2]), ag.TensorSpec([2]))
    x = np.ones(2)
    for args, kwargs in [((), {}), ((x,), {}), ((x, x, x), {}), ((x, x), {'c': 3})]:
        with pytest.raises(TypeError, match='power'):
            concrete(*args, **kwargs)


def test_a_concrete_function_serves_calls_of_the_function():
    f = ag.function(power)
    concrete = f.get_concrete_function(ag.TensorSpec([2]), 2)
    f(np.ones(2), 2)
    assert f.tracing_count == 1
    assert f.get_concrete_function(np.ones(2), 2) is concrete
    general = f.get_concrete_function(ag.TensorSpec([None, None]), 2)
    f(np.ones((4, 5)), 2)
    assert f.tracing_count == 2
    assert f.get_concrete_function(np.ones((1, 1)), 2) is general


def test_its_structured_signature():
    concrete = ag.function(power).get_concrete_function({'x': np.ones(2)}['x'], b=2)
    args, kwargs = concrete.structured_input_signature
    assert args == (ag.TensorSpec((2,), np.float64, 'a'), 2)
    assert kwargs == {}
    assert concrete.structured_outputs == ag.TensorSpec((2,), np.float64)


def test_its_graph_and_its_program_read_well():
    concrete = ag.function(power).get_concrete_function(np.ones(2), 2)
    assert str(concrete.graph).startswith('graph power(a: float64[2]) -> float64[2]:')
    assert concrete.lowered_code == 'def power(a):\n    return a ** 2\n'


class Layer:
    def __init__(self, w):
        self.w = w

    @ag.function
    def call(self, x):
        return x * self.w

    @ag.function(input_signature=[ag.TensorSpec([None])])
    def declared(self, x, scale=2):
        return x * self.w * scale

    @staticmethod
    @ag.function
    def static(x):
        return x + 1

    @ag.function
    @staticmethod
    def static_inside(x):
        return x + 1

    @classmethod
    @ag.function
    def of_class(cls, x):
        return x + cls.offset

    offset = 5.0


def test_methods():
    layer, other = Layer(3.0), Layer(np.array([1.0, 2.0]))
    x = np.ones(2)
    for _ in range(3):
        np.testing.assert_array_equal(layer.call(x), [3.0, 3.0])
        np.testing.assert_array_equal(other.call(x), [1.0, 2.0])
        np.testing.assert_array_equal(Layer.call(layer, x), [3.0, 3.0])
    assert layer.call.tracing_count == 2
    concrete = layer.call.get_concrete_function(ag.TensorSpec([2]))
    assert str(concrete).startswith('ConcreteFunction call(x)\n')
    np.testing.assert_array_equal(concrete(x), [3.0, 3.0])
    assert layer.call == layer.call
    assert layer.call != other.call
    import inspect

    assert str(inspect.signature(layer.call)) == '(x)'
    assert layer.call.__name__ == 'call'


def test_methods_with_a_declared_signature():
    layer = Layer(3.0)
    np.testing.assert_array_equal(layer.declared(np.ones(2)), [6.0, 6.0])
    np.testing.assert_array_equal(layer.declared(np.ones(5)), np.full(5, 6.0))
    assert layer.declared.tracing_count == 1
    np.testing.assert_array_equal(layer.declared.get_concrete_function()(np.ones(1)), [6.0])
    with pytest.raises(ValueError, match='input_signature'):
        layer.declared(np.ones((2, 2)))


def test_static_and_class_methods():
    layer = Layer(1.0)
    for owner in (layer, Layer):
        assert owner.static(np.float64(1)) == 2.0
        assert owner.static_inside(np.float64(1)) == 2.0
        assert owner.of_class(np.float64(1)) == 6.0
