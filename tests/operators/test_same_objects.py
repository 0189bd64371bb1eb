"""NaN in lists and tuples, which Python finds where it is the same object."""
import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, -2.0, np.nan]), np.array([np.nan, np.nan, np.nan]), np.array([1.0, 2.0, 1.0])


def an_element(xs):
    found = [x for x in xs]
    return found[1] in found, found.index(found[2]), found.count(found[0]), found == found


def another_object(xs):
    found = list(xs)
    return xs[2] in found, found.count(xs[2]), [xs[2]] == [xs[2]], xs[2] in (xs[0], xs[2])


def what_is_not_there(xs):
    found = list(xs)
    found.remove(xs[2])
    return found


def what_has_no_index(xs):
    return [x for x in xs].index(xs[2])


def appended_and_asked(xs):
    before = after = 0
    seen = []
    for x in xs:
        before += x in seen
        seen.append(x)
        after += x in seen
    return before, after


def without_twice(xs):
    seen = []
    for x in xs:
        if x not in seen:
            seen.append(x)
    return seen


def two_names(xs):
    x = y = xs[2]
    z = x * 1
    return [x] == [y], (x, 1) == (z, 1), x in [z, y], x == y, [x, z].count(y)


def a_known_nan(xs):
    nan = float('nan')
    found = [nan, xs[0]]
    return nan in found, float('nan') in found, found.index(nan)


@pytest.mark.parametrize(
    'f',
    [
        an_element, another_object, what_is_not_there, what_has_no_index, appended_and_asked,
        without_twice, two_names, a_known_nan,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_nan(f):
    check(f, *[(xs,) for xs in XS])


def perhaps_appended(xs):
    first, found = xs[0], []
    for x in xs:
        if not x < 0:
            found.append(first)
    return first in found


def chosen(xs):
    x = xs[0]
    y = x if xs[1] > 0 else x * 1
    return (x, 1) == (y, 1)


def a_copy(xs):
    found = [x for x in xs]
    return found.copy() == found


@pytest.mark.parametrize('f', [perhaps_appended, chosen, a_copy])
def test_nan_is_refused_where_nothing_tells_whose_it_is(f):
    graph, numbers = ag.function(f), XS[2]
    assert graph(numbers) == f(numbers)
    with pytest.raises(ag.errors.StagingError, match='NaN is found in a list'):
        graph(XS[1])


def test_asking_for_nan_first():
    def f(xs):
        x = xs[0]
        y = x if xs[1] > 0 else x * 1
        return False if np.isnan(x) else (x, 1) == (y, 1)

    check(f, *[(xs,) for xs in XS])


def always_raises(x):
    row, y = [2.0], x.copy()
    other, table, alias = row, {'row': row, 'y': y}, y
    for v in x[: int(x[0] > 0) * 2]:
        row.append(v)
        table['row'][0] = v
        y[0] = v
        raise ValueError(f'{v} is left')
    other.insert(0, 1.5)
    alias[1] = 7.0
    return row, other, table, y


def always_raises_in_the_end(x):
    row = [x[0]]
    other, n = row, 0.0
    while n < x[0]:
        row.append(n)
        n += {}['no such key']
    other.append(2.0)
    return row, other, n


@pytest.mark.parametrize('f', [always_raises, always_raises_in_the_end])
def test_a_loop_that_raises_leaves_what_it_was_where_it_makes_no_turn(f):
    check(f, (np.array([-1.0, 2.0]),), (np.array([1.0, 2.0]),))


def made_in_a_branch(x):
    one, other = [0.0], [1.0]
    if x[0] > 0:
        one = other = [2.0]
    one[0] = 3.0
    return one, other


def made_in_a_branch_for_a_dict(x):
    d, e = {}, {}
    if x[0] > 0:
        row = [1.0]
        d['a'] = d['b'] = e['a'] = row
    if 'a' in d:
        d['b'][0] = 3.0
    return d, e


@pytest.mark.parametrize('f', [made_in_a_branch, made_in_a_branch_for_a_dict])
def test_one_list_made_in_a_branch_under_two_names_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.array([1.0, 2.0]))
