"""`while_loop` and `for_loop`: how many turns they make is known only to the running graph."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def shrink(x):
    while np.sum(x) > 1:
        x = np.tanh(x)
    return x


def total(xs):
    s = 0
    for x in xs:
        s += x
    return s


def first_negative(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return i
    return -1


def skip_negative(xs):
    s = 0.0
    for x in xs:
        if x < 0:
            continue
        s += x
    return s


def stop_at_zero(xs):
    count = 0
    for x in xs:
        if x == 0:
            break
        count += 1
    else:
        count = -count
    return count


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def while_true(x):
    turns = 0
    while True:
        x = x / 2
        turns += 1
        if x < 1:
            break
    return turns, x


def nested_search(m, x):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == x:
                return i, j
    return -1, -1


def dot(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


def last(xs):
    for x in xs:
        y = x * 2
    return y


def loop_variable_after(n):
    i = -1
    for i in range(n):
        pass
    return i


VECTORS = [
    (np.array(v),) for v in ([1.0, 2.0, -3.0, 4.0], [1.0, 0.0, 2.0, 3.0], [-1.0, 2.0, 0.0, 0.0])
]


@pytest.mark.parametrize('f', [total, first_negative, skip_negative, stop_at_zero, last])
def test_over_a_vector(f):
    check(f, *VECTORS)


@pytest.mark.parametrize('f', [total, first_negative, skip_negative, stop_at_zero, last])
def test_over_integers(f):
    check(f, *[(v.astype(np.int32),) for (v,) in VECTORS])


@pytest.mark.parametrize('f', [fibonacci, loop_variable_after])
def test_over_a_range_of_a_tensor(f):
    check(f, *[(np.int64(n),) for n in (0, 1, 2, 10, 200)])


def test_collatz():
    check(collatz, *[(np.int64(n),) for n in (1, 2, 7, 27)])


def test_while_over_an_array():
    check(shrink, (np.full(5, 0.9),), (np.zeros(5),))


def test_while_true():
    check(while_true, *[(np.float64(x),) for x in (0.5, 2.0, 100.0)])


def test_return_from_nested_loops():
    m = np.arange(6).reshape(2, 3)
    check(nested_search, *[(m, np.int64(x)) for x in (0, 4, 5, 17)])


def test_zip():
    check(dot, (np.arange(3.0), np.arange(3.0) + 1), (np.zeros(3), np.ones(3)))


def test_a_name_first_bound_in_a_loop_that_makes_no_turn():
    @ag.function
    def f(n):
        for i in range(n):
            y = i * 2
        return y

    assert f(np.int64(3)) == 4
    with pytest.raises(UnboundLocalError, match='y'):
        f(np.int64(0))
    assert f.tracing_count == 1


def test_state_that_changes_type():
    @ag.function
    def f(x, n):
        for _ in range(n):
            x = x.astype(np.float32)
        return x

    message = r'x is float64\[3\] before the loop'
    with pytest.raises(ag.errors.StagingError, match=message) as caught:
        f(np.arange(3.0), np.int64(2))
    assert 'test_loops.py' in str(caught.value)


def test_state_that_changes_length():
    def f(x):
        while len(x) > 2:
            x = x[1:]
        return x

    check(f, (np.arange(5.0),))


@pytest.mark.parametrize('dtype', ['int8', 'uint8', 'int64', 'float16', 'float32', 'float64'])
def test_a_python_number_takes_the_type_of_what_is_added(dtype):
    check(total, (np.ones(3, dtype),))


def test_an_optional_value():
    def f(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best

    check(f, *VECTORS)


def test_none_is_returned_by_a_loop_that_makes_no_turn():
    def f(xs, n):
        best = None
        for i in range(n):
            if best is None or xs[i] > best:
                best = xs[i]
        return best

    check(f, *[(np.array([1.0, 3.0, 2.0]), np.int64(n)) for n in (0, 1, 3)])


def test_python_loops_unroll():
    def f(x, n):
        for _ in range(n):
            x = x * 2
        return x

    graph = check(f, (np.float64(1), 3))
    nodes = graph.get_concrete_function(np.float64(1), 3).graph.nodes
    assert len([node for node in nodes if node.op.name == 'ufunc']) == 3


def test_a_long_range_is_staged():
    def f(x):
        for i in range(1000):
            x = x + i
        return x

    graph = check(f, (np.float64(1),))
    assert len(graph.get_concrete_function(np.float64(1)).graph.nodes) < 20


def shortest_paths(d):
    d = d.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def test_loops_in_loops_that_are_many_turns_together_are_staged():
    distances = np.random.default_rng(0).random((9, 9))
    graph = check(shortest_paths, (distances,)).get_concrete_function(distances).graph
    assert [node.op.name for node in graph.nodes if node.graphs] == ['for_loop']
    few = distances[:3, :3].copy()
    graph = check(shortest_paths, (few,)).get_concrete_function(few).graph
    assert not any(node.op.name == 'for_loop' for node in graph.walk())


def filled(x, names):
    found = {}
    for i in range(12):
        for name in names:
            for j in range(12):
                found[name, i, j] = x[i] * j
    return found['a', 3, 4] + found['b', 11, 11]


def test_loops_in_loops_that_cannot_be_staged_are_unrolled():
    check(filled, (np.arange(12.0), ('a', 'b')))


def test_a_range_whose_break_depends_on_a_tensor_is_staged_as_a_whole():
    def newton(x):
        y = x
        for _ in range(20):
            after = 0.5 * (y + x / y)
            if abs(after - y) < 1e-9:
                break
            y = after
        return y

    graph = check(newton, (np.float64(2),), (np.float64(1),), (np.float64(1e6),))
    code = graph.get_concrete_function(np.float64(2)).lowered_code
    assert 'for _ in range(20):' in code


def test_a_break_that_depends_on_a_tensor_in_a_python_loop():
    def f(x, steps):
        for step in steps:
            if x > 10:
                break
            x = x + step
        return x

    check(f, (np.float64(1), [1, 5, 9, 100]), (np.float64(11), [1, 5, 9, 100]))


def test_three_names_trade_places():
    def f(n, a, b, c):
        for _ in range(n):
            a, b, c = b, c, a
        return a, b, c

    check(f, *[(np.int64(n), np.ones(2), np.zeros(2), np.arange(2.0)) for n in range(4)])


def test_state_of_another_structure_is_shown_where_it_is_assigned():
    def f(n):
        kept, pair = 0, (1.0, 2.0)
        while n > 0:
            kept += 1
            pair = (1.0, 2.0, 3.0)
            n = n - 1
        return kept, pair

    with pytest.raises(ag.errors.StagingError) as raised:
        ag.function(f)(np.int64(3))
    message = str(raised.value)
    assert '    pair = (1.0, 2.0, 3.0)\n' in message.replace('kept, pair = 0, (1.0, 2.0)', '')
    assert '    kept, pair = 0, (1.0, 2.0)\n' in message
    assert message.startswith('pair is (*, *) before the loop and (*, *, *) after a turn of it')
    assert f'line {f.__code__.co_firstlineno + 4}, in f' in message


def test_state_of_another_rank_is_shown_where_it_is_assigned():
    def f(rows):
        total = 0
        for row in rows:
            total = total + row
        return total

    with pytest.raises(ag.errors.StagingError) as raised:
        ag.function(f)(np.ones((3, 2)))
    message = str(raised.value)
    assert message.startswith('total is int before the loop and float64[2] after a turn of it')
    assert message.index('    total = 0\n') < message.index('    total = total + row\n')
    assert message.endswith("with `np.full((2,), ..., 'float64')` where it is a number.")


def until_it_raises(x):
    while True:
        x = x + 1
        if x > 9:
            raise ValueError
        if x > 8.2:
            return x


def until_an_assertion_fails(x):
    while True:
        x = x + 1
        assert x < 9


def until_nothing_is_read(x):
    while True:
        x = x + 1
        if x > 9:
            return y  # noqa: F821
    y = 1  # noqa: F841


def until_a_count_raises(x):
    n = 0
    try:
        while True:
            if x + n > 9:
                raise StopIteration
            n = n + 1
    except StopIteration:
        pass
    return x


def as_long_as_there_are_items(x):
    items = [x, x, x]
    while items:
        item = items.pop()
        if item > 5:
            raise ValueError
        x = x + item
    return x


def as_long_as_an_iterator_gives(x):
    numbers = iter([1, 2, 3])
    while True:
        n = next(numbers, None)
        if n is None:
            break
        if x > n * 3:
            raise ValueError
        x = x + n
    return x


@pytest.mark.parametrize(
    'f', [until_it_raises, until_an_assertion_fails, until_a_count_raises]
)
def test_a_loop_that_only_an_exception_ends(f):
    check(f, (np.float64(2.0),), (np.float64(2.5),), (np.float64(20.0),))


@pytest.mark.parametrize('f', [as_long_as_there_are_items, as_long_as_an_iterator_gives])
def test_a_loop_that_an_exception_may_end_before_python_ends_it(f):
    check(f, (np.float64(2.0),), (np.float64(2.5),), (np.float64(20.0),))


def test_a_loop_that_ends_where_a_variable_has_no_value():
    with pytest.raises(ag.errors.UnboundError, match="'y'"):
        ag.function(until_nothing_is_read)(np.float64(2.0))
