"""Loops that find something, or nothing, compute with Python's numbers, too."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from differential import check

import autograph_lite as ag
from autograph_lite.graph.tracing import UNWRAP
from autograph_lite.graph.verify import verify


def best(x):
    found = None
    for i in range(x.shape[0]):
        if found is None or x[i] > found:
            found = x[i]
    return found


def last_but(x, n):
    found = None
    for v in x:
        if v != n:
            if found is not None:
                found = found + v
            else:
                found = v
    return found


def pair(x, total):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == total:
                return i, j
    return -1, -1


def place(x, wanted):
    found = None
    for i in range(len(x)):
        if x[i] == wanted:
            found = i
            break
    return -1 if found is None else found


def is_prime(n):
    i = n * 0 + 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True


def remainders(n, d):
    total = n * 0
    while n != 0:
        total = total * 3 + n % d
        n = n // 2 if n > 0 else n + 1
    return total


INTS = np.array([3, 1, 4, 1, 5, 9, 2, 6])
FLOATS = np.resize([0.5, np.nan, 2.0, -1.0], 160)


@pytest.mark.parametrize(
    ('function', 'calls'),
    [
        (best, [(FLOATS,), (FLOATS[::-1].copy(),)]),
        (last_but, [(INTS, np.int64(1)), (np.ones(8, int), np.int64(1))]),
        (pair, [(INTS, np.int64(11)), (INTS, np.int64(0)), (INTS[::-1].copy(), np.int64(4))]),
        (place, [(INTS, np.int64(9)), (INTS, np.int64(0))]),
        (is_prime, [(np.int64(n),) for n in (1, 2, 9, 97, 2**62)]),
        (remainders, [(np.int64(n), np.int64(d)) for n in (77, -5) for d in (7, -7, 1, -1)]),
    ],
)
def test_results(function, calls):
    concrete = check(function, *calls).get_concrete_function(*calls[0])
    assert 'for v in x:' not in concrete.lowered_code
    assert any(change.rewrite == 'unboxing' for change in concrete.program.changes)


def test_the_program_of_a_best_one():
    assert ag.function(best).get_concrete_function(FLOATS).lowered_code == textwrap.dedent("""
        def best(x):
            x_items = memoryview(x)
            found = None
            for i in range(160):
                if found is None or x_items[i] > found:
                    found = x_items[i]
            return None if found is None else np.float64(found)
        """).lstrip()


def test_a_loop_that_is_left_where_its_test_needs_statements():
    assert ag.function(is_prime).get_concrete_function(np.int64(9)).lowered_code == (
        textwrap.dedent("""
        def is_prime(n):
            i = int(n * 0 + 2)
            n = int(n)
            did_return = False
            while True:
                multiply = i * i
                if abs(multiply) > 2 ** 62:
                    raise OverflowError
                if not multiply <= n:
                    break
                if not n % i:
                    did_return = True
                    break
                i = i + 1
                if abs(i) > 2 ** 62:
                    raise OverflowError
            return not did_return
        """).lstrip()
    )


def test_what_a_condition_found_is_not_looked_for_again():
    def f(x, p):
        found = ag.cond(p, lambda: x, lambda: None)
        return ag.cond(found is None, lambda: x, lambda: found * 2)

    graph = ag.function(f).get_concrete_function(FLOATS, np.bool_(True)).graph
    verify(graph)
    assert [node.attrs['sure'] for node in graph.walk() if node.op is UNWRAP] == [True]


def test_what_a_condition_did_not_find_is_still_looked_for():
    def f(x):
        found = None
        for v in x:
            if found is None and v < 1e9:
                found = v
            if v > found:
                found = v
        return found

    graph = check(f, (FLOATS,)).get_concrete_function(FLOATS).graph
    assert not all(node.attrs['sure'] for node in graph.walk() if node.op is UNWRAP)
