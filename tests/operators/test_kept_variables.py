"""What functions that a `try` block calls have made of variables around them when they raise."""
import enum

import numpy as np
import pytest
from differential import check
from outside import left_alike

CALLS = [(np.int64(9),), (np.int64(4),), (np.int64(3),)]
passes = 0


def given_the_result(x):
    n = 0

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            n += 10
            raise ValueError
        return v

    try:
        r = step(x)
    except ValueError:
        r = x + n
    return r, n


def given_what_it_changes(x):
    n = x * 0

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v

    try:
        n = step(x)
    except ValueError:
        n += 100
    return n


def in_a_test(x):
    n, r = 0, 0

    def is_small(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v < 4

    try:
        if is_small(x):
            r = 5
    except ValueError:
        n += 10
    return r, n


def added_to_a_number_and_to_a_list(x):
    n, r, rows = 0, x, []

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v

    try:
        r += step(x)
    except ValueError:
        n += 10
    try:
        rows.append(step(x))
    except ValueError:
        rows.append(x)
    return r, n, rows


def two_calls(x):
    last, r = x * 0, x

    def step(v):
        nonlocal last
        last = v
        if v > 5:
            raise ValueError
        return v

    try:
        a, b = step(x), step(x + 2)
        r = a * b
    except ValueError:
        r = r - last
    return r, last


def from_two_functions_further_in(x):
    n = 0

    def outer(v):
        def step(w):
            nonlocal n
            n += 1
            if w > 5:
                raise ValueError
            n += 2
            return w

        return step(v) + 1

    try:
        r = outer(x)
    except ValueError:
        r = x * n
    return r, n


def by_a_method(x):
    n = 0

    class Steps:
        def step(self, v):
            nonlocal n
            n += 1
            if v > 5:
                raise ValueError
            return v

    steps = Steps()
    try:
        r = steps.step(x)
    except ValueError:
        r = x * n
    return r, n


def by_a_property(x):
    n = 0

    class Steps:
        @property
        def last(self):
            nonlocal n
            n += 1
            if x > 5:
                raise ValueError
            return x

    steps = Steps()
    try:
        r = steps.last
    except ValueError:
        r = x * n
    return r, n


def by_what_is_in_a_dict(x):
    n = 0

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v

    steps = {'first': step}
    try:
        r = steps['first'](x)
    except ValueError:
        r = x * n
    return r, n


def counted():
    n = 0

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v

    def count():
        return n

    return step, count


def by_what_another_function_has_made(x):
    step, count = counted()
    try:
        r = step(x)
    except ValueError:
        r = x * count()
    return r, count()


def by_a_helper_that_handles_it(x):
    n = 0

    def step(v):
        nonlocal n
        n += 1
        if v > 5:
            raise ValueError
        return v

    def safe(v):
        try:
            return step(v)
        except ValueError:
            return v * n

    return safe(x) + safe(x - 4), n


def set_only_and_by_the_handler_too(x):
    n = x * 0

    class Steps:
        def step(self, v):
            nonlocal n
            n = v
            if v > 5:
                raise ValueError
            return v

    steps = Steps()
    try:
        r = steps.step(x) if x > 3 else x
    except ValueError:
        r = x
        n = n + 1
    return r, n


def set_only_in_a_loop(x):
    m = x

    def step(v):
        nonlocal m
        m = v * 2
        if v > 5:
            raise ValueError
        return v

    steps, r = {'first': step}, x
    for _ in range(2):
        try:
            r = steps['first'](x)
        except ValueError:
            m = m + 5
    return r, m


def only_where_it_raises(x):
    m = x

    class Steps:
        def step(self, v):
            nonlocal m
            if v > 3:
                m = v + 1
                raise ValueError
            return v

    steps, r = Steps(), x
    try:
        r = steps.step(x)
    except ValueError:
        r = r + 1
    return r, m


def named_in_an_expression(x):
    def step(v):
        if v > 5:
            raise ValueError
        return v

    n, r = 0, x
    try:
        r = step((n := n + 1) + x)
    except ValueError:
        pass
    return r, n


@pytest.mark.parametrize('f', [
    given_the_result, given_what_it_changes, in_a_test, added_to_a_number_and_to_a_list, two_calls,
    from_two_functions_further_in, by_a_method, by_a_property, by_what_is_in_a_dict,
    by_what_another_function_has_made, by_a_helper_that_handles_it,
    set_only_and_by_the_handler_too, set_only_in_a_loop, only_where_it_raises,
    named_in_an_expression,
])  # fmt: skip
def test_what_a_function_changed_before_it_raised(f):
    check(f, *CALLS)


def halved(x):
    global passes
    try:
        if x < 4:
            return x
        return x / 2
    finally:
        passes += 1


def first_large(xs):
    global passes
    for x in xs:
        passes += 1
        try:
            if x < 1:
                continue
            if x > 5:
                return x
            passes += 10
        finally:
            passes -= 3
    return -x


@pytest.mark.parametrize(('f', 'values'), [
    (halved, [np.float64(3), np.float64(9)]),
    (first_large, [np.array([1, 0, 2]), np.array([1, 0, 8]), np.array([0, 6, 2])]),
])  # fmt: skip
def test_a_global_that_a_finally_changes_after_an_early_end_in_a_branch(f, values):
    left_alike(f, *((x,) for x in values), names=['passes'], seen=[])


class Mode(enum.Enum):
    A = 1
    B = 2
    C = 3


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def member_of_a_branch(n):
    mode = Mode.A
    try:
        if n > 3:
            mode = Mode.B
        if n > 8:
            raise ValueError
        mode = Mode.C
    except ValueError:
        n = -n
    return mode is Mode.B, mode, n


def member_and_number(n):
    state = (Level.LOW, 0.5)
    try:
        state = (Level.HIGH, 1.5)
        if n > 8:
            raise ValueError
        state = (Level.LOW, 2.5)
        if n > 3:
            raise KeyError
    except (ValueError, KeyError):
        n = n + state[0]
    return state, n


@pytest.mark.parametrize('f', [member_of_a_branch, member_and_number])
def test_handlers_find_the_member_of_an_enum(f):
    check(f, *CALLS)
