"""What Python does while tracing, and nothing tells of, is done at every call: it writes a file."""
from __future__ import annotations

import array
import contextvars
import csv
import datetime
import decimal
import gc
import hashlib
import io
import itertools
import json
import os
import pathlib
import pickle
import queue
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest.mock
import warnings

import numpy as np
import pytest
from differential import outcome, same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
CASES: list = []
OPEN: list = []
LEVEL: contextvars.ContextVar = contextvars.ContextVar('LEVEL', default=0)


def case(make):
    """What makes a function, what tells the state outside, and what changes that between calls."""
    CASES.append(make)
    return make


@case
def a_text_in_memory():
    out = io.StringIO()

    def f(x):
        out.write('called\n')
        return x * len(out.getvalue())

    return f, out.getvalue


@case
def bytes_in_memory():
    out = io.BytesIO()

    def f(x):
        pickle.dump(1, out)
        return x

    return f, out.getvalue


@case
def a_file_of_an_object():
    class Log:
        def __init__(self):
            self.file = io.StringIO()

    log = Log()

    def f(x):
        write = log.file.write
        write('a')
        json.dump([1], log.file)
        return x

    return f, log.file.getvalue


@case
def a_file_that_is_opened():
    path = pathlib.Path(tempfile.mkdtemp()) / 'log'
    path.write_text('')

    def f(x):
        with open(path, 'a') as file:
            file.write('a')
        path.with_suffix('.b').write_text('b')
        return x * len(path.read_text())

    return f, path.read_text, lambda: path.write_text('longer')


@case
def whether_a_file_is_there():
    path = tempfile.mktemp()

    def f(x):
        return x * 2 if os.path.exists(path) else x

    return f, lambda: None, lambda: pathlib.Path(path).write_text('')


@case
def rows_of_a_table():
    out = io.StringIO()
    writer = csv.writer(out)

    def f(x):
        writer.writerow([1, 2])
        return x

    return f, out.getvalue


@case
def an_array_of_python():
    numbers = array.array('d')

    def f(x):
        numbers.append(1.0)
        numbers.extend([2.0])
        numbers.reverse()
        return x * numbers[0]

    return f, numbers.tolist


@case
def a_queue():
    waiting = queue.SimpleQueue()

    def f(x):
        waiting.put(1)
        return x * waiting.qsize()

    return f, waiting.qsize


@case
def a_lock():
    lock = threading.RLock()

    def f(x):
        lock.acquire()
        return x

    return f, lambda: repr(lock).split('count=')[1].split()[0]


@case
def an_event_that_others_set():
    event = threading.Event()

    def f(x):
        return x * 2 if event.is_set() else x

    return f, lambda: None, event.set


@case
def a_digest():
    digest = hashlib.sha256()

    def f(x):
        digest.update(b'a')
        return x

    return f, digest.hexdigest


@case
def a_database():
    database = sqlite3.connect(':memory:')
    OPEN.append(database)
    database.execute('create table t (n)')

    def f(x):
        database.execute('insert into t values (1)')
        return x

    return f, lambda: database.execute('select count(*) from t').fetchone()


@case
def a_context_variable():
    def f(x):
        LEVEL.set(LEVEL.get() + 1)
        return x * LEVEL.get()

    return f, LEVEL.get


@case
def a_context_variable_that_is_set_back():
    def f(x):
        token = LEVEL.set(x.sum())
        y = x * LEVEL.get()
        LEVEL.reset(token)
        return y

    return f, LEVEL.get


@case
def how_arrays_are_printed():
    def f(x):
        np.set_printoptions(precision=3)
        return x

    return f, lambda: np.get_printoptions()['precision'], lambda: np.set_printoptions(precision=8)


@case
def what_decimals_are_like():
    def f(x):
        decimal.getcontext().prec = 5
        return x

    return f, lambda: decimal.getcontext().prec, lambda: decimal.setcontext(decimal.Context(9))


@case
def the_process():
    limit = sys.getrecursionlimit()

    def f(x):
        sys.setrecursionlimit(limit + 7)
        warnings.simplefilter('ignore')
        gc.enable()
        subprocess.run(['true'], check=True)
        return x

    def others():
        sys.setrecursionlimit(limit)
        warnings.simplefilter('default')
        gc.disable()

    def state():
        return sys.getrecursionlimit() - limit, warnings.filters[0][0], gc.isenabled()

    return f, state, others


@case
def what_a_generator_writes():
    out = io.StringIO()

    def numbers():
        for i in range(3):
            out.write(str(i))
            yield i

    def f(x):
        return x * sum(numbers())

    return f, out.getvalue


@case
def what_is_called_as_it_is():
    out = io.StringIO()

    @ag.do_not_convert
    def note():
        out.write('a')

    def f(x):
        note()
        return x

    return f, out.getvalue


