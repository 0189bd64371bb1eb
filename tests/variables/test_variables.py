"""Variables: state that a graph reads and writes in program order."""
import copy
import math
import pickle

import numpy as np
import pytest

import autograph_lite as ag


def test_outside_a_graph():
    v = ag.Variable([1.0, 2.0], name='v')
    assert (v.dtype, v.shape, v.ndim, v.size, len(v)) == (np.float64, (2,), 1, 2, 2)
    np.testing.assert_array_equal(v.assign([3.0, 4.0]), [3.0, 4.0])
    np.testing.assert_array_equal(v.assign_add([1.0, 1.0]), [4.0, 5.0])
    np.testing.assert_array_equal(v.assign_sub(1.0), [3.0, 4.0])
    v[0] = 7.0
    np.testing.assert_array_equal(v.value, [7.0, 4.0])
    assert v[0] == 7.0
    assert repr(v) == "<ag.Variable 'v' shape=(2,) dtype=float64, numpy=array([7., 4.])>"


@pytest.mark.parametrize(
    ('initial', 'dtype', 'expected'),
    [
        (0, None, np.int64),
        (0.0, None, np.float64),
        (True, None, np.bool_),
        (0, np.float32, np.float32),
        (np.float32(1), None, np.float32),
        ([1, 2], None, np.int64),
        (np.ones(2, 'i2'), None, np.int16),
    ],
)
def test_the_dtype_is_that_of_the_first_value(initial, dtype, expected):
    assert ag.Variable(initial, dtype).dtype == expected


def test_what_reading_gives_is_a_snapshot():
    v = ag.Variable(np.zeros(2))
    before = v.value
    v.assign_add(1.0)
    v[0] = 5.0
    np.testing.assert_array_equal(before, [0.0, 0.0])
    with pytest.raises(ValueError, match='read-only'):
        before[0] = 1.0
    mine = v.numpy()
    mine[0] = 9.0
    np.testing.assert_array_equal(v, [5.0, 1.0])
    given = np.zeros(2)
    v.assign(given)
    given[0] = 3.0
    np.testing.assert_array_equal(v, [0.0, 0.0])


USES = [
    lambda v: v + 1,
    lambda v: 1 - v,
    lambda v: np.ones(2) * v,
    lambda v: v @ v,
    lambda v: -v,
    lambda v: v == 2.0,
    lambda v: v < np.array([1.5, 3.0]),
    lambda v: np.tanh(v),
    lambda v: np.add(1, v),
    lambda v: np.sum(v),
    lambda v: np.concatenate([v, np.ones(1), v]),
    lambda v: np.where(v > 1, v, 0.0),
    lambda v: v.sum(),
    lambda v: v.reshape(2, 1),
    lambda v: v.T,
    lambda v: v[0],
    lambda v: v[None, ::-1],
    lambda v: v[np.array([1, 0])],
    lambda v: len(v),
    lambda v: v.shape[0],
    lambda v: [2 * row for row in v],
    lambda v: v.value,
    lambda v: v.numpy(),
    lambda v: np.stack([v.value, v.value]),
]


@pytest.mark.parametrize('use', USES, ids=range(len(USES)))
def test_a_variable_is_an_array_anywhere(use):
    v = ag.Variable([1.0, 2.0])
    expected = use(np.array([1.0, 2.0]) if use not in USES[-3:] else v)
    graph = ag.function(lambda: use(v))
    for got in (use(v), graph(), graph()):
        assert type(got) is type(expected)
        np.testing.assert_array_equal(got, expected)


MIXED = [
    lambda v, x: v + x,
    lambda v, x: x + v,
    lambda v, x: x @ v,
    lambda v, x: np.add(x, v),
    lambda v, x: x == v,
    lambda v, x: np.concatenate([x, v]),
    lambda v, x: np.where(x > 1, v, x),
    lambda v, x: np.dot(x, v),
]


@pytest.mark.parametrize('use', MIXED, ids=range(len(MIXED)))
def test_beside_a_tensor(use):
    v, x = ag.Variable([1.0, 2.0]), np.array([1.0, 3.0])
    np.testing.assert_array_equal(ag.function(lambda x: use(v, x))(x), use(v.numpy(), x))


def test_a_counter():
    count = ag.Variable(0)

    @ag.function
    def f():
        return count.assign_add(1)

    assert [f(), f(), f()] == [1, 2, 3]
    assert f.tracing_count == 1
    assert count.value == 3


