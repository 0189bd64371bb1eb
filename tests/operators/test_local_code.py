"""What a block changes by methods of a class, and by default values, that a function has made."""
from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

NUMBERS = (np.int64(1),), (np.int64(-2),), (np.int64(3),)


def by_a_method(n):
    log = []

    class Log:
        def add(self, v):
            log.append(v)

    kept = Log()
    for v in range(n + 3):
        if v > 0:
            kept.add(v)
    return log


def of_a_helper(log):
    class Log:
        def add(self, v):
            log.append(v)

    return Log()


def by_a_class_of_a_helper(n):
    log = []
    kept = of_a_helper(log)
    if n > 0:
        kept.add(1)
    return log


def by_nonlocal(n):
    total = 0

    class Sum:
        def add(self, v):
            nonlocal total
            total += v

    if n > 0:
        Sum().add(1)
    return total


def items(n):
    seen = {'a': 0}
    row = [0.0]

    class Last:
        def put(self, v):
            seen['a'] = v
            row[0] = v * 0.5

    if n > 0:
        Last().put(1)
    return seen, row


def an_array(n):
    row = np.zeros(2)

    class Last:
        def put(self, v):
            row[0] = v

    if n > 0:
        Last().put(1.0)
    return row


def without_self(n):
    log = []

    class Log:
        @staticmethod
        def add(v):
            log.append(v)

        @classmethod
        def put(cls, v):
            log.append(-v)

        @property
        def last(self):
            log.append(0)
            return len(log)

    last = 0
    if n > 0:
        Log.add(1)
        Log.put(2)
        last = Log().last
    return log, last


def by_operators(n):
    log = []

    class Log:
        def __init__(self):
            log.append(1)

        def __call__(self, v):
            log.append(v)

        def __add__(self, v):
            log.append(v)
            return v

        def __iter__(self):
            log.append(4)
            return iter([5, 6])

    t = 0
    if n > 0:
        kept = Log()
        kept(2)
        t = kept + 3
        for v in kept:
            t += v
    return log, t


def of_a_base(n):
    log = []

    class Base:
        def add(self, v):
            log.append(v)

    class Log(Base):
        def add(self, v):
            super().add(v + 1)

    if n > 0:
        Log().add(1)
    return log


def of_a_named_tuple(n):
    log = []

    class Point(NamedTuple):
        x: int

        def add(self):
            log.append(self.x)

    if n > 0:
        Point(3).add()
    return log


def of_a_metaclass(n):
    log = []

    class Meta(type):
        def add(cls, v):
            log.append(v)

    class Log(metaclass=Meta):
        pass

    if n > 0:
        Log.add(1)
    return log


def by_a_call_of_type(n):
    log = []
    Log = type('Log', (), {'add': lambda self, v: log.append(v), 'count': 0})
    if n > 0:
        Log().add(1)
        Log.count += 1
    return log, Log.count


def by_expressions(n):
    log = []

    class Log:
        def add(self, v):
            log.append(v)
            return v > 0

    kept = Log()
    [kept.add(k) for k in range(n + 3)]
    chosen = kept.add(11) if n > 0 else kept.add(12)
    both = n > 0 and kept.add(13)
    while kept.add(n) and n < 3:
        n = n + 1
    match n:
        case 3:
            kept.add(14)
        case _:
            kept.add(15)
    return log, chosen, both


def by_recursion(n):
    log = []

    class Down:
        def go(self, k):
            if k > 0:
                log.append(k)
                self.go(k - 1)

    Down().go(n + 2)
    return log


def by_a_memo(n):
    memo = {}

    class Fibonacci:
        def of(self, k):
            if k < 2:
                return k
            if k not in memo:
                memo[k] = self.of(k - 1) + self.of(k - 2)
            return memo[k]

    return Fibonacci().of(n + 5)


def by_a_manager(n):
    log = []

    class Logged:
        def __enter__(self):
            log.append(1)

        def __exit__(self, *error):
            log.append(2)

    if n > 0:
        with Logged():
            log.append(3)
    return log


@pytest.mark.parametrize('f', [
    by_a_method, by_a_class_of_a_helper, by_nonlocal, items, an_array, without_self, by_operators,
    of_a_base, of_a_named_tuple, of_a_metaclass, by_a_call_of_type, by_expressions, by_recursion,
    by_a_memo, by_a_manager,
])  # fmt: skip
def test_methods_change_variables_of_the_function_that_made_their_class(f):
    check(f, *NUMBERS, joins=True)


def of_a_class(n):
    class Log:
        lines = []  # noqa: RUF012
        count = 0

        def add(self, v):
            Log.lines.append(v)
            Log.count += 1

    if n > 0:
        Log().add(1)
        Log.lines.append(2)
    return Log.lines, Log.count


def of_a_class_at_each_turn(xs):
    class Own:
        count = 0

    for _ in xs:
        Own.count += 1
    return Own.count


def by_init(n):
    class Log:
        count = 0

        def __init__(self):
            Log.count += 1

    Log()
    if n > 0:
        Log()
    return Log.count


def by_a_class_method(n):
    class Best:
        seen = 0
        best = None

        @classmethod
        def see(cls, v):
            cls.seen += 1
            if cls.best is None or v > cls.best:
                cls.best = v

    for k in range(n + 3):
        Best.see(k * (3 - k))
    return Best.seen, Best.best


