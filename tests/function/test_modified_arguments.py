"""What a function modifies in place of the caller's holds afterwards what plain Python leaves."""
import pickle

import numpy as np
import pytest
from defining import define
from differential import check
from work import work

import autograph_lite as ag

X = np.array([2.0, -1.0, 3.0])


def centred(x, n):
    x -= x.mean()
    x /= n + 1
    return x


def filled(x, n):
    for i in range(n):
        x[i] = i


def changed_on_one_way(x, n):
    if n > 1:
        x += 1
    return x.sum()


def changed_until(x, n):
    while x.sum() > n:
        x -= 1
        if x[0] < -2:
            return x * 2
    return x


def before_and_after(x, n):
    old = x.copy()
    x[:] = x[::-1] * n
    return old, x, old - x


def sorted_and_put(x, n):
    x.sort()
    np.put(x, [0], n)
    np.add(x, 1, out=x)


def two_names(x, n):
    y = x
    y += n
    x *= 2
    return x, y


def through_a_view(x, n):
    rest = x[1:]
    rest -= n
    return rest.copy()


def zeroed(x, n):
    x[n] = 0


def in_a_helper(x, n):
    zeroed(x, n)
    return x


def bound_anew(x, n):
    x += n
    x = x * 2
    x -= 1
    return x


def before_what_raises_is_caught(x, n):
    try:
        x[0] = n
        if n > 1:
            raise ValueError(n)
        x[1] = 7
    except ValueError:
        x[2] = 9
    return x


@pytest.mark.parametrize(
    'f',
    [
        centred, filled, changed_on_one_way, changed_until, before_and_after, sorted_and_put,
        two_names, through_a_view, in_a_helper, bound_anew, before_what_raises_is_caught,
    ],
)  # fmt: skip
def test_modified(f):
    check(f, *[(X, np.int64(n)) for n in (0, 1, 2)])


def test_an_array_without_axes():
    def counted(n):
        total = 0
        while n > 0:
            n -= 1
            total += n
        return total

    check(counted, (np.array(3),), (np.array(0),), joins=True)


def test_what_is_returned_is_the_array_itself():
    x = X.copy()
    assert ag.function(centred)(x, np.int64(1)) is x


def test_in_containers():
    @ag.function
    def descended(state, gradients):
        state['w'] -= gradients[0]
        return state['w']

    w = np.ones(2)
    assert descended({'w': w}, [np.ones(2)]) is w
    np.testing.assert_array_equal(w, [0.0, 0.0])


def test_in_a_function_that_is_called_by_another():
    inner = ag.function(centred)

    def doubled(x, n):
        y = x * 2
        z = inner(y, n)
        inner(x, n)
        return y, z

    check(doubled, (X, np.int64(1)))
    inner = inner.get_concrete_function(X, np.int64(1))
    check(doubled, (X, np.int64(1)))


def test_with_a_declared_signature():
    @ag.function(input_signature=[ag.TensorSpec([None], np.float64)])
    def halved(x):
        x /= 2

    for length in (2, 3):
        x = np.ones(length)
        assert halved(x) is None
        np.testing.assert_array_equal(x, np.full(length, 0.5))
    assert halved.tracing_count == 1


def test_a_trace_and_a_pickled_one():
    concrete = ag.function(filled).get_concrete_function(X, np.int64(1))
    for f in (concrete, pickle.loads(pickle.dumps(concrete))):
        x = X.copy()
        f(x, np.int64(2))
        np.testing.assert_array_equal(x, [0.0, 1.0, 3.0])


def test_beside_plain_python():
    x = X.copy()
    assert ag.function(centred, check=True)(x, np.int64(0)) is x
    np.testing.assert_array_equal(x, X - X.mean())


def test_an_operation_that_raises_leaves_it_as_it_was():
    @ag.function
    def f(x, n):
        x[0] = 7
        x[n] = 1

    x = X.copy()
    with pytest.raises(IndexError):
        f(x, np.int64(5))
    np.testing.assert_array_equal(x, X)


