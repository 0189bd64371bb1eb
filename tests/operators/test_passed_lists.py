"""Lists that branches and loops set variables outside to: which list it is, Python would say so."""
# ruff: noqa: RUF005  what `a + b` makes of lists is what is tested
from __future__ import annotations

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

ROWS, OTHERS, ALIAS = [], [], []
NUMBERS = [np.float64(x) for x in (1, -1, 2, 5, 3, 4, -2, 5, 1)]
ARRAYS = [np.arange(3.0), np.arange(6.0), np.arange(0.0), np.array([5.0, -1.0]), np.arange(3.0)]


def added(x):
    global ROWS
    if x > 0:
        ROWS = ROWS + [x]
    return len(ROWS)


def in_place(x):
    global ROWS
    if x > 0:
        ROWS += [x]


def began_anew(x):
    global ROWS
    ROWS.append(x)
    if len(ROWS) > 2:
        ROWS = []
    return len(ROWS), ROWS


def of_two(x):
    global ROWS, OTHERS
    if x > 2:
        ROWS = ROWS + [x]
    elif x > 1:
        ROWS = [x] + ROWS
    elif x > 0:
        OTHERS = [x, x]
    else:
        ROWS = ROWS[1:]
    return len(ROWS), len(OTHERS), ROWS


def one_for_both(x):
    global ROWS
    if x > 2:
        ROWS = OTHERS
    ROWS.append(x)
    return sum(OTHERS), len(OTHERS), len(ROWS)


def matched(x):
    global ROWS
    match int(x):
        case 1:
            ROWS = ROWS + [x]
        case 2:
            ROWS = []
        case _:
            ROWS = ROWS + [x, x]


def in_a_try(x):
    global ROWS
    try:
        ROWS = ROWS + [x]
        if x > 2:
            raise ValueError
    except ValueError:
        ROWS = []
    return len(ROWS)


def left_by_raising(x):
    global ROWS
    if x > 0:
        ROWS = ROWS + [x]
    if x > 3:
        raise ValueError
    ROWS = [*ROWS, x]


def told_apart(x):
    global ROWS, OTHERS
    before = ROWS is ALIAS
    if x > 2:
        ROWS = [x]
    if x > 4:
        OTHERS = [x, x]
    ROWS.append(x)
    return before, ROWS is ALIAS, OTHERS is not ROWS, ROWS is ROWS, ROWS is None, ROWS is x


def total():
    return sum(ROWS)


def read_by_a_helper(x):
    global ROWS
    if x > 0:
        ROWS = ROWS + [x]
        y = total()
    else:
        y = x
    return y + total()


def in_turns(xs):
    global ROWS
    for x in xs:
        if x > 1:
            ROWS = ROWS + [x]
    return len(ROWS)


def anew_in_turns(xs):
    global ROWS
    for x in xs:
        ROWS = [x, x * 2]


def within_turns(xs):
    global ROWS
    for x in xs:
        if x > 1:
            ROWS = []
        ROWS.append(x)
    return ROWS


def while_short(xs):
    global ROWS
    i = 0
    while i < len(xs) and len(ROWS) < 9:
        ROWS = ROWS + [xs[i]]
        i += 1
    return len(ROWS)


def unrolled(xs):
    global ROWS
    for i in range(len(xs)):
        ROWS = ROWS + [xs[i]]
        if len(ROWS) > 4:
            ROWS = []


def _left(f, x, state):
    """What a call gives and leaves in the variables, and which of them are one list."""
    global ROWS, OTHERS, ALIAS
    ROWS, OTHERS, ALIAS = state
    try:
        result = f(x)
    except ValueError as error:
        result = type(error)
    is_it = [part is ROWS for part in (result, *(result if type(result) is tuple else ()))]
    lists = ROWS, OTHERS, ALIAS
    return lists, (result, is_it, lists, [[a is b for b in lists] for a in lists])


@pytest.mark.parametrize(('f', 'calls'), [
    *((f, NUMBERS) for f in (
        added, in_place, began_anew, of_two, one_for_both, matched, in_a_try, left_by_raising,
        read_by_a_helper, told_apart)),
    *((f, ARRAYS) for f in (in_turns, anew_in_turns, within_turns, while_short, unrolled)),
])  # fmt: skip
def test_a_global_name_has_the_list_that_it_has_in_python(f, calls):
    graph, states = ag.function(f), []
    for _ in range(2):
        rows = [np.float64(7.0)]
        states.append((rows, [np.float64(8.0)], rows))
    for x in calls:
        states[0], expected = _left(f, x, states[0])
        states[1], got = _left(graph, x, states[1])
        assert same(expected, got), (x, expected, got)


