"""Lowered programs read like code that a person wrote, and give what plain Python gives."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.types import array_type, python_scalar

VECTOR = array_type(np.float64, (3,))
WEIGHTS = np.arange(9.0).reshape(3, 3)
INT = python_scalar(int)


def expect(function, types, code, *calls):
    """The program of the function, and its results for some arguments."""
    program = lower(traced(function, *types))
    assert program.code == textwrap.dedent(code).lstrip()
    for args, expected in calls:
        got = list(run(program, [x.copy() if isinstance(x, np.ndarray) else x for x in args]))
        for result, wanted in zip(got, expected, strict=True):
            assert type(result) is type(wanted)
            np.testing.assert_array_equal(result, wanted)


def test_values_are_named_as_by_the_user_or_written_inside_what_reads_them():
    def f(x, y):
        distance = x - y
        squared = np.sum(distance * distance)
        return squared / 2, squared

    code = """
        def f(x, y):
            distance = x - y
            squared = np.add.reduce(distance * distance)
            return squared / 2, squared
        """
    call = ([np.ones(3), np.zeros(3)], [np.float64(1.5), np.float64(3.0)])
    expect(f, [VECTOR, VECTOR], code, call)


def test_a_variable_is_used_again_where_the_user_does():
    def f(x):
        x = x + 1
        x = x * x
        return x / x

    code = """
        def f(x):
            x = x + 1
            x = x * x
            return x / x
        """
    expect(f, [VECTOR], code, ([np.zeros(3)], [np.ones(3)]))


def test_captured_arrays_are_read_where_they_are():
    program = lower(traced(lambda x: x @ WEIGHTS, VECTOR))
    assert any(value is WEIGHTS for value in program.constants.values())
    assert '@ const_0' in program.code


def test_updates_keep_their_buffer():
    def f(x):
        x = x.copy()
        x[0] = 7
        x += 1
        return x

    code = """
        def f(x):
            x = x.copy()
            x[0] = 7
            x += 1
            return x
        """
    expect(f, [VECTOR], code, ([np.zeros(3)], [np.array([8.0, 1.0, 1.0])]))


def test_what_reads_a_buffer_is_computed_before_its_update():
    def f(x):
        x = x.copy()
        total = np.sum(x)
        x[0] = 7
        return total, x

    code = """
        def f(x):
            x = x.copy()
            total = np.add.reduce(x)
            x[0] = 7
            return total, x
        """
    expect(f, [VECTOR], code, ([np.ones(3)], [np.float64(3), np.array([7.0, 1.0, 1.0])]))


def test_a_short_choice_is_an_expression():
    def sign(x):
        return ag.cond(x > 0, lambda: 1, lambda: ag.cond(x < 0, lambda: -1, lambda: 0))

    code = """
        def sign(x):
            return 1 if x > 0 else -1 if x < 0 else 0
        """
    expect(sign, [INT], code, ([5], [1]), ([-5], [-1]), ([0], [0]))


def test_a_branch_that_changes_nothing_is_left_out():
    def scale(x, limit):
        def if_true(x):
            factor = limit / np.max(x)
            return x * factor * factor + np.sum(factor)

        return ag.cond(np.max(x) > limit, if_true, ag.unchanged, x, names=['x'])

    code = """
        def scale(x, limit):
            if np.maximum.reduce(x) > limit:
                factor = limit / np.maximum.reduce(x)
                x = x * factor * factor + np.sum(factor)
            return x
        """
    types = [VECTOR, python_scalar(float)]
    expect(scale, types, code, ([np.full(3, 4.0), 2.0], [np.full(3, 1.5)]))


def test_elif():
    def f(x, y):
        def first():
            return x + y + np.sum(x) + np.sum(y) * np.max(x) + np.min(y), x

        def second():
            return x - y - np.sum(x) - np.sum(y) * np.max(x) - np.min(y), y

        def third():
            return y - x, ag.cond(np.sum(y) > 2, second, first)[0]

        a, b = ag.cond(
            np.sum(x) > 1,
            first,
            lambda: ag.cond(np.sum(x) > 0, second, third, names=['a', 'b']),
            names=['a', 'b'],
        )
        return a, b

    code = lower(traced(f, VECTOR, VECTOR)).code
    assert '    elif np.add.reduce(x) > 0:\n' in code


def test_and_or_not_are_written_as_such():
    def f(x, y):
        def test(x):
            return ag.and_(x < 10, lambda: ag.or_(ag.not_(y < 20), lambda: x < 5))

        return ag.while_loop(test, lambda x: x + 1, x, names=['x'])

    code = """
        def f(x, y):
            while x < 10 and (not y < 20 or x < 5):
                x = x + 1
            return x
        """
    expect(f, [INT, INT], code, ([0, 0], [5]), ([0, 50], [10]))


def test_and_between_types_keeps_the_type_of_the_result():
    def f(x, y):
        return ag.and_(x < 10, lambda: y > 0.5)

    code = """
        def f(x, y):
            lt = x < 10
            return y > 0.5 if lt else np.bool_(lt)
        """
    types = [INT, array_type(np.float64, ())]
    expect(f, types, code, ([3, np.float64(1)], [np.True_]), ([30, np.float64(1)], [np.False_]))


def test_state_that_is_assigned_at_once():
    def fib(n):
        def loop_body(i, a, b):
            a, b = b, a + b
            return a, b

        return ag.for_loop(ag.range(n), loop_body, 0, 1, names=['a', 'b'])[0]

    code = """
        def fib(n):
            a = 0
            b = 1
            for _ in range(n):
                a, b = b, a + b
            return a
        """
    expect(fib, [INT], code, ([100], [354224848179261915075]), ([0], [0]))


def test_a_scalar_that_a_loop_reads_is_made_once():
    def f(x):
        def loop_body(item, total):
            return total + np.float32(0.5) * item

        return ag.for_loop(x, loop_body, 0, names=['total'])

    code = """
        const_0 = np.float32(0.5)

        def f(x):
            total = np.float64(0.0)
            for item in x:
                total = total + np.multiply(const_0, item)
            return total
        """
    expect(f, [VECTOR], code, ([np.ones(3)], [np.float64(1.5)]))


def test_filling_an_array_in_a_loop():
    def fill(n, x):
        x = x.copy()

        def loop_body(i, x):
            x[i] = i * 2
            return x

        return ag.for_loop(ag.range(n), loop_body, x, names=['x'])

    code = """
        def fill(n, x):
            x = x.copy()
            for item in range(n):
                x[item] = item * 2
            return x
        """
    expect(fill, [INT, VECTOR], code, ([2, np.ones(3)], [np.array([0.0, 2.0, 1.0])]))


def first_negative(xs):
    def loop_body(item, found, did_break):
        i, x = item

        def if_true(found, did_break):
            return i, True

        names = ['found', 'did_break']
        return ag.cond(x < 0, if_true, ag.unchanged, found, did_break, names=names)

    found, _ = ag.for_loop(
        ag.enumerate(xs),
        loop_body,
        -1,
        False,
        test=lambda found, did_break: ag.not_(did_break),
        names=['found', 'did_break'],
    )
    return found


def test_a_flag_that_ends_a_loop_is_a_break():
    code = """
        def first_negative(xs):
            found = -1
            for item, item_1 in enumerate(memoryview(xs)):
                if item_1 < 0:
                    found = item
                    break
            return found
        """
    calls = ([np.array([1.0, -1.0, -2.0])], [1]), ([np.ones(3)], [-1])
    expect(first_negative, [VECTOR], code, *calls)


def test_a_flag_that_is_read_after_the_loop_stays():
    def f(n, limit):
        def loop_body(x, stopped):
            def if_false(x, stopped):
                return x * 2, stopped

            names = ['x', 'stopped']
            return ag.cond(x > limit, lambda x, s: (x, True), if_false, x, stopped, names=names)

        return ag.while_loop(
            lambda x, stopped: ag.and_(ag.not_(stopped), lambda: x < n),
            loop_body,
            1,
            False,
            names=['x', 'stopped'],
        )

    code = """
        def f(n, limit):
            x = 1
            stopped = False
            while x < n:
                if x > limit:
                    stopped = True
                    break
                x = x * 2
            return x, stopped
        """
    expect(f, [INT, INT], code, ([100, 10], [16, True]), ([10, 100], [16, False]))


def test_a_test_that_needs_statements():
    def f(x):
        def test(x):
            total = np.sum(x)
            return ag.and_(total * total > 1, lambda: total < 100)

        return ag.while_loop(test, lambda x: x / 2, x, names=['x'])

    code = """
        add_reduce = np.add.reduce
        _2 = np.array(2.0)

        def f(x):
            while True:
                total = add_reduce(x)
                if not (total * total > 1 and total < 100):
                    break
                x = x / _2
            return x
        """
    expect(f, [VECTOR], code, ([np.full(3, 8.0)], [np.full(3, 0.25)]))


def test_names_never_clash():
    def f(np_, int_):
        return np_ + int_, np_ * int_

    graph = traced(f, VECTOR, VECTOR)
    graph.params[0].name, graph.params[1].name = 'np', 'lambda'
    graph.name = 'class'
    program = lower(graph)
    assert program.code.startswith('def class_1(np_1, lambda_1):\n')
    results = run(program, [np.ones(3), np.ones(3)])
    np.testing.assert_array_equal(results[0], np.full(3, 2.0))


def test_outputs_that_are_parameters_or_the_same():
    program = lower(traced(lambda x, y: (y, y, x), INT, INT))
    assert run(program, [1, 2]) == (2, 2, 1)
    assert list(run(lower(traced(lambda x: (), INT)), [1])) == []


@pytest.mark.parametrize(
    'value',
    [
        *(0, -1, 2**70, True, 0.1, -0.0, 1e300, float('inf'), -float('inf'), 1j, -2j, 1 - 0j),
        *(np.float32(0.1), np.float64(0.1), np.float16(0.1), np.int8(-3), np.uint64(2**63)),
        *(np.True_, np.complex64(1 + 2j), np.float32(np.inf), np.longdouble(1) / 3),
        *(np.datetime64('2024-01-01'), np.str_('text')),
    ],
    ids=repr,
)
def test_constants_are_exact(value):
    from autograph_lite.graph.graph import Graph
    from autograph_lite.graph.tracing import CONSTANT

    graph = Graph('f')
    type_ = array_type(np.asarray(value).dtype, ())
    graph.outputs = [graph.add(CONSTANT, (), {'value': value, 'type': type_}).outputs[0]]
    (result,) = run(lower(graph), [])
    assert type(result) is type(value)
    assert repr(result) == repr(value)
    assert result == value


def test_lines_stay_readable():
    def f(x):
        for i in range(40):
            x = np.tanh(x) + np.sin(x) * (i + 0.25)
        return x

    program = lower(traced(f, VECTOR))
    assert max(map(len, program.code.splitlines())) <= 100
    (result,) = run(program, [np.ones(3)])
    np.testing.assert_array_equal(result, f(np.ones(3)))


def test_output_is_deterministic():
    assert len({lower(traced(first_negative, VECTOR)).code for _ in range(3)}) == 1


def test_conditions_ask_for_the_truth_without_saying_so():
    def f(k, x):
        if k and x > 0:
            return x
        return -x

    code = ag.function(f).get_concrete_function(np.int64(1), np.float64(1)).lowered_code
    assert 'k and x > 0' in code
    assert 'bool(' not in code
