"""Random programs: whole functions with every kind of control flow, as text."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

NAMES = ('a', 'b', 'c', 'd')
INDENT = '    '

Choose = Callable[[Sequence[Any]], Any]


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """The text of a random program."""
    return program(lambda options: draw(st.sampled_from(options)))


def program(choose: Choose) -> str:
    """The text of a function `f(a, b, o, xs)`; `c` and `d` may be without a value in it.

    `note` records what it is called with and in which order; `o` is an object and `xs` a list.
    """
    writer = _Writer(choose)
    lines = ['def f(a, b, o, xs):', *writer.prologue(), *writer.block(1, 4, in_loop=False)]
    if choose([True, False]):
        lines += [INDENT + 'return ' + writer.expression()]
    return '\n'.join(lines) + '\n'


class _Writer:
    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.closures: list[str] = []
        self.keeps = False
        self.left = 25  # statements that may still be written

    def pick(self, *choices: str) -> str:
        return str(self.choose(choices))

    def prologue(self) -> Iterator[str]:
        if self.choose(range(4)) == 0:
            yield INDENT + 'global g'
            self.globals = ('g',)
        else:
            self.globals = ()
        if self.choose(range(4)) == 0:
            yield INDENT + 'c = 0'
            yield INDENT + 'def bump(x):'
            yield INDENT * 2 + 'nonlocal c'
            yield INDENT * 2 + 'c = c + x'
            yield INDENT * 2 + 'return c + a'
            self.closures = ['bump']
        if self.choose(range(4)) == 0:
            yield INDENT + 'fs = []'
            self.keeps = True

    def target(self) -> str:
        return self.pick(*NAMES, 'o.n', "o.t['k']", *self.globals)

    def operand(self) -> str:
        return self.pick(*NAMES, 'a', 'b', '1', '2', 'o.n', "o.t['k']", 'len(xs)', *self.globals)

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.choose([False, True]):
            return self.operand()
        kind = self.pick('+', '-', '-', 'if', 'note', 'closure', 'test', 'item')
        if kind == 'if':
            one, test, other = (
                self.expression(depth - 1), self.test(depth - 1), self.expression(depth - 1))
            return f'({one} if {test} else {other})'
        if kind == 'note':
            return f'note({self.expression(depth - 1)})'
        if kind == 'closure' and self.closures:
            return f'bump({self.expression(depth - 1)})'
        if kind == 'test':
            return f'({self.test(depth - 1)})'
        if kind == 'item':
            return f'xs[{self.expression(depth - 1)} % 3]'
        operator = kind if kind in '+-' else '+'
        return f'({self.expression(depth - 1)} {operator} {self.expression(depth - 1)})'

    def test(self, depth: int = 2) -> str:
        kind = self.pick('compare', 'compare', 'chain', 'and', 'or', 'not', 'walrus', 'plain')
        if depth == 0 or kind == 'compare':
            return f'{self.operand()} {self.pick("<", ">", "==", "!=")} {self.operand()}'
        if kind == 'chain':
            return f'{self.operand()} < {self.expression(depth - 1)} <= {self.operand()}'
        if kind in ('and', 'or'):
            return f'{self.test(depth - 1)} {kind} ({self.test(depth - 1)})'
        if kind == 'not':
            return f'not ({self.test(depth - 1)})'
        if kind == 'walrus':
            return f'({self.pick("c", "d")} := {self.expression(depth - 1)}) > 2'
        return self.operand()

    def block(self, indent: int, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose([1, 2, 3, 4])):
            lines += self.statement(indent, depth, in_loop)
        return lines

    def statement(self, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab = INDENT * indent
        self.left -= 1
        simple = ['assign', 'assign', 'augment', 'note', 'swap', 'item', 'return', 'rare']
        if in_loop:
            simple += ['break', 'continue', 'break if', 'continue if']
        compound = ['if', 'if', 'if else', 'elif', 'while', 'for', 'for else', 'while else',
                    'while true', 'try', 'with', 'guard']
        kinds = simple if depth == 0 or self.left < 0 else simple + compound
        kind = self.pick(*kinds)

        def inner(loop: bool = in_loop) -> list[str]:
            return self.block(indent + 1, depth - 1, loop)

        match kind:
            case 'assign':
                return [f'{tab}{self.target()} = {self.expression()}']
            case 'augment':
                return [f'{tab}{self.target()} += {self.expression()}']
            case 'note':
                return [f'{tab}note({self.expression()})']
            case 'swap':
                targets = f'{self.pick("a", "b")}, {self.pick("c", "d")}'
                return [f'{tab}{targets} = {self.expression()}, {self.expression()}']
            case 'item':
                return [f'{tab}xs[{self.operand()} % 3] = {self.expression()}']
            case 'return':
                return [f'{tab}return {self.pick("", "None", "7", self.expression())}'.rstrip()]
            case 'rare':
                return [self.rare(tab)]
            case 'break' | 'continue':
                return [f'{tab}{kind}']
            case 'break if' | 'continue if':
                return [f'{tab}if {self.test()}:', f'{tab}{INDENT}{kind.split()[0]}']
            case 'guard':
                return [f'{tab}if a is None:', *inner()]
            case 'if':
                return [f'{tab}if {self.test()}:', *inner()]
            case 'if else':
                return [f'{tab}if {self.test()}:', *inner(), f'{tab}else:', *inner()]
            case 'elif':
                return [
                    f'{tab}if {self.test()}:', *inner(), f'{tab}elif {self.test()}:', *inner(),
                    *([f'{tab}else:', *inner()] if self.choose([False, True]) else [])]
            case 'while' | 'while else':
                orelse = [f'{tab}else:', *inner()] if kind == 'while else' else []
                return [f'{tab}while {self.test()}:', f'{tab}{INDENT}turn()', *inner(True), *orelse]
            case 'while true':
                first = [f'{tab}{INDENT}turn()'] if self.choose([False, True]) else []
                leave = f'{tab}{INDENT}if turn() > 3 or {self.test(1)}:'
                jump = self.pick('break', f'return {self.operand()}')
                jump = f'{tab}{INDENT * 2}{jump}'
                return [f'{tab}while True:', *first, leave, jump, *inner(True)]
            case 'for' | 'for else':
                orelse = [f'{tab}else:', *inner()] if kind == 'for else' else []
                head = self.pick(
                    'i in range(3)', 'c in xs', 'i, d in enumerate(xs)', 'i in range(a)',
                    'd in range(2)', 'o.n in range(2)')
                return [f'{tab}for {head}:', f'{tab}{INDENT}turn()', *inner(True), *orelse]
            case 'try':
                return self.guarded(tab, inner)
            case _:
                return [f'{tab}with context():', *inner()]

    def rare(self, tab: str) -> str:
        if self.keeps and self.choose([False, True]):
            return self.pick(
                f'{tab}fs.append(lambda: {self.operand()})', f'{tab}note([k() for k in fs])')
        return self.pick(
            f'{tab}del {self.pick("c", "d")}', f'{tab}raise ValueError',
            f'{tab}assert {self.test()}', f'{tab}pass', f'{tab}xs.append({self.operand()})',
            f'{tab}c = lambda: a; c = c()')

    def guarded(self, tab: str, inner: Callable[[], list[str]]) -> list[str]:
        lines = [f'{tab}try:', *inner()]
        final = self.choose([False, True])
        if not final or self.choose([False, True]):
            lines += [f'{tab}except {self.pick("ValueError", "Exception")}:', *inner()]
            if self.choose(range(4)) == 0:
                lines += [f'{tab}else:', *inner()]
        if final:
            lines += [f'{tab}finally:', f'{tab}{INDENT}note(9)']
        return lines
