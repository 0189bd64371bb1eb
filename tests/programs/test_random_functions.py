"""Random functions: plain Python, converted Python and the graph give the same.

The same functions every time; `RANDOM_PROGRAMS=5000 pytest tests/programs` tries that many.
"""
from __future__ import annotations

import linecache
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from differential import Outcome, outcome, same
from programs.random_functions import function_text

import autograph_lite as ag

PROGRAMS = int(os.environ.get('RANDOM_PROGRAMS', '200'))

CALLS = [
    (np.float64(1.0), np.float64(2.0), np.int64(3), np.array([1.0, -2.0, 3.0, 0.5])),
    (np.float64(-1.0), np.float64(0.5), np.int64(0), np.array([-1.0, -2.0, 0.0, 5.0])),
    (np.float64(7.0), np.float64(-3.0), np.int64(10), np.zeros(4)),
]

# What may be refused, by a part of the message.
REFUSALS: tuple[str, ...] = ()


def helper(a, b):
    if a > b:
        return np.float64(a)
    c = np.float64(b)
    while c > 1.0 and c < 1e6:
        c = c * 0.5
    return c


class Thing:
    def __init__(self, x, n):
        self.x = x
        self.n = n


def random_function(seed: int) -> Callable[..., Any]:
    choose = random.Random(seed).choice
    text = function_text(lambda options: choose(list(options)))
    filename = f'<random function {seed}>'
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {'np': np, 'helper': helper, 'Thing': Thing}
    exec(compile(text, filename, 'exec'), names)
    return names['f']


def refused(got: Outcome) -> bool:
    error = got[1]
    return isinstance(error, ag.errors.AutographError) and any(
        part in str(error) for part in REFUSALS
    )


def difference(f: Callable[..., Any]) -> str | None:
    """What differs between the ways to run the function; None if nothing does."""
    ways = {'converted': ag.to_graph(f), 'graph': ag.function(f)}
    for args in CALLS:
        expected = outcome(f, args)
        for way, run in ways.items():
            got = outcome(run, args)
            if not same(expected, got) and not refused(got):
                return f'{way} of {args} gives\n  {got!r}, plain Python\n  {expected!r}'
    return None


@pytest.mark.parametrize('seed', range(PROGRAMS))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_random_function(seed):
    f = random_function(seed)
    problem = difference(f)
    assert problem is None, f'{problem}\n{"".join(linecache.getlines(f.__code__.co_filename))}'
