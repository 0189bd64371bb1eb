"""A container outside that is read, changed and read again, wherever it was fetched from."""
from __future__ import annotations

import collections
import copy
import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from defining import define
from differential import joined, outcome

import autograph_lite as ag


@dataclasses.dataclass
class Held:
    rows: list


NAMES = {
    'copy': copy, 'dataclasses': dataclasses, 'defaultdict': collections.defaultdict, 'Held': Held,
    'itertools': itertools,
}
START = """
d = {'l': [0.0], 'm': [1.0, 2.0]}
named = defaultdict(list, l=[0.0])
rows = [[0.0], [1.0, 2.0, 0.5]]
held = Held([0.0])
sets = {'s': {1.0}}
"""


def agree(body: str) -> None:
    """What a function gives and leaves outside is what Python gives and leaves: at two calls, and
    when others of the same content have taken the place of the containers.
    """
    text = f'{START}\ndef f(x):\n    {body}'
    for run in (ag.to_graph, ag.function):
        plain, other = define(text, **NAMES), define(text, **NAMES)
        ran = run(other)
        for x in (np.float64(7.0), np.float64(-2.0), None):
            for each in (plain, other) if x is None else ():
                begin_anew(each.__globals__)
            given = (np.float64(7.0) if x is None else x,)
            assert joined(outcome(plain, given), outcome(ran, given)), body
            assert joined(left(plain), left(other)), body


def begin_anew(names: dict[str, Any]) -> None:
    """The outer containers stay, and hold others."""
    anew = dict(NAMES)
    exec(START, anew)
    for name in ('d', 'named', 'sets'):
        names[name].clear()
        names[name].update(anew[name])
    names['rows'][:] = anew['rows']
    names['held'].rows = anew['held'].rows


def left(f: Any) -> Any:
    names = f.__globals__
    return [names['d'], names['named'], names['rows'], names['held'].rows, names['sets']]


FETCHES = (
    "d['l']", "d.get('l')", "d.setdefault('l', [])", "named.get('l')", 'list(zip(rows, d))[0][0]',
    '[v for k, v in d.items()][0]', '[r for i, r in enumerate(rows)][1]', 'max(rows, key=len)',
    'list(d.values())[0]', 'list(itertools.chain(rows, [[]]))[0]', 'copy.copy(rows)[0]',
    'list(map(lambda r: r, rows))[0]', 'dataclasses.replace(held).rows', "d.copy()['l']",
    'next(iter(rows))', 'sorted(rows, key=len)[0]', 'min(d.values(), key=len)',
)  # fmt: skip


@pytest.mark.parametrize('fetch', FETCHES)
@pytest.mark.parametrize('change', ['c.append(x)', 'c[0] = x', 'c.insert(0, x)', 'c.clear()'])
def test_what_is_read_before_and_after_a_change(fetch, change):
    agree(f'c = {fetch}; n = len(c), 7.0 in c; {change}; return n, len(c), 7.0 in c')


@pytest.mark.parametrize('fetch', FETCHES)
def test_the_item_that_was_put_there(fetch):
    agree(f'c = {fetch}; n = c[-1]; c.append(x); return n, c[-1], sum(c)')


@pytest.mark.parametrize('fetch', ["sets['s']", "sets.get('s')", 'list(sets.values())[0]'])
def test_a_set(fetch):
    agree(f'c = {fetch}; n = len(c); c.add(7.0); return n, len(c), 7.0 in c')
