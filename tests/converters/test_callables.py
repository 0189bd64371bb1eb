"""Everything that can be called, and every way to call it."""
from __future__ import annotations

import functools
import operator

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

F, N = np.float64, np.int64
SIGNS = [(F(4),), (F(-4),), (F(0),)]
VECTORS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -2.0, -3.0]),)]


def clipped(x, low=0.0, *, high=2.0):
    if x < low:
        return x * 0 + low
    if x > high:
        return x * 0 + high
    return x


# Partial functions and wrappers.

below_one = functools.partial(clipped, high=1.0)
of_four = functools.partial(below_one, low=-4.0)


def through_partial(x):
    return below_one(x) + of_four(x) + functools.partial(clipped, high=3.0)(x, -1.0)


def through_partial_of_argument(x):
    step = functools.partial(clipped, x)
    return step() + step(high=x + 1) + functools.partial(np.add, x)(1)


def doubled(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        result = f(*args, **kwargs)
        if result > 1:
            return result * 2
        return result

    return inner


def repeated(times):
    def decorate(f):
        @functools.wraps(f)
        def inner(x):
            for _ in range(times):
                x = f(x)
            return x

        return inner

    return decorate


@doubled
@repeated(2)
def stepped(x):
    return x + 1 if x > 0 else x - 1


def through_wrappers(x):
    return stepped(x) - doubled(clipped)(x, high=9.0)


@doubled
def decorated(x):
    return x * 3 if x > 0 else -x


@functools.lru_cache
def power_of_two(n):
    return 2.0**n


def through_cache(x):
    total = x * 0
    for n in range(4):
        if x > n:
            total = total + power_of_two(n)
    return total


@functools.cache
def table(kind):
    return np.arange(4.0) if kind == 'up' else np.arange(4.0)[::-1]


def through_cached_array(x, i):
    return x + table('up')[i] - table('down')[i]


@functools.singledispatch
def described(x):
    return 1.0


@described.register
def _(x: str):
    return 2.0


def through_dispatch(x):
    return x * described('a') if x > 0 else x * described(3)


@pytest.mark.parametrize(
    'f',
    [
        through_partial, through_partial_of_argument, through_wrappers, through_cache,
        through_dispatch,
    ],
)  # fmt: skip
def test_wrapped(f):
    check(f, *SIGNS)


def test_a_cached_array():
    check(through_cached_array, (F(1), N(0)), (F(1), N(3)))


@pytest.mark.parametrize('f', [decorated, below_one, of_four, stepped])
def test_wrapped_itself(f):
    graph = ag.function(f)
    for args in SIGNS:
        assert same(outcome(f, args), outcome(graph, args))
    assert graph.tracing_count == 1


# Classes.


class Base:
    """What the others inherit from."""

    scale = 2.0

    def __init__(self, offset=1.0):
        self.offset = offset

    def step(self, x):
        return x + self.offset if x > 0 else x - self.offset

    @property
    def doubled_offset(self):
        return self.offset * 2

    @functools.cached_property
    def weights(self):
        return np.arange(3.0)

    @staticmethod
    def rectified(x):
        return x if x > 0 else x * 0

    @classmethod
    def scaled(cls, x):
        return x * cls.scale if x > 0 else x / cls.scale

    def __call__(self, x):
        if x > self.offset:
            return self.step(x)
        return x

    def __getitem__(self, x):
        return x * 2

    def __add__(self, x):
        return self.offset + x

    def __len__(self):
        return 3


class Child(Base):
    """Changes some of it."""

    scale = 4.0

    def step(self, x):
        if x > 2:
            return super().step(x) * 2
        return super().step(x)

    @classmethod
    def scaled(cls, x):
        return super().scaled(x) + 1

    @property
    def doubled_offset(self):
        return super().doubled_offset + 1


class GrandChild(Child):
    """Says more of what it calls."""

    def step(self, x):
        return super(Child, self).step(x) if x > 0 else Child.step(self, x)


def methods(x):
    a, b, c = Base(), Child(3.0), GrandChild()
    return a.step(x) + b.step(x) * 10 + c.step(x) * 100


def properties(x):
    return x * Base().doubled_offset if x > 0 else x + Child().doubled_offset


def static_and_class_methods(x):
    total = Base.rectified(x) + Child().rectified(x)
    return total + Base.scaled(x) * 10 + Child.scaled(x) * 100 + GrandChild().scaled(x)


def callable_objects(x):
    child = Child(3.0)
    return Base()(x) + child(x) * 10 + child.__call__(x)


def special_methods(x):
    return Base()[x] + (Child() + x) + len(Base()) if x > 0 else x


def bound_and_unbound(x):
    step, bare = Child().step, Base.step
    return step(x) + bare(Child(), x)


def cached_property(x):
    base = Base()
    total = x
    for i in range(3):
        if x > i:
            total = total + base.weights[i]
    return total


@pytest.mark.parametrize(
    'f',
    [
        methods, properties, static_and_class_methods, callable_objects, special_methods,
        bound_and_unbound, cached_property,
    ],
)  # fmt: skip
def test_of_classes(f):
    check(f, *SIGNS, (F(2.5),))


class Odd:
    """Its operators and properties have control flow."""

    limit = F(2)

    def __init__(self, x):
        self.x = x

    def __add__(self, y):
        return self.x + y if y > 0 else self.x

    @property
    def positive(self):
        return self.x if self.x > 0 else -self.x

    @property
    def within(self):
        positive = self.positive
        return positive if positive < self.limit else self.limit


def test_properties_with_control_flow():
    def f(x):
        odd = Odd(x)
        return odd.positive, odd.within

    check(f, *SIGNS, (F(2.5),))


def test_a_property_of_an_object_from_outside_is_guarded():
    odd = Odd(F(3))
    f = ag.function(lambda x: x + odd.within)
    assert f(F(1)) == 3
    odd.limit = F(2.5)
    assert f(F(1)) == 3.5
    odd.x = F(1)
    assert f(F(1)) == 2


def test_what_python_itself_calls_is_not_converted():
    with pytest.raises(ag.errors.StagingError, match='was not converted'):
        ag.function(lambda x: Odd(1.0) + x)(F(1))


@pytest.mark.parametrize(
    'f', [Child(3.0), Child(3.0).step, GrandChild().step, Base.rectified, Child.scaled]
)
def test_of_classes_itself(f):
    graph = ag.function(f)
    for args in (*SIGNS, (F(2.5),)):
        assert same(outcome(f, args), outcome(graph, args))
    assert graph.tracing_count == 1


# Arguments.


def joined(first, *rest, sep=0.0, **named):
    total = first
    for each in rest:
        total = total + each + sep
    for key in sorted(named):
        total = total * named[key] if total > 0 else total - named[key]
    return total


def star_arguments(x):
    rest, named = [x, 2.0], {'a': x, 'b': 3.0}
    return joined(*rest, 1.0, *(x, x), sep=0.5, **named, c=x) + joined(x, **{'sep': 2.0})


def passed_on(x, *args, **kwargs):
    if x > 0:
        return joined(x, *args, **kwargs)
    return joined(*args[::-1], x, **kwargs)


def through_passed_on(x):
    return passed_on(x, 1.0, x, sep=x, k=x + 1)


PAIR = np.array([1.0, 2.0])


def defaults(x, y=1.0, z=PAIR, *, w=(1.0, 2.0)):
    if x > 0:
        return x + y + z[0] + w[1]
    return x - y - z[1] - w[0]


def through_defaults(x):
    return defaults(x) + defaults(x, x) + defaults(x, z=np.array([x, x]), w=[x, x])


def positional_only(x, /, y, *, z):
    return x if x > 0 else y + z


def through_positional_only(x):
    return positional_only(x, y=x * 2, z=1.0)


def nested_with_defaults(x):
    fs = []
    for i in range(3):
        def shifted(y, i=i):
            return y + i if y > 0 else y - i

        fs.append(shifted)
    return fs[0](x) + fs[1](x) * 10 + fs[2](x, 5)


def in_a_table(x):
    steps = {'up': lambda v: v + 1, 'down': lambda v: v - 1, 'abs': abs, 'clip': clipped}
    total = x
    for name in ('up', 'down', 'abs', 'clip'):
        total = steps[name](total) if total > -2 else steps['up'](total)
    return total


def mapped(xs):
    total = sum(map(clipped, xs)) + max(xs, key=lambda x: x * x)
    return functools.reduce(lambda a, b: a + b if b > 0 else a, xs) + total


def with_operators(x):
    return operator.add(x, 1) if operator.gt(x, 0) else operator.neg(x)


@pytest.mark.parametrize(
    'f',
    [
        star_arguments, through_passed_on, through_defaults, through_positional_only,
        nested_with_defaults, in_a_table, with_operators,
    ],
)  # fmt: skip
def test_arguments(f):
    check(f, *SIGNS)


def test_functions_of_functions():
    check(mapped, *VECTORS)


def test_star_arguments_of_the_function_itself():
    check(joined, (F(1), F(2), F(3)), (F(-1), F(2), F(3)))
    check(defaults, (F(1),), (F(-1),))
    graph = ag.function(joined)
    for first in (F(1), F(-1)):
        expected = joined(first, F(2), sep=F(1), k=F(3))
        assert same(graph(first, F(2), sep=F(1), k=F(3)), expected)
    assert graph.tracing_count == 1
