"""Random functions in which several names stand for one array, list, dict or object.

`a`, `b`, `c` are arrays, `u`, `v` lists, `d`, `e` dicts, `o`, `p` objects, `s`, `t` scalars; some
start as the same thing. They are given to each other, changed in place, in helpers too, and asked
whether they are one.
"""
from __future__ import annotations

import random

INDENT = '    '
RESULTS = 'a, b, c, u, v, d, e, o.x, p.x, o.all, p.all, s, t'
ARE_ONE = 'a is b, u is v, d is e'


class Held:
    """An object with an attribute and a list."""

    def __init__(self, x):
        self.x = x
        self.all = [x]

    def put(self, x, flag=True):
        if flag:
            self.x = x
            self.all.append(x)
        for k in range(2):
            self.all[0] = x * k

    def swap(self, other):
        self.x, other.x = other.x, self.x


def put(d, x):
    for k in range(2):
        d['k'] = x + k


def push(xs, x, flag=1):
    if flag:
        xs.append(x)
    while len(xs) > 6:
        xs.pop(0)


def fill(a, x):
    for k in range(2):
        a[k] = x


def pick(a, b, s):
    if s > 2:
        return a
    return b


def both(xs, d, s):
    if s > 1:
        d['k'] = xs[0]
        for j in range(3):
            if j == 1:
                xs.append(s)
    return xs


NAMES = {f.__name__: f for f in (Held, put, push, fill, pick, both)}


def function_text(seed: int) -> str:
    """The text of a random `f(s, t, n, xs, flag)`."""
    writer = _Writer(random.Random(seed))
    pick = writer.pick
    lines = [
        'a = xs * 1.0', f'b = {pick("a", "a", "xs + 1", "a.copy()")}',
        f'c = {pick("a", "b", "xs * 2")}',
        'u = [s, t]', f'v = {pick("u", "u", "[t, s]")}',
        "d = {'k': s, 'j': t}", f'e = {pick("d", "d", "dict(d)")}',
        'o = Held(s)', f'p = {pick("o", "o", "Held(t)")}',
    ]  # fmt: skip
    results = pick(RESULTS, RESULTS, RESULTS, f'{RESULTS}, {ARE_ONE}')
    body = [*writer.block(3), *writer.block(3)]
    return '\n'.join(['def f(s, t, n, xs, flag):', *_in(lines + body + [f'return {results}'])])


def _in(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.alleft = 10
        self.alloops = 0

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def block(self, depth: int) -> list[str]:
        return [
            line for _ in range(self.chance.choice([1, 2, 3])) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        self.alleft -= 1
        kind = self.chance.random()
        if depth and self.alleft > 0 and kind < 0.4:
            return self.compound(depth - 1)
        return [self.named() if kind < 0.7 else self.changed()]

    def scalar(self) -> str:
        array = self.pick('a', 'b', 'c')
        return self.pick('s', 't', 's', '1.0', f'np.sum({array})', f'{array}[0]', 's + t')

    def test(self) -> str:
        array, bound = self.pick('a', 'b', 'c'), self.chance.randint(-2, 20)
        return self.pick(
            f's > {bound % 6}', 't > s', f'np.sum({array}) > {bound}',
            f'len({self.pick("u", "v")}) > 2', 's > 1 and t < 3', 'n > 2', 'flag',
        )  # fmt: skip

    def compound(self, depth: int) -> list[str]:
        inner = _in(self.block(depth))
        match self.pick('if', 'else', 'rows', 'range', 'few', 'while', 'break'):
            case 'if':
                return [f'if {self.test()}:', *inner]
            case 'else':
                return [f'if {self.test()}:', *inner, 'else:', *_in(self.block(depth))]
            case 'rows':
                return ['for x in xs:', *inner]
            case 'range':
                return ['for i in range(n):', *inner]
            case 'few':
                return ['for j in range(2):', *inner]
            case 'while':
                self.alloops += 1
                turn = f'w{self.alloops}'
                head = f'while {turn} < 3 and {self.test()}:'
                return [f'{turn} = n * 0', head, f'{INDENT}{turn} = {turn} + 1', *inner]
            case _:
                return ['for x in xs:', *_in([f'if {self.test()}:', f'{INDENT}break']), *inner]

    def named(self) -> str:
        """A name is given something, perhaps what another one stands for."""
        a, b = self.pick('a', 'b', 'c'), self.pick('a', 'b', 'c')
        u, v = self.pick('u', 'v'), self.pick('u', 'v')
        d, e = self.pick('d', 'e'), self.pick('d', 'e')
        o, p = self.pick('o', 'p'), self.pick('o', 'p')
        return self.pick(
            f'{a} = {b}', f'{a} = {b}', f'{a} = {b} * 2', f'{a}, {b} = {b}, {a}',
            f'{a}, {b} = {b}, {a} + {b}', f'{a} = {b}.copy()', f'{a} = pick({a}, {b}, s)',
            's = s + 1', f't = {self.scalar()} - 1.0', 's, t = t, s + t', 't = s',
            f'{u} = {v}', f'{u} = [{self.scalar()}, t]', f'{u} = {u} + [t]', f'{u} = list({v})',
            f's = {u}[-1] * 1.0', f'{d} = {e}', f"{d} = {{'k': {self.scalar()}, 'j': t}}",
            f"t = {d}['k'] * 1.0", f'{d} = dict({e})', f'{o} = {p}', f'{o} = Held({self.scalar()})',
            f's = {o}.x * 1.0',
        )  # fmt: skip

    def changed(self) -> str:
        """Something is changed in place, perhaps by a helper."""
        a, b = self.pick('a', 'b', 'c'), self.pick('a', 'b', 'c')
        u, d, o = self.pick('u', 'v'), self.pick('d', 'e'), self.pick('o', 'p')
        return self.pick(
            f'{a}[0] = {self.scalar()}', f'{a}[n % 2] += 1', f'{a} += {b}', f'{a}[:] = {b} * 2',
            f'fill({a}, s)', f'{u}.append({self.scalar()})', f'{u}[0] = {self.scalar()}',
            f'push({u}, {self.scalar()})', f'push({u}, s, n > 1)', f"{d}['k'] = {self.scalar()}",
            f'put({d}, {self.scalar()})', f'{o}.x = {self.scalar()}', f'{o}.put({self.scalar()})',
            f'{o}.put(s, flag)', f'{o}.swap({self.pick("o", "p")})',
            f'{u} = both({self.pick("u", "v")}, {d}, s)',
        )  # fmt: skip
