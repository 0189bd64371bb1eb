"""Recursive functions that begin with a number of Python's, or put back what they have changed."""
from __future__ import annotations

import functools

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def placed(place_first):
    def f(n):
        columns, up, down, total = np.zeros(8, bool), np.zeros(16, bool), np.zeros(16, bool), 0

        def place(row):
            nonlocal total
            if row == n:
                total += 1
                return
            for c in range(n):
                if columns[c] or up[row + c] or down[row - c + 8]:
                    continue
                columns[c] = up[row + c] = down[row - c + 8] = True
                place(row + 1)
                columns[c] = up[row + c] = down[row - c + 8] = False

        place_first(place)
        return total, columns

    return f


class Filled:
    def __init__(self, n):
        self.marks, self.calls, self.n = np.zeros(9, int), 0, n

    def go(self, k):
        self.calls += 1
        if k >= self.n:
            return
        for i in range(k, self.n):
            if self.marks[i] == 0:
                self.marks[i] = k + 1
                self.go(i + 1)


def filled_by_a_method(n):
    it = Filled(n)
    it.go(0)
    return it.marks, it.calls


def filled_by_turns(n):
    marks = np.zeros(9, int)

    def first(k):
        if k < n:
            marks[k] += 1
            second(k + 1)

    def second(k):
        if k < n:
            marks[k] += 2
            third(k=k + 1)

    def third(k):
        for i in range(2):
            if k < n and marks[k] == 0 and i == k % 2:
                first(k)

    first(0)
    return marks


def by_a_function_that_is_given_itself(n):
    marks = np.zeros(9, int)

    def up(self, k):
        if k >= n:
            return 0
        marks[k] = k
        return 1 + self(self, k + 1)

    return up(up, 0), marks


def by_partial(n):
    marks = np.zeros(9)

    def go(marks, k, value=1.0):
        if k < n:
            marks[k] = value
            further = functools.partial(go, marks, value=value + 1)
            further(k + 1)

    go(marks, 0)
    return marks


def by_a_cache(n):
    @functools.cache
    def ways(k):
        return 1 if k >= n else ways(k + 1) + ways(k + 2)

    return ways(0)


@pytest.mark.parametrize('f', [
    placed(lambda place: place(0)), placed(lambda place: place(row=0)),
    placed(lambda place: place(np.int64(0))), filled_by_a_method, filled_by_turns,
    by_a_function_that_is_given_itself, by_partial, by_a_cache,
])
def test_it_begins_with_a_python_number_and_changes_an_array(f):
    check(f, *[(np.int64(n),) for n in (4, 0, 5, 1)])


def test_python_ends_it_after_many_calls():
    def f(x):
        used = np.zeros(7, bool)

        def place(row):
            if row == 7:
                return 1
            found = 0
            for c in range(7):
                if not used[c] and c + row > x:
                    used[c] = True
                    found += place(row + 1)
                    used[c] = False
            return found

        return place(0), used

    graph = check(f, (np.int64(4),), (np.int64(99),), (np.int64(5),))
    assert 'place(row + 1' in graph.traces[0].lowered_code


def deepest(n):
    depth, most = 0, 0

    def go(k):
        nonlocal depth, most
        depth += 1
        most = max(most, depth)
        if k > 0:
            go(k - 1)
        depth -= 1

    go(n)
    return most, depth


def path_put_back(n):
    path = []

    def go(k):
        if k == 0:
            return len(path)
        path.append(k)
        found = go(k - 1)
        path.pop()
        return found

    return go(n), path


class Level:
    level = 0

    def go(self, k):
        if k == 0:
            return self.level
        self.level += 1
        found = self.go(k - 1)
        self.level -= 1
        return found


def attribute_put_back(n):
    return Level().go(n)


def items_put_back(n):
    used, held = [False, False], {'calls': 0}

    def go(k):
        if k == 0:
            return used[0], held['calls']
        used[0], held['calls'] = True, held['calls'] + 1
        found = go(k - 1)
        used[0], held['calls'] = False, held['calls'] - 1
        return found

    return go(n)


def by_way_of_another(n):
    depth = 0

    def go(k):
        nonlocal depth
        if k == 0:
            return depth
        depth += 1
        found = between(k - 1)
        depth -= 1
        return found

    def between(k):
        return depth * 10 if k == 0 else go(k - 1)

    return go(n)


def in_turns_of_a_loop(n):
    depth = 0

    def go(k):
        nonlocal depth
        if k == 0:
            return depth
        found = 0
        for i in range(k):
            depth += i
            found += go(k - 1)
            depth -= i
        return found

    return go(n)


def longest_kept(n):
    path, best = [], []

    def go(k):
        nonlocal best
        if k == n:
            if len(path) > len(best):
                best = path[:]
            return
        path.append(k)
        go(k + 1)
        path.pop()
        go(k + 1)

    go(0)
    return best


@pytest.mark.parametrize('f', [
    deepest, path_put_back, attribute_put_back, items_put_back, by_way_of_another,
    in_turns_of_a_loop, longest_kept,
])
def test_what_is_put_back_after_the_call_is_another_in_it(f):
    check(f, *[(np.int64(n),) for n in (3, 0, 1, 4)])


def test_a_text_that_grows_until_the_call_is_over_is_refused():
    def f(n):
        indent = ''

        def go(k):
            nonlocal indent
            if k == 0:
                return len(indent)
            indent += '  '
            found = go(k - 1)
            indent = indent[:-2]
            return found

        return go(n)

    with pytest.raises(ag.errors.StagingError, match="'go' calls itself ever deeper"):
        ag.function(f)(np.int64(3))


SEEN = np.zeros(9)


def test_one_that_begins_with_a_python_number_fills_an_array_outside():
    def mark(k, n):
        if k < n:
            SEEN[k] = k + 1
            mark(k + 1, n)

    def f(n):
        SEEN[:] = 0
        mark(0, n)
        return SEEN.sum(), SEEN.copy()

    check(f, (np.int64(3),), (np.int64(0),))

    def mark_given(seen, k, n):
        if k < n:
            seen[k] = k + 1
            mark_given(seen, k + 1, n)

    def given(n):
        seen = np.zeros(9)
        mark_given(seen, 0, n)
        return seen

    check(given, (np.int64(3),), (np.int64(0),))
