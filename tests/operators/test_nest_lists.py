"""Lists of tuples and other nests that grow in a staged block."""
from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [3.0, 2.0, 5.0], [-1.0, 4.0, 0.5])]


def pairs(xs):
    out = []
    for i, x in enumerate(xs):
        if x > 0:
            out.append((i, x))
    return out, len(out)


def iterated(xs):
    out = []
    for i, x in enumerate(xs):
        if x > 0:
            out.append((i, x))
    total = np.float64(0)
    for i, x in out:
        total += i * x
    return total


def dicts(xs):
    out = []
    for x in xs:
        out.append({'x': x, 'row': x * xs})
    return out


def work_list(xs):
    todo = [(xs[0], 0)]
    total = np.float64(0)
    while todo:
        x, depth = todo.pop()
        total += x
        if depth < 3:
            todo.append((x * 0.5, depth + 1))
            todo.append((x * 0.25, depth + 1))
    return total


def sliced(xs):
    out = [(xs[0], 1)]
    for x in xs:
        out.insert(0, (x, 2))
    out[1] = (xs[1], 3)
    del out[0]
    last = [(xs[2], 4)]
    more = out + last
    more.reverse()
    return out[1:], more, more[-1]


def last_replaced(xs):
    out = []
    for x in xs:
        now = (x, x * 2)
        if len(out) > 0 and out[-1][0] > x:
            out[-1] = now
        else:
            out.append(now)
    return out


def lists(xs):
    rows = []
    for x in xs:
        row = []
        for y in xs:
            if y > x:
                row.append(y)
        rows.append(row)
    return rows


@pytest.mark.parametrize('f', [pairs, iterated, dicts, work_list, sliced, last_replaced, lists])
def test_growing(f):
    check(f, *VECTORS)


def test_elements_of_another_form():
    @ag.function
    def f(xs):
        out = [(xs[0], 1)]
        for x in xs:
            out.append((x, 1))
            out.append(x)
        return out

    with pytest.raises(ag.errors.StagingError, match='test_nest_lists'):
        f(np.ones(3))


def test_a_list_in_a_list_is_modified():
    def f(xs):
        rows = []
        for x in xs:
            row = []
            for y in xs:
                if y > x:
                    row.append(y)
            rows.append(row)
            row.append(x)
        return rows

    check(f, *VECTORS)


def two_lists(xs):
    parts = [[], []]
    for x in xs:
        if x > 0:
            parts[0].append(x)
        else:
            parts[1].append(x)
    return parts


def rows_set_by_index(xs):
    table = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            table[i][j] = xs[i] * j
    return table


@pytest.mark.parametrize('f', [two_lists, rows_set_by_index])
def test_lists_in_a_list(f):
    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),), joins=True)


@dataclass
class Bag:
    items: list = field(default_factory=list)
    total: float = 0.0


def another_name_for_a_bag(xs):
    bag = Bag()
    other, pair = bag, (bag, 1)
    for x in xs:
        if x > 0:
            bag.items.append(x)
        bag.total += x
    return other.total, other.items, pair[0].total


def another_name_for_a_dict(xs):
    held = {'items': [], 'total': 0.0}
    other = held
    for x in xs:
        if x > 0:
            held['items'].append(x)
        held['total'] += x
    return other


@pytest.mark.parametrize('f', [another_name_for_a_bag, another_name_for_a_dict])
def test_what_holds_a_staged_list_keeps_its_names(f):
    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),))


def numbered(xs):
    return [(x, i) for i, x in enumerate(xs) if x > 0]


def compared(xs):
    pairs = numbered(xs)
    return pairs == [], pairs != [], pairs == [(1.0, 0)], pairs == numbered(xs), (
        (1.0, 0) in pairs, (1.0, 1) not in pairs, isinstance(pairs, list))


def test_lists_of_tuples_are_compared():
    check(compared, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),), joins=True)


def test_nested_comprehension_of_tuples_with_a_condition():
    def pairs(x):
        return [(a, b) for a in x for b in x if a < b]

    def numbered(x):
        return [(i, a) for i, a in enumerate(x) for b in x if a < b]

    for f in (pairs, numbered):
        check(f, (np.array([1.0, -2.0, 3.0]),), (np.array([3.0, 2.0, 1.0]),))


class Particle:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        raise AttributeError(name)


def test_objects_in_a_list_that_grows_are_dataclasses():
    def f(xs):
        found = []
        for x in xs:
            if x > 1:
                found.append(Particle(x))
        return len(found)

    with pytest.raises(ag.errors.StagingError, match='write `@dataclass` above `class Particle`'):
        ag.function(f)(np.array([1.0, 2.0]))


@dataclass
class Body:
    x: float
    speed: float
    alive: bool = True

    def moved(self):
        return replace(self, x=self.x + self.speed)


def simulated(xs):
    bodies = [Body(xs[0], xs[1]), Body(xs[1], xs[2]), Body(xs[2], xs[0])]
    for _ in range(40):
        bodies = [body.moved() for body in bodies]
        bodies = [body for body in bodies if body.x < 60]
    return bodies, len(bodies), [body.speed for body in bodies]


def changed_by_a_copy(xs):
    bodies = []
    for x in xs:
        if x > 1:
            bodies.append(Body(x, x))
    for i, body in enumerate(bodies):
        one = copy.copy(body)
        one.x += one.speed
        bodies[i] = one
    return bodies


@pytest.mark.parametrize('f', [simulated, changed_by_a_copy])
def test_particles(f):
    check(f, *((np.array(xs),) for xs in ([1.0, 2.0, 3.0], [0.0, 5.0, 1.0], [0.0, 0.0, 0.0])))


def test_a_list_of_dicts_is_no_array_and_has_no_order():
    def rows(xs):
        found = []
        for x in xs:
            found.append({'a': x, 'b': 1})
        return found

    def in_order(xs):
        return sorted(rows(xs))

    check(in_order, (np.array([3.0, 1.0]),))
    for function in (np.array, np.sum, np.shape, np.sqrt):
        with pytest.raises(ag.errors.StagingError, match='using it as an array'):
            ag.function(lambda xs, function=function: function(rows(xs)))(np.ones(2))


def test_numpy_makes_no_array_of_a_dict_or_a_set():
    def counts(xs):
        found = {}
        for x in xs:
            found[int(x)] = x
        return found

    def seen(xs):
        found = set()
        for x in xs:
            found.add(int(x))
        return found

    for function in (np.add, np.power):
        with pytest.raises(ag.errors.StagingError, match=r'np\.array\(list\(d\.values\(\)\)\)'):
            ag.function(lambda xs, function=function: function(counts(xs), 1))(np.ones(2))
        with pytest.raises(ag.errors.StagingError, match=r'np\.array\(sorted\(s\)\)'):
            ag.function(lambda xs, function=function: function(seen(xs), 1))(np.ones(2))


def test_whether_two_tuples_of_a_list_are_one_is_refused():
    def f(xs):
        pairs = []
        for x in xs:
            pairs.append((int(x), x))
        return pairs[0] is pairs[-1]

    with pytest.raises(ag.errors.StagingError, match='Compare what they hold'):
        ag.function(f)(np.ones(1))
