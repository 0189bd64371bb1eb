"""Declared signatures: one trace for all calls, and what does not fit shown beside them."""
import numpy as np
import pytest
from differential import same

import autograph_lite as ag


@pytest.fixture
def collatz():
    @ag.function(input_signature=(ag.TensorSpec([None], np.int32),))
    def next_collatz(x):
        return np.where(x % 2 == 0, x // 2, 3 * x + 1)

    return next_collatz


def test_one_trace_for_every_length(collatz):
    np.testing.assert_array_equal(collatz(np.array([1, 2], 'i4')), [4, 1])
    np.testing.assert_array_equal(collatz(np.array([1, 2, 3], 'i4')), [4, 1, 10])
    assert collatz.tracing_count == 1


@pytest.mark.parametrize('argument', [np.array([[1, 2], [3, 4]], 'i4'), np.array([1.0, 2.0]), 'a'])
def test_what_does_not_fit_is_shown_beside_the_signature(collatz, argument):
    with pytest.raises(ValueError, match='inputs:') as caught:
        collatz(argument)
    lines = str(caught.value).splitlines()
    assert lines[1].startswith('  inputs:          (')
    assert lines[2] == '  input_signature: (TensorSpec(shape=(None,), dtype=int32),)'


def test_numbers_and_lists_become_what_is_declared(collatz):
    np.testing.assert_array_equal(collatz([1, 2]), np.array([4, 1], 'i4'))

    @ag.function(input_signature=[ag.TensorSpec([], np.float32)])
    def half(x):
        return x / 2

    for value in (3, 3.0, np.float32(3.0), np.array(3.0, 'f4')):
        assert half(value) == np.float32(1.5)
        assert half(value).dtype == np.float32
    assert half.tracing_count == 2  # one for numbers, one for an array without axes


def test_nested_and_by_keyword():
    @ag.function(input_signature=[{'w': ag.TensorSpec([None]), 'b': ag.TensorSpec([])}])
    def f(params):
        return params['w'] + params['b']

    np.testing.assert_array_equal(f({'b': 1.0, 'w': np.ones(2)}), [2.0, 2.0])
    np.testing.assert_array_equal(f(params={'w': np.ones(3), 'b': 1}), [2.0, 2.0, 2.0])
    assert f.tracing_count == 1
    with pytest.raises(ValueError, match='input_signature'):
        f({'w': np.ones(2)})


def test_parameters_that_are_not_declared_have_python_values():
    @ag.function(input_signature=[ag.TensorSpec([None])])
    def f(x, n=2):
        return x * n

    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 2.0])
    np.testing.assert_array_equal(f(np.ones(3), 4), [4.0, 4.0, 4.0])
    np.testing.assert_array_equal(f(np.ones(4), n=4), np.full(4, 4.0))
    assert f.tracing_count == 2


def test_star_arguments():
    @ag.function(input_signature=[ag.TensorSpec([]), ag.TensorSpec([None])])
    def f(x, *rest):
        return x + rest[0]

    np.testing.assert_array_equal(f(1.0, np.ones(2)), [2.0, 2.0])
    with pytest.raises(ValueError, match='input_signature'):
        f(1.0)


def test_the_concrete_function_needs_no_arguments(collatz):
    concrete = collatz.get_concrete_function()
    np.testing.assert_array_equal(concrete(np.array([2], 'i4')), [1])
    assert 'x: int32 Tensor, shape=(None,)' in str(concrete)


@pytest.mark.parametrize('signature', [3, [3], ag.TensorSpec([2])])
def test_a_signature_that_is_none(signature):
    with pytest.raises(TypeError, match='input_signature'):
        ag.function(lambda x: x, input_signature=signature)


def test_called_in_another_function():
    @ag.function(input_signature=[ag.TensorSpec([], np.float32)])
    def inner(x):
        return x * 2

    @ag.function
    def outer(x):
        total = inner(3) + x
        for i in range(x):
            total += inner(i)
        return total

    assert outer(np.int64(3)) == 15.0
    with pytest.raises(ValueError, match='input_signature'):
        ag.function(lambda x: inner(x))(np.ones(2))


def test_names_in_the_graph():
    @ag.function(input_signature=[ag.TensorSpec([None], name='samples')])
    def f(x):
        return x * 2

    assert 'samples: float64[?]' in str(f.get_concrete_function().graph)


def test_an_array_without_axes_stays_one():
    @ag.function(input_signature=[ag.TensorSpec([])])
    def f(x):
        return x, isinstance(x, np.ndarray), x * 2

    for value in (np.array(2.0), np.float64(2.0), np.array(3.0)):
        assert same(f(value), f.python_function(value))
    assert same(f(2), f.python_function(np.float64(2)))
    assert f.tracing_count == 2


@pytest.mark.parametrize('text', [np.str_('ab'), np.bytes_(b'ab')])
def test_a_text(text):
    f = ag.function(lambda s: (s, np.strings.str_len(s)),
                    input_signature=[ag.TensorSpec([], text.dtype)])
    assert same(f(text), f.python_function(text))


def test_more_is_declared_than_there_are_parameters():
    f = ag.function(lambda x: x, input_signature=[ag.TensorSpec([]), ag.TensorSpec([])])
    with pytest.raises(TypeError, match='declares 2 arguments; the function takes 1'):
        f(1.0)


@pytest.mark.parametrize('shape', ['a', [-1], [2.5], 3, [[1]]])
def test_a_shape_that_is_none(shape):
    with pytest.raises(TypeError, match=r'shape of a TensorSpec is a list of lengths'):
        ag.TensorSpec(shape)


def test_what_does_not_fit_is_told_with_the_line_and_the_way_out(collatz):
    with pytest.raises(ValueError, match=r'shape=\(None,\)') as caught:
        collatz(np.ones(2))  # here
    assert f'File "{__file__}", line ' in str(caught.value)
    assert 'collatz(np.ones(2))  # here' in str(caught.value)
    assert 'or declare others' in str(caught.value).splitlines()[-1]


@pytest.mark.parametrize(
    ('argument', 'dtype'),
    [
        (300, np.int8),
        ([2**40], np.int32),
        ([[1, 2], [3, 400]], np.int8),
        ([np.int64(300), 1], np.int8),
        ([-1], np.uint8),
        (['abcdef'], 'U3'),
    ],
)
def test_what_the_dtype_does_not_hold_is_refused(argument, dtype):
    spec = ag.TensorSpec(np.shape(argument), dtype)
    f = ag.function(lambda x: x, input_signature=[spec])
    with pytest.raises(ag.errors.SignatureError, match='input_signature'):
        f(argument)
