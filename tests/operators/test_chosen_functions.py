"""Functions of which only the running graph knows which one it is."""
from __future__ import annotations

import enum
import functools
import types

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, -2.0, 3.0])
WAYS = [(X, np.bool_(True)), (X, np.bool_(False))]
PLACES = [(X, np.int64(k)) for k in (0, 1, 2, -1, 5)]
CODES = [(X, np.array(codes)) for codes in ([0, 1, 1, 0], [0] * 4, [2, 1, 0, 0])]

STEPS = [lambda v: v + 1, lambda v: v * 2, np.tanh]
BY_CODE = {0: lambda v: v + 1, 1: lambda v: v * 2, 2: np.exp}


def half(x):
    return x / 2


HELPERS = [half, abs, lambda v: v + 1]


class Scale:
    def __init__(self, by):
        self.by = by

    def up(self, x):
        return x * self.by

    def down(self, x):
        return x / self.by


class Color(enum.Enum):
    RED = 1
    GREEN = 2


BY_COLOR = {Color.RED: np.sin, Color.GREEN: np.cos}


def applied(f, x, times):
    for _ in range(times):
        x = f(x)
    return x


def by_expression(x, c):
    f = np.sin if c else np.cos
    return f(x) + f(f(x))


def by_statement(x, c):
    if c:
        def act(v):
            return v * 2
    else:
        def act(v):
            if v[0] > 0:
                return v
            return -v
    return act(x)


def by_three_ways(x, c):
    if x[0] > 5:
        f = np.tanh
    elif c:
        f = np.abs
    else:
        f = lambda v: np.maximum(v, 0)  # noqa: E731
    return f(x) * f(x[0])


def given_to_helpers(x, c):
    f = np.sin if c else np.cos
    return applied(f, x, 3), applied(np.exp if c else np.tanh, x, 1), [f(v) for v in x]


def given_to_python(x, c):
    f = (lambda v: v + 1) if c else abs
    least = min if c else max
    found = np.vectorize(f)(x), np.apply_along_axis(f, 0, x), list(map(f, x))
    return *found, sorted(x, key=f), list(filter(f, x)), functools.reduce(least, x)


def with_variables(x, c):
    k = 3.0
    f = (lambda v: v * k) if c else (lambda v: v + k)
    g = functools.partial(np.add, 1) if c else functools.partial(np.multiply, 2)
    m = x.sum if c else x.mean
    return f(x), g(x), m()


def with_keywords(x, c):
    f = np.sum if c else np.mean
    g = np.minimum if c else np.maximum
    return f(x[None], axis=1, keepdims=True), g.reduce(x)


def that_change_variables(x, c):
    n = 0

    def up(v):
        nonlocal n
        n += 1
        return v + n

    def down(v):
        nonlocal n
        n -= 1
        return v + n

    f = up if c else down
    y = f(x) + f(x)
    return y, n


def composed(x, c):
    def after(f, g):
        return lambda v: f(g(v))

    f = np.sin if c else np.cos
    h = after(f, np.abs)
    h = after(h, np.exp) if c else h
    return h(x)


def in_tuples(x, c):
    f, g = (np.tanh, lambda v: 1 - v * v) if c else (np.abs, np.sign)
    for a, b in [(f, g)] * 2:
        x = a(x) * b(x)
    return x


def asked(x, c):
    f = np.sin if c else np.cos
    y = x if f is np.sin else f(x)
    same = f == np.sin, f != np.sin, f in (np.sin, np.tan), f is np.exp
    return y, same, callable(f), f.__name__, f


def perhaps(x, c):
    f = np.sin if c else None
    g = None
    if x[0] > 0:
        g = np.cos if c else np.exp
    return x if f is None else f(x), x if g is None else g(x)


def in_places(x, c):
    held = types.SimpleNamespace(f=np.sin)
    table, row = {'f': np.sin}, [np.sin, np.exp]
    if c:
        held.f, table['f'], row[0] = np.cos, np.cos, np.tanh
    return held.f(x), table['f'](x), row[0](row[1](x))


def by_returning(x, c):
    def pick(c):
        if c:
            return np.sin
        return np.cos

    return pick(c)(x), pick(c)


def of_enum(x, c):
    color = Color.RED if c else Color.GREEN
    f = BY_COLOR[color]
    return f(x), BY_COLOR[color](x)


def recursive(x, c):
    def again(f, n, x):
        return x if n == 0 else again(f, n - 1, f(x))

    return again(np.sin if c else np.cos, 3, x)


EACH = [
    asked, by_expression, by_returning, by_statement, by_three_ways, composed, given_to_helpers,
    given_to_python, in_places, in_tuples, of_enum, perhaps, recursive, that_change_variables,
    with_keywords, with_variables,
]  # fmt: skip


