"""Code of the user's that Python itself, or its library, calls."""
import dataclasses
import functools
import itertools
import math
import operator
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, 2.0, -4.0]),)]


def size(x):
    return x if x > 0 else -x


class Missing(dict):
    def __init__(self, x):
        self.x = x

    def __missing__(self, key):
        return self.x if self.x > 0 else -self.x


class Marked(Missing):
    @ag.convert
    def __missing__(self, key):
        return self.x if self.x > limit else -self.x


class Hashed:
    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return 1 if self.x > 0 else 2


limit = 0.0


def test_what_is_called_as_it_is_is_named_with_what_to_write():
    def f(x):
        return Missing(x[0])['key']

    with pytest.raises(ag.errors.StagingError) as info:
        ag.function(f)(*CALLS[0])
    message = str(info.value)
    assert '__missing__` at line' in message
    assert "return Missing(x[0])['key']" in message
    assert 'Write `@ag.convert` directly above `def __missing__`' in message


def test_what_python_has_to_know_is_asked_for_elsewhere():
    with pytest.raises(ag.errors.StagingError, match='such as an `if` in a `for` loop'):
        ag.function(lambda x: {Hashed(x[0]): 1})(*CALLS[0])


def test_code_without_conversion_gets_no_such_advice():
    with pytest.raises(ag.errors.StagingError, match='without `autograph=False`'):
        ag.function(lambda x: size(x[0]), autograph=False)(*CALLS[0])
    with pytest.raises(ag.errors.StagingError, match='without `autograph=False`'):
        ag.function(lambda x: ag.do_not_convert(lambda x: 1 if x > 0 else 2)(x[0]))(*CALLS[0])


def test_what_is_marked_is_converted_whoever_calls_it_and_tells_what_it_reads(monkeypatch):
    graph = check(lambda x: Marked(x[0])['key'], *CALLS)
    assert graph(np.array([-1.0])) == 1.0
    monkeypatch.setitem(globals(), 'limit', -2.0)
    assert graph(np.array([-1.0])) == -1.0


class Partial:
    def __init__(self, x):
        self.x = x

    def times(self, factor, offset):
        return self.x * factor if self.x > 0 else self.x + offset

    @classmethod
    def made(cls, x, offset):
        return cls(x).times(2.0, offset)

    doubled = functools.partialmethod(times, 2.0)
    plain = functools.partialmethod(made, offset=1.0)


def test_a_partial_method():
    check(lambda x: (Partial(x[0]).doubled(1.0), Partial.plain(x[1])), *CALLS)


class Called:
    def __init__(self, factor):
        self.__self__ = factor

    def __call__(self, x):
        return x * self.__self__ if x > 0 else x


def test_a_callable_object_with_an_attribute_as_methods_have():
    check(lambda x: Called(3.0)(x[0]), *CALLS)


class Sizes:
    def __init__(self, x):
        self.x, self.taken = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.taken == len(self.x):
            raise StopIteration
        self.taken += 1
        return size(self.x[self.taken - 1])


class OldSizes:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        return size(self.x[i])


class SequenceOfSizes(Sequence):
    def __init__(self, x):
        self.x = x if x[0] > 0 else -x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return size(self.x[i])


def summed(items):
    total = 0.0
    for item in items:
        total += item
    return total


def unpacked(items):
    a, *b = items
    return a, b


def extended(items):
    out = [0.0]
    out.extend(items)
    return out


GOING_THROUGH = [
    summed, unpacked, extended, list, sum, max, tuple, enumerate, iter, np.fromiter,
    lambda items: [*items],
    lambda items: max(0.0, *items),
    lambda items: [v for v in items if v > 1],
    lambda items: dict(zip('abc', items, strict=False)),
    lambda items: list(map(lambda v: v if v > 1 else -v, items)),
    lambda items: 2.0 in list(items),
    lambda items: list(itertools.chain(items, [1.0])),
    lambda items: functools.reduce(lambda a, b: a if a > b else b, items),
]


@pytest.mark.parametrize('made', [Sizes, OldSizes, SequenceOfSizes])
@pytest.mark.parametrize('use', GOING_THROUGH)
def test_what_goes_through_an_object(made, use):
    def f(x):
        if use is np.fromiter:
            return np.fromiter(made(x), float)
        found = use(made(x))
        return list(found) if use in (enumerate, iter) else found

    check(f, *CALLS, joins=True)


def test_methods_that_the_library_makes_of_others():
    def f(x):
        items = SequenceOfSizes(x)
        place, count = items.index(size(x[1])), items.count(2.0)
        return list(reversed(items)), place, count, len(items), 2.0 in items

    check(f, *CALLS)


def test_where_items_end_only_the_running_graph_knows():
    class Until(Sizes):
        def __next__(self):
            self.taken += 1
            if self.x[self.taken] > 2:
                raise StopIteration
            return self.x[self.taken]

    with pytest.raises(ag.errors.StagingError, match='raises StopIteration only the running'):
        ag.function(lambda x: sum(Until(x)))(*CALLS[0])
    spec = ag.TensorSpec([None], np.float64)
    for made in (OldSizes, SequenceOfSizes):
        with pytest.raises(ag.errors.StagingError, match=r'for i in range\(n\)'):
            ag.function(lambda x, made=made: sum(made(x)), input_signature=[spec])(*CALLS[0])


@dataclasses.dataclass
class Bounded:
    x: object

    def __post_init__(self):
        if self.x > 2:
            self.x = self.x / 2


class Counting(type):
    def __call__(cls, x):
        made = super().__call__(x)
        made.y = size(x)
        return made


