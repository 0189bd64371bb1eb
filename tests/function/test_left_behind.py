"""What a call that raises has changed before: the caller finds it, as after plain Python."""
from __future__ import annotations

import contextlib
import pickle
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest
from differential import check
from states import left

import autograph_lite as ag

CALLS = [np.float64(x) for x in (1, 7, 9, 1, 7)]


@dataclass
class Account:
    balance: float = 0.0
    log: list = field(default_factory=list)


def fail(x):
    if x == 7:
        raise RuntimeError('seven')
    return x


def before_a_raise(x, log):
    log.append(x)
    fail(x)
    log.append('passed')
    if x == 9:
        raise ValueError('nine')
    return x


def in_the_branch_that_raises(x, log):
    if x == 7:
        log.append('seven')
        raise RuntimeError('seven')
    return x


def always(x, log):
    log.append(x)
    raise ValueError('always')


def before_an_assertion(x, log):
    log.append('before')
    assert x != 7, log[-1]
    log.append('after')
    assert x != 9
    return x


def in_a_handler(x, log):
    try:
        fail(x)
    except RuntimeError:
        log.append('failed')
        raise
    return x


def in_a_handler_that_raises_another(x, log):
    try:
        log.append('tried')
        fail(x)
        log.append('passed')
    except RuntimeError as error:
        log.append(str(error))
        raise ValueError('another') from error
    else:
        log.append('else')
        if x == 9:
            raise KeyError('nine')
    return x


def in_handlers_within_each_other(x, log):
    try:
        try:
            fail(x)
        except RuntimeError as error:
            log.append('inner')
            raise KeyError('k') from error
    except KeyError:
        log.append('outer')
        raise
    return x


def in_a_finally(x, log):
    mine = log
    try:
        fail(x)
    finally:
        mine.append('done')
    return x


def in_finallys_within_each_other(x, log):
    try:
        try:
            fail(x)
        finally:
            log.append('inner')
    except RuntimeError:
        log.append('caught')
        raise
    finally:
        log.append('outer')
    return x


def in_a_loop(x, log):
    i = 0
    while i < x:
        log.append(i)
        if i == 5:
            raise RuntimeError('five')
        i += 1
    return x


def in_a_handler_of_a_loop(x, log):
    for i in range(3):
        try:
            fail(x - i)
        except RuntimeError:
            log.append(i)
            raise
    return x


def what_numpy_raises_and_a_handler_raises_again(x, log):
    try:
        return np.linalg.inv(np.eye(2) * (x - 7))
    except np.linalg.LinAlgError:
        log.append('singular')
        raise


class Log:
    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append('in')

    def __exit__(self, kind, error, traceback):
        self.lines.append('out' if kind is None else kind.__name__)
        return False


def in_an_exit(x, log):
    with Log(log):
        fail(x)
    return x


def what_was_caught_before(x, log):
    try:
        log.append('tried')
        fail(x)
    except RuntimeError:
        log.append('caught')
    if x == 7:
        raise ValueError(len(log))
    return x


LISTS = [
    before_a_raise, in_the_branch_that_raises, always, before_an_assertion, in_a_handler,
    in_a_handler_that_raises_another, in_handlers_within_each_other, in_a_finally,
    in_finallys_within_each_other, in_a_loop, in_a_handler_of_a_loop,
    what_numpy_raises_and_a_handler_raises_again, in_an_exit, what_was_caught_before,
]  # fmt: skip


@pytest.mark.parametrize('f', LISTS, ids=lambda f: f.__name__)
def test_a_list(f):
    left(list, lambda _: f, CALLS, lambda log: log.clear())


def counts(x, d):
    d['tries'] = d.get('tries', 0) + 1
    d['nested']['last'] = x
    fail(x)
    del d['tries']
    if x == 9:
        raise ValueError
    return x


def adds(x, numbers):
    numbers.append(x)
    fail(x)
    numbers.popleft()
    return x


def deposits(x, account):
    account.balance = account.balance + x
    account.log.append('in')
    try:
        fail(x)
    except RuntimeError:
        account.balance = account.balance - x
        account.log.append('back')
        raise
    return account.balance


def reset(account):
    account.balance, account.log = 0.0, []


def test_a_dict():
    left(lambda: {'nested': {}}, lambda _: counts, CALLS, traces=None)


def test_a_deque():
    left(lambda: deque([1]), lambda _: adds, CALLS, traces=None)


def test_a_dataclass():
    left(Account, lambda _: deposits, CALLS, reset, traces=None)


def fill(a, x):
    for i in range(len(a)):
        a[i] = x + i
        fail(a[i])
    return a


def halves(a, x):
    first = a[:2]
    try:
        a[0] = x
        fail(x)
        first[1] = x
    except RuntimeError:
        a[2] = a[0] + 1
        raise
    return first


def counted(a, x):
    try:
        a[0] = x
        fail(x)
    finally:
        a += 1
    return a


