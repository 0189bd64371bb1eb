"""Functions in classes, and functions with every kind of parameter."""
from __future__ import annotations

import abc
import copy
import dataclasses
import functools
import gc
import inspect
import weakref
from typing import NamedTuple

import numpy as np
import pytest

import autograph_lite as ag

X = np.array([1.0, 2.0])


def same(result, expected):
    np.testing.assert_array_equal(result, expected)
    return True


class Scale:
    k = 2.0

    @ag.function
    def call(self, x):
        return x * self.k + self.shift(x)

    def shift(self, x):
        return x


class Other(Scale):
    k = 3.0

    def shift(self, x):
        return x * 10


class Extended(Scale):
    @ag.function
    def call(self, x):
        return super().call(x) + 1


class Plain(Scale):
    def call(self, x):
        return super().call(x) + 2


@pytest.mark.parametrize(
    ('kind', 'expected'),
    [(Scale, X * 3), (Other, X * 13), (Extended, X * 3 + 1), (Plain, X * 3 + 2)],
)
def test_inheritance(kind, expected):
    for _ in range(2):
        assert same(kind().call(X), expected)


def test_each_instance_has_traces_of_its_own_until_it_goes():
    class Model:
        def __init__(self, k):
            self.k = k

        @ag.function
        def call(self, x):
            return x * self.k

    one, other = Model(2.0), Model(3.0)
    for _ in range(2):
        assert same(one.call(X), X * 2)
        assert same(other.call(X), X * 3)
    assert Model.call.tracing_count == 2
    watched = weakref.ref(one)
    del one
    gc.collect()
    assert watched() is None
    assert len(Model.call.traces) == 1
    assert same(Model.call(other, X), X * 3)


class Kinds:
    k = 2.0

    @staticmethod
    @ag.function
    def static(x):
        return x * 2

    @ag.function
    @staticmethod
    def other_static(x):
        return x * 2

    @classmethod
    @ag.function
    def of_class(cls, x):
        return x * cls.k

    @ag.function
    @classmethod
    def other_of_class(cls, x):
        return x * cls.k

    @property
    @ag.function
    def scaled(self):
        return X * self.k

    @ag.function
    def __call__(self, x):
        return x * 2

    @ag.function
    def __add__(self, x):
        return x * 2


class More(Kinds):
    k = 5.0


@pytest.mark.parametrize('name', ['static', 'other_static', 'of_class', 'other_of_class'])
def test_kinds_of_methods(name):
    for owner in (Kinds, Kinds()):
        assert same(getattr(owner, name)(X), X * 2)
    k = 2.0 if 'static' in name else 5.0
    assert same(getattr(More, name)(X), X * k)


def test_properties_and_special_methods():
    assert same(Kinds().scaled, X * 2)
    assert same(Kinds()(X), X * 2)
    assert same(Kinds() + X, X * 2)
    with pytest.raises(TypeError, match='write @property above'):
        ag.function(property(lambda self: self))


def test_abstract_methods():
    class Base(abc.ABC):
        @ag.function
        @abc.abstractmethod
        def hidden(self, x): ...

        @ag.function
        def call(self, x):
            return self.hidden(x)

    class Model(Base):
        def hidden(self, x):
            return x + 1

    assert same(Model().call(X), X + 1)
    with pytest.raises(TypeError, match='hidden'):
        type('Incomplete', (Base,), {})()


def test_what_is_known_of_a_method():
    method = Kinds().__call__
    assert (method.__name__, Kinds.__call__.__qualname__) == ('__call__', 'Kinds.__call__')
    assert str(inspect.signature(Scale().call)) == '(x)'
    instance = Scale()
    assert instance.call == instance.call
    assert instance.call != Scale().call
    assert hash(instance.call) == hash(instance.call)


def test_a_method_that_is_made_a_function_in_init():
    class Model:
        def __init__(self):
            self.k = 2.0
            self.call = ag.function(self._call)

        def _call(self, x):
            return x * self.k

    model = Model()
    assert same(model.call(X), X * 2)
    model.k = 3.0
    assert same(model.call(X), X * 3)
    watched = weakref.ref(model)
    del model
    gc.collect()
    assert watched() is None


def test_a_copy_has_traces_of_its_own():
    model = Scale()
    model.call(X)
    other = copy.deepcopy(model)
    other.k = 5.0
    assert same(other.call(X), X * 6)
    assert same(model.call(X), X * 3)


