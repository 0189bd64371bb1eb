"""Each rewrite, before and after; the graph stays valid and gives the same results."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.text import text
from autograph_lite.graph.types import array_type, python_scalar, scalar_type, type_of
from autograph_lite.graph.verify import verify
from autograph_lite.optimize import optimize
from autograph_lite.optimize.cond_constant import cond_constant
from autograph_lite.optimize.constant_folding import constant_folding
from autograph_lite.optimize.dead_code import dead_code
from autograph_lite.optimize.identities import identities
from autograph_lite.optimize.strength_reduction import strength_reduction

VECTOR = array_type(np.float64, (3,))
INT = python_scalar(int)
CAPTURED = np.ones(3)


def rewritten(rewrite, function, types, *calls):
    """The text of the graph after the rewrite; the results stay what they were."""
    before, after = traced(function, *types), traced(function, *types)
    rewrite(after)
    verify(after)
    for args in calls:
        expected, got = run(lower(before), args), run(lower(after), args)
        for a, b in zip(expected, got, strict=True):
            assert type(a) is type(b)
            np.testing.assert_array_equal(a, b)
    return text(after)


def lines(code):
    return textwrap.dedent(code).strip()


def test_dead_code_drops_what_nobody_reads():
    def f(x):
        np.tanh(x)
        return x + 1

    after = """
        graph f(x: float64[3]) -> float64[3]:
          add: float64[3] = add(x, 1)
          return add
        """
    assert rewritten(dead_code, f, [VECTOR], [np.zeros(3)]) == lines(after)


def test_dead_code_keeps_effects():
    def f(x):
        ag.print(x)
        return x + 1

    assert 'print(x)' in rewritten(dead_code, f, [VECTOR])


def test_dead_code_drops_results_of_branches_and_what_only_they_need():
    def f(x, y):
        def if_true(x, y):
            return np.sin(x), np.cos(y)

        return ag.cond(np.sum(x) > 0, if_true, lambda x, y: (x, y), x, y, names=['x', 'y'])[0]

    after = """
        graph f(x: float64[3], y: float64[3]) -> float64[3]:
          sum: float64 = sum(x)
          greater: bool = greater(sum, 0)
          x_1: float64[3] = cond(greater):
            true:
              x_2: float64[3] = sin(x)
              return x_2
            false:
              return x
          return x_1
        """
    assert rewritten(dead_code, f, [VECTOR, VECTOR], [np.ones(3), np.ones(3)]) == lines(after)


def test_dead_code_drops_unused_loop_state():
    def f(n):
        def body(i, a, b, c):
            return a + c, b * 2, c + 1

        return ag.for_loop(ag.range(n), body, 0, 1, 2, names=['a', 'b', 'c'])[0]

    after = """
        graph f(n: int) -> int:
          a: int, c: int = for_loop(item: int in range(0, n, 1), a_1 = 0, c_1 = 2):
            body:
              a_2: int = a_1 + c_1
              c_2: int = c_1 + 1
              return a_2, c_2
          return a
        """
    assert rewritten(dead_code, f, [INT], [4], [0]) == lines(after)


def test_constants_are_folded():
    graph = traced(lambda x: x * np.sqrt(_traced(np.float64(16))), VECTOR)
    constant_folding(graph)
    dead_code(graph)
    assert 'multiply(x, float64(4.0))' in text(graph)


def _traced(value):
    from autograph_lite.graph.tracing import constant

    return constant(value)


@pytest.mark.parametrize(
    'function',
    [
        lambda: np.log(_traced(np.float64(0))),
        lambda: _traced(np.int8(100)) + np.int8(100),
        lambda: _traced(np.int64(1)) // np.int64(0),
        lambda: _traced(CAPTURED) + 1,
        lambda: np.zeros(3) + _traced(np.float64(1)),
    ],
)
def test_what_warns_raises_or_is_an_array_is_not_folded(function):
    with np.errstate(all='ignore'):
        graph = traced(function)
    before = text(graph)
    constant_folding(graph)
    assert text(graph) == before


def test_a_known_condition_leaves_one_branch():
    def f(x):
        truth = _traced(True)

        def if_true(x):
            return ag.cond(np.sum(x) > 1, lambda: x + 1, lambda: x - 1)

        return ag.cond(truth, if_true, lambda x: x * 2, x, names=['x'])

    after = """
        graph f(x: float64[3]) -> float64[3]:
          sum: float64 = sum(x)
          greater: bool = greater(sum, 1)
          result: float64[3] = cond(greater):
            true:
              add: float64[3] = add(x, 1)
              return add
            false:
              subtract: float64[3] = subtract(x, 1)
              return subtract
          return result
        """
    assert rewritten(cond_constant, f, [VECTOR], [np.ones(3)], [np.zeros(3)]) == lines(after)


def test_common_subexpressions_are_shared():
    def f(x):
        return np.sum(np.tanh(x)) + np.sum(np.tanh(x))

    graph = traced(f, VECTOR)
    optimize(graph)
    verify(graph)
    assert text(graph).count('tanh(x)') == 1
    assert text(graph).count('sum(') == 1


def test_numbers_of_different_types_are_not_shared():
    def f(x):
        return np.sum(x + 1), np.sum(x + 1.0), np.sum(x + True)

    graph = traced(f, array_type(np.int64, (3,)))
    optimize(graph)
    assert text(graph).count('add(x') == 3
    signs = traced(lambda x: (np.sum(x * 0.0), np.sum(x * -0.0)), VECTOR)
    optimize(signs)
    assert text(signs).count('multiply(x') == 2


def test_arrays_that_are_returned_or_modified_are_not_shared():
    def f(x):
        a, b = x + 1, x + 1
        c, d = np.sin(x), np.sin(x)
        c[0] = 1
        return a, b, np.sum(c), np.sum(d)

    graph = optimize(traced(f, VECTOR))
    verify(graph)
    assert text(graph).count('add(x') == 2
    assert text(graph).count('sin(x') == 2
    a, b, *_ = run(lower(graph), [np.ones(3)])
    assert not np.shares_memory(a, b)


def test_optimising_twice_changes_nothing_more():
    def f(x, n):
        def body(i, x, total):
            y = np.tanh(x) * np.tanh(x)
            return ag.cond(i > 2, lambda: y, lambda: x, names=['x']), total + 1

        return ag.for_loop(ag.range(n), body, x, 0, names=['x', 'total'])[0]

    graph = optimize(traced(f, VECTOR, INT))
    once = text(graph)
    assert text(optimize(graph)) == once


def test_what_an_enclosing_block_computed_is_shared():
    def f(x):
        total = np.sum(np.tanh(x))
        return ag.cond(total > 1, lambda: total + np.sum(np.tanh(x)), lambda: total, names=['y'])

    after = """
        graph f(x: float64[3]) -> float64:
          tanh: float64[3] = tanh(x)
          total: float64 = sum(tanh)
          greater: bool = greater(total, 1)
          y: float64 = cond(greater):
            true:
              y_1: float64 = add(total, total)
              return y_1
            false:
              return total
          return y
        """
    graph = traced(f, VECTOR)
    optimize(graph)
    verify(graph)
    assert text(graph) == lines(after)


def test_what_one_branch_computed_is_not_shared_with_the_other():
    def f(x):
        return ag.cond(x[0] > 1, lambda: np.tanh(x), lambda: np.tanh(x) + 1, names=['y'])

    graph = traced(f, VECTOR)
    optimize(graph)
    verify(graph)
    assert text(graph).count('tanh(x)') == 2


def test_state_that_only_dead_state_reads_is_dropped():
    def f(x, n):
        def outer(i, a, b, x):
            def inner(j, a, b):
                return a + b, b + 1

            a, _ = ag.for_loop(ag.range(n), inner, a, b, names=['a', 'b'])
            return a, a * 2, x + 1

        return ag.for_loop(ag.range(n), outer, 0, 0, x, names=['a', 'b', 'x'])[2]

    graph = traced(f, VECTOR, INT)
    dead_code(graph)
    verify(graph)
    (loop,) = [node for node in graph.nodes if node.graphs]
    assert [output.type for output in loop.outputs] == [VECTOR]
    assert not [node for node in loop.graphs['body'].nodes if node.graphs]


def test_what_is_the_same_every_turn_is_computed_before_the_loop():
    def f(x, y):
        def body(i, y):
            return y + np.exp(x) * 2

        return ag.for_loop(ag.range(150), body, y, names=['y'])

    graph = traced(f, VECTOR, VECTOR)
    optimize(graph)
    verify(graph)
    assert lower(graph).code == textwrap.dedent("""
        def f(x, y):
            multiply = np.exp(x) * 2
            for _ in range(150):
                y = y + multiply
            return y
        """).lstrip()


def test_what_may_warn_stays_in_a_loop_that_may_make_no_turn():
    def f(x, y, n):
        return ag.for_loop(ag.range(n), lambda i, y: y + 1 / x, y, names=['y'])

    graph = traced(f, VECTOR, VECTOR, INT)
    optimize(graph)
    assert run(lower(graph), [np.zeros(3), np.ones(3), 0])[0].tolist() == [1, 1, 1]


def test_memory_that_is_modified_is_made_every_turn():
    def f(x, y):
        def body(i, y):
            z = x * 2
            z[i] = 0
            return y + z

        return ag.for_loop(ag.range(200), body, y, names=['y'])

    graph = traced(f, array_type(np.float64, (200,)), array_type(np.float64, (200,)))
    optimize(graph)
    verify(graph)
    assert run(lower(graph), [np.ones(200), np.zeros(200)])[0].tolist() == [398] * 200


SHAPES = [(130, 8, 16, 32), (130, 1, 3, 5), (130, 70, 90, 11), (130, 4, 1, 1)]


@pytest.mark.parametrize('dtype', [np.float32, np.float64, np.int64])
@pytest.mark.parametrize('order', ['C', 'F'])
@pytest.mark.parametrize('shape', SHAPES)
def test_products_of_rows(shape, order, dtype):
    n, rows, inner, columns = shape
    rng = np.random.default_rng(0)

    def array(*shape):
        return np.asarray(rng.normal(size=shape) * 9, dtype, order=order)

    def rnn(x, w, u):
        def body(i, h):
            return x[i] @ w + (h + u)

        return ag.for_loop(ag.range(n), body, u, names=['h'])

    x, w, u = array(n, rows, inner), array(inner, columns), array(rows, columns)
    graph = traced(rnn, *map(type_of, (x, w, u)))
    optimize(graph)
    verify(graph)
    program = lower(graph)
    assert 'matmul = x @ w\n' in program.code
    expected = u
    for i in range(n):
        expected = x[i] @ w + (expected + u)
    assert run(program, [x, w, u])[0].tobytes() == expected.tobytes()


def test_a_short_loop_over_a_long_body_is_not_unrolled():
    def f(x):
        for _ in range(100):
            x = np.tanh(x) * 0.5 + x * 0.25 - np.sin(x) / 3
        return x

    def power(x):
        result = x
        for _ in range(100):
            result = result * x
        return result

    loops = [str(ag.function(g).get_concrete_function(np.ones(3)).graph) for g in (f, power)]
    assert ['for_loop' in text for text in loops] == [True, False]


def test_what_gives_an_operand_back_is_the_operand():
    def f(x, n):
        y = np.tanh(x)
        n = ((n + 0) | np.int8(0)) << 0
        y = -(y * 1 - 0.0)
        return np.sum(-y / 1), ~~n, np.maximum(n, n) // 1

    after = """
        graph f(x: float64[3], n: int8) -> float64, int8, int8:
          y: float64[3] = tanh(x)
          sum: float64 = sum(y)
          return sum, n, n
        """
    types = [VECTOR, scalar_type(np.int8)]
    calls = [[np.array([np.nan, -0.0, np.inf]), np.int8(n)] for n in (-128, 0, 127)]

    def both(graph):
        identities(graph)
        dead_code(graph)

    assert rewritten(both, f, types, *calls) == lines(after)


@pytest.mark.parametrize(
    'function',
    [
        lambda x: np.sum(np.tanh(x) + 0),  # -0.0 + 0 is 0.0
        lambda x: np.sum(np.tanh(x) - -0.0),
        lambda x: np.sum(x * 1),  # the array from outside may lie in another order
        lambda x: np.tanh(x) * 1,  # a result is an array of its own
        lambda x: np.sum(np.tanh(x * 1j) * 1),  # infinite parts become NaN
        lambda x: np.sum(np.tanh(x) * np.float32(1).astype(np.longdouble)),
    ],
)
def test_what_gives_something_else_stays(function):
    graph = traced(function, VECTOR)
    before = text(graph)
    identities(graph)
    assert text(graph) == before


def test_divisions_by_powers_of_two_are_products_shifts_and_masks():
    def f(x, n):
        x = x.copy()
        x /= 4
        return x / np.float64(-8), n // 16, n % np.int16(8)

    after = """
        graph f(x: float64[3], n: int16[4]) -> float64[3], int16[4], int16[4]:
          x_1: float64[3] = x.copy()
          x_2: float64[3] = x_1 after multiply(x_1, 0.25, out=x_1)
          divide: float64[3] = multiply(x_2, float64(-0.125))
          floor_divide: int16[4] = right_shift(n, 4)
          remainder: int16[4] = bitwise_and(n, int16(7))
          return divide, floor_divide, remainder
        """
    types = [VECTOR, array_type(np.int16, (4,))]
    numbers = np.array([-32768, -1, 7, 32767], np.int16)
    calls = [[np.array(xs), numbers] for xs in ([np.nan, -0.0, np.inf], [5e-324, 1e308, 3.0])]
    assert rewritten(strength_reduction, f, types, *calls) == lines(after)


@pytest.mark.parametrize(
    ('function', 'dtype'),
    [
        (lambda x: x / 3, np.float64),
        (lambda x: x / 2.0**120, np.float32),
        (lambda x: x / 0, np.float64),
        (lambda x: x / 2, np.complex128),
        (lambda x: x / 2, np.int64),
        (lambda x: x // 2, np.float64),
        (lambda x: x % -4, np.int64),
        (lambda x: x // 0, np.int64),
        (lambda x: x % np.int64(2), np.int8),
        (lambda x: np.divide(x, 2, dtype=np.float64), np.float32),
    ],
)
def test_other_divisions_stay(function, dtype):
    graph = traced(function, array_type(dtype, (3,)))
    before = text(graph)
    strength_reduction(graph)
    assert text(graph) == before
