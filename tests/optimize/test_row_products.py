"""Products of rows with a matrix are made before the loop, if the loop takes every row."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

RNG = np.random.default_rng(0)
ARGS = RNG.normal(size=(120, 4, 5)), RNG.normal(size=(5, 6)), RNG.normal(size=(4, 6))


def rows(x, w, h):
    for row in x:
        h = np.tanh(row @ w + h)
    return h


def counted(x, w, h):
    for i in range(120):
        h = np.tanh(x[i] @ w + h)
    return h


def in_a_loop(x, w, h):
    for _ in range(50):
        for row in x:
            h = h * 0.5 + row @ w
    return h


def read_twice(x, w, h):
    for row in x:
        h = np.tanh(row @ w + h) * row[0, 0]
    return h


def every_second(x, w, h):
    for i in range(0, 120, 2):
        h = np.tanh(x[i] @ w + h)
    return h


def until_it_is_large(x, w, h):
    for row in x:
        if np.max(h) > 3:
            break
        h = row @ w + h
    return h


def changing(x, w, h):
    x = x.copy()
    for i in range(120):
        h = np.tanh(x[i] @ w + h)
        x[119 - i] = 0.0
    return h


MOVED = [rows, counted, in_a_loop]
LEFT = [read_twice, every_second, until_it_is_large, changing]


@pytest.mark.parametrize('function', [*MOVED, *LEFT])
def test_the_rows(function):
    code = ag.function(function).get_concrete_function(*ARGS).lowered_code
    assert ('x @ w' in code) == (function in MOVED)
    check(function, ARGS, tuple(np.asfortranarray(a) for a in ARGS))
    check(function, (ARGS[0][:0], *ARGS[1:]), (ARGS[0][:, :, ::-1], *ARGS[1:]), traces=2)
