"""Concrete functions: what they are made from, what they accept, how they print."""
import pickle
import sys

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


def test_called_in_another_function():
    def norm(x, limit):
        total = 0.0
        for row in x:
            if row > limit:
                total += row
        return {'total': total, 'x': x, 'n': 3}

    concrete = ag.function(norm).get_concrete_function(ag.TensorSpec([None]), 1.0)

    @ag.function
    def outer(x, n):
        result = concrete(x)
        for _ in range(n):
            result = concrete(x * result['total'], 1.0)
        return result

    x = np.array([0.5, 2.0])
    for n in (0, 1, 2):
        got = outer(x, np.int64(n))
        expected = concrete(x)
        for _ in range(n):
            expected = concrete(x * expected['total'])
        assert (got['total'], got['n']) == (expected['total'], 3)
        np.testing.assert_array_equal(got['x'], expected['x'])
    with pytest.raises(ValueError, match='norm expects'):
        ag.function(lambda x: concrete(x))(np.ones((2, 2)))

    @ag.function
    def modifies(x):
        y = concrete(x)['x']
        y[0] = 1.0
        return y

    with pytest.raises(ag.errors.OwnershipError, match='argument'):
        modifies(x)


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


def test_the_order_of_bytes_is_told():
    concrete = ag.function(lambda x: x).get_concrete_function(ag.TensorSpec((2,)))
    with pytest.raises(ValueError, match=r'expects .* float64 Tensor.* called with >f8 Tensor'):
        concrete(np.ones(2, '>f8'))


def test_a_method_takes_its_bound_arguments():
    class Scaled:
        @ag.function
        def by(self, x, n):
            return x * n

        @ag.function
        def plus(self, x, y):
            return x + y

    scaled = Scaled()
    by = scaled.by.get_concrete_function(ag.TensorSpec([2]), 3)
    x = np.ones(2)
    for got in (by(x), by(x, 3), by(x, n=3), by(n=3, x=x), by(scaled, x), by(scaled, x, 3)):
        np.testing.assert_array_equal(got, [3.0, 3.0])
    with pytest.raises(TypeError, match=r'traced with n=3; it is called with n=4'):
        by(x, 4)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(by))(x, 3), [3.0, 3.0])
    plus = scaled.plus.get_concrete_function(ag.TensorSpec([2]), ag.TensorSpec([2]))
    with pytest.raises(TypeError, match=r"^plus\(\) missing 1 required positional argument: 'y'$"):
        plus(x)


def named(x, *, y, **more):
    return x + y + more['z'] * more['n']


@pytest.mark.parametrize(
    ('function', 'args', 'kwargs', 'message'),
    [
        (power, 0, {}, "power() missing 2 required positional arguments: 'a' and 'b'"),
        (power, 3, {}, 'power() takes 2 positional arguments but 3 were given'),
        (power, 2, {'c': 3}, "power() got an unexpected keyword argument 'c'"),
        (power, 2, {'b': 3}, "power() got multiple values for argument 'b'"),
        (named, 1, {'z': 1}, "named() missing 1 required keyword-only argument: 'y'"),
        (named, 1, {'y': 1}, "named() missing 1 required keyword-only argument: 'z'"),
    ],
)
def test_arguments_that_do_not_fit_raise_what_python_raises(function, args, kwargs, message):
    spec = ag.TensorSpec([2])
    given = {'b': spec} if function is power else {'y': spec, 'z': spec, 'n': 2}
    concrete = ag.function(function).get_concrete_function(spec, **given)
    with pytest.raises(TypeError) as caught:
        concrete(*[np.ones(2)] * args, **kwargs)
    assert str(caught.value) == message


def test_bound_keywords_may_be_left_out():
    spec = ag.TensorSpec([2])
    concrete = ag.function(named).get_concrete_function(spec, y=spec, z=spec, n=2)
    x = np.ones(2)
    np.testing.assert_array_equal(concrete(x, y=x, z=x), [4.0, 4.0])
    np.testing.assert_array_equal(concrete(x, z=x, n=2, y=x), [4.0, 4.0])


VECTOR = ag.TensorSpec([None])


class Kinds:
    k = 2.0

    @classmethod
    @ag.function
    def of_class(cls, x):
        return x * cls.k

    @ag.function
    @classmethod
    def inside_of_class(cls, x):
        return x * cls.k

    @classmethod
    @ag.function(input_signature=[VECTOR])
    def declared_of_class(cls, x):
        return x * cls.k

    @ag.function(input_signature=[VECTOR])
    @classmethod
    def declared_inside_of_class(cls, x):
        return x * cls.k

    @staticmethod
    @ag.function
    def static(x):
        return x * 2.0

    @ag.function
    @staticmethod
    def inside_static(x):
        return x * 2.0

    @staticmethod
    @ag.function(input_signature=[VECTOR])
    def declared_static(x):
        return x * 2.0

    @ag.function(input_signature=[VECTOR])
    @staticmethod
    def declared_inside_static(x):
        return x * 2.0


class More(Kinds):
    k = 3.0


@pytest.mark.parametrize(
    'name', [name for name in vars(Kinds) if name.endswith(('class', 'static'))])
@pytest.mark.parametrize('owner', [Kinds, Kinds(), More, More()], ids=['A', 'a', 'B', 'b'])
def test_class_and_static_methods(owner, name):
    x = np.array([1.0, 2.0])
    expected = x * (owner.k if 'class' in name else 2.0)
    method = getattr(owner, name)
    np.testing.assert_array_equal(method(x), expected)
    if sys.version_info >= (3, 13) and name in ('of_class', 'declared_of_class'):
        with pytest.raises(TypeError, match=r'Write `@ag\.function` above'):
            method.get_concrete_function(*[] if 'declared' in name else [VECTOR])
        return
    concrete = method.get_concrete_function(*[] if 'declared' in name else [VECTOR])
    np.testing.assert_array_equal(concrete(x), expected)
    np.testing.assert_array_equal(concrete(x=x), expected)
    np.testing.assert_array_equal(method.get_concrete_function(x)(x), expected)


def test_a_first_parameter_that_is_only_called_as_a_class_is():
    @ag.function(input_signature=[VECTOR, VECTOR])
    def f(cls, x):
        return cls * x

    np.testing.assert_array_equal(f(np.ones(2), np.ones(2)), [1.0, 1.0])
