"""Variables: state that a graph reads and writes in program order."""
import copy
import math
import pickle

import numpy as np
import pytest
from differential import same

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
# Where it is an argument that no protocol of NumPy's looks at, or a part of one.
PARTS = [
    lambda v, n: np.copy(v),
    lambda v, n: np.zeros_like(v),
    lambda v, n: np.array([v, v]),
    lambda v, n: np.asarray([n, n]),
    lambda v, n: np.array([[n, 1], [2, n]]),
    lambda v, n: np.array([v, np.zeros(3)]),
    lambda v, n: np.meshgrid(v, v)[0],
    lambda v, n: np.fromiter(v, float),
    lambda v, n: np.ones((n, 2)),
    lambda v, n: np.ones(4).reshape(n, n),
    lambda v, n: np.arange(3.0)[n:],
    lambda v, n: np.arange(3.0)[:n],
    lambda v, n: np.arange(3.0)[[n, 0]],
    lambda v, n: np.arange(3.0).take(n),
    lambda v, n: np.arange(3.0).repeat(n),
    lambda v, n: np.arange(3.0).dot(v),
    lambda v, n: np.arange(3.0).clip(0, v),
    lambda v, n: np.arange(3.0) * [n, n, 1],
    lambda v, n: np.random.default_rng(3).normal(size=n),
    lambda v, n: math.floor(n),
    lambda v, n: round(n),
]


@pytest.mark.parametrize('use', USES, ids=range(len(USES)))
def test_a_variable_is_an_array_anywhere(use):
    v = ag.Variable([1.0, 2.0])
    expected = use(np.array([1.0, 2.0]) if use not in USES[-3:] else v)
    graph = ag.function(lambda: use(v))
    for got in (use(v), graph(), graph()):
        assert type(got) is type(expected)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize('use', PARTS, ids=range(len(PARTS)))
def test_a_variable_is_a_part_of_an_argument(use):
    v, n = ag.Variable([1.0, 2.0, 3.0]), ag.Variable(2)
    expected = use(v.numpy(), n.numpy())
    for got in (use(v, n), ag.function(lambda: use(v, n))()):
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


def test_a_name_that_may_stand_for_a_variable():
    def chosen(a, b, x):
        return (a if x > 0 else b) * x

    def or_another_value(a, b, x):
        y = b * 3
        if x > 0:
            y = a
        return y + 1, len(np.atleast_1d(y))

    def in_a_tuple(a, b, x):
        pair = (a, b) if x > 0 else (b, x)
        return pair[0] + pair[1] * 10

    def may_be_none(a, b, x):
        y = None
        if x > 0:
            y = a
        return b * 1 if y is None else y + 1

    def scaled(a, b, x):
        y = a
        for _ in range(np.abs(x).astype(int)):
            y = y * b
        return y + 0

    def found(a, b, x):
        best = a
        for v in (a, b):
            if v * x > best * x:
                best = v
        return best + 0

    def last(a, b, x):
        y = x
        while y < 2:
            y, x = b, x + 1
        return y + x

    def used_before_it_is_assigned_to(a, b, x):
        y = (a if x > 0 else b) + 1
        a.assign(y)
        return a.value

    for f in (chosen, or_another_value, in_a_tuple, may_be_none, scaled, found, last,
              used_before_it_is_assigned_to):
        variables = [(ag.Variable(1.0), ag.Variable(2.0)) for _ in range(2)]
        graph = ag.function(f)
        for x in map(np.float64, (3, -3, 0)):
            expected, got = f(*variables[0], x), graph(*variables[1], x)
            np.testing.assert_array_equal(got, expected)
        assert graph.tracing_count == 1


def test_a_name_that_may_stand_for_a_variable_that_is_assigned_to():
    def after_a_branch(v, x):
        y = v if x > 0 else x
        v.assign_add(np.ones(2)[0])
        return y + 1

    def written_in_the_other_branch(v, x):
        if x > 0:
            y = v
        else:
            v.assign(7.0)
            y = x
        v.assign(10.0)
        return y + 1

    def in_a_loop(v, x):
        y = v
        while y < x:
            v.assign_add(1.0)
            y = y * 2
        return y

    def by_an_item(v, x):
        y = v if x > 0 else x * np.ones(2)
        v[0] = 5.0
        return y + 1

    for f in (after_a_branch, written_in_the_other_branch, in_a_loop, by_an_item):
        v = ag.Variable(np.ones(2) if f is by_an_item else 1.0, name='rate')
        with pytest.raises(ag.errors.OwnershipError, match="the variable 'rate' that is assigned"):
            ag.function(f)(v, np.float64(3.0))


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


