"""`collections.deque` in traced functions."""
from __future__ import annotations

import collections
from collections import deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def both_ends(xs):
    q = deque([xs[0]])
    total = 0.0
    for x in xs:
        if x > 0:
            q.append(x)
        else:
            q.appendleft(x)
        if len(q) > 2:
            total = total + q.popleft()
    return total, len(q), q


def the_last_ones(xs):
    q = deque([1.0, 2.0], maxlen=3)
    for x in xs:
        q.extend([x, x + 1])
        q.extendleft([x])
    return q, q.maxlen


def worklist(xs):
    q = collections.deque()
    for x in xs:
        q.append((x, 1))
        if x > 1:
            q.append((x * 2, 2))
    total = 0.0
    while q:
        x, k = q.popleft()
        total += x * k
        if k < 3 and x > 1:
            q.append((x * 0.5, k + 1))
    return total, len(q), bool(q)


class Queue:
    def __init__(self):
        self.waiting = deque()

    def put(self, x):
        if x > 0:
            self.waiting.append(x)


def in_an_object(xs):
    queue = Queue()
    for x in xs:
        queue.put(x)
    return queue.waiting


def asked(xs):
    q = deque()
    for x in xs:
        if x > 0:
            q.append(x)
    for i in range(len(q)):
        if q[i] > 1:
            q[i] = q[i] * 2
    total = 0.0
    for x in q:
        total += x
    last = q[-1] if q else 0.0
    lists = [x * 2 for x in q], sorted(q), list(q), list(reversed(q))
    return total, last, sum(q), 3.0 in q, lists


def of_pythons(xs):
    q = deque([1, 2, 3])
    q.rotate(1)
    q.reverse()
    return q, q.count(2), isinstance(q, deque), isinstance(q, list), type(q) is deque, xs[q[0] % 2]


@pytest.mark.parametrize(
    'f', [both_ends, the_last_ones, worklist, in_an_object, asked, of_pythons]
)
def test_deques(f):
    check(f, (np.array([1.0, 3.0, -2.0]),), (np.array([2.0, 0.5, 3.0]),), joins=f is the_last_ones)


def put_into_itself(xs):
    last, whole = deque([xs[0], 1.0, 2.0], maxlen=3), deque([xs[0]])
    if xs[0] > 1:
        last.append(xs[1])
        whole.append(xs[1])
    last.extendleft(last)
    whole.extend(whole)
    whole += whole
    return list(last), list(whole)


def test_put_into_itself():
    check(put_into_itself, (np.array([1.0, 3.0]),), (np.array([2.0, 0.5]),), joins=True)


def test_an_empty_one():
    def emptied(xs):
        q = deque()
        for x in xs:
            q.append(x)
            q.popleft()
        return q.popleft()

    check(emptied, (np.array([1.0]),))


def breadth_first(grid):
    n, m = grid.shape
    distances = np.full((n, m), -1)
    distances[0, 0] = 0
    q = deque([(0, 0)])
    while q:
        i, j = q.popleft()
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < m and grid[a, b] == 0 and distances[a, b] < 0:
                distances[a, b] = distances[i, j] + 1
                q.append((a, b))
    return distances


def test_breadth_first():
    check(
        breadth_first,
        (np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]]),),
        (np.array([[0, 1, 1], [1, 0, 0], [0] * 3]),),
    )  # fmt: skip


def rotated(xs):
    known, grown, kept, pairs = deque([1.0, 2.0, 3.0]), deque(), deque(maxlen=2), deque()
    for i, x in enumerate(xs):
        grown.rotate(2)
        grown.append(x)
        kept.append(x)
        pairs.append((i, x))
        if x > 1:
            known.rotate(int(x))
            grown.rotate()
            kept.rotate(-1)
        if x < 0:
            known.reverse()
        pairs.rotate(-i)
    grown.reverse()
    return known, grown, kept, pairs, grown.copy(), grown.count(x)


def test_rotated():
    check(rotated, (np.array([1.0, 3.0, -2.0]),), (np.array([2.0, 0.5, 3.0]),))


def test_nothing_is_inserted_where_a_staged_one_is_full():
    def put_into(xs):
        q = deque(maxlen=2)
        for x in xs:
            q.append(x)
        q.insert(0, x)
        return q

    check(put_into, (np.ones(1),))
    with pytest.raises(IndexError, match='deque already at its maximum size'):
        ag.function(put_into)(np.ones(3))


