"""Lists, deques, sets and dicts outside that methods change: the graph does so at every call."""
from __future__ import annotations

import contextlib
import copy
import heapq
from collections import Counter, OrderedDict, defaultdict, deque
from types import MethodType
from typing import ClassVar

import numpy as np
import pytest
from differential import outcome, same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
CALLS = [XS, -XS, XS * 2, XS[::-1].copy()]


class Log:
    shared: ClassVar[deque] = deque(maxlen=2)

    def __init__(self):
        self.rows, self.window, self.table = [], deque(maxlen=3), {'a': []}
        self.weights = [1.5, 2, np.float64(3)]
        self.seen, self.sums, self.counts = set(), defaultdict(float), Counter()
        self.order = OrderedDict(a=1, b=2)
        self.n, self.values = 0, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        self.layers = [np.zeros(3), np.ones((2, 2))]

    def note(self, x):
        self.rows.append(x)

    def state(self):
        return dict(vars(self)), list(self.shared)


def in_a_branch(self, xs):
    if xs[0] > 0:
        self.rows.append(xs[0])
    return xs


def in_a_loop_by_a_method(self, xs):
    for x in xs:
        if x > 0:
            self.note(x * 2)
    return xs


def of_python_values(self, xs):
    self.rows.append(1)
    self.rows.extend(['a', (2, None)])
    self.counts.update(['a', 'b', 'a'])
    return xs


def of_all_kinds(self, xs):
    self.rows.append((xs.sum(), {'x': xs * 2}, [xs[0]], None))
    self.rows.append(xs)
    self.table['a'].append(xs[0] > 0)
    return xs


def and_its_length(self, xs):
    before = len(self.rows)
    self.rows.append(xs[0])
    return before, len(self.rows)


def a_window(self, xs):
    self.rows.append(xs[0])
    if len(self.rows) > 2:
        self.rows.pop(0)
    return np.mean(self.rows), self.rows[-1]


def the_last_one(self, xs):
    last = self.rows[-1] if self.rows else xs[1]
    self.rows.append(xs[0])
    return last, max(self.rows), sum(self.rows), xs[0] in self.rows


def what_is_taken_out(self, xs):
    first = self.values.pop(0)
    return first * xs, self.values.pop()


def items(self, xs):
    self.weights[0] = xs[0]
    self.weights[1] += 1
    del self.values[0]
    self.values[1:] = [2.0, 3.0]
    return xs


def items_by_index(self, xs):
    for i in range(3):
        if xs[i] > 0:
            self.values[i] += xs[i]
    self.values[int(abs(xs[1])) % 3] = 0.5
    return self.values[0]


def arrays(self, xs):
    for i, w in enumerate(self.layers):
        self.layers[i] = w - xs.sum()
    return self.layers[1]


def with_an_operator(self, xs):
    self.rows += [xs[0]]
    if xs[0] > 0:
        self.rows += [xs[1], 2]
    self.rows *= 1
    return xs


def turned(self, xs):
    self.values.reverse()
    if xs[0] > 0:
        self.values.sort(reverse=True)
        self.values.insert(1, xs[0])
        self.values.remove(6.0)
        self.values.append(6.0)
    return xs


def emptied(self, xs):
    self.values.clear()
    self.rows.append(xs[0])
    if xs[0] < 0:
        self.rows.clear()
    return xs


def of_a_deque(self, xs):
    self.window.append(xs[0])
    self.window.appendleft(2.5)
    if xs[0] > 0:
        self.window.rotate(1)
    self.shared.append(xs[1])
    return len(self.window)


def a_running_mean(self, xs):
    self.window.append(xs[0])
    return sum(self.window) / len(self.window)


def of_a_set(self, xs):
    known = 'a' in self.seen
    self.seen.add('a')
    if xs[0] > 0:
        self.seen.add('b')
        self.seen.discard('c')
    self.seen |= {'c'}
    return known


def by_a_key_of_the_graph(self, xs):
    self.seen.add(int(xs[0]))
    return xs


def of_dicts(self, xs):
    self.sums['a'] += xs[0]
    self.order.update(c=xs[0])
    self.order.move_to_end('a')
    if xs[0] > 0:
        self.table.update(b=2)
    return xs


