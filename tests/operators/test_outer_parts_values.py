"""What lives outside and is no number at first: the next call sees what this one has left."""
from __future__ import annotations

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

CALLS = [np.array(x) for x in ([1.0, -2.0], [-1.0, 2.0], [-2.0, 5.0], [4.0, 5.0])]
XS = CALLS[0]
MISSING = object()


class Model:
    __slots__ = ('__dict__', '__weakref__', 'kept')
    shared = None


class World:
    """One of each place for a value, for the functions below to set and read."""

    def __init__(self, start):
        self.model, self.items = Model(), {'other': 1}
        if start is not MISSING:
            self.model.best = self.model.kept = self.items['best'] = start

    @property
    def state(self):
        found = (getattr(self.model, name, 'missing') for name in ('best', 'kept', 'shared'))
        return *found, dict(self.items)


def set_all(world, value):
    world.model.best = world.model.kept = world.items['best'] = value


def in_a_branch(world, new, x):
    if x[0] > 0:
        world.model.best = new(x)
        world.model.kept = new(x)
        world.model.shared = new(x)
        world.items['best'] = new(x)


def in_a_loop(world, new, x):
    for v in x:
        if v > 3:
            continue
        world.model.best = new(x)
        if v > 0:
            world.model.kept = new(x)
        world.items['best'] = new(x)


def in_a_helper(world, new, x):
    if x[0] > 0:
        set_all(world, new(x))


def plainly(world, new, x):
    set_all(world, new(x))


def in_a_finally(world, new, x):
    try:
        if x[0] > 0:
            world.model.best = new(x)
    finally:
        world.items['best'] = new(x)


def is_none(model, items):
    return model.best is None, model.kept is None, model.shared is None, items['best'] is None


def is_text(model, items):
    return model.best == 'b', model.kept == 'b', items['best'] == 'b'


def first(model, items):
    return model.best[0], model.kept[0], items['best'][0]


def truth(model, items):
    return 1 if model.best else 2, 3 if model.kept else 4, 5 if items['best'] else 6


def number(model, items):
    return model.best + 1, model.kept + 1, items['best'] + 1


def total(model, items):
    return model.best.sum(), model.kept.sum(), items['best'].sum()


def is_there(model, items):
    return hasattr(model, 'best'), getattr(model, 'best', None) is None, 'best' in items


KINDS = {
    'none': (None, lambda x: x[1], is_none),
    'text': ('a', lambda x: 'b', is_text),
    'tuple': ((0.0, 1), lambda x: (x[1], 2), first),
    'bool': (False, lambda x: x[1] > 0, truth),
    'int': (3, lambda x: 4, number),
    'float': (1.5, lambda x: x[1], number),
    'array': (np.zeros(2), lambda x: x, total),
    'missing': (MISSING, lambda x: x[1], is_there),
}


@pytest.mark.parametrize(
    'change', [in_a_branch, in_a_loop, in_a_helper, plainly, in_a_finally],
    ids=lambda f: f.__name__)
@pytest.mark.parametrize('kind', list(KINDS))
def test_what_the_next_calls_see(kind, change):
    start, new, look = KINDS[kind]

    def make(world):
        def f(x):
            change(world, new, x)
            return look(world.model, world.items)

        return f

    plain, staged = World(start), World(start)
    f, graph = make(plain), ag.function(make(staged))
    for x in CALLS:
        assert same(f(x.copy()), graph(x.copy()))
        assert same(plain.state, staged.state)


BEST = None


def set_best(x):
    global BEST
    BEST = x[1]


def test_of_a_variable_that_a_helper_sets():
    global BEST

    def f(x):
        if x[0] > 0:
            set_best(x)
        return BEST is None

    found = []
    for each in (f, ag.function(f)):
        BEST = None
        found.append([each(x) for x in (-CALLS[0], *CALLS)])
    BEST = None
    assert same(*found)
    assert found[0] == [True, False, False, False, False]


