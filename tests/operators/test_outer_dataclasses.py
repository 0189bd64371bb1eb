"""Dataclasses outside, changed by their own methods and by other names: each stays what it is."""
from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field

import numpy as np
import pytest
from differential import joined

import autograph_lite as ag

CALLS = [np.array(x) for x in ([1.0, 2.0], [-1.0, 3.0], [-3.0, 0.5], [2.0, -5.0])]
TEMPLATE = 'it is %s'


@dataclass
class Meter:
    n: int = 0
    total: float = 0.0
    best: float | None = None
    w: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def step(self, x):
        if x > 0:
            self.n += 1
        self.total += x

    def see(self, x):
        if self.best is None or x > self.best:
            self.best = x

    def fill(self, i, x):
        self.w[i] += x

    def reset(self):
        self.n = 0
        self.w = np.zeros(2)
        self.best = None

    @property
    def mean(self):
        return self.total / max(self.n, 1)

    @mean.setter
    def mean(self, value):
        self.total = value * self.n


class Eager(Meter):
    def step(self, x):
        super().step(x)
        if x > 1:
            self.n += 10


@dataclass
class Panel:
    meter: Meter = field(default_factory=Meter)
    steps: int = 0

    def step(self, x):
        self.meter.step(x)
        self.steps += 1
        if x > 1:
            self.meter.see(x)


@dataclass(slots=True)
class Slots:
    n: int = 0

    def step(self, x):
        if x > 0:
            self.n += 1


@dataclass
class Pair:
    n: float = 0.0
    m: float = 1.0

    def shown(self, x):
        before = dataclasses.asdict(self)
        if x[0] > 0:
            self.n += x[0]
        return before


class Owner:
    def __init__(self):
        self.meter = Meter()


def stepped_in_a_loop(m):
    def f(xs):
        for x in xs:
            m.step(x)
        return m.n
    return f


def stepped_in_a_branch(m):
    def f(xs):
        if xs[0] > 0:
            m.step(xs[0])
        return m.n
    return f


def seen(m):
    def f(xs):
        for x in xs:
            m.see(x)
        return m.best
    return f


def reset_and_filled(m):
    def f(xs):
        m.reset()
        for i, x in enumerate(xs):
            m.fill(i, x)
            m.see(x)
        return m.w.sum()
    return f


def reset_in_a_branch(m):
    def f(xs):
        for x in xs:
            if x > 0:
                m.reset()
            m.step(x)
        return m.n
    return f


def fill(meter, i, x):
    meter.w[i] += x
    meter.total -= x
    return meter


def refill(meter, x):
    if x > 0:
        meter.w = meter.w * 2
        meter.n += 1
    else:
        fill(meter, 0, x)


def given_to_a_helper(m):
    def f(xs):
        found = fill(m, 1, xs[0])
        found.n += 1
        return m.n, found is m
    return f


def given_to_helpers_in_blocks(m):
    def f(xs):
        refill(meter=m, x=xs[0])
        for i, x in enumerate(xs):
            if x > 0:
                fill(m, i, x)
        return m.w.sum()
    return f


class Filling:
    def __init__(self, meter):
        self.meter = meter

    def fill(self, x):
        if x > 0:
            self.meter.w[0] += x
        self.meter.n += 1


def given_to_an_object(m):
    def f(xs):
        Filling(m).fill(xs[1])
        return m.w[0]
    return f


def each_of(*meters, x):
    for meter in meters:
        meter.n += 1
        meter.w[1] -= x


def given_as_star_arguments(m):
    other = type(m)()

    def f(xs):
        each_of(m, other, x=xs[0])
        return other.w - m.w
    return f


def under_try(m):
    def f(xs):
        try:
            for x in xs:
                m.step(x)
                if x < -2:
                    raise ValueError('too low')
        except ValueError:
            return -1
        return m.n
    return f


def set_by_a_property(m):
    def f(xs):
        if xs[0] > 0:
            m.mean = xs[0]
        return m.mean
    return f


def by_another_name(m):
    def f(xs):
        other = m
        for x in xs:
            other.step(x)
        return other.n
    return f


def in_a_comprehension(m):
    def f(xs):
        [m.step(x) for x in xs]
        return m.n
    return f


def in_a_conditional_expression(m):
    def f(xs):
        return m.n if xs[0] > 0 else m.step(xs[1])
    return f


def until_it_is_full(m):
    def f(xs):
        while m.n < 5:
            m.step(1.0)
        return xs[0]
    return f


@pytest.mark.parametrize('function', [
    stepped_in_a_loop, stepped_in_a_branch, seen, reset_and_filled, reset_in_a_branch, under_try,
    set_by_a_property, by_another_name, in_a_comprehension, in_a_conditional_expression,
    until_it_is_full, given_to_a_helper, given_to_helpers_in_blocks, given_to_an_object,
    given_as_star_arguments,
])  # fmt: skip
@pytest.mark.parametrize('kind', [Meter, Eager])
def test_a_dataclass_outside_is_changed_by_its_methods(kind, function):
    check(kind, function)


@pytest.mark.parametrize(('make', 'function'), [
    (Panel, lambda m: step_each(m, lambda: (m.meter.n, m.steps))),
    (Slots, lambda m: step_each(m, lambda: m.n)),
    (lambda: [Meter(), Meter()], lambda m: step_each(m[0], lambda: m[0].n)),
    (Owner, lambda m: step_each(m.meter, lambda: m.meter.n)),
])  # fmt: skip
def test_so_is_one_in_another_one_with_slots_in_a_list_or_an_object(make, function):
    check(make, function)


