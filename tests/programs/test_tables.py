"""Tables that are filled by what is in them: dynamic programming, with rolling rows too."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

DISTANCES = np.array([[0.0, 3, 9, 8], [3, 0, 2, 7], [9, 2, 0, 1], [8, 7, 1, 0]])
WORDS = (np.array([1, 2, 3, 4, 3]), np.array([2, 3, 1, 3]))


def floyd(d):
    d = d.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def bellman(w):
    n = len(w)
    d = np.full(n, np.inf)
    d[0] = 0
    while True:
        nd = d.copy()
        for u in range(n):
            for v in range(n):
                if u != v and d[u] + w[u, v] < nd[v]:
                    nd[v] = d[u] + w[u, v]
        if np.array_equal(nd, d):
            break
        d = nd
    return d


def lcs(a, b):
    prev = np.zeros(len(b) + 1, dtype=int)
    for i in range(len(a)):
        cur = np.zeros(len(b) + 1, dtype=int)
        for j in range(len(b)):
            if a[i] == b[j]:
                cur[j + 1] = prev[j] + 1
            else:
                cur[j + 1] = max(cur[j], prev[j + 1])
        prev = cur
    return prev[-1]


def edit_distance(a, b):
    m, n = (len(a), len(b))
    prev = np.arange(n + 1)
    cur = np.zeros(n + 1, dtype=np.int64)
    for i in range(1, m + 1):
        cur[0] = i
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost)
        prev, cur = (cur, prev)
    return prev[n]


def edit_distance_by_lists(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a):
        cur = [i + 1]
        for j, y in enumerate(b):
            cur.append(min(prev[j] + (x != y), prev[j + 1] + 1, cur[j] + 1))
        prev = cur
    return prev[-1]


def knapsack(w, v, cap):
    dp = np.zeros(cap + 1, dtype=int)
    for i in range(len(w)):
        new = dp.copy()
        for c in range(w[i], cap + 1):
            if dp[c - w[i]] + v[i] > new[c]:
                new[c] = dp[c - w[i]] + v[i]
        dp = new
    return (dp[cap], dp)


def sieve(n):
    is_p = np.ones(n + 1, dtype=bool)
    is_p[:2] = False
    i = 2
    while i * i <= n:
        if is_p[i]:
            is_p[i * i::i] = False
        i += 1
    return np.nonzero(is_p)[0]


def merge_sort(x):
    a = x.copy()
    bb = np.empty_like(a)
    n = len(a)
    w = 1
    while w < n:
        for lo in range(0, n, 2 * w):
            mid = min(lo + w, n)
            hi = min(lo + 2 * w, n)
            i, j = (lo, mid)
            for k in range(lo, hi):
                if i < mid and (j >= hi or a[i] <= a[j]):
                    bb[k] = a[i]
                    i += 1
                else:
                    bb[k] = a[j]
                    j += 1
        a, bb = (bb, a)
        w *= 2
    return a


CASES = [
    (floyd, (DISTANCES,)),
    (bellman, (DISTANCES,)),
    (lcs, WORDS),
    (edit_distance, WORDS),
    (edit_distance_by_lists, WORDS),
    (knapsack, (np.array([1, 3, 4, 5]), np.array([1, 4, 5, 7]), 7)),
    (sieve, (30,), (np.int64(30),)),
    (merge_sort, (np.array([3.0, 1, 4, 1, 5, 9, 2, 6]),)),
]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case[0].__name__)
def test_tables(case):
    f, *calls = case
    check(f, *calls, traces=len(calls), joins=True)
