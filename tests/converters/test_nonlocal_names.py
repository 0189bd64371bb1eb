"""Variables that a nested function gives their first value."""
from __future__ import annotations

import numpy as np
from differential import check

import autograph_lite as ag

XS = (np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, 2.0, -3.0]),)


def bound_in_dead_code(x):
    def inner():
        nonlocal n
        n = x[0] + 1
        return n

    return inner()
    n = 0


def never_called(x):
    def inner():
        nonlocal n
        n = x[0]
        return n

    return x
    if x[0] > 0:
        n = 0


def set_in_a_loop(xs):
    def run():
        nonlocal last
        for x in xs:
            if x > 0:
                last = x

    run()
    return last  # noqa: F821  # what follows counts
    last = None


def bound_afterwards(xs):
    def run():
        nonlocal last
        for x in xs:
            last = x

    run()
    if xs[0] > 0:
        last = xs[1]
    return last * 2


def added_to(xs):
    def run(x):
        nonlocal total
        total += x

    def start():
        nonlocal total
        total = 0.0

    start()
    for x in xs:
        run(x)
    return total  # noqa: F821  # what follows counts
    total = 0.0


def test_same_as_python():
    for f in (bound_in_dead_code, never_called, set_in_a_loop, bound_afterwards, added_to):
        check(f, *XS)


def test_no_turn():
    check(set_in_a_loop, (np.zeros(3),), (np.ones(3),))
    check(set_in_a_loop, (np.zeros(0),))


def bound_before_the_call(x):
    def inner():
        nonlocal n
        n = n + x

    n = 0
    inner()
    return n


def test_bound_in_time():
    check(bound_before_the_call, (np.float64(2),))
    assert 'unbound' not in ag.to_code(bound_before_the_call)


def bound_in_a_loop(x):
    for v in x:
        y = v

    def double():
        nonlocal y
        y *= 2

    double()
    return y


def bound_on_both_ways(x):
    if x[0] > 0:
        y = x
    else:
        y = -x

    def double():
        nonlocal y
        y = y * 2

    double()
    return y


def test_what_a_block_has_bound_is_kept():
    check(bound_in_a_loop, *XS)
    check(bound_on_both_ways, *XS)
    assert 'unbound' not in ag.to_code(bound_on_both_ways)


def set_on_one_way_and_by_the_loop(xs):
    last = 0.0
    for x in xs:
        def keep(v):
            nonlocal last
            if v > 1:
                last = v
            return v

        last = keep(x)
    return xs


def set_before_what_may_raise(x):
    y = x * 1.0
    if x < 0:
        def step():
            nonlocal y
            try:
                z = x + 1.0
            finally:
                y = x * 2.0
            return z

        y = step()
        print(y)
    return x


def test_a_function_of_a_block_may_keep_what_nobody_reads():
    check(set_on_one_way_and_by_the_loop, *XS)
    check(set_before_what_may_raise, (np.float64(1),), (np.float64(-2),))


label = 'none'


def named(x):
    global label
    if x > 1:
        label = str(x)
    return label


def test_a_builtin_may_be_called_as_something_that_numpy_warns_of():
    converted = ag.to_graph(named)
    assert (converted(0), converted(2)) == ('none', '2')