def step_each(meter, told):
    def f(xs):
        for x in xs:
            meter.step(x)
        return told()
    return f


def test_a_helper_changes_what_it_is_given():
    def function(p):
        def add(given, x):
            if x > 0:
                given.n += 1
            return given.n

        return lambda xs: add(p, xs[0])

    check(Pair, function)


def test_a_dict_outside_is_changed_by_another_name():
    def function(d):
        def f(xs):
            e = d
            if xs[0] > 0:
                e['n'] += 1
            return e['n']
        return f

    check(lambda: {'n': 0}, function)


def test_what_is_read_of_all_of_it_is_what_it_is_at_each_call():
    def function(p):
        return lambda xs: (p.shown(xs), dataclasses.astuple(p), copy.copy(p).n)

    def change(p):
        p.n = p.m = p.m + 1

    check(Pair, function, between=change, traces=len(CALLS))


def test_a_name_that_a_branch_gives_another_dataclass_leaves_both_as_they_are():
    first, second = Pair(1.0), Pair(2.0)

    @ag.function
    def f(x):
        chosen = first
        if x > 0:
            chosen = second
        return chosen.n

    assert [f(np.float64(x)) for x in (1.0, -1.0)] == [2.0, 1.0]


def test_a_frozen_one_raises_what_python_does():
    @dataclass(frozen=True)
    class Fixed:
        n: int = 0

        def step(self, x):
            if x > 0:
                self.n = 1

    fixed = Fixed()
    f = ag.function(lambda x: fixed.step(x))
    f(np.float64(-1.0))
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'n'"):
        f(np.float64(1.0))


def check(make, function, between=lambda x: None, traces=3):
    """Each call gives and leaves what it does in Python, with few traces."""
    mine, theirs = make(), make()
    graph, plain = ag.function(function(mine)), function(theirs)
    for x in CALLS:
        expected, got = plain(x), graph(x)
        assert joined(expected, got), (x, expected, got)
        assert joined(told(theirs), told(mine)), (x, theirs, mine)
        between(mine)
        between(theirs)
    assert graph.tracing_count <= traces


def told(x):
    """What it holds, in tuples and dicts."""
    if isinstance(x, list):
        return [told(each) for each in x]
    if dataclasses.is_dataclass(x):
        return {each.name: told(getattr(x, each.name)) for each in dataclasses.fields(x)}
    return {k: told(v) for k, v in vars(x).items()} if isinstance(x, Owner) else x


@pytest.mark.parametrize('kind', [Meter, Eager])
def test_a_method_that_is_captured_changes_what_it_is_of(kind):
    def function(m):
        step, fill = m.step, m.fill

        def f(xs):
            for i, x in enumerate(xs):
                step(x)
                fill(i, x)
            return m.n
        return f

    check(kind, function)


@dataclass
class Held:
    w: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def sum_of_parts(self):
        return dataclasses.astuple(self)[0] + dataclasses.asdict(self)['w'] + copy.copy(self).w

    def texts(self):
        return str(self), f'{self} {self!r}', TEMPLATE % self


def test_what_a_method_gives_python_of_all_its_arrays_is_read_at_each_call():
    held = Held()
    f = ag.function(lambda x: held.sum_of_parts() + x)
    for value in (0.0, 5.0):
        held.w[0] = value
        assert f(np.float64(1.0)).tolist() == [3 * value + 1, 1]
    assert f.tracing_count == 1


def test_the_text_that_a_method_makes_of_all_is_that_of_each_call():
    held, other = Held(), Held()
    f = ag.function(lambda x: held.texts())
    for value in (0.0, 5.0):
        held.w[0] = other.w[0] = value
        assert f(np.float64(1.0)) == other.texts()
    assert f.tracing_count == 1


@ag.do_not_convert
def as_it_is(held, x):
    return held.w + x


def test_a_helper_that_is_not_converted_is_given_its_arrays_as_they_are_at_each_call():
    held = Held()

    def given(held, x):
        return as_it_is(held, x)

    f = ag.function(lambda x: given(held, x))
    for value in (0.0, 5.0):
        held.w[0] = value
        assert f(np.float64(1.0)).tolist() == [value + 1, 1]
    assert f.tracing_count == 1


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: object
    n: int = 0


current = Frozen(0.0)


def test_a_variable_that_is_set_to_another_one_with_other_fields():
    def f(x):
        global current
        current = dataclasses.replace(current, a=x, n=current.n + 1)
        return x * current.n

    graph = ag.function(f)
    assert [graph(np.float64(x)) for x in (1, 2, 3)] == [1.0, 4.0, 9.0]
    assert current == Frozen(3.0, 3)


@dataclasses.dataclass
class Level:
    value: float


level = Level(1.0)


def replaced_and_changed(x):
    global level
    if x > 1:
        level = Level(2.0)
    if x < 3:
        level.value = 5.0
    return x


def changed_by_a_name_of_its_own(x):
    global level
    own = copy.copy(level)
    if x > 1:
        own = Level(2.0)
    if x < 3:
        own.value = 5.0
    level = own
    return x


def test_one_that_a_branch_has_perhaps_replaced_is_changed_by_another():
    with pytest.raises(ag.errors.OwnershipError, match=r'own = copy\.copy\(level\)'):
        ag.function(replaced_and_changed)(np.float64(1))
    graph = ag.function(changed_by_a_name_of_its_own)
    for x, value in ((0.5, 5.0), (1.5, 5.0), (4.0, 2.0)):
        graph(np.float64(x))
        assert level.value == value
