"""The lowered program's code says the user's file and lines."""
from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from defining import define

import autograph_lite as ag
from autograph_lite.backends.positions import at_users_lines
from autograph_lite.backends.printer import Origin
from autograph_lite.errors import Location
from autograph_lite.graph.sites import SavedSite

X = np.array([1.0, -1.0])


def places(f: Any, *args: Any) -> list[tuple[str, int, str]]:
    """Where a call warns, and of what."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        f(*args)
    return [(each.filename, each.lineno, str(each.message)) for each in caught]


def warn(x, n):
    y = x / 0
    z = np.log(x - 5)
    for i in range(n):
        y = y + x / i
    return np.sqrt(x), y, z


def test_warnings_are_at_the_users_lines():
    found = places(ag.function(warn), X, np.int64(2))
    assert sorted(found) == sorted(places(warn, X, np.int64(2)))
    assert {filename for filename, _, _ in found} == {__file__}


@pytest.mark.skipif(sys.version_info < (3, 11), reason='columns are kept from 3.11 on')
def test_parts_of_one_expression():
    def f(x):
        return np.sqrt(
            x
            / (x * 0)
        )  # fmt: skip

    assert places(ag.function(f), X) == places(f, X)


def test_what_another_file_does_is_shown_at_the_function():
    helper = define('def helper(x):\n    return np.sqrt(x)\n')

    def f(x):
        y = x / 0
        return helper(x) + y

    ((filename, line, _),) = (place for place in places(ag.function(f), X) if 'sqrt' in place[2])
    assert filename == __file__
    assert 0 <= line - f.__code__.co_firstlineno <= 2


def test_any_order_of_lines():
    numbers = random.Random(3)
    lines = [numbers.randrange(1, 5000) for _ in range(40)]
    text = [f'x{i} = {i}' for i in range(40)] + ['f = lambda: 1']
    origins = [Origin(SavedSite(Location('user.py', line, 'f'))) for line in [*lines, 7]]
    originals: Any = {}
    code = compile('\n'.join(text), '<lowered>', 'exec')
    made = at_users_lines(code, text, origins, originals)
    assert made.co_filename == 'user.py'
    assert made.co_code == code.co_code
    shown = [line for _, _, line in made.co_lines() if line is not None]
    assert [line for line in shown if line in lines] == lines
    assert originals[id(made)] == (made, code)
