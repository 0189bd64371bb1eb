"""Loops over what their bodies change."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, -2.0, 3.0])


def scalars(*values: float) -> list[tuple[np.float64]]:
    return [(np.float64(value),) for value in values]


def test_append_that_may_not_happen():
    def f(x):
        items = [1.0, 2.0, 3.0]
        n = 0
        for v in items:
            n += 1
            if x > 99 and n < 6:
                items.append(v)
        return n

    check(f, *scalars(1, 100))


def test_breadth_first():
    def f(adj, start):
        seen = np.zeros(len(adj), dtype=bool)
        seen[start] = True
        order = [start]
        for u in order:
            for v in range(len(adj)):
                if adj[u, v] and not seen[v]:
                    seen[v] = True
                    order.append(v)
        return order

    adj = np.array([[0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 0]])
    check(f, (adj, 0), (adj.T, 0))


@pytest.mark.parametrize('change', ['del', 'pop', 'remove', 'insert'])
def test_each_change_of_a_list(change):
    def delete(items, v):
        del items[0]

    def pop(items, v):
        items.pop()

    def remove(items, v):
        items.remove(v)

    def insert(items, v):
        items.insert(0, v + 1)

    one = {'del': delete, 'pop': pop, 'remove': remove, 'insert': insert}[change]

    def f(x):
        items = [1.0, 2.0, 3.0, 4.0]
        n = 0.0
        for v in items:
            n += v
            if v < x:
                one(items, v)
            if n > 20:
                break
        return n, items

    check(f, *scalars(0, 2, 9))


def test_enumerate_and_zip_of_a_list():
    def f(x):
        items = [1.0, 2.0, 3.0, 4.0]
        n = 0.0
        for i, v in enumerate(items, 2):
            n += v * i
            if x > 2:
                items.pop()
        return n, items

    def zipped(x):
        items = [1.0, 2.0]
        for v, w in zip(items, [4.0, 5.0, 6.0], strict=False):
            if v > x:
                items.append(w)
        return items

    check(f, *scalars(1, 7))
    with pytest.raises(ag.errors.OwnershipError, match='for v, w in zip'):
        ag.function(zipped)(np.float64(0))


def test_list_by_another_name():
    class Queue:
        def __init__(self) -> None:
            self.items = [1.0, 2.0, 3.0]

    def attribute(x):
        q = Queue()
        n = 0.0
        for v in q.items:
            n += v
            if n < x:
                q.items.append(v)
        return n

    def item(x):
        d = {'todo': [1.0, 2.0, 3.0]}
        n = 0.0
        for v in d['todo']:
            n += v
            if n < x:
                d['todo'].append(v)
        return n

    def alias(x):
        a = [1.0, 2.0, 3.0]
        b = a
        n = 0.0
        for v in a:
            n += v
            if n < x:
                b.append(v)
        return n

    def helper(items, x):
        if x > 2:
            items.append(5.0)

    def called(x):
        items = [1.0, 2.0, 3.0, 4.0]
        n = 0.0
        for v in items:
            n += v
            if n < 20:
                helper(items, x)
        return n, items

    for f in (attribute, item, alias, called):
        check(f, *scalars(1, 7, 50))


def test_comprehension_that_changes_its_list():
    def f(x):
        a = [1.0, 2.0, 3.0]

        def take(v):
            if v > x:
                a.pop()
            return v

        return [take(v) for v in a], a

    check(f, *scalars(1, 7))


def test_iterator_of_a_list_that_gets_longer():
    def f(x):
        items = [1.0, 2.0, 3.0]
        it = iter(items)
        next(it)
        if x > 0:
            items.append(7.0)
        return list(it)

    def loop(x):
        items = [v for v in x if v > -9]
        it = iter(items)
        next(it)
        s = 0.0
        for v in it:
            s += v
            if s < 10:
                items.append(v + 5)
        return s, items

    check(f, *scalars(1, -1))
    check(loop, (X,), (-X,))


def test_list_of_tuples():
    def f(x):
        items = [(1.0, 2)]
        s = 0.0
        for i, (v, n) in enumerate(items):
            s += v
            if s < x:
                items.append((v + 5, n + i))
        return s, items

    check(f, *scalars(0, 20))


def test_break_after_a_change():
    def f(x):
        todo = [3.0, 4.0]
        for n in todo:
            if n > x:
                todo.remove(n)
                break
        else:
            return -1.0, todo
        return n, todo

    check(f, *scalars(3.5, 1, 9))


def test_array_that_is_written():
    def rows(x):
        y = x.copy()
        s = 0.0
        for v in y:
            y[2] = 100.0
            s += v
        return s

    def numbered(x):
        y = x.copy()
        s = 0.0
        for i, v in enumerate(y):
            y[2] = 100.0
            s += v * i
        return s

    def pairs(x):
        y = x.copy()
        s = 0.0
        for a, b in zip(y, y[::-1], strict=False):
            y[2] = 100.0
            s += a * b
        return s

    def backwards(x):
        y = x.copy()
        s = 0.0
        for v in reversed(y):
            y[1] = 100.0
            s += v
        return s

    def view(x):
        y = x.copy()
        s = 0.0
        for v in y[::-1]:
            y[0] = 5.0
            s += v
        return s

    def iterator(x):
        y = x.copy()
        it = iter(y)
        s = next(it)
        for v in it:
            y[2] = 100.0
            s += v
        return s

    def comprehension(x):
        y = x.copy()

        def take(v):
            y[2] = 100.0
            return v

        return [take(v) for v in y]

    for f in (rows, numbered, pairs, backwards, view, iterator, comprehension):
        check(f, (X,), (-X,))


def test_matrix_that_is_written():
    def flat(x):
        m = np.outer(x, x)
        s = 0.0
        for v in m.flat:
            m[2, 2] = 100.0
            s += v
        return s

    def rows(x):
        m = np.outer(x, x)
        s = 0.0
        for row in m:
            m[2, 1] = 100.0
            s += row.sum()
        return s

    def transposed(x):
        m = np.outer(x, x)
        for i, row in enumerate(m):
            for j, v in enumerate(row):
                m[j, i] = v + 1
        return m

    def columns(x):
        m = np.outer(x, x)
        for i, column in enumerate(m.T):
            m[i] = column + 1
        return m

    def in_place(x):
        m = np.outer(x, x)
        for row in m:
            row *= 2
        return m

    for f in (flat, rows, transposed, columns, in_place):
        check(f, (X,), (-X,))


def test_method_that_writes_what_is_run_over():
    class Held:
        def __init__(self, a: Any) -> None:
            self.a = a

        def put(self) -> None:
            self.a[2] = 100.0

        def run(self) -> Any:
            s = 0.0
            for v in self.a:
                self.put()
                s += v
            return s

    def f(x):
        return Held(x.copy()).run()

    check(f, (X,))


def test_staged_list_that_is_changed():
    def item(x):
        items = [v for v in x if v > -9]
        for i, v in enumerate(items):
            if v < 0:
                items[-1] = 5.0
            if v == 5:
                return i
        return -1

    def longer(x):
        items = [v for v in x if v > -9]
        s = 0.0
        for v in items:
            if len(items) < 6:
                items.append(v)
            s += v
        return s

    for f in (item, longer):
        check(f, (X,), (-X,))


def test_dict_that_gets_an_item_is_refused():
    def f(x):
        d = {'a': 1.0, 'b': 2.0}
        n = 0.0
        for k in d:
            n += d[k]
            if x > 5:
                d['c'] = 10.0
        return n

    with pytest.raises(ag.errors.OwnershipError, match=r'for k in d:(.|\n)*list\(xs\)'):
        ag.function(f)(np.float64(1))


def test_dict_whose_items_change():
    def f(x):
        d = {'a': 1.0, 'b': 2.0}
        for k, v in d.items():
            if v > x:
                d[k] = v * 2
        return d

    check(f, *scalars(1, 5))
