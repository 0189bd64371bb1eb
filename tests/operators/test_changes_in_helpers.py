"""What helpers change in blocks that Python decides, called from staged blocks."""
from __future__ import annotations

import dataclasses
import itertools
import re
import textwrap
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from defining import define
from differential import check


@dataclasses.dataclass
class Best:
    total: float = 0.0
    top: Any = None


@dataclasses.dataclass
class Outer:
    inner: Best
    seen: list


class Thing:
    def __init__(self):
        self.n = np.float64(0.0)
        self.seen = [np.float64(0.0)]
        self.y = np.zeros(2)


Pair = namedtuple('Pair', 'seen known')
Z = np.float64(0.0)

# What is made, how a helper changes it, and what is looked at afterwards.
CHANGES = {
    'item of a dict': ("c = {'a': Z, 'b': 1.0}", "c['a'] += x", 'c'),
    'array in a dict': ("c = {'a': np.zeros(2)}", "c['a'][0] += x", 'c'),
    'new array in a dict': ("c = {'a': np.zeros(2)}", "c['a'] = c['a'] - x", 'c'),
    'every item of a dict': (
        "c = {'a': np.zeros(2), 'b': np.ones(2)}", 'for k in c:\n    c[k] = c[k] - 0.5 * x', 'c'),
    'key of a dict': ('c = {}', "c['k'] = x", 'c'),
    'item of a list': ('c = [Z, 1.0]', 'c[0] += x', 'c'),
    'longer list': ('c = [Z]', 'c.append(x)', 'c'),
    'longer list by +=': ('c = [Z]', 'c += [x]', 'c'),
    'list of arrays': ('c = []', 'c.append(np.ones(2) * x)', 'c'),
    'shorter list': ('c = [Z + i for i in range(20)]', 'x = x + c.pop()', 'c'),
    'array in a list': ('c = [np.zeros(2), np.ones(2)]', 'c[1] *= x', 'c'),
    'rows in a list': ('c = [np.zeros(2), np.ones(2)]', 'for row in c:\n    row += x', 'c'),
    'dicts in a list': ("c = [{'a': Z}, {'a': Z}]", "for e in c:\n    e['a'] += x", 'c'),
    'list in a list': ('c = [[Z], [Z]]', 'c[1][0] += x', 'c'),
    'dataclass': (
        'c = Best(Z)', 'c.total += x\nif c.top is None or x > c.top:\n    c.top = x', 'c'),
    'dataclass in a dataclass': (
        'c = Outer(Best(Z), [Z])', 'c.inner.total += x\nc.seen.append(x)', 'c'),
    'parts of a named tuple': (
        "c = Pair([Z], {'n': Z})", "c.seen.append(x)\nc.known['n'] += x", 'c'),
    'parts of a tuple': ("c = ([Z], {'n': Z})", "c[0].append(x)\nc[1]['n'] += x", 'c'),
    'nested': (
        "c = {'a': [Z, {'b': Z}], 'c': Best(Z)}", "c['a'][1]['b'] += x\nc['c'].total -= x", 'c'),
    'list that grows in a dict that changes': (
        "c = {'l': [Z], 'm': {'l': [Z]}}",
        "c['l'].append(x)\nc['m']['l'].append(x)\nc['l'][0] += 1.0", 'c'),
    'array': ('c = np.zeros(2)', 'c[0] += x', 'c'),
    'whole array': ('c = np.zeros(2)', 'c += x', 'c'),
    'attributes': ('c = Thing()', 'c.n += x\nc.y[0] = x\nc.seen.append(x)', 'c.n, c.y, c.seen'),
    'objects in a list': ('c = [Thing(), Thing()]', 'c[1].n += x', 'c[0].n, c[1].n'),
}

# Statements around the change of which Python knows what they do.
BLOCKS = {
    'for': 'for _ in range(2):\n    CHANGE',
    'if': 'if flag:\n    CHANGE',
    'while': 'k = 0\nwhile k < 2:\n    CHANGE\n    k += 1',
    'early return': 'for j in range(3):\n    if j == 1:\n        return\n    CHANGE',
    'recursion': 'if n == 0:\n    return\nif flag:\n    CHANGE\nchange(c, x, flag, n - 1)',
    'try': 'try:\n    CHANGE\nfinally:\n    n = 0',
    'staged if': 'if x > 1:\n    CHANGE',
    'staged if in a for': (
        'for j in range(2):\n    if x > 1:\n        x = x - 1\n        CHANGE'),
}

CALLERS = {
    'if': 'if x > 0:\n    change(c, x)',
    'both ways': 'if x > 0:\n    change(c, x)\nelse:\n    x = x * 2\n    change(c, x)',
    'for': 'for x in xs:\n    change(c, x)',
    'if in a for': 'for x in xs:\n    if x > 0:\n        change(c, x)',
    'while': 'while x < 5:\n    x = x + 2\n    change(c, x)',
}

CALLS = [
    (np.float64(3), np.array([1.0, -2.0, 3.0])),
    (np.float64(-3), np.array([0.5, 2.0, 1.5])),
    (np.float64(6), np.array([-1.0, -1.0, -1.0])),
]

FUNCTION = '''
def change(c, x, flag=True, n=2):
    BLOCK
'''
METHOD = '''
class K:
    def change(k, c, x, flag=True, n=2):
        BLOCK
'''
BODY = '''
    MAKE
    CALLER
    return LOOKED_AT
'''
LAYOUTS = {
    'function': FUNCTION + 'def f(x, xs):' + BODY,
    'method': METHOD + 'def f(x, xs):\n    k = K()' + BODY,
    'closure': 'def f(x, xs):' + textwrap.indent(FUNCTION, '    ') + BODY,
}


def program(change: str, block: str, caller: str, layout: str) -> Any:
    make, how, looked_at = CHANGES[change]
    text, turn = LAYOUTS[layout].replace('LOOKED_AT', looked_at), CALLERS[caller]
    block = BLOCKS[block]
    if layout == 'method':
        turn, block = (part.replace('change(', 'k.change(') for part in (turn, block))
    holes = {'MAKE': make, 'CALLER': turn, 'BLOCK': block, 'CHANGE': how}
    for hole, part in holes.items():
        start = re.search(f'^( *){hole}$', text, flags=re.M)[1]
        text = text.replace(start + hole, textwrap.indent(part, start))
    return define(text, Best=Best, Outer=Outer, Thing=Thing, Pair=Pair, Z=Z)


_TURNS = zip(
    itertools.product(CHANGES, BLOCKS), itertools.cycle(CALLERS), itertools.cycle(LAYOUTS),
    strict=False)


@pytest.mark.parametrize(
    ('change', 'block', 'caller', 'layout'), [(*pair, *others) for pair, *others in _TURNS])
def test_changes_in_helpers(change, block, caller, layout):
    check(program(change, block, caller, layout), *CALLS, joins=True)
