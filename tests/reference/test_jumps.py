"""`break`, `continue` and `return` in loops, and in what is in loops."""
from __future__ import annotations

import contextlib

import numpy as np
import pytest
from reference.sweep import COUNTERS, ITERABLES, each, sweep

LISTS = [[], [1], [2], [1, 2], [2, 1, 4], [2, 4, 6, 3]]


def continue_in_for(xs):
    total = 0
    for x in xs:
        if x % 2 > 0:
            continue
        total += x
    return total


def break_in_for(xs):
    total = 0
    for x in xs:
        if x % 2 > 0:
            break
        total += x
    return total


def both_in_for(xs):
    total = 0
    for x in xs:
        if x == 1:
            continue
        if x == 4:
            break
        total = total * 10 + x
    return total


def return_in_for(xs):
    total = 0
    for x in xs:
        total += x
        return total
    return total


def return_on_each_way(xs):
    total = 0
    for x in xs:
        total += x
        if x % 2 > 0:
            return total
        else:
            return -total
    return total


def return_of_one(xs):
    for x in xs:
        if x > 2:
            return x
    return -1


def return_or_nothing(xs):
    for x in xs:
        if x > 2:
            return x


def return_of_another_structure(xs):
    for i, x in enumerate(xs):
        if x > 2:
            return i, x
    return None


def return_behind_a_break(xs):
    for x in xs:
        if x == 2:
            break
        if x == 4:
            return 100
    else:
        return 50
    return x


def jump_by_two_conditions(xs):
    seen = 0
    for x in xs:
        if x > 1:
            if seen > 0:
                break
            seen = x
            continue
        seen += 10
    return seen


def jump_after_a_change(xs):
    last = 0
    for x in xs:
        last = x
        if last == 2:
            last = -last
            break
        last += 1
    return last


def unreachable(xs):
    total = 0
    for x in xs:
        total += x
        continue
        total += 100
    return total


def always_breaks(xs):
    total = 0
    for x in xs:
        total += x
        break
    return total


def else_of_both(xs):
    total = 0
    for x in xs:
        if x > 2:
            break
        if x > 1:
            continue
        total += 1
    else:
        total = -total
    return total


def in_with(xs):
    total = 0
    for x in xs:
        with contextlib.nullcontext(10) as step:
            if x == 1:
                continue
            if x == 4:
                break
            total += step
        total += x
    return total


def in_try(xs):
    total = 0
    for x in xs:
        try:
            if x == 1:
                continue
            if x == 4:
                break
            total += x
        finally:
            total += 100
    return total


def return_in_try(xs):
    total = 0
    for x in xs:
        try:
            total += x
            if x == 2:
                return total
        finally:
            total += 100
    return -total


def a_condition_after(xs):
    total = 3
    for i, x in enumerate(xs):
        if i == 2:
            break
        if total > 1:
            total = total - x
    return total


@pytest.mark.parametrize(
    'f',
    [
        continue_in_for, break_in_for, both_in_for, return_in_for, return_on_each_way,
        return_of_one, return_or_nothing, return_of_another_structure, return_behind_a_break,
        jump_by_two_conditions, jump_after_a_change, unreachable, always_breaks, else_of_both,
        in_with, in_try, return_in_try, a_condition_after,
    ],
)  # fmt: skip
def test_for(f):
    sweep(f, each(ITERABLES, LISTS), joins=True)


