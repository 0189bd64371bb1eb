"""An array that a branch chooses or makes: what is written to it is in the array that it is."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, -2, 3])
M = np.array([[1.0, 2, -3], [-1, 5, 4], [2, 0.5, -6]])
NAMED = {'w': np.ones(3)}


def argument_or_new(x):
    y = x
    if x[0] > 0:
        x = x * 2
    x[0] = 7
    x[1] += 3
    return x, y


def one_of_two(x):
    u = x * 3
    v = x if x[0] > 0 else u
    v[1] = 5
    x[2] = 9
    return x, u, v + 1


def in_a_loop(x):
    u = x * 3
    v = x if x[0] > 0 else u
    for i in range(3):
        if v[i] < 0:
            v[i] = 5
    return x, u, v


def one_after_another(x):
    u = x * 3
    v = x if x[0] > 0 else u
    w = v if x[1] > 0 else u
    w[0] = 100
    part = v[1:]
    part += 1
    return x, u


def swapped(x):
    a, b = x * 1, x * 2
    if x[0] > 0:
        a, b = b, a
    a[0] = 1
    b[1] = 2
    return a, b


def new_or_written(x):
    y = x
    if x[0] > 0:
        x[2] = 8
        x = x * 2
    elif x[2] > 0:
        x = x.copy()
    else:
        x.fill(1)
    return x, y


def in_each_turn(x):
    for i in range(3):
        y = x if x[0] > i else x * 2
        y[0] += i
    return x


def called_by_python(x):
    for limit in (0, 2):
        y = x if x[0] > limit else x + 1
        y[0] += limit
    return x


@pytest.mark.parametrize('f', [
    argument_or_new, one_of_two, in_a_loop, one_after_another, swapped, new_or_written,
    in_each_turn, called_by_python,
])  # fmt: skip
def test_arrays(f):
    check(f, (X,), (-X,))


def written_in_a_branch(x):
    u = x * 3
    v = x if x[0] > 0 else u
    if x[1] < 5:
        u[0] = 77
        v[1] += 5
    return x, u, v


def rebound_in_a_branch(x):
    u = x * 3
    v = x if x[0] > 0 else u
    if x[1] < 5:
        u = u + 1
        v[1] = 5
    return x, u, v


def written_in_either_branch(x):
    u = x * 3
    v = x if x[0] > 0 else u
    if x[1] < 0:
        u[0] = 77
    else:
        v[1] = 5
    return x, v


def under_two_names(x):
    u = x * 3
    v = x if x[0] > 0 else u
    w = v
    if x[1] < 5:
        w[0] = 77
        v += 1
    return x, u, v, w


def chosen_of_a_chosen_one(x):
    u = x * 3
    v = x * 2 if x[0] > 5 else u
    w = x if x[0] > 0 else v
    if x[1] < 5:
        w[0] = 77
    u += 5
    return w


def in_turns(x):
    u = x * 3
    v = x if x[0] > 0 else u
    n = x[2]
    while n < 9:
        n += 3
        u[0] = n
        v[1] += n
    return x, u, v


def by_a_helper(x):
    items = [x * 3, x]
    v = items[0] if x[0] > 0 else items[1]

    def write():
        items[0][0] = 77
        np.add(v, 1, out=v)

    if x[1] < 5:
        write()
    return v, items


def in_a_choice_in_turns(x):
    u = x * 3
    for i in range(len(x) - 2):
        v = u if x[i] > 0 else x
        if x[i] > -3:
            u[2] = i
            v[0] += x[i]
    return x, u


def halves(x):
    v = x[:2] if x[0] > 0 else x[1:]
    if x[1] < 5:
        x[0] = 77
        v[1] = 5
    return v + 0, x


@pytest.mark.parametrize('f', [
    written_in_a_branch, rebound_in_a_branch, written_in_either_branch, under_two_names,
    chosen_of_a_chosen_one, in_turns, by_a_helper, in_a_choice_in_turns, halves,
])
def test_beside_what_it_is_chosen_from(f):
    check(f, (X,), (-X,), (X + 9,), (-X - 9,))


def one_of_two_rows(m):
    v = m[0] if m[0, 0] > 0 else m[1]
    v[0] = 5
    v += 1
    return m, v


def swapped_rows(m):
    small, large = m[0], m[1]
    if small[0] > large[0]:
        small, large = large, small
    small[0] = -100
    large[0] = 100
    return m


@pytest.mark.parametrize('f', [one_of_two_rows, swapped_rows])
def test_rows(f):
    check(f, (M,), (-M,))


def test_a_captured_array():
    def f(x):
        w = NAMED['w']
        if x[0] > 0:
            w = w * 2
        w[0] = 7
        return w.sum()

    before = NAMED['w']
    try:
        for sign in (1, -1):
            NAMED['w'] = expected = np.ones(3)
            wanted = f(sign * X)
            NAMED['w'] = got = np.ones(3)
            assert ag.function(f)(sign * X) == wanted
            assert np.array_equal(got, expected)
    finally:
        NAMED['w'] = before


def test_what_only_the_running_graph_knows():
    def f(x, n):
        for _ in range(n):
            x = x * 2
        x[0] = 5
        return x

    def in_place(x, n):
        for _ in range(n):
            x[...] = x * 2
        x[0] = 5
        return x

    with pytest.raises(ag.errors.OwnershipError, match=r'`x\[...\] = x \* 2` for `x = x \* 2`'):
        ag.function(f)(X, np.int64(2))
    check(in_place, (X, np.int64(2)), (X, np.int64(0)))


def test_a_captured_array_that_is_set_by_a_branch_has_its_name_in_the_message():
    def f(x):
        for each in x:
            if each > 0:
                NAMED['w'] = NAMED['w'] * 2
            NAMED['w'][0] = 7
        return NAMED['w'].sum()

    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(X)
    assert """`NAMED['w'] = NAMED['w'].copy()` first""" in str(caught.value)


def test_what_may_be_another_on_the_way_where_it_is_not_new():
    def f(x):
        y = x * 1
        if x[0] > 0:
            y = x
        else:
            y = x if x[1] > 0 else y + 1
        y[0] = 7
        return x

    with pytest.raises(ag.errors.OwnershipError):
        ag.function(f)(X)


def written_and_replaced_in_turns(x, c):
    if x[0] > 0:
        for v in c:
            x[1] += v
            x = c + 1
    x[2] = 9
    return x


def replaced_in_turns_and_written(x, c):
    if x[0] > 0:
        while x[0] < 5:
            x = c + 7
        x[1] += 2
        x = c + 1
    x[2] = 9
    return x


def replaced_by_a_branch_in_branches(x, c):
    if x[0] > 0:
        if x[0] > 0.5:
            if x[2] > 0:
                x[0] = 3
                x = c + 1
        x[1] = 1
    x[2] += 9
    return x


@pytest.mark.parametrize('f', [
    written_and_replaced_in_turns, replaced_in_turns_and_written, replaced_by_a_branch_in_branches,
])
def test_an_argument_that_a_block_in_a_branch_may_have_replaced(f):
    """What a branch makes is new to the code after it, unless it may be what the branch was given:
    the caller's array had nothing of what was written to it."""

    def of_a_copy(x, c):
        x = x.copy()
        return f(x, c)

    calls = [(sign * X, np.arange(3.0)) for sign in (1, -1)]
    for call in calls:
        with pytest.raises(ag.errors.OwnershipError, match=r"`x = x\.copy\(\)` at the beginning"):
            ag.function(f)(*call)
    check(of_a_copy, *calls)


def test_an_array_of_the_state_that_a_branch_in_a_turn_may_have_replaced():
    def f(x, c):
        other = c + 1
        for v in c:
            other[0] += 1
            if v > 1:
                x[1] += v
                x = c + 2
            other = x
        return other

    with pytest.raises(ag.errors.OwnershipError, match="After a turn, other may be argument 'x'"):
        ag.function(f)(X, np.arange(3.0))


def made_by_each_turn(x, c):
    y = x
    for v in c:
        x = x * v
    x[0] = 9
    return x, y


def made_by_each_of_many_turns(x, c):
    for i in range(2000):
        x = np.roll(x, 1) + c
    x /= x.sum()
    return x


def made_in_a_branch(x, c):
    if x[0] > 0:
        for i, v in enumerate(c):
            x = x * v + i
        x[1] += 2
    x[2] = 9
    return x


def of_no_turns(x, c):
    for v in c[3:]:
        x = x * v
    x[0] = 9
    return x


@pytest.mark.parametrize('f', [
    made_by_each_turn, made_by_each_of_many_turns, made_in_a_branch, of_no_turns,
])
def test_what_turns_make_that_there_surely_are(f):
    check(f, (X, np.arange(3.0)), (-X, np.arange(3.0)))
