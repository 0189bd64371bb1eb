"""Memory is reused where nothing can tell, and only there."""
from __future__ import annotations

import importlib
import random
import textwrap

import numpy as np
import pytest
from defining import define
from differential import check, outcome, same

import autograph_lite as ag

# The function has the same name.
module = importlib.import_module('autograph_lite.optimize.buffer_reuse')

TURNS = np.int64(3)
X = np.random.default_rng(0).normal(size=(16, 20))


def program(f, *args):
    return check(f, args).get_concrete_function(*args).lowered_code


def expect(code, f, *args):
    assert program(f, *args) == textwrap.dedent(code).lstrip()


def test_a_value_that_is_read_no_more():
    def f(x, w):
        h = np.maximum(x @ w + 1, 0)
        y = np.exp(-h)
        return y / np.sum(y)

    expect("""
        def f(x, w):
            h = x @ w
            h += 1
            np.maximum(h, 0, out=h)
            y = np.negative(h, out=h)
            np.exp(y, out=y)
            y /= np.add.reduce(y, axis=None)
            return y
        """, f, X, X.T.copy())  # fmt: skip


def test_the_state_of_a_loop():
    def f(x, n):
        z = np.zeros_like(x)
        for _ in range(n):
            inside = z < 4
            z = np.where(inside, z * z + x, z)
        return z

    expect("""
        _4 = np.array(4.0)

        def f(x, n):
            if not x.flags.c_contiguous:
                raise UnorderedError
            z = np.zeros_like(x)
            for _ in range(n):
                multiply = z * z
                multiply += x
                np.putmask(z, z < _4, multiply)
            return z
        """, f, X, TURNS)  # fmt: skip


def test_a_choice_with_another_name():
    def f(x, n):
        a = np.sin(x)
        for _ in range(n):
            c = np.cos(x)
            a = np.where(x > 0, a, c)
            c = np.where(x > 0.5, x, c)
            a = a + c
        return a

    check(f, (X, TURNS))


def test_operands_keep_their_order():
    def f(x, w):
        y = x @ w
        return x[:, :16] - y / 2, x[:, :16] + np.sin(y), 2 * np.cos(y)

    code = program(f, X, X.T.copy())
    assert 'np.subtract(x[:, :16], ' not in code  # how x lies is not known
    assert '*= 2' in code


KEPT = [
    # An argument, a captured array, or what is returned.
    lambda x: (np.sin(x), np.cos(x)),
    lambda x: (x + CAPTURED, CAPTURED * 2),
    lambda x: (lambda y: (y, np.sin(y)))(x * 2),
    # Another name, or a view that is read later.
    lambda x: (lambda y: (np.sin(y), y[0]))(x * 2),
    lambda x: (lambda y, z: (np.sin(y), np.cos(z)))(x * 2, x.T * 2),
    lambda x: (lambda y: (lambda z: (np.sin(y), np.sum(z)))(y[::2]))(x * 2),
    lambda x: (lambda y: (lambda z: np.sin(y) + z[0])(y[::-1]))(x * 2),
    # The same memory read and written at once.
    lambda x: (lambda y: y * y)(x * 2),
    lambda x: (lambda y: y - y[::-1])(x * 2),
    lambda x: (lambda y: np.where(y[:, ::-1] > 0, y[::-1], y))(x * 2),
    lambda x: (lambda y: np.where(y[:, ::-1], y[::-1], y))(x > 0),
    lambda x: (lambda y: np.where(y > 0, y, y))(x * 2),
    lambda x: (lambda y: np.where(y, 0.5, x * 2))(x > 0),
    lambda x: (lambda y: np.where(y, x, y))(x > 0),
]
CAPTURED = np.ones((16, 20))


@pytest.mark.parametrize('f', KEPT)
@pytest.mark.parametrize('x', [X, np.asfortranarray(X), X[::-1], np.broadcast_to(X[0], X.shape)])
def test_what_somebody_reads_stays(f, x):
    for call in (x, x.copy()):
        check(f, (call,))
    before = x.copy()
    ag.function(f)(x)
    assert same(np.array(x), np.array(before))