def continue_in_while(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2 > 0:
            continue
        total += n
    return total


def break_in_while(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2 > 0:
            break
        total += n
    return total


def return_in_while(n):
    total = 0
    while n > 0:
        n -= 1
        total += n
        return total
    return total


def return_on_each_way_of_while(n):
    total = 0
    while n > 0:
        n -= 1
        total += n
        if n % 2 > 0:
            return total
        else:
            return -total
    return total


def two_breaks(n):
    total = 1
    i = 0
    while i < n:
        i += 1
        if i > 10 * n:
            break
        if i == n:
            break
        total = total * 10 + i
    return i, total


def break_before_a_condition(n):
    while n > 0:
        if n == 2:
            break
        if n > 0:
            n -= 1
    return n


def while_true(n):
    turns = 0
    while True:
        if n <= 1:
            break
        n = n - 2
        turns += 1
        if turns > 5:
            return -1
    return turns


def while_true_returns(n):
    while True:
        n = n + 3
        if n > 7:
            return n
        if n == 5:
            continue
        n = n - 1


def while_with_else(n):
    while n < 4:
        n = n + 1
        if n == 2:
            break
    else:
        return -n
    return n


def continue_in_with(n):
    total = 0
    while n > 0:
        with contextlib.nullcontext():
            n = n - 1
            if n < 2:
                continue
            total = total + 1
    return total


def continue_in_try(n):
    total = 0
    while n > 0:
        n = n - 1
        try:
            if n < 2:
                continue
            total = total + 1
        finally:
            total = total + 10
    return total


def break_in_try(n):
    total = 0
    while n > 0:
        n = n - 1
        try:
            if n < 2:
                break
            total = total + 1
        finally:
            total = total + 10
    return total


@pytest.mark.parametrize(
    'f',
    [
        continue_in_while, break_in_while, return_in_while, return_on_each_way_of_while,
        two_breaks, break_before_a_condition, while_true, while_true_returns, while_with_else,
        continue_in_with, continue_in_try, break_in_try,
    ],
)  # fmt: skip
def test_while(f):
    sweep(f, each((*COUNTERS, np.float64), [0, 1, 2, 3, 4]), joins=True)


# In an inner loop they are the inner loop's.


def continue_in_inner(m):
    total = 0
    for row in m:
        for x in row:
            if x % 2 > 0:
                continue
            total += x
        total = total * 2
    return total


def break_in_inner(m):
    total = 0
    for row in m:
        for x in row:
            if x % 2 > 0:
                break
            total += x
        total = total * 2
    return total


def break_and_continue_in_inner(m):
    total = 0
    for row in m:
        for x in row:
            if x % 2 > 0:
                break
            else:
                continue
            total += x
        total += 1
    return total


def break_in_both(m):
    total = 0
    for row in m:
        for x in row:
            if x == 2:
                break
            total += x
        if total > 3:
            break
        total += 100
    return total


def break_out_of_both(m):
    found = -1
    for i, row in enumerate(m):
        for x in row:
            if x == 4:
                found = i
                break
        else:
            continue
        break
    return found


def return_out_of_both(m):
    for i, row in enumerate(m):
        for j, x in enumerate(row):
            if x == 4:
                return i, j
    return -1, -1


def continue_the_outer(m):
    total = 0
    for row in m:
        for x in row:
            if x == 2:
                break
        else:
            total += 1
            continue
        total += 10
    return total


MATRICES = [[], [[], []], [[1], [2]], [[1, 2], [3, 4]], [[2, 4, 3], [4, 4, 4]]]


@pytest.mark.parametrize(
    'f',
    [
        continue_in_inner, break_in_inner, break_and_continue_in_inner, break_in_both,
        break_out_of_both, return_out_of_both, continue_the_outer,
    ],
)  # fmt: skip
def test_nested_for(f):
    def rows(m):
        return [np.array(row, np.int64) for row in m]

    arrays = [np.array(m, np.int64) for m in MATRICES[1:]]
    sweep(f, [*MATRICES, *map(rows, MATRICES), *arrays], joins=True)


def continue_in_inner_while(x, y):
    total = 0
    while x > 0:
        x -= 1
        while y > 0:
            y -= 1
            if (x + y) % 2 > 0:
                continue
            total += x + y
    return total


def break_in_inner_while(x, y):
    total = 0
    while x > 0:
        x -= 1
        t = y
        while t > 0:
            t -= 1
            if (x + t) % 2 == 0:
                break
            total += x + t
    return total, x


def break_or_continue_in_inner_while(x, y):
    total = 0
    while x > 0:
        x -= 1
        while y > 0:
            y -= 1
            if (x + y) % 2 > 0:
                break
            else:
                continue
            total += x + y
        total += 1
    return total, y


def return_in_inner_while(x, y):
    total = 0
    while x > 0:
        x -= 1
        t = y
        while t > 0:
            t -= 1
            total += 1
            if x + t == 3:
                return total, x, t
    return total, x, y


@pytest.mark.parametrize(
    'f',
    [
        continue_in_inner_while, break_in_inner_while, break_or_continue_in_inner_while,
        return_in_inner_while,
    ],
)  # fmt: skip
@pytest.mark.parametrize('form', [int, np.int64])
@pytest.mark.parametrize('other', [int, np.int64])
def test_nested_while(f, form, other):
    sweep(f, each([form], range(5)), each([other], range(4)), joins=True)


# A jump that only the running graph knows of, in a loop over Python values.


def break_of_a_python_loop(limit):
    total = 0
    for step in (1, 5, 2):
        if total > limit:
            break
        total += step
    return total


def return_from_a_python_loop(limit):
    total = 0
    for step in (1, 5, 2):
        total += step
        if total > limit:
            return total, step
    return total, 0


def continue_in_a_python_loop(limit):
    total = 0
    for name, step in {'a': 1, 'b': 5}.items():
        if step > limit:
            continue
        total += step if name == 'a' else 10 * step
    return total


def break_of_a_python_while(limit):
    i = 0
    while i < 3:
        i += 1
        if i > limit:
            break
    return i


def return_from_a_python_while(limit):
    i = 0
    while i < 3:
        i += 1
        if i > limit:
            return i * 10
    return i


@pytest.mark.parametrize(
    'f',
    [
        break_of_a_python_loop, return_from_a_python_loop, continue_in_a_python_loop,
        break_of_a_python_while, return_from_a_python_while,
    ],
)  # fmt: skip
def test_jumps_of_tensors_in_python_loops(f):
    sweep(f, each((int, np.int64, np.float64, np.array), [0, 1, 2, 9]), joins=True)
