"""Variables outside that are set to a member of an `Enum` that only the running graph knows."""
from __future__ import annotations

import enum
import math
import types

import numpy as np
import pytest
from differential import outcome, same

import autograph_lite as ag


class Light(enum.Enum):
    RED = 0
    GREEN = 1
    YELLOW = 2


LIGHTS = list(Light)
NEXT = {Light.RED: Light.GREEN, Light.GREEN: Light.YELLOW, Light.YELLOW: Light.RED}
CALLS = [np.int64(n) for n in (1, 3, 0, 2, 5, 1)]
outside = types.SimpleNamespace()
table: dict[str, object] = {}
KEPT = Light.RED


def a_global(n):
    global KEPT
    for _ in range(n):
        KEPT = NEXT[KEPT]
    return KEPT


def an_attribute(n):
    while n > 0:
        n -= 1
        outside.left -= 1
        if outside.left == 0:
            outside.light = NEXT[outside.light]
            outside.left = 2
    return outside.light


def an_item(n):
    table['light'] = LIGHTS[n % 3]
    return n


def beside_a_number(n):
    outside.pair = LIGHTS[n % 3], n, LIGHTS[(n + 1) % 3]
    return outside.pair[0]


def one_or_none(n):
    light = None
    if n > 1:
        light = LIGHTS[n % 3]
    outside.light = light


def a_function(n):
    outside.of = {0: math.sin, 1: math.cos}[n % 2]
    return outside.of(1.0)


def the_one_before(n):
    before = outside.light
    outside.light = LIGHTS[n % 3]
    if before is not outside.light:
        outside.left += n
    return before


@pytest.mark.parametrize('f', [
    a_global, an_attribute, an_item, beside_a_number, one_or_none, a_function, the_one_before,
], ids=lambda f: f.__name__)  # fmt: skip
def test_each_call_sets_it(f):
    expected, found = list(outcomes(f)), list(outcomes(ag.function(f)))
    assert all(map(same, found, expected))


def outcomes(f):
    global KEPT
    KEPT = Light.RED
    outside.__dict__.update(light=Light.RED, left=2, pair=None, of=None)
    table.clear()
    for n in CALLS:
        yield outcome(f, (n,)), KEPT, dict(vars(outside)), dict(table)
