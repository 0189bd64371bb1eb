"""Random numbers that code draws which Python runs as it is while a function is traced."""
from __future__ import annotations

import contextlib

import numpy as np
import pytest

import autograph_lite as ag


class Model:
    def __init__(self):
        self.rng = np.random.default_rng(5)

    def noise(self):
        yield self.rng.normal()
        yield self.rng.normal()


MODEL = Model()


@contextlib.contextmanager
def seeded(seed):
    yield np.random.default_rng(seed)


@contextlib.contextmanager
def for_a_while(seed):
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)


@ag.do_not_convert
def generator(seed):
    return np.random.default_rng(seed)


@ag.do_not_convert
def seed_all(seed):
    np.random.seed(seed)


@ag.do_not_convert
def drawn(rng):
    return rng.normal()


def draws(rng, n):
    for _ in range(n):
        yield rng.normal()


def draws_of_all(n):
    for _ in range(n):
        yield np.random.normal()


def made_by_a_manager(rng, x):
    with seeded(3) as own:
        return own.normal() * x


def made_by_a_helper(rng, x):
    return generator(3).normal() * x


def seeded_by_a_helper(rng, x):
    seed_all(3)
    return np.random.rand() * x


def a_generator(rng, x):
    return sum(draws(rng, 2)) * x


def before_the_function_draws(rng, x):
    total = 0.0
    for y in draws(rng, 2):
        total += y * x
    return total + rng.uniform()


def of_an_attribute(rng, x):
    total = 0.0
    for y in MODEL.noise():
        total += y * x
    return total


def a_helper(rng, x):
    return drawn(rng) * x


def numbers_of_all(rng, x):
    return sum(draws_of_all(2)) * x


@pytest.mark.parametrize('f', [
    made_by_a_manager, made_by_a_helper, seeded_by_a_helper, a_generator,
    before_the_function_draws, of_an_attribute, a_helper, numbers_of_all], ids=lambda f: f.__name__)
def test_each_call_draws_anew(f):
    assert _drawn_by(f) == _drawn_by(ag.function(f))


def _drawn_by(run):
    global MODEL
    MODEL = Model()
    np.random.seed(0)
    rng, x = np.random.default_rng(7), np.float64(2.0)
    return [float(run(rng, x)) for _ in range(3)] + [rng.random(), np.random.rand()]


def in_turns(rng, x):
    total = 0.0
    for y in draws(rng, 2):
        total += y * x + rng.uniform()
    return total


def after_a_seed(rng, x):
    np.random.seed(4)
    return sum(draws_of_all(2)) * x


def seeded_for_a_while(rng, x):
    with for_a_while(3):
        y = np.random.normal()
    return y * x


def in_a_branch(rng, x):
    y = drawn(rng) if x > 0 else 0.0
    return x * y


@pytest.mark.parametrize('f', [
    in_turns, after_a_seed, seeded_for_a_while, in_a_branch], ids=lambda f: f.__name__)
def test_where_the_graph_draws_too_it_is_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match='is drawn from, or seeded') as refused:
        ag.function(f)(np.random.default_rng(7), np.float64(2.0))
    assert __file__ in str(refused.value)


def test_a_function_that_draws_itself_is_traced_once():
    f = ag.function(lambda rng, x: rng.normal() * x + np.random.rand())
    rng, x = np.random.default_rng(7), np.float64(2.0)
    assert len({float(f(rng, x)) for _ in range(3)}) == 3
    assert f.tracing_count == 1
