"""Attributes of classes, modules and functions: set at every call, or refused; none is missed."""
from __future__ import annotations

import types
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag


class Shared:
    count = 0
    last = None
    rows: ClassVar[list] = []

    def counted(self, x):
        type(self).count += 1
        return x

    @classmethod
    def made(cls, x):
        cls.count += 1
        return x

    def put(self, x):
        self.rows.append(1)
        return x


class Watched(type):
    def __setattr__(cls, name, value):
        super().__setattr__(name, value)


class OfAKind(metaclass=Watched):
    count = 0


class Thing:
    flag = 0


MODULE = types.ModuleType('settings')
TABLE = {'flag': 1}
THING = Thing()


@pytest.fixture(autouse=True)
def _as_before():
    Shared.count, Shared.last, MODULE.count, TABLE['flag'], THING.flag = 0, None, 0, 1, 1
    OfAKind.count = 0
    yield
    assert (Shared.count, Shared.last, Shared.rows, MODULE.count) == (0, None, [], 0)
    assert (TABLE, THING.flag, OfAKind.count) == ({'flag': 1}, 1, 0)


def of_a_class(xs):
    for _ in xs:
        Shared.count += 1
    return Shared.count


def of_a_class_on_one_way(xs):
    if xs[0] > 5:
        Shared.count = 7
    return xs


def of_a_module(xs):
    for _ in xs:
        MODULE.count += 1
    return xs


def of_a_function(xs):
    for _ in xs:
        of_a_function.count = 1
    return xs


def of_the_objects_class(xs):
    thing = Shared()
    s = 0.0
    for x in xs:
        s += thing.counted(x)
    return s


def in_a_class_method(xs):
    s = 0.0
    for x in xs:
        s += Shared.made(x)
    return s


def by_setattr(xs):
    for _ in xs:
        setattr(Shared, 'count', Shared.count + 1)  # noqa: B010
    return xs


def with_an_annotation(xs):
    for _ in xs:
        Shared.last: int = 4
    return xs


def by_del(xs):
    if xs[0] > 5:
        del Shared.count
    return xs


def as_the_target_of_a_loop(xs):
    for Shared.last in xs:
        pass
    return xs


def by_a_class_of_classes(xs):
    for _ in xs:
        OfAKind.count += 1
    return xs


def helper():
    Shared.count += 1


def another_helper():
    MODULE.count += 1


def in_another_helper(xs):
    while np.sum(xs) < 5:
        another_helper()
        xs = xs + 1
    return xs


def in_a_helper(xs):
    while np.sum(xs) < 5:
        helper()
        xs = xs + 1
    return xs


def of_a_function_made_here(xs):
    def own(x):
        own.calls += 1
        return x

    own.calls = 0
    s = 0.0
    for x in xs:
        s += own(x)
    return s, own.calls


SET = [
    of_a_class, of_a_class_on_one_way, of_a_function, of_the_objects_class, in_a_class_method,
    by_setattr, with_an_annotation, as_the_target_of_a_loop, in_a_helper,
]  # fmt: skip


@pytest.mark.parametrize('f', SET, ids=lambda f: f.__name__)
def test_a_staged_block_sets_the_attributes_of_classes_and_functions(f):
    def run(way):
        Shared.count, Shared.last = 0, None
        vars(of_a_function).clear()
        seen = [
            (way(xs), Shared.count, Shared.last, dict(vars(of_a_function)))
            for xs in (np.ones(3), np.full(3, 9.0), np.ones(3))]
        Shared.count, Shared.last = 0, None
        return seen

    graph = ag.function(f)
    assert same(run(f), run(ag.to_graph(f)))
    assert same(run(f), run(graph))
    assert graph.tracing_count <= 2


REFUSED = [of_a_module, by_del, by_a_class_of_classes, of_a_function_made_here]


@pytest.mark.parametrize('f', REFUSED, ids=lambda f: f.__name__)
def test_a_staged_block_sets_no_attribute_that_everybody_shares(f):
    with pytest.raises(ag.errors.OwnershipError, match='A staged block sets') as caught:
        ag.function(f)(np.ones(3))
    assert 'Use a variable of the function, and return it' in str(caught.value)


def test_the_error_shows_the_line_that_sets_it():
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(in_another_helper)(np.ones(3))
    assert "'count' of the module 'settings'" in str(caught.value)
    assert 'in another_helper\n    MODULE.count += 1' in str(caught.value)


