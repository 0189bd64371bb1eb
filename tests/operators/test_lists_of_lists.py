"""Lists that staged blocks make of lists that staged blocks make."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 3.0, 2.0], [5.0, 4.0, 3.0], [1.0, 1.0, 1.0])]


def larger(xs):
    rows = []
    for x in xs:
        rows.append([y for y in xs if y > x])
    return rows


def put_back(xs):
    rows = larger(xs)
    row = rows[0].copy()
    row.append(xs[0])
    rows[0] = row
    return rows


def each_put_back(xs):
    rows = larger(xs)
    for i in range(len(rows)):
        row = rows[i].copy()
        row.append(xs[0])
        rows[i] = row
    return rows


def longest(xs):
    best = []
    for r in larger(xs):
        if len(r) > len(best):
            best = r
    return best


def asked_in_comprehensions(xs):
    return [r[-1] for r in larger(xs) if r], [len(r) for r in larger(xs)]


def nested_comprehension(xs):
    return [[y * 2 for y in r] for r in larger(xs)]


def lengths(xs):
    n = [len(r) for r in larger(xs)]
    return sorted(n), max(len(r) for r in larger(xs)), sum(len(r) for r in larger(xs))


def enumerated(xs):
    out = []
    for i, r in enumerate(larger(xs)):
        out.append(i * len(r))
    return out


def zipped(xs):
    out = []
    for x, r in zip(xs, larger(xs)):
        out.append(x * len(r))
    return out


def by_indices(xs):
    rows = larger(xs)
    n = xs[0] * 0
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            n += rows[i][j]
    return n


def maxima(xs):
    return [max(r) if r else xs[0] for r in larger(xs)]


def means(xs):
    return [np.mean(r) for r in larger(xs) if len(r) > 0]


def searched(xs):
    out = []
    for r in larger(xs):
        if xs[1] in r:
            out.append(len(r))
    return out


def parts(xs):
    rows = larger(xs)
    return rows[1:], rows[-1], rows + rows


def filtered(xs):
    rows = larger(xs)
    return [r for r in rows if len(r) > 1]


def joined_in_one(xs):
    flat = []
    for r in larger(xs):
        flat += r
    return flat


def popped(xs):
    rows = larger(xs)
    last = rows.pop()
    return last, rows


def in_order(xs):
    return sorted(larger(xs), key=len)


def three_deep(xs):
    cube = []
    for x in xs:
        cube.append([[y for y in xs if y > z] for z in xs if z > x])
    return cube, [len(p) for p in cube], [len(q) for p in cube for q in p]


def shortened(xs):
    r0 = xs[0] * 0
    for r in larger(xs):
        while len(r) > 1:
            r = r[1:]
            r0 += r[0]
    return r0


def grouped(xs):
    groups = {'a': [], 'b': []}
    for r in larger(xs):
        if len(r) > 1:
            groups['a'].append(r)
        else:
            groups['b'].append(r)
    return groups


def copied_and_longer(xs):
    out = []
    for r in larger(xs):
        longer = list(r)
        longer.append(xs[0])
        out.append(longer)
    return out


@pytest.mark.parametrize(
    'f',
    [
        put_back, each_put_back, longest, asked_in_comprehensions, nested_comprehension, lengths,
        enumerated, zipped, by_indices, maxima, means, searched, parts, filtered, joined_in_one,
        popped, in_order, three_deep, shortened, grouped, copied_and_longer,
    ],
)  # fmt: skip
def test_lists_of_lists(f):
    check(f, *VECTORS)


def test_changed_while_it_is_in_the_list():
    def f(xs):
        rows = larger(xs)
        rows[0].append(xs[0])
        return rows

    check(f, *VECTORS)


def test_one_of_several_forms_is_taken_out_in_a_branch():
    def f(x):
        rows = [[1.0, 2.0], [1.0]]
        if x[0] > 0:
            rows.pop(0)
        return rows

    check(f, (np.ones(2),), (-np.ones(2),))


def compared_as_wholes(xs):
    rows = larger(xs)
    return (
        rows == [], rows != [], [] == rows, rows == rows.copy(), rows < [], rows <= rows,
        rows == [[1.0]], rows == [[3.0, 2.0], [], [3.0]])


def asked_for_members(xs):
    rows = larger(xs)
    return (
        rows[0] in rows, [] in rows, [3.0] in rows, [1] not in rows, 1 in rows, None in rows,
        'a' in rows, () in rows)


def compared_with_its_array(xs):
    row = []
    for x in xs:
        row.append(x)
    return xs == row, row == xs, xs != row


def asked_for_what_is_no_number(xs):
    numbers, counts, names, found = [], [], [], []
    for x in xs:
        numbers.append(x)
        counts.append(int(x))
        names.append('a' if x > 1 else 'b')
        found.append(x if x > 1 else None)
    return (
        None in numbers, 'a' in numbers, [] in counts, (1, 2) in counts, None in counts,
        [] in names, 1 in names, 'b' in names, 1 in found, None in found, found[0] in found)


def arrays_beside_none(xs):
    rows = []
    for x in xs:
        rows.append(np.array([x, x]))
    return rows == [], rows != [], rows < []


@pytest.mark.parametrize('f', [
    compared_as_wholes, asked_for_members, compared_with_its_array, asked_for_what_is_no_number,
    arrays_beside_none])
def test_compared_and_asked_as_python_does(f):
    check(f, *VECTORS)


def test_lists_of_the_same_nan_are_not_compared():
    def f(xs):
        rows = [[y for y in xs if y != x] for x in xs]
        others = [[y for y in xs if y != x] for x in xs]
        return rows == others

    with pytest.raises(ag.errors.StagingError, match='NaN is found in a list'):
        ag.function(f)(np.array([1.0, np.nan]))


def test_a_new_list_at_an_index_that_only_the_graph_knows():
    def anew(table, ks):
        for k in ks:
            table[k].append(k)
            if len(table[k]) > 2:
                table[k] = []
        return table

    def in_its_place(table, ks):
        for k in ks:
            table[k].append(k)
            if len(table[k]) > 2:
                table[k].clear()
        return table

    with pytest.raises(ag.errors.StagingError, match=r'`rows\[i\].clear\(\)`'):
        ag.function(anew)([[], []], np.array([1, 1, 1]))
    check(in_its_place, ([[], []], np.array([1, 1, 1])), ([[], []], np.array([1, 0, 1])))