@case
def iterators():
    numbers, rest, names = itertools.count(2), iter(range(2, 99)), itertools.cycle('abc')

    def f(x):
        total = x * next(numbers)
        for number in rest:
            total = total + number
            if number % 3 == 0:
                break
        return total, next(names), list(itertools.islice(rest, 2)), numbers.__next__()

    return f, lambda: (repr(numbers), rest.__length_hint__())


@case
def an_iterator_that_is_asked_by_code_which_is_called_as_it_is():
    numbers = iter(range(9))

    @ag.do_not_convert
    def following():
        return next(numbers)

    return lambda x: x * following(), numbers.__length_hint__


@case
def what_is_done_before_the_trace_begins_anew():
    out, numbers, rows = io.StringIO(), iter(range(1, 9)), [1.0]
    path = pathlib.Path(tempfile.mkdtemp()) / 'log'

    def f(x):
        with open(path, 'a') as file:
            file.write('a')
        out.write('b')
        y = x * rows[-1] * next(numbers)
        rows.append(x.sum())
        return y

    return f, lambda: (path.read_text(), out.getvalue(), list(rows))


@pytest.fixture(autouse=True)
def _as_it_was():
    precision, limit = np.get_printoptions()['precision'], sys.getrecursionlimit()
    digits = decimal.getcontext().prec
    with warnings.catch_warnings():
        yield
    np.set_printoptions(precision=precision)
    sys.setrecursionlimit(limit)
    decimal.getcontext().prec = digits
    gc.enable()
    while OPEN:
        OPEN.pop().close()


def calls(make, run):
    LEVEL.set(0)
    f, state, *others = make()
    graph, left = run(f), []
    for x in (XS, -XS, XS * 2):
        left.append((outcome(graph, (x,)), state()))
        for change in others:
            change()
    return left


@pytest.mark.parametrize('make', CASES, ids=lambda make: make.__name__)
def test_it_is_done_at_every_call(make):
    assert same(calls(make, lambda f: f), calls(make, ag.function))


@pytest.mark.parametrize('clock', [
    time.time, time.perf_counter_ns, datetime.datetime.now, lambda: os.urandom(8).hex()])
def test_each_call_asks_anew(clock):
    @ag.function
    def f(x):
        return x, clock()

    assert len({f(np.float64(1))[1] for _ in range(3)}) == 3


def test_the_report_names_it():
    out = io.StringIO()

    @ag.function
    def f(x):
        out.write('a')
        return x

    f(XS)
    f(XS)
    assert f.trace_report() == (
        'f: 2 traces\n'
        '  1 to 2. Python called `write` of a StringIO, which only tracing does')


def test_what_only_looks_at_what_it_is_given_is_traced_once():
    @ag.function
    def f(x):
        text = os.path.join('a', time.strftime('%Y', time.gmtime(0)))
        out = io.StringIO()
        out.write(text)
        return x * len(out.getvalue()) * next(itertools.count(2))

    assert [f(np.float64(n)) for n in range(3)] == [0.0, 12.0, 24.0]
    assert f.tracing_count == 1


def test_what_only_the_graph_knows_goes_there_by_py_function():
    waiting = queue.SimpleQueue()

    @ag.function
    def leaks(x):
        waiting.put(x.sum())

    with pytest.raises(ag.errors.StagingError, match='`put` of a SimpleQueue') as e:
        leaks(XS)
    assert 'Write `ag.py_function(g, [x], None)`' in str(e.value)
    assert waiting.empty()

    @ag.function
    def as_told(x):
        ag.py_function(lambda total: waiting.put(total), [x.sum()], None)

    as_told(XS)
    as_told(XS)
    assert [waiting.get(), waiting.get()] == [2.0, 2.0]


@pytest.mark.parametrize('through', [
    itertools.cycle, lambda rows: itertools.repeat(rows[0]), lambda rows: (each for each in rows)])
def test_a_list_that_an_iterator_outside_gives_is_not_changed_in_a_branch(through):
    rows = [0.0]
    given = through([rows])

    @ag.function
    def f(x):
        taken = next(given)
        if x > 1:
            taken.append(x)
        return len(taken)

    with pytest.raises(ag.errors.OwnershipError, match='modifies a list that lives outside'):
        f(np.float64(2))
    assert rows == [0.0]


def test_a_list_that_an_iterator_outside_gives_is_changed_at_every_call():
    rows = [0.0]
    given = itertools.cycle([rows])

    @ag.function
    def f(x):
        taken = next(given)
        taken.append(x)
        return len(taken)

    assert [f(np.float64(n)) for n in range(3)] == [2, 3, 4]
    assert rows == [0.0, 0.0, 1.0, 2.0]


