"""Lists and dicts that are None until something is put into them."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [
    (np.array(v),)
    for v in ([1.0, -2.0, 3.0, 0.5], [-1.0, 2.0, -3.0, 5.0], [-1.0, -1.0, -2.0, -0.5])]


class Box:
    def __init__(self):
        self.items = None
        self.n = 0

    def add(self, x):
        if self.items is None:
            self.items = []
        self.items.append(x)
        self.n += 1


def made_in_a_loop(xs):
    found = None
    for x in xs:
        if x > 0:
            if found is None:
                found = []
            found.append(x)
    return found


def made_with_the_first_element(xs):
    found = None
    for x in xs:
        if found is not None and x > found[-1]:
            found.append(x)
        elif found is None:
            found = [x]
    return found


def made_by_or(xs):
    found = None
    for x in xs:
        if x > 0:
            found = found or []
            found.append(x)
    return found


def made_by_an_expression(xs):
    found = None
    for x in xs:
        found = [] if found is None else found
        found.insert(0, x)
    return found


def made_in_branches(xs):
    found = None
    if xs[0] > 0:
        found = [xs[0]]
    if xs[1] > 0:
        if found is None:
            found = []
        found.append(xs[1])
    return found


def dropped_again(xs):
    found, sums = None, []
    for x in xs:
        if x > 0:
            if found is None:
                found = []
            found.append(x)
        elif found is not None:
            sums.append(sum(found))
            found = None
    return found, sums


def of_pairs(xs):
    found = None
    for x in xs:
        if x > 0:
            if found is None:
                found = []
            found.append((x, -x))
    return found


def a_dict(xs):
    found = None
    for x in xs:
        if x > 0:
            if found is None:
                found = {'sum': 0.0, 'n': 0}
            found['sum'] += x
            found['n'] += 1
    return found


def a_dict_of_lists(xs):
    found = None
    for x in xs:
        if found is None:
            found = {'small': [], 'large': []}
        found['large' if x > 1 else 'small'].append(x)
    return found


def in_an_attribute(xs):
    box = Box()
    for x in xs:
        if x > 0:
            box.add(x)
    return box.items, box.n


def in_one_of_two_objects(xs):
    boxes = [Box(), Box()]
    for x in xs:
        boxes[int(x > 0)].add(x)
    return [(box.items, box.n) for box in boxes]


def in_items_of_a_dict(xs):
    found = {'small': None, 'large': None}
    for x in xs:
        key = 'large' if x > 1 else 'small'
        if found[key] is None:
            found[key] = []
        found[key].append(x)
    return found


def by_a_helper(xs):
    def put(x, found=None):
        if found is None:
            found = []
        found.append(x)
        return found

    found = None
    for x in xs:
        if x > 0:
            found = put(x, found)
    return found


def by_a_closure(xs):
    found = None

    def put(x):
        nonlocal found
        if found is None:
            found = []
        found.append(x)

    for x in xs:
        if x > 0:
            put(x)
    return found


def through_another_name(xs):
    found = None
    if xs[0] > 0:
        found = []
    kept = {'found': found}
    for x in xs:
        if found is not None:
            found.append(x)
    return kept


def read_meanwhile(xs):
    found, total = None, xs[0] * 0
    for x in xs:
        if x > 0:
            if found is None:
                found = []
            found.append(x)
        if found is not None:
            for each in found:
                total += each
            total += sum(found) + max(found) + found[-1] + len(found)
    return total, None if found is None else np.stack(found)


@pytest.mark.parametrize('f', [
    made_in_a_loop, made_with_the_first_element, made_by_or, made_by_an_expression,
    made_in_branches, dropped_again, of_pairs, a_dict, a_dict_of_lists, in_an_attribute,
    in_one_of_two_objects, in_items_of_a_dict, by_a_helper, by_a_closure, through_another_name,
    read_meanwhile,
])  # fmt: skip
def test_what_is_none_at_first_is_filled(f):
    check(f, *VECTORS, joins=f is read_meanwhile)


def appends(xs):
    found = None
    if xs[0] > 0:
        found = [1.0, 2.0]
    found.append(xs[1])
    return found


def sets_an_item(xs):
    found = None
    if xs[0] > 0:
        found = [1.0, 2.0]
    found[0] = xs[1]
    return found


def deletes_an_item(xs):
    found = None
    if xs[0] > 0:
        found = [1.0, 2.0]
    del found[0]
    return found


@pytest.mark.parametrize('f', [appends, sets_an_item, deletes_an_item])
def test_none_is_not_filled(f):
    check(f, *VECTORS)


def test_what_a_function_gives_early_where_it_is_there():
    def first_before_a_drop(xs):
        found = None
        for x in xs:
            if x > 0:
                found = {'x': x}
            elif found is not None:
                return found
        return found

    check(first_before_a_drop, *VECTORS)


def one_of_two_names(xs):
    found = [xs[0]] if xs[0] > 0 else None
    other = found
    if found is None:
        found = []
    found.append(xs[1])
    return found, other


def one_outside_of_it(xs):
    known = [1.0, 2.0]
    found = known if xs[0] > 0 else None
    if found is not None:
        found.append(xs[1])
    return found, known


def new_under_two_names(xs):
    found = {}
    for x in xs:
        items = found.get('x')
        if items is None:
            items = found['x'] = []
        items.append(x)
    return found


@pytest.mark.parametrize('f', [one_of_two_names, one_outside_of_it, new_under_two_names])
def test_another_name_may_be_for_the_same(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(VECTORS[0][0])


def test_what_may_be_none_is_extended_in_its_place():
    def f(xs):
        found = [xs[0]] if xs[0] > 0 else None
        names = {'k': 1.0} if xs[1] > 0 else None
        kept = found, names
        if found is not None:
            found += [xs[1], xs[2]]
        if names is not None:
            names |= {'k': 2.0}
        return found, names, kept

    def of_none(xs):
        found = [xs[0]] if xs[0] > 0 else None
        found += [xs[1]]
        return found

    check(f, *VECTORS)
    check(of_none, *VECTORS)


def one_of_the_turns_before(xs):
    last, kept = {'x': 0.0}, {'x': 9.0}
    for x in xs:
        last = last if x < 100 else {'x': x}
        last['x'] += x
        if x > 2:
            kept = last
    return last, kept


def both_of_the_turn_before(xs):
    last, kept = None, None
    for x in xs:
        if last is not None:
            last.append(x)
        if kept is None:
            kept = [1.0, x]
        last = kept
        if x > 2:
            kept.insert(0, x)
    return last, kept


@pytest.mark.parametrize('f', [one_of_the_turns_before, both_of_the_turn_before])
def test_two_names_that_a_turn_before_has_given_one(f):
    with pytest.raises(ag.errors.OwnershipError):
        ag.function(f)(VECTORS[0][0])
