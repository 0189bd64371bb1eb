"""The cost of the analyses: near-linear in the function, however deep its tree is."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import pytest
from work import work

from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.reaching import reaching_definitions
from autograph_lite.analysis.scopes import scopes
from autograph_lite.pyct.deep import deeply


def consecutive_ifs(count: int) -> str:
    ifs = ''.join(f'  if x > {i}:\n    x = x + 1\n    y{i} = x\n' for i in range(count))
    return f'def f(x):\n{ifs}  return x'


def long_lived(count: int) -> str:
    """As before, but every name lives through the whole function."""
    names = [f'y{i}' for i in range(count)]
    return consecutive_ifs(count) + ', ' + ', '.join(names)


def lines(count: int) -> str:
    return 'def f(x):\n' + ''.join(f'  y{i} = x\n' for i in range(count)) + '  return x'


def loops(count: int) -> str:
    return 'def f(x):\n' + '  for i in x:\n    while i > x:\n      x = x + i\n' * count


def closures(count: int) -> str:
    """Every closure is given away, so that anybody may call it from there on."""
    made = ''.join(f'  y{i} = x\n  fs.add_it(lambda: y{i})\n' for i in range(count))
    return f'def f(x, fs):\n{made}  return x'


def elifs(count: int) -> str:
    chain = ''.join(f'  elif x > {i}:\n    y = x\n' for i in range(count))
    return f'def f(x):\n  if x:\n    y = 0\n{chain}  return y'


def conditional_expressions(count: int) -> str:
    return 'def f(x):\n  return ' + ''.join(f'{i} if x > {i} else ' for i in range(count)) + 'x'


def a_long_sum(count: int) -> str:
    return 'def f(x):\n  return ' + ' + '.join(['x'] * count)


def function(source: str) -> Any:
    return deeply(gast.parse, source).body[0]


def analyse(tree: Any) -> None:
    """Analyse a function, and ask what a pass asks at each statement."""
    found = scopes(tree)
    live = liveness(found.cfg, found)
    reaching = reaching_definitions(found.cfg, found)
    for node in tree.body:
        for name in live.live_out.among(node, found[node].modified):
            reaching.maybe_unbound(node, name)


@pytest.mark.parametrize(
    'write',
    [consecutive_ifs, long_lived, lines, loops, elifs, conditional_expressions, a_long_sum])
def test_twice_the_function_takes_about_twice_the_work(write: Callable[[int], str]) -> None:
    assert growth(write) < 2.2


def test_closures_given_away_keep_what_they_read_alive_from_there_on() -> None:
    assert growth(closures) < 3


def growth(write: Callable[[int], str]) -> float:
    once, twice = (work(analyse, function(write(size))) for size in (250, 500))
    return twice / once


@pytest.mark.parametrize('header', ['while x:', 'for i in x:', 'if x:', 'def f(x):', 'with x:'])
def test_blocks_may_be_nested_as_deep_as_python_reads_them(header: str) -> None:
    def nested(depth: int) -> Any:
        levels = [' ' * (level + 1) + header for level in range(depth)]
        return function('\n'.join(['def f(x):', *levels, ' ' * (depth + 1) + 'x = 1']))

    once, twice = (work(analyse, nested(depth)) for depth in (45, 90))
    assert twice < 3 * once
