"""Random programs: what the analyses say against what Python does on every way through them.

A program branches where it calls `choose()`. It is run once for each sequence of answers, its
names in a mapping that notes every access; the notes, read backwards, say which names were live,
and read forwards, which had no value. The analyses must say exactly the same where nothing raises,
and at least as much where an exception may come from anywhere in a `try`.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import gast
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph_lite.analysis.reaching import Source

NAMES = 'abc'
CHOICES = 12


class Returned(BaseException):
    """Stands for `return`, which a module cannot have."""


class CutOff(BaseException):
    """A way that is too long to follow."""


class Run(dict[str, Any]):
    """The names of one run, and the notes about it: `(event, line, name)`."""

    def __init__(self, answers: list[bool]) -> None:
        super().__init__()
        self.answers = answers
        self.asked = 0
        self.notes: list[tuple[str, int, str]] = []
        self.over = False
        self.around: dict[str, Any] = {
            'choose': self.choose, 'before': self.before, 'after': self.after,
            'turns': self.turns, 'risk': self.risk, 'with_': nullcontext, 'Returned': Returned,
        }  # fmt: skip

    def note(self, event: str, name: str) -> None:
        if not self.over:
            self.notes.append((event, sys._getframe(2).f_lineno, name))

    def __getitem__(self, name: str) -> Any:
        if name in self.around:
            return self.around[name]
        if name not in NAMES:
            raise KeyError(name)
        self.note('read', name)
        return 1

    def __setitem__(self, name: str, value: Any) -> None:
        self.note('write', name)

    def __delitem__(self, name: str) -> None:
        self.note('delete', name)

    def choose(self, *_: object) -> bool:
        if self.asked == len(self.answers):
            if self.asked == CHOICES:
                self.over = True
                raise CutOff
            self.answers.append(False)
        self.asked += 1
        return self.answers[self.asked - 1]

    def turns(self, *_: object) -> Iterator[int]:
        while self.choose():
            yield 1

    def risk(self, *_: object) -> int:
        if self.choose():
            raise ValueError
        return 1

    def before(self, line: int) -> None:
        self.note('before', str(line))

    def after(self, line: int) -> None:
        self.note('after', str(line))


class Instrumented(ast.NodeTransformer):
    """Notes before and after each statement, and `return` as an exception."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ('body', 'orelse', 'finalbody'):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [each for stmt in block for each in self.noted(stmt)])
        return node

    def noted(self, statement: ast.stmt) -> list[ast.stmt]:
        line = statement.lineno
        before, after = ast.parse(f'before({line})\nafter({line})').body
        if isinstance(statement, ast.Return):
            values = [statement.value] if statement.value else []
            call = ast.Call(ast.Name('Returned', ast.Load()), values, [])
            statement = ast.copy_location(ast.Raise(call, None), statement)
        for each in (before, after):
            for part in ast.walk(each):
                ast.copy_location(part, statement)
        return [before, ast.fix_missing_locations(statement), after]


class Observed:
    """What all runs of a program together have shown."""

    def __init__(self, source: str) -> None:
        self.live_in: dict[int, set[str]] = {}
        self.live_out: dict[int, set[str]] = {}
        self.bound: dict[int, set[str]] = {}
        self.unbound: dict[int, set[str]] = {}
        self.unbound_reads: set[tuple[int, str]] = set()
        function = ast.parse(source).body[0]
        assert isinstance(function, ast.FunctionDef)
        instrumented: Any = Instrumented().generic_visit(function)
        module = ast.Module(instrumented.body, [])
        code = compile(module, '<program>', 'exec')
        answers: list[bool] = []
        while True:
            run = Run(answers)
            with suppress(Returned, CutOff, ValueError):
                exec(code, {}, run)
            self._backward(run.notes)
            self._forward(run.notes)
            answers = run.answers[: run.asked]
            while answers and answers[-1]:
                answers.pop()
            if not answers:
                return
            answers[-1] = True

    def _backward(self, notes: list[tuple[str, int, str]]) -> None:
        live: set[str] = set()
        for event, _, name in reversed(notes):
            if event == 'before':
                self.live_in.setdefault(int(name), set()).update(live)
            elif event == 'after':
                self.live_out.setdefault(int(name), set()).update(live)
            elif event == 'write':
                live.discard(name)
            else:
                live.add(name)

    def _forward(self, notes: list[tuple[str, int, str]]) -> None:
        bound: set[str] = set()
        unbound = set(NAMES)  # a name that was read in vain is in neither: Python had stopped
        for event, line, name in notes:
            if event == 'before':
                self.bound.setdefault(int(name), set()).update(bound)
                self.unbound.setdefault(int(name), set()).update(unbound)
                continue
            if event != 'write' and name in unbound:
                self.unbound_reads.add((line, name))
            unbound.discard(name)
            if event == 'write':
                bound.add(name)
            elif event == 'delete':
                bound.discard(name)
                unbound.add(name)


