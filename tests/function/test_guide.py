"""The programs that the guides to `tf.function` and AutoGraph show, with NumPy in their place."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

rng = np.random.default_rng(3)


def test_usage():
    @ag.function
    def add(a, b):
        return a + b

    def dense(x, w, b):
        return add(x @ w, b)

    dense_layer = ag.function(dense)
    ones = np.ones([2, 2])
    np.testing.assert_array_equal(add(ones, ones), ones + ones)
    args = np.ones([3, 2]), np.ones([2, 2]), np.ones([2])
    np.testing.assert_array_equal(dense_layer(*args), dense(*args))
    assert isinstance(add, ag.Function)
    operations = [node.op for node in dense_layer.get_concrete_function(*args).graph.nodes]
    assert len(operations) == 2


def test_tracing(capsys):
    @ag.function
    def double(a):
        print('Tracing with', a)
        return a + a

    assert double(np.int64(1)) == 2
    assert double(np.float64(1.1)) == 2.2
    assert double('a') == 'aa'
    double(np.float64(3.0))
    assert capsys.readouterr().out == (
        'Tracing with Tensor("a:0", shape=(), dtype=int64)\n'
        'Tracing with Tensor("a:0", shape=(), dtype=float64)\n'
        'Tracing with a\n'
    )
    concrete = double.get_concrete_function(ag.TensorSpec(shape=[], dtype=np.float32))
    assert concrete(np.float32(3)) == 6.0
    assert concrete(a=np.float32(4)) == 8.0
    with pytest.raises(ValueError, match="argument 'a'"):
        concrete(np.int32(1))
    data = concrete.graph.as_graph_def()
    assert [(node.input, node.name) for node in data.node] == [([], 'a'), (['a', 'a'], 'add')]


def test_numbers_of_python_and_of_numpy(capsys):
    def train_one_step():
        pass

    @ag.function
    def train(num_steps):
        print('Tracing with num_steps =', num_steps)
        ag.print('Executing with num_steps =', num_steps)
        for _ in ag.range(num_steps):
            train_one_step()

    for steps in (10, 20, np.int64(10), np.int64(20)):
        train(steps)
    out = capsys.readouterr().out
    assert (out.count('Tracing'), out.count('Executing')) == (3, 4)


def test_tanh_until_it_is_small(capsys):
    def f(x):
        while np.sum(x) > 1:
            ag.print(x)
            x = np.tanh(x)
        return x

    x = rng.uniform(size=5)
    np.testing.assert_array_equal(ag.function(f)(x), f(x))
    printed = capsys.readouterr().out.splitlines()
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]


def test_accumulating_in_a_loop():
    def rnn_step(inputs, state):
        return np.tanh(inputs + state)

    def dynamic_rnn(step, inputs, state):
        inputs = np.transpose(inputs, [1, 0, 2])
        length = inputs.shape[0]
        states = ag.TensorArray(np.float64, size=length)
        for i in ag.range(length):
            state = step(inputs[i], state)
            states = states.write(i, state)
        return np.transpose(states.stack(), [1, 0, 2])

    def with_a_list(step, inputs, state):
        states = []
        for each in np.transpose(inputs, [1, 0, 2]):
            state = step(each, state)
            states.append(state)
        return np.stack(states, axis=1)

    inputs, state = rng.uniform(size=[2, 3, 4]), np.zeros([2, 4])
    expected = with_a_list(rnn_step, inputs, state)
    assert expected.shape == (2, 3, 4)
    for f in (dynamic_rnn, with_a_list):
        np.testing.assert_array_equal(ag.function(f)(rnn_step, inputs, state), expected)


def test_a_graph_grows_with_a_list():
    @ag.function
    def train(dataset):
        loss = np.int64(0)
        for x, y in dataset:
            loss += np.abs(y - x)
        return loss

    def size(dataset):
        return len(train.get_concrete_function(dataset).graph.as_graph_def().node)

    pair = (np.int64(1), np.int64(1))
    assert size([pair] * 10) > size([pair] * 3)
    assert size(np.ones((10, 2), int)) == size(np.ones((3, 2), int))


def test_an_iterator_goes_on_while_tracing_only():
    @ag.function
    def consume_next(iterator):
        return next(iterator)

    iterator = iter([1, 2, 3])
    assert [consume_next(iterator) for _ in range(3)] == [1, 1, 1]


LEAKED = None


def test_what_python_means_is_read_anew():
    """Where TensorFlow's guide warns that a graph keeps what it was traced with."""
    foo = 1

    @ag.function
    def add():
        return 1 + foo

    assert add() == 2
    foo = 100
    assert add() == 101
    foo = ag.Variable(1)
    assert add() == 2
    foo.assign(100)
    assert add() == 101

    class SimpleModel:
        bias, weight = 0.0, 2.0

    @ag.function
    def evaluate(model, x):
        return model.weight * x + model.bias

    model = SimpleModel()
    assert evaluate(model, np.float64(10.0)) == 20.0
    model.bias += 5.0
    assert evaluate(model, np.float64(10.0)) == 25.0


def test_variables_are_created_once():
    @ag.function
    def f(x):
        v = ag.Variable(1.0)
        return v + x

    with pytest.raises(ValueError, match='creates a variable'):
        f(1.0)

    class Count:
        def __init__(self):
            self.count = None

        @ag.function
        def __call__(self):
            if self.count is None:
                self.count = ag.Variable(0)
            return self.count.assign_add(1)

    one, other = Count(), Count()
    assert [one(), one(), one(), other()] == [1, 2, 3, 1]


def test_a_relu_of_three_kinds():
    @ag.function
    def my_relu(x):
        return np.maximum(0.0, x)

    for _ in range(2):
        assert my_relu(np.float32(5.5)) == 5.5
        np.testing.assert_array_equal(my_relu([1, -1]), [1.0, 0.0])
        np.testing.assert_array_equal(my_relu(np.array([3.0, -3.0])), [3.0, 0.0])
    assert my_relu.tracing_count == 3


def test_python_steers_and_staged_conditions():
    def square_if_positive(x):
        if x > 0:
            x = x * x
        else:
            x = 0
        return x

    def sum_even(items):
        s = 0
        for c in items:
            if c % 2 > 0:
                continue
            s += c
        return s

    def first_odd(x):
        for i in range(x):
            if i % 2 == 1:
                break
        else:
            i = -1
        return i

    graph = ag.function(square_if_positive)
    assert [graph(np.int64(n)) for n in (2, -2)] == [4, 0]
    assert ag.function(sum_even)(np.array([10, 12, 15, 20])) == 42
    assert [ag.function(first_odd)(np.int64(n)) for n in (4, 1, 0)] == [1, -1, -1]


def test_eagerly(capsys):
    @ag.function
    def easy(x):
        print('tensor' if isinstance(x, ag.Tensor) else 'array')
        return x

    with ag.config.run_functions_eagerly(True):
        easy(np.ones(2))
    easy(np.ones(2))
    assert capsys.readouterr().out == 'array\ntensor\n'
