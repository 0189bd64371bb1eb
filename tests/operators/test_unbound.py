"""Variables that a staged block may leave without a value."""
# ruff: noqa: F821, F841 - that is what they are about
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, 3.0], [2.0, 1.0, 0.0], [0.5, 0.0, 2.0])]


# A turn sets what later turns read: its type is found all the same.


def by_position(xs):
    for i, x in enumerate(xs):
        if i == 0:
            made = x
        else:
            made = made * 2 + x
    return made


def by_a_flag(xs):
    first = True
    for x in xs:
        if first:
            made = x, 1
            first = False
        else:
            made = made[0] + x, made[1] * 2
    return made


def in_an_inner_loop(xs):
    first = True
    for x in xs:
        for y in xs:
            if first:
                made = x
                first = False
            else:
                made = made + y
    return made


def in_an_expression(xs):
    for i, x in enumerate(xs):
        before = now if i > 0 else x
        now = x * 2
    return before, now


def in_a_while_loop(xs):
    i = 0
    while i < len(xs):
        if i > 0:
            made = made + xs[i]
        else:
            made = xs[i]
        i += 1
    return made


def a_dict(xs):
    for i, x in enumerate(xs):
        if i > 0:
            made['a'] = made['a'] + x
        else:
            made = {'a': x, 'b': 0}
    return made


@pytest.mark.parametrize(
    'f', [by_position, by_a_flag, in_an_inner_loop, in_an_expression, in_a_while_loop, a_dict]
)
def test_set_by_the_first_turn(f):
    check(f, *VECTORS)


def test_read_before_the_turn_that_sets_it():
    def f(xs):
        for x in xs:
            if x > 1:
                made = x
            else:
                made = made * 2
        return made

    check(f, *VECTORS)  # two of the three raise, when the graph runs


def test_never_set():
    def f(xs):
        for x in xs:
            if x > 0:
                made = made + 1
        return xs

    with pytest.raises(UnboundLocalError, match="'made' is read here, but it has no value yet"):
        ag.function(f)(np.ones(2))


def test_a_list_of_the_first_turn():
    def f(xs):
        for i, x in enumerate(xs):
            if i > 0:
                out.append(x)
            else:
                out = [x]
        return out

    check(f, (np.ones(2),), (np.array([3.0, 4.0]),))
    with pytest.raises(UnboundLocalError, match="'out'"):
        ag.function(f)(np.ones(0))


# What is changed in place stays in the variable.


def appended(xs):
    for x in xs:
        out = [x]
    out.append(5.0)
    return out


def an_item_is_set(xs):
    for x in xs:
        out = {'a': x}
    out['b'] = 5.0
    return out


def an_element_is_set(xs):
    for x in xs:
        out = np.zeros(2)
        out[0] = x
    out[1] = 5
    return out


def popped(xs):
    for x in xs:
        out = [x, 1.0]
    last = out.pop()
    return out, last


@pytest.mark.parametrize('f', [appended, an_item_is_set, an_element_is_set, popped])
def test_changed_after_the_loop(f):
    check(f, *VECTORS)


def test_a_loop_without_turns_says_where_and_what_to_write():
    def last(xs):
        for x in xs:
            found = x
        return found

    with pytest.raises(UnboundLocalError) as raised:
        ag.function(last, input_signature=[ag.TensorSpec([None])])(np.zeros(0))
    line = last.__code__.co_firstlineno + 3
    assert f'line {line}, in last\n    return found\n' in str(raised.value)
    assert str(raised.value).endswith(
        "Give 'found' a value before the loop or the branches that may leave it without one.")


def test_what_a_loop_raises_comes_before_what_it_leaves_unbound():
    def f(xs):
        for x in xs:
            found = x * undefined
        return found

    check(f, (np.zeros(3),), (np.zeros(0),), traces=2)
    with pytest.raises(NameError, match="name 'undefined' is not defined"):
        ag.function(f)(np.zeros(3))


def bound_under_the_same_condition(a):
    if a > 0:
        y = a * 2
    z = a
    if a > 0:
        z = z + y
    return z


def bound_in_the_first_turn(xs):
    for i, x in enumerate(xs):
        if i == 0:
            before = x
        if i > 0:
            xs = xs + (x - before)
        before = x
    return xs


