"""What methods and operators do with a list of which only the running graph knows the length."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [1.0, 2.0, 3.0], [0.0, 5.0, 1.0], [0.0, 0.0, 0.0], [2.0, 2.0, 4.0]
CALLS = [(np.array(x),) for x in VECTORS]


def above(x, limit=1):
    found = []
    for v in x:
        if v > limit:
            found.append(v)
    return found


def rows(x, limit=1):
    found = []
    for v in x:
        if v > limit:
            found.append([v, v * 2])
    return found


def extended(x):
    new, more = [], [[x[0], x[1]]]
    new.extend(above(x))
    more.extend(rows(x))
    last = [[x[1], x[2]]]
    last += rows(x)
    return new, more, last


def repeated(x):
    new = above(x)
    new *= 2
    pairs = rows(x)
    pairs *= 3
    return new, pairs, rows(x) * 2, 2 * above(x)


def in_order(x):
    new = above(x)
    return new < above(x, 2), new <= above(x), [2.0] < new, new > [1.0], new >= above(x, 3)


def searched(x):
    return rows(x).count([2.0, 4.0]), [5.0, 10.0] in rows(x), rows(x) == rows(x, 2)


def where(x):
    return rows(x).index([2.0, 4.0]), above(x).index(2.0, 0, 1)


def removed(x):
    pairs = rows(x)
    pairs.remove([2.0, 4.0])
    return pairs


def removed_from_a_list_of_python(x):
    numbers = [x[0], x[1], x[2]]
    numbers.remove(x[2])
    pairs = [(x[0], 1), (x[1], 2)]
    pairs.remove((x[1], 2))
    return numbers, pairs, len(numbers)


def by_an_index(x):
    numbers, others = [x[0], x[1], x[2]], [x[0], x[1]]
    last = numbers.pop(int(x[0]) - 1)
    others.insert(int(x[0]), 9.0)
    same = others
    return last, numbers, same


@pytest.mark.parametrize('f', [
    extended, repeated, in_order, searched, where, removed, removed_from_a_list_of_python,
    by_an_index,
])  # fmt: skip
def test_as_in_python(f):
    check(f, *CALLS)


def popped(x):
    found = above(x)
    last = found.pop()
    return last, found


def popped_for_nothing(x):
    found = rows(x)
    found.pop()
    return found


@pytest.mark.parametrize('f', [popped, popped_for_nothing])
def test_pop_says_what_python_says(f):
    graph = ag.function(f)
    for args in CALLS:
        expected = got = None
        try:
            expected = f(*args)
        except IndexError as error:
            expected = str(error)
        try:
            got = graph(*args)
        except IndexError as error:
            got = str(error)
        assert repr(got) == repr(expected)


def popped_last(x):
    return above(x, 9).pop()


def popped_first_row(x):
    return rows(x, 9).pop(0)


def popped_far(x):
    return above(x).pop(5)


def popped_by_an_index(x):
    return [x[0], x[1]].pop(int(x[2]) + 2)


def found_no_row(x):
    return rows(x).index([x[0], 9.0])


def found_nothing(x):
    return [x[0], x[1]].index(x[2] + 9)


def removed_no_row(x):
    found = rows(x)
    found.remove([x[0], 9.0])
    return found


@pytest.mark.parametrize('f', [
    popped_last, popped_first_row, popped_far, popped_by_an_index, found_no_row, found_nothing,
    removed_no_row,
])  # fmt: skip
def test_what_is_not_there_is_said_as_in_python(f):
    graph = ag.function(f)
    for (x,) in CALLS:
        said = []
        for run in (f, graph):
            with pytest.raises((IndexError, ValueError)) as raised:
                run(x)
            said.append((type(raised.value), str(raised.value), raised.value.__context__))
        assert said[0] == said[1]


def test_pop_in_the_program():
    concrete = ag.function(popped).get_concrete_function(*CALLS[0])
    assert 'last = found.pop()\n' in concrete.lowered_code


def test_rows_have_no_order():
    with pytest.raises(ag.errors.StagingError, match='an order'):
        ag.function(lambda x: rows(x) < rows(x, 2))(*CALLS[0])


PLACES = [slice(None), slice(1, None), slice(1), slice(1, 1), slice(-1, 0)]


@pytest.mark.parametrize('place', PLACES)
def test_as_many_items_as_the_graph_finds_get_the_place_of_others(place):
    def f(xs):
        kept, pairs, none = [1.0, 2.0], [(1.0, 2.0), (3.0, 4.0)], []
        other, found = kept, [x for x in xs if x > 0]
        kept[place] = found
        pairs[place] = [(x, -x) for x in found]
        none[place] = found
        none.append(7.0)
        return kept, pairs, none, other, found

    check(f, *((np.array(x),) for x in ([1.0, 2.0, -3.0], [1.0, -2.0, -1.0], [-1.0, -2.0, -1.0])))


class Queue:
    order = 'red', 'green', 'yellow'

    def __init__(self, *items):
        self.items = list(items)
        self.state = 'red'


def test_of_a_list_in_an_attribute():
    def asked(x):
        queue = Queue(1, x, 5)
        return queue.items.index(5), queue.items.count(x), Queue(2, x).items.index(x)

    def changed(x):
        queue = Queue(7, x, 5)
        queue.items.remove(x)
        queue.items.sort()
        return queue.items

    def chosen(x):
        queue = Queue()
        for i in range(4):
            if x > i:
                queue.state = queue.order[(queue.order.index(queue.state) + 1) % 3]
        return queue.state

    for f in (asked, changed, chosen):
        check(f, *((np.int64(x),) for x in (3, 2, 9)))


def test_slices_that_the_running_graph_bounds_are_set_and_deleted():
    def f(xs, a, b):
        numbers, pairs, grown = [a, 1, 2], [(x, 1.0) for x in xs], []
        same = numbers
        numbers[a:b] = [0, 9]
        del pairs[:a]
        pairs[b:] = [(xs[0], 2.0)]
        for x in xs:
            grown.append(x)
            if len(grown) > 3:
                del grown[:b]
        grown[a:-1] = xs
        return numbers, same, pairs, grown

    def by_step(a):
        items = [a, 1, 2]
        items[::a] = [7]

    xs = np.arange(6.0)
    cases = (1, 1), (1, 3), (-1, 1), (1, -1), (-9, -8), (9, 12), (9, 1), (0, 2), (2, 0)
    check(f, *((xs, np.int64(a), np.int64(b)) for a, b in cases), joins=True)
    with pytest.raises(ag.errors.StagingError, match='a slice with a step'):
        ag.function(by_step)(np.int64(3))
