"""Memory that is kept from turn to turn and from call to call is nobody else's."""
from __future__ import annotations

import gc
import importlib
import textwrap
import threading
import weakref

import numpy as np
import pytest
from differential import check
from optimize.troublesome import values

import autograph_lite as ag
from autograph_lite.graph.types import array_type
from autograph_lite.ops import scratch as module
from autograph_lite.ops.scratch import Scratch

# The function has the same name.
rewrite = importlib.import_module('autograph_lite.optimize.scratch')

X = np.random.default_rng(0).normal(size=(80, 60))
TURNS = np.int64(3)


@pytest.fixture(autouse=True)
def _small_arrays_count(monkeypatch):
    monkeypatch.setattr(rewrite, '_LEAST_BYTES', 1 << 15)


def smoothed(x, n):
    total = np.zeros_like(x)
    for _ in range(n):
        step = x * total - total**2
        total = total + np.tanh(step)
    return total


def program(f, *args):
    return check(f, args).get_concrete_function(*args).lowered_code


def test_what_a_turn_makes_and_drops_is_written_to_kept_memory():
    expected = """
        def smoothed(x, n):
            if not x.flags.c_contiguous:
                raise UnorderedError
            total = np.zeros_like(x)
            step, power = scratch.take()
            for _ in range(n):
                np.multiply(x, total, out=step)
                np.square(total, out=power)
                step -= power
                np.tanh(step, out=step)
                total += step
            scratch.give(step, power)
            return total
        """
    assert program(smoothed, X, TURNS) == textwrap.dedent(expected).lstrip()


def test_results_of_earlier_calls_stay_as_they_are():
    f = ag.function(smoothed)
    arguments = [(X * k, np.int64(k)) for k in range(5)]
    results = [f(*args) for args in arguments]
    for args, result in zip(arguments, results, strict=True):
        np.testing.assert_array_equal(result, smoothed(*args))


@pytest.mark.parametrize('x', [X, X.T, X[::-1, ::2], np.full_like(X, np.nan), X[:0]])
def test_arrays_of_any_layout(x):
    check(smoothed, (x, TURNS))


@pytest.mark.parametrize('dtype', ['f4', 'f8', 'F', 'D', 'i2', 'i8'])
@pytest.mark.filterwarnings('ignore')
def test_every_bit_is_kept(dtype):
    def f(x, n):
        total = x + x
        for _ in range(n):
            y = x**2
            z = x**3
            total = np.where(x == 3, total - y, total) + z + 2**y
        return total

    check(f, (np.resize(values(dtype).ravel(), 5000), TURNS))


def test_what_somebody_has_after_the_turn_is_not_kept():
    def last(x, n):
        y, ys = x, []
        for i in range(n):
            y = x * i
            ys.append(x + i)
        return y, ys

    def row(x, n):
        first = x[0]
        for i in range(n):
            z = x * i
            first = z[1]
        return first

    for f in (last, row):
        assert 'scratch' not in program(f, X, TURNS)


def test_what_python_functions_get_is_not_kept():
    kept = []

    @ag.function
    def f(x, n):
        total = np.zeros_like(x)
        for i in range(n):
            y = x * i
            ag.py_function(lambda a: kept.append(a), [y])
            total = total + y
        return total

    f(X, TURNS)
    for i, array_ in enumerate(kept):
        np.testing.assert_array_equal(array_, X * i)


def test_a_call_inside_of_a_call_has_memory_of_its_own():
    @ag.function
    def f(x, n):
        total = np.zeros_like(x)
        for i in range(n):
            y = x * i
            total = total + y * deeper(n - 1) + y
        return total

    def deeper(n):
        return ag.py_function(inside, [n], np.float64)

    def inside(n):
        return np.sum(f(X, n)) if n > 0 else np.float64(1)

    def plain(n):
        total = np.zeros_like(X)
        for i in range(n):
            y = X * i
            total = total + y * (np.sum(plain(n - 1)) if n > 1 else np.float64(1)) + y
        return total

    assert 'scratch' in f.get_concrete_function(X, TURNS).lowered_code
    np.testing.assert_array_equal(f(X, TURNS), plain(3))


def test_threads_have_memory_of_their_own():
    f = ag.function(smoothed)
    f(X, TURNS)
    wrong = []

    def run(k):
        expected = smoothed(X * k, TURNS)
        for _ in range(20):
            if not np.array_equal(f(X * k, TURNS), expected):
                wrong.append(k)

    threads = [threading.Thread(target=run, args=[k]) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_loop_that_raises_loses_its_memory_only():
    @ag.function
    def f(x, n, limit):
        total = np.zeros_like(x)
        for i in range(n):
            y = x * i
            total = total + y
            if i == limit:
                raise ValueError('too far')
        return total

    with pytest.raises(ValueError, match='too far'):
        f(X, TURNS, np.int64(1))
    np.testing.assert_array_equal(f(X, TURNS, np.int64(9)), X + 2 * X)


def test_memory_goes_with_the_program():
    scratch = Scratch([array_type(np.float64, (1000,))])
    memory = scratch.take()
    gone = weakref.ref(memory)
    scratch.give(memory)
    del memory, scratch
    gc.collect()
    assert gone() is None


def test_arrays_begin_where_lines_of_the_cache_do():
    types = [array_type(np.float32, (7, 31)), array_type(np.bool_, (1025,))]
    for array, type_ in zip(Scratch(types).take(), types, strict=True):
        assert (array.shape, array.dtype) == (type_.shape, type_.dtype)
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous
        assert array.flags.aligned


def test_no_more_is_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(module, '_MOST_BYTES', 20_000)
    monkeypatch.setattr(module, '_kept', weakref.WeakKeyDictionary())
    first, second, third = (Scratch([array_type(np.float64, (1000,))]) for _ in range(3))
    memories = [scratch.take() for scratch in (first, second, third)]
    for scratch, memory in zip((first, second, third), memories, strict=True):
        scratch.give(memory)
    assert first.take() is not memories[0]
    assert second.take() is memories[1]
    assert third.take() is memories[2]