@pytest.mark.parametrize('f', EACH)
def test_by_a_branch(f):
    check(f, *WAYS)


def of_list(x, k):
    f = STEPS[k]
    return f(x) + f(x), f


def of_dict(x, k):
    return BY_CODE[int(k)](x), {0: np.sin, 1: np.cos, 2: np.exp}[int(k)](x)


def of_dict_or(x, k):
    f, g = BY_CODE.get(int(k), np.abs), BY_CODE.get(int(k))
    return f(x), x if g is None else g(x)


def of_rows(x, k):
    name, f, scale = [('a', np.sin, 1.0), ('b', np.cos, 2.0), ('c', np.tanh, 0.5)][k]
    return f(x) * scale, name


def or_caught(x, k):
    try:
        f = STEPS[k]
    except IndexError:
        return x
    return f(x)


def of_helpers(x, k):
    return HELPERS[k](x) + (abs, half)[k % 2](x)


def of_methods(x, k):
    scale = Scale(2.0)
    return [scale.up, scale.down, abs][k](x)


def or_none(x, k):
    f = [None, half, None][k]
    return x if f is None else f(x)


@pytest.mark.parametrize('f', [
    of_list, of_dict, of_dict_or, of_rows, or_caught, of_helpers, of_methods, or_none,
])
def test_of_tables(f):
    check(f, *PLACES)


def by_the_last_code(x, codes):
    f = STEPS[0]
    for code in codes:
        x = f(x)
        f = STEPS[code]
    return f(x), f is STEPS[1]


def by_its_results(x, codes):
    f = None
    total = 0.0
    for code in codes:
        if f is not None:
            total += f(total + code)
        if code > 1:
            f = np.cos
        elif code > 0:
            f = np.exp
    return total, f


def until_one_is_found(x, codes):
    f = np.abs
    for code in codes:
        if code > 0:
            f = np.negative
            break
    else:
        f = np.square
    return f(x)


def by_methods(x, codes):
    class Machine:
        total = 0.0

        def add(self, v):
            self.total += v
            return v

        def take(self, v):
            self.total -= v
            return -v

    machine = Machine()
    for code in codes:
        act = machine.add if code > 0 else machine.take
        x = act(x[0]) + x
    return x, machine.total


@pytest.mark.parametrize(
    'f', [by_the_last_code, by_its_results, until_one_is_found, by_methods])
def test_in_loops(f):
    check(f, *CODES, (X, np.zeros(0, int)), traces=2, joins=True)
    graph = ag.function(f)
    graph.get_concrete_function(X, ag.TensorSpec([None], np.int64))


def test_of_values_of_the_block_is_refused():
    def made_there(x, c):
        if c:
            k = x * 2
            f = lambda v: v + k  # noqa: E731
        else:
            f = lambda v: v  # noqa: E731
        return f(x)

    def made_before(x, c):
        k = x
        f = lambda v: v + k  # noqa: E731
        g = lambda v: v  # noqa: E731
        if c:
            k = x * 2
        act = f if c else g
        return act(x)

    with pytest.raises(ag.errors.StagingError, match='holds values of the block that makes it'):
        ag.function(made_there)(*WAYS[0])
    check(made_before, *WAYS)


def test_methods_of_lists_are_refused():
    def added(x, c):
        a, b = [], []
        add = a.append if c else b.append
        add(x.sum())
        return a, b

    def added_on_each_way(x, c):
        a, b = [], []
        if c:
            a.append(x.sum())
        else:
            b.append(x.sum())
        return a, b

    with pytest.raises(ag.errors.StagingError, match='Call it on each way'):
        ag.function(added)(*WAYS[0])
    check(added_on_each_way, *WAYS)


def test_what_methods_change_that_a_block_calls():
    class Counter:
        calls = 0.0

        def count(self, v):
            self.calls = self.calls + 1.0
            return -v

    def in_a_branch(x, c):
        counter = Counter()
        f = counter.count if c else None
        g = np.sin if x[0] > 2 else counter.count
        if f is not None:
            x = f(x)
        if x[1] < 0:
            x = g(x)
        return x, counter.calls

    def in_a_loop(x, c):
        counter = Counter()
        f, g = np.abs, counter.count
        for v in x:
            if f is not np.abs:
                x = f(x)
            f = g if v > 0 else np.negative
        return x, counter.calls

    check(in_a_branch, *WAYS, (-X, WAYS[0][1]), joins=True)
    check(in_a_loop, *WAYS, (-X, WAYS[0][1]), joins=True)


