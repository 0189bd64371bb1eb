"""Recursive functions on tensors that modify the arrays that they are given."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check, joined

import autograph_lite as ag

XS = [(np.array(x),) for x in ([3.0, 1.0, 2.0, 5.0, 4.0], [-3.0, -1.0, -2.0, -5.0, -4.0])]


def qrec(a, lo, hi):
    if lo < hi:
        p = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        qrec(a, lo, i - 1)
        qrec(a, i + 1, hi)


def sorted_in_place(a):
    a = a.copy()
    qrec(a, 0, len(a) - 1)
    return a


def another_array_stays(a):
    b = a.copy()
    qrec(b, np.argmin(a) * 0, len(b) - 1)
    return a, b, a + b


def two_names(a):
    b = a.copy()
    c = b
    qrec(b, 0, len(a) - 1)
    return c, b


def fill(a, k):
    if k >= len(a):
        return 0.0
    a[k] = a[k] * 2 + k
    return a[k] + fill(a, k + 1)


def result_beside_the_array(a):
    b = a.copy()
    n = np.argmax(a)
    s = fill(b, n)
    return s, b


def called_in_a_for(a):
    x = a.copy()
    for i in range(len(a)):
        if a[i] > 2:
            fill(x, i)
    return x


def called_in_a_while(a):
    x = a.copy()
    while x.sum() < 100:
        fill(x, np.argmin(x))
        x = x + 1
    return x


def view_of_it(a):
    x = a.copy()
    v = x[1:]
    fill(x, np.argmax(a))
    return v, x


def array_in_a_dict(a):
    d = {'x': a.copy()}
    fill(d['x'], np.argmax(a))
    return d


def row_of_it(a):
    m = np.outer(a, a)
    fill(m[0], np.argmax(a))
    return m, m.sum()


def ret(a, k):
    if k < len(a):
        a[k] += 1
        return ret(a, k + 1)
    return a


def returned_as_well(a):
    b = a.copy()
    c = ret(b, np.argmax(a))
    return b, c


def two(a, b, k):
    if k > 0:
        a[k] = b[k]
        b[k - 1] = a[k - 1] + 1
        two(b, a, k - 1)


def two_arrays_that_trade_places(a):
    x, y = a.copy(), a * 2
    two(x, y, np.argmax(a))
    return x, y


def flood(g, i, j, c):
    if i < 0 or j < 0 or i >= g.shape[0] or j >= g.shape[1]:
        return 0
    if g[i, j] != 0:
        return 0
    g[i, j] = c
    across = flood(g, i + 1, j, c) + flood(g, i - 1, j, c)
    return 1 + across + flood(g, i, j + 1, c) + flood(g, i, j - 1, c)


def filled_area(a):
    g = np.zeros((4, 4), dtype=int)
    g[1, :3] = 1
    n = flood(g, np.argmax(a) * 0, 3, 7)
    return g, n


def perm(a, k, out):
    if k == len(a):
        out += a * a[0]
        return
    for i in range(k, len(a)):
        a[k], a[i] = a[i], a[k]
        perm(a, k + 1, out)
        a[k], a[i] = a[i], a[k]


def permutations(a):
    b, out = a[:3].copy(), np.zeros(3)
    perm(b, np.argmax(a) * 0, out)
    return b, out


def even(a, k):
    if k > 0:
        a[k] += 1
        odd(a, k - 1)


def odd(a, k):
    if k > 0:
        a[k] -= 1
        even(a, k - 1)


def two_that_call_each_other(a):
    b = a.copy()
    even(b, np.argmax(a))
    return b


def aug(a, k):
    if k > 0:
        a += k
        aug(a, k - 1)


def whole_array(a):
    b = a.copy()
    aug(b, np.argmax(a))
    return b


def rows(m, k):
    if k < len(m):
        r = m[k]
        r *= 2
        rows(m, k + 1)


def rows_of_a_matrix(a):
    m = np.outer(a, a)
    rows(m, np.argmin(a))
    return m


def copies(a, k):
    if k > 0:
        a = a.copy()
        a[k] = 0.0
        return copies(a, k - 1)
    return a


def copy_in_it(a):
    b = a.copy()
    c = copies(b, np.argmax(a))
    return b, c


def msort(a, tmp, lo, hi):
    if hi - lo < 2:
        return
    mid = (lo + hi) // 2
    msort(a, tmp, lo, mid)
    msort(a, tmp, mid, hi)
    i, j, k = lo, mid, lo
    while k < hi:
        if j >= hi or (i < mid and a[i] <= a[j]):
            tmp[k] = a[i]
            i += 1
        else:
            tmp[k] = a[j]
            j += 1
        k += 1
    for k in range(lo, hi):
        a[k] = tmp[k]


def merge_sort(a):
    b = a.copy()
    msort(b, np.zeros_like(a), np.argmax(a) * 0, len(a))
    return b


def filled(a, k):
    if k < len(a):
        a[k] = a[k] * 2 + k
        filled(a, k + 1)


def what_was_read_before(a):
    b = a.copy()
    s = b[0] + b[1]
    t = b.sum()
    u = b * 2
    w = b[2]
    filled(b, np.argmin(a) * 0)
    return s + 1, t * 2, u + 1, w * 3, b


def equal_arrays(a):
    b = a * 2
    c = a * 2
    filled(b, np.argmin(a) * 0)
    return b, c


def between_calls(a):
    t = 0.0
    b = a.copy()
    for i in range(len(a)):
        t += b.sum()
        filled(b, i)
        t -= b[0]
    return t, b


def copies_and_differences(a):
    b = a.copy()
    c = b + 0
    filled(b, np.argmin(a) * 0)
    filled(c, np.argmin(a) * 0)
    d = c - b
    filled(c, np.argmin(a))
    return b, c, d


def rows_put_back(a):
    m = np.outer(a, a)
    for row in range(5):
        r = m[row].copy()
        filled(r, np.argmin(a))
        m[row] = r
    return m


def left_by_a_break(a):
    b = a.copy()
    n = 0
    while n < 3:
        n += 1
        if b[0] > 2:
            filled(b, np.argmin(a) * 0)
            break
        b = b + 1
    return b, n


def rec2(a, k):
    if k < len(a):
        old = a[0]
        tot = a.sum()
        a[k] = a[k] + 1
        rec2(a, k + 1)
        a[0] = a[0] + old + tot


def read_before_the_call_in_it(a):
    b = a.copy()
    rec2(b, np.argmin(a) * 0)
    return b


def rec3(a, k):
    if k < len(a):
        c = a.copy()
        rec3(c, k + 1)
        a[k] = c.sum()
        rec3(a, k + 1)


def copies_at_each_depth(a):
    b = a.copy()
    rec3(b, np.argmin(a) * 0)
    return b


def rec5(a, k):
    if k < len(a):
        if a[k] > 2:
            a[k] = 0
        elif a[k] < 0:
            return rec5(a, k + 2)
        for j in range(k):
            a[j] -= 1
        return rec5(a, k + 1) + a[k]
    return a[0] * 1


def early_returns(a):
    b = a.copy()
    r = rec5(b, np.argmin(a) * 0)
    return r, b


def go(a, lo, hi):
    if lo < hi:
        a[lo] += lo
        a = go(a, lo + 1, hi)
    return a


def rebound_in_a_branch(a):
    b = a * 2
    b = go(b, np.argmin(a) * 0, len(a))
    b[0] = 7.0
    return go(b, np.argmax(a), len(a))


def rebound_after_an_early_return(a, k):
    if k == 0:
        return a
    a[k] *= 2
    a = rebound_after_an_early_return(a, k - 1)
    a[0] += 1
    return a


def rebound(a):
    return rebound_after_an_early_return(a.copy(), np.argmax(a))


def partition(a, lo, hi):
    i = lo
    for j in range(lo, hi):
        if a[j] < a[hi]:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    return a, i


def quick(a, lo, hi):
    if lo < hi:
        a, middle = partition(a, lo, hi)
        a = quick(a, lo, middle - 1)
        a = quick(a, middle + 1, hi)
    return a


def quicksort(a):
    return quick(a.copy(), np.argmin(a) * 0, len(a) - 1)


class Walker:
    def walk(self, out, n, k):
        if k > 0:
            out[n] = k
            out, n = self.walk(out, n + 1, k - 1)
            out[0] += 1
        return out, n


def two_results(a):
    out, n = np.zeros(9), np.argmin(a) * 0
    out, n = Walker().walk(out, n, np.argmax(a))
    return out, n


def perhaps_a_copy(a, k):
    if k > 0:
        a[k] = k
        if k > 2:
            a = a * 2
        a = perhaps_a_copy(a, k - 1)
        a[0] += 1
    return a


def another_array_on_some_ways(a):
    b = a + 1
    total = b.sum() + b[1]
    c = perhaps_a_copy(b, np.argmax(a))
    return c, total, c.sum()


@pytest.mark.parametrize(
    'f',
    [
        sorted_in_place, another_array_stays, two_names, result_beside_the_array, called_in_a_for,
        called_in_a_while, view_of_it, array_in_a_dict, row_of_it, returned_as_well,
        two_arrays_that_trade_places, filled_area, permutations, two_that_call_each_other,
        whole_array, rows_of_a_matrix, copy_in_it, merge_sort, what_was_read_before, equal_arrays,
        between_calls, copies_and_differences, rows_put_back, left_by_a_break,
        read_before_the_call_in_it, copies_at_each_depth, early_returns, rebound_in_a_branch,
        rebound, quicksort, two_results, another_array_on_some_ways,
    ],
)  # fmt: skip
def test_modified_in_place(f):
    check(f, *XS)


def test_the_callers_array():
    def f(a):
        qrec(a, 0, len(a) - 1)
        return a

    check(f, *XS)


def test_one_array_given_twice_is_refused():
    def f(a):
        x = a.copy()
        two(x, x, np.argmax(a))
        return x

    with pytest.raises(ag.errors.OwnershipError, match="'two' modifies 'a'"):
        ag.function(f)(*XS[0])


def test_what_a_call_gives_a_new_value_has_another_name():
    def f(a):
        b = a * 2
        c = b
        b = go(b, np.argmin(a) * 0, len(a))
        b[0] = 7
        return b, c

    check(f, *XS)


def test_no_call_copies():
    code = ag.function(merge_sort).get_concrete_function(*XS[0]).lowered_code
    assert code.count('copy(') == 1


class Sets:
    """Which of them are one, with paths that are made shorter."""

    def __init__(self):
        self.parents = np.arange(5)

    def find(self, i):
        if self.parents[i] != i:
            self.parents[i] = self.find(self.parents[i])
        return self.parents[i]

    def find_given(self, i):
        return find(self.parents, i)

    def find_in_a_loop(self, i):
        while self.parents[i] != i:
            self.parents[i] = self.parents[self.parents[i]]
            i = self.parents[i]
        return i


def find(parents, i):
    if parents[i] != i:
        parents[i] = find(parents, parents[i])
    return parents[i]


EDGES = [np.array(x) for x in ([[0, 1], [1, 2], [3, 4]], [[2, 4], [0, 4]], [[0, 0]])]


@pytest.mark.parametrize('method', ['find', 'find_given', 'find_in_a_loop'])
def test_an_array_outside_is_modified(method):
    mine, theirs = Sets(), Sets()

    def union(sets):
        ask = getattr(sets, method)

        def f(edges):
            for a, b in edges:
                x, y = ask(a), ask(b)
                if x != y:
                    sets.parents[y] = x
            return sets.parents.sum()
        return f

    graph, plain = ag.function(union(mine)), union(theirs)
    for edges in EDGES:
        assert graph(edges) == plain(edges)
        assert mine.parents.tolist() == theirs.parents.tolist()


MEMO = np.zeros(20)
TABLE = np.zeros((2, 3))
ROW = TABLE[1]


def fib(n):
    if n < 2:
        return n * 1.0
    if MEMO[n] == 0:
        MEMO[n] = fib(n - 1) + fib(n - 2)
    return MEMO[n]


def remembered(n):
    return fib(n), MEMO.sum()


def items_and_rows(n):
    TABLE[0, 0] = 2

    def down(k):
        if k <= 0:
            return TABLE.sum()
        TABLE[k % 2, k % 3] += k
        found = down(k - 1) + TABLE[0, 0]
        TABLE[k % 2] -= 1
        return found

    found = down(n)
    TABLE[1, 1] = 9
    return found


def row_of_it(n):
    def down(k):
        if k > 0:
            ROW[k % 3] += k
            down(k - 1)

    down(n)
    return ROW.sum()


def up(k):
    if k == 0:
        return TABLE[0, 0]
    TABLE[0, 0] += 1
    return upper(k - 1)


def upper(k):
    TABLE[1, 1] += 2
    return up(k - 1) if k > 0 else TABLE[1, 1]


def each_other_in_a_loop(n):
    total = 0.0
    for i in range(n):
        total += up(n - i)
    return total


def returned(n):
    def down(k):
        if k <= 0:
            return TABLE
        TABLE[0, 0] += k
        return down(k - 1)

    return down(n)


@pytest.mark.parametrize(
    'f', [remembered, items_and_rows, row_of_it, each_other_in_a_loop, returned])
def test_an_array_of_the_module_is_modified(f):
    graph = ag.function(f)
    for n in map(np.int64, (6, 0, 1, 2, 4)):
        expected, *others = [_left_by(way, n) for way in (f, ag.to_graph(f), graph)]
        for each in others:
            assert joined(expected, each)
    assert graph.tracing_count == 1


def _left_by(way, n):
    MEMO[:], TABLE[:] = 0, 0
    result = way(n)
    return np.copy(result), MEMO.copy(), TABLE.copy()


def test_an_array_of_the_module_has_the_name_by_which_it_is_given_back():
    def f(n):
        def same(k):
            return TABLE if k == 0 else same(k - 1)

        r = same(n)
        r[0, 0] = 5
        return TABLE[0, 0]

    def g(n):
        def same(k):
            return TABLE if k == 0 else same(k - 1)

        return same(n) is TABLE

    with pytest.raises(ag.errors.OwnershipError, match='through another name'):
        ag.function(f)(np.int64(3))
    with pytest.raises(ag.errors.StagingError, match='only the running graph knows'):
        ag.function(g)(np.int64(3))


def test_an_array_of_the_module_is_given_its_new_value_in_its_place():
    def doubled(k):
        global MEMO
        if k <= 0:
            return MEMO.sum()
        MEMO[k] += 1
        found = doubled(k - 1)
        MEMO = MEMO * 2
        return found

    with pytest.raises(ag.errors.OwnershipError, match=r"modifies 'MEMO', which") as caught:
        ag.function(lambda n: doubled(n))(np.int64(3))
    assert '`MEMO[...] = MEMO * 2` for `MEMO = MEMO * 2`' in str(caught.value)

    def advised(k):
        if k <= 0:
            return MEMO.sum()
        MEMO[k] += 1
        found = advised(k - 1)
        MEMO[...] = MEMO * 2
        return found

    def f(n):
        MEMO[:] = 0
        return advised(n), MEMO.copy()

    check(f, *[(np.int64(n),) for n in (3, 0, 1)])
