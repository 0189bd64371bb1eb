"""What Python makes of values is made once, while tracing: with tensors in it, it is refused."""
from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import types

import numpy as np
import pytest

import autograph_lite as ag


class Held:
    def __init__(self, value):
        self.value = value

    def read(self):
        return self.value


MADE = [
    lambda x: {'a': x}.values(), lambda x: {'a': x}.items(), lambda x: zip([x], [1]),
    lambda x: enumerate([x]), lambda x: reversed([x]), lambda x: (v for v in [x]),
    lambda x: itertools.chain([x]), lambda x: lambda: x, lambda x: functools.partial(max, x),
    lambda x: types.MappingProxyType({'a': x}), lambda x: collections.ChainMap({'a': x}),
    lambda x: Held(x).read, lambda x: [x].append, lambda x: ValueError(x),
    lambda x: [1, {'a': {'a': x}.values()}],
]  # fmt: skip


@pytest.mark.parametrize('f', MADE)
def test_what_python_has_made_of_tensors_is_not_returned(f):
    with pytest.raises(ag.errors.StagingError, match='is returned'):
        ag.function(f)(np.float64(1))


OUTSIDE = Held(np.float64(2))


def test_what_is_outside_is_returned():
    def f(x):
        OUTSIDE.value = x
        return OUTSIDE.read, len, {'a': 1}.values().__len__, functools.partial(max, 1)

    found = ag.function(f)(np.float64(3))
    assert found[0]() == 3
    assert found[2]() == found[3](0) == 1


class Holder:
    pass


HOLDER = Holder()


def closing_over(x):
    class Scaled:
        def get(self):
            return x * 2

    return [Scaled()]


def in_a_base_class_and_a_helper(x):
    def get():
        return x

    class Base:
        value = property(lambda self: get())

    class Scaled(Base):
        pass

    return Scaled()


def by_default(x):
    @dataclasses.dataclass
    class Scaled:
        a: float

        def get(self, by=x):
            return self.a * by

    return Scaled(x)


def put_outside(x):
    class Scaled:
        def get(self):
            return x * 2

    HOLDER.made = Scaled()


@pytest.mark.parametrize('f', [
    closing_over, in_a_base_class_and_a_helper, by_default, put_outside])
def test_a_class_that_holds_tensors_is_made_once(f):
    with pytest.raises(ag.errors.StagingError, match=r'Let the object hold them, as by `self\.x'):
        ag.function(f)(np.float64(2))


def test_an_object_of_a_class_made_here_holds_its_values():
    @ag.function
    def f(x):
        factor = 3

        class Scaled:
            def __init__(self, x):
                self.x = x

            def get(self):
                return self.x * factor

        return Scaled(x)

    assert [f(np.float64(x)).get() for x in (2, 5)] == [6.0, 15.0]


def test_an_object_of_an_argument_that_is_modified_is_returned_twice():
    def twice(x):
        held = Held(x)
        x[0] = 9
        return held, held

    def of_a_copy(x):
        x = x.copy()
        held = Held(x)
        x[0] = 9
        return held, held

    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(twice)(np.zeros(2))
    assert 'of an object that the function makes' in str(caught.value)
    assert '`x = x.copy()` before the object is made of it' in str(caught.value)
    one, other = ag.function(of_a_copy)(np.zeros(2))
    assert one is other
    assert np.array_equal(one.value, [9, 0])


ROWS = [1.0]


@pytest.mark.parametrize('f', [
    lambda q, x: Held(q), lambda q, x: Held(ROWS), lambda q, x: Held([q, ROWS]),
    lambda q, x: q.append(x) or Held(q), lambda q, x: ROWS.append(x) or Held(ROWS),
    lambda q, x: ROWS.append(x) or Held(Held(ROWS)),
])  # fmt: skip
def test_an_object_holds_the_list_itself_that_is_given_or_outside(f):
    def shown(value, given):
        if isinstance(value, Held):
            return shown(value.value, given)
        return [shown(x, given) for x in value] if value not in (given, ROWS) else value is given

    outcomes = []
    for run in (f, ag.function(f)):
        ROWS[:], given = [1.0], [2.0]
        outcomes.append((shown(run(given, np.float64(3)), given), given, list(ROWS)))
    assert outcomes[0] == outcomes[1]
