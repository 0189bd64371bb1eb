"""Operators on objects of the user's classes: their methods convert like any others."""
from __future__ import annotations

import dataclasses
import operator
import re
import subprocess
import sys

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

F = np.float64


class Bounded:
    """A number with operators that look at it; NumPy leaves operators to it."""

    __array_ufunc__ = None

    def __init__(self, x):
        self.x = x

    def _as(self, other):
        if isinstance(other, Bounded):
            return other.x
        return other

    def __add__(self, other):
        other = self._as(other)
        if isinstance(other, str):
            return NotImplemented
        total = self.x + other
        if total > 10:
            total = F(10)
        return Bounded(total)

    __radd__ = __add__

    def __sub__(self, other):
        return Bounded(self.x - self._as(other) if self.x > 0 else self.x)

    def __rsub__(self, other):
        return Bounded(other - self.x if self.x > 0 else other)

    def __imul__(self, other):
        if self.x > 1:
            self.x = self.x * other
        return self

    def __neg__(self):
        return Bounded(-self.x if self.x > 1 else self.x)

    def __abs__(self):
        return Bounded(-self.x if self.x < 0 else self.x)

    def __eq__(self, other):
        if self.x > 1:
            return bool(self.x == self._as(other))
        return False

    __hash__ = None

    def __lt__(self, other):
        if isinstance(other, str):
            return NotImplemented
        return bool(self.x < self._as(other)) if self.x > 0 else True

    def __bool__(self):
        if self.x > 5:
            return False
        return True

    def __len__(self):
        if self.x > 2:
            return 3
        return 2

    def __iter__(self):
        rows = np.ones(3)
        if self.x > 2:
            rows = np.arange(3.0)
        return iter(rows)

    def __contains__(self, x):
        if x > 1:
            return bool(self.x > 1)
        return False

    def __getitem__(self, key):
        if self.x > 1:
            return self.x * 2
        return F(0)

    def __setitem__(self, key, value):
        if value > 1:
            self.x = value

    def __delitem__(self, key):
        if self.x > 1:
            self.x = F(1)

    def __enter__(self):
        self.x = self.x + 1 if self.x > 1 else self.x
        return self

    def __exit__(self, *error):
        if self.x > 2:
            self.x = F(0)

    def __call__(self, y):
        if y > self.x:
            return y
        return self.x

    @property
    def half(self):
        if self.x > 1:
            return self.x / 2
        return self.x


def between_objects(x, y):
    return (Bounded(x) + Bounded(y)).x, (Bounded(x) - Bounded(y)).x


def on_both_sides(x, y):
    return (Bounded(x) + y).x, (x + Bounded(y)).x, (x - Bounded(y)).x


def in_place(x, y):
    b = Bounded(x)
    b *= y
    c = Bounded(x)
    c += y
    held = [Bounded(x)]
    held[0] *= y
    held[0] -= 1
    return b.x, c.x, held[0].x


def unary(x, y):
    return (-Bounded(x)).x, abs(Bounded(x)).x


def compared(x, y):
    a, b = Bounded(x), Bounded(y)
    return a == b, a != b, a < b, a > b, a == y, bool(a < y < 5), not (a == b)


def asked(x, y):
    b = Bounded(x)
    total = 0
    if b:
        total += 1
    if not b:
        total += 2
    total += 4 if b and y > 0 else 8
    while b:
        b.x = b.x + 3
        total += 16
    return total, len(b), bool(b), y in b


def gone_through(x, y):
    total = F(0)
    for each in Bounded(x):
        total = total + each
    return total, [each * 2 for each in Bounded(x)], list(Bounded(x)), sum(Bounded(x))


def items(x, y):
    b = Bounded(x)
    first = b[0], b[1:], b['a'], b[1, 2]
    b[0] = y
    b[0] += 1
    second = b[y]
    del b[0]
    return *first, second, b.x


def around(x, y):
    with Bounded(x) as b:
        inside = b.x
    return inside, b.x, b(y), b.half


@pytest.mark.parametrize(
    'f',
    [between_objects, on_both_sides, in_place, unary, compared, asked, gone_through, items, around],
)
def test_operator_methods_convert(f):
    check(f, *[(F(x), F(y)) for x in (-3.0, 0.5, 1.5, 4.0, 9.0) for y in (-1.0, 1.5, 2.0, 8.0)])


def test_what_no_method_knows_is_a_type_error():
    def wrong(x):
        return Bounded(x) + 'text'

    def unordered(x):
        return Bounded(x) < 'text'

    for f in (wrong, unordered):
        expected, got = outcome(f, (F(1),)), outcome(ag.function(f), (F(1),))
        assert same(expected, got)
        assert str(expected[1]) == str(got[1])


