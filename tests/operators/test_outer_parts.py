"""Attributes of objects and items of dicts outside: the graph reads and sets them at each call."""
from __future__ import annotations

import copy
import gc
import types
import weakref
from dataclasses import dataclass

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
CALLS = [XS, -XS, XS * 2, XS]


class Model:
    rate, limit = 2.0, 3
    __slots__ = ('__dict__', '__weakref__', 'kept')

    def __init__(self):
        self.n, self.kept, self.total, self.flag = 0, 1.5, np.float64(0), None
        self.w = np.zeros(3)
        self.named = {'n': 0, 'w': np.zeros(3), 'other': 1}

    def add(self, x):
        self.n += 1
        if x > 0:
            self.total += x

    @property
    def doubled(self):
        return self.total * 2

    @doubled.setter
    def doubled(self, value):
        self.total = value / 2


def in_a_branch(self, xs):
    if xs[0] > 0:
        self.total = xs[1]
    return self.total


def in_a_loop(self, xs):
    for x in xs:
        self.n += 1
        if x > 2:
            continue
        self.total += x * self.n
    return self.n


def by_a_method(self, xs):
    for x in xs:
        self.add(x)
    return self.total * xs


def by_a_property(self, xs):
    if xs[0] > 0:
        self.doubled = xs[1]
    return self.doubled


def of_a_class_and_a_slot(self, xs):
    self.rate = self.rate * 0.5
    if xs[0] > 0:
        self.kept = xs[0]
    return self.rate + self.kept


def of_a_dict(self, xs):
    key = 'n'
    for x in xs:
        if x > 0:
            self.named['n'] += 1
        self.named['w'] = self.named['w'] + x
    self.named[key] += 1
    return self.named['w'] * self.named['n']


def to_what_its_class_has(self, xs):
    self.rate = 2.0
    if xs[0] > 0:
        self.limit = 3
    return self.rate * self.limit


def an_array(self, xs):
    self.w = self.w - xs
    if xs[0] > 0:
        self.w = self.w * 2
    return self.w


def an_array_in_place(self, xs):
    w = self.w
    self.n += 1
    for x in xs:
        if x > 0:
            self.w += w * x + 1
    return w.sum()


def with_two_names(self, xs):
    other = self
    for x in xs:
        other.n += 1
        self.total = self.total + x * other.n
    return other.total


def a_text_and_none(self, xs):
    if self.flag is None:
        self.flag = 'set'
    return xs


def what_there_was_not(self, xs):
    self.last = xs
    if xs[0] > 0:
        self.first = xs[0]
    return self.last.sum()


def in_a_try(self, xs):
    try:
        for x in xs:
            self.n += 1
            if x > 2:
                raise ValueError
    except ValueError:
        self.total = self.total + self.n
    return self.total


def before_it_raises(self, xs):
    for x in xs:
        self.n += 1
        if x > 2:
            raise ValueError(self.n)