def of_deque(xs, i):
    q = deque([1.0])
    for x in xs:
        q.append(x)
    return q


def item_of_deque(xs, i):
    return of_deque(xs, i)[i]


def item_of_deque_of_two(xs, i):
    return deque([1.0, 2.0])[i]


def set_in_deque(xs, i):
    q = of_deque(xs, i)
    q[i] = 5.0
    return q


def set_in_deque_of_two(xs, i):
    q = deque([1.0, 2.0])
    for x in xs:
        q[i] = x
    return q


def delete_from_deque(xs, i):
    q = of_deque(xs, i)
    del q[i]
    return q


def find_in_deque(xs, i):
    return of_deque(xs, i).index(i)


def remove_from_deque(xs, i):
    q = of_deque(xs, i)
    q.remove(i)
    return q


def insert_where_there_is_room(xs, i):
    q = deque([1.0], maxlen=3)
    for x in xs:
        q.insert(i, x)
    return q


def insert_in_two(xs, i):
    q = deque([1.0, 2.0], maxlen=2)
    q.insert(i, xs[0])
    return q


@pytest.mark.parametrize('function', [
    item_of_deque, item_of_deque_of_two, set_in_deque, set_in_deque_of_two, delete_from_deque,
    find_in_deque, remove_from_deque, insert_where_there_is_room, insert_in_two])
def test_what_a_deque_raises_is_pythons(function):
    for i in (1, -2, 7, -8):
        args = np.array([4.0, 1.0]), np.int64(i)
        assert raised_or_given(ag.function(function), *args) == raised_or_given(function, *args)


def raised_or_given(function, *args):
    try:
        return repr(function(*args))
    except (IndexError, ValueError) as error:
        return type(error), str(error)


def given_to_numpy(xs):
    q = deque()
    for x in xs:
        q.append(x)
    return (
        np.mean(q), np.std(q), np.median(q), np.array(q), np.dot(q, q), np.size(q), np.shape(q),
        np.add(q, 1), np.flip(q), np.maximum.reduce(q), np.isin(1.0, q), np.sort(q), xs * q,
        q * xs, xs + q, np.iterable(q))


def mean_of_the_last_two(xs):
    window, out = deque(maxlen=2), []
    for x in xs:
        window.append(x)
        out.append(np.mean(window))
    return out


def repeated(xs):
    q, last = deque(), deque(maxlen=3)
    for x in xs:
        q.append(x)
        last.append(x)
    return q * 2, 2 * q, q * int(xs[0]), last * 2


@pytest.mark.parametrize('f', [given_to_numpy, mean_of_the_last_two, repeated])
def test_a_deque_is_an_array_for_numpy(f):
    check(f, *[(np.array(v),) for v in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])])


def made_into_dicts(xs):
    q = deque()
    for x in xs:
        q.append((int(x), x))
    return (
        dict(q), collections.OrderedDict(q), collections.defaultdict(float, q),
        collections.OrderedDict(deque([(1, xs[0]), (2, xs[1])])))


def test_dicts_of_what_is_in_a_deque():
    check(made_into_dicts, *[(np.array(v),) for v in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])])


def matched(xs):
    q = deque()
    for x in xs:
        q.append(x)
    match q:
        case [first, *rest]:
            return first, rest
    return 0.0, []


def matched_at_both_ends(xs):
    match deque([xs[0], xs[1], 3.0]):
        case [first, *rest, last]:
            return first, rest, last


@pytest.mark.parametrize('f', [matched, matched_at_both_ends])
def test_a_pattern_takes_the_rest_of_a_deque(f):
    check(f, *[(np.array(v),) for v in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])])


def test_a_maximum_is_an_integer_of_pythons():
    def last(x, n):
        return list(deque([0.0, x, x * 2], maxlen=int(n)))

    def of_numpy(x, n):
        return list(deque([x], maxlen=n))

    def of_floats(x, n):
        return list(deque([x], maxlen=2.5))

    check(last, (np.float64(1.0), np.int64(2)), (np.float64(1.0), np.int64(0)))
    with pytest.raises(ValueError, match='maxlen must be non-negative'):
        ag.function(last)(np.float64(1.0), np.int64(-1))
    for f in (of_numpy, of_floats):
        with pytest.raises(TypeError, match='an integer is required'):
            ag.function(f)(np.float64(1.0), np.int64(2))
