"""What random functions do with objects, contexts, patterns and collections.

`u` is a `Pair` of two float64 scalars, `s` a `Mode`, `queue` a deque of float64 scalars, `pair` a
tuple of a float64 scalar and a Python int, or None.
"""
from __future__ import annotations

import enum
from collections import deque
from typing import Any

import numpy as np

INDENT = '    '
START = ('u = Pair(x, y)', 's = Mode.SLOW', 'queue = deque([y])', 'pair = None')
RESULTS = 'u.a, u.b, s, queue, pair'


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


class Pair:
    """Its methods look at what they get."""

    __array_ufunc__ = None

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        if isinstance(other, Pair):
            return Pair(self.a + other.a, self.b - other.b)
        if other > 2:
            return Pair(self.a + other, self.b)
        return Pair(self.a, self.b + other)

    def __lt__(self, other):
        if self.a > 0:
            return bool(self.b < other)
        return bool(self.a < other)

    def __getitem__(self, i):
        if i > 0:
            return self.b
        return self.a

    @property
    def larger(self):
        return self.a if self.a > self.b else self.b


class Scope:
    """A context that changes an object."""

    def __init__(self, owner):
        self.owner = owner

    def __enter__(self):
        if self.owner.x > 1:
            self.owner.x = self.owner.x - 1
        return self.owner

    def __exit__(self, *error):
        self.owner.x = self.owner.x * 0.5


def positive(x):
    """Raises for other numbers."""
    if x <= 0:
        raise ValueError('not positive')
    return np.float64(x)


NAMES = {'Mode': Mode, 'Pair': Pair, 'Scope': Scope, 'deque': deque, 'positive': positive}


class ObjectStatements:
    """Statements with objects; what else it takes comes from the writer."""

    def _pair(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            f'u = u + {self.float(1)}', 'u = Pair(u.b, u.a)', f'u += Pair({self.float(0)}, x)',
            f'if u < {self.float(0)}:|    u = Pair(x, np.float64({self.float(0)}))',
            'z = u.larger', 'y = u[n]', f'u.a = np.float64({self.float(1)})', 'u.b += x',
            'u = Pair(u.larger, y) if u < z else u + z',
        ))  # fmt: skip

    def _mode(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            f's = Mode.FAST if {self.test(1)} else Mode.SLOW', 's = Mode.FAST',
            'if s is Mode.SLOW:|    x = x + 1', 'if s == Mode.FAST and x > 0:|    y = y * 2',
            f'if {self.test(1)}:|    s = Mode.SLOW', 'x = y if s is not Mode.FAST else x',
        ))  # fmt: skip

    def _queue(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            f'queue.append(np.float64({self.float(0)}))', 'queue.appendleft(x)',
            'if queue:|    z = queue.popleft()', 'if len(queue) > 1:|    y = queue.pop()',
            'for each in queue:|    z += each', 'x = queue[-1] if queue else x',
        ))  # fmt: skip

    def _maybe(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            'pair = x, 1', 'if pair is None or x > pair[0]:|    pair = x, 2', 'pair = None',
            'if pair is not None:|    z = pair[0] * pair[1]', 'pair = (y, 3) if b else None',
        ))  # fmt: skip

    def _match(self: Any, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        subject, first, second = self.pick(
            ('n', 'case 0:', 'case 1 | 2:'), ('s', 'case Mode.SLOW:', 'case _ if x > 1:'),
            ('(n, k)', 'case (0, _):', 'case (_, 0) if y > x:'),
        )  # fmt: skip
        block = self.block(indent + 2, depth - 1, in_loop)
        other = self.block(indent + 2, depth - 1, in_loop)
        heads = [f'{tab}{INDENT}{head}' for head in (first, second)]
        return [f'{tab}match {subject}:', heads[0], *block, heads[1], *other]

    def _with(self: Any, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        head = self.pick(
            'with Scope(o):', 'with Scope(o) as scope:', "with np.errstate(all='ignore'):")
        return [tab + head, *self.block(indent + 1, depth - 1, in_loop)]

    def _except(self: Any, tab: str, *_: Any) -> list[str]:
        name = self.pick('x', 'y', 'z')
        value = f'{name} = positive({self.float(1)})'
        handled = self.pick('n = m', f'{name} = np.float64(0.5)', 't = True', 'pass')
        ending = self.pick('', '|else:|    k += 1', '|finally:|    k += 1')
        return self.lines(tab, f'try:|    {value}|except ValueError:|    {handled}{ending}')

    def _begun(self: Any, tab: str, *_: Any) -> list[str]:
        """A `try` block that changes variables before it raises."""
        inner = tab + INDENT
        steps: list[str] = []
        for _ in range(self.choose([1, 2, 3])):
            steps += getattr(self, '_' + self.pick('float', 'int', 'small', 'object', 'optional'))(
                inner)
            steps.append(f'{inner}{self.pick("x", "y", "z")} = positive({self.float(1)})')
        if self.choose([False, True]):
            head = self.pick('for e in w:', 'for i in range(n % 4):', 'while k < 2:|    k += 1')
            steps = [*self.lines(inner, head), *(INDENT + line for line in steps)]
        handled = self.pick('n = m', 'x = y', 't = True', 'pass', 'raise KeyError', 'o.n += 1')
        kinds = self.pick('ValueError', 'Exception', '(KeyError, ValueError)')
        return [f'{tab}try:', *steps, f'{tab}except {kinds}:', inner + handled]

    def _helper(self: Any, tab: str, *_: Any) -> list[str]:
        self.loops += 1
        name = f'h{self.loops}'
        body = self.pick(
            'nonlocal k|    k += 1|    return r * f',
            'nonlocal x|    if r > 1:|        x = x - r|    return x',
            'if r > x:|        return r|    return r + f * y', 'return max(r, x) if f > 1 else r',
        )  # fmt: skip
        call = self.pick(f'{name}(x)', f'{name}(y, 2.0)', f'{name}(f=x, r=z)')
        return self.lines(
            tab,
            f'def {name}(r, f={self.pick("1.5", "x", "2")}):|    {body}|z = np.float64({call})')

    def _walrus(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            f'if (z := np.float64({self.float(1)})) > y and (m := n + 1) > 2:|    x = z',
            'y = (z := x * 2) + z', f'p = (z := np.float64({self.float(0)})), k',
            'if not (z := x - y) > 0 or (y := x) > 1:|    x = y',
        ))  # fmt: skip

    def _gather(self: Any, tab: str, *_: Any) -> list[str]:
        return self.lines(tab, self.pick(
            f'out = [e * 2 for e in w if e > {self.float(0)}] or [x]',
            'out = [*out, y]', 'z = np.float64(sum(e * f for e in w for f in out if e > f))',
            "for key in d:|    d[key] += 1", 'first, *rest = [x, *out]|z = first + len(rest)',
            'v = np.array([e if e > x else y for e in w])',
        ))  # fmt: skip
