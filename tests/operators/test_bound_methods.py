"""Methods of lists that have names of their own, called in staged blocks."""
import contextlib
import functools

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

ROWS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -0.5, -4.0]),)]


def test_a_method_that_a_branch_calls():
    def f(x):
        out = []
        add = out.append
        if x > 1:
            add(x)
        return out

    check(f, (np.float64(2.0),), (np.float64(0.0),))


def test_a_method_and_the_list_itself_in_a_loop():
    def f(xs):
        out = []
        add = out.append
        for x in xs:
            if x > 0:
                add(x)
            out.append(x * 2)
        add(xs[0])
        return out

    check(f, *ROWS)


def test_a_method_in_a_dict_and_in_a_helper():
    def f(xs):
        out, last = [], [xs[0]]
        adders = {'positive': out.append}

        def go(x):
            adders['positive'](x)

        for x in xs:
            if x > 0:
                go(x)
        if xs[0] < 0:
            functools.partial(last.append, xs[1])()
        return out, last

    check(f, *ROWS)


def test_a_method_of_a_dict():
    def f(xs):
        found = {'x': xs[0]}
        update = [found.update]
        for x in xs:
            if x > 1:
                update[0]({'x': x})
        return found

    check(f, *ROWS)


def test_a_library_that_changes_a_list_behind_the_graphs_back():
    def f(x):
        with contextlib.ExitStack() as stack:
            out = []
            stack.callback(out.append, x)
            if x > 1:
                out.append(x)
        return out

    def by_a_lambda(x):
        out = []
        with contextlib.ExitStack() as stack:
            stack.callback(lambda: out.append(x))
            if x > 1:
                out.append(x)
        return out

    with pytest.raises(ag.errors.OwnershipError, match='A function of a library changes a list'):
        ag.function(f)(np.float64(2.0))
    check(by_a_lambda, (np.float64(2.0),), (np.float64(0.0),))


def test_a_partial_call_of_a_method_that_a_loop_calls():
    def f(xs):
        out, others = [], []
        add, put = functools.partial(out.append, 1.0), functools.partial(others.insert, 0)
        for x in xs:
            add()
            if x > 0:
                put(x)
        add()
        return out, others

    check(f, *ROWS)