def to_what_it_is_of_the_module(x):
    if x > 0:
        globals()['MODULE'] = MODULE
    return x


def test_what_holds_that_already_is_set_all_the_same():
    with pytest.raises(ag.errors.OwnershipError, match='A staged block modifies'):
        ag.function(to_what_it_is_of_the_module)(np.float64(1))


class Counter:
    def __init__(self):
        self.count, self.found = 0, []

    def count_up(self):
        self.count += 1


class Owner:
    __slots__ = ('own',)
    counter = Counter()
    table: ClassVar[dict] = {'all': {'count': 0}}

    def count_up(self):
        self.counter.count += 1

    def find(self):
        self.counter.found.append(1)


def into_a_list_of_the_class(xs):
    for x in xs:
        Shared().put(x)
    return xs


def in_a_list_of_an_object_of_a_class(xs):
    owner = Owner()
    for _ in xs:
        owner.find()
    return xs


@pytest.mark.parametrize(
    'f', [into_a_list_of_the_class, in_a_list_of_an_object_of_a_class], ids=lambda f: f.__name__)
def test_a_list_that_everybody_shares_grows_at_every_call(f):
    graph, found = ag.function(f), f.__name__
    for _ in range(2):
        graph(np.ones(3))
    assert len(Shared.rows) + len(Owner.counter.found) == 6, found
    assert graph.tracing_count == 1
    Shared.rows.clear()
    Owner.counter.found.clear()


def test_what_an_object_has_itself_is_its_own():
    def f(xs):
        owner = Owner()
        owner.own = []
        for x in xs:
            owner.own.append(x)
        return owner.own

    check(f, (np.ones(3),))


def becomes_a_tensor(x):
    OfAKind.last = x
    return OfAKind.last


def test_no_tensor_is_left_in_a_class():
    with pytest.raises(ag.errors.OwnershipError, match="'last' of the class 'OfAKind' becomes"):
        ag.function(becomes_a_tensor)(np.float64(1))


class Base:
    n = 0

    @classmethod
    def count(cls, x):
        if x > 0:
            cls.n += 1
        return cls.n


class Derived(Base):
    pass


BASE, DERIVED = Base(), Derived()


def by_a_class_and_one_derived_from_it(x):
    Base.count(x)
    return Derived.count(-x), Base.n, Derived.n


def read_of_objects(x):
    before = DERIVED.n
    if x > 0:
        Base.n += 2
    Derived.n += 1
    return before, BASE.n, DERIVED.n, Base().n


def of_both_in_one_branch(x):
    if x > 0:
        Base.n += 1
        if x > 2:
            Derived.n += 2
        x = x + Derived.n
    else:
        x = x - Derived.n
    return x


def before_what_raises(x):
    Base.n += 1
    if x < 0:
        raise ValueError('less')
    Base.n += 1
    return x


@pytest.mark.parametrize(
    'f', [
        by_a_class_and_one_derived_from_it, read_of_objects, before_what_raises,
        of_both_in_one_branch,
    ], ids=lambda f: f.__name__)
def test_what_a_class_has_of_another_is_its_own_once_it_is_set(f):
    def run(way):
        seen = [(outcome(way, (np.float64(x),)), Base.n, vars(Derived).get('n'))
                for x in (1, -1, -2, 3)]
        Base.n = 0
        if 'n' in vars(Derived):
            del Derived.n
        return seen

    assert same(run(f), run(ag.to_graph(f)))
    assert same(run(f), run(ag.function(f)))


def after_an_objects_own(x):
    if x > 0:
        BASE.n = 5
    Base.n += 1
    return BASE.n


def test_a_class_is_not_set_while_it_is_open_what_an_object_has_of_it():
    with pytest.raises(ag.errors.OwnershipError, match=r'as by `c\.n = c\.n`'):
        ag.function(after_an_objects_own)(np.float64(-1))
    assert (Base.n, vars(BASE)) == (0, {})


def after_the_advice(x):
    base = Base()
    base.n = base.n
    if x > 0:
        base.n = 5
    Base.n += 1
    return base.n


def test_what_that_error_says_to_write():
    graph = ag.function(after_the_advice)
    assert [graph(np.float64(x)) for x in (-1, 1, -1)] == [0, 5, 2]
    assert (graph.tracing_count, Base.n) == (1, 3)
    Base.n = 0


class Rate:
    rate = 1.0
    weights = np.ones(2)

    def __init__(self, x):
        self.x = x

    def times(self):
        return self.x * self.rate


class Fast(Rate):
    def times(self):
        return super().times() + super().rate


