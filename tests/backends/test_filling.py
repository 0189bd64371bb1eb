"""What fills an array or a list in a loop costs the same for each element: nothing is copied."""
from __future__ import annotations

import re

import numpy as np
import pytest

import autograph_lite as ag

N = np.int64(200)
X = np.arange(200.0)


def items(n):
    x = np.zeros(n)
    for i in range(n):
        x[i] = i * 2
    return x


def augmented(n):
    x = np.zeros(n)
    for i in range(n):
        x[i] += i
    return x


def rows(n):
    x = np.zeros((n, 3))
    row = np.ones(3)
    for i in range(n):
        x[i, :] = row * i
    return x


def slices(n):
    x = np.zeros(n)
    for i in range(n - 2):
        x[i:i + 2] = i
        x[i:i + 2] += 1
    return x


def branches(x0):
    x = x0.copy()
    for i in range(len(x)):
        if x[i] > 0:
            x[i] = 0.0
        elif x[i] < -1:
            x[i] -= 1
    return x


def nested(n):
    x = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if j > i:
                x[i, j] = j
            x[i, j] += i
    return x


def while_positive(x0):
    x = x0.copy()
    i = 0
    while i < len(x) and x[i] > 0:
        x[i] = x[i] * 2
        i += 1
    return x


def put(x, i):
    x[i] += 1


def by_a_helper(n):
    x = np.zeros(n)
    for i in range(n):
        if i > 2:
            put(x, i)
    return x


class Kept:
    def __init__(self, items):
        self.items = items
        self.count = 0

    def put(self, i, x):
        self.items[i] = x
        self.count += 1


def by_a_method(n):
    kept = Kept(np.zeros(n))
    for i in range(n):
        kept.put(i, i * 2)
    return kept.items, kept.count


def a_list(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
            if x > 2:
                out.pop()
    out[0] = xs[1]
    return out


def a_list_by_a_helper(xs):
    out = []

    def add(x):
        out.append(x)
        out[-1] = out[-1] * 2

    for x in xs:
        add(x)
    return out


@pytest.mark.parametrize('f', [
    items, augmented, rows, slices, branches, nested, while_positive, by_a_helper, by_a_method,
    a_list, a_list_by_a_helper,
])  # fmt: skip
def test_in_place(f):
    argument = X if f.__code__.co_varnames[0] in ('x0', 'xs') else N
    code = ag.function(f).get_concrete_function(argument).lowered_code
    function = code[code.index('def '):]
    head, loop = re.split(r'^    (?=for |while )', function, maxsplit=1, flags=re.MULTILINE)
    made = r'copy|np\.(?:zeros|array|stack|empty|concatenate)|= \[\]| list\('
    assert not re.search(made, loop.rpartition('return')[0]), code
    assert len(re.findall(made, head)) == 1, code