class Counted(metaclass=Counting):
    def __init__(self, x):
        self.x = x if x > 2 else 0 * x


class Table(Mapping):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 2

    def __iter__(self):
        return iter(('a', 'b'))

    def __getitem__(self, key):
        if key not in ('a', 'b'):
            raise KeyError(key)
        return size(self.x[0 if key == 'a' else 1])


def test_what_makes_an_object():
    def f(x):
        made = Counted(x[2])
        return dataclasses.replace(Bounded(x[0]), x=x[2]).x, made.x, made.y

    check(f, *CALLS)


def test_a_mapping():
    def f(x):
        table = Table(x)
        return table.get('a'), table.get('c', 5.0), {**table}, dict(table), 'b' in table

    check(f, *CALLS)


def positive(f):
    def call(x):
        return f(x) if x > 0 else -x

    return call


def scaled(factor):
    def decorate(f):
        @functools.wraps(f)
        def call(x):
            return f(x) * factor if x > factor else f(x)

        return call

    return decorate


class CountedCalls:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, x):
        self.calls += 1
        return self.f(x) if x > 0 else -x


def test_decorators_of_nested_functions():
    def f(x):
        @positive
        @scaled(1.5)
        def plus(v):
            return v + 2

        @CountedCalls
        def minus(v):
            return v - 2

        return plus(x[0]), [plus(v) for v in x], list(map(minus, x)), minus.calls

    check(f, *CALLS)


def test_what_a_callable_object_counts():
    def f(x):
        counted = CountedCalls(size)
        listed = list(map(counted, x))
        first = counted.calls
        return listed, first, max(x, key=counted), sorted(x, key=counted), counted.calls

    check(f, *CALLS)


def test_what_the_body_of_a_nested_class_calls(monkeypatch):
    def f(x):
        class Made:
            first = size(x[0]) + limit
            sizes = (size(x[1]), first)

            def most(self):
                return self.sizes[0] if self.sizes[0] > 2 else self.first

            @positive
            def shown(v):
                return v * 2

        return Made.first, Made.sizes, Made().most(), Made.shown(x[2])

    graph = check(f, *CALLS)
    monkeypatch.setitem(globals(), 'limit', 1.0)
    assert graph(np.array([-1.0, 0.0, 1.0]))[0] == 2.0


def test_what_the_body_of_a_nested_class_chooses_by_a_tensor():
    def f(x):
        class Made:
            first = 1.0 if x[0] > 0 else 2.0

        return Made.first

    with pytest.raises(ag.errors.StagingError, match='give what it computes a name before'):
        ag.function(f)(*CALLS[0])


class Positive:
    def __get__(self, owner, kind=None):
        return size(owner.x) if owner.x < 2 else owner.x

    def __set__(self, owner, value):
        owner.x = size(value)

    def __delete__(self, owner):
        owner.x = size(owner.x) + 1


class Length:
    positive = Positive()

    def __init__(self, x):
        self.x = x

    def __round__(self, digits=0):
        return size(self.x) + digits

    def __pow__(self, exponent, modulus=1.0):
        return size(self.x) ** exponent % modulus

    def __divmod__(self, other):
        return size(self.x), other

    def __rdivmod__(self, other):
        return other, size(self.x)

    def __floor__(self):
        return size(self.x)

    def __radd__(self, other):
        return size(self.x) + other

    def __getitem__(self, key):
        return size(self.x) * key

    def __delattr__(self, name):
        self.x = size(self.x) + 3

    def times(self, factor=2.0):
        return size(self.x) * factor


def larger(a, b):
    return a if a > b else b


def placed(x):
    match Length(x):
        case Length(positive=found) if found > 1:
            return found
        case Length(x=found):
            return found * 2


def set_and_deleted(x):
    length = Length(x)
    length.positive = x - 1
    first = length.x
    delattr(length, 'positive')
    return first, length.x


@pytest.mark.parametrize(
    'use',
    [
        lambda x: (round(Length(x)), round(Length(x), 1), round(Length(x), ndigits=1)),
        lambda x: (pow(Length(x), 2), pow(Length(x), 2, 3.0)),
        lambda x: (divmod(Length(x), 2.0), divmod(2.0, Length(x)), divmod(x, 2.0)),
        lambda x: (math.floor(Length(x)), math.floor(x), sum([Length(x), Length(-x)])),
        lambda x: (getattr(Length(x), 'positive'), operator.attrgetter('positive')(Length(x))),  # noqa: B009
        lambda x: (operator.methodcaller('times')(Length(x)),
                   operator.methodcaller('times', factor=x)(Length(x))),
        lambda x: (operator.itemgetter(2)(Length(x)), operator.getitem(Length(x), 3)),
        lambda x: list(itertools.accumulate([x, -x, 1.0], larger)),
        lambda x: sorted([x, -x], key=functools.cmp_to_key(lambda a, b: -1 if a > b else 1)),
        placed,
        set_and_deleted,
    ],
)
def test_what_asks_an_object(use):
    check(lambda x: use(x[0]), *CALLS, joins=True)


def test_a_function_that_needs_a_number_is_given_one():
    class Number:
        def __init__(self, x):
            self.x = x

        def __float__(self):
            return float(size(self.x))

    with pytest.raises(ag.errors.StagingError, match=r'`float\(x\)` for `x`'):
        ag.function(lambda x: math.sqrt(Number(x[0])))(*CALLS[0])
    check(lambda x: math.sqrt(float(Number(x[0]))), *CALLS)
