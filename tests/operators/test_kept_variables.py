"""What functions that a `try` block calls have made of variables around them when they raise."""
import numpy as np
import pytest
from differential import check

CALLS = [(np.int64(9),), (np.int64(4),), (np.int64(3),)]


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


@pytest.mark.parametrize('f', [
    given_the_result, given_what_it_changes, in_a_test, added_to_a_number_and_to_a_list, two_calls,
    from_two_functions_further_in,
])  # fmt: skip
def test_what_a_nested_function_has_changed(f):
    check(f, *CALLS)
