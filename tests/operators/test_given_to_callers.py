"""What a recursive function gives back of what it is given is what its caller has."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

NS = [(np.int64(n),) for n in (3, 0, 1, 2, 4)]


def fill(n, a):
    if n == 0:
        return a
    a[n] = n
    return fill(n - 1, a)


def passed(n, x):
    return x if n == 0 else passed(n - 1, x)


def count(n, out):
    if n == 0:
        return out
    out.append(n)
    return count(n - 1, out)


def array_filled(n):
    a = np.zeros(9)
    r = fill(n, a)
    r[0] = 5
    return a, r, r is a


def array_passed(n):
    a = np.zeros(9)
    r = passed(n, a)
    a[0] = 5
    return a, r, r is a


def list_filled(n):
    first = [np.int64(9)]
    r = count(n, first)
    r.append(n)
    first.append(n + 1)
    return first, r, r is first


def list_passed(n):
    first = [np.int64(9)]
    r = passed(n, first)
    r.append(n)
    return first, r is first


def lists_in_a_list(n):
    rows = [[np.int64(1)], [np.int64(2)]]
    r = passed(n, rows)
    r[0].append(n)
    return rows, r[1] is rows[1]


def second(n, a, b):
    if n == 0:
        return b
    a[n] += n
    return second(n - 1, a, b)


def second_of_two(n):
    a, b = np.zeros(9), np.ones(9)
    r = second(n, a, b)
    r[0] = 7
    a[1] = 3
    return a, b, r is b, r is a


def traded(n, a, b):
    if n == 0:
        return a, n, b
    a[n] = b[0]
    return traded(n - 1, a, b)


def in_a_tuple(n):
    a, b = np.zeros(9), np.ones(9)
    x, _, y = traded(n, a, b)
    x[0], y[0] = 5, 6
    return a, b, x is a, y is b


def quicksort(a, lo, hi):
    if lo >= hi:
        return a
    i = lo
    for j in range(lo, hi):
        if a[j] < a[hi]:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    quicksort(a, lo, i - 1)
    return quicksort(a, i + 1, hi)


def sorted_in_place(n):
    a = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    a[0] += n
    r = quicksort(a, n * 0, 4)
    r[0] = -1
    return a, r is a


def merge(xs, ys, out, i, j):
    if i == len(xs) and j == len(ys):
        return out
    if j == len(ys) or (i < len(xs) and xs[i] <= ys[j]):
        out.append(xs[i])
        return merge(xs, ys, out, i + 1, j)
    out.append(ys[j])
    return merge(xs, ys, out, i, j + 1)


def merged(n):
    out = []
    r = merge(np.arange(n), np.arange(4) * 2, out, n * 0, n * 0)
    r.append(np.int64(99))
    return out


def list_around(n):
    xs = [np.int64(1)]

    def inner(k):
        return xs if k == 0 else inner(k - 1)

    r = inner(n)
    r.append(n)
    return xs, r is xs


def dict_filled(n):
    def inner(k, d):
        if k == 0:
            return d
        d['x'] = d['x'] + k
        return inner(k - 1, d)

    d = {'x': np.int64(0)}
    r = inner(n, d)
    r['x'] = r['x'] * 2
    return d, r is d


@dataclass
class Point:
    x: object
    y: object


def moved(p, k):
    if k == 0:
        return p
    p.x = p.x + k
    return moved(p, k - 1)


def object_moved(n):
    p = Point(n, n)
    r = moved(p, n)
    r.y = n * 7
    return p, r is p


def array_of_an_object(n):
    def inner(p, k):
        if k == 0:
            return p.y
        p.y[0] += k
        return inner(p, k - 1)

    p = Point(n, np.zeros(3))
    r = inner(p, n)
    r[1] = 5
    return p.y, r is p.y


def even(n, a):
    if n == 0:
        return a
    a[0] += 1
    return odd(n - 1, a)


def odd(n, a):
    if n == 0:
        return a
    a[1] += 1
    return even(n - 1, a)


def each_other(n):
    a = np.zeros(5)
    r = even(n, a)
    r[2] = 7
    s = odd(n, r)
    s[3] = 1
    return a, s is a


def in_a_loop(n):
    a = np.zeros(9)
    for _ in range(n):
        r = fill(n, a)
        r[0] += 1
    return a


def in_a_branch(n):
    a = np.zeros(9)
    if n > 2:
        r = fill(n, a)
        r[0] += 1
    return a


def called_with_its_result(n):
    a = np.zeros(9)
    fill(n, fill(n, a))[0] = 3
    return a


@pytest.mark.parametrize(
    'f',
    [
        array_filled, array_passed, list_filled, list_passed, lists_in_a_list, second_of_two,
        in_a_tuple, sorted_in_place, merged, list_around, dict_filled, object_moved,
        array_of_an_object, each_other, in_a_loop, in_a_branch, called_with_its_result,
    ],
)  # fmt: skip
def test_is_another_name_for_what_the_caller_has(f):
    check(f, *NS)


def array_or_new(n, a):
    if n == 0:
        return a
    if n == 3:
        return a * 2
    a[n] = n
    return array_or_new(n - 1, a)


def dict_or_new(n, d):
    if n == 0:
        return d
    if n == 3:
        return {'x': n}
    return dict_or_new(n - 1, d)


def by_way_of(n, d):
    return dict_or_new(n, d)


def read_only(n):
    a = np.zeros(9)
    r = array_or_new(n, a)
    d = {'x': n}
    return r, a, r.sum() + a.sum(), dict_or_new(n, d), d


def the_only_name(n):
    a, d = np.zeros(9), {'x': n}
    a, d = array_or_new(n, a), dict_or_new(n, d)
    a[0] = 5
    return a, d


def the_only_name_of_a_dict(n):
    d = {'x': n}
    if n > 1:
        d = by_way_of(n, d)
    d['x'] = d['x'] + 1
    return d


def the_only_place(n):
    p = Point({'x': n}, n)
    p.x = by_way_of(n, p.x)
    p.x['x'] += 1
    return p


def copied(n):
    a, d = np.zeros(9), {'x': n}
    r, s = array_or_new(n, a).copy(), dict_or_new(n, d).copy()
    r[0], s['x'] = 5, n * 7
    return a, r, d, s


@pytest.mark.parametrize(
    'f', [read_only, the_only_name, the_only_name_of_a_dict, the_only_place, copied])
def test_may_be_a_new_one(f):
    check(f, *NS)


def array_modified(n):
    a = np.zeros(9)
    r = array_or_new(n, a)
    r[0] = 5
    return a


def dict_modified(n):
    d = {'x': n}
    r = dict_or_new(n, d)
    r['x'] = n * 7
    return d


def given_modified(n):
    d = {'x': n}
    r = dict_or_new(n, d)
    d['x'] = n * 7
    return r


@pytest.mark.parametrize('f', [array_modified, dict_modified, given_modified])
def test_what_may_be_a_new_one_is_not_modified_beside_the_other_name(f):
    with pytest.raises(ag.errors.OwnershipError, match=r'\.copy\(\)'):
        ag.function(f)(np.int64(3))


@pytest.mark.parametrize('f', [array_or_new, dict_or_new])
def test_only_the_running_graph_knows_whether_it_is_new(f):
    def same(n):
        given = np.zeros(9) if f is array_or_new else {'x': n}
        return f(n, given) is given

    with pytest.raises(ag.errors.StagingError, match='only the running graph knows'):
        ag.function(same)(np.int64(3))


def test_a_result_that_is_only_read_costs_no_copy():
    code = ag.function(array_filled).get_concrete_function(np.int64(3)).lowered_code
    assert 'copy(' not in code


def replaced_dict(k, d):
    if k == 0:
        return d
    if k == 2:
        d = {'x': k}
    d['x'] = d['x'] + 1
    return replaced_dict(k - 1, d)


def replaced_before_the_call(k, d):
    if k > 2:
        d = {'x': d['x'] * 2}
    if k == 0:
        return d
    d = replaced_before_the_call(k - 1, d)
    d['x'] += 1
    return d


def replaced_in_a_loop(k, d):
    if k <= 0:
        return d
    while d['x'] > 3:
        d = {'x': d['x'] - 2}
    d['x'] += k
    return replaced_in_a_loop(k - 1, d)


def replaced_without_a_result(k, d):
    if k > 0:
        if k == 2:
            d = {'x': k}
        d['x'] += 1
        replaced_without_a_result(k - 1, d)


def replaced_by_an_expression(k, d):
    d = d if k != 2 else {'x': k}
    d['x'] += 1
    return d if k <= 0 else replaced_by_an_expression(k - 1, d)


def replaced_list(k, d):
    if k == 0:
        return d
    if k == 2:
        d = [k]
    d[0] += 1
    return replaced_list(k - 1, d)


def replaced_part(k, d):
    if k == 0:
        return d
    if k == 2:
        d['q'] = {'x': k}
    d['q']['x'] += 1
    return replaced_part(k - 1, d)


def replaced_object(k, p):
    if k == 0:
        return p
    if k == 2:
        p = Point(k, k)
    p.x = p.x + 1
    return replaced_object(k - 1, p)


@pytest.mark.parametrize(
    ('recursive', 'make'),
    [
        (replaced_dict, lambda n: {'x': n}),
        (replaced_before_the_call, lambda n: {'x': n}),
        (replaced_in_a_loop, lambda n: {'x': n}),
        (replaced_without_a_result, lambda n: {'x': n}),
        (replaced_by_an_expression, lambda n: {'x': n}),
        (replaced_list, lambda n: [n]),
        (replaced_part, lambda n: {'q': {'x': n}}),
        (replaced_object, lambda n: Point(n, n)),
    ],
)
def test_what_may_have_another_name_is_not_modified_beside_the_callers(recursive, make):
    def f(n):
        d = make(n)
        r = recursive(n, d)
        return d, r

    with pytest.raises(ag.errors.OwnershipError, match=r'Give it a copy at every call.*copy\('):
        ag.function(f)(np.int64(3))


def the_result_alone(n):
    d = {'x': n}
    d = replaced_before_the_call(n, d)
    return d


def copies(k, d):
    if k == 0:
        return d
    if k == 2:
        d = {'x': k}
    d['x'] = d['x'] + 1
    return copies(k - 1, d.copy())


def copied_at_every_call(n):
    d = {'x': n}
    r = copies(n, d.copy())
    return d, r


def in_its_place(k, d):
    if k == 0:
        return d
    if k == 2:
        d.clear()
        d.update({'x': k})
    d['x'] = d['x'] + 1
    return in_its_place(k - 1, d)


def changed_in_its_place(n):
    d = {'x': n}
    r = in_its_place(n, d)
    return d, r, r is d


@pytest.mark.parametrize('f', [the_result_alone, copied_at_every_call, changed_in_its_place])
def test_a_copy_may_be_modified_by_a_name_that_may_stand_for_another(f):
    check(f, *NS)


def test_one_of_two_that_are_given_is_refused_at_once():
    def trade(k, d, e):
        if k <= 0:
            return d['x']
        if k == 2:
            d, e = e, d
        d['x'] += 1
        return trade(k - 1, d, e)

    def f(n):
        return trade(n, {'x': n}, {'x': n * 2})

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.int64(3))
