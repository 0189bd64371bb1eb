"""What belongs to a loop, to a branch, to a function in them, and what is there afterwards."""
# ruff: noqa: B020, B023, E731 - that is what they are about
from __future__ import annotations

import numpy as np
import pytest
from reference.sweep import COUNTERS, ITERABLES, RANGES, TRUTHS, each, sweep

import autograph_lite as ag

LISTS = [[], [1], [1, 2], [3, 0, 1]]


def local_variable(xs):
    digits = 0
    for x in xs:
        y = x + 2
        digits = digits * 10 + y
    return digits


def set_by_the_first_turn(xs):
    digits = 0
    for i, x in enumerate(xs):
        if i == 0:
            y = x
        else:
            y += 1
        digits = digits * 10 + y
    return digits


def reused_target(xs):
    x = 7
    digits = 0
    for x in xs:
        digits = digits * 10 + x
    return x, digits


def altered_target(xs):
    x = 7
    digits = 0
    for x in xs:
        x = 3 * x + 1
        digits = digits * 10 + x
    return x, digits


def shadowed_iterable(xs):
    total = 0
    for xs in xs:
        total += xs
    return total


def changed_iterable(xs):
    total = 0
    for x in xs:
        xs = [1, 2]
        total += x
    return total


def same_target_twice(xs):
    total = 0
    for x in xs:
        for x in range(2):
            total += x
        total += 10 * x
    return total


def inner_function(xs):
    def triple(x):
        return x * 3 if x > 1 else x

    total = 0
    for x in xs:
        total = total * 10 + triple(x)
    return total


def function_of_the_turn(xs):
    total = 0
    for x in xs:
        def shifted(y):
            return y + x

        total = total * 10 + shifted(1)
    return total


def closure_over_the_target(xs):
    i = 0

    def shifted():
        return i + 2

    total = 0
    for i in xs:
        total = total * 10 + shifted()
    return total, i


def lambda_over_the_target(xs):
    i = 0
    total = 0
    shifted = lambda: i + 2
    for i in xs:
        total = total * 10 + shifted()
    return total, i


def object_over_the_target(xs):
    i = 0

    class Shifted:
        def __call__(self):
            return i + 2

    shifted = Shifted()
    total = 0
    for i in xs:
        total = total * 10 + shifted()
    return total, i


def closures_kept(xs):
    functions = []
    for x in xs:
        functions.append(lambda x=x: x + x)
    return [f() for f in functions]


def closures_that_see_the_last(xs):
    functions = []
    for x in xs:
        functions.append(lambda: x + x)
    return [f() for f in functions]


def comprehension_beside_the_target(xs):
    total = 0
    for x in xs:
        total += sum([x * 2 for x in range(3)]) + x
    return total


def counted_by_a_closure(xs):
    count = 0

    def step(x):
        nonlocal count
        if x > 0:
            count += 1
        return count

    total = 0
    for x in xs:
        total = total * 10 + step(x)
    return total, count


@pytest.mark.parametrize(
    'f',
    [
        local_variable, set_by_the_first_turn, reused_target, altered_target, shadowed_iterable,
        changed_iterable, same_target_twice, inner_function, function_of_the_turn,
        closure_over_the_target, lambda_over_the_target,
        comprehension_beside_the_target, counted_by_a_closure,
    ],
)  # fmt: skip
def test_loops(f):
    sweep(f, each(ITERABLES, LISTS), joins=True)


@pytest.mark.parametrize(
    'f', [closures_kept, closures_that_see_the_last, object_over_the_target]
)
def test_closures_kept(f):
    sweep(f, each((list, tuple), LISTS[1:]))


def target_of_a_call(n, make):
    digits = 0
    for i in make(n):
        digits = digits * 10 + i
    return i, digits


def target_altered(n, make):
    i = 7
    digits = 0
    for i in make(n):
        i = 3 * i + 1
        digits = digits * 10 + i
    return i, digits


def test_iterables_that_are_called_for():
    sweep(target_of_a_call, [1, 2], RANGES)
    sweep(target_altered, [0, 1, 2], RANGES, joins=True)
    sweep(target_altered, each((np.int64, np.array), [0, 1, 2]), [range], joins=True)


def while_local(n):
    digits = 0
    while n > 0:
        y = n + 2
        digits = digits * 10 + y
        n -= 1
    return digits


def while_sets_it_first(n):
    digits = 0
    i = 0
    while i < n:
        if i < 1:
            y = n
        else:
            y += 1
        digits = digits * 10 + y
        i += 1
    return digits


def while_with_a_closure(n):
    i = 0

    def shifted():
        return i + 2

    digits = 0
    while i < n:
        digits = digits * 10 + shifted()
        i += 1
    return digits


def while_with_a_closure_in_its_test(n):
    i = 0

    def going_on():
        return i < n

    digits = 0
    while going_on():
        digits = digits * 10 + i
        i += 1
    return digits


def while_with_a_walrus(n):
    total = 0
    while (half := n // 2) > 0:
        total += half
        n = half
    return total, half


@pytest.mark.parametrize(
    'f',
    [
        while_local, while_sets_it_first, while_with_a_closure,
        while_with_a_closure_in_its_test, while_with_a_walrus,
    ],
)  # fmt: skip
def test_while(f):
    sweep(f, each(COUNTERS, [0, 1, 2, 5]), joins=True)


# Branches.


def function_of_a_branch(c):
    if c:
        def f(x):
            return x + 1
    else:
        def f(x):
            return x * 10
    return f(3)


def lambda_of_a_branch(c):
    f = (lambda x: x + 1) if c else (lambda x: x * 10)
    return f(3)


def imported_in_a_branch(c):
    if c:
        import math
        return math.floor(2.5)
    return 0


def class_in_a_branch(c):
    if c:
        class Scale:
            rate = 3
        return Scale.rate
    return 1


def set_through_a_closure(c):
    n = 1

    def double():
        nonlocal n
        n = n * 2

    if c:
        double()
    double()
    return n


def closure_made_in_a_branch(c):
    n = 1
    if c:
        def add(m):
            nonlocal n
            n = n + m

        add(3)
        add(4)
    return n


def closure_changed_later(c):
    n = 1
    f = lambda: n
    if c:
        n = 5
    first = f()
    n = n + 1
    return first, f()


@pytest.mark.parametrize(
    'f',
    [
        imported_in_a_branch, class_in_a_branch, set_through_a_closure, closure_made_in_a_branch,
        closure_changed_later,
    ],
)  # fmt: skip
def test_branches(f):
    sweep(f, each(TRUTHS, [True, False]))


@pytest.mark.parametrize('f', [function_of_a_branch, lambda_of_a_branch])
def test_functions_that_a_branch_chooses(f):
    sweep(f, [True, False, 0, 1])
    try:
        sweep(f, each((np.bool_, np.array), [True, False]))
    except AssertionError:
        with pytest.raises(ag.errors.StagingError, match=r'\bf\b'):
            ag.function(f)(np.bool_(True))


COUNT = 0


def sets_a_global(x):
    global COUNT
    if x > 0:
        COUNT = COUNT + 1
    else:
        COUNT = 5
    return COUNT


def test_globals_of_python_values():
    global COUNT
    for x, expected in ((1, 1), (0, 5)):
        for way in (sets_a_global, ag.to_graph(sets_a_global), ag.function(sets_a_global)):
            COUNT = 0
            assert way(x) == expected
            assert COUNT == expected
