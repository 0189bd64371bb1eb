"""Long chains of elementwise operations on several threads give what NumPy gives."""
from __future__ import annotations

import os
import textwrap
import threading

import numpy as np
import pytest
from differential import same

import autograph_lite as ag
from autograph_lite.backends.blocks import in_blocks

LONG = 700_001


@pytest.fixture(autouse=True)
def _threads(monkeypatch):
    monkeypatch.setenv('AUTOGRAPH_LITE_THREADS', '2')


def chain(x, scale):
    y = np.tanh(x) * 0.5 + x * scale
    return np.sqrt(np.abs(y)) - y, y


def test_a_block_is_a_function_of_its_own():
    x, scale = np.linspace(-3, 3, LONG, dtype=np.float32), np.float32(0.25)
    graph = ag.function(chain)
    assert same(graph(x, scale), chain(x, scale))
    code = graph.get_concrete_function(x, scale).lowered_code
    assert code == textwrap.dedent("""
        def chain_block(x, scale, out, out_1):
            np.tanh(x, out=out)
            out *= 0.5
            np.multiply(x, scale, out=out_1)
            np.add(out, out_1, out=out)
            np.absolute(out, out=out_1)
            np.sqrt(out_1, out=out_1)
            np.subtract(out_1, out, out=out_1)

        def chain(x, scale):
            add, subtract = in_blocks(chain_block, x, scale, results=[np.float32] * 2)
            return subtract, add
        """).lstrip()


def test_what_a_helper_does_not_end_is_done_once_more():
    begun, free, caller = threading.Event(), threading.Event(), threading.current_thread()

    def block(x, out):
        if threading.current_thread() is caller:
            begun.wait(0.01)  # long enough for the first block to ask for help
        else:
            begun.set()
            free.wait()
        np.add(x, 1, out=out)

    x = np.arange(LONG)
    result = in_blocks(block, x, results=[x.dtype])
    assert same(result, x + 1)
    result[:] = 0
    free.set()
    # The helper takes no more blocks, and writes nowhere.
    in_blocks(lambda x, out: np.add(x, 1, out=out), x, results=[x.dtype])
    assert not result.any()


def test_nobody_helps_where_it_takes_no_time():
    threads = set()

    def block(x, out):
        threads.add(threading.current_thread())
        out[:1] = x[:1]

    x = np.arange(LONG, dtype=np.int8)
    in_blocks(block, x, results=[x.dtype])
    assert threads == {threading.current_thread()}


def test_where_eager_numpy_stays_in_the_cache_nothing_is_cut():
    def f(x):
        return x * 2 + x * x - 1

    x = np.ones(1_000_000, np.float32)
    assert 'in_blocks' not in ag.function(f).get_concrete_function(x).lowered_code
    x = x.astype(np.float64)
    assert 'in_blocks' in ag.function(f).get_concrete_function(x).lowered_code


@pytest.mark.parametrize('dtype', [np.float64, np.float32, np.int64, np.complex128])
def test_every_type(dtype):
    def f(x, y):
        z = x * y + x
        return z * z - y * 3

    x = (np.arange(LONG) % 1000).astype(dtype)
    assert same(ag.function(f)(x, x[::-1].copy()), f(x, x[::-1].copy()))


def test_several_axes_and_other_layouts():
    def f(x):
        return np.tanh(x) * 2 + x * x - 1

    for x in (np.ones((1000, 700)), np.ones((1000, 700)).T, np.ones((2000, 700))[::2]):
        got, expected = ag.function(f)(x), f(x)
        assert same(got, expected)
        assert got.strides == expected.strides


def test_what_numpy_warns_of_is_warned_of_once():
    def f(x):
        return np.log(x) * 2 + np.exp(x) - 1

    x = np.linspace(1, 2, LONG)
    x[[5, -5]] = -1
    graph = ag.function(f)
    with pytest.warns(RuntimeWarning, match='invalid value encountered in log') as caught:
        got = graph(x)
    assert len(caught) == 1
    with np.errstate(all='ignore'):
        assert same(got, f(x))


def test_a_chain_in_a_branch():
    def f(x, n):
        if n > 0:
            x = np.tanh(x) * 0.5 + x * 0.25
        return x

    x = np.linspace(1, 2, LONG)
    graph = ag.function(f)
    for n in (np.int64(1), np.int64(0)):
        assert same(graph(x, n), f(x, n))
    assert 'in_blocks' in graph.get_concrete_function(x, n).lowered_code


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='the platform does not fork')
@pytest.mark.filterwarnings('ignore::DeprecationWarning')
def test_after_a_fork():
    x, scale = np.linspace(-3, 3, LONG), np.float64(0.25)
    graph = ag.function(chain)
    expected = graph(x, scale)
    child = os.fork()
    if not child:
        os._exit(0 if same(graph(x, scale), expected) else 1)
    assert os.waitpid(child, 0)[1] == 0
