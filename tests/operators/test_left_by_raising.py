"""A staged block that an exception ends: what it had changed before must not be forgotten."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


class Box:
    """An object of the user's."""

    def __init__(self) -> None:
        self.value = 0


def variable(x):
    n = 0
    try:
        if x > 0:
            n = 5
            raise ValueError
    except ValueError:
        pass
    return n


def other_variable(x):
    n, m = 0, x + 1
    try:
        if x > 0:
            n = m
            m = m + 1
            raise ValueError
    except ValueError:
        pass
    return n + m


def inner_variable(x):
    n = 0

    def inner():
        nonlocal n
        if x > 0:
            n = 5
            raise ValueError

    try:
        inner()
    except ValueError:
        pass
    return n


def attribute(x):
    box = Box()
    try:
        if x > 0:
            box.value = 5
            raise ValueError
    except ValueError:
        pass
    return box.value


def items(x):
    out = [0]
    try:
        if x > 0:
            out[0] = 5
            out.append(x)
            raise ValueError
    except ValueError:
        pass
    return out


def in_a_loop(xs):
    last = 0
    try:
        for x in xs:
            if x > 1:
                last = x
                raise ValueError
    except ValueError:
        pass
    return last


def in_a_handler(xs):
    total = xs[0] * 0
    try:
        try:
            for x in xs:
                root(x)
                total = total + x
        except ValueError as error:
            total = total + 10
            raise TypeError('no root') from error
    except TypeError:
        return -total
    return total


def variable_of_another_function(x):
    n = 0

    def count():
        nonlocal n
        n = n + 1

    def counted():
        try:
            count()
            if x > 0:
                count()
                raise ValueError
            root(x)
            count()
        except ValueError:
            pass

    counted()
    return n


def array_that_no_handler_needs(xs):
    try:
        try:
            total = xs * 0
            for x in xs:
                root(x)
                total = total + x
        except ValueError as error:
            raise TypeError('no root') from error
    except TypeError:
        return -xs
    return total


def root(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


@pytest.mark.parametrize(
    'f', [variable, other_variable, inner_variable, attribute, variable_of_another_function, items])
def test_what_a_handler_finds_changed(f):
    check(f, *((np.int64(x),) for x in (1, 0, -1)), joins=True)


@pytest.mark.parametrize('f', [in_a_loop, in_a_handler, array_that_no_handler_needs])
def test_what_a_handler_finds_changed_in_a_loop(f):
    check(f, (np.array([0, 3, 1]),), (np.array([1, 1, -4]),), (np.array([0, 1, 1]),), joins=True)


def test_arrays_hold_what_was_written_before():
    def fill(x):
        out = np.zeros(3)
        try:
            if x > 0:
                out[1] = 4
                raise ValueError
        except ValueError:
            out[2] = 1
        return out

    check(fill, (np.int64(1),), (np.int64(0),))


def test_what_nobody_can_look_at_may_change():
    def message(x):
        parts = []
        if x > 0:
            parts.append('positive')
            raise ValueError(parts[0])
        return x

    check(message, (np.int64(1),), (np.int64(0),))


def test_an_object_outside_holds_what_was_set_before_an_exception():
    box = Box()

    def keep(x):
        if x > 0:
            box.value = x
            raise ValueError
        return x

    with pytest.raises(ValueError, match=r'^$'):
        ag.function(keep)(np.int64(1))
    assert box.value == 1


def appends(x, items):
    if x > 0:
        items.append(3)
        raise ValueError
    return x


def appends_in_nested_branches(x, items):
    if x > 0:
        if x > 1:
            items.append(3)
            raise ValueError
    return x


def appends_in_a_loop(x, items):
    other = items
    while x > 0:
        other.append(3)
        raise ValueError
    return x


def appends_in_a_function(x, items):
    def inner():
        held['items'].append(3)
        raise ValueError

    held = {'items': items}
    if x > 0:
        inner()
    return x


def always_raises(x, items):
    items.append(3)
    raise ValueError


@pytest.mark.parametrize(
    'f',
    [appends, appends_in_nested_branches, appends_in_a_loop, appends_in_a_function, always_raises],
    ids=lambda f: f.__name__,
)
def test_a_list_of_the_callers_changes_before_an_exception(f):
    items = []
    with pytest.raises(ValueError, match=r'^$'):
        ag.function(f)(np.int64(2), items)
    assert items == [3]


def test_a_copy_of_a_list_of_the_callers_may_change_before_an_exception():
    def message(x, items):
        items = list(items)
        if x > 0:
            items.append('positive')
            raise ValueError(*items)
        return x

    check(message, (np.int64(1), ['it is']), (np.int64(0), ['it is']))
