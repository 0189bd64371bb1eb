"""Functions that traced code makes and puts outside, and what they close over."""
from __future__ import annotations

import functools

import numpy as np
import pytest

import autograph_lite as ag

OwnershipError = ag.errors.OwnershipError
VALUES = np.array([1.0, 2.0, 3.0, 4.0])


class Box:
    pass


box = Box()
table = {}
last = None


def make_counter():
    n = 0

    def add(k):
        nonlocal n
        n += k
        return n

    def reset():
        nonlocal n
        n, old = 0, n
        return old

    return add, reset


def refuses(f, x, match):
    with pytest.raises(OwnershipError, match=match) as raised:
        ag.function(f)(x)
    assert 'Let what the function closes over be an attribute of an object' in str(raised.value)


def the_other_changes_it(xs):
    add, box.reset = make_counter()
    tops = []
    for x in xs:
        if add(x) > 5:
            tops.append(box.reset())
    return tops, add(0)


def each_changes_it(xs):
    box.add, box.reset = make_counter()
    total = 0.0
    for x in xs:
        if box.add(x) > 5:
            total += box.reset()
    return total


def in_a_branch(xs):
    box.add, _ = make_counter()
    if xs[0] > 0:
        box.add(1)
    return box.add(0)


def in_a_list(xs):
    box.all = [make_counter()[0]]
    for x in xs:
        box.all[0](x)
    return xs


@pytest.mark.parametrize('f', [the_other_changes_it, each_changes_it, in_a_branch, in_a_list])
def test_a_block_changes_what_it_closes_over(f):
    refuses(f, VALUES, 'A staged block modifies (add|reset), a function, that lives outside')


def as_an_attribute(x):
    box.add, _ = make_counter()
    box.add(x)


def as_a_global(x):
    global last
    last, _ = make_counter()
    last(x)


def as_an_item(x):
    table['add'], _ = make_counter()
    table['add'](x)


def in_a_partial(x):
    add, _ = make_counter()
    box.add = functools.partial(add, 1)
    add(x)


def in_an_object(x):
    made = Box()
    made.add, _ = make_counter()
    box.made = made
    made.add(x)


def of_a_branch(x):
    if x > 0:
        box.add, _ = make_counter()
        box.add(x)


def what_it_fills(x):
    seen = []

    def add(k):
        seen.append(k)

    box.add = add
    add(x)


def of_an_argument(x):
    box.add = lambda k: k + x


@pytest.mark.parametrize('f', [
    as_an_attribute, as_a_global, as_an_item, in_a_partial, in_an_object, of_a_branch,
    what_it_fills, of_an_argument])
def test_a_tensor_stays_in_what_it_closes_over(f):
    refuses(f, np.float64(2.0), "A function that the code makes, '(add|<lambda>)', is put into")


def test_what_the_error_says_to_write():
    def f(xs):
        box.n = 0.0

        def add(k):
            box.n += k
            return box.n

        box.add = add
        for x in xs:
            box.add(x)
        return box.n

    assert ag.function(f)(VALUES) == 10.0
    assert box.add(5.0) == 15.0


def test_what_it_closes_over_is_pythons_in_the_end():
    def f(xs):
        add, box.reset = make_counter()
        for x in xs:
            add(x)
        return box.reset()

    traced = ag.function(f)
    assert [traced(VALUES), traced(2 * VALUES)] == [10.0, 20.0]
    assert box.reset() == 0


def test_it_is_gone_in_the_end():
    def f(x):
        box.add, _ = make_counter()
        box.add(x)
        found = box.add(1)
        box.add = None
        return found

    assert ag.function(f)(np.float64(2.0)) == 3.0


@pytest.mark.parametrize('put', [
    lambda add: add, lambda add: [add], lambda add: functools.partial(add, 1)])
def test_each_call_puts_one_of_its_own(put):
    def f(x):
        add, _ = make_counter()
        box.kept = put(add)
        add(1)
        return x

    traced = ag.function(f)
    found = []
    for x in (1.0, 2.0):
        traced(np.float64(x))
        kept = box.kept[0] if isinstance(box.kept, list) else box.kept
        found.append(kept() if isinstance(kept, functools.partial) else kept(1))
    assert found == [2, 2]


def test_another_trace_has_made_it():
    def put(x):
        box.add, _ = make_counter()
        return x

    for f in (lambda x: box.add(1) + x, lambda x: box.add(x)):
        ag.function(put)(np.float64(1.0))
        refuses(f, np.float64(2.0), "'add', which another function put outside .* sets 'n'")
        assert box.add(2) == 2
