"""Lists, tuples and comprehensions: growing, popping, indexing, stacks, queues."""
from __future__ import annotations

import itertools

import numpy as np
from programs.rows import A, F, I, program

XS = A(1.0, -2.0, 3.0, -4.0)


@program(XS, -XS, XS[:0], traces=2)
def filter_positive(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
    return np.array(out).sum(), len(out)


@program((F(3.0), I(4)), (F(0.0), I(0)))
def grow_in_a_loop(x, n):
    out = [x]
    for i in range(n):
        out.append(out[-1] * 0.5 + i)
    return out


@program(XS, -XS)
def returned_list(xs):
    out = []
    for x in xs:
        out.append(x * 2)
    return out


@program(F(10.0), F(0.5))
def append_in_a_while(x):
    steps = []
    while x > 1:
        steps.append(x)
        x = x / 2
    steps.append(F(0.0))
    return np.array(steps)


@program(XS, -XS)
def running_total(xs):
    totals, total = [], 0.0
    for x in xs:
        total += x
        totals.append(total)
    return np.stack(totals)


@program(XS, A(5.0, 5.0, 1.0, 1.0))
def stack_pop(xs):
    stack = []
    for x in xs:
        if x < 0 and len(stack) > 0:
            stack.pop()
        else:
            stack.append(x)
    return len(stack)


@program(A(1, -1, 1, 1, -1, -1), A(1, 1, -1, 0, 0, 0), A(-1, 0, 0, 0, 0, 0))
def balanced(brackets):
    depth = []
    for b in brackets:
        if b > 0:
            depth.append(b)
        elif b < 0:
            if not depth:
                return False
            depth.pop()
    return not depth


@program(XS, -XS)
def queue_as_list(xs):
    queue = [x for x in xs]
    total = F(0.0)
    while queue:
        x = queue.pop(0)
        if x > 2:
            queue.append(x - 2)
        total += x
    return total


@program(F(3.0), F(-3.0))
def list_in_a_branch(x):
    out = [x]
    if x > 0:
        out.append(x * 2)
        out.append(x * 3)
    else:
        out[0] = F(0.0)
        out.append(x)
    return sum(out)


@program(F(3.0), F(-3.0))
def lists_of_different_length(x):
    out = [x]
    if x > 0:
        out.append(x * 2)
    return out


@program(F(3.0), F(-3.0))
def insert_remove_reverse(x):
    out = [x, x * 2, x * 3]
    out.insert(0, F(0.5))
    del out[1]
    out.reverse()
    out.extend([x, x])
    out += [F(1.0)]
    return out


@program((A(3, 1, 2), I(1)), (A(9, 8, 7), I(2)))
def index_with_a_tensor(xs, i):
    values = [F(1.0), F(2.0), F(3.0)]
    return values[i] * xs[i]


@program((A(3, 1, 2), I(1)), (A(9, 8, 7), I(-1)), fails='a tensor as the index of a list')
def set_with_a_tensor(xs, i):
    values = [F(0.0)] * 3
    values[i] = F(5.0)
    for k in range(3):
        values[k] += xs[k]
    return values


@program(XS, -XS)
def comprehension_with_condition(xs):
    return np.array([x * x for x in xs if x > 0]).sum()


@program(XS, -XS)
def nested_comprehension(xs):
    return np.array([[x * y for y in xs] for x in xs])


@program(XS, A(0.0, 0.0, 0.0, 0.0))
def generator_expressions(xs):
    return (
        sum(x for x in xs if x > 0), max(x * x for x in xs), any(x > 2 for x in xs),
        all(x > -5 for x in xs))


@program(XS, -XS)
def enumerate_and_zip(xs):
    total = F(0.0)
    for i, (x, y) in enumerate(zip(xs, xs[::-1])):
        total += i * x * y
    return total


@program((XS, A(1.0, 2.0, 3.0)))
def zip_of_different_lengths(xs, ys):
    return [x + y for x, y in zip(xs, ys)]


@program(XS, -XS)
def star_targets(xs):
    first, *rest = xs
    *start, last = [first, first * 2, first * 3]
    return first, np.array(rest).sum(), start, last


@program((F(1.0), F(2.0)), (F(3.0), F(0.0)))
def tuples_in_a_loop(x, y):
    state = (x, y)
    for i in range(5):
        a, b = state
        state = (b, a + b) if a < 10 else (a, b)
    return state


@program(XS, A(4.0, 3.0, 2.0, 1.0))
def bubble_sort(xs):
    xs = xs.copy()
    n = len(xs)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped:
            break
    return xs


@program(XS, A(4.0, 3.0, 2.0, 1.0))
def insertion_sort(xs):
    xs = xs.copy()
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return xs


@program(XS, A(1.0, 1.0, 2.0, 2.0), fails='a tensor as the index of a list')
def selection_sort_of_a_list(xs):
    values = list(xs)
    for i in range(len(values)):
        k = i
        for j in range(i + 1, len(values)):
            if values[j] < values[k]:
                k = j
        values[i], values[k] = values[k], values[i]
    return values


@program(XS, A(1.0, 1.0, 2.0, 2.0))
def merge_of_two_halves(xs):
    a, b = np.sort(xs[:2]), np.sort(xs[2:])
    i = j = 0
    out = []
    while i < 2 and j < 2:
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return np.concatenate([np.array(out), a[i:], b[j:]])


@program((A(1.0, 3.0, 5.0, 7.0), F(5.0)), (A(1.0, 3.0, 5.0, 7.0), F(6.0)))
def binary_search(xs, x):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == x:
            return middle
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@program(A(1, 1, 2, 3, 3, 3), A(5, 5, 5, 5, 5, 5))
def run_lengths(xs):
    values, counts = [], []
    for x in xs:
        if values and values[-1] == x:
            counts[-1] += 1
        else:
            values.append(x)
            counts.append(1)
    return np.array(values), np.array(counts)


@program(A(3.0, -1.0, 4.0, -5.0, 2.0), A(-1.0, -2.0, -3.0, -4.0, -5.0))
def best_subarray(xs):
    best = current = xs[0]
    for x in xs[1:]:
        current = max(x, current + x)
        best = max(best, current)
    return best


@program(A(2, 7, 11, 15), A(1, 2, 3, 4))
def two_sum(xs):
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] + xs[j] == 9:
                return i, j
    return -1, -1