def add_to_row(v, i, g):
    v[i] -= 0.1 * g
    return v.value


def add_to_rows(v, i, g):
    v[1:3] += g
    v[:, 0] *= i
    return v.value


def multiply_where(v, i, g):
    v[v > 3] *= 2
    v[[0, 1]] += g
    v[...] /= 2
    return v.value


def modify_what_was_read(v, i, g):
    row = v[i]
    row += g
    return row, v.value, v[i]


def add_in_a_loop(v, i, g):
    for k in range(i + 2):
        if k > 0:
            v[k] += g * k
    return v.value


@pytest.mark.parametrize(
    'f', [add_to_row, add_to_rows, multiply_where, modify_what_was_read, add_in_a_loop]
)
def test_a_part_is_read_modified_and_assigned(f):
    plain, staged = (ag.Variable(np.arange(9.0).reshape(3, 3)) for _ in range(2))
    graph = ag.function(lambda i, g: f(staged, i, g))
    for i in (0, 1, 1):
        arguments = np.int64(i), np.arange(3.0)
        assert same(f(plain, *arguments), graph(*arguments))
        assert same(plain.numpy(), staged.numpy())
    assert graph.tracing_count == 1


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


@pytest.mark.parametrize('value', [[1.0, 2.0], (1, 2), [np.float32(3), 2.0], [True, 0.5]])
@pytest.mark.parametrize('method', ['assign', 'assign_add', 'assign_sub'])
def test_a_list_takes_the_dtype_of_the_variable(value, method):
    mine, others = (ag.Variable(np.ones(2, np.float32)) for _ in range(2))
    expected = getattr(mine, method)(value)
    got = ag.function(lambda: getattr(others, method)(value))()
    np.testing.assert_array_equal(got, expected)
    assert got.dtype == others.dtype == np.float32


def test_a_list_of_numbers_beside_a_tensor_takes_the_dtype_of_the_variable():
    v = ag.Variable(np.zeros(2, np.uint8))

    def f(x):
        v.assign([x, 1])
        v.assign_add((2, x))
        return v.value + 0

    expected = f(np.uint8(3))
    got = ag.function(f)(np.uint8(3))
    assert (got.dtype, got.tolist()) == (expected.dtype, expected.tolist()) == (np.uint8, [5, 4])
    with pytest.raises(OverflowError):
        ag.function(lambda x: v.assign([x, 300]))(np.uint8(3))
    with pytest.raises(ag.errors.StagingError, match='float64'):
        ag.function(lambda x: v.assign([x, 1.5]))(np.uint8(3))


@pytest.mark.parametrize('value', [None, 'a', range(2), object(), [1.5, 2.5]])
def test_what_cannot_be_assigned_is_one_error_everywhere(value):
    v = ag.Variable(np.ones(2, np.int64))
    for assign in (lambda: v.assign(value), ag.function(lambda: v.assign(value))):
        with pytest.raises(TypeError) as error:
            assign()
        assert isinstance(error.value, ValueError)


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

    for _ in range(2):
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


@pytest.mark.parametrize('initial', [None, object(), {'a': 1}])
def test_a_first_value_that_is_no_array(initial):
    with pytest.raises(TypeError, match=r'holds an array or a number(.|\n)*first value'):
        ag.Variable(initial)


def test_what_the_dtype_does_not_hold_is_refused():
    v = ag.Variable(np.zeros(2, np.int8))

    @ag.function
    def staged(x):
        return v.assign([300, 1]) + x

    @ag.function
    def staged_beside_a_tensor(x):
        return v.assign([300, x])

    one = np.int8(1)
    for assign in (lambda _: v.assign([300, 1]), staged, staged_beside_a_tensor):
        with pytest.raises(OverflowError, match='300'):
            assign(one)
    np.testing.assert_array_equal(v.value, [0, 0])
    text = ag.Variable(np.array(['a', 'b'], 'U3'))
    with pytest.raises(ValueError, match='U6'):
        text.assign(['abcdef', 'a'])


def test_it_is_printed_by_its_value_and_described_by_its_text(capsys):
    v = ag.Variable(np.ones(2), name='v')

    def f(x):
        v.assign_add(x)
        ag.print(v, [v], {'v': (v,)}, f'{v} {v!r}')
        return str(v), repr(v), f'{[v]}', str({'v': v}), '%.2f' % v[0]  # noqa: UP031

    graph = ag.function(f)
    for _ in range(2):
        v.assign(np.zeros(2))
        expected, printed = f(np.ones(2)), capsys.readouterr().out
        v.assign(np.zeros(2))
        assert graph(np.ones(2)) == expected
        assert capsys.readouterr().out == printed
    assert printed.startswith('[1. 1.] [array([1., 1.])] ')
    assert expected[0] == "<ag.Variable 'v' shape=(2,) dtype=float64, numpy=array([1., 1.])>"


