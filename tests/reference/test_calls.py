"""Calls: of the user's functions, of builtins, of NumPy, of classes, of what is passed in."""
from __future__ import annotations

import collections
import functools
import math
import operator
from typing import Any, NamedTuple

import numpy as np
import pytest
from reference.sweep import COUNTERS, FLOATS, ITERABLES, NUMBERS, each, integers, sweep

import autograph_lite as ag

LISTS = [[], [1], [2, 1]]


def cube(x):
    return x * x * x if x > 0 else x


def line(x):
    if x > 2:
        return -1 * x + 11
    return x


def factory(n):
    if n == 1:
        return cube
    return line


def static(x):
    return cube(x) + line(x)


def from_a_factory(x):
    f = factory(1)
    a = f(x)
    f = factory(2)
    return a + f(x)


def by_another_name(x):
    f = cube
    a = f(x)
    f = line
    return a - f(x)


def from_a_dict(x):
    table = {'cube': cube, 'line': line}
    return table['cube'](x) - table['line'](x)


def from_a_list(x):
    for f in (cube, line):
        x = f(x)
    return x


def by_keyword(x):
    return cube(x=x)


def with_stars(x):
    args, kwargs = (x,), {}
    return cube(*args, **kwargs) + line(**{'x': x})


def with_defaults(x):
    def f(x, y=3, *rest, z=2, **others):
        if x > y:
            return x + z
        return y * len(rest) + others.get('w', 1)

    return f(x), f(x, 1), f(x, 2, 3, 4), f(x, z=5), f(x, 9, w=7)


def composed(x):
    return cube(line(cube(x)))


def partial(x):
    def f(a, b, c):
        return a * b if a > b else c

    return functools.partial(f, 2, c=x)(x)


def reduced(x):
    return functools.reduce(lambda a, b: a + b if b > 1 else a, [x, x + 1, 2])


def of_an_operator(x):
    return operator.add(x, 3) * operator.itemgetter(1)([2, x])


def inline_lambda(x):
    f = lambda x: x * x if x > 0 else -x  # noqa: E731 - as users write it
    return f(x) + (lambda y: y + 1 if y > 2 else y)(x)


def lambdas_on_one_line(x):
    f, g = (lambda y: y + 1 if y > 1 else y), (lambda y: y * 2 if y > 1 else -y)
    return f(x), g(x)


def recursion_over_python(x, n=3):
    if n == 0:
        return x
    return recursion_over_python(x + 1 if x > 0 else x, n - 1)


def cached(x):
    @functools.lru_cache
    def table(n):
        return n * n

    return x + table(3)


def nested_defs(x):
    def outer(y):
        def inner(z):
            return z + x if z > 1 else z - y

        return inner(y) * 2

    return outer(x) + outer(1)


@pytest.mark.parametrize(
    'f',
    [
        static, from_a_factory, by_another_name, from_a_dict, from_a_list, by_keyword,
        with_stars, with_defaults, composed, partial, reduced, of_an_operator, inline_lambda,
        lambdas_on_one_line, recursion_over_python, cached, nested_defs,
    ],
)  # fmt: skip
def test_functions(f):
    sweep(f, each((*NUMBERS, np.float64), [-1, 1, 3]), joins=True)


def passed_in(f, x):
    return f(x)


def passed_in_by_keyword(f, x):
    return f(x=x)


def passed_in_to_a_loop(f, x):
    total = 0
    for i in range(3):
        total = total + f(x + i)
    return total


class Doubler:
    factor = 2

    def __deepcopy__(self, memo):
        return self

    def method(self, x):
        return x * self.factor if x > 0 else x

    def __call__(self, x):
        return self.method(x=x) + 1

    @staticmethod
    def fixed(x):
        return x * 5 if x > 1 else x

    @classmethod
    def of_class(cls, x):
        return x * cls.factor if x > 1 else -x


DOUBLER = Doubler()
FUNCTIONS = [
    cube, line, lambda x: x * 1 if x > 0 else 2 * x, DOUBLER, lambda x: DOUBLER.method(x),
    Doubler.fixed, lambda x: Doubler.of_class(x),
]  # fmt: skip


