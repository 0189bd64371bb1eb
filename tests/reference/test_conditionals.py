"""Conditionals over Python values and tensors alike."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
from reference.sweep import FLOATS, NUMBERS, TRUTHS, each, sweep

import autograph_lite as ag


def one_variable(n):
    level = 3
    if level < n:
        level += n
    return level


def one_variable_both_ways(n):
    level = 3
    if level < n:
        level += 10
    else:
        level = level * n
    return level


def two_variables(n):
    low = 2
    high = 5
    if low <= n:
        low -= 1
        high *= 4
    return low, high


def two_variables_both_ways(n):
    low = 2
    high = 5
    if n > low:
        low -= 1
        high *= 4
    else:
        high += 2
        low *= 3
    return low, high


def swapped(n):
    first, second = 1, n
    if n > 1:
        first, second = second, first
    return first, second


def created_on_both(c):
    if c:
        made = 4
    else:
        made = -4
    return made


def created_deep(c):
    if c:
        if not c:
            made = 1
        else:
            made = 2
    elif c:
        made = 3
    else:
        made = 4
    return made


def local_to_one(c):
    total = 5
    if c:
        part = 7
        total = part - 1
    return total


def local_to_each(c):
    total = 5
    if c:
        part = 7
    else:
        part = 8
        total = part + 1
    return total


def changed_for_the_branch_only(c):
    total = 5
    part = 2
    if c:
        part = part * 3
        total = part + 1
    return total


def nothing(c):
    if c:
        pass
    return 3


def nothing_both_ways(c):
    if c:
        pass
    else:
        pass
    return 3


def not_on_it(c):
    kind = 1
    if not c:
        kind = 2
    return kind


def deleted_and_set_again(c):
    y = 1
    if c:
        del y
        y = 3
    return y


def deleted_after_use(c):
    y = 1
    x = 0
    if c:
        x = y
        del y
    else:
        x = -y
        del y
    return x


@pytest.mark.parametrize(
    'f',
    [one_variable, one_variable_both_ways, two_variables, two_variables_both_ways, swapped],
)
def test_numbers(f):
    sweep(f, each(NUMBERS, [0, 2, 4]) + each(FLOATS, [0.5, 2.0, 4.5]), joins=True)


@pytest.mark.parametrize(
    'f',
    [
        created_on_both, created_deep, local_to_one, local_to_each, changed_for_the_branch_only,
        nothing, nothing_both_ways, not_on_it, deleted_and_set_again, deleted_after_use,
    ],
)  # fmt: skip
def test_truths(f):
    sweep(f, each(TRUTHS, [True, False]))


# A variable without a value on one way.


def created_on_the_first(c):
    if c:
        made = 4
    return made


def created_on_the_second(c):
    if c:
        pass
    else:
        made = 4
    return made


def created_in_the_middle(c, d):
    if c:
        made = 1
    elif d:
        made = 2
    return made


def deleted_on_the_first(c):
    made = 1
    if c:
        del made
    return made


def deleted_on_the_second(c):
    made = 1
    if c:
        pass
    else:
        del made
    return made


def deleted_on_both(c):
    made = 1
    if c:
        del made
    else:
        del made
    return made


def created_and_read_under_the_same_condition(c):
    if c:
        made = 4
    other = 1
    if c:
        other = made
    return other


@pytest.mark.parametrize(
    'f', [created_on_the_first, created_on_the_second, deleted_on_the_first, deleted_on_the_second]
)
def test_of_python_values_an_unbound_variable_is_an_error_where_it_is_unbound(f):
    sweep(f, [True, False, 0, 3])


@pytest.mark.parametrize(
    'f',
    [
        created_on_the_first, created_on_the_second, deleted_on_the_first, deleted_on_the_second,
        deleted_on_both,
    ],
)  # fmt: skip
@pytest.mark.parametrize('c', [np.bool_(True), np.bool_(False), np.array(1)])
def test_of_tensors_an_unbound_variable_is_an_error_where_it_is_read(f, c):
    with pytest.raises(UnboundLocalError, match="'made'") as raised:
        ag.function(f)(c)
    assert 'return made' in str(raised.value)
    assert 'Give' in str(raised.value)


def left_unread(c):
    if c:
        made = 4
        made += 1
    return 2


def test_a_variable_of_one_way_may_be_left_unread():
    sweep(left_unread, each(TRUTHS, [True, False]))


def test_a_variable_of_several_ways_names_the_one_that_is_missing():
    sweep(created_in_the_middle, [True, False], [True, False])
    with pytest.raises(UnboundLocalError, match="'made'"):
        ag.function(created_in_the_middle)(np.bool_(True), np.bool_(True))


# None on one way.


def none_on_the_first(c):
    i = 0
    j = 1
    if c:
        i = None
        j = 2
    return i, j


def none_on_the_second(c):
    i = 1
    j = 1
    if c:
        pass
    else:
        i = None
        j = 2
    return i, j


def none_on_both(c):
    if c:
        i = None
        j = 1
    else:
        i = None
        j = 2
    return i, j


def none_replaced(c):
    i = None
    if c:
        i = 5
    if i is None:
        i = 7
    return i


def none_returned_by_falling_off(c):
    if c:
        return 3


def none_returned(c):
    if c:
        return
    return 4


@pytest.mark.parametrize(
    'f',
    [
        none_on_the_first, none_on_the_second, none_on_both, none_replaced,
        none_returned_by_falling_off, none_returned,
    ],
)  # fmt: skip
def test_none(f):
    sweep(f, each(TRUTHS, [True, False]))


# One after another and inside one another.


def successive(a, b):
    s = 1
    i = 0
    if i < a:
        s = s * 10 + i
        i += 1
    i = 0
    if i < b:
        s = s * 10 + i
        i += 2
    return s, i


def successive_both_ways(a, b):
    s = 1
    i = 0
    if i < a:
        s = s * 10 + i
        i += 1
    else:
        s = s * 11 + i
        i += 2
    if i < b:
        s = s * 12 + i
        i += 1
    else:
        s = s * 13 + i
        i += 2
    return s, i


def nested(a, b):
    i = 0
    found = 1
    if i < a:
        j = 0
        s = 3
        if j < b:
            s = s * 10 + i * j
            j += 1
        found = found * 1000 + s
        i += 1
    return found, i


def nested_both_ways(a, b):
    i = 0
    found = 1
    if i < a:
        s = 2
        if i < b:
            s = s * 10 + i
        else:
            s = s * 11 + i
        found = found * 1000 + s
    else:
        s = 3
        if i < b:
            s = s * 12 + b
        else:
            s = s * 13 + b
        found = found * 2000 + s
    return found


def nested_and_dependent(a, b):
    y = 0
    if a > 0:
        y = -2 * b
        if y > 0:
            a = -3 * a
    else:
        y = 4 * a
        if b > y:
            b = y
    return a, b, y


def nested_early_returns(a, b):
    if a:
        if b:
            return 1
    return 2


def three_deep(a, b):
    if a > 0:
        if b > 0:
            if a > b:
                return a - b
            b = b - a
        else:
            b = -b
        a = a + b
    return a * 2 + b


def chain(a, b):
    if a > b:
        kind = 1
    elif a == b:
        kind = 2
    elif a == b - 1:
        kind = 3
    else:
        kind = 4
    return kind


@pytest.mark.parametrize(
    'f',
    [
        successive, successive_both_ways, nested, nested_both_ways, nested_and_dependent,
        nested_early_returns, three_deep, chain,
    ],
)  # fmt: skip
def test_two_conditions(f):
    for one, other in itertools.product((int, np.int64, np.array), repeat=2):
        sweep(f, each([one], [-1, 0, 1]), each([other], [-1, 0, 1]), joins=True)


# Conditions that are no truth values, and expressions.


def expressions_in_branches(x):
    if x > 0:
        x = -x if x < 5 else x
        y = 2 * x if x < 5 else x
    else:
        x = -2 * x if x < -3 else 1
        y = -x if x < 5 else x
    z = -y if y < 5 else y
    return x, y, z


def nested_expressions(x):
    return 1 if x > 4 else (2 if x > 2 else 3 if x > 0 else -x)


def expression_as_a_condition(x):
    if (x > 2 if x > 0 else x < -2):
        return 1
    return 0


def expression_of_tuples(x):
    a, b = (x, 1) if x > 0 else (2, x)
    return a * 10 + b


def expression_in_a_call(x):
    return max(x if x > 0 else -x, 3)


def expression_of_none(x):
    y = None if x > 0 else x
    return 7 if y is None else y


@pytest.mark.parametrize(
    'f',
    [
        expressions_in_branches, nested_expressions, expression_as_a_condition,
        expression_of_tuples, expression_in_a_call, expression_of_none,
    ],
)  # fmt: skip
def test_expressions(f):
    sweep(f, each((*NUMBERS, *FLOATS), [-5, -1, 1, 3, 5]), joins=True)


def truth(c):
    return 1 if c else 2


def test_what_is_true():
    sweep(truth, [0, 1, 0.0, -0.5, '', 'x', None, (), (0,), [], [0], {}, {'a': 0}, 1j])
    sweep(truth, each((np.float64, np.float32, np.uint8, np.complex128, np.array), [0, 1, 3]))


@pytest.mark.parametrize('c', [np.array([1]), np.array([[0.0]])])
def test_an_array_of_one_element(c):
    sweep(truth, [c])


@pytest.mark.parametrize('c', [np.array([1, 2]), np.zeros((2, 0)), np.array([])])
def test_an_array_of_any_other_size_is_refused(c):
    with pytest.raises((ValueError, TypeError)) as raised:
        ag.function(truth)(c)
    assert 'return 1 if c else 2' in str(raised.value)
