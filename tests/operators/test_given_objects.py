"""Objects that a function is given, or finds outside, of which the running graph knows which one
is meant, if any."""
from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from differential import run_printed
from work import work

import autograph_lite as ag

F = np.float64


def held(x):
    """What the objects hold that are given, in the order in which each leads to others."""
    known, left = {}, list(x) if isinstance(x, list) else [x]
    for each in left:
        if id(each) not in known and hasattr(each, 'value'):
            known[id(each)] = float(each.value), float(each.hits)
            left += vars(each).values() if hasattr(each, '__dict__') else []
    return list(known.values())


def ran(f, given, x):
    """What a call returns or raises, and what it leaves in what it is given."""
    try:
        return repr(f(given, x)), held(given)
    except Exception as error:
        return repr(error), held(given)


def check_changed(f, make, *xs):
    """A function gives the same as in plain Python, and leaves the same in what it is given."""
    for x in map(F, xs):
        expected = ran(f, make(), x)
        for run in (ag.to_graph(f), run_printed(f), ag.function(f)):
            assert ran(run, make(), x) == expected


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = F(value)
        self.hits = 0.0
        self.left = left
        self.right = right
        self.next = None
        self.previous = None


def linked(*values):
    nodes = list(map(Node, values))
    for one, other in itertools.pairwise(nodes):
        one.next, other.previous = other, one
    return nodes[0]


def ring(*values):
    first = last = linked(*values)
    while last.next is not None:
        last = last.next
    last.next, first.previous = first, last
    return first


def tree(*values):
    """A search tree of values in order."""
    if not values:
        return None
    middle = len(values) // 2
    return Node(values[middle], tree(*values[:middle]), tree(*values[middle + 1 :]))


def how_far(head, x):
    n = 0
    p = head
    while p is not None:
        if p.value > x:
            return n
        p = p.next
        n += 1
    return -1


def up_to_a_break(head, x):
    n, p = 0, head
    while p is not None:
        if p.value > x:
            break
        p = p.next
        n += 1
    return n


def while_less(head, x):
    p = head
    while p is not None and p.value <= x:
        p = p.next
    return p is None


def while_there(p, x):
    while p:
        if p.value == x:
            return True
        p = p.next
    return False


def up_to_the_last(p, x):
    while p.next is not None and p.value < x:
        p = p.next
    return p.value


def the_first_is_changed(p, x):
    while p is not None:
        if p.value > x:
            p.hits += 1
            p.value = x
            break
        p = p.next


def there_and_back(p, x):
    while p.next is not None and p.value < x:
        p.hits += 1
        p = p.next
    while p.previous is not None:
        p = p.previous
        p.hits *= 2


@pytest.mark.parametrize('f', [
    how_far, up_to_a_break, while_less, while_there, up_to_the_last, the_first_is_changed,
    there_and_back,
])
def test_a_linked_list_is_searched(f):
    check_changed(f, lambda: linked(1, 2, 3), 2.0, 9.0)
    check_changed(f, lambda: linked(5), 5.0)


def until_larger(p, x):
    n = 0
    while p.value <= x:
        p = p.next
        n += 1
    return n


def once_around(head, x):
    p, n = head, 0
    while True:
        if p.value > x:
            return n
        p = p.next
        n += 1
        if p is head:
            return -1


def so_many_steps(p, x):
    for _ in range(np.int64(x) + 3):
        p.hits += 1
        p = p.next
    return p.value


@pytest.mark.parametrize('f', [until_larger, once_around, so_many_steps])
def test_a_ring_is_gone_around(f):
    check_changed(f, lambda: ring(1, 2, 3, 4), 0.0, 3.5)


def found(node, x):
    while node is not None:
        if x == node.value:
            return True
        node = node.left if x < node.value else node.right
    return False


def depth(node, x):
    n = 0
    while node is not None and node.value != x:
        if x < node.value:
            node = node.left
        else:
            node = node.right
        n += 1
    return n


def counted(node, x):
    while node is not None:
        node.hits += 1
        if x == node.value:
            node.value += 100
            return
        node = node.left if x < node.value else node.right


