"""Rewrites change neither which exception comes first nor what NumPy says in it."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def an_index_before_an_inverse(xs, m):
    t = 0.0
    for i in range(200):
        t = t + xs[i]
        t = t + np.linalg.inv(m)[0, 0]
    return t


def an_inverse_before_an_index(xs, m):
    t = 0.0
    for i in range(200):
        t = t + np.linalg.inv(m)[0, 0]
        t = t + xs[i]
    return t


def caught(xs, m):
    t = 0.0
    try:
        for i in range(200):
            t = t + xs[i]
            t = t + np.linalg.inv(m)[0, 0]
    except IndexError:
        t = -1.0
    return t


@pytest.mark.parametrize('f', [an_index_before_an_inverse, an_inverse_before_an_index, caught])
def test_what_raises_first_raises_first(f):
    check(f, (np.ones(3), np.zeros((2, 2))), (np.ones(200), np.eye(2)), traces=2)


def test_what_raises_is_moved_past_what_does_not():
    def f(x, m):
        for i in range(200):
            x = np.tanh(x) * 0.5 + i
            x = x + np.linalg.inv(m)[0]
        return x

    concrete = ag.function(f).get_concrete_function(np.ones(2), np.eye(2))
    before, after = concrete.lowered_code.split('for ')
    assert 'inv' in before
    assert 'inv' not in after


def test_an_array_of_numbers_is_made_once():
    def f(x):
        for _ in range(200):
            x = x * np.array([1.0, 0.5]) + np.eye(2)[0]
        return x

    concrete = ag.function(f).get_concrete_function(np.ones(2))
    before, after = concrete.lowered_code.split('for ')
    assert 'array(' in before
    assert 'array(' not in after
    check(f, (np.ones(2),))


def text_of_a_quotient(x):
    try:
        with np.errstate(all='raise'):
            y = x / 0.5
    except FloatingPointError as error:
        return str(error)
    return str(y.size)


def text_of_an_underflow(x):
    try:
        with np.errstate(all='raise'):
            y = x / 4.0
    except FloatingPointError as error:
        return str(error)
    return str(y.size)


def text_of_sums(x):
    try:
        with np.errstate(all='raise'):
            y = np.sum(np.stack([x] * 40), axis=1)
    except FloatingPointError as error:
        return str(error)
    return str(y.size)


def text_of_products(x):
    try:
        with np.errstate(all='raise'):
            total = 0.0
            for _ in range(200):
                y = np.stack([x, x])
                total = np.sum(np.sqrt(-y)) + np.sum(y @ y)
            text = str(total)
    except FloatingPointError as error:
        text = str(error)
    return text


@pytest.mark.parametrize(
    'f', [text_of_a_quotient, text_of_an_underflow, text_of_sums, text_of_products]
)
def test_the_message_names_the_operation(f):
    check(f, (np.full(2, 1e308),), (np.full(2, 1e-308),), (np.zeros(2),))