def test_a_template_that_may_mean_the_variable_or_its_value_is_refused():
    v = ag.Variable(1.0, name='v')
    with pytest.raises(ag.errors.StagingError, match=r"variable 'v'(.|\n)*`v.value`"):
        ag.function(lambda x: '%s and %d' % (v, v))(np.ones(2))  # noqa: UP031


class Layer:
    def __init__(self, x):
        self.weight = ag.Variable(np.linalg.inv(x))


@pytest.mark.parametrize('make', [lambda x: ag.Variable(np.linalg.inv(x)), Layer])
@pytest.mark.parametrize('kept', ['list', 'dict', 'attribute', 'variable'])
def test_a_first_value_that_cannot_be_computed_leaves_no_variable(make, kept):
    class Owner:
        made = None

    owner, items, named, variable = Owner(), [], {}, None

    @ag.function
    def f(x):
        nonlocal variable
        match kept:
            case 'list':
                if not items:
                    items.append(make(x))
                return items[0]
            case 'dict':
                if 'v' not in named:
                    named['v'] = make(x)
                return named['v']
            case 'attribute':
                if owner.made is None:
                    owner.made = make(x)
                return owner.made
        if variable is None:
            variable = make(x)
        return variable

    with pytest.raises(np.linalg.LinAlgError):
        f(np.zeros((2, 2)))
    assert (items, named, owner.made, variable) == ([], {}, None, None)
    f(2 * np.eye(2))
    made = next(x for x in (*items, *named.values(), owner.made, variable) if x is not None)
    made = made.weight if isinstance(made, Layer) else made
    np.testing.assert_array_equal(made.numpy(), np.eye(2) / 2)


def test_what_else_fails_in_a_first_call_leaves_no_variable_without_a_value():
    state = []

    @ag.function
    def f(x):
        if not state:
            state.append(ag.Variable(2.0 * x))
        if x.shape[0] == 3:
            return iter(x)
        return state[0] + x

    with pytest.raises(ag.errors.AutographError):
        f(np.ones(3))
    assert state == []
    np.testing.assert_array_equal(f(np.ones(2)), [3.0, 3.0])


class Built:
    def __init__(self):
        self.weight, self.is_built, self.calls, self.log, self.parts = None, False, 0, [], {}

    def asked_by_a_flag(self, x):
        if not self.is_built:
            self.weight = ag.Variable(x.sum())
            self.is_built = True
        return x * self.weight

    def counted(self, x):
        self.calls += 1
        self.log.append(self.calls)
        if self.weight is None:
            self.weight = ag.Variable(2.0)
            self.log.append('made')
            self.parts.update(a=1)
            self.parts['b'] = [x.sum()]
        self.log.append('end')
        return x * self.weight

    def of_a_layer(self, x):
        if self.weight is None:
            self.log.append(x[0])
            self.weight = Layer(np.eye(2) * 2)
            self.parts['first'] = self.weight
            self.weight.seen = x
        self.weight.weight.assign_add(np.ones((2, 2)))
        return self.weight.weight @ x

    def drawn(self, x):
        before = RNG.normal()
        if self.weight is None:
            self.weight = ag.Variable(RNG.normal(size=2))
        return self.weight * x + before

    def raising(self, x):
        if self.weight is None:
            self.log.append('begun')
            if x[0] > 1:
                raise ValueError('too large')
            self.weight = ag.Variable(1.0)
        return x * self.weight


RNG = np.random.default_rng(5)


@pytest.mark.parametrize('name', ['asked_by_a_flag', 'counted', 'of_a_layer', 'drawn', 'raising'])
def test_the_first_call_does_what_it_does_besides_creating_variables(name):
    def run(make):
        RNG.bit_generator.state = state
        owner = Built()
        f = make(getattr(Built, name))
        for x in ([2.0, 1.0], [1.0, 2.0], [3.0, 4.0]):
            try:
                result = f(owner, np.array(x))
            except ValueError as error:
                result = str(error)
            same_layer = owner.parts.get('first', owner.weight) is owner.weight
            seen = getattr(owner.weight, 'seen', None)
            yield result, owner.is_built, owner.calls, list(owner.log), len(owner.parts), (
                same_layer, seen)

    state = RNG.bit_generator.state
    expected = list(run(lambda f: f))
    assert same(expected, list(run(ag.function)))
