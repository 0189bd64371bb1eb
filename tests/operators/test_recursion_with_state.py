"""Recursive functions on tensors that change what is around them: variables, lists, objects."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

NUMBERS = [(np.int64(4),), (np.int64(0),)]
GRIDS = [(np.array(x),) for x in ([[1, 0], [0, 1]], [[1, 1], [0, 1]], [[0, 0], [0, 0]])]


def islands(grid):
    grid = grid.copy()
    found = 0

    def fill(i, j):
        if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] == 0:
            return
        grid[i, j] = 0
        fill(i + 1, j)
        fill(i - 1, j)
        fill(i, j + 1)
        fill(i, j - 1)

    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if grid[i, j] == 1:
                found += 1
                fill(i, j)
    return found, grid


def test_an_array_around_it():
    check(islands, *GRIDS)


def hanoi(n):
    moves = []

    def move(n, start, over, end):
        if n == 0:
            return
        move(n - 1, start, end, over)
        moves.append((start, end))
        move(n - 1, over, start, end)

    move(n, 0, 1, 2)
    return len(moves), moves


def given_list(n):
    def visit(k, seen):
        if k <= 0:
            return
        visit(k - 1, seen)
        seen.append(k)
        visit(k - 2, seen)

    seen = []
    visit(n, seen)
    return seen


def two_lists_that_trade_places(n):
    a, b = [], []

    def visit(k, x, y):
        if k <= 0:
            return
        x.append(k)
        visit(k - 1, y, x)

    visit(n, a, b)
    return a, b


def counter(n):
    calls, half = 0, 0.0

    def visit(k):
        nonlocal calls, half
        calls += 1
        half += 0.5
        if k > 0:
            visit(k - 1)

    if n > 2:
        visit(n)
    for i in range(2):
        visit(n - i)
    return calls, half


def smallest(n):
    best = None

    def visit(k):
        nonlocal best
        if k <= 0:
            return
        if best is None or k < best:
            best = k
        visit(k - 1)

    visit(n)
    return best


def in_a_dict(n):
    counts = {'calls': [0, 0]}

    def visit(k):
        counts['calls'][1] += 1
        if k > 0:
            visit(k - 1)

    visit(n)
    return counts


def given_dict(n):
    def visit(k, counts):
        if k > 0:
            counts['calls'] += 1
            visit(k - 1, counts)
        return counts

    return visit(n, {'calls': 0})


def another_array(n):
    total = np.zeros(2)

    def visit(k):
        nonlocal total
        if k > 0:
            total = total + k
            visit(k - 1)

    visit(n)
    return total


def two_that_call_each_other(n):
    log = []

    def even(k):
        if k == 0:
            return True
        log.append(k)
        return odd(k - 1)

    def odd(k):
        if k == 0:
            return False
        log.append(-k)
        return even(k - 1)

    return even(n), log


def remembered(n):
    known = {}

    def fibonacci(k):
        if k < 2:
            return k
        if k in known:
            return known[k]
        known[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(n), len(known)


def seen_before(n):
    seen = set()

    def visit(k):
        if k in seen or k > 9:
            return
        seen.add(k)
        visit(k * 2 + 1)
        visit(k + 3)

    visit(n)
    return len(seen)


def appended_after_it(n):
    out = []

    def visit(k):
        if k > 0:
            visit(k - 1)
            out.append(k)

    visit(n)
    return out


@pytest.mark.parametrize('f', [
    remembered, seen_before, appended_after_it, hanoi, given_list, two_lists_that_trade_places,
    counter, smallest, in_a_dict, given_dict, another_array, two_that_call_each_other,
])
def test_lists_and_variables_around_it(f):
    check(f, *NUMBERS, joins=True)


def subset(xs, wanted):
    chosen, found = [], False

    def search(i, total):
        nonlocal found
        if total == wanted:
            found = True
        if found or i == len(xs) or total > wanted:
            return
        chosen.append(xs[i])
        search(i + 1, total + xs[i])
        if found:
            return
        chosen.pop()
        search(i + 1, total)

    search(np.int64(0), np.int64(0))
    return found, chosen


def test_backtracking():
    xs = np.array([3, 1, 2, 4])
    check(subset, (xs, np.int64(5)), (xs, np.int64(11)), (xs, np.int64(0)))


def queens(n):
    columns, total = np.full(10, -1), 0

    def is_free(row, column):
        for i in range(row):
            if columns[i] == column or abs(columns[i] - column) == row - i:
                return False
        return True

    def place(row):
        nonlocal total
        if row == n:
            total += 1
            return
        for column in range(n):
            if is_free(row, column):
                columns[row] = column
                place(row + 1)
                columns[row] = -1

    place(np.int64(0))
    return total, columns


def test_it_calls_itself_in_a_loop():
    check(queens, (np.int64(5),), (np.int64(1),))


class Tree:
    """A search tree in arrays."""

    def __init__(self):
        self.keys, self.left, self.right = (np.full(8, -1) for _ in range(3))
        self.size = 0

    def insert(self, node, key):
        if node < 0:
            self.keys[self.size] = key
            self.size += 1
            return self.size - 1
        if key < self.keys[node]:
            self.left[node] = self.insert(self.left[node], key)
        else:
            self.right[node] = self.insert(self.right[node], key)
        return node

    def visit(self, node, seen):
        if node < 0:
            return
        self.visit(self.left[node], seen)
        seen.append(self.keys[node])
        self.visit(self.right[node], seen)


def tree_sort(xs):
    tree, root, seen = Tree(), -1, []
    for x in xs:
        root = tree.insert(root, x)
    tree.visit(root, seen)
    return seen, tree.size


def test_a_method_changes_its_object():
    check(tree_sort, (np.array([3, 1, 2, 5, 4]),), (np.array([5, 4, 3, 2, 1]),))


@dataclasses.dataclass
class Best:
    calls: int = 0
    value: float = -1.0


def given_object(xs):
    def visit(i, best):
        if i >= len(xs):
            return
        best.calls += 1
        if xs[i] > best.value:
            best.value = xs[i]
        visit(i + 1, best)

    best = Best()
    visit(np.int64(0), best)
    return best.calls, best.value


def test_an_object_that_it_is_given():
    check(given_object, (np.array([1.0, 5.0, 2.0]),), (np.array([3.0, 2.0, 1.0]),), joins=True)


class Counter:
    calls = 0

    def visit(self, n):
        self.calls += 1
        return self.visit(n - 1) if n > 0 else n


def test_an_attribute_of_an_object_outside():
    mine, theirs = Counter(), Counter()
    graph = ag.function(mine.visit)
    for n in np.int64(3), np.int64(0), np.int64(2):
        assert graph(n) == theirs.visit(n)
        assert mine.calls == theirs.calls
    assert graph.tracing_count == 1


def test_what_a_handler_would_find_is_refused():
    def f(n):
        calls = 0

        def visit(k):
            nonlocal calls
            calls += 1
            if k < 0:
                raise ValueError('negative')
            return visit(k - 1)

        try:
            return visit(n)
        except ValueError:
            return calls

    with pytest.raises(ag.errors.OwnershipError, match='changes calls and then raises'):
        ag.function(f)(np.int64(3))


def test_another_name_for_what_it_is_given_is_refused():
    def f(n):
        mine = {'calls': 0}
        yours = mine

        def visit(k, counts):
            if k <= 0:
                return yours['calls']
            counts['calls'] += 1
            return visit(k - 1, counts)

        return visit(n, mine)

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.int64(3))


def test_a_try_in_it_beside_what_it_changes_is_refused():
    def f(n):
        calls, log = 0, []

        def visit(k):
            nonlocal calls
            calls += 1
            try:
                if k == 5:
                    raise ValueError(f'five {k}')
                if k > 0:
                    return visit(k - 3)
            except ValueError:
                calls += 1000
                return -k
            finally:
                log.append(k)
            return k

        return visit(n), calls, log

    with pytest.raises(ag.errors.OwnershipError, match='changes calls and then raises'):
        ag.function(f)(np.int64(6))


def swapping(n):
    moves = []

    def move(k, a, b):
        if k == 0:
            return
        move(k - 1, b, a)
        moves.append((a, b))

    move(n, 'A', 'B')
    return moves


def test_calls_in_between_that_are_given_the_same_in_another_order():
    check(swapping, (np.int64(3),), (np.int64(0),))


def minimax(a, d):
    def best(i, is_mine):
        if i >= d:
            return a[i % len(a)]
        left = best(2 * i + 1, not is_mine)
        right = best(2 * i + 2, not is_mine)
        return max(left, right) if is_mine else min(left, right)

    return best(0, True)


def test_a_call_that_is_given_no_tensor_and_is_ended_by_one():
    cases = [(np.array([1.0, 2.0, 3.0, 4.0]), np.int64(n)) for n in (3, 0, 9)]
    check(minimax, *cases)


def test_calls_that_python_ends_are_unrolled():
    def times(x, n):
        def go(k):
            if k == 30:
                return x
            if x > n + k:
                return x + k
            return go(k + 1)

        return go(0)

    check(times, *[(np.float64(x), np.float64(10.0)) for x in (5.0, 20.0, 100.0)])


def countdown(n, out=None):
    if out is None:
        out = []
    if n == 0:
        return out
    out.append(n)
    return countdown(n - 1, out)


def test_a_list_that_is_none_at_first():
    check(countdown, *NUMBERS)
    check(lambda n: countdown(n), *NUMBERS)


FILLED = [0]


def test_a_list_outside_that_a_recursive_function_is_given_is_put_back():
    def fill(rows, x):
        rows[0] += 1
        rows.append(7)
        if x < 1:
            return rows[0]
        return fill(rows, x - 1)

    def gives(x):
        return fill(FILLED, x)

    def puts_back(x):
        own = FILLED.copy()
        found = fill(own, x)
        FILLED[:] = own
        return found

    def by_name(x):
        FILLED[0] += 1
        FILLED.append(7)
        if x < 1:
            return FILLED[0]
        return by_name(x - 1)

    with pytest.raises(ag.errors.OwnershipError, match='changes a list outside that it is given'):
        ag.function(gives)(np.float64(2.5))
    for f in puts_back, by_name:
        FILLED[:] = [0]
        assert ag.function(f)(np.float64(2.5)) == 3
        assert FILLED == [3, 7, 7, 7]