def test_reads_and_writes_keep_their_order():
    v = ag.Variable(1.0, name='v')

    def f(x):
        a = v.value
        v.assign(x)
        b = v + 1
        v.assign_add(v * 2)
        c = v.value
        v.assign_sub(1.0)
        return a, b, c, v.value

    graph = ag.function(f)
    for x in (3.0, 5.0):
        before = v.value
        expected = f(np.float64(x))
        after = v.value
        v.assign(before)
        assert graph(np.float64(x)) == expected
        assert v.value == after


def test_the_program_calls_the_variable_by_its_name():
    count = ag.Variable(0, name='count')

    @ag.function
    def step(n):
        count.assign_add(n)

    code = step.get_concrete_function(np.int64(1)).lowered_code
    assert 'count.assign_add(n)' in code


def test_in_branches():
    v = ag.Variable(0.0)

    def f(x):
        if x > 0:
            v.assign(x)
            if x > 10:
                v.assign_add(1.0)
        else:
            v.assign_sub(x)
        return v * 2

    graph = ag.function(f)
    for x in (1.0, 20.0, -3.0, 2.0):
        before = v.value
        expected = f(np.float64(x))
        v.assign(before)
        assert graph(np.float64(x)) == expected
    assert graph.tracing_count == 1


def test_in_loops():
    v = ag.Variable(0)

    def f(n):
        total = 0
        for i in range(n):
            v.assign_add(i)
            total += v.value
        while v > 3:
            v.assign_sub(2)
        return total, v.value

    graph = ag.function(f)
    for n in (0, 1, 5, 7):
        v.assign(1)
        expected = f(np.int64(n))
        v.assign(1)
        assert graph(np.int64(n)) == expected


def test_items_in_a_loop():
    v = ag.Variable(np.zeros(5), name='v')

    def f(n):
        v[0] = 1.0
        for i in range(1, n):
            v[i] = v[i - 1] * 2
        return v.value

    graph = ag.function(f)
    expected = f(np.int64(5))
    v.assign(np.zeros(5))
    np.testing.assert_array_equal(graph(np.int64(5)), expected)
    np.testing.assert_array_equal(graph(np.int64(2)), expected)


def test_what_is_captured_may_be_another_variable_later():
    class Model:
        def __init__(self):
            self.w = ag.Variable(2.0)

        @ag.function
        def __call__(self, x):
            return x * self.w

    model = Model()
    assert model(np.float64(3)) == 6.0
    model.w.assign(4.0)
    assert model(np.float64(3)) == 12.0
    model.w = ag.Variable(5.0)
    assert model(np.float64(3)) == 15.0


@pytest.mark.parametrize('graph', [False, True])
@pytest.mark.parametrize(
    ('value', 'error'),
    [
        (np.ones(3), ValueError),
        (np.ones((2, 2)), ValueError),
        (np.float64(1), ValueError),
        (np.ones(2, 'f4'), TypeError),
        (np.ones(2, 'i8'), TypeError),
        (np.ones(2, 'c16'), TypeError),
        (1j, TypeError),
    ],
)
def test_dtype_and_shape_are_checked(graph, value, error):
    v = ag.Variable(np.zeros(2), name='weights')

    def assign(x):
        v.assign(x)

    run = ag.function(assign) if graph else assign
    with pytest.raises(error, match='weights'):
        run(value)
    np.testing.assert_array_equal(v, [0.0, 0.0])


def test_an_update_that_would_change_the_dtype():
    v = ag.Variable(0)
    with pytest.raises(TypeError, match='is float'):
        v.assign_add(0.5)
    with pytest.raises(TypeError, match='float64'):
        ag.function(lambda x: v.assign_add(x))(np.float64(1))
    assert v.value == 0


def test_creation_in_the_first_call():
    class Count:
        def __init__(self):
            self.v = None

        @ag.function
        def __call__(self, x):
            if self.v is None:
                self.v = ag.Variable(x)
            return self.v.assign_add(x)

    one, two = Count(), Count()
    assert [one(np.float64(2)) for _ in range(3)] == [4.0, 6.0, 8.0]
    assert [two(np.float64(1)) for _ in range(3)] == [2.0, 3.0, 4.0]


def test_a_first_value_that_depends_on_the_argument():
    state = []

    @ag.function
    def fn(x):
        if not state:
            state.append(ag.Variable(2.0 * x))
            state.append(ag.Variable(state[0] * 3.0))
        return state[0] * x * state[1]

    assert fn(np.float64(1.0)) == 12.0
    assert fn(np.float64(3.0)) == 36.0
    assert len(state) == 2