@program((A(1, 2, 3, 4), A(1, 3, 4, 4)), (A(1, 1, 1, 1), A(2, 2, 2, 2)))
def longest_common_subsequence(a, b):
    n, m = len(a), len(b)
    table = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table[n, m]


@program((A(1, 2, 3), A(2, 3, 4, 4)), (A(1, 1, 1), A(1, 1, 1, 1)))
def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i in range(len(a)):
        previous, row[0] = row[0], i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            previous, row[j + 1] = row[j + 1], min(
                row[j + 1] + 1, row[j] + 1, previous + cost)
    return row[-1]


@program((A(1, 3, 4), A(10, 40, 50), I(6)), (A(5, 5, 5), A(1, 2, 3), I(4)))
def knapsack(weights, values, capacity):
    best = np.zeros(7)
    for w, v in zip(weights, values):
        for c in range(6, 0, -1):
            if c >= w:
                best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


@program(A(1.0, 5.0, 2.0, 8.0, 3.0), A(5.0, 4.0, 3.0, 2.0, 1.0))
def longest_increasing(xs):
    lengths = np.ones(len(xs), dtype=int)
    for i in range(len(xs)):
        for j in range(i):
            if xs[j] < xs[i] and lengths[j] + 1 > lengths[i]:
                lengths[i] = lengths[j] + 1
    return lengths.max()


