"""Lists, and what holds lists, that are returned early: the flag says whether they count."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

XS = np.array([1.0, -2.0, 3.0, 5.0, 2.0])
CALLS = [
    (np.float64(x), xs) for x in (2.0, -2.0, 6.0) for xs in (XS, XS[:0], XS[3:], XS[::-1] + 1)
]


def returned_where_it_grows(x, xs):
    items = []
    for v in xs:
        if v > x:
            if v > 4:
                return items
        items.append(v)
    return items


def beside_a_number(x, xs):
    n = 0
    items = []
    for v in xs:
        if v > x:
            if v > 4:
                return n, items
            n += 1
        items.append(v)
    return n, items


def in_a_dict(x, xs):
    found = {'n': x, 'items': []}
    for v in xs:
        if v > x:
            if v > 4:
                return found
            found['n'] += v
        found['items'].append(v)
    return found


def in_nested_loops(x, xs):
    items = []
    for v in xs:
        for w in xs:
            if w > v:
                if w + v > 4:
                    return items
            items.append(w * x)
    return items


def until_it_returns(x, xs):
    items = []
    while True:
        if x > 0:
            if x > 4:
                return items
            x = x * 2
        else:
            x = x + 1 + xs.size
        items.append(x)


def of_tuples(x, xs):
    pairs = []
    for v in xs:
        if v > x:
            if v > 4:
                return pairs
        pairs.append((v, x))
    return pairs


def an_empty_one_instead(x, xs):
    items = []
    for v in xs:
        if v > x:
            if v > 4:
                return []
        items.append(v)
    return items


def it_is_used_again(x, xs):
    items = until_it_returns(x, xs)
    items.append(x)
    return items


@pytest.mark.parametrize(
    'f',
    [
        returned_where_it_grows, beside_a_number, in_a_dict, in_nested_loops, until_it_returns,
        of_tuples, an_empty_one_instead, it_is_used_again,
    ],
)  # fmt: skip
def test_a_list_that_grows_is_returned_early(f):
    check(f, *CALLS, traces=3)


def test_a_list_that_is_modified_after_the_ways_that_return_it():
    def f(x, xs):
        items = [x, x]
        if x > 0:
            for v in xs:
                if v > 4:
                    return items
            if x > 1:
                return items
        if x < -1:
            if x < -3:
                return items
            items[0] = x + 1
        if x < 0:
            items[1] = x
        return items

    check(f, *CALLS, (np.float64(-4.0), XS), (np.float64(0.5), XS[:2]), traces=3)


def test_what_a_branch_may_have_named_is_what_it_has_become():
    def f(x):
        items = [x, x + 1]
        if x < 0:
            items[1] = x
            best = items
        else:
            best = [x, x]
        return best, items

    check(f, (np.float64(1.0),), (np.float64(-1.0),))


def pairs_in_nested_branches(x):
    pairs = []
    if x < 3:
        if x < 0:
            pairs.append((x, x))
    return pairs


def pairs_in_one_of_them(x):
    pairs = []
    if x < 3:
        if x > 0:
            return pairs
        pairs.append((x, x))
    return pairs


def no_pairs_where_it_returns(x):
    pairs = [(x, x)]
    if x > 0:
        return pairs
    if x < -1:
        if x < -3:
            pairs = []
            return pairs
        x = x * 2
    pairs.append((x, x))
    return pairs


@pytest.mark.parametrize(
    'f', [pairs_in_nested_branches, pairs_in_one_of_them, no_pairs_where_it_returns]
)
def test_a_list_of_tuples_grows_in_branches_of_branches(f):
    check(f, *((np.float64(x),) for x in (2.0, -2.0, -4.0, 4.0, -0.5)))


def test_a_list_that_is_returned_early_may_be_given_up_after_a_loop_changed_it():
    def f(x, xs):
        pairs = [(x, x)]
        if x > 5:
            return pairs
        for v in xs:
            pairs.append((v, x))
        pairs = [(x, x)]
        return pairs

    check(f, *CALLS, traces=3)


def returned_in_a_try(x, xs):
    try:
        for v in xs:
            if v > 2.5:
                return v
            if v < -1:
                raise ValueError
    except ValueError:
        x = x - 1
    return x


def returned_in_two_of_them(x, xs):
    for w in xs:
        try:
            for v in xs:
                if v > w:
                    return v, x
                if v < w - 4:
                    raise ValueError
        except ValueError:
            x = x + w
    return x, x


@pytest.mark.parametrize('f', [returned_in_a_try, returned_in_two_of_them])
def test_a_return_out_of_a_loop_in_a_try(f):
    check(f, *CALLS, *((x, -xs) for x, xs in CALLS), traces=3)


def test_texts_of_a_loop_in_a_loop():
    def f(x, xs):
        while x < 9:
            x = x + 1
            for _ in xs:
                y = 'e'
            y = y + 'd'
        return x

    check(f, (np.float64(2.0), XS), (np.float64(10.0), XS))


def pairs_that_a_turn_makes(x, xs):
    pairs = [(x, x)]
    if x > 3:
        for v in xs:
            if v < -1:
                return pairs, x
            pairs = [(v, x)]
            pairs.append((v, v))
    return pairs, x


def pairs_that_an_inner_loop_gives_up(x, xs):
    pairs = [(x, x)]
    for v in xs:
        for w in xs:
            if w > 2.5:
                return pairs, v
            pairs = []
        if x < -1:
            return pairs, v
    return pairs, x


def a_list_that_only_some_turns_make(x, xs):
    for v in xs:
        if v > 2.5:
            return x
        if x > 3:
            row[0] = v  # noqa: F821
            x = x + row[1]  # noqa: F821
        row = [v, x]  # noqa: F841
    return x


@pytest.mark.parametrize(
    'f',
    [
        pairs_that_a_turn_makes, pairs_that_an_inner_loop_gives_up,
        a_list_that_only_some_turns_make,
    ],
)  # fmt: skip
def test_lists_that_turns_make(f):
    check(f, *((np.float64(x), xs) for x in (2.0, -2.0) for xs in (XS, XS[::-1] + 1)))


def an_array_that_changes_after_a_loop(x, xs):
    y = np.arange(3.0) + x
    if x > 5:
        return y
    for v in xs:
        if v > 2.5:
            return y
        y[0] = v
    y += x
    return y


def an_array_that_a_turn_makes(x, xs):
    y = np.arange(3.0) + x
    if x > 5:
        return {'y': y}
    for v in xs:
        if x == 2:
            y = np.ones(3) * v
        else:
            return {'y': y}
        y[0] = v
    y += x
    return {'y': y}


@pytest.mark.parametrize('f', [an_array_that_changes_after_a_loop, an_array_that_a_turn_makes])
def test_an_array_that_is_returned_early_changes_in_place(f):
    check(f, *CALLS, traces=3)