def test_of_a_number_where_the_graph_reads_nothing():
    def f(model, x):
        if x[0] > 0:
            model.total = x[1]
        seen = model.total
        if model.count == 2:
            try:
                model.count = model.count + 1
            finally:
                model.last = x[0]
        return seen

    graph = ag.function(f)
    plain, staged = Model(), Model()
    for model in (plain, staged):
        model.total, model.count, model.last = 0.0, 0, 0.0
    for x in CALLS:
        assert same(f(plain, x), graph(staged, x))
        assert same(vars(plain), vars(staged))


class Counter:
    def __init__(self):
        self.count = 0

    def add(self):
        self.count += 1


def test_a_counter_that_is_read_before_a_method_counts_is_traced_once():
    counter = Counter()

    @ag.function
    def f(x):
        seen = counter.count + 1
        counter.add()
        return seen * x

    assert [f(np.float64(2)) for _ in range(4)] == [2, 4, 6, 8]
    assert (counter.count, f.tracing_count) == (4, 1)


def test_another_dict_in_the_place_of_one_that_was_read():
    model = Model()
    model.named = {'a': 1.0}

    @ag.function
    def f(x):
        before = model.named
        model.named = {'a': 2.0}
        return before['a'] * x

    assert [f(np.float64(2)) for _ in range(3)] == [2, 4, 4]


ONE, OTHER = Counter(), Counter()
CHOSEN = ONE


def chosen_global(model, x):
    global CHOSEN
    if x[0] > 0:
        CHOSEN = OTHER
    return CHOSEN.count


def chosen_attribute(model, x):
    for v in x:
        if v > 0:
            model.chosen = OTHER
    return model.chosen.count


def test_a_variable_is_not_set_to_an_object_that_a_branch_chooses():
    with pytest.raises(ag.errors.OwnershipError, match='which Counter this is'):
        ag.function(chosen_global)(Model(), XS)
    assert CHOSEN is ONE


@pytest.mark.parametrize(('xs', 'chosen'), [(XS, OTHER), (-np.abs(XS), ONE)])
def test_an_attribute_is_set_to_the_object_that_a_loop_chooses(xs, chosen):
    model, f = Model(), ag.function(chosen_attribute)
    for _ in range(2):
        model.chosen = ONE
        assert f(model, xs) == chosen.count
        assert model.chosen is chosen
    assert f.tracing_count == 1


def test_the_same_object_on_each_way_is_set_outside():
    def f(model, x):
        if x[0] > 0:
            model.chosen = OTHER
        else:
            model.chosen = OTHER
        return x

    model = Model()
    ag.function(f)(model, XS)
    assert model.chosen is OTHER


@pytest.mark.parametrize('look', [
    lambda model, items: model.best[0], lambda model, items: items['best'] is None,
    lambda model, items: len(model.best), lambda model, items: sum(items.values()),
    lambda model, items: len(vars(model)),
])  # fmt: skip
def test_a_tuple_that_a_branch_may_not_have_set_is_asked_for(look):
    world = World(MISSING)

    def f(x):
        if x[0] > 0:
            world.model.best = x[1], 1
            world.items['best'] = x[1], 1
        return look(world.model, world.items)

    with pytest.raises(ag.errors.UnboundError, match='is read here, but it has no value'):
        ag.function(f)(np.array([-1.0, 2.0]))


def test_an_object_at_a_key_of_two_parts_is_replaced():
    def run(way):
        table = {(1, 'a'): Counter(), (2, 'b'): Counter()}

        def f(x):
            read = x * table[1, 'a'].count
            table[1, 'a'] = table[2, 'b']
            return read

        table[2, 'b'].count = 5
        g = way(f)
        return [g(np.float64(2)) for _ in range(3)]

    assert run(ag.function) == run(lambda f: f)


def test_a_tuple_is_missing_until_a_branch_sets_it():
    def run(way):
        model, items = Model(), {}

        def f(x):
            if x > 0:
                model.best = x, 1
                items['best'] = x, 1
            found = hasattr(model, 'best'), 'best' in items, items.get('best') is None
            default = np.float64(0), 0
            return found, getattr(model, 'best', default)[0], model.best[1] if x > 0 else 2

        g = way(f)
        return [g(np.float64(x)) for x in (-1, 1, -1, 2)]

    assert same(run(ag.function), run(lambda f: f))