@program(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [4.0, 2.0, 0.0]]))
def dijkstra(graph):
    n = len(graph)
    distance = np.full(n, np.inf)
    distance[0] = 0
    done = np.zeros(n, dtype=bool)
    for _ in range(n):
        u, closest = -1, np.inf
        for v in range(n):
            if not done[v] and distance[v] < closest:
                u, closest = v, distance[v]
        if u < 0:
            break
        done[u] = True
        for v in range(n):
            if graph[u, v] > 0:
                distance[v] = min(distance[v], distance[u] + graph[u, v])
    return distance


@program(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]), np.zeros((3, 3), dtype=int))
def breadth_first(graph):
    seen = np.zeros(3, dtype=bool)
    seen[0] = True
    queue = [0]
    order = []
    while len(queue) > 0:
        u = queue.pop(0)
        order.append(u)
        for v in range(3):
            if graph[u, v] and not seen[v]:
                seen[v] = True
                queue.append(v)
    return len(order), seen


@program(np.array([[0.0, 3.0, 9.0], [9.0, 0.0, 1.0], [2.0, 9.0, 0.0]]))
def floyd_warshall(d):
    d = d.copy()
    for k in range(3):
        for i in range(3):
            for j in range(3):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


@program((A(1, 2, 3), A(2, 2, 2)))
def cumulative_with_accumulate(xs, ys):
    return list(itertools.accumulate([1, 2, 3])), xs * ys


@program(A(3, 4, -1), A(0, 0, 0))
def reverse_polish(tokens):
    stack = [F(1.0)]
    for t in tokens:
        if t >= 0:
            stack.append(F(t))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(a * b)
    return stack[-1]


@program(XS, -XS)
def a_list_of_tuples(xs):
    pairs = []
    for i, x in enumerate(xs):
        if x > 0:
            pairs.append((i, x))
    total = F(0.0)
    for i, x in pairs:
        total += i * x
    return total, len(pairs)


@program(XS, -XS)
def a_list_of_arrays(xs):
    rows = []
    for k in range(3):
        rows.append(xs * k)
        if xs[0] > 0:
            rows[-1] = rows[-1] + 1
    return np.stack(rows)


@program(XS, refused='may have another name')
def two_lists(xs):
    small, large = [], []
    for x in xs:
        (large if abs(x) > 2 else small).append(1.0)
        if x > 0:
            large.append(x)
        else:
            small.append(x)
    return sum(large), sum(small)


@program(XS, -XS)
def sorted_and_reversed(xs):
    values = sorted(xs)
    return values[0], [x for x in reversed(values)], sorted(xs, key=lambda x: -x)[0]


@program((XS, F(2.0)), (XS, F(-9.0)))
def membership(xs, x):
    return x in xs, x in [F(1.0), F(2.0)], 3 not in xs


@program(I(4), I(0))
def pascal(n):
    row = np.ones(1, dtype=int)
    for _ in range(4):
        new = np.ones(len(row) + 1, dtype=int)
        new[1:-1] = row[1:] + row[:-1]
        row = new
    return row * n


@program(XS, -XS)
def list_aliases(xs):
    out = []
    same = out
    for x in xs:
        same.append(x)
    return len(out), out[0]


@program((F(3.0), F(1.0)), (F(0.0), F(2.0)))
def slices_of_lists(x, y):
    values = [x, y, x + y, x - y]
    values[1:3] = [F(0.0)]
    return values[::-1], values[:2], values * 2


def append_all(out, xs):
    for x in xs:
        if x > 0:
            out.append(x)
    return len(out)


@program(XS, -XS)
def a_helper_that_appends(xs):
    out = [F(0.0)]
    n = append_all(out, xs)
    return n, out


LOG, COUNTS = [], [0, 0]


@program(F(1.0), F(-2.0), F(3.0),
    fails='an outer list that is appended to has the length it had while tracing')
def a_list_outside(x):
    if x > 0:
        LOG.append(x)
        COUNTS[0] += 1
    else:
        COUNTS[1] += 1
    return len(LOG)


GIVEN = [F(1.0)]


@program((GIVEN, F(2.0)), (GIVEN, F(3.0)), traces=None)
def a_given_list(xs, x):
    xs.append(x)
    xs[0] += 1
    return sum(xs)