@pytest.mark.parametrize('is_outside', [True, False])
def test_in_a_block_it_is_refused(is_outside):
    outer = io.StringIO()

    @ag.function
    def f(x):
        out = outer if is_outside else io.StringIO()
        if x > 0:
            out.write('positive')
        return x, out.getvalue()

    with pytest.raises(ag.errors.OwnershipError, match=r'(?s)`write` of a StringIO.*in f\n.*write'):
        f(np.float64(1))
    assert outer.getvalue() == ''

    @ag.function
    def as_told(x):
        if x > 0:
            ag.py_function(lambda: outer.write('positive'), [], None)
        return x

    for n in (1, -1, 2):
        as_told(np.float64(n))
    assert outer.getvalue() == 'positive' * 2


def test_a_local_array_of_python_is_not_changed_in_a_block():
    @ag.function
    def f(x):
        numbers = array.array('d')
        if x > 0:
            numbers.append(1.0)
        return len(numbers)

    with pytest.raises(ag.errors.OwnershipError, match='an array'):
        f(np.float64(-1))


def test_no_context_variable_is_left_with_a_tensor_or_set_in_a_block():
    @ag.function
    def leaves(x):
        LEVEL.set(x.sum())

    @ag.function
    def perhaps(x):
        if x > 0:
            LEVEL.set(1)
        return x

    LEVEL.set(0)
    with pytest.raises(ag.errors.OwnershipError, match=r"'LEVEL' becomes a tensor(?s:.*)in leaves"):
        leaves(XS)
    with pytest.raises(ag.errors.OwnershipError, match=r"sets the context variable 'LEVEL'"):
        perhaps(np.float64(-1))
    assert LEVEL.get() == 0


@pytest.mark.parametrize('make', [threading.Lock, threading.Condition, threading.Semaphore])
def test_a_lock_is_to_be_taken_around_the_call(make):
    lock = make()

    @ag.function
    def f(x):
        with lock:
            return x

    with pytest.raises(ag.errors.StagingError, match=r'(?s)while tracing.*`with lock: f\(x\)`'):
        f(XS)


def test_numpys_own_error_state_is_that_of_the_call():
    @ag.function
    def f(x):
        np.seterr(all='ignore')
        return x

    with pytest.raises(ag.errors.StagingError, match=r'with np.errstate'):
        f(XS)


def test_what_is_taken_in_another_way_is_not_taken_twice():
    numbers, rows = iter(range(9)), [1.0]

    @ag.function
    def f(x):
        y = x * rows[-1] * sum(itertools.islice(numbers, 2))
        rows.append(x.sum())
        return y

    with pytest.raises(ag.errors.OwnershipError, match='outside cannot be put back'):
        f(XS)


def test_an_iterator_is_not_taken_from_by_a_loop_that_may_be_staged():
    numbers = iter(range(99))

    @ag.function
    def f(x):
        for _ in range(40):
            x = x + next(numbers)
        return x

    assert f(np.float64(0)) == sum(range(40))
    assert next(numbers) == 40


WEIGHTS = np.zeros(3)
fill, total = WEIGHTS.fill, WEIGHTS.sum


def test_a_method_of_an_array_that_has_a_name_of_its_own():
    @ag.function
    def read(x):
        return x * total()

    @ag.function
    def filled(x):
        fill(3.0)
        return x

    for n in (1.0, 2.0):
        WEIGHTS[:] = n
        assert read(np.float64(2)) == n * 6
    assert read.tracing_count == 1
    with pytest.raises(ag.errors.OwnershipError, match=r'by the name of the array: `w.fill'):
        filled(XS)

    @ag.function
    def as_told(x):
        WEIGHTS.fill(x[0])
        return x

    as_told(XS)
    as_told(-XS)
    assert same(WEIGHTS, np.full(3, -1.0))


GONE = 1


def test_a_global_variable_is_deleted_at_every_call():
    @ag.function
    def f(x):
        global GONE
        del GONE
        return x

    for _ in range(3):
        globals()['GONE'] = 1
        f(XS)
        assert 'GONE' not in globals()


def test_no_tensor_is_left_with_what_a_library_keeps_or_hands_to_a_thread():
    mock, seen = unittest.mock.Mock(), []

    @ag.function
    def kept(x):
        mock(x.sum())

    @ag.function
    def handed(x):
        thread = threading.Thread(target=seen.append, args=(x.sum(),))
        thread.start()
        thread.join()

    with pytest.raises(ag.errors.OwnershipError, match='becomes a tensor in a Mock'):
        kept(XS)
    with pytest.raises(ag.errors.StagingError, match='`start` of a Thread'):
        handed(XS)
    assert (mock.call_args_list, seen) == ([], [])