def by_another_name(self, xs):
    rows = self.rows
    rows.append(xs[0])
    rows.append(2)
    return xs


def a_deque_by_another_name(self, xs):
    window = self.window
    for x in xs:
        window.append(x)
        if len(window) > 2:
            window.popleft()
    return len(window), window[-1]


def gone_through_before(self, xs):
    total = 0.0
    for x in self.values:
        total += x
    if total > 20:
        self.values.pop()
    self.values.append(total)
    return total


def under_try(self, xs):
    try:
        self.rows.append(xs[0])
        if xs[0] > 0:
            raise ValueError
        self.rows.append(2)
    except ValueError:
        self.rows.append('caught')
    return xs


def arrays_made_in_a_loop(self, xs):
    for x in xs:
        row = np.zeros(2)
        row[0] = x
        self.rows.append(row)
    return xs


def by_a_method_that_is_a_value(self, xs):
    push = self.rows.append
    push(xs[0])
    for _ in map(push, [1, 2]):
        pass
    return xs


def as_a_heap(self, xs):
    heapq.heappush(self.rows, xs[1])
    heapq.heappush(self.rows, xs[0])
    heapq.heappush(OTHERS, 0.5)
    OTHERS.remove(0.5)
    return heapq.heappop(self.values)


def keys_of_a_dict(self, xs):
    self.table.setdefault('n', np.float64(0))
    self.table.update(last=xs[0], n=self.table['n'] + 1)
    if xs[0] > 0:
        self.table.update({'last': xs[1]})
    return self.table['last']


def keys_that_go(self, xs):
    self.order['n'] = xs[0]
    taken = self.order.pop('n') * 2
    gone = self.sums.pop('n', 0.5)
    self.order['c'] = xs[1]
    if xs[0] > 0:
        del self.order['c']
    self.order['d'] = 1
    return taken, gone, 'c' in self.order


def a_dict_with_keys_of_the_graph(self, xs):
    held = {'k': xs[0]}
    other = held
    if xs[0] > 0:
        held['z'] = xs[1]
    self.rows.append(other)
    self.rows.append((held, 1))


def after_what_it_counts(self, xs):
    self.n += 1
    self.rows.append((self.n, xs[0]))
    return self.n


GROWING = [
    in_a_branch, in_a_loop_by_a_method, of_python_values, of_all_kinds, and_its_length, a_window,
    the_last_one, what_is_taken_out, items, items_by_index, arrays, with_an_operator, turned,
    emptied, of_a_deque, a_running_mean, of_a_set, by_a_key_of_the_graph, of_dicts,
    by_another_name, a_deque_by_another_name, gone_through_before, after_what_it_counts,
    under_try, keys_of_a_dict, keys_that_go, arrays_made_in_a_loop, by_a_method_that_is_a_value,
    as_a_heap, a_dict_with_keys_of_the_graph,
]  # fmt: skip


@pytest.mark.parametrize('f', GROWING, ids=lambda f: f.__name__)
def test_what_it_holds_is_what_python_leaves(f):
    plain, traced = Log(), Log()
    graph = ag.function(MethodType(f, traced))
    containers = dict(vars(traced))
    for xs in CALLS:
        before = list(Log.shared)
        expected = outcome(f.__get__(plain), (xs,)), copy.deepcopy(plain.state())
        Log.shared.clear()
        Log.shared.extend(before)
        got = outcome(graph, (xs,)), traced.state()
        assert same(expected, got), (expected, got)
    assert all(getattr(traced, name) is held for name, held in containers.items() if name != 'n')
    assert graph.tracing_count <= 2 or f is arrays  # each call reads others while tracing


def test_what_a_class_counts_is_counted_at_every_call():
    class Counted:
        calls = 0

        def step(self, x):
            type(self).calls += 1
            return x

        @classmethod
        def count(cls, x):
            cls.calls += 1
            return cls.calls * x

    step, count = ag.function(Counted().step), ag.function(Counted.count)
    assert [step(XS[0]) for _ in range(3)] == [1.0] * 3
    assert [count(np.float64(2)) for _ in range(2)] == [8.0, 10.0]
    assert Counted.calls == 5