@pytest.mark.parametrize('f', [passed_in, passed_in_by_keyword, passed_in_to_a_loop])
def test_functions_passed_in(f):
    sweep(f, FUNCTIONS, each(COUNTERS, [-1, 1, 3]), joins=True)


def test_builtins_passed_in():
    sweep(passed_in, [abs, float, int, np.abs, np.sqrt, math.sqrt, np.float32], [4, np.int64(4)])


# In loops.


def call_in_the_test(n, f):
    i = 0
    digits = 0
    while i < f(n):
        digits = digits * 10 + i
        i += 1
    return digits


def call_in_the_body(n, f):
    i = 0
    digits = 0
    while i < n:
        digits = digits * 10 + f(i)
        i += 1
    return digits


def local_call_in_the_test(n, f):
    def limit(x):
        return f(x) * 2

    i = 0
    while i < limit(n):
        i += 1
    return i


@pytest.mark.parametrize('f', [call_in_the_test, call_in_the_body, local_call_in_the_test])
def test_while(f):
    sweep(f, each(COUNTERS, [0, 1, 2]), [*FUNCTIONS, abs], joins=True)


def call_in_the_iterable(xs, f):
    digits = 0
    for x in f(xs):
        digits = digits * 10 + x
    return digits


def call_of_each(xs, f):
    digits = 0
    for x in xs:
        digits = digits * 10 + f(x)
    return digits


def test_for():
    sweep(call_of_each, each(ITERABLES, LISTS), [*FUNCTIONS, abs], joins=True)
    sweep(call_in_the_iterable, each((list, tuple), LISTS), [list, reversed, lambda xs: xs[1:]])
    sweep(call_in_the_iterable, each([integers], LISTS), [np.abs, lambda xs: xs * 2], joins=True)
    sweep(call_in_the_iterable, each(COUNTERS, [0, 1, 2]), [range], joins=True)


# Builtins.


def dict_of(x):
    return dict(a=x)


def shadowed_builtin(x):
    def dict(x):
        return x + 1

    return dict(x)


def shadowed_parameter(x, len=3):
    return x + len if x > 0 else len


def builtin_from_a_function(x):
    def get():
        return dict

    return get()(a=x)


def casts(x):
    return float(int(x)), int(float(x)), bool(x), complex(x), abs(x)


def divisions(x):
    return divmod(x, 2), pow(x, 2), x // 2, x % 2, x**2


def types(x):
    return isinstance(x, int), isinstance(x, (float, np.floating)), isinstance(x, np.integer)


def texts(x):
    return str(type(None)), repr('a'), x


@pytest.mark.parametrize(
    'f',
    [
        dict_of, shadowed_builtin, shadowed_parameter, builtin_from_a_function, casts, divisions,
        types, texts,
    ],
)  # fmt: skip
def test_builtins_of_numbers(f):
    sweep(f, each((*NUMBERS, *FLOATS), [1, 3]), joins=True)


def lengths(xs):
    return len(xs), list(range(len(xs))), [*range(len(xs))]


def extremes(xs):
    return min(xs), max(xs), sum(xs), min(*xs, 7), max(0, *xs)


def defaults_of_extremes(xs):
    return min(xs, default=5), max(xs, default=-5), sum(xs, 3)


def truths(xs):
    return any(x > 1 for x in xs), all(x > 1 for x in xs), any(xs), all(xs)


def listed(xs):
    return list(xs), tuple(xs), sorted(xs), list(reversed(xs)), [x * 2 for x in xs]


def chosen(xs):
    return [x for x in xs if x > 1], sum(x for x in xs if x > 1)


def combined(xs):
    return list(zip(xs, xs)), list(enumerate(xs)), list(map(lambda x: x + 1, xs))


def taken_apart(xs):
    first, *rest = xs
    *start, last = xs
    return first, rest, start, last


@pytest.mark.parametrize('f', [lengths, truths, listed, chosen, combined, defaults_of_extremes])
def test_builtins_of_iterables(f):
    sweep(f, each(ITERABLES, [[], [1], [2, 1], [1, 2, 3]]), joins=True)


@pytest.mark.parametrize('f', [extremes, taken_apart])
def test_builtins_of_iterables_that_are_not_empty(f):
    sweep(f, each(ITERABLES, [[1], [2, 1], [1, 2, 3]]), joins=True)