class Writer:
    """Writes a random program of a few statements."""

    def __init__(self, draw: Any, raising: bool) -> None:
        self.draw = draw
        self.raising = raising
        self.lines: list[str] = []
        self.left = 7  # statements
        self.choices = 4

    def pick(self, *options: str) -> str:
        return str(self.draw(st.sampled_from(options)))

    def name(self) -> str:
        return self.pick(*NAMES)

    def value(self) -> str:
        value = self.pick('1', 'NAME', 'NAME + NAME', '(NAME := NAME)', 'CHOICE', 'RISK')
        if value == 'RISK':
            value = f'risk({self.name()})' if self.raising and self.use_choice() else '2'
        if value == 'CHOICE':
            value = self.condition() + self.pick(' and NAME', ' or (NAME := 2)', ' IF')
            value = f'NAME if {value[:-3]} else NAME' if value.endswith('IF') else value
        while 'NAME' in value:
            value = value.replace('NAME', self.name(), 1)
        return value

    def use_choice(self) -> bool:
        self.choices -= 1
        return self.choices >= 0

    def condition(self) -> str:
        self.use_choice()
        call = f'choose({self.pick("", "NAME", "NAME := 1").replace("NAME", self.name())})'
        kind = self.pick('plain', 'plain', 'plain', 'not', 'and', 'or')
        if kind == 'plain' or not self.use_choice():
            return call
        if kind == 'not':
            return f'not {call}'
        return f'(choose() {kind} {self.pick("", "not ")}{call})'

    def block(self, depth: int, in_loop: bool) -> None:
        count = self.draw(st.integers(1, 3))
        for _ in range(count):
            self.statement(depth, in_loop)

    def line(self, depth: int, text: str) -> None:
        self.lines.append('    ' * depth + text)

    def statement(self, depth: int, in_loop: bool) -> None:
        self.left -= 1
        kinds = ['assign', 'assign', 'read', 'augment', 'delete', 'two']
        if self.left > 0 and depth < 4:
            kinds += ['with']
            if self.choices > 0:
                kinds += ['if', 'if', 'else', 'match', 'while', 'for', 'forever']
            if self.raising:
                kinds += ['except', 'finally', 'both']
        if in_loop:
            kinds += ['break', 'continue']
        kinds += ['return'] * (depth > 1)
        getattr(self, 'write_' + self.pick(*kinds))(depth, in_loop)

    def write_assign(self, depth: int, _: bool) -> None:
        self.line(depth, f'{self.name()} = {self.value()}')

    def write_read(self, depth: int, _: bool) -> None:
        self.line(depth, self.value())

    def write_augment(self, depth: int, _: bool) -> None:
        self.line(depth, f'{self.name()} += {self.name()}')

    def write_delete(self, depth: int, _: bool) -> None:
        self.line(depth, f'del {self.name()}')

    def write_two(self, depth: int, _: bool) -> None:
        self.line(depth, f'{self.name()}, *{self.name()} = {self.name()}, 1')

    def write_return(self, depth: int, _: bool) -> None:
        self.line(depth, f'return {self.name()}')

    def write_break(self, depth: int, _: bool) -> None:
        self.line(depth, 'break')

    def write_continue(self, depth: int, _: bool) -> None:
        self.line(depth, 'continue')

    def write_if(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f'if {self.condition()}:')
        self.block(depth + 1, in_loop)

    def write_else(self, depth: int, in_loop: bool) -> None:
        self.write_if(depth, in_loop)
        if self.pick('else', 'elif') == 'elif' and self.choices > 0:
            self.line(depth, f'elif {self.condition()}:')
            self.block(depth + 1, in_loop)
        self.line(depth, 'else:')
        self.block(depth + 1, in_loop)

    def write_with(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f'with with_({self.name()}) as {self.name()}:')
        self.block(depth + 1, in_loop)

    def write_match(self, depth: int, in_loop: bool) -> None:
        self.use_choice()
        self.line(depth, f'match choose({self.name()}):')
        self.line(depth + 1, self.pick('case True:', f'case {self.name()} if {self.condition()}:'))
        self.block(depth + 2, in_loop)
        if self.pick('more', 'last') == 'more':
            self.line(depth + 1, f'case {self.name()}:')
            self.block(depth + 2, in_loop)

    def write_while(self, depth: int, _: bool) -> None:
        self.line(depth, f'while {self.condition()}:')
        self.rest_of_loop(depth)

    def write_forever(self, depth: int, _: bool) -> None:
        self.line(depth, 'while True:')
        self.line(depth + 1, f'if {self.condition()}:')
        self.line(depth + 2, 'break')
        self.rest_of_loop(depth)

    def write_for(self, depth: int, _: bool) -> None:
        self.use_choice()
        self.line(depth, f'for {self.name()} in turns({self.name()}):')
        self.rest_of_loop(depth)

    def rest_of_loop(self, depth: int) -> None:
        self.block(depth + 1, True)
        if self.pick('else', 'no') == 'else':
            self.line(depth, 'else:')
            self.block(depth + 1, False)

    def write_except(self, depth: int, in_loop: bool) -> None:
        self.line(depth, 'try:')
        self.block(depth + 1, in_loop)
        self.handlers(depth, in_loop)

    def handlers(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f'except ValueError{self.pick("", f" as {self.name()}")}:')
        self.block(depth + 1, in_loop)
        if self.pick('else', 'no') == 'else':
            self.line(depth, 'else:')
            self.block(depth + 1, in_loop)

    def write_finally(self, depth: int, in_loop: bool) -> None:
        self.line(depth, 'try:')
        self.block(depth + 1, in_loop)
        self.line(depth, 'finally:')
        self.block(depth + 1, False)

    def write_both(self, depth: int, in_loop: bool) -> None:
        self.line(depth, 'try:')
        self.block(depth + 1, in_loop)
        self.handlers(depth, in_loop)
        self.line(depth, 'finally:')
        self.block(depth + 1, False)