def new_on_both_ways(n):
    class Empty:
        pass

    if n > 0:
        Empty.v = 1
    else:
        Empty.v = 2
    return Empty.v


def of_a_derived_class(n):
    class Base:
        count = 0

    class Own(Base):
        pass

    if n > 0:
        Own.count += 1
    return Own.count, Base.count


@pytest.mark.parametrize('f', [
    of_a_class, by_init, by_a_class_method, new_on_both_ways, of_a_derived_class])
def test_attributes_of_a_class_made_by_the_function(f):
    check(f, *NUMBERS, joins=True)


def test_an_attribute_of_a_class_changed_at_each_turn():
    check(of_a_class_at_each_turn, (np.ones(3),), (np.ones(3),))


def set_in_the_base_later(n):
    class Base:
        count = 0

    class Own(Base):
        pass

    own = Own()
    if n > 0:
        own.count += 1
    Base.count = 5
    return own.count


def test_what_reads_a_class_is_refused_where_only_the_graph_knows():
    with pytest.raises(ag.errors.OwnershipError, match=r"'Base\.count' is set here"):
        ag.function(set_in_the_base_later)(np.int64(1))


def a_list_by_default(n):
    def collect(v, acc=[]):  # noqa: B006
        acc.append(v)
        return acc

    if n > 0:
        collect(1)
    return collect(2)


def a_list_by_default_and_by_name(n):
    def collect(v, *, acc=[0]):  # noqa: B006
        acc[0] += v
        return acc[0]

    total = 0
    for k in range(n + 3):
        total += collect(k)
    return total


def a_list_by_default_of_a_lambda(n):
    collect = lambda v, acc=[]: acc.append(v) or acc  # noqa: E731
    if n > 0:
        collect(1)
    return collect(2)


def a_memo_by_default(n):
    def twice(v, memo={}):  # noqa: B006
        if v not in memo:
            memo[v] = v * 2
        return memo[v]

    total = 0
    for k in range(n + 3):
        total += twice(k)
    return total


def a_list_by_default_of_a_method(n):
    class Log:
        def add(self, v, acc=[]):  # noqa: B006
            acc.append(v)
            return acc

    if n > 0:
        Log().add(1)
    return Log().add(2)


def by_default_of_what_wraps(n):
    @functools.wraps(by_nonlocal)
    def collect(v, acc=[]):  # noqa: B006
        acc.append(v)
        return acc

    if n > 0:
        collect(1)
    return collect(2)


@pytest.mark.parametrize('f', [
    a_list_by_default, a_list_by_default_and_by_name, a_list_by_default_of_a_lambda,
    a_memo_by_default, a_list_by_default_of_a_method, by_default_of_what_wraps,
])  # fmt: skip
def test_default_values_of_a_function_made_by_the_function(f):
    check(f, *NUMBERS, joins=True)


def a_list_by_default_of_what_calls_itself(n):
    def down(k, acc=[]):  # noqa: B006
        acc.append(k)
        if k > 0:
            down(k - 1)
        return len(acc)

    return down(n + 2), down(n)


def a_memo_by_default_of_what_calls_itself(n):
    def fibonacci(k, memo={}):  # noqa: B006
        if k < 2:
            return k
        if k not in memo:
            memo[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return memo[k]

    return fibonacci(n + 4)


def a_count_by_default_and_given(n):
    def down(k, *, count=[0]):  # noqa: B006
        count[0] += 1
        if k > 0:
            down(k - 1)
        return count[0]

    return down(n + 4), down(n, count=[5])


def two_of_one_text(n):
    def make(step):
        def down(k, d=step, acc=[]):  # noqa: B006
            acc.append(d)
            if k > 0:
                return down(k - 1) + d
            return len(acc)

        return down

    one, ten = make(1), make(10)
    return one(n + 3), ten(n + 3), one(n)


@pytest.mark.parametrize('f', [
    a_list_by_default_of_what_calls_itself, a_memo_by_default_of_what_calls_itself,
    a_count_by_default_and_given, two_of_one_text,
])  # fmt: skip
def test_default_values_of_a_function_that_calls_itself(f):
    check(f, *NUMBERS, joins=True)


def by_a_property_that_is_kept(n):
    log = []

    class Log:
        @functools.cached_property
        def size(self):
            log.append(1)
            return 3

    size = 0
    kept = Log()
    if n > 0:
        size = kept.size
    return log, size


def by_a_function_that_keeps_results(n):
    log = []

    @functools.cache
    def twice(v):
        log.append(v)
        return v * 2

    if n > 0:
        twice(3)
    return log


def test_what_is_kept_and_changes_something_is_refused():
    with pytest.raises(ag.errors.OwnershipError, match='keeps its result, and changes'):
        ag.function(by_a_function_that_keeps_results)(np.int64(1))


def test_a_property_that_is_kept_and_changes_something():
    check(by_a_property_that_is_kept, *NUMBERS, joins=True)


def kept_and_called_before(n):
    log = []

    @functools.cache
    def twice(v):
        log.append(v)
        return v * 2

    twice(3)
    total = 0
    if n > 0:
        total = twice(3)
    return log, total


def test_what_is_kept_is_called_before():
    check(kept_and_called_before, *NUMBERS, joins=True)
