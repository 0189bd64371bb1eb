"""`heapq` and `bisect`: queues and sorted lists whose order only the running graph knows."""
from __future__ import annotations

import bisect
import heapq

import numpy as np
import pytest
from differential import check

CALLS = [(np.array(x),) for x in ([1.0, 2.0, 0.5], [-1.0, -3.0, -2.0], [1.0, 1.0, 1.0])]
LENGTHS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]])


def sorted_by_a_heap(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v)
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


def of_tuples(x):
    heap = []
    for i in range(x.size):
        heapq.heappush(heap, (x[i], i))
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


def of_known_length(x):
    heap = [x[0], x[1], x[2]]
    heapq.heapify(heap)
    first = heapq.heappop(heap)
    return first, heapq.heappushpop(heap, 0.0), heapq.heapreplace(heap, -1.0), heap


def largest_kept(x):
    heap = []
    for v in x:
        if len(heap) < 2:
            heapq.heappush(heap, v)
        elif v > heap[0]:
            heapq.heapreplace(heap, v)
    return sorted(heap), heapq.nlargest(2, [x[0], x[1], x[2]]), heapq.nsmallest(2, x)


def shortest_paths(x):
    distances = [np.inf] * 3
    distances[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        distance, here = heapq.heappop(queue)
        if distance > distances[here]:
            continue
        for there in range(3):
            new = distance + LENGTHS[here, there] * abs(x[there])
            if new < distances[there]:
                distances[there] = new
                heapq.heappush(queue, (new, there))
    return distances


def inserted(x):
    items = []
    for v in x:
        bisect.insort(items, v)
    found = bisect.bisect_left(items, 0.0), bisect.bisect_right(items, 1.0)
    return items, found, bisect.bisect(np.sort(x), 1.0), bisect.bisect_left([0.0, 1.0], x[0])


def over_python_values(x):
    heap = [3, 1, 2]
    heapq.heapify(heap)
    heapq.heappush(heap, 0)
    return heap, heapq.nsmallest(2, [3, 1, 2]), bisect.bisect([1, 2, 3], 2), x


def of_nothing(x):
    return heapq.heappop([]) + x


@pytest.mark.parametrize(
    'f',
    [
        sorted_by_a_heap, of_tuples, of_known_length, largest_kept, shortest_paths, inserted,
        over_python_values,
    ],
)  # fmt: skip
def test_is_python(f):
    check(f, *CALLS, joins=True)


def test_nothing_to_take():
    check(of_nothing, CALLS[0])


def test_a_heap_that_may_be_empty():
    def f(x):
        heap = []
        for v in x:
            if v > 0:
                heapq.heappush(heap, v)
        return heapq.heappop(heap), heapq.heapreplace(heap, 1.0)

    check(f, (np.array([3.0, 1.0]),), (np.array([3.0, -1.0]),), (np.array([-3.0, -1.0]),))