def rows(held, x):
    for row in held['rows']:
        row += x
        fail(row[0])
    held['rows'][0] = held['rows'][0] * 2
    if x == 9:
        raise ValueError
    return x


@pytest.mark.parametrize('f', [fill, halves, counted, rows])
def test_arrays(f):
    def state():
        return {'rows': [np.zeros(3), np.ones(3)]} if f is rows else np.zeros(4)

    graph = ag.function(f)
    for x in CALLS:
        mine, own = state(), state()
        expected = outcome(f, mine, x)
        assert outcome(graph, own, x) == expected
        np.testing.assert_equal(own, mine)


def outcome(f, *args):
    try:
        return repr(f(*args))
    except (RuntimeError, ValueError) as error:
        return repr(error)


def the_given_array(held, x):
    held['rows'].append(x)
    held['k'] = x
    fail(x[0])


def an_assertion(held, x):
    held['rows'].append([x, 1])
    assert x[0] != 7


def a_number_beside_it(held, x):
    held['rows'].append(x.sum())
    fail(x[0])


def a_view_and_a_copy(held, x):
    held['rows'] += [x[:1], x.copy()]
    fail(x[0])


def one_that_it_makes(held, x):
    y = x * 2
    held['rows'] += [y, y]
    held['k'] = y
    fail(x[0])
    y += 1


def one_of_numbers_alone(held, x):
    held['rows'].append(np.zeros(2))
    fail(x[0])


def one_that_it_modifies(held, x):
    held['k'] += 1
    x += 1
    held['rows'] += [x, held['k']]
    fail(x[0] - 1)


@pytest.mark.parametrize('f', [
    the_given_array, an_assertion, a_number_beside_it, a_view_and_a_copy, one_that_it_makes,
    one_of_numbers_alone, one_that_it_modifies,
], ids=lambda f: f.__name__)  # fmt: skip
def test_arrays_in_what_is_left_are_the_same_ones(f):
    seen = []
    for way in (f, ag.function(f)):
        seen.append([])
        for i in CALLS[:2]:
            held = {'rows': [np.zeros(2)], 'k': np.ones(2)}
            x = np.full(2, i)
            arrays = [x, held['rows'][0], held['k']]
            with contextlib.suppress(RuntimeError, AssertionError):
                way(held, x)
            arrays += arrays_in(held)
            arrays[-1][...] = 5
            seen[-1] += [[(a.tolist(), [a is b for b in arrays]) for a in arrays]]
    assert seen[0] == seen[1]


def arrays_in(x):
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    return [x] if isinstance(x, np.ndarray) else [a for part in parts for a in arrays_in(part)]


captured = np.zeros(3)


def test_a_captured_array():
    def f(x):
        captured[0] = x
        fail(x)
        captured[1] = x
        return x

    for way in (f, ag.function(f)):
        captured[:] = 0
        way(CALLS[0])
        with pytest.raises(RuntimeError):
            way(CALLS[1])
        assert captured.tolist() == [7, 1, 0]


def test_what_the_function_makes_itself_is_no_matter():
    def f(x):
        log = []
        try:
            fail(x)
        except RuntimeError:
            log.append('failed')
            raise
        return log

    check(f, *((x,) for x in CALLS))


def test_a_trace_that_was_pickled():
    trace = ag.function(before_a_raise).get_concrete_function(CALLS[0], [])
    for each in (trace, pickle.loads(pickle.dumps(trace))):
        log = []
        with pytest.raises(RuntimeError, match='seven'):
            each(CALLS[1], log)
        assert log == [7.0]


def test_a_trace_in_another_one_is_refused():
    trace = ag.function(before_a_raise).get_concrete_function(CALLS[0], [])

    def f(x, log):
        return trace(x, log)

    with pytest.raises(ag.errors.StagingError, match='Call the function itself'):
        ag.function(f)(CALLS[0], [])
    left(list, lambda _: lambda x, log: before_a_raise(x, log), CALLS, lambda log: log.clear())


def test_an_array_that_only_a_call_modifies_which_raises_is_one_of_its_own():
    @ag.function
    def f(a, b, x):
        if x == 7:
            a[0] = x
            raise RuntimeError
        return b.sum()

    a = np.zeros(3)
    with pytest.raises(ag.errors.OwnershipError, match='shares memory'):
        f(a, a, CALLS[0])
    a.flags.writeable = False
    with pytest.raises(ag.errors.OwnershipError, match='read-only'):
        f(a, np.ones(3), CALLS[0])


def test_an_operation_that_raises_after_a_handler_has_caught_what_was_noted():
    @ag.function
    def f(x, log):
        try:
            log.append('tried')
            fail(x)
        except RuntimeError:
            log.append('caught')
        return 10 // int(x - 7)

    log = []
    with pytest.raises(ZeroDivisionError):
        f(CALLS[1], log)
    assert log == []
