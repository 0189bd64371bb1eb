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