def test_results_lie_as_they_would():
    def f(x, y):
        z = np.sin(x) + y
        return z, np.sum(z)

    orders = [X, np.asfortranarray(X), X[:, ::-1], np.broadcast_to(X[0], X.shape)]
    graph = ag.function(f)
    for x in orders:
        for y in orders:
            got, expected = graph(x, y), f(x, y)
            assert same(got, expected)
            assert got[0].strides == expected[0].strides


def test_swapped_state_and_state_that_starts_as_one():
    def swapped(x, n):
        a, b = np.sin(x), np.cos(x)
        for _ in range(n):
            a, b = b, a * 2 + b
        return a, b

    def shared(x, n):
        a = b = np.sin(x)
        for _ in range(n):
            a = a * 2
            b = b + a
        return a, b

    def kept(x, n):
        a = np.sin(x)
        b = a
        for _ in range(n):
            b = b * 2
        return a, b

    def previous(x, n):
        a, before = np.sin(x), np.zeros_like(x)
        for _ in range(n):
            before, a = a, a * 2
        return a, before

    for f in (swapped, shared, kept, previous):
        for turns in (np.int64(0), TURNS):
            check(f, (X, turns))


def generated(seed):
    """The text of a random function over two arrays."""
    choose = random.Random(seed)
    names = ['x', 'y', 'a', 'b', 'c']

    def name():
        return choose.choice(names)

    def expression():
        return choose.choice([
            f'{name()} + {name()}', f'{name()} * 0.5 - {name()}', f'np.sin({name()})',
            f'np.maximum({name()}, {name()})', f'np.where({name()} > 0, {name()}, {name()})',
            f'np.tanh({name()} * {name()} + {name()})', f'1 - np.abs({name()})',
            f'{name()}[::-1] + {name()}', f'{name()}.copy()', f'np.roll({name()}, 1, axis=0)',
            f'{name()} - np.mean({name()}, axis=1, keepdims=True)', f'{name()}',
            f'np.where({name()} > np.sum({name()}), {name()} * 2, {name()})',
        ])  # fmt: skip

    def block(depth, indent):
        lines = []
        for _ in range(choose.randint(1, 4)):
            kind = choose.random()
            if kind < 0.7 or depth > 2:
                lines.append(f'{indent}{choose.choice("abc")} = {expression()}')
            elif kind < 0.85:
                lines += [f'{indent}for _ in range(n):', *block(depth + 1, indent + '    ')]
            else:
                lines += [f'{indent}if np.sum({name()}) > 0:', *block(depth + 1, indent + '    ')]
        return lines

    head = ['def f(x, y, n):', '    a = x * 2', '    b = np.sin(y)', '    c = a']
    tail = ['    return a, b, c, a[0], np.sum(b), np.sum(c, axis=0)']
    return '\n'.join([*head, *block(0, '    '), *tail]) + '\n'


@pytest.mark.parametrize('least', [0, 1024])
def test_random_functions(least, monkeypatch):
    monkeypatch.setattr(module, '_LEAST_BYTES', least)
    rng = np.random.default_rng(1)
    changed = 0
    for seed in range(100):
        text = generated(seed)
        f = define(text)
        graph = ag.function(f)
        for shape in ((16, 20), (4, 3)):
            x, y = rng.normal(size=shape), rng.normal(size=shape)
            calls = (x, y, TURNS), (x[::-1], y, np.int64(0)), (x, np.asfortranarray(y), TURNS)
            for args in calls:
                with np.errstate(all='ignore'):
                    expected, got = outcome(f, args), outcome(graph, args)
                assert same(got, expected), text
            changed += 'out=' in graph.get_concrete_function(x, y, TURNS).lowered_code
    assert changed > 20