def bound_where_a_flag_says_so(a):
    is_large = a > 10
    if is_large:
        limit = a - 10
    while a > 1:
        if is_large:
            a = a - limit
        a = a / 2
    return a


def bound_under_another_condition(a):
    if a > 0:
        y = a * 2
    if a > -1:
        return y
    return a


def test_a_name_may_have_a_value_where_the_same_is_asked_again():
    for f in (bound_under_the_same_condition, bound_where_a_flag_says_so):
        check(f, (np.float64(3),), (np.float64(-3),), (np.float64(30),))
    check(bound_in_the_first_turn, (np.array([1.0, 4.0, 2.0]),))
    check(bound_under_another_condition, (np.float64(3),), (np.float64(-3),), (np.float64(-0.5),))


# An empty list that an attribute perhaps holds, and that has another name.


class Holder:
    """An object that may get an attribute."""


def appended_to(xs):
    holder, row = Holder(), []
    if xs[0] > 1:
        holder.row = row
    if hasattr(holder, 'row'):
        holder.row.append(5.0)
    return row


def extended(xs):
    holder, row = Holder(), []
    if xs[0] > 1:
        holder.row = row
    if hasattr(holder, 'row'):
        holder.row += [5.0]
    return row


def filled_in_a_loop(xs):
    holder, row = Holder(), []
    if xs[0] > 1:
        holder.row = row
    if hasattr(holder, 'row'):
        for x in xs:
            holder.row.append(x)
    return row


def got_or_another(xs):
    holder, row = Holder(), []
    if xs[0] > 1:
        holder.row = row
    got = getattr(holder, 'row', [1.0])
    got.append(5.0)
    return row, got


@pytest.mark.parametrize('f', [appended_to, extended, filled_in_a_loop, got_or_another])
def test_a_list_that_perhaps_is_an_attribute_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(*VECTORS[1])


def appended_to_a_copy(xs):
    holder, row = Holder(), []
    if xs[0] > 1:
        holder.row = row.copy()
    if hasattr(holder, 'row'):
        holder.row.append(5.0)
    return row


def measured(xs):
    holder, row, n = Holder(), [], -1
    if xs[0] > 1:
        holder.row = row
    if hasattr(holder, 'row'):
        n = len(holder.row)
    return row, n


@pytest.mark.parametrize('f', [appended_to_a_copy, measured])
def test_a_list_that_perhaps_is_an_attribute(f):
    check(f, *VECTORS)


def test_a_name_that_no_turn_has_bound_cannot_be_deleted():
    def f(x):
        while x > 2:
            x = x - 1
            last = x
        del last
        return x

    check(f, (np.float64(4),), (np.float64(1),))


def the_last_negative(xs):
    for x in xs:
        if x < 0:
            found = x
    try:
        return found
    except NameError:
        return 0.0


def gone_in_a_branch(xs):
    y = 1.0
    if xs.sum() > 5:
        del y
    try:
        y += 1
    except UnboundLocalError:
        y = -1.0
    return y


def a_dict_of_one_branch(xs):
    if xs.sum() > 5:
        kept = {'a': 1.0}
    try:
        return kept['a']
    except NameError:
        return 2.0


def in_each_turn(xs):
    total = 0.0
    for x in xs:
        try:
            last = last + x
        except NameError:
            last = x
        total += last
    return total


def behind_another_handler(xs):
    for x in xs:
        found = x
    try:
        try:
            if xs.sum() > 5:
                raise ValueError('much')
            return found
        except ValueError:
            return 3.0
    except Exception:
        return 4.0


@pytest.mark.parametrize('f', [
    the_last_negative, gone_in_a_branch, a_dict_of_one_branch, in_each_turn,
    behind_another_handler])
def test_a_handler_for_a_name_without_a_value(f):
    calls = [(np.array(xs),) for xs in ([1.0, 2.0, 5.0], [], [-1.0, 3.0, -2.0])]
    check(f, *calls, joins=True, traces=2)


def test_a_handler_for_something_else():
    def f(xs):
        for x in xs:
            found = x
        try:
            return found
        except ValueError:
            return 1.0

    with pytest.raises(ag.errors.UnboundError, match="'found' is read here"):
        ag.function(f)(np.zeros(0))
