"""Names first bound in a loop to what is no array: None, functions, texts, empty tuples."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array([1.0, 2.0]),), (np.array([-1.0, 3.0]),), (np.array([2.0, -1.0]),)]
NO_TURN = (np.zeros(0),)


def none(xs):
    for _ in xs:
        y = None
    return y


def none_in_a_branch(xs):
    for x in xs:
        if x > 0:
            y = None
    return y


def none_or_a_value(xs):
    for x in xs:
        y = None
        if x > 0:
            y = x
    return y is None, y


def none_in_two_loops(xs):
    for x in xs:
        for z in xs:
            y = None
            if x > 0:
                y = x
            t = None, z
    return y, t


def a_lambda(xs):
    for x in xs:
        g = lambda v: v + 1  # noqa: E731
        last = x
    return g(last)


def a_function(xs):
    for x in xs:
        if x < 0:
            break

        def g(v):
            return v * 2

        last = x
    return g(last)


def a_function_of_numpy(xs):
    i = 0
    while i < xs.size:
        f = np.sin
        i += 1
    return f(xs)


def empty_containers(xs):
    for _ in xs:
        t = ()
        d = {}
    return t, d


def then_asked(xs):
    for _ in xs:
        t = None
        for z in xs:
            if z > 1:
                t = z
    if t is None:
        return 0.0
    return t


@pytest.mark.parametrize(
    'f',
    [
        none, none_in_a_branch, none_or_a_value, none_in_two_loops, a_lambda, a_function,
        a_function_of_numpy, empty_containers, then_asked,
    ],
)  # fmt: skip
def test_is_python(f):
    check(f, *CALLS, joins=True)
    check(f, NO_TURN, joins=True)


def test_an_error_names_the_variable():
    with pytest.raises(ag.errors.UnboundError, match=r"'y'(.|\n)*line (.|\n)*in none"):
        ag.function(none, input_signature=[ag.TensorSpec([None])])(np.zeros(0))