def test_creation_at_every_call_is_refused():
    @ag.function
    def f(x):
        v = ag.Variable(1.0)
        return v + x

    with pytest.raises(ValueError, match='not its first call'):
        f(np.float64(1))


def test_creation_at_a_later_call_is_refused():
    made = []

    @ag.function
    def f(x):
        if x.ndim:
            made.append(ag.Variable(1.0))
        return x

    f(np.float64(1))
    with pytest.raises(ValueError, match='not its first call'):
        f(np.ones(2))


def test_creation_in_a_staged_branch_is_refused():
    made = []

    @ag.function
    def f(x):
        if x > 0:
            made.append(ag.Variable(x))
        return x

    with pytest.raises(ValueError, match='branch or loop'):
        f(np.float64(1))


def test_creation_for_a_spec():
    class Model:
        v = None

        @ag.function
        def __call__(self, x):
            if self.v is None:
                self.v = ag.Variable(np.zeros(2))
            return self.v.assign_add(x)

    model = Model()
    concrete = model.__call__.get_concrete_function(ag.TensorSpec([2]))
    np.testing.assert_array_equal(concrete(np.ones(2)), [1.0, 1.0])
    np.testing.assert_array_equal(model(np.ones(2)), [2.0, 2.0])

    holder = []

    @ag.function
    def f(x):
        if not holder:
            holder.append(ag.Variable(x))
        return holder[0].value

    with pytest.raises(ValueError, match='Call the function once'):
        f.get_concrete_function(ag.TensorSpec([2]))


def test_an_exception_after_creation_leaves_a_variable_with_its_value():
    class Model:
        v = None

        @ag.function
        def __call__(self, x, fail):
            if self.v is None:
                self.v = ag.Variable(x * 2)
            if fail:
                raise RuntimeError('no')
            return self.v + x

    model = Model()
    with pytest.raises(RuntimeError):
        model(np.float64(1), True)
    assert model.v.value == 2.0
    assert model(np.float64(1), False) == 3.0


def test_copies_and_pickles_are_apart():
    v = ag.Variable([1.0], name='v', trainable=False)
    for other in (copy.deepcopy(v), copy.copy(v), pickle.loads(pickle.dumps(v))):
        other.assign_add(1.0)
        assert (other.name, other.trainable, other.value[0]) == ('v', False, 2.0)
    assert v.value[0] == 1.0


def test_a_variable_as_an_argument():
    @ag.function
    def f(v, x):
        return v.assign_add(x)

    one, two = ag.Variable(1.0), ag.Variable(10.0)
    assert f(one, np.float64(1)) == 2.0
    assert f(two, np.float64(1)) == 11.0
    assert f(one, np.float64(1)) == 3.0
    assert f.tracing_count == 2


def test_a_function_that_returns_a_variable_returns_it():
    v = ag.Variable(1.0)
    assert ag.function(lambda: v)() is v


def branch(v, x):
    if v:
        x = x + 1
    return x


def turns(v, x):
    for _ in range(v):
        x = x + 1
    return x


def item(v, x):
    x = np.zeros(5)
    x[v] = v
    return x[v - 1], x[v]


def shown(v, x):
    ag.print(v, f'{v} {x:.1f}')
    return x


WHERE_PYTHON_ASKS = [
    branch,
    turns,
    item,
    shown,
    lambda v, x: (float(v), int(v), bool(v), complex(v)),
    lambda v, x: math.sqrt(v) + x,
    lambda v, x: max(v, 1) + x,
    lambda v, x: not v,
    lambda v, x: x if v > 1 and v < 3 else -x,
]


@pytest.mark.parametrize('use', WHERE_PYTHON_ASKS, ids=range(len(WHERE_PYTHON_ASKS)))
def test_where_python_asks_for_a_value(use, capsys):
    """Every call sees the value that the variable has then, with one trace."""
    v = ag.Variable(2, name='v')
    graph = ag.function(lambda x: use(v, x))
    for number in (2, 0, 3):
        v.assign(number)
        expected = use(np.int64(number), np.float64(1.5))
        printed = capsys.readouterr().out
        got = graph(np.float64(1.5))
        assert got == expected
        assert capsys.readouterr().out == printed
    assert graph.tracing_count == 1
