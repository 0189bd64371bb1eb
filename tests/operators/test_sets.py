"""Sets that a traced function makes and fills."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [
    (np.array(x),) for x in ([1.0, 2.0, 1.0, 3.0, 2.0], [-1.0, -2.0], [0.0, 4.0, 4.0, 8.0], [2.0])]


def repeated(x):
    seen = set()
    n = 0
    for v in x:
        if v in seen:
            n += 1
        seen.add(v)
    return n, len(seen), seen


def first_repeated(x):
    seen = set()
    for v in x:
        if int(v) in seen:
            return v
        seen.add(int(v))
    return -1.0


def asked(x):
    s = set()
    for v in x:
        s.add(int(v))
    return s, sorted(s), max(s), min(s), len(s), bool(s), 2 in s, 2.0 in s, isinstance(s, set)


def visited_in_a_graph(x):
    visited = set()
    waiting = [0]
    order = []
    while waiting:
        i = waiting.pop()
        if i in visited:
            continue
        visited.add(i)
        order.append(i)
        waiting.append(int(abs(x[i])) % len(x))
    return order, len(visited)


def in_branches(x):
    s = set()
    if x[0] > 0:
        s.add('first')
    if x[-1] > 1:
        s.add('last')
        s.discard('first')
    return 'first' in s, bool(s), s


def taken_out(x):
    s = set()
    for v in x:
        s.add(v)
        s.discard(v - 1)
        if v == 4:
            s.clear()
    return s, len(s)


def removed(x):
    s = set()
    for v in x:
        s.add(int(v))
    s.remove(2)
    return s


def removed_if_asked(x):
    s = set()
    if x[0] > 0:
        s.remove(2)
    return s


def of_pairs(x):
    s = set()
    for i, v in enumerate(x):
        s.add((int(v), i % 2))
    return len(s)


def under_two_names(x):
    s = set()
    t = s
    for v in x:
        s.add(int(v))
    return len(t), t is s


class Seen:
    def __init__(self):
        self.all = set()

    def is_new(self, v):
        if v in self.all:
            return False
        self.all.add(v)
        return True


def in_an_object(x):
    seen = Seen()
    n = 0
    for v in x:
        if seen.is_new(int(v)):
            n += 1
    return n, len(seen.all)


def of_arrays(x):
    return (
        len(set(x)), len(set(x.tolist())), len(set(int(v) for v in x)),
        set((x[0], x[0], 1.0)),
    )


def copied(x):
    s = set()
    s.add(1.5)
    t = s.copy()
    t.add(x[0])
    u = set(t)
    u.update(x)
    return s, t, len(u)


def of_characters(x):
    letters = set(f'{x[0]}')
    return sorted(letters), letters, '.' in letters


def not_a_number(x):
    nan = x[0] * np.nan
    s = set()
    s.add(nan)
    s.add(nan)
    return len(s), nan in s


def unhashable(x):
    s = set()
    s.add(x)
    return s


def known(x):
    s = set()
    t = {3, 4}
    s.add(1)
    s.add(3)
    s |= t
    s.update([5], (6, 7))
    return (
        s, s & t, s - t, t - s, s | {9}, s ^ t, s == {1, 3, 4, 5, 6, 7}, s <= t, list(s), sum(s),
        type(s) is set, frozenset(s), s.issubset(t), str(s), f'{s}', 3 in s, {v: x for v in s},
        (s,), [s], set([1, 2]), set('ab'),
    )


def emptied(x):
    s = set()
    for letter in 'hello':
        s.add(letter)
    for letter in s:
        x = x + ord(letter)
    while s:
        s.pop()
    return x, s


@pytest.mark.parametrize('f', [
    repeated, first_repeated, asked, visited_in_a_graph, in_branches, taken_out, removed,
    removed_if_asked, of_pairs, under_two_names, in_an_object, of_arrays, copied, of_characters,
    not_a_number, unhashable, known, emptied,
])  # fmt: skip
def test_it_is_a_set(f):
    shapes = len({x.shape for x, in CALLS})
    check(f, *CALLS, joins=True, traces=shapes)


def gone_over(x):
    s = set()
    for v in x:
        s.add(int(v))
    total = 0
    for v in s:
        total = total * 10 + v
    return total


def summed(x):
    s = set()
    for v in x:
        s.add(v)
    return sum(s)


def sorted_by(x):
    s = set()
    for v in x:
        s.add(v)
    return sorted(s, key=abs)


@pytest.mark.parametrize('f', [gone_over, summed, sorted_by])
def test_what_only_python_knows_of_it_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match='A set of which only the running graph'):
        ag.function(f)(CALLS[0][0])


def test_the_advice_works():
    def gone_over_in_order(x):
        s = set()
        for v in x:
            s.add(int(v))
        total = 0
        for v in sorted(s):
            total = total * 10 + v
        return total

    check(gone_over_in_order, *CALLS, traces=4)


def test_in_the_program():
    def f(x):
        seen = set()
        for v in x:
            seen.add(v)
        return len(seen)

    assert ag.function(f).get_concrete_function(np.zeros(3, int)).lowered_code == '''\
def f(x):
    seen_items = []
    for v in x:
        if v not in seen_items:
            seen_items.append(v)
    return len(seen_items)
'''


class Kept:
    """What lives outside."""


def test_what_is_kept_outside_is_pythons_own():
    kept = Kept()

    @ag.function
    def f(x):
        kept.seen = set()
        kept.seen.add(3)
        kept.waiting = deque([1])
        kept.both = [set(), deque()]
        return x

    f(np.float64(1))
    assert [kept.seen, kept.waiting, kept.both] == [{3}, deque([1]), [set(), deque()]]
    assert [type(kept.seen), type(kept.waiting), type(kept.both[0])] == [set, deque, set]


def test_what_only_the_graph_knows_is_not_kept_outside():
    kept = Kept()

    @ag.function
    def f(x):
        seen = set()
        for v in x:
            seen.add(int(v))
        kept.seen = seen
        return len(seen)

    with pytest.raises(ag.errors.AutographError, match=r'kept outside|lives outside'):
        f(CALLS[0][0])


PAIRS = [
    (np.array(x), np.array(y))
    for x, y in (([1, 1, 2, 3], [2, 9, 1]), ([5, 5, 5, 5], [5, 5, 5]), ([4, 3, 2, 1], [3, 4, 4]))]
NO_PAIRS = [(np.zeros(0, int), np.array([1])), (np.array([2]), np.zeros(0, int))]


def filled(xs):
    found = set()
    for x in xs:
        found.add(int(x))
    return found


def by_operators(xs, ys):
    a, b = filled(xs), filled(ys)
    return a & b, a | b, a - b, a ^ b, {1, 2} | a, a & {1, 2}, {1, 2, 3} - a, len(a & b) / 2


def by_methods(xs, ys):
    a, b = filled(xs), {int(y) for y in ys}
    return (
        a.union(b, [7]), a.intersection(b), a.difference(b), a.symmetric_difference(b),
        a.union(int(y) for y in ys))


def by_comparisons(xs, ys):
    a, b = filled(xs), filled(ys)
    compared = a <= b, a < b, a >= b, a > b, a == b, a != b, a == {5}, {1, 2, 3} >= a
    return compared, a.issubset(b), a.issuperset([1]), a.isdisjoint(b)


def in_its_place(xs, ys):
    a, b = filled(xs), filled(ys)
    c = a
    a &= b | {1}
    b -= a
    a.update(b)
    a ^= {1, 8}
    a.difference_update([8])
    b.symmetric_difference_update(a)
    return a, b, c, c is a


def in_a_loop(xs, ys):
    seen = set()
    frontier = {0}
    for x in xs:
        new = {f + 1 for f in sorted(frontier)} - seen
        seen |= new
        frontier.clear()
        frontier.update(new)
        if x > 2:
            frontier &= {2, 3, int(x)}
    return seen, frontier, not seen & frontier


def of_tuples(xs, ys):
    a, b = set(), set()
    for i, x in enumerate(xs):
        a.add((int(x), i % 2))
    for i, y in enumerate(ys):
        b.add((int(y), i % 2))
    return a & b, a - b, a <= b, (a | b) == {(5, 0), (5, 1)}


@pytest.mark.parametrize(
    'f', [by_operators, by_methods, by_comparisons, in_its_place, in_a_loop, of_tuples])
def test_two_sets(f):
    check(f, *PAIRS)
    check(f, *NO_PAIRS, traces=2)


def test_equal_elements_of_two_types_are_refused():
    with pytest.raises(ag.errors.StagingError, match='may be of two types'):
        ag.function(lambda xs: set(xs) & {1, 2})(PAIRS[0][0])


def of_its_own_in_every_turn(xs):
    last = set()
    for x in xs:
        last = {int(x)}
    return last


def of_its_own_in_a_branch(xs):
    waiting = deque([1])
    if xs[0] > 1:
        waiting = deque([2, xs[1]])
    return list(waiting)


@pytest.mark.parametrize('f', [of_its_own_in_every_turn, of_its_own_in_a_branch])
def test_another_one_in_its_place_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match=r'of its own(.|\n)*all the time, and change'):
        ag.function(f)(PAIRS[0][0])


def test_a_set_that_each_call_gives_is_changed_for_that_call():
    @ag.function
    def f(seen, x):
        seen |= {int(x)}

    first, second = {1}, {1}
    f(first, np.float64(3))
    f(second, np.float64(4))
    assert (first, second) == ({1, 3}, {1, 4})


def from_a_range_and_a_tuple(xs, ys):
    wanted, n = {i * 2 for i in range(3)}, 0
    for x in xs:
        near = {int(x) + d for d in (-1, 0, 1) if d or x > 1}
        n += len(near) + (4 in near) + (x in wanted)
        wanted.add(int(x))
    return wanted, n, {x * i for i in range(2) for x in (1, len(ys))}


def test_comprehensions_over_what_is_written_out():
    check(from_a_range_and_a_tuple, *PAIRS)
    check(from_a_range_and_a_tuple, *NO_PAIRS, traces=2)


def asked_of_iterables(x):
    seen = set()
    for v in x:
        seen.add(int(v))
    return (
        seen.issuperset(int(v) for v in x), seen.issuperset([int(v) for v in x]),
        seen.issuperset(v for v in [1, 2]), seen.issubset(v for v in range(9)),
        seen.issubset([int(v) for v in x]), seen.issuperset([2, 2, 2]), seen.union(v for v in [9]))


def test_sets_are_asked_of_what_holds_an_element_twice():
    check(asked_of_iterables, *CALLS, traces=4)


def test_a_list_is_no_element():
    def f(x):
        seen = set()
        for v in x:
            seen.add(int(v))
        return [] in seen

    for run in (f, ag.function(f)):
        with pytest.raises(TypeError, match="unhashable type: 'list'"):
            run(*CALLS[0])


def test_frozensets_become_sets_that_change():
    def chosen(x):
        s = frozenset([1])
        if x[0] > 2:
            s = frozenset([1, 4])
        return 4 in s

    def changed(x):
        s = {1}
        if x[0] > 2:
            s.clear()
            s.update(frozenset([1, 4]))
        return 4 in s

    def combined(x):
        return sorted(frozenset([1, 9]) | {int(x[0])})

    def made_a_set(x):
        return sorted(set(frozenset([1, 9])) | {int(x[0])})

    for refused, advice in ((chosen, 'Let s be one set'), (combined, 'Make a set of that')):
        with pytest.raises(ag.errors.StagingError, match=advice):
            ag.function(refused)(np.array([3, 1]))
    for f in (changed, made_a_set):
        check(f, (np.array([3, 1]),), (np.array([1, 1]),))


def residues(xs):
    s = set()
    for x in xs:
        s.add(int(x) % 4)
    return s


def shifted(xs):
    return {k + 1 for k in residues(xs)}


def chosen_halves(xs):
    halves = {k // 2 for k in residues(xs) if k > 1}
    return sorted(halves), halves | {k * k for k in halves}, {k > 1 for k in halves}


def divided(xs):
    return {12 // k for k in residues(xs)}


@pytest.mark.parametrize('f', [shifted, chosen_halves, divided])
def test_a_set_of_what_is_made_of_a_set_does_not_tell_in_which_order(f):
    check(f, (np.array([1.0, 2.0, 7.0]),), (np.array([5.0, 3.0, 2.0]),), (np.array([8.0, 1, 1]),))


def test_a_set_of_what_is_made_of_a_set_is_refused_where_it_would_tell_in_which_order():
    def noted(xs):
        seen = []
        return len({seen.append(k) or k for k in residues(xs)}), seen

    def named(xs):
        last = 0
        return {(last := k) for k in residues(xs)}, last

    def of_two_zeros(xs):
        return {k * -0.0 for k in residues(xs)}

    def of_two_errors(xs):
        return {[1, 2][k] // k for k in residues(xs)}

    for f in (noted, named, of_two_zeros, of_two_errors):
        with pytest.raises(ag.errors.StagingError, match='whose order is its own'):
            ag.function(f)(np.array([1.0, 2.0, 7.0]))