class Model:
    def __init__(self):
        self.batch, self.means, self.table = [], [], {'rows': [], 'n': 0}
        self.first = self.batch

    def step(self, x):
        self.batch.append(x)
        if len(self.batch) == 3:
            self.means.append(sum(self.batch) / 3)
            self.batch = []
        return len(self.batch), sum(self.first)

    def kept(self, x):
        if x > 0:
            self.batch = self.batch + [x]
        self.batch[-1:] = [x * 2]
        return max(self.batch), x in self.batch, [y + 1 for y in self.batch]

    def item(self, x):
        self.table['rows'].append(x)
        if x > 2:
            self.table['rows'] = []
            self.table['n'] += 1
        return len(self.table['rows'])

    def tuples(self, x):
        self.batch.append((x, 'a'))
        if x > 2:
            self.batch = [(x, 'b'), (x, 'c')]
        return len(self.batch)

    def tried(self, x):
        try:
            self.batch = [*self.batch, x]
            if x > 2:
                raise ValueError
        except ValueError:
            self.batch = []


@pytest.mark.parametrize('name', ['step', 'kept', 'item', 'tuples', 'tried'])
def test_an_attribute_has_the_list_that_it_has_in_python(name):
    plain, model = Model(), Model()
    plain.batch.append(np.float64(0.5))
    model.batch.append(np.float64(0.5))
    graph = ag.function(getattr(model, name))
    for x in NUMBERS:
        expected, got = getattr(plain, name)(x), graph(x)
        assert same((expected, vars(plain)), (got, vars(model)))
        assert (plain.first is plain.batch) == (model.first is model.batch)


def test_what_becomes_another_name_for_the_list_is_told_at_the_next_call():
    class Pair:
        def __init__(self):
            self.a, self.b = [np.float64(1.0)], [np.float64(2.0)]

        def step(self, x):
            if x > 3:
                self.a = self.a + [x]
            self.a.append(x)
            return sum(self.b), len(self.b)

    plain, pair = Pair(), Pair()
    graph = ag.function(pair.step)
    for i, x in enumerate(NUMBERS):
        if i in (2, 5):
            plain.a, pair.a = plain.b, pair.b
        if i == 7:
            plain.b, pair.b = plain.a, pair.a
        assert same((plain.step(x), vars(plain)), (graph(x), vars(pair)))
        assert (plain.a is plain.b) == (pair.a is pair.b)


def test_a_variable_of_a_function_around_has_the_list_that_it_has_in_python():
    def counting():
        rows = []

        def add(x):
            nonlocal rows
            rows = rows + [x]

        def step(x):
            nonlocal rows
            if x > 2:
                add(x)
            if x > 4:
                rows = []
            return len(rows)

        return step

    plain, graph = counting(), ag.function(counting())
    for x in NUMBERS:
        assert plain(x) == graph(x)


def test_another_name_that_a_branch_leaves_behind_is_refused_and_a_copy_works():
    def f(x):
        global ROWS
        before = ROWS
        if x > 0:
            ROWS = ROWS + [x]
        return len(before)

    def by_a_copy(x):
        global ROWS
        before = ROWS.copy()
        if x > 0:
            ROWS = ROWS + [x]
        return len(before)

    global ROWS
    ROWS = [np.float64(1.0)]
    with pytest.raises(ag.errors.OwnershipError, match=r'`rows = ROWS\.copy\(\)`'):
        ag.function(f)(np.float64(1))
    graph = ag.function(by_a_copy)
    assert [graph(np.float64(x)) for x in (1, -1, 2)] == [1, 2, 2]


class Named:
    def __init__(self):
        self.first = self.second = ROWS
        self.table = {'rows': ROWS}

    def passed(self, x):
        global ROWS
        if x > 1:
            self.table['rows'] = self.table['rows'] + [x]
            for z in range(3):
                if z > x:
                    self.first = self.first + [x]
                    ROWS.append(x)
            self.first.append(x)
        self.second = self.second + [x]
        return sum(self.table['rows'])


