"""Several returns: in branches, in `with`, in `try`."""
# ruff: noqa: B012 - what becomes of such code is what they are about
from __future__ import annotations

import contextlib

import numpy as np
import pytest
from reference.sweep import FLOATS, NUMBERS, TRUTHS, each, sweep

import autograph_lite as ag


def with_a_default(x):
    if x > 0:
        return x
    return x * x


def of_a_local(c):
    t = np.int64(1)
    if c:
        return t
    t = np.stack([t, t])
    return np.sum(t)


def perhaps_nothing(x):
    if x > 0:
        if x < 5:
            return x
    else:
        return x * x * x


def on_every_way(x):
    if x > 0:
        if x < 5:
            return x
        else:
            return x * x
    else:
        return x * x * x


def before_a_loop(x):
    if x > 0:
        if x > 3:
            return x
    total = x * 0
    for i in range(3):
        total += i
    return total


def with_contexts(x):
    with contextlib.nullcontext():
        if x > 0:
            if x < 5:
                with contextlib.nullcontext():
                    return x
            else:
                return x * x
        else:
            return x * x * x


def unreachable(x):
    with contextlib.nullcontext():
        if x > 0:
            return x
        else:
            return -x
    return x * 100


def default_in_a_context(x):
    with contextlib.nullcontext():
        if x > 0:
            return 1
        return 0


def in_try(x):
    try:
        if x > 0:
            return x * 2
        else:
            return x
    finally:
        x = x + 1


def default_in_try(x):
    try:
        if x > 0:
            return 1
        return 0
    finally:
        x = x + 1


def in_finally(x):
    try:
        return 2
    finally:
        if x > 0:
            return 1
        else:
            return 0


def default_in_finally(x):
    try:
        return 2
    finally:
        if x > 0:
            return 1
        return 0


def default_in_try_lost(x):
    try:
        if x > 0:
            return 0
        x = x + 1
    finally:
        return x


def value_in_try_lost(x):
    y = x
    try:
        if x > 0:
            return (y := y * 2)
        y = y - 1
    finally:
        if x > 1:
            return x + y
        return y


def order_of_finally(x):
    notes = []
    try:
        notes.append(1)
        if x > 0:
            return notes, 'early'
        notes.append(2)
    finally:
        notes.append(3)
    return notes, 'late'


def in_with_and_loop(x):
    with contextlib.nullcontext(3) as n:
        for i in range(n):
            if x > i:
                return x - i
    return n


def fails():
    raise ValueError('told')


def caught(x):
    try:
        return fails()
    except ValueError:
        pass
    return 1


def caught_in_a_branch(x):
    if x > 2:
        return 2
    try:
        return fails()
    except ValueError:
        pass
    return 1


def bare(x):
    if x > 0:
        return
    x = x + 1
    return


def numbers_of_both_kinds(x):
    if x > 2:
        return 1
    if x > 0:
        return 2
    return 3


def tuples(x):
    if x > 2:
        return x, 1
    return 2, x


def dicts(x):
    if x > 2:
        return {'a': x, 'b': [1, x]}
    return {'a': x * 2, 'b': [2, x]}


def nested_functions(x):
    def inner(y):
        if y > 2:
            return y * 10
        return y

    if x > 0:
        return inner(x) + inner(x + 1)
    return inner(-x)


@pytest.mark.parametrize(
    'f',
    [
        with_a_default, perhaps_nothing, on_every_way, before_a_loop, with_contexts, unreachable,
        default_in_a_context, in_try, default_in_try, in_finally, default_in_finally,
        default_in_try_lost, value_in_try_lost, in_with_and_loop, caught, caught_in_a_branch, bare,
        numbers_of_both_kinds, tuples, dicts, nested_functions,
    ],
)  # fmt: skip
@pytest.mark.filterwarnings('ignore:.*finally.*:SyntaxWarning')
def test_numbers(f):
    sweep(f, each((*NUMBERS, *FLOATS), [-2, 0, 1, 3, 6]), joins=True)


def refused_before_a_finally_that_returns(x):
    try:
        x = {x: 1, 3: 5}[3]
    finally:
        return x


def refused_in_a_finally(x):
    for _ in range(3):
        try:
            x = x + 1
        finally:
            if x > 2:
                break
    return x


@pytest.mark.filterwarnings('ignore:.*finally.*:SyntaxWarning')
@pytest.mark.parametrize(
    'f', [refused_before_a_finally_that_returns, refused_in_a_finally]
)
def test_a_jump_in_finally_ends_no_refusal(f):
    sweep(f, [0, 9])
    with pytest.raises(ag.errors.StagingError):
        ag.function(f)(np.int64(0))


def test_truths():
    sweep(of_a_local, each(TRUTHS, [True, False]))


def test_order():
    sweep(order_of_finally, [1, 0])