ROWS, OTHERS = [1.0, 2.0], [3.0]


def one_of_two(xs):
    rows = ROWS if xs[0] > 0 else OTHERS
    rows.append(xs[0])
    return xs


def one_of_two_that_grow(xs):
    n = len(ROWS) + len(OTHERS)
    rows = ROWS if xs[0] > 0 else OTHERS
    ROWS.append(1.0)
    OTHERS.append(1.0)
    return n, len(rows)


def a_list_that_changes_later(xs):
    row = [xs[0]]
    ROWS.append(row)
    row.append(xs[1])
    return xs


def an_array_that_changes_later(xs):
    row = xs * 2
    if xs[0] > 0:
        ROWS.append(row)
    row[0] = 1.0
    return row


def an_array_that_each_turn_changes(xs):
    row = np.zeros(3)
    for i in range(3):
        row[i] = xs[i]
        ROWS.append(row)
    return row


TABLE = {}


class Last:
    def __init__(self):
        self.rows = []


LAST = Last()


def such_a_list_in_one(xs):
    row = other = [xs[0]]
    if xs[0] > 0:
        row.append(xs[1])
    TABLE.setdefault('z', [other])


def keys_of_a_new_dict(xs):
    held = {'k': xs[0]}
    if xs[0] > 0:
        held['z'] = xs[1]
    LAST.rows = held


def read_where_items_have_several_types(xs):
    OTHERS.append('a')
    return max(OTHERS)