def of_math(x):
    return math.sqrt(x), math.floor(x), math.ceil(x), math.exp(x), math.hypot(x, 3), math.isnan(x)


def test_math():
    sweep(of_math, each((int, float, np.float64, np.float32, np.int64), [1, 4]))


# Named tuples and other classes.


class Point(NamedTuple):
    x: Any
    y: Any = 0

    def larger(self):
        return self.x if self.x > self.y else self.y

    @classmethod
    def on_axis(cls, x):
        return cls(x) if x > 0 else cls(-x)


class Grown(collections.namedtuple('Grown', ['a'])):
    __slots__ = ()

    def more(self):
        return self.a + 1 if self.a > 0 else self.a


def named_tuple(x):
    p = Point(x)
    return p, p.larger(), p.x, p[1], p._replace(y=2), Point(y=1, x=x)


def inline_named_tuple(x):
    kind = collections.namedtuple('kind', ('a', 'b'))
    n = kind(a=1, b=x)
    return n.a, n.b, *n


def subclass_of_a_named_tuple(x):
    return Grown(x).more(), Grown(x)


def class_method_of_a_named_tuple(x):
    return Point.on_axis(x)


def inner_class(x):
    class Counter:
        step = 2

        def __init__(self, start):
            self.value = start

        def count(self):
            if self.value > 0:
                return self.value + self.step
            return self.value

    return Counter(x).count()


def inherited(x):
    class Tripler(Doubler):
        factor = 3

        def method(self, x):
            return super().method(x) + 1 if x > 0 else x

    return Tripler()(x), Tripler().of_class(x)


@pytest.mark.parametrize(
    'f',
    [
        named_tuple, inline_named_tuple, subclass_of_a_named_tuple,
        class_method_of_a_named_tuple, inner_class, inherited,
    ],
)  # fmt: skip
def test_classes(f):
    sweep(f, each((*COUNTERS, np.float64), [-1, 1, 3]), joins=True)


def external_class(x, kind):
    return kind(a=1, b=x)


def test_a_class_passed_in():
    kind = collections.namedtuple('kind', ['a', 'b'])
    sweep(external_class, each(NUMBERS, [1]), [dict, kind])


# Printing happens while tracing; `ag.print` at every call.


def printing(x):
    ag.print('x is', x, {'a': 'b'})
    if x == 0:
        ag.print(x)
    for i in range(2):
        ag.print(i, x + i, sep='-', end='.')


@pytest.mark.parametrize('x', [0, 1, np.int64(0), np.int64(1), np.array([0.0])])
def test_print(x, capsys):
    printing(x)
    expected = capsys.readouterr().out
    graph = ag.function(printing)
    for _ in range(2):
        graph(x)
        assert capsys.readouterr().out == expected


# Slices.


def slices(m):
    return m[:, :], m[0, :], m[:, 0], m[::-1, 1:], m[..., -1], m[1:2], m[-1]


def new_axes(m):
    return m[:, np.newaxis] - m[np.newaxis, :], m[None].shape, m[..., None]


def slices_of_calls(f, m):
    return f(m)[:, np.newaxis] - f(m)[np.newaxis, :]


def slices_by_numbers(m, i):
    return m[i], m[:, i], m[i:], m[:i, ::2], m[i, i], m[[i, 0]], m[m > i]


def test_slices():
    m = np.arange(9.0).reshape(3, 3)
    sweep(slices, [m, m.astype(np.int32), np.eye(2)])
    sweep(new_axes, [m, np.arange(3)])
    sweep(slices_of_calls, [lambda x: x, np.tanh], [m])
    sweep(slices_by_numbers, [m], [0, 1])


# Annotations, docstrings, assertions.


def annotated(x: int, y: float = 2.0) -> float:
    """With a text."""
    z: float
    w: int = 3
    z = x * y + w
    if x > 1:
        z: float = z + 1
    return z


def asserted(x):
    assert x > 0
    assert x < 9, f'{x} is large'
    return x


def test_annotations():
    sweep(annotated, each((*NUMBERS, *FLOATS), [1, 3]), joins=True)


def test_assertions():
    sweep(asserted, each((*NUMBERS, *FLOATS), [-1, 3, 10]))
    with pytest.raises(AssertionError, match=r'^10 is large$'):
        ag.function(asserted)(np.int64(10))