def test_a_list_that_blocks_are_passed_stays_what_its_other_names_have():
    global ROWS
    found = []
    for run in (lambda f: f, ag.function):
        ROWS = [np.float64(1.0)]
        model, before = Named(), ROWS
        step, seen = run(model.passed), []
        for x in NUMBERS[:4]:
            seen.append(step(x))
            lists = ROWS, before, model.first, model.second, model.table['rows']
            seen.append(([list(rows) for rows in lists], [[a is b for b in lists] for a in lists]))
        found.append(seen)
    assert same(*found), found


class Two:
    def __init__(self):
        self.a, self.b = [], []

    def at_once(self, x):
        if x > 0:
            self.a = self.b = [x]

    def by_a_local_name(self, x):
        rows = [x]
        if x > 0:
            self.a = rows
        rows.append(x)

    def one_after_the_other(self, x):
        if x > 0:
            self.a = [x]
            self.b = self.a

    def of_a_comprehension(self, x):
        if x > 0:
            self.a = self.b = [x * i for i in np.arange(3)]

    def twice_in_a_list(self, x):
        rows = [x]
        if x > 0:
            self.a = [rows, rows]

    def by_a_method(self, x):
        if x > 0:
            self.at_once(x)
        self.a.append(x)
        self.b.append(x)

    def before_the_branch(self, x):
        self.a = self.b = [x]
        if x > 0:
            self.a.append(x)


def two_names(x, kept):
    global ROWS, OTHERS
    if x > 0:
        ROWS = [x]
        OTHERS = ROWS
    ROWS.append(x)


def made_for_both(x, kept):
    global ROWS, OTHERS
    ROWS = OTHERS = [x]
    if x > 0:
        ROWS.append(x)


def a_local_name(x, kept):
    global ROWS
    rows = [1.0]
    if x > 0:
        rows = [x]
        ROWS = rows
    rows.append(x)


def an_item(x, kept):
    global ROWS
    if x > 0:
        ROWS = [x]
        kept.append(ROWS)
    ROWS.append(x)


@pytest.mark.parametrize('f', [
    two_names, made_for_both, a_local_name, an_item])
def test_a_global_list_with_another_name_is_refused(f):
    global ROWS, OTHERS
    ROWS, OTHERS = [], []
    for kept in ([], [[1.0]]):
        with pytest.raises(ag.errors.AutographError):
            ag.function(f)(np.float64(1), kept)
    assert (ROWS, OTHERS) == ([], [])


@pytest.mark.parametrize('name', [
    'at_once', 'by_a_local_name', 'one_after_the_other', 'of_a_comprehension', 'twice_in_a_list',
    'by_a_method', 'before_the_branch'])
def test_a_list_of_an_attribute_with_another_name_is_refused(name):
    two = Two()
    with pytest.raises(ag.errors.OwnershipError, match='copy'):
        ag.function(getattr(two, name))(np.float64(1))
    assert (two.a, two.b) == ([], [])


def test_a_copy_is_a_list_of_its_own():
    def f(x):
        global ROWS, OTHERS
        if x > 0:
            ROWS = [x]
            OTHERS = ROWS.copy()
        ROWS.append(x)

    graph = ag.function(f)
    for x in (1.0, -1.0, 2.0):
        states = []
        for g in (f, graph):
            state = _left(g, np.float64(x), ([], [], []))
            states.append(state[1])
        assert same(*states)


def test_a_list_outside_that_becomes_an_item_of_a_list_of_the_graph_is_refused():
    def f(x, kept):
        if x > 0:
            ROWS.append(x)
            kept.append(ROWS)
        ROWS.append(x)

    global ROWS
    ROWS = [np.float64(1.0)]
    with pytest.raises(ag.errors.AutographError):
        ag.function(f)(np.float64(1), [[1.0]])
    assert ROWS == [1.0]


SEEN: list = []
TAKEN: list = []


def test_a_given_list_is_not_put_outside_by_a_branch_that_changes_another():
    def f(q, x):
        global TAKEN
        q.append(x)
        if x > 1:
            SEEN.append(1)
            TAKEN = q

    with pytest.raises(ag.errors.OwnershipError, match='TAKEN'):
        ag.function(f)([7.0], np.float64(2.0))
    assert (SEEN, TAKEN) == ([], [])