class Telling:
    """Tells arrays and numbers apart."""

    __array_ufunc__ = None

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return self.x + (other.sum() if isinstance(other, np.ndarray) else 100)

    def __lt__(self, other):
        if isinstance(other, np.ndarray):
            return bool(self.x < other.sum())
        return True


def test_functions_of_the_module_operator():
    def f(x, xs):
        held = Telling(x)
        return operator.add(held, xs), operator.lt(held, xs), operator.iadd(held, 1), held + xs

    check(f, (F(1), np.ones(3)), (F(4), np.ones(3)))


class Child(Bounded):
    def __radd__(self, other):
        return Bounded(F(-1) if self._as(other) > 1 else F(-2))


def test_the_class_that_inherits_is_asked_first():
    def added(x, y):
        return (Bounded(x) + Child(y)).x

    check(added, (F(1), F(2)), (F(2), F(3)))


class Elementwise:
    def __init__(self, x):
        self.x = x

    def __rmul__(self, other):
        if isinstance(other, float) and not isinstance(other, np.float64):
            return self.x * other
        return self.x


def test_numpy_hands_on_its_scalars_as_python_numbers():
    def scaled(x, y):
        return y * Elementwise(x)

    check(scaled, (np.float32(1.1), F(2)))


def test_what_numpy_does_element_by_element_is_refused():
    f = ag.function(lambda x: x * Elementwise(2.0))
    with pytest.raises(ag.errors.StagingError, match=re.escape('`__array_ufunc__ = None`')):
        f(np.ones(3))


class Sequence(Elementwise):
    """Of which NumPy makes an array."""

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return [self.x, self.x][i]

    def __rdivmod__(self, other):
        return self.x


@pytest.mark.parametrize('f', [lambda x: x * Sequence(2.0), lambda x: divmod(x, Sequence(2.0))])
@pytest.mark.parametrize('x', [F(3), np.ones(2)])
def test_what_numpy_makes_an_array_of_is_refused(f, x):
    with pytest.raises(ag.errors.StagingError, match=re.escape('`__array_ufunc__ = None`')):
        ag.function(f)(x)
    check(lambda x: f(float(x.sum())), (x,))


def test_methods_are_guarded():
    class Scaled:
        def __init__(self, x):
            self.x = x

        def __mul__(self, other):
            return self.x * other if other > 0 else self.x

    f = ag.function(lambda x: Scaled(2.0) * x)
    assert f(F(3)) == 6
    Scaled.__mul__ = lambda self, other: other if other > 0 else self.x
    assert f(F(3)) == 3


class Converting:
    def __init__(self, x):
        self.x = x

    @ag.convert
    def __repr__(self):
        if self.x > 1:
            return 'many'
        return 'few'


def test_what_python_calls_converts_where_it_says_so():
    check(lambda x: Converting(x).__repr__(), (F(1),), (F(3),))


def test_a_branch_needs_no_trace_before_it():
    code = 'import autograph_lite as ag; print(ag.cond(True, lambda: 1, lambda: 2))'
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert done.stdout == '1\n'


@dataclasses.dataclass(order=True)
class Version:
    major: object
    minor: object
    name: str = dataclasses.field(default='', compare=False)


def test_dataclasses_are_compared():
    def f(x, y):
        a, b = Version(x, 1, 'a'), Version(y, x, 'b')
        newest = a if a > b else b
        return a == b, bool(a != b), bool(a < b), bool(a >= b), newest.major

    def wrong(x):
        return Version(x, 1) < x

    check(f, *[(F(x), F(y)) for x in (1.0, 2.0) for y in (1.0, 2.0)])
    check(wrong, (F(1),))


class Vector(tuple):
    def __mul__(self, k):
        return Vector(a * k if k > 0 else a for a in self)

    def __add__(self, other):
        return Vector(a + b for a, b in zip(self, other, strict=True))


def test_a_class_made_of_tuples_says_itself_what_operators_do():
    check(lambda x, k: tuple(Vector((x, 1.0)) * k + Vector((2.0, x))), (F(1), F(2)), (F(3), F(-1)))


@pytest.mark.parametrize('f', [
    lambda x: x * object(), lambda x: {1: 2} + x, lambda x: int(x) < object(),
    lambda x: x @ x, lambda x: x[None] - {}, lambda x: None + int(x),
])  # fmt: skip
def test_operands_that_do_not_fit_are_called_what_they_are(f):
    check(f, (F(1),))
