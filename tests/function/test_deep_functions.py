"""Functions that take more calls to trace than Python's recursion limit allows."""
from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

X = np.float64(1.5)


def nested(count, around, innermost='x'):
    text = innermost
    for i in range(count):
        text = around.replace('#', str(i)).replace('...', text)
    return f'def f(x):\n    return {text}\n'


def chain(count):
    return 'def f(x):\n    return ' + ' < '.join(f'x + {i}' for i in range(count))


LEVELS = 450
HELPERS = '\n'.join([
    'def h0(x): return x + 1',
    *(f'def h{i}(x): return h{i - 1}(x)' for i in range(1, LEVELS)),
    f'def deep(x): return h{LEVELS - 1}(x)',
])


@pytest.mark.parametrize('text', [
    chain(100), nested(95, 'x - # if x > # else ...'),
    nested(90, '(x > # and ... or x < #)', 'x > 1'), HELPERS,
], ids=['comparisons', 'conditional expressions', 'and, or', 'helpers'])
def test_what_python_runs_is_traced(text):
    limit = sys.getrecursionlimit()
    check(define(text), (X,))
    assert sys.getrecursionlimit() == limit


def test_what_is_read_from_deep_inside_of_what_is_outside():
    f = define(f'L = [1.0]; L.append(L)\ndef f(x): return x + L{"[1]" * 1000}[0]\n')
    graph = ag.function(f)
    assert [graph(X) for _ in range(2)] == [X + 1] * 2
    f.__globals__['L'][0] = 2.0
    assert graph(X) == X + 2


def test_what_is_outside_is_changed_once():
    f = define(HELPERS + '''
seen = []
count = 0

def f(x):
    global count
    count += 1
    seen.append(1)
    return deep(x)
''')
    names = f.__globals__
    want = names['deep'](X)
    graph = ag.function(f)
    assert graph(X) == want
    assert (names['count'], names['seen']) == (1, [1])
    assert graph(X) == want
    assert names['count'] == 2


def test_variables_are_created_once():
    model = define(HELPERS + '''
import autograph_lite as ag

class Model:
    def __init__(self):
        self.scale = None

    def __call__(self, x):
        if self.scale is None:
            self.scale = ag.Variable(2.0)
        self.scale.assign_add(1.0)
        return deep(x) * self.scale

model = Model()
''')
    f, names = ag.function(model.__call__), type(model).__call__.__globals__
    assert f(X) == names['deep'](X) * 3.0
    assert f(X) == names['deep'](X) * 4.0
    assert model.scale.numpy() == 4.0


def test_another_function_is_traced_meanwhile():
    outer = define(HELPERS + '''
import autograph_lite as ag
import numpy as np

@ag.function
def inner(x):
    return x + 1

def around(x):
    outer.get_concrete_function(np.zeros(3), 0)
    return deep(inner(x))

@ag.function
def outer(x, n=1):
    return around(x) if n else x
''')
    results = []
    thread = threading.Thread(target=lambda: results.append(outer(X)), daemon=True)
    thread.start()
    thread.join(60)
    assert len(results) == 1


def test_a_recursion_without_end_is_an_error():
    f = define('''
def f(x, n=0):
    return f(x, n + 1)
''')
    with pytest.raises(ag.errors.StagingError, match="'f' calls itself on every way"):
        ag.function(f)(X)
