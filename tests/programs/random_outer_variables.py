"""Random functions that set variables of their module, themselves and by what they call.

`g` and `h` are floats, `n` is an int; `x` is a float64 scalar, `xs` an array. They are read and set
in nested branches and loops, before something is printed, raised or caught, or Python is called.
"""
from __future__ import annotations

import random

INDENT = '    '
HEAD = '''
g, h, n = 0.0, 1.5, 0

def look():
    return g + h

def see():
    SEEN.append((float(g), float(h), int(n)))

def bump(x):
    global h
    h = h + x
    return h

def maybe(x):
    global g, n
    if x > 1:
        g = g - x
        n += 1
    return x

def reset(x):
    global g
    g = 0.25
    return x
'''


def module_text(seed: int) -> str:
    """The text of a module with a random `f(x, xs)`."""
    writer = _Writer(random.Random(seed))
    body = [line for _ in range(4) for line in writer.statement(3)]
    last = f'return {writer.value()}'
    return '\n'.join([HEAD, 'def f(x, xs):', *_in(['global g, h, n', *body, last])])


def _in(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.loops = 0
        self.inside = 0

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def number(self) -> str:
        return self.pick('x', 'x', 'g', 'h', 'g', 'h', 'n', '0.5', '-2.0', 'look()', 'bump(x)',
                         'maybe(x)')  # fmt: skip

    def value(self) -> str:
        return f'{self.number()} {self.pick("+", "-")} {self.number()}'

    def test(self) -> str:
        name, bound = self.pick('x', 'x', 'x', 'g', 'h', 'n'), self.pick('-1', '0', '1', '2')
        return f'{name} {self.pick("<", ">")} {bound}{self.pick("", "", " and look() < 3")}'

    def block(self, depth: int) -> list[str]:
        count = self.chance.randint(1, 3)
        return _in([line for _ in range(count) for line in self.statement(depth)])

    def statement(self, depth: int) -> list[str]:
        if depth and self.chance.random() < 0.45:
            return self.compound(depth - 1)
        name = self.pick('g', 'h')
        leave = self.pick('break', 'continue') if self.inside else f'return {self.value()}'
        simple = self.pick(
            f'{name} = {self.value()}', f'{name} += {self.value()}', f'{name} -= {self.number()}',
            f'g, h = {self.value()}, {self.value()}', 'n += 1', f'x = {self.value()}',
            f'{self.pick("bump", "maybe", "reset")}(x)', f'ag.print({name})',
            'ag.py_function(see, [], None)', '',
        )  # fmt: skip
        if simple:
            return [simple]
        raised = f'raise ValueError({self.pick("g", "h", "n", "x")})'
        return [f'if {self.test()}:', INDENT + self.pick(raised, raised, leave)]

    def compound(self, depth: int) -> list[str]:
        match self.pick('if', 'else', 'rows', 'while', 'try'):
            case 'if':
                return [f'if {self.test()}:', *self.block(depth)]
            case 'else':
                return [f'if {self.test()}:', *self.block(depth), 'else:', *self.block(depth)]
            case 'try':
                raising = _in([f'if {self.test()}:', INDENT + 'raise KeyError'])
                return ['try:', *self.block(depth), *raising, *self.handler(depth)]
            case kind:
                self.inside += 1
                body = self.block(depth)
                self.inside -= 1
        if kind == 'rows':
            return ['for x in xs:', *body]
        self.loops += 1
        turn = f'i{self.loops}'
        head = f'while {turn} < 3 and {self.test()}:'
        return [f'{turn} = 0', head, f'{INDENT}{turn} += 1', *body]

    def handler(self, depth: int) -> list[str]:
        return ['except KeyError:', *self.block(depth)]
