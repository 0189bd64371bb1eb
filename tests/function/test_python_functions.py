"""Python that the running graph calls."""
import pickle

import numpy as np
import pytest

import autograph_lite as ag


def test_it_is_called_at_every_run_with_arrays_in_order(capsys):
    seen = []

    def note(x):
        seen.append((type(x), x.tolist()))

    @ag.function
    def f(x):
        ag.print('before')
        ag.py_function(note, [x], None)
        ag.print('after')
        return x

    for value in (1.0, 2.0, 3.0):
        f(np.array([value]))
    assert seen == [(np.ndarray, [1.0]), (np.ndarray, [2.0]), (np.ndarray, [3.0])]
    assert capsys.readouterr().out.split() == ['before', 'after'] * 3
    assert f.tracing_count == 1


def test_without_a_declaration_it_runs_no_more_than_it_must():
    seen = []

    @ag.function
    def f(x):
        ag.py_function(seen.append, [x])
        return x + 1

    f(np.float64(1))
    f(np.float64(2))
    assert seen == [1.0, 2.0]


@pytest.mark.parametrize(
    ('function', 'declared'),
    [
        (lambda x: x * 2, np.float64),
        (lambda x: x * 2, ag.TensorSpec([None])),
        (lambda x: x * 2, ag.TensorSpec([3])),
        (lambda x: [1.5, 2.5], ag.TensorSpec([2])),
        (lambda x: x.sum(), ag.TensorSpec([])),
        (lambda x: 1, ag.TensorSpec([], np.int64)),
    ],
)
def test_a_declared_result(function, declared):
    def f(x):
        return ag.py_function(function, [x], declared)

    expected = f(np.ones(3))
    graph = ag.function(f)
    for _ in range(2):
        got = graph(np.ones(3))
        np.testing.assert_array_equal(got, expected)
        assert type(got) is type(expected)
        assert got.dtype == expected.dtype


def test_a_found_result():
    def f(x):
        y = ag.py_function(lambda a: a * 2, [x])
        total, n = ag.py_function(lambda a: (a.sum(), len(a)), [y])
        return y + 1, total * n

    graph = ag.function(f)
    for a, b in zip(graph(np.ones(3)), f(np.ones(3)), strict=True):
        np.testing.assert_array_equal(a, b)


def test_several_declared_results():
    @ag.function
    def f(x):
        low, high = ag.numpy_function(lambda a: (a.min(), a.max()), [x], [np.float64, np.float64])
        return high - low

    assert f(np.array([1.0, 4.0])) == 3.0


@pytest.mark.parametrize('graph', [False, True])
@pytest.mark.parametrize(
    ('function', 'declared'),
    [
        (lambda x: x.astype('f4'), np.float64),
        (lambda x: x[None], ag.TensorSpec([None])),
        (lambda x: 'text', np.float64),
        (lambda x: (x, x), [np.float64]),
    ],
)
def test_a_result_that_is_not_what_was_declared(graph, function, declared):
    def f(x):
        return ag.py_function(function, [x], declared)

    with pytest.raises(ValueError, match=r'returns'):
        (ag.function(f) if graph else f)(np.ones(2))


def test_in_loops_and_branches():
    seen = []

    def note(i):
        seen.append(int(i))
        return i * 10

    def f(n):
        total = 0
        for i in range(n):
            if i % 2 == 1:
                total += ag.py_function(note, [i], ag.TensorSpec([], np.int64))
        return total

    graph = ag.function(f)
    assert graph(np.int64(5)) == 40
    assert seen == [1, 3]
    assert graph(np.int64(2)) == 10
    assert seen == [1, 3, 1]


def test_as_a_decorator():
    @ag.py_function(Tout=np.float64)
    def double(x):
        """Twice."""
        return x * 2

    assert double.__doc__ == 'Twice.'
    np.testing.assert_array_equal(double(np.ones(2)), [2.0, 2.0])
    np.testing.assert_array_equal(ag.function(lambda x: double(x) + 1)(np.ones(2)), [3.0, 3.0])
    np.testing.assert_array_equal(
        ag.function(lambda x: ag.py_function(np.sort)(x))(np.array([2.0, 1.0])), [1.0, 2.0]
    )


def test_its_exceptions_are_its_own():
    def fail(x):
        raise KeyError('gone')

    @ag.function
    def f(x):
        ag.py_function(fail, [x], None)
        return x

    with pytest.raises(KeyError, match='gone'):
        f(np.float64(1))


def test_the_program_calls_it_by_its_name():
    def note(x):
        return None

    @ag.function
    def f(x):
        ag.py_function(note, [x], None)
        return x

    assert '    note(x)\n' in f.get_concrete_function(np.float64(1)).lowered_code


@pytest.mark.parametrize(
    'use',
    [
        lambda y: y.sum(), lambda y: np.max(y), lambda y: y.T, lambda y: y[0], lambda y: y[1:],
        lambda y: y.reshape(-1, 1), lambda y: np.where(y > 1, y, 0.0), lambda y: len(y),
        lambda y: np.concatenate([y, y]), lambda y: y.astype(np.float32), lambda y: y.size,
        lambda y: np.linalg.norm(y), lambda y: np.cumsum(y), lambda y: np.sort(y),
        lambda y: np.argmax(y), lambda y: np.exp(y) + 1,
    ],
)  # fmt: skip
def test_a_result_of_unknown_rank(use):
    def f(x):
        return use(ag.numpy_function(lambda a: a * 2, [x], np.float64))

    x = np.array([1.0, 3.0, 2.0])
    expected, got = f(x), ag.function(f)(x)
    np.testing.assert_array_equal(got, expected)
    assert type(got) is type(expected)


def test_what_needs_the_rank_says_so():
    @ag.function
    def f(x):
        return np.sum(ag.numpy_function(lambda a: a * 2, [x], np.float64), axis=0)

    with pytest.raises(ag.errors.StagingError, match=r'whose rank is known(.|\n)*TensorSpec'):
        f(np.ones(3))


def doubled(x):
    return x * 2


def test_pickling():
    def traced(function):
        f = ag.function(lambda x: ag.py_function(function, [x], np.float64) + 1)
        return f.get_concrete_function(np.ones(2))

    again = pickle.loads(pickle.dumps(traced(doubled)))
    np.testing.assert_array_equal(again(np.ones(2)), [3.0, 3.0])
    with pytest.raises(pickle.PicklingError, match=r'does not pickle(.|\n)*`def` in a module'):
        pickle.dumps(traced(lambda x: x * 2))