@dataclass
class Settings:
    x: float
    rate: ClassVar[float] = 1.0


def of_a_new_object(x):
    return Rate(x).times() * Rate(x).weights, Fast(x).times()


def of_a_given_dataclass(x):
    return given(Settings(x)) + Settings(x).rate


def given(settings):
    return settings.rate * settings.x


def whether_it_is_there(x):
    return x + getattr(Rate(x), 'more', 0.0) if hasattr(Fast(x), 'more') else x


def _change(i):
    Rate.rate = Settings.rate = float(i)
    Rate.weights = np.ones(2) * i
    if i == 2:
        Rate.more = 4.0
        Rate.times = lambda self: self.x - 1


@pytest.mark.parametrize(
    'f', [of_a_new_object, of_a_given_dataclass, whether_it_is_there], ids=lambda f: f.__name__)
def test_what_an_object_has_of_its_class_is_read_at_every_call(f, monkeypatch):
    for name in ('rate', 'weights', 'times'):
        monkeypatch.setattr(Rate, name, vars(Rate)[name])
    monkeypatch.setattr(Rate, 'more', 0.0, raising=False)
    monkeypatch.setattr(Settings, 'rate', 1.0)
    del Rate.more
    graph, x = ag.function(f), np.float64(2)
    for i in range(4):
        _change(i)
        assert same(f(x), graph(x)), i


def own_attributes(xs):
    class Own:
        rows: ClassVar[list] = []

    def own(x):
        own.last = x
        return x * 2

    Own.rows.append(xs[0])
    Own.first = xs[1]
    y = own(xs[2])
    return y, own.last, Own.rows[0] + Own.first


def test_a_class_and_a_function_made_here_hold_tensors():
    check(own_attributes, (np.array([1.0, 2.0, 4.0]),))


def test_what_a_loop_sets_that_could_be_unrolled_is_set():
    def numbered(x):
        for i in range(200):
            Thing.flag = i
        return x + Thing.flag

    check(numbered, (np.ones(2),), traces=1)
    assert Thing.flag == 199
    Thing.flag = 0


def test_while_tracing_it_is_set_as_python_sets_it():
    def counted(x):
        Shared.count += 1
        return x + Shared.count

    graph = ag.function(counted)
    assert [graph(np.float64(1)) for _ in range(3)] == [2.0, 3.0, 4.0]
    Shared.count = 0


TOTAL = ag.Variable(0)


def test_what_the_error_says_to_write():
    @ag.function
    def count_up(xs):
        for _ in xs:
            TOTAL.assign(TOTAL + 1)
        return TOTAL.value

    assert [count_up(np.ones(3)) for _ in range(2)] == [3, 6]


class Counted:
    made = ag.Variable(0)

    def __init__(self, x):
        self.x = x
        Counted.made.assign(Counted.made + 1)


def test_what_the_error_says_to_write_for_a_class():
    @ag.function
    def total(xs):
        s = 0.0
        for x in xs:
            s += Counted(x).x
        return s, Counted.made.value

    assert total(np.ones(3)) == (3.0, 3)
    assert total(np.ones(3)) == (3.0, 6)


def made_in_the_block(xs):
    s = 0.0
    for x in xs:
        def own(y):
            return y + own.more

        class Own:
            more = 1

        Own.more = 2
        own.more = 3
        s += own(x) + Own.more
    return s


def test_what_a_block_makes_is_its_own():
    check(made_in_the_block, (np.array([1.0, 2.0]),))


XS = np.array([1.0, 2.0])


class Kept:
    """A descriptor that holds what its owners are given, and counts how often it is asked."""

    def __init__(self):
        self.values, self.asked, self.gone = [], 0, 0

    def __get__(self, owner, kind=None):
        self.asked += 1
        return self.values[-1]

    def __set__(self, owner, value):
        self.values.append(value)

    def __delete__(self, owner):
        self.gone += 1


def test_what_a_descriptor_holds_changes_at_every_call():
    def left_by(run):
        class Keeping:
            part = Kept()

        keeping, kept = Keeping(), vars(Keeping)['part']

        def f(x):
            keeping.part = x.sum()
            y = x * keeping.part
            if y[0] > 1:
                keeping.part += 1
            del keeping.part
            return y

        graph = run(f)
        return [(graph(x), list(kept.values), kept.asked, kept.gone) for x in (XS, -XS, XS * 2)]

    assert same(left_by(lambda f: f), left_by(ag.function))
