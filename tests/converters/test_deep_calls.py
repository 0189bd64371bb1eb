"""Calls in calls, deeper than Python reads brackets in each other."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

DEEP = 250
STEPS = '.step()' * DEEP


@pytest.mark.parametrize('body', [
    f'return Walker(x){STEPS}.at',
    f'return [Walker(y){STEPS}.at for y in ys if {"not " * DEEP}y > 2]',
    f'g = lambda a, b=1: Walker(a + b){STEPS}.at; return g(x), g(x, b=x)',
    f'while Walker(x){STEPS}.at < {DEEP + 5}: x = x + 1\n    return x',
    f'for y in ys: x = x + Walker(y){STEPS}.at\n    return x',
    f'return (y := x + 1) + Walker(y){STEPS}.at + y',
    f'return {"not " * DEEP}x > 2',
    f'if {"not " * DEEP}x > 2: x = x + 1\n    return x',
])
def test_chains(body):
    f = define(f'''
class Walker:
    def __init__(self, at):
        self.at = at

    def step(self):
        return Walker(self.at + 1)

def f(x, ys):
    {body}
''')
    check(f, *((np.float64(value), np.array([1.0, 3.0])) for value in (0.5, 4.0)))
