"""Arguments that are neither arrays nor plain numbers: what tells them, and whose they are."""
from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import gc
import pathlib
import pickle
import weakref

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import RetracingWarning

x = np.float64(3.0)


class Level(enum.Enum):
    LOW = 'low'
    HIGH = 'high'


class Name(str, enum.Enum):
    A = 'a'


class Numbers(list):
    def __init__(self, *numbers):
        super().__init__(numbers)


# What holds others is told by what it holds, also after a change in place.

CONTAINERS = [
    lambda: {1},
    lambda: collections.deque([1]),
    lambda: bytearray(b'a'),
    lambda: array.array('d', [1.0]),
    lambda: collections.defaultdict(list, a=1),
    lambda: collections.Counter('a'),
    lambda: collections.OrderedDict(a=1),
    lambda: collections.UserList([1]),
]


@pytest.mark.parametrize('make', CONTAINERS, ids=lambda make: type(make()).__name__)
def test_a_container_is_told_by_what_it_holds(make):
    graph = ag.function(lambda x, held: (x * len(held), held))
    for _ in range(2):
        for _ in range(2):
            length, same = graph(x, make())
            assert length == 3.0
            assert same == make()
            assert type(same) is type(make())
    assert graph.tracing_count == 1


CHANGES = [
    (lambda: {1}, lambda held: held.add(5)),
    (lambda: {np.int64(1)}, lambda held: held.add(np.int64(5))),
    (lambda: collections.deque([1, 2]), lambda held: held.append(5)),
    (lambda: bytearray(b'ab'), lambda held: held.append(5)),
    (lambda: memoryview(bytearray(b'ab')), lambda held: held.__setitem__(0, 5)),
    (lambda: array.array('d', [1.0]), lambda held: held.append(5.0)),
    (lambda: collections.defaultdict(int, {1: 2}), lambda held: held.update({5: 1})),
    (lambda: collections.Counter([1, 1]), lambda held: held.update([5])),
    (lambda: collections.UserList([1, 2]), lambda held: held.append(5)),
    (lambda: Numbers(1, 2), lambda held: held.append(5)),
]


def named(make):
    return '' if make.__code__.co_argcount else type(make()).__name__


@pytest.mark.parametrize(('make', 'change'), CHANGES, ids=named)
def test_a_container_that_changes_between_calls(make, change):
    def f(x, held):
        for each in held:
            x = x + each
        return x + len(held) + sum([each for each in held])

    graph, held = ag.function(f), make()
    for _ in range(2):
        for _ in range(2):
            got = graph(x, held)
            assert got == f(x, held)
            assert type(got) is np.float64
        change(held)
    assert graph.tracing_count == 2


BY_THE_GRAPH = (set, collections.deque, collections.defaultdict, collections.Counter)


@pytest.mark.parametrize(
    ('make', 'change'),
    [case for case in CHANGES
     if not isinstance(case[0](), (memoryview, array.array, *BY_THE_GRAPH))],
    ids=named,
)
def test_what_the_caller_passed_in_is_not_changed_behind_its_back(make, change):
    held = make()
    with pytest.raises(ag.errors.OwnershipError, match=r'modifies a \w+ that the'):
        ag.function(lambda held: change(held))(held)
    assert held == make()


@pytest.mark.parametrize(
    ('make', 'change'), [case for case in CHANGES if isinstance(case[0](), BY_THE_GRAPH)],
    ids=named)
def test_what_the_caller_passed_in_is_changed_at_every_call(make, change):
    held, expected = make(), make()
    graph = ag.function(lambda held: change(held))
    for _ in range(3):
        graph(held)
        change(expected)
        assert held == expected


def test_a_set_that_is_made_is_another_one_at_every_call():
    graph = ag.function(lambda x: ({1, 2}, x))
    for _ in range(3):
        made, _ = graph(x)
        assert made == {1, 2}
        made.add(3)


def test_a_set_from_outside_stays_itself():
    held = {1}
    graph = ag.function(lambda: held)
    assert graph() is held
    held.add(2)
    assert graph() is held


def test_what_is_returned_of_the_arguments_is_the_calls_own():
    class Thing:
        pass

    graph = ag.function(lambda thing, x: (x, {'thing': thing, 'items': [thing]}))
    for _ in range(3):
        thing, items = Thing(), {1}
        assert graph(thing, x)[1] == {'thing': thing, 'items': [thing]}
        assert graph(items, x)[1]['thing'] is items
        items.add(2)
    watched = weakref.ref(thing)
    del thing
    gc.collect()
    assert watched() is None


