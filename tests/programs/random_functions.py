"""Random functions over NumPy scalars, arrays and Python numbers, with every kind of control flow.

Variables keep their kind: `x`, `y`, `z` are float64 scalars, `n`, `m` int64 scalars, `k` a Python
int, `q` a Python float, `t` a Python bool, `a` a float32 scalar, `c` an int32 scalar, `b` a bool
scalar, `h` a complex128 scalar, `v` an array that the function owns, `w` one that it does not
modify, `d` a dict, `p` a tuple, `o` an object, `out` a list that grows and shrinks, `best` a
float64 scalar or None.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

INDENT = '    '
FLOATS = ('x', 'y', 'z')
INTS = ('n', 'm')
RESULTS = 'return x, y, z, n, m, v, k, q, t, a, c, b, h, d, p, o.x, o.n, out, best'

Choose = Callable[[Sequence[Any]], Any]


def function_text(choose: Choose) -> str:
    """The text of a random `f(x, y, n, w)`."""
    writer = _Writer(choose)
    lines = [
        'def f(x, y, n, w):',
        INDENT + 'z = x - y',
        INDENT + 'm = n + 1',
        INDENT + 'k = 0',
        INDENT + 'v = w * 2',
        INDENT + 'q = 0.5',
        INDENT + 'a = np.float32(x)',
        INDENT + 'c = np.int32(n)',
        INDENT + "d = {'x': x, 'n': n}",
        INDENT + 'p = (y, 0)',
        INDENT + 'out = [x]',
        INDENT + 'best = None',
        INDENT + 't = False',
        INDENT + 'b = x > y',
        INDENT + 'h = np.complex128(x + y * 1j)',
        INDENT + 'o = Thing(x, n)',
        '',
        INDENT + 'def turns(x, n):',
        INDENT * 2 + 'for _ in range(n % 3):',
        INDENT * 3 + f'if {writer.pick("x > 4", "x < w[1]", "n == 2")}:',
        INDENT * 4 + writer.pick('return x', 'break', 'continue'),
        INDENT * 3 + f'x = x {writer.pick("+ 1", "* 2", "- w[0]")}',
        INDENT * 2 + 'return x * 2',
        '',
        *writer.block(1, 3, in_loop=False),
        INDENT + RESULTS,
    ]
    return '\n'.join(lines) + '\n'


class _Writer:
    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.left = 14
        self.loops = 0
        self.items: list[str] = []
        self.counters: list[str] = []

    def pick(self, *options: str) -> str:
        return str(self.choose(options))

    def float(self, depth: int = 2) -> str:
        leaves = [*FLOATS, *self.items, 'v[n % 4]', 'v.sum()', '1.5', '2', 'w[0]', 'np.float64(n)']
        if depth == 0:
            return self.pick(*leaves)
        a, b = self.float(depth - 1), self.float(depth - 1)
        return self.pick(
            *leaves, f'({a} + {b})', f'({a} - {b})', f'({a} * 0.5)', f'np.tanh({a})',
            f'max({a}, np.float64({b}))', f'({a} if {self.test(depth - 1)} else np.float64({b}))',
            f'abs({a})', f'helper({a}, {b})', f'turns({a}, n)', "d['x']", 'p[0]', 'out[0]',
            'out[-1]', 'v[1:].max()', 'np.float64(sum(out))', 'o.x', 'h.imag', 'abs(h)', 'max(out)',
            f'np.float64(sum([e * 2 for e in w if e > {a}]))',
            f'np.float64(sum(e - {a} for e in w))',
        )  # fmt: skip

    def int(self, depth: int = 1) -> str:
        leaves = [*INTS, *self.counters, '1', '2', 'len(v)']
        if depth == 0:
            return self.pick(*leaves)
        a, b = self.int(depth - 1), self.int(depth - 1)
        return self.pick(
            *leaves, f'({a} + {b})', f'({a} - {b})', f'({a} % 5)', f'({a} // 2)', "d['n']", 'o.n',
            'len(out)', f'sum(1 for e in out if e > {self.float(0)})',
        )  # fmt: skip

    def test(self, depth: int = 2) -> str:
        compared = self.pick(
            f'{self.float(0)} {self.pick("<", ">", "<=")} {self.float(0)}',
            f'{self.int(0)} {self.pick("<", ">", "==", "!=")} {self.int(0)}',
        )
        if depth == 0:
            return compared
        return self.pick(
            compared, compared, f'{compared} and {self.test(depth - 1)}',
            f'{compared} or {self.test(depth - 1)}', f'not ({self.test(depth - 1)})',
            f'-1 < {self.float(0)} < 3', 'np.any(v > 4)', 'b', 't', 'best is None',
            f'any(e > {self.float(0)} for e in w)', f'(z := np.float64({self.float(0)})) > 1',
        )  # fmt: skip

    def block(self, indent: int, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose([1, 2, 3])):
            lines += self.statement(indent, depth, in_loop)
        return lines

    def statement(self, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab = INDENT * indent
        self.left -= 1
        kinds = ['float', 'float', 'int', 'augment', 'item', 'whole', 'rare']
        kinds += ['small', 'nest', 'list', 'optional', 'object', 'part', 'unpack']
        if in_loop:
            kinds += ['break', 'continue', 'counter']
        if depth and self.left > 0:
            kinds += ['if', 'if', 'else', 'elif', 'range', 'rows', 'while', 'forever', 'enumerate']
            kinds += ['finally', 'nested']
        return getattr(self, '_' + self.pick(*kinds))(tab, indent, depth, in_loop)

    def _float(self, tab: str, *_: Any) -> list[str]:
        return [f'{tab}{self.pick(*FLOATS)} = np.float64({self.float()})']

    def _int(self, tab: str, *_: Any) -> list[str]:
        return [f'{tab}{self.pick(*INTS)} = np.int64({self.int()})']

    def _augment(self, tab: str, *_: Any) -> list[str]:
        return [self.pick(
            f'{tab}{self.pick(*FLOATS)} += {self.float()}',
            f'{tab}{self.pick(*INTS)} -= {self.int()}',
            f'{tab}v += {self.float(0)}', f'{tab}v[{self.int(0)} % 4] += {self.float(0)}',
            f'{tab}v[{self.slice()}] -= {self.float(0)}', f'{tab}v[v > {self.float(0)}] *= 2',
        )]  # fmt: skip

    def _item(self, tab: str, *_: Any) -> list[str]:
        return [self.pick(
            f'{tab}v[{self.int()} % 4] = {self.float()}',
            f'{tab}v[{self.slice()}] = {self.float(1)}', f'{tab}v[:2] = w[2:]',
            f'{tab}v[1:] = v[:-1].copy()',
        )]  # fmt: skip

    def slice(self) -> str:
        return self.pick('1:3', ':2', '::2', '::-1', 'n % 4:', f':{self.int(0)} % 4')

    def _whole(self, tab: str, *_: Any) -> list[str]:
        return [self.pick(
            f'{tab}v = v + {self.float(0)}', f'{tab}v = np.where(v > {self.float(0)}, v, w)',
            f'{tab}v[v > {self.float(0)}] = {self.float(0)}', f'{tab}x, y = y, x',
            f'{tab}v = v[::-1].copy()',
        )]  # fmt: skip

    def _counter(self, tab: str, *_: Any) -> list[str]:
        return [f'{tab}k += 1']

    def _rare(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        return self.pick(
            f'if {self.test()}:|    {RESULTS.replace("x, y", "y, x")}',
            f'if {self.test()}:|    raise ValueError(f"{{x:.3f}} and {{n}}")',
            f'assert {self.test()}, "no"',
            'z = np.float64(k)',
        ).replace('|', '\n' + tab).join([tab, '']).split('\n')

    def _small(self, tab: str, *_: Any) -> list[str]:
        return [tab + self.pick(
            'a = a * 2', 'a += 1', 'a = np.float32(x)', 'c = c + 1', 'c -= 3',
            'c = np.int32(m % 7)', 'a = a - np.float32(c)', 'q = q * 0.5', 'q = float(y)', 'q += k',
            't = True', 't = not t', 't = k > 1', 'b = ~b', f'b = b & ({self.float(0)} > 1.0)',
            'b ^= x > z', 'h = h * 0.5', 'h += x', 'h = np.conj(h)', 'h *= 1j',
        )]  # fmt: skip

    def _nest(self, tab: str, *_: Any) -> list[str]:
        return [tab + self.pick(
            f"d = {{'x': np.float64({self.float(1)}), 'n': d['n']}}",
            f"d = {{**d, 'n': np.int64({self.int(0)})}}", 'p = (x, p[1] + 1)',
            'p = (p[0] * 0.5, k)',
        )]  # fmt: skip

    def _list(self, tab: str, *_: Any) -> list[str]:
        return self.pick(
            f'out.append(np.float64({self.float(1)}))', 'out[-1] = x', 'out[0] += y',
            'if len(out) > 1:|    z = out.pop()', 'if len(out) > 2:|    del out[0]',
            'for e in out:|    y += e', f'out.insert(0, np.float64({self.float(0)}))',
        ).replace('|', '\n' + tab).join([tab, '']).split('\n')

    def _optional(self, tab: str, *_: Any) -> list[str]:
        return self.pick(
            'if best is None or x > best:|    best = x', 'if best is not None:|    z = best * 2',
            'best = None', 'best = y', 'best = x if b else None', 'x = y if best is None else best',
        ).replace('|', '\n' + tab).join([tab, '']).split('\n')

    def _object(self, tab: str, *_: Any) -> list[str]:
        return [tab + self.pick(
            f'o.x = np.float64({self.float(1)})', f'o.x += {self.float(0)}', 'o.n += 1',
            f'o.n = np.int64({self.int(0)})', 'o.x, x = x, o.x',
        )]  # fmt: skip

    def _part(self, tab: str, *_: Any) -> list[str]:
        return [tab + self.pick(
            f"d['x'] = np.float64({self.float(1)})", f"d['x'] -= {self.float(0)}", "d['n'] += 1",
            f"d['n'] = np.int64({self.int(0)})",
        )]  # fmt: skip

    def _unpack(self, tab: str, *_: Any) -> list[str]:
        return [tab + self.pick(
            'x, (y, n) = y, (x, m)', 'z, _ = p', 'z, *_ = w', '*_, z = v.copy()',
            'n, m = np.int64(len(out)), n', f'x = y = np.float64({self.float(0)})',
        )]  # fmt: skip

    def _break(self, tab: str, *_: Any) -> list[str]:
        return [f'{tab}if {self.test()}:', f'{tab}{INDENT}break']

    def _continue(self, tab: str, *_: Any) -> list[str]:
        return [f'{tab}if {self.test()}:', f'{tab}{INDENT}continue']

    def _if(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        return [f'{tab}if {self.test()}:', *self.block(indent + 1, depth - 1, in_loop)]

    def _else(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        first = self._if(tab, indent, depth, in_loop)
        return [*first, f'{tab}else:', *self.block(indent + 1, depth - 1, in_loop)]

    def _elif(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        first = self._if(tab, indent, depth, in_loop)
        second = self._else(tab, indent, depth, in_loop)
        return [*first, second[0].replace('if', 'elif', 1), *second[1:]]

    def _finally(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        return [
            f'{tab}try:', *self.block(indent + 1, depth - 1, in_loop), f'{tab}finally:',
            tab + INDENT + self.pick('k += 1', 'x += 1', 'n = m', 't = True'),
        ]  # fmt: skip

    def _nested(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        name = f'g{self.loops}'
        body = [
            f'if s > {self.float(0)}:', f'{INDENT}return s * 2',
            *self.pick(
                'for e in w:|    s = s + e|    if s > 3:|        break',
                's = s - 1|while s > 9:|    s = s * 0.5',
                'if s < 0:|    return np.float64(1)', 's = s - y',
            ).split('|'),
            'return s',
        ]  # fmt: skip
        lines = [tab + INDENT + line for line in body]
        return [
            f'{tab}def {name}(s):', *lines,
            f'{tab}{self.pick(*FLOATS)} = np.float64({name}(np.float64({self.float(1)})))',
        ]

    def _loop(self, head: str, tab: str, indent: int, depth: int, before: list[str]) -> list[str]:
        body = [INDENT * (indent + 1) + line for line in before]
        lines = [tab + head, *body, *self.block(indent + 1, depth - 1, in_loop=True)]
        if self.choose([False, False, True]):
            lines += [f'{tab}else:', *self.block(indent + 1, depth - 1, in_loop=False)]
        return lines

    def _range(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        name = f'i{self.loops}'
        self.counters.append(name)
        bound = self.pick('n % 4', 'len(v)', '3', 'm % 3, 4')
        lines = self._loop(f'for {name} in range({bound}):', tab, indent, depth, [])
        self.counters.remove(name)
        return lines

    def _rows(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        name = f'e{self.loops}'
        self.items.append(name)
        lines = self._loop(f'for {name} in w:', tab, indent, depth, [])
        self.items.remove(name)
        return lines

    def _enumerate(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        item, counter = f'e{self.loops}', f'i{self.loops}'
        self.items.append(item)
        self.counters.append(counter)
        source = self.pick('enumerate(w)', 'zip(range(4), w)', 'enumerate(v.copy())')
        lines = self._loop(f'for {counter}, {item} in {source}:', tab, indent, depth, [])
        self.items.remove(item)
        self.counters.remove(counter)
        return lines

    def _while(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        turns = f't{self.loops}'
        start = self.pick('0', 'np.int64(0)')
        head = f'while {turns} < {self.pick("3", "n % 4")} and ({self.test(1)}):'
        return [f'{tab}{turns} = {start}', *self._loop(head, tab, indent, depth, [f'{turns} += 1'])]

    def _forever(self, tab: str, indent: int, depth: int, in_loop: bool) -> list[str]:
        self.loops += 1
        turns = f't{self.loops}'
        leave = [f'{turns} += 1', f'if {turns} > 3 or {self.test(1)}:', f'{INDENT}break']
        body = [INDENT * (indent + 1) + line for line in leave]
        return [
            f'{tab}{turns} = 0', f'{tab}while True:', *body,
            *self.block(indent + 1, depth - 1, in_loop=True),
        ]  # fmt: skip
