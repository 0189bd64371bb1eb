"""Variables and attributes that only one branch gives a value, and what is no array among them."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.float64(2.0)
XS = np.array([1.0, -2.0, 3.0, 5.0])
SCALARS = [(np.float64(v),) for v in (2.0, -2.0, 7.0)]
ROWS = [(x, xs) for [x] in SCALARS for xs in (XS, -XS)]


def a_function(x):
    if x > 0:
        def thing(v):
            return v + 1
    return thing(x)


def a_lambda(x):
    if x > 0:
        thing = lambda v: v + 1  # noqa: E731
    return thing(x)


def a_function_of_numpy(x):
    if x > 0:
        thing = np.sin
    return thing(x)


def a_class(x):
    if x > 0:
        class thing:
            size = 1
    return thing.size


def a_module(x):
    if x > 0:
        import math as thing
    return thing.sqrt(4)


def an_empty_tuple(x):
    if x > 0:
        thing = ()
    return thing


def an_empty_list(x):
    if x > 0:
        thing = []
    return thing


def an_empty_dict(x):
    if x > 0:
        thing = {}
    return thing


def none(x):
    if x > 0:
        thing = None
    return thing


@pytest.mark.parametrize(
    'f',
    [
        a_function, a_lambda, a_function_of_numpy, a_class, a_module, an_empty_tuple,
        an_empty_list, an_empty_dict, none,
    ],
)  # fmt: skip
def test_it_is_an_error_where_it_is_read(f):
    with pytest.raises(ag.errors.UnboundError) as info:
        ag.function(f)(X)
    message = str(info.value)
    assert message.startswith("'thing' is read here, but it has no value")
    assert 'return thing' in message


def test_a_function_that_a_loop_may_not_bind():
    def f(x, xs):
        for _ in xs:
            h = np.sin
        return h(x)

    check(f, (X, XS))
    check(f, (X, XS[:0]))


def test_what_nobody_reads_is_no_error():
    def f(x):
        if x > 0:
            def h(v):
                return v + 1
            x = h(x)
        return x

    check(f, *SCALARS)


def none_where_it_did_not_jump(x):
    if x > 0:
        if x > 5:
            return x
        y = None
    else:
        y = x
    return x if y is None else y + 1


def a_function_where_it_did_not_jump(x):
    if x > 0:
        if x > 5:
            return x
        h = np.sin
    else:
        h = np.sin
    return h(x)


def a_closure_where_it_did_not_jump(x):
    if x > 0:
        if x > 5:
            return x

        def h(v):
            return v + 1
    else:
        return -x
    return h(x)


def a_class_where_it_did_not_jump(x):
    if x > 0:
        if x > 5:
            return x
        class Thing:
            size = 1
    else:
        return x
    return x + Thing.size


def an_empty_tuple_where_it_did_not_jump(x):
    if x > 0:
        if x > 5:
            return x, ()
        y = ()
    else:
        y = ()
    return x, y


@pytest.mark.parametrize(
    'f',
    [
        none_where_it_did_not_jump, a_function_where_it_did_not_jump,
        a_closure_where_it_did_not_jump, a_class_where_it_did_not_jump,
        an_empty_tuple_where_it_did_not_jump,
    ],
)  # fmt: skip
def test_where_the_other_ways_jump(f):
    check(f, *SCALARS)


def a_function_until_it_breaks(x, xs):
    for v in xs:
        if v > 0:
            if v > 4:
                break

            def h(w):
                return w + v  # noqa: B023
        else:
            continue
        x = x + h(v)
    return x


def a_function_is_returned(x, xs):
    for v in xs:
        if v > x:
            return np.sin
    return np.sin


def none_until_it_breaks(x, xs):
    for v in xs:
        if v > 0:
            if v > 4:
                break
            y = None
        else:
            y = v
        x = x + 1 if y is None else x + y
    return x


@pytest.mark.parametrize(
    'f', [a_function_until_it_breaks, a_function_is_returned, none_until_it_breaks]
)
def test_in_a_loop(f):
    check(f, *ROWS)


def test_none_is_not_taken_for_no_value():
    def f(x, xs):
        for v in xs:
            if v > 2:
                y = None
            elif v > 0:
                y = x
        return y is None

    check(f, *ROWS)


class Thing:
    def grow(self, x):
        if x > 0:
            self.size = x

    def measure(self):
        return self.size


def set_in_one_branch(x):
    thing = Thing()
    if x > 0:
        thing.size = x
    return thing.size


def given_a_name(x):
    thing = Thing()
    if x > 0:
        thing.size = x
    size = thing.size
    return [size]


def inside_another(x):
    thing = Thing()
    thing.part = Thing()
    if x > 0:
        thing.part.size = x
    return x, thing.part.size


def read_by_a_method(x):
    thing = Thing()
    thing.grow(x)
    return thing.measure()


@pytest.mark.parametrize(
    ('f', 'name'),
    [
        (set_in_one_branch, 'thing.size'), (given_a_name, 'thing.size'),
        (inside_another, 'thing.part.size'), (read_by_a_method, 'self.size'),
    ],
)  # fmt: skip
def test_an_attribute_is_told_by_its_name_where_it_is_read(f, name):
    with pytest.raises(ag.errors.UnboundError) as info:
        ag.function(f)(X)
    what, _, text, *_ = str(info.value).splitlines()
    assert what.startswith(f'{name!r} is read here, but it has no value where `x > 0`')
    assert name in text