def test_objects_in_a_set_are_not_kept_alive():
    class Thing:
        pass

    graph = ag.function(lambda things, x: x * len(things))
    thing = Thing()
    for things in ({thing}, frozenset([thing]), collections.deque([thing])):
        graph(things, x)
    watched = weakref.ref(thing)
    del thing, things
    gc.collect()
    assert watched() is None
    assert graph.traces == []


# Values that cannot change, by type and value.


@pytest.mark.parametrize(
    ('values', 'traces'),
    [
        ([slice(np.int64(1), None), slice(np.int64(2), None), slice(1, None)], 3),
        ([{np.int64(1)}, {np.int64(2)}, {1}], 3),
        ([{1: 0}, {1.0: 0}, {True: 0}, {1: 0}], 3),
        ([{'a': 0}, {Name.A: 0}, {'a': 0}], 2),
        ([{'a': 0, 'b': 1}, {'b': 1, 'a': 0}], 2),
        ([Level.LOW, Level.HIGH, Level.LOW, Name.A, 'a'], 4),
        ([decimal.Decimal('1.5'), decimal.Decimal('1.5'), decimal.Decimal('1.50')], 2),
        ([fractions.Fraction(1, 2), fractions.Fraction(1, 2), fractions.Fraction(1, 3)], 2),
        ([datetime.timedelta(1), datetime.timedelta(1), datetime.timedelta(2)], 2),
        ([pathlib.Path('a'), pathlib.Path('a'), pathlib.Path('b')], 2),
        ([np.float32, np.float32, np.float64, float], 3),
        ([[float('nan')], [float('nan')]], 1),
        ([{'a': float('nan')}, {'a': -float('nan')}], 1),
        ([10**30, 10**30, 2**63], 2),
        ([None, (None,), [None], {'a': None}], 4),
    ],
)
def test_values_that_cannot_change(values, traces):
    graph = ag.function(lambda value: (value, np.float64(1.0)))
    for _ in range(2):
        for value in values:
            same = graph(value)[0]
            assert repr(same) == repr(value)
            assert type(same) is type(value)
    assert graph.tracing_count == traces


# Methods, functions and partials, which are other objects at every call.


class Scale:
    rate = 2.0

    def scaled(self, x):
        return x * self.rate


def scaled(rate, x, shift=0):
    return x * rate + shift


def test_a_bound_method_is_told_by_its_object_and_its_function(monkeypatch):
    graph = ag.function(lambda f, x: f(x))
    one, two = Scale(), Scale()
    for _ in range(3):
        assert graph(one.scaled, x) == 6.0
    assert graph.tracing_count == 1
    one.rate = 5.0
    assert [graph(one.scaled, x), graph(two.scaled, x)] == [15.0, 6.0]
    monkeypatch.setattr(Scale, 'scaled', lambda self, x: x * 7)
    assert graph(one.scaled, x) == 21.0
    watched = weakref.ref(one)
    del one
    gc.collect()
    assert watched() is None


def test_a_partial_is_told_by_what_it_holds():
    graph = ag.function(lambda f, x: f(x))
    for _ in range(3):
        assert graph(functools.partial(scaled, 2.0), x) == 6.0
        assert graph(functools.partial(scaled, 2.0, shift=1), x) == 7.0
    assert graph.tracing_count == 2
    assert 'the argument f' in graph.trace_report()


def test_an_object_that_is_new_at_every_call_is_warned_of():
    graph = ag.function(lambda f, x: f(x))

    def use():
        for _ in range(10):
            assert graph(lambda x: x * 2, x) == 6.0

    with pytest.warns(RetracingWarning, match=r"object of the argument 'f'.*same object again"):
        use()
    told = '2 to 10. the argument f is another object, the one before is gone'
    assert told in graph.trace_report()


# Nests.


def test_an_ordered_dict_is_a_nest():
    def f(params, n):
        result = collections.OrderedDict(b=params['b'], a=params['a'])
        for _ in range(n):
            result['a'] = result['a'] * 2
        return result

    graph = ag.function(f)
    for factor in (1.0, 2.0, 3.0):
        params = collections.OrderedDict(a=np.ones(2) * factor, b=1)
        got, expected = graph(params, np.int64(2)), f(params, 2)
        assert type(got) is collections.OrderedDict
        assert list(got) == ['b', 'a']
        np.testing.assert_array_equal(got['a'], expected['a'])
    assert graph.tracing_count == 1


def test_an_object_does_not_pickle_with_a_trace():
    concrete = ag.function(lambda thing, x: x * thing.rate).get_concrete_function(SCALE, x)
    again = pickle.loads(pickle.dumps(concrete))
    assert again(x) == 6.0
    with pytest.raises(TypeError, match=r'thing=<.*Scale object'):
        again(SCALE, x)


