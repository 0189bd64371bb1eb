"""The test of a `while` that changes an object, an array, a list or a dict which the turns see."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

HELPERS = '''
class C:
    def __init__(self, n):
        self.n = n
        self.seen = []

    def more(self, limit=5):
        self.n = self.n + 1
        self.seen.append(self.n)
        return self.n < limit

def more(c):
    c.n = c.n + 1
    return c.n < 5

def bump(x):
    x += 1
    return x[0]

def left(c):
    c.n = c.n - 1
    return max(c.n, 0.0)

def longer(d):
    d.append(d[-1] + 1)
    return d[-1]

def put(d, key, value):
    d[key] = value
    return value

'''

LOOPS = {
    'attribute, read by the turns': 'while more(c):\n    s = s + c.n',
    'attribute, set by the turns too': 'while more(c):\n    c.n = c.n + 0\n    s = s + c.n',
    'attribute, read after the loop alone': 'while more(c):\n    pass',
    'method': 'while c.more():\n    s = s + c.seen[-1]',
    'item of a dict': "d = {'n': s}\nwhile put(d, 'n', d['n'] + 1) < 5:\n    s = s + d['n']",
    'item of a list': 'd = [s]\nwhile put(d, 0, d[0] + 1) < 5:\n    s = s + d[0]',
    'list that gets longer': (
        'd = [s]\nwhile longer(d) < 5:\n    s = s + d[-1]\nc.n = len(d)'),
    'array': 'y = x.copy()\nwhile bump(y) < 5:\n    s = s + y[1]',
    'argument': 'while bump(x) < 5:\n    s = s + x[1]',
    'array of an attribute': 'c.y = x.copy()\nwhile bump(c.y) < 5:\n    s = s + c.y[1]',
    'view': 'y = x.copy()\nv = y[1:]\nwhile bump(v) < 5:\n    s = s + y[1]',
    'iterator': 'it = iter(x)\nwhile next(it, 9.0) < 3:\n    s = s + 1',
    'and': 'while s < 9 and more(c) and c.more():\n    s = s + c.n',
    'break and else': (
        'while more(c):\n    s = s + c.n\n    if s > 4:\n        break\nelse:\n    s = s + 100'),
    'continue': 'while more(c):\n    if c.n > 2:\n        continue\n    s = s + c.n',
    'return': 'while more(c):\n    s = s + c.n\n    if s > 4:\n        return s, c.n, 0, x',
    'raise': 'while more(c):\n    s = s + c.n\n    if s > 8:\n        raise ValueError("large")',
    'loop in a loop': 'while more(c):\n    e = C(c.n)\n    while e.more():\n        s = s + e.n',
    'loop in a branch': 'if s > 0:\n    while more(c):\n        s = s + c.n',
    'loop in a for': 'for v in x:\n    while c.more(v + 3):\n        s = s + c.n\n    c.n = v',
    'truth of a number': 'while left(c):\n    s = s + c.n',
    'name of its own': 'goes_on = s\nwhile more(c):\n    goes_on = goes_on + c.n\ns = goes_on',
}
BODY = '''
def f(x):
    c = C(x[0])
    s = x[0]
    LOOP
    return s, c.n, len(c.seen), x
'''


class Counter:
    def more(self):
        self.n = self.n + 1
        return self.n < 5


COUNTER = Counter()


def counted_outside(x):
    COUNTER.n = s = x[0]
    while COUNTER.more():
        s = s + COUNTER.n
    return s, COUNTER.n


CALLS = [
    (np.array(x),)
    for x in ([0.0, 1.0, 2.0], [2.0, -1.0, 0.5], [-3.0, 4.0, 9.0], [7.0, 0.0, 1.0])
]


def looping(loop):
    text = HELPERS + BODY.replace('LOOP', loop.replace('\n', '\n    '))
    return define(text)


@pytest.mark.parametrize('what', LOOPS)
def test_what_the_test_changes_is_changed_in_every_turn(what):
    check(looping(LOOPS[what]), *CALLS, joins=True)


def test_an_object_outside_is_changed_by_the_test():
    check(counted_outside, *CALLS)


def test_the_test_is_asked_as_often_as_in_python(capsys):
    asks = 'def go():\n    print("asked", c.n)\n    return more(c)\nwhile go():\n    s = s + c.n'
    f = looping(asks)
    f(CALLS[0][0])
    expected = capsys.readouterr().out
    graph = ag.function(f)
    graph(CALLS[0][0])
    assert capsys.readouterr().out == expected


def test_a_test_that_changes_nothing_stays_the_test_of_the_loop():
    f = ag.function(looping('while s < 5:\n    s = s + 1'))
    assert 'goes_on' not in f.get_concrete_function(CALLS[0][0]).lowered_code