@st.composite
def programs(draw: Any, raising: bool) -> str:
    writer = Writer(draw, raising)
    writer.line(0, 'def f():')
    writer.block(1, False)
    writer.statement(1, False)
    return '\n'.join(writer.lines) + '\n'


Facts = dict[str, set[tuple[int, str]]]


def observed(source: str) -> tuple[Facts, set[int], set[int]]:
    """What the runs have shown, as pairs of a line and a name; the lines begun and ended."""
    seen = Observed(source)
    facts = {
        fact: {(line, name) for line, names in getattr(seen, fact).items() for name in names}
        for fact in ('live_in', 'live_out', 'bound', 'unbound')
    }
    return {**facts, 'unbound_reads': seen.unbound_reads}, set(seen.live_in), set(seen.live_out)


def said(whole: Any) -> Facts:
    """The same facts from the analyses."""
    names = [name for name in whole.names() if name.root in NAMES]
    facts: Facts = {
        'unbound_reads': {(read.lineno, read.id) for read in whole.reaching.unbound_reads}
    }
    tests: dict[str, Callable[[Any, Any], bool]] = {
        'live_in': lambda node, name: name in whole.liveness.live_in[node],
        'live_out': lambda node, name: name in whole.liveness.live_out[node],
        'bound': lambda node, name: any(
            definition.source is not Source.UNBOUND
            for definition in whole.reaching.before(node, name)
        ),
        'unbound': lambda node, name: whole.reaching.maybe_unbound(node, name),
    }
    for fact, holds in tests.items():
        statements = [node for node in whole.liveness.live_in if isinstance(node, gast.stmt)]
        facts[fact] = {
            (node.lineno, name.root) for node in statements for name in names if holds(node, name)
        }
    return facts


def compare(whole: Any, source: str) -> tuple[Facts, Facts]:
    """What the runs have shown and the analyses have not said, and the other way round."""
    own = whole.scopes.cfg.symbols.locals
    (seen, begun, ended), told = observed(source), said(whole)
    missed, added = {}, {}
    for fact in seen:
        pairs = {(line, name) for line, name in seen[fact] if name in own or 'live' in fact}
        missed[fact] = pairs - told[fact]
        told[fact] = {(line, name) for line, name in told[fact] if name in own or 'live' in fact}
        reached = ended if fact == 'live_out' else begun
        added[fact] = {pair for pair in told[fact] - seen[fact] if pair[0] in reached}
    return missed, added


NOTHING: Facts = {
    fact: set() for fact in ('live_in', 'live_out', 'bound', 'unbound', 'unbound_reads')
}


@settings(max_examples=300)
@given(source=programs(raising=False))
def test_exactly_what_runs_show(analyse: Any, source: str) -> None:
    missed, added = compare(analyse(source), source)
    assert (missed, added) == (NOTHING, NOTHING), source


@settings(max_examples=300)
@given(source=programs(raising=True))
def test_at_least_what_runs_with_exceptions_show(analyse: Any, source: str) -> None:
    missed, _ = compare(analyse(source), source)
    assert missed == NOTHING, source


@pytest.mark.parametrize(
    ('right', 'wrong', 'fact'),
    [
        ('c = a', 'c = b', 'live_in'),
        ('c = a', 'a = c', 'live_out'),
        ('c = a', 'del b', 'bound'),
        ('a += 1', 'del a', 'unbound'),
        ('c = a', 'c = 1', 'unbound_reads'),
    ],
)
def test_the_comparison_finds_what_is_wrong(
    analyse: Any, right: str, wrong: str, fact: str
) -> None:
    source = 'def f():\n    if choose():\n        a = 1\n    b = 1\n    RIGHT\n    return a\n'
    missed, added = compare(analyse(source.replace('RIGHT', wrong)), source.replace('RIGHT', right))
    assert missed[fact] or added[fact]