def test_whether_two_methods_are_one_object_is_not_known():
    class Pair:
        def first(self, v):
            return v[0]

        def second(self, v):
            return v[1]

    def by_identity(x, c):
        pair = Pair()
        f, g = pair.first if c else pair.second, pair.first
        return f is g

    def by_equality(x, c):
        pair = Pair()
        f, g = pair.first if c else pair.second, pair.first
        return f == g

    with pytest.raises(ag.errors.StagingError, match='only the running graph knows'):
        ag.function(by_identity)(*WAYS[0])
    check(by_equality, *WAYS)


def appended(rows):
    rows.append([0.0, 1])


def raised(rows):
    rows[-1][1] += 1


def one_with_effects_in_a_branch(x, k):
    tally, other = Tally(), Tally()
    step = tally.up if k > 0 else other.down
    y = step(x)
    if k > 1:
        y = step(y)
    return y, tally.count, other.count


def one_with_effects_in_a_loop(x, k):
    rows = [[9.0, 0]]
    for v in x:
        (raised if v > k else appended)(rows)
    return rows


def a_method_by_its_place(x, k):
    tally, other = Tally(), Tally()
    steps, total = [tally.up, other.up, tally.down], 0.0
    for i, v in enumerate(x):
        total += steps[(i + k) % 3](v)
    return total, tally.count, other.count


class Tally:
    def __init__(self):
        self.count = 0

    def up(self, v):
        self.count += 1
        return v

    def down(self, v):
        self.count -= 1
        return -v


@pytest.mark.parametrize('f', [
    one_with_effects_in_a_branch, one_with_effects_in_a_loop, a_method_by_its_place])
def test_one_that_changes_something_is_called_again(f):
    check(f, *PLACES)


def test_one_of_an_attribute_outside_that_is_set():
    class Stepper:
        def __init__(self):
            self.act = np.sin

        def step(self, x):
            if x > 1:
                self.act = np.cos
            return self.act(x)

    def run(stepper, act):
        stepper.act = np.sin
        return [act(np.float64(v)) for v in (0.5, 2.0, 0.5)], stepper.act

    plain, staged = Stepper(), Stepper()
    act = ag.function(lambda x: staged.step(x) + staged.step(x))
    assert run(staged, act) == run(plain, lambda x: plain.step(x) + plain.step(x))


def test_two_that_give_different_types_are_refused_with_both():
    def by_place(x, k):
        return (np.sin, np.abs)[k](x)

    with pytest.raises(ag.errors.StagingError, match='float64 against int64'):
        ag.function(by_place)(np.arange(3), np.int64(1))


class Coded(Exception):
    """An exception of the user's."""

    def __init__(self, code=0):
        super().__init__(f'code {code}')


def raised_by_its_class(x):
    kind = Coded if x == 7 else KeyError
    if x > 5:
        raise kind(x)
    return x


def raised_as_a_class(x):
    kind = None
    if x == 7:
        kind = Coded
    if x > 5:
        raise kind
    return x


def raised_from_a_class(x):
    kind = None
    if x == 7:
        kind = Coded
    elif x == 9:
        kind = ValueError
    if x > 5:
        raise TypeError('six') from kind
    return x


def caught_by_its_class(x):
    kind = ValueError if x == 7 else KeyError
    try:
        if x > 5:
            raise ValueError('large')
    except (ValueError, KeyError) as error:
        if not isinstance(error, kind):
            raise
        return kind.__name__
    return ''


@pytest.mark.parametrize(
    'f', [raised_by_its_class, raised_as_a_class, raised_from_a_class, caught_by_its_class])
def test_a_class_of_exceptions(f):
    graph = check(f, *((np.float64(x),) for x in (1, 6, 7, 9)))
    for x in (6, 7, 9):
        assert _shown(graph, x) == _shown(f, x)


def _shown(f, x):
    try:
        return f(np.float64(x))
    except Exception as error:
        return repr(error), repr(error.__cause__)


def test_an_except_of_a_class_that_only_the_graph_knows_is_refused():
    def f(x):
        kind = ValueError if x == 7 else KeyError
        try:
            if x > 5:
                raise ValueError('large')
        except kind:
            return 1
        return 0

    with pytest.raises(ag.errors.StagingError, match=r'if not isinstance\(e, kind\): raise'):
        ag.function(f)(np.float64(7))


def test_whether_the_class_of_what_was_caught_is_a_chosen_one_is_refused():
    def f(x):
        kind = ValueError if x == 7 else KeyError
        error = kind('a')
        return type(error) is kind

    with pytest.raises(ag.errors.StagingError, match='isinstance'):
        ag.function(f)(np.float64(7))
