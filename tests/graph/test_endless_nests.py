"""Dataclasses and lists that hold themselves: refused, and what to write instead works."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2.0])


@dataclass
class Node:
    w: float
    kids: list = field(default_factory=list)
    parent: Any = None


class Plain:
    def __init__(self, w, parent=None):
        self.w, self.kids, self.parent = w, [], parent


def tree(kind, x):
    root = kind(0.0)
    leaf = kind(1.0, parent=root)
    root.kids.append(leaf)
    for v in x:
        n = leaf
        while n is not None:
            n.w += v
            n = n.parent
    return root.w, leaf.w


def in_a_loop(x):
    return tree(Node, x)


def in_a_branch(x):
    a, b = Node(0.0), Node(1.0)
    a.parent, b.parent = b, a
    if x[0] > 0:
        a.w = x[0]
    return a.w, b.parent.w


def set_in_a_branch(x):
    a, b = Node(0.0), Node(1.0)
    if x[0] > 0:
        a.parent, b.parent = b, a
    return a.w


@pytest.mark.parametrize('f', [in_a_loop, in_a_branch, set_in_a_branch])
def test_dataclasses_that_hold_each_other_are_refused(f):
    message = '(?s)A Node holds itself.*line.*class Node without `@dataclass`'
    with pytest.raises(ag.errors.StagingError, match=message):
        ag.function(f)(X)


def test_objects_of_a_plain_class_may_hold_each_other():
    check(lambda x: tree(Plain, x), (X,))


def test_a_list_that_holds_itself_is_refused():
    def f(x):
        items = [x[0]]
        items.append(items)
        for v in x:
            items[0] = v
        return items[0]

    with pytest.raises(ag.errors.StagingError, match='A list holds itself'):
        ag.function(f)(X)


def test_lists_of_neighbours():
    def circle(kind, near):
        def f(i):
            cells = [kind(0.0) for _ in range(3)]
            for k, cell in enumerate(cells):
                cell.kids = [near(cells, (k + n) % 3) for n in (1, 2)]
            cells[i].w += 2.0
            for other in cells[i].kids:
                (cells[other] if isinstance(other, int) else other).w -= 1.0
            return [cell.w for cell in cells]

        return f

    with pytest.raises(ag.errors.StagingError, match='keep the number of the other one'):
        ag.function(circle(Node, lambda cells, k: cells[k]))(np.int64(1))
    check(circle(Plain, lambda cells, k: cells[k]), (np.int64(1),), (np.int64(0),))
    for kind in (Node, Plain):
        check(circle(kind, lambda cells, k: k), (np.int64(1),), (np.int64(0),))
