"""Functions with every kind of line, for tests of what a line lights: each with its arguments."""
from __future__ import annotations

import math

import numpy as np

import autograph_lite as ag


def first_negative(xs):
    found = -1
    for i, x in enumerate(xs):
        if x < 0:
            found = i
            break
    return found


def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


def halved(x):
    b = x
    k = 0
    while np.sum(b) > 1:
        b = b * 0.5
        k += 1
    return b, k


def position(xs, t):
    for i, x in enumerate(xs):
        if x > t:
            return i
    return -1


def parts(x):
    return x + 1, x * 2


def unpacked(x):
    a, b = parts(x)
    c, d = a, b
    return c - d


def locally(x):
    def inner(y):
        z = y * 2
        return z + 1
    w = inner(x)
    return w


def folded(x):
    half = 0.5 * 3
    k = np.float64(2.0) * np.pi
    unused = np.tanh(x)  # noqa: F841
    return x * half + k


def kmeans(points, centres, steps):
    for _ in range(steps):
        d = np.sum((points[:, None] - centres[None]) ** 2, axis=2)
        label = np.argmin(d, axis=1)
        new = centres.copy()
        for k in range(len(centres)):
            mask = label == k
            if np.any(mask):
                new[k] = points[mask].mean(axis=0)
        if np.allclose(new, centres):
            break
        centres = new
    return centres, label


def lists(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x * 2)
    return np.stack(out) if len(out) else xs


def matches(x):
    match x:
        case 0:
            y = 1
        case 1 | 2:
            y = 5
        case _:
            y = x * 2
    return y


def tries(x):
    try:
        y = x / 2
        assert np.all(y > 0), 'positive'
    finally:
        z = 1
    return y + z


def raises(x):
    if np.sum(x) < 0:
        raise ValueError('negative')
    return np.sqrt(x)


def constant(x):
    return 3


def until(x):
    n = 0
    while True:
        x = x / 2
        n += 1
        if np.sum(x) < 1:
            break
        if n > 10:
            return x, -1
    return x, n


def kind_of(x):
    if x > 10:
        kind = 3
    elif x > 5:
        kind = 2
    elif x > 1:
        kind = 1
    else:
        kind = 0
    return kind


class Search:
    def __init__(self):
        self.total = 0.0
    def run(self, xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best


def dictstate(x):
    state = {'n': 0, 'x': x}
    while np.sum(state['x']) > 1:
        state['x'] = state['x'] / 2
        state['n'] = state['n'] + 1
    return state['n']


def unrolled(x):
    ws = [1.0, 2.0, 3.0]
    for w in ws:
        x = x * w
    flag = True
    if flag:
        x = x + 1
    return x


def raising(x, n):
    if n < 0:
        raise ValueError('n')
    total = x
    for _ in range(3):
        total = total + x
    return total


def fizzbuzz(n):
    out = np.zeros(n, dtype=np.int64)
    for i in range(n):
        if i % 15 == 0:
            code = 3
        elif i % 5 == 0:
            code = 2
        else:
            code = 0
        out[i] = code
    return out


def helper(x, k):
    if k:
        return x
    m = 2
    return x * m


def calls(x):
    y = helper(x, False)
    z = helper(y, True)
    f = lambda v: v + 1  # noqa: E731
    return f(z) + math.pi


def asserts(x):
    assert np.sum(x) > 0, 'sum'
    ag.print('x', x)
    return x


def early(x):
    if x > 3:
        y = x * 2
        if y > 10:
            return y
        x = x - 1
    z = 4
    return x + z


def chosen(x, mode):
    match mode:
        case 'fast':
            x = x * 2
        case _ if mode:
            x = x * 3
        case _:
            x = x + 1
    try:
        mode = mode + '!'
    except TypeError:
        mode = ''
    return x


def limited(x, limit):
    turns = 0
    while np.sum(x) > 1:
        if turns == limit:
            break
        turns += 1
        x = x / 2
    return x


def moved(at):
    while np.sum(at) > 1:
        b = at.copy()
        for k in range(len(at)):
            b[k] = b[k] / 2 + k
        b = b - at / 4
        at = b
    return at


THREE = np.ones(3)
FUNCTIONS = {
    'first_negative': (first_negative, (np.array([3.0, 1.0, -2.0]),)),
    'sign': (sign, (np.float64(2),)),
    'halved': (halved, (THREE,)),
    'position': (position, (THREE, np.float64(1))),
    'unpacked': (unpacked, (THREE,)),
    'locally': (locally, (THREE,)),
    'folded': (folded, (THREE,)),
    'kmeans': (kmeans, (np.ones((9, 2)), np.ones((3, 2)), 20)),
    'lists': (lists, (THREE,)),
    'matches': (matches, (np.int64(4),)),
    'tries': (tries, (THREE,)),
    'raises': (raises, (THREE,)),
    'constant': (constant, (THREE,)),
    'until': (until, (THREE,)),
    'kind_of': (kind_of, (np.float64(3),)),
    'search': (Search().run, (THREE,)),
    'dictstate': (dictstate, (THREE,)),
    'unrolled': (unrolled, (THREE,)),
    'raising': (raising, (THREE, 3)),
    'fizzbuzz': (fizzbuzz, (np.int64(9),)),
    'calls': (calls, (THREE,)),
    'asserts': (asserts, (THREE,)),
    'chosen': (chosen, (THREE, 'slow')),
    'early': (early, (np.float64(3),)),
    'limited': (limited, (THREE, 9)),
    'moved': (moved, (THREE,)),
}
