"""Arrays outside that the graph reads, and that code changes which Python runs as it is."""
from __future__ import annotations

import contextlib

import numpy as np
import pytest
from differential import joined

import autograph_lite as ag

ARRAY = np.zeros(2)


class Buffer:
    def __init__(self):
        self.array = np.zeros(2)

    @contextlib.contextmanager
    def filled(self):
        self.array[:] = 5.0
        yield
        self.array[:] = 0.0


BUFFER = Buffer()


@contextlib.contextmanager
def array_filled():
    old = ARRAY.copy()
    ARRAY[:] = 5.0
    yield
    ARRAY[:] = old


@contextlib.contextmanager
def filled(array):
    old = array.copy()
    array[:] = 5.0
    yield
    array[:] = old


@ag.do_not_convert
def put(value):
    ARRAY[0] = value


@ag.do_not_convert
def count():
    ARRAY[1] += 1.0


def steps():
    for i in range(3):
        ARRAY[0] = i
        yield i


def steps_of(array):
    for i in range(3):
        array[0] = i
        yield i


def rows():
    row = np.zeros(2)
    for i in range(3):
        row[:] = i
        yield row


def copies():
    for row in rows():
        yield row.copy()


def a_manager(x):
    with array_filled():
        y = ARRAY.sum() * x
    return y


def a_method(x):
    with BUFFER.filled():
        y = BUFFER.array.sum() * x
    return y


def a_helper(x):
    put(3.0)
    y = ARRAY[0] * x
    put(4.0)
    return y + ARRAY[0] * x


def a_generator(x):
    total = 0.0
    for _ in steps():
        total += ARRAY[0] * x
    return total


def under_another_name(x):
    array = ARRAY
    put(3.0)
    return array[0] * x


def in_a_branch(x):
    with array_filled():
        y = ARRAY.sum() if x > 0 else x
    return y


def one_row_for_all(x):
    total = np.zeros(2)
    for row in rows():
        total = total + row * x
    return total


@pytest.mark.parametrize('f', [
    a_manager, a_method, a_helper, a_generator, under_another_name, in_a_branch, one_row_for_all],
    ids=lambda f: f.__name__)
def test_what_changes_after_it_is_read_is_refused(f):
    ARRAY[:] = 0.0
    with pytest.raises(ag.errors.OwnershipError, match='changed after that by a gen') as refused:
        ag.function(f)(np.float64(2.0))
    assert __file__ in str(refused.value)
    assert 'as an argument' in str(refused.value)


def given_to_a_manager(x):
    with filled(ARRAY):
        y = ARRAY.sum() * x
    return y


def given_to_a_generator(x):
    total = 0.0
    for _ in steps_of(ARRAY):
        total += ARRAY[0] * x
    return total


def a_row_for_each(x):
    total = np.zeros(2)
    for row in copies():
        total = total + row * x
    return total


def changed_before(x):
    put(3.0)
    return ARRAY[0] * x


def counted(x):
    count()
    return ARRAY[1] * x


@pytest.mark.parametrize('f', [
    given_to_a_manager, given_to_a_generator, changed_before, counted, a_row_for_each],
    ids=lambda f: f.__name__)
def test_what_changes_before_is_read_as_it_is_then(f):
    assert joined(_left_by(f), _left_by(ag.function(f)))


def _left_by(run):
    ARRAY[:] = 0.0
    left = []
    for x in (2.0, -2.0, 2.0):
        left.append((run(np.float64(x)), ARRAY.copy()))
        ARRAY[0] = 7.0
    return left


def test_in_a_block_it_changes_none():
    def in_turns(xs):
        total = 0.0
        for x in xs:
            count()
            total += x
        return total

    def on_one_way(xs):
        if xs[0] > 0:
            count()
        return xs

    for f in (in_turns, on_one_way):
        with pytest.raises(ag.errors.OwnershipError, match='A staged block modifies') as refused:
            ag.function(f)(np.array([1.0, 2.0]))
        assert 'count()' in str(refused.value)