def run(f, *args):
    try:
        return f(*args)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize('f', [
    in_a_branch, in_a_loop, by_a_method, by_a_property, of_a_class_and_a_slot, of_a_dict,
    to_what_its_class_has, an_array, an_array_in_place, with_two_names, a_text_and_none,
    what_there_was_not, in_a_try, before_it_raises,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_is_left_after_each_call(f):
    graph = ag.function(f)
    plain, staged = Model(), Model()
    for xs in CALLS:
        assert same(run(f, plain, xs.copy()), run(graph, staged, xs.copy()))
        assert same(vars(plain), vars(staged))
        assert same(plain.kept, staged.kept)
    assert graph.tracing_count <= 2


@dataclass
class Totals:
    n: int = 0
    total: float = 0.0


STATE = {'n': 0, 'totals': Totals()}
TOTALS = Totals()


def of_variables_of_the_module(xs):
    STATE['n'] += 1
    for x in xs:
        if x > 0:
            TOTALS.n += 1
            STATE['totals'].total += float(x)
    return STATE['n']


def test_of_variables_of_the_module():
    graph = ag.function(of_variables_of_the_module)
    assert [graph(XS) for _ in range(3)] == [1, 2, 3]
    assert (STATE, TOTALS) == ({'n': 3, 'totals': Totals(0, 12.0)}, Totals(6))
    assert graph.tracing_count == 1


def test_another_dict_is_another_state():
    global STATE
    before, STATE = STATE, {'n': 5, 'totals': Totals()}
    try:
        graph = ag.function(of_variables_of_the_module)
        assert graph(XS) == 6
        first, STATE = STATE, copy.deepcopy(STATE)
        assert graph(XS) == 7
        assert (first['n'], STATE['n']) == (6, 7)
    finally:
        STATE = before


def test_it_is_read_at_every_call():
    graph, model = ag.function(in_a_loop), Model()
    graph(model, XS)
    model.n = 10
    assert graph(model, XS) == 13
    assert graph.tracing_count <= 2


def test_tracing_alone_sets_nothing():
    model = Model()
    concrete = ag.function(in_a_loop).get_concrete_function(model, XS)
    assert model.n == 0
    assert type(model.total) is np.float64
    concrete(model, XS)
    assert model.n == 3


def test_no_object_is_kept_alive():
    graph, model = ag.function(in_a_loop), Model()
    graph(model, XS)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def dicts(self, xs):
    if xs[0] > 0:
        self.last = {'xs': xs}
    return xs


def test_what_no_graph_can_set():
    model = Model()
    with pytest.raises(ag.errors.OwnershipError, match=r"'Model\.last', which lives outside"):
        ag.function(dicts)(model, XS)
    assert not hasattr(model, 'last')


@pytest.mark.parametrize('called', [lambda model: model.add, lambda model: lambda x: model.add(x)])
def test_what_a_python_function_sets_is_not_read_after_it(called):
    def f(self, x):
        self.n += 1
        ag.py_function(called(self), [x], None)
        return self.n

    with pytest.raises(ag.errors.OwnershipError, match='is read here, after a Python function'):
        ag.function(f)(Model(), np.float64(1))


class Found(types.SimpleNamespace):
    pass


NAMESPACE = types.SimpleNamespace(n=0, best=0.0, inner=Found(v=1.0))


def in_a_namespace(space, xs):
    for x in xs:
        space.n += 1
        if x > space.best:
            space.best = x
            space.inner.v -= x
    return space.n, space.best


def test_a_namespace_is_an_object_like_any():
    def run(way):
        space = types.SimpleNamespace(n=0, best=0.0, inner=Found(v=1.0))
        return [(way(space, xs), repr(space)) for xs in CALLS]

    graph = ag.function(in_a_namespace)
    assert same(run(in_a_namespace), run(ag.to_graph(in_a_namespace)))
    assert str(run(in_a_namespace)) == str(run(graph))
    assert graph.tracing_count <= 3


def test_so_is_one_that_is_captured():
    graph = ag.function(lambda xs: in_a_namespace(NAMESPACE, xs))
    assert [graph(xs) for xs in CALLS] == [(3, 3.0), (6, 3.0), (9, 6.0), (12, 6.0)]


def made_and_replaced(x):
    found = types.SimpleNamespace(v=np.float64(0), n=1)
    if x > 0:
        found = types.SimpleNamespace(v=x, n=2)
    found.n += 1
    return found


def test_a_namespace_is_chosen_and_returned():
    graph = ag.function(made_and_replaced)
    for x in (1.0, -1.0):
        assert made_and_replaced(np.float64(x)) == graph(np.float64(x))
    assert graph.tracing_count == 1


def deleted(model, x):
    del model.flag
    return hasattr(model, 'flag')


def deleted_in_a_branch(model, x):
    if x > 0:
        del model.flag
    else:
        model.flag = 2
    return hasattr(model, 'flag')


def deleted_so_that_its_class_tells(model, x):
    model.rate = x
    del model.rate
    return model.rate


def deleted_and_set_again(model, x):
    before = model.flag
    del model.flag
    model.flag = x + before
    return hasattr(model, 'flag')


@pytest.mark.parametrize('f', [
    deleted, deleted_in_a_branch, deleted_so_that_its_class_tells, deleted_and_set_again])
def test_an_attribute_is_deleted_at_every_call(f):
    def run(f):
        for x, flag in ((1.0, 1), (-1.0, 2), (2.0, None), (3.0, 4)):
            model.flag = flag
            if flag is None:
                del model.flag
            try:
                result = f(model, np.float64(x))
            except AttributeError as error:
                result = str(error)
            yield result, {name: vars(model).get(name) for name in ('flag', 'rate')}

    model = Model()
    expected = list(run(f))
    assert list(run(ag.function(f))) == expected