@pytest.mark.parametrize('f', [
    one_of_two, one_of_two_that_grow, a_list_that_changes_later, an_array_that_changes_later,
    an_array_that_each_turn_changes, read_where_items_have_several_types, such_a_list_in_one,
    keys_of_a_new_dict,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_the_graph_would_do_otherwise_is_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match=f.__name__):
        ag.function(f)(XS)
    assert (ROWS, OTHERS, TABLE, LAST.rows) == ([1.0, 2.0], [3.0], {}, [])


def test_a_copy_is_put_where_the_error_says_so():
    rows = []

    @ag.function
    def f(xs):
        row = np.zeros(3)
        for i in range(3):
            row[i] = xs[i]
            rows.append(row.copy())
        return row

    f(XS)
    np.testing.assert_array_equal(rows, np.tril(np.tile(XS, (3, 1))))


def test_another_list_makes_a_new_trace():
    log = Log()

    @ag.function
    def f(x):
        log.rows.append(x)
        return x

    f(XS[0])
    log.rows = rows = []
    f(XS[1])
    assert rows == [XS[1]]
    concrete = f.get_concrete_function(XS[0])
    log.rows = []
    with pytest.raises(ag.errors.SignatureError, match='rows'):
        concrete(XS[0])
    assert rows == [XS[1]]


def test_a_variable_is_put_there_itself():
    rows, scale = [], ag.Variable(2.0)

    @ag.function
    def f(x):
        rows.append(scale)
        rows.append((scale, x))
        return x * scale

    f(XS[0])
    scale.assign(3.0)
    f(XS[1])
    assert all(x is scale for x in (rows[0], rows[1][0], rows[2], rows[3][0]))


def test_a_key_that_is_gone_is_missed():
    table = {'n': 1.5}

    @ag.function
    def f(x):
        table.pop('n')
        return x

    f(XS[0])
    assert table == {}
    with pytest.raises(KeyError, match='n'):
        f(XS[0])


def test_a_captured_array_may_be_modified_beside_a_list_that_grows():
    class Mean:
        def __init__(self):
            self.total, self.losses = np.zeros(3), []

        def step(self, x):
            if x[0] > 0:
                self.total += x
            self.losses.append(self.total.sum())
            return self.total[0]

    plain, traced = Mean(), Mean()
    step = ag.function(traced.step)
    for x in XS:
        x = np.resize(x, 3)
        assert same(step(x), plain.step(x))
        assert same(traced.total, plain.total)
        assert same(traced.losses, plain.losses)


def test_what_the_generator_of_a_with_appends_in_a_branch_is_refused():
    log = []

    @contextlib.contextmanager
    def noted(x):
        log.append(x)
        yield

    def in_a_branch(x):
        if x > 0:
            with noted(1):
                x = x * 2
        return x

    def of_a_tensor(x):
        with noted(x):
            return x * 2

    for f in in_a_branch, of_a_tensor:
        with pytest.raises(ag.errors.OwnershipError, match='outside'):
            ag.function(f)(np.float64(-3.0))


KEPT: list = []
SEEN: set = set()


def kept_at_most_two(xs):
    for x in xs:
        if x in KEPT:
            pass
        elif len(KEPT) >= 2:
            KEPT.pop(0)
        KEPT.append(x)
    return len(KEPT)


def new_ones(seen, xs):
    n = 0
    for x in xs:
        key = int(x)
        if key not in seen:
            seen.add(key)
            n += 1
    return n


def seen_first(xs):
    n = new_ones(SEEN, xs)
    return n, len(SEEN), sorted(SEEN), sum(SEEN), 1 in SEEN, bool(SEEN)


def seen_and_forgotten(xs):
    seen = SEEN
    for x in xs:
        if x > 1:
            seen.discard(int(x))
        elif x in seen:
            return x
        else:
            seen.add(int(x))
    SEEN.update([int(x) for x in xs])
    if len(SEEN) > 3:
        SEEN.clear()
    return xs[0] * 0


def seen_beside_others(xs):
    SEEN.add(int(xs[0]))
    wanted = {1, 2}
    sizes = [len(SEEN | wanted), len(SEEN & wanted), len(SEEN - wanted), len(wanted ^ SEEN)]
    return sizes, len(SEEN.union(wanted, [7])), sorted(wanted - SEEN), sorted(SEEN.copy())


def seen_against_others(xs):
    SEEN.add(int(xs[0]))
    wanted, made = {1, 2}, set()
    made.add(int(xs[0]))
    return (
        SEEN == wanted, wanted != SEEN, SEEN == made, made == SEEN, SEEN <= wanted, wanted < SEEN,
        SEEN.issuperset(made), SEEN.isdisjoint(wanted), SEEN == 3)


@pytest.mark.parametrize('start', [[], [1]])
@pytest.mark.parametrize('f', [
    kept_at_most_two, seen_first, seen_and_forgotten, seen_beside_others, seen_against_others])
def test_what_is_asked_of_one_that_fills(f, start):
    left = []
    for run in f, ag.function(f):
        KEPT[:] = [float(x) for x in start]
        SEEN.clear()
        SEEN.update(start)
        results = [run(xs) for xs in CALLS]
        left.append((results, KEPT.copy(), SEEN.copy()))
    assert same(*left)


@pytest.mark.parametrize(
    'given', [{1, 9}, deque([1.0]), Counter({1: 2}), defaultdict(int, {1: 1})],
    ids=lambda given: type(given).__name__)
def test_one_that_is_given_is_changed_itself_or_as_a_copy(given):
    def put(given, x):
        if isinstance(given, set):
            given.add(int(x))
        elif isinstance(given, deque):
            given.append(x)
        else:
            given[int(x)] += 1

    def changed(given, xs):
        for x in xs:
            put(given, x)
        return given

    def copied(given, xs):
        return changed(given.copy(), xs)

    assert same(copied(given, XS), ag.function(copied)(given, XS))
    expected = copied(given, XS)
    assert ag.function(changed)(given, XS) is given
    assert same(expected, given)


def a_key_again(self, xs):
    before = dict(self.sums)
    self.sums.pop('a')
    self.sums['a'] = xs[0]
    del self.sums['b']
    self.sums.setdefault('b', xs[1])
    return before, dict(self.sums)


def test_a_key_that_is_taken_out_and_set_once_more_beside_another_name():
    for xs in CALLS[:2]:
        plain, traced = Log(), Log()
        for log in (plain, traced):
            log.sums.update({'a': 1.0, 'b': 2.0})
        expected = outcome(a_key_again, (plain, xs))
        assert same(outcome(ag.function(a_key_again), (traced, xs)), expected)
