"""Lists that a function makes and puts outside, and that its loops and branches change there."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from differential import same
from states import left

import autograph_lite as ag

CALLS = [np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 5.0]), np.array([9.0, 1.0, -9.0])]


class Model:
    def fit(self, xs):
        self.history_, self.n_ = [], 0
        w = np.zeros(2)
        for _ in range(20):
            loss = ((w - xs[:2]) ** 2).mean()
            self.history_.append(loss)
            self.n_ += 1
            if loss < 0.5:
                break
            w = w - 0.5 * (w - xs[:2])
        self.coef_ = w
        return self.history_[-1]

    def chosen(self, xs):
        self.large, self.small = [], [xs[0]]
        for x in xs:
            if x > 2:
                self.large.append(x)
            else:
                self.small.append(x * 2)
        return len(self.large), sum(self.small), self.small[0]

    def window(self, xs):
        self.last, total = [], 0.0
        for x in xs:
            self.last.append(x)
            if len(self.last) > 2:
                total = total + self.last.pop(0)
        return total, self.last.pop(), xs[1] in self.last

    def in_order(self, xs):
        self.rows = []
        for x in xs:
            self.rows.append(x)
        self.rows.sort(reverse=True)
        self.rows.reverse()
        self.rows.insert(0, xs[0])
        self.rows.extend([xs[1], xs[2]])
        self.rows += [xs[0]]
        self.rows[0] = xs[2]
        del self.rows[1]
        return self.rows[1:], sorted(self.rows), self.rows.index(xs[0])

    def steps(self, xs):
        self.path, w = [], np.zeros(2)
        for x in xs:
            w = w + x
            self.path.append(w)
        return self.path[-1], np.array(self.path)

    def note(self, *what):
        self.notes.append(what)

    def noted(self, xs):
        self.notes = []
        for i, x in enumerate(xs):
            if x > 1:
                self.note(i, x)
        return xs

    def raised(self, xs):
        self.seen = []
        try:
            for x in xs:
                self.seen.append(x)
                if x < 0:
                    raise ValueError('negative')
        except ValueError:
            self.seen.append(xs[0])
        return self.seen

    def read_first(self, xs):
        self.rows, total = [], 0.0
        for x in xs:
            total = total + len(self.rows) + (self.rows[-1] if len(self.rows) > 0 else x)
            self.rows.append(x)
        return total

    def made_twice(self, xs):
        self.rows = []
        for x in xs:
            self.rows.append(x)
        self.rows = []
        while len(self.rows) < xs[1]:
            self.rows.append(xs[0])
        return [row * 2 for row in self.rows]


    def comprehension(self, xs):
        self.rows = [x * 2 for x in xs]
        self.both = {'a': [x for x in xs if x > 2], 'n': 1}
        self.both['a'].append(xs[0])
        return len(self.rows)

    def counted_tuple(self, xs):
        self.rows = tuple(x for x in xs if x > 2)
        return len(self.rows)

    def by_another_name(self, xs):
        row = other = [xs[0]]
        if xs[0] > 2:
            row.append(xs[1])
        self.rows = other
        row.append(5.0)

    def forgotten(self, xs):
        self.rows = []
        for x in xs:
            self.rows.append(x)
        n = len(self.rows)
        self.rows = None
        return n


METHODS = [name for name, method in vars(Model).items() if callable(method) and name != 'note']


@pytest.mark.parametrize('name', METHODS)
def test_each_call_makes_a_list_and_changes_it(name):
    left(Model, lambda model: getattr(model, name), CALLS, lambda model: vars(model).update(
        {key: [*held, 7.0] for key, held in vars(model).items() if type(held) is list}))


def test_an_object_that_is_given_is_fitted():
    @ag.function
    def f(model, xs):
        model.fit(xs)
        return model.n_

    plain, model = Model(), Model()
    for xs in CALLS:
        plain.fit(xs)
        assert f(model, xs) == plain.n_
        assert same(model.history_, plain.history_)


def test_it_is_the_callers_from_then_on():
    model = Model()
    fit = ag.function(model.fit)
    fit(CALLS[0])
    before = model.history_
    kept = list(before)
    fit(CALLS[1])
    assert model.history_ is not before
    assert same(before, kept)


def test_a_copy_of_another_name_for_it_is_refused():
    model = Model()

    @ag.function
    def f(xs):
        model.rows = []
        model.other = model.rows
        for x in xs:
            model.rows.append(x)

    with pytest.raises(ag.errors.OwnershipError, match='put into another place outside'):
        f(CALLS[0])


def test_what_lives_outside_is_put_elsewhere_itself():
    rows, seen, last, table, others = [], set(), deque(), {}, []

    @ag.function
    def f(xs):
        for x in xs:
            rows.append(x)
            seen.add(int(x))
            last.append(x)
            table[int(x)] = x
        others.extend([rows, (seen, 1)])
        others.append(last)
        others.append(table)

    f(CALLS[0])
    assert others[0] is rows
    assert others[1][0] is seen
    assert others[2] is last
    assert others[3] is table


HELD = None
GIVEN = np.arange(3.0), np.array([2.0, 5.0, -1.0, 3.0]), np.array([4.0, 0.0, 7.0])


def filled(xs):
    global HELD
    HELD = []
    for x in xs:
        HELD.append(x)
    return len(HELD)


def of_a_comprehension(xs):
    global HELD
    HELD = [x * 2 for x in xs]
    HELD.append(xs[0])
    return len(HELD)


def set_in_a_branch(xs):
    global HELD
    HELD = None
    if xs[0] > 1:
        HELD = [xs[0]]


def grown_in_a_branch(xs):
    global HELD
    HELD = [0.0]
    if xs[0] > 1:
        HELD.append(xs[0])


def taken_out(xs):
    global HELD
    HELD = list(xs)
    for x in xs:
        if x > 3:
            HELD.pop()
    return sum(HELD)


def made_tuple(xs):
    global HELD
    HELD = tuple([x for x in xs if x > 0])


def added(xs):
    global HELD
    HELD = []
    for x in xs:
        HELD = [*HELD, x]
    return HELD


def set_at_places(xs):
    global HELD
    HELD = [0.0] * len(xs)
    for i, x in enumerate(xs):
        HELD[i] = x
    return HELD


def in_a_try(xs):
    global HELD
    HELD = []
    try:
        for x in xs:
            HELD.append(x)
            if x < 0:
                raise ValueError
    except ValueError:
        HELD.append(9.0)


@pytest.mark.parametrize('f', [
    filled, of_a_comprehension, set_in_a_branch, grown_in_a_branch, taken_out, made_tuple, added,
    set_at_places, in_a_try,
])  # fmt: skip
def test_a_global_name_has_a_new_list(f):
    graph = ag.function(f)
    for xs in GIVEN:
        expected = f(xs), HELD
        assert same(expected, (graph(xs), HELD)), (expected, HELD)


def test_a_variable_of_a_function_around_has_a_new_list():
    def pair():
        held = None

        def f(xs):
            nonlocal held
            held = [0.0]
            if xs[0] > 1:
                held.append(xs[0])
            for x in xs:
                held.append(x)

        return f, lambda: held

    (f, plain), (g, traced) = pair(), pair()
    graph = ag.function(g)
    for xs in GIVEN:
        f(xs)
        graph(xs)
        assert same(plain(), traced())


def test_what_is_read_of_it_for_no_one_is_not_read_at_each_turn():
    assert 'list' not in ag.function(filled).get_concrete_function(GIVEN[0]).lowered_code


def test_another_name_for_it_is_not_what_the_variable_is_by_now():
    @ag.function
    def f(xs):
        global HELD
        HELD = []
        for x in xs:
            HELD.append(x)
        before = HELD
        HELD = []
        for x in xs[1:]:
            HELD.append(x)
        return len(HELD), len(before)

    with pytest.raises(ag.errors.OwnershipError, match='something else by now'):
        f(GIVEN[0])