@pytest.mark.parametrize('f', [found, depth, counted])
def test_a_tree_is_searched(f):
    check_changed(f, lambda: tree(1, 2, 3, 4, 5), 4.0, 5.5)


def test_the_work_for_a_long_list_grows_no_faster_than_its_length():
    def row(size):
        head = linked(*range(size))
        node = head
        while node is not None:
            del node.left, node.right, node.previous  # it leads on alone
            node = node.next
        return head

    assert ag.function(up_to_a_break)(row(60), F(30)) == 31
    ten, forty = (work(ag.function(up_to_a_break), row(size), F(30)) for size in (10, 40))
    assert forty < 4 * ten


@dataclasses.dataclass
class Agent:
    value: float
    hits: float = 0.0


@dataclasses.dataclass(slots=True)
class Slotted:
    value: float
    hits: float = 0.0


OUTER = [Node(1), Node(3), Node(2)]


def first(agents, x):
    return next((a for a in agents if a.value > x), None)


def the_next_is_read(agents, x):
    a = first(agents, x)
    return x if a is None else a.value


def the_next_is_changed(agents, x):
    next(a for a in agents if a.value > x).hits += 1


def the_next_if_any_is_changed(agents, x):
    a = first(agents, x)
    if a is not None:
        a.hits += 1
    return agents[1].hits


def none_before_a_loop(agents, x):
    a = None
    for each in agents:
        if each.value > x:
            a = each
    if a:
        a.value -= 10
    return [each.value for each in agents]


def none_before_a_branch(agents, x):
    a = None
    if x > 1:
        a = agents[np.int64(x) - 1]
    if a is not None:
        a.hits = x


def none_is_asked(agents, x):
    a = first(agents, x)
    a.hits = 5.0
    return a.value


def by_an_early_return(agents, x):
    def find():
        for a in agents:
            if a.value > x:
                return a

    a = find()
    if a is None:
        return F(0)
    a.hits += a.value
    return a.hits


def under_other_names(agents, x):
    others = [agents[2], agents[1]]
    holder = Node(0)
    holder.next = agents[1]
    a, b = first(agents, x), first(others, x - 1)
    if a is not None and b is not None:
        a.hits += 1
        b.hits += 10
    return others[0].hits, holder.next.hits, agents[0].hits, a is b


def the_least_each_time(agents, x):
    for _ in range(np.int64(x)):
        least = min(agents, key=lambda a: a.hits)
        least.hits += least.value
    return float(sum(a.hits for a in agents))


def the_best(agents, x):
    best = None
    for a in agents:
        if best is None or a.value > best.value:
            best = a
    best.hits += x
    return best.value


@pytest.mark.parametrize('f', [
    the_next_is_read, the_next_is_changed, the_next_if_any_is_changed, none_before_a_loop,
    none_before_a_branch, none_is_asked, by_an_early_return, under_other_names,
    the_least_each_time, the_best,
])
@pytest.mark.parametrize('kind', [Node, Agent, Slotted])
def test_one_that_is_given_or_none(f, kind):
    check_changed(f, lambda: [kind(F(1)), kind(F(3)), kind(F(2))], 1.5, 3.0)


def given_twice():
    one = Node(3)
    return [one, Node(1), one]


@pytest.mark.parametrize('f', [the_next_is_changed, under_other_names, the_best])
def test_one_that_is_given_twice(f):
    check_changed(f, given_twice, 0.5, 2.0)


def of_outside(x):
    a = first(OUTER, x)
    if a is not None:
        a.hits = x
    return OUTER[1].hits


def test_one_that_lives_outside_or_none():
    g = ag.function(of_outside)
    for x in 1.5, 2.5, 9.0:
        assert g(F(x)) == min(x, 2.5)
    assert [o.hits for o in OUTER] == [0.0, 2.5, 0.0]


def one_that_nothing_leads_to_any_more(node, x):
    if x > 1:
        node.left = node.right
    node.left.hits += 1


def test_one_that_is_let_go():
    check_changed(
        one_that_nothing_leads_to_any_more, lambda: Node(1, Node(2), Node(3)), 0.0, 2.0)