def refused(f, *args):
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(*args)
    assert 'test_modified_arguments.py' in str(caught.value)
    return str(caught.value)


def added(x, y):
    x += 1
    return y.sum()


def test_what_shares_memory():
    assert "argument 'x' in place, which shares memory" in refused(added, X, X)
    assert 'shares memory' in refused(added, X[1:], X)
    rows = np.zeros((2, 3))
    check(added, (rows[0], rows[1]))


def test_what_shares_memory_with_a_captured_array():
    captured = np.zeros(2)
    assert 'shares memory' in refused(lambda x: added(x, captured), captured)


def test_what_is_read_only():
    x = X.copy()
    x.flags.writeable = False
    assert "argument 'x' in place, which is read-only" in refused(added, x, X)


def test_one_array_for_two_arguments_of_what_is_called():
    inner = ag.function(added)
    assert ag.function(lambda x: inner(x, x))(X.copy()) == (X + 1).sum()
    concrete = inner.get_concrete_function(X, X)
    assert "argument 'x', which has another name" in refused(lambda x: concrete(x, x), X)


def test_what_another_name_has_in_a_loop():
    def f(x, n):
        y = x
        for _ in range(n):
            y[0] += 1
            y = y * 1
        return y

    assert '`x = x.copy()` at the beginning' in refused(f, X, np.int64(2))


def test_it_lies_in_memory_as_the_callers_does():
    def f(x, w):
        x *= w
        return np.sum(x, axis=0)

    g = ag.function(f)
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, w = (rng.normal(size=(16, 4)).astype(np.float16) for _ in range(2))
        mine, others = x.copy(order='F'), x.copy(order='F')
        assert f(mine, w).tobytes() == g(others, w).tobytes()


def test_what_does_not_lie_in_one_piece():
    def halved(x):
        a = x.reshape(-1)
        a /= 2
        return a.sum()

    table = np.ones((3, 8))
    for part in (table[:, :4], table[::-1], table[0, ::2]):
        assert 'does not lie in memory in one piece' in refused(halved, part)
    check(halved, (table,), (table[1:],), traces=2)


def of_many(size):
    """A function that sets an item of each of many arrays, and may raise between any two."""
    names = [f'a{i}' for i in range(size)]
    lines = [f'def f(x, {", ".join(names)}):']
    for i, name in enumerate(names):
        lines += [f'    if x > {i + 9}: raise ValueError("x")', f'    {name}[0] = x + {i}']
    return define('\n'.join([*lines, '    return a0, a1.sum()']))


def test_many_arrays_are_looked_at_in_a_moment():
    def of_a_call(size):
        f, given = ag.function(of_many(size)), [np.zeros(2) for _ in range(size)]
        f(np.float64(1), *given)
        assert [x[0] for x in given] == [1.0 + i for i in range(size)]
        return work(f, np.float64(2), *given)

    assert of_a_call(80) < 6 * of_a_call(20)


@pytest.mark.parametrize('x', [1, 12, 30])
def test_many_arrays_of_a_call_that_raises_or_not(x):
    plain, f = of_many(12), ag.function(of_many(12))
    outcomes = []
    for run in (plain, f):
        given = [np.zeros(2) for _ in range(12)]
        try:
            first, total = run(np.float64(x), *given)
            outcomes.append((first is given[0], total, list(map(list, given))))
        except ValueError as error:
            outcomes.append((str(error), list(map(list, given))))
    expected, got = outcomes
    assert got == expected


def test_one_of_many_arrays_that_shares_memory_with_another():
    f, memory = ag.function(of_many(12)), np.zeros(20)
    given = [np.zeros(2) for _ in range(10)]
    for one, other in ((memory[:2], memory[1:3]), (memory[:2], memory[:2]), (memory[4:6],) * 2):
        with pytest.raises(ag.errors.OwnershipError, match='shares memory'):
            f(np.float64(1), *given, one, other)
    f(np.float64(1), *given, memory[:2], memory[2:4])
    assert memory[:3:2].tolist() == [11.0, 12.0]
