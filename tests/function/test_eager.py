"""What runs while tracing, what runs at every call, and what is not run at all."""
import threading
import traceback

import numpy as np
import pytest

import autograph_lite as ag


@pytest.fixture(autouse=True)
def _graphs_again():
    yield
    ag.config.run_functions_eagerly(False)


def test_functions_run_as_plain_python(capsys):
    @ag.function
    def f(x):
        print('running', x)
        return x + 1

    f(np.float64(1))
    ag.config.run_functions_eagerly(True)
    assert f(np.float64(2)) == 3.0
    f(np.float64(2))
    ag.config.run_functions_eagerly(False)
    f(np.float64(5))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ['running 2.0', 'running 2.0']
    assert lines[0].startswith('running Tensor("x:0"')
    assert f.tracing_count == 1


def test_in_a_block():
    @ag.function
    def f(x):
        return x + 1

    with ag.config.run_functions_eagerly(True):
        f(np.float64(1))
        with ag.config.run_functions_eagerly(False):
            f(np.float64(1))
        f(np.float64(1))
    assert f.tracing_count == 1


def test_python_prints_while_tracing_and_ag_prints_always(capsys):
    @ag.function
    def f(n):
        print('traced')
        for i in range(n):
            if i % 2 == 0:
                ag.print('even', i)
            else:
                ag.print('odd', i)
        ag.print('done')
        return n

    f(np.int64(3))
    f(np.int64(1))
    assert capsys.readouterr().out.splitlines() == [
        'traced', 'even 0', 'odd 1', 'even 2', 'done', 'even 0', 'done',
    ]  # fmt: skip


def test_only_what_is_needed_runs():
    def unused(x):
        np.take(x, np.array([5]))
        return x

    with pytest.raises(IndexError):
        unused(np.zeros(1))
    np.testing.assert_array_equal(ag.function(unused)(np.zeros(1)), [0.0])


@pytest.mark.parametrize(
    'index',
    [
        lambda x: np.take(x, [5]),
        lambda x: np.take(x, 5),
        lambda x: x.take([0, 5]),
        lambda x: x[5],
        lambda x: x[-4],
        lambda x: x[[0, 5]],
        lambda x: x[np.array([5])],
        lambda x: x[1:][2],
        lambda x: x.item(5),
        lambda x: np.delete(x, 5),
        lambda x: np.insert(x, 5, 0.0),
    ],
)
def test_an_index_out_of_range_raises_where_it_is_needed(index):
    def unused(x):
        y = x + 1
        index(y)
        return y

    def used(x):
        y = x + 1
        return index(y)

    x = np.zeros(3)
    np.testing.assert_array_equal(ag.function(unused)(x), x + 1)
    graph = ag.function(used)
    graph.get_concrete_function(x)
    with pytest.raises(IndexError) as plain:
        used(x)
    with pytest.raises(IndexError) as caught:
        graph(x)
    assert str(caught.value) == str(plain.value)
    assert 'lambda x:' in traceback.extract_tb(caught.value.__traceback__)[-1].line


def test_an_index_that_is_tried_is_decided_while_tracing():
    def f(x):
        try:
            y = x[5]
        except IndexError:
            y = x[0]
        return y

    assert ag.function(f)(np.ones(3)) == 1.0


def test_asserts_and_prints_are_never_pruned(capsys):
    @ag.function
    def f(x):
        ag.print('here')
        assert x > 0, 'too small'
        return np.float64(1)

    f(np.float64(1))
    with pytest.raises(AssertionError, match='too small'):
        f(np.float64(-1))
    assert capsys.readouterr().out == 'here\nhere\n'


def test_fizzbuzz_traces_each_branch_once(capsys):
    @ag.function
    def fizzbuzz(n):
        for i in range(1, n + 1):
            print('Tracing for loop')
            if i % 15 == 0:
                print('Tracing fizzbuzz branch')
                ag.print('fizzbuzz')
            elif i % 3 == 0:
                print('Tracing fizz branch')
                ag.print('fizz')
            elif i % 5 == 0:
                print('Tracing buzz branch')
                ag.print('buzz')
            else:
                print('Tracing default branch')
                ag.print(i)

    fizzbuzz(np.int64(5))
    fizzbuzz(np.int64(20))
    lines = capsys.readouterr().out.splitlines()
    traced = [line for line in lines if line.startswith('Tracing')]
    assert sorted(set(traced)) == sorted(traced)
    assert len(traced) == 5

    def expected(n):
        for i in range(1, n + 1):
            yield 'fizzbuzz' if i % 15 == 0 else 'fizz' if i % 3 == 0 else (
                'buzz' if i % 5 == 0 else str(i))

    assert [line for line in lines if line not in traced] == [*expected(5), *expected(20)]


def test_a_list_unrolls_and_an_array_does_not():
    @ag.function
    def train(data):
        loss = np.float64(0.0)
        for x, y in data:
            loss += np.abs(y - x)
        return loss

    def size(data):
        return len(train.get_concrete_function(data).graph.as_graph_def().node)

    small, big = [(np.float64(1), np.float64(1))] * 3, [(np.float64(1), np.float64(1))] * 10
    assert size(big) > size(small)
    assert size(np.ones((3, 2))) == size(np.ones((10, 2)))
    assert train(big) == train(np.ones((10, 2))) == 0.0


def test_a_power_is_unrolled_over_a_python_int():
    @ag.function
    def power(x, n):
        result = x
        for _ in range(n - 1):
            result = result * x
        return result

    assert power(np.float64(2.0), 100) == 2.0**100
    graph = power.get_concrete_function(np.float64(2.0), 100).graph
    assert 'for_loop' not in str(graph)


def test_a_dynamic_rnn():
    def rnn(cell, xs, state):
        states = np.zeros((xs.shape[0], state.shape[0]))
        for i in range(xs.shape[0]):
            state = np.tanh(xs[i] @ cell + state)
            states[i] = state
        return states, state

    rng = np.random.default_rng(0)
    cell, xs, state = rng.normal(size=(3, 4)), rng.normal(size=(5, 3)), np.zeros(4)
    f = ag.function(rnn, input_signature=[
        ag.TensorSpec([3, 4]), ag.TensorSpec([None, 3]), ag.TensorSpec([4])])
    for length in (5, 2, 0):
        for a, b in zip(f(cell, xs[:length], state), rnn(cell, xs[:length], state), strict=True):
            np.testing.assert_array_equal(a, b)
    assert f.tracing_count == 1


def test_blocks_of_several_threads_end_in_any_order():
    f = ag.function(lambda x: isinstance(x, ag.Tensor))

    def is_eager():
        return not f(np.ones(2))

    begun, ended = threading.Event(), threading.Event()

    def other():
        with ag.config.run_functions_eagerly(True):
            begun.set()
            ended.wait()

    thread = threading.Thread(target=other)
    with ag.config.run_functions_eagerly(True):
        thread.start()
        begun.wait()
    assert is_eager()
    ended.set()
    thread.join()
    assert not is_eager()