SCALE = Scale()


def test_many_instances_are_nothing_to_warn_of():
    class Model(Scale):
        @ag.function
        def call(self, x):
            return x * self.rate

    for _ in range(2):
        models = [Model() for _ in range(10)]
        for model in models:
            assert model.call(x) == 6.0
    assert 'the argument self is another object' in Model.call.trace_report()


class Series:
    """What NumPy takes for an array."""

    def __init__(self):
        self.data = np.ones(2)

    def __array__(self, dtype=None, copy=None):
        return self.data

    @ag.function
    def total(self):
        return np.sum(self.data)


def test_what_numpy_takes_for_an_array_is_refused():
    series = Series()
    for graph, args in (
        (ag.function(lambda s: np.sum(s)), (series,)),
        (ag.function(lambda s: np.sum(s['a'])), ({'a': series},)),
        (ag.function(lambda: np.sum(series)), ()),
    ):
        with pytest.raises(ag.errors.StagingError, match=r'is a Series(.|\n)*np\.asarray\(x\)'):
            graph(*args)
    assert ag.function(lambda: np.sum(series.data))() == 2.0
    assert series.total() == 2.0
    series.data[:] = 2.0
    assert series.total() == 4.0


def test_a_list_that_holds_itself():
    items = [1]
    items.append(items)
    with pytest.raises(ag.errors.StagingError, match='holds itself'):
        ag.function(lambda items: len(items))(items)


def test_a_memory_map_is_refused_by_its_name(tmp_path):
    table = np.memmap(tmp_path / 'table', mode='w+', shape=(3,))
    with pytest.raises(ag.errors.StagingError, match=r"'table' is a memmap(.|\n)*copies nothing"):
        ag.function(lambda: np.sum(table))()
    plain = np.asarray(table)
    graph = ag.function(lambda: np.sum(plain))
    assert graph() == 0
    table[0] = 3
    assert graph() == 3


def test_a_bound_argument_that_is_returned():
    def f(thing, things, x):
        return thing, things, x

    thing = Scale()
    graph = ag.function(f)
    assert graph.get_concrete_function(thing, {1, 2}, x)(x) == (thing, {1, 2}, x)
    concrete = graph.get_concrete_function(thing, {thing}, x)
    assert concrete(thing, {thing}, x) == (thing, {thing}, x)
    with pytest.raises(TypeError, match="returns its argument 'things'"):
        concrete(x)
    outer = ag.function(lambda x: graph.get_concrete_function(thing, {1}, x)(x)[0].scaled(x))
    assert outer(x) == 6.0


class Axis(enum.IntEnum):
    ROWS = 0
    COLUMNS = 1


class Dtype(str, enum.Enum):
    SHORT = 'float32'


class Rate(float):
    pass


NUMBERS_OF_THEIR_OWN = [
    (lambda x, i: (x[i], x[:, i], x[i:], x[[i, 0]], x * i), Axis.COLUMNS),
    (lambda x, i: (np.sum(x, axis=i), x.sum(i), np.zeros(i), np.take(x, i)), Axis.COLUMNS),
    (lambda x, s: x.astype(s), Dtype.SHORT),
    (lambda x, s: (x * s, np.full(2, s), np.clip(x, 0, s), np.quantile(x, s / 4)), Rate(2)),
]


@pytest.mark.parametrize(('f', 'value'), NUMBERS_OF_THEIR_OWN, ids=range(4))
def test_numbers_and_texts_of_classes_of_their_own(f, value):
    x = np.arange(6.0).reshape(2, 3)
    assert repr(ag.function(f)(x, value)) == repr(f(x, value))


def test_items_of_what_an_array_of_objects_holds_are_refused():
    objects = np.empty(1, dtype=object)
    objects[0] = [1.0, 2.0]
    with pytest.raises(ag.errors.StagingError, match=r'(?s)of objects.*Keep the objects in a'):
        ag.function(lambda x: x * objects[0][1])(np.ones(2))


@pytest.mark.parametrize(
    'value',
    [range(2), slice(1), {1}, 1j, collections.deque([1]), float('nan'), pathlib.Path('a')],
    ids=lambda value: type(value).__name__,
)
def test_a_dataclass_after_another_python_value(value):
    @dataclasses.dataclass
    class Point:
        x: int

    f = ag.function(lambda p: p.x if isinstance(p, Point) else 0)
    assert [f(value), f(Point(1)), f(value), f(Point(1)), f(Point(2))] == [0, 1, 0, 1, 2]
    assert f.tracing_count == 3