def test_slots_and_callable_objects():
    class Model:
        __slots__ = ('k',)

        def __init__(self):
            self.k = 2.0

        @ag.function
        def call(self, x):
            return x * self.k

        def __call__(self, x):
            return x * self.k

    model = Model()
    assert same(model.call(X), X * 2)
    assert same(ag.function(model)(X), X * 2)
    model.k = 3.0
    assert same(model.call(X), X * 3)
    assert same(ag.function(model.__call__)(X), X * 3)


# Parameters and decorators.


def test_every_kind_of_parameter():
    @ag.function
    def f(a, /, b, *args, c=1, **more):
        return a + b + sum(args) + c + sum(more.values())

    for _ in range(2):
        assert same(f(X, 1, 2, X, c=3, d=X, e=4), X + 1 + 2 + X + 3 + X + 4)
    assert same(f(X, 1), X + 2)
    assert f.tracing_count == 2
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        f(a=X, b=1)


def test_keyword_only_parameters():
    @ag.function
    def f(*, a, b=2):
        return a * b

    assert same(f(b=X, a=X), X * X)
    assert same(f(a=X), X * 2)
    with pytest.raises(TypeError, match='positional'):
        f(X)


def test_default_values_that_can_change():
    weights = np.ones(2)

    @ag.function
    def f(x, w=weights, more=[1.0]):  # noqa: B006  that it is shared is what is tested
        return x + w + len(more)

    assert same(f(X), X + 2)
    weights[:] = 5
    assert same(f(X), X + 6)
    assert f.tracing_count == 1
    f.python_function.__defaults__[1].append(2.0)
    assert same(f(X), X + 7)


def one_more(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) + 1

    return wrapper


def test_decorators_above_and_below():
    @ag.function
    @one_more
    def below(x, k=2):
        """Doc."""
        return x * k

    @one_more
    @ag.function
    def above(x):
        return x * 2

    assert (below.__name__, below.__doc__) == ('below', 'Doc.')
    assert str(inspect.signature(below)) == '(x, k=2)'
    assert same(below(X, k=3), X * 3 + 1)
    assert same(above(X), X * 2 + 1)


def test_partials():
    def product(a, b):
        return a * b

    triple = functools.partial(ag.function(product), b=3.0)
    assert same(ag.function(functools.partial(product, b=3.0))(X), X * 3)
    assert same(triple(X), X * 3)
    assert same(ag.function(lambda x: triple(x))(X), X * 3)


def test_a_function_in_another_and_as_an_argument():
    @ag.function
    def inner(x):
        return x * 2

    @ag.function
    def outer(x):
        y = inner(x)
        if np.sum(y) > 3:
            y = inner(y)
        return y

    @ag.function
    def apply(f, x):
        return f(x)

    assert same(outer(X), X * 4)
    assert inner.tracing_count == 0
    assert same(apply(inner, X), X * 2)
    assert same(apply(lambda x: x + 1, X), X + 1)


def test_a_function_that_calls_itself():
    @ag.function
    def factorial(n, i):
        return n if i <= 1 else factorial(n * i, i - 1)

    assert factorial(np.int64(1), 5) == 120
    assert factorial(np.int64(1), np.int64(6)) == 720


# Nests.


@dataclasses.dataclass
class State:
    w: np.ndarray
    b: float = 1.0


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: np.ndarray
    n: int = 2


@dataclasses.dataclass(slots=True)
class Slotted:
    w: np.ndarray


class Pair(NamedTuple):
    a: np.ndarray
    b: int = 3


def test_dataclasses():
    @ag.function
    def f(state, x):
        return state.w * x + state.b

    assert same(f(State(X), X), X * X + 1)
    assert same(f(State(X + 1, 2.0), X), (X + 1) * X + 2)
    assert f.tracing_count == 2

    @ag.function
    def g(state, slotted, x):
        return Frozen(state.w * x, state.n), dataclasses.replace(state, w=x), Slotted(slotted.w * 2)

    made, replaced, slotted = g(Frozen(X), Slotted(X), X)
    assert isinstance(made, Frozen)
    assert same(made.w, X * X)
    assert (replaced.n, slotted.w.tolist()) == (2, [2.0, 4.0])


def test_named_tuples():
    @ag.function
    def f(pair):
        return Pair(pair.a * pair.b), pair._replace(b=5)

    made, replaced = f(Pair(X))
    assert isinstance(made, Pair)
    assert same(made.a, X * 3)
    assert (made.b, replaced.b) == (3, 5)
