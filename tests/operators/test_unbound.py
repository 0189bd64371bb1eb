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


def test_a_list_of_the_first_turn_is_refused():
    def f(xs):
        for i, x in enumerate(xs):
            if i > 0:
                out.append(x)
            else:
                out = [x]
        return out

    with pytest.raises(ag.errors.StagingError, match='out is'):
        ag.function(f)(np.ones(2))


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
