"""From a gast tree to text: statements by a subclass of astunparse's, expressions by `ast.unparse`."""
from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import astunparse
import gast

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.expressions import bare, one_line
from autograph_lite.pyct.source import Source
from autograph_lite.pyct.tree import Node, is_gast, to_gast

WIDTH = 88
INDENT = '    '


@dataclass(frozen=True)
class Printed:
    """Generated text, and for each of its lines the user's line it came from."""

    text: str
    lines: tuple[int | None, ...]


def unparse(tree: Node, source: Source | None = None, width: int = WIDTH) -> Printed:
    """The text of a tree, or of a list of statements."""
    return deeply(_unparse, tree, source, width)


def fits(statement: Node, indent: int, width: int = WIDTH) -> bool:
    """Whether a statement prints on one line when it is indented by so many characters."""
    lines = unparse(statement, width=10**9).text.split('\n')
    return len(lines) == 1 and indent + len(lines[0]) <= width


def _unparse(tree: Node, source: Source | None, width: int) -> Printed:
    printer = _Printer(source, width)
    nodes = tree if isinstance(tree, list) else [tree]
    nodes = [node if is_gast(node) else to_gast(node) for node in nodes]
    if isinstance(nodes[0], ast.expr):
        printer.fill(one_line(nodes[0]))
    else:
        printer.block(nodes[0].body if isinstance(nodes[0], ast.mod) else nodes)
    return Printed('\n'.join(printer.text), tuple(printer.lines))


class _Printer(astunparse.Unparser):  # type: ignore[misc]  # astunparse is untyped
    def __init__(self, source: Source | None, width: int) -> None:
        # The base class prints while it is initialised, to a file; this one keeps lines.
        self.source = source
        self.width = width
        self.text: list[str] = []
        self.lines: list[int | None] = []
        self.line: int | None = None
        self._indent = 0

    # lines

    def fill(self, text: str = '') -> None:
        self.text.append(INDENT * self._indent + text)
        self.lines.append(self.line)

    def write(self, text: str) -> None:
        self.text[-1] += text

    def blank(self) -> None:
        if self.text and self.text[-1]:
            self.text.append('')
            self.lines.append(None)

    def dispatch(self, tree: Node) -> None:
        if isinstance(tree, list):
            self.block(tree)
        elif isinstance(tree, ast.expr):
            self.write(one_line(tree))
        else:
            super().dispatch(tree)

    def block(self, statements: list[Node]) -> None:
        for index, statement in enumerate(statements):
            is_definition = isinstance(statement, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef)
            if is_definition and index:
                self.blank()
            self.line = getattr(statement, 'lineno', None)
            self.dispatch(statement)
            if is_definition and index + 1 < len(statements):
                self.blank()

    # statements with a value

    def _valued(self, head: str, value: Node) -> None:
        text = head + bare(value)
        if len(INDENT) * self._indent + len(text) <= self.width or not isinstance(value, gast.Call):
            self.fill(text)
            return
        pieces = [one_line(argument) for argument in value.args]
        pieces += [_keyword(keyword) for keyword in value.keywords]
        if not pieces:
            self.fill(text)
            return
        self.fill(head + one_line(gast.Call(value.func, [], []))[:-1])
        room = self.width - len(INDENT) * (self._indent + 1)
        lines = [pieces[0]]
        for piece in pieces[1:]:
            if len(lines[-1]) + len(piece) + 3 <= room:
                lines[-1] += ', ' + piece
            else:
                lines[-1] += ','
                lines.append(piece)
        lines[-1] += ')'
        self._indent += 1
        for line in lines:
            self.fill(line)
        self._indent -= 1

    def _Expr(self, t: Node) -> None:
        self._valued('', t.value)

    def _Return(self, t: Node) -> None:
        if t.value is None:
            self.fill('return')
        else:
            self._valued('return ', t.value)

    def _Assign(self, t: Node) -> None:
        self._valued(''.join(bare(target) + ' = ' for target in t.targets), t.value)

    def _AugAssign(self, t: Node) -> None:
        self._valued(f'{one_line(t.target)} {self.binop[type(t.op).__name__]}= ', t.value)

    def _For(self, t: Node) -> None:
        self._for('for ', t)

    def _AsyncFor(self, t: Node) -> None:
        self._for('async for ', t)

    def _for(self, keyword: str, t: Node) -> None:
        self.fill(f'{keyword}{bare(t.target)} in {bare(t.iter)}')
        self._body(t.body)
        self._else(t.orelse)

    def _body(self, statements: list[Node]) -> None:
        self.enter()
        self.block(statements)
        self.leave()

    def _else(self, statements: list[Node]) -> None:
        if statements:
            self.line = None
            self.fill('else')
            self._body(statements)

    def _FunctionDef(self, t: Node) -> None:
        self._function('def ', t)

    def _AsyncFunctionDef(self, t: Node) -> None:
        self._function('async def ', t)

    def _function(self, keyword: str, t: Node) -> None:
        for decorator in t.decorator_list:
            self.fill('@' + one_line(decorator))
        self.fill(f'{keyword}{t.name}(')
        self.dispatch(t.args)
        self.write(')')
        if t.returns is not None:
            self.write(' -> ' + one_line(t.returns))
        self._body(t.body)

    def _arguments(self, t: Node) -> None:
        self.write(', '.join(_parameters(t)))

    def _ExceptHandler(self, t: Node) -> None:
        self.fill('except')
        if t.type is not None:
            self.write(' ' + one_line(t.type))
        if t.name is not None:
            self.write(' as ' + t.name.id)
        self._body(t.body)


def _keyword(keyword: Node) -> str:
    return f'{keyword.arg}={one_line(keyword.value)}' if keyword.arg else f'**{one_line(keyword.value)}'


def _parameters(t: Node) -> list[str]:
    plain = [*t.posonlyargs, *t.args]
    defaults: list[Any] = [None] * (len(plain) - len(t.defaults)) + list(t.defaults)
    parameters = [_parameter(name, default) for name, default in zip(plain, defaults, strict=True)]
    if t.posonlyargs:
        parameters.insert(len(t.posonlyargs), '/')
    if t.vararg is not None:
        parameters.append('*' + _parameter(t.vararg))
    elif t.kwonlyargs:
        parameters.append('*')
    parameters += [_parameter(name, default) for name, default in zip(t.kwonlyargs, t.kw_defaults, strict=True)]
    if t.kwarg is not None:
        parameters.append('**' + _parameter(t.kwarg))
    return parameters


def _parameter(name: Node, default: Node = None) -> str:
    text = str(name.id)
    if name.annotation is not None:
        text += ': ' + one_line(name.annotation)
    if default is not None:
        text += f' = {one_line(default)}' if name.annotation is not None else f'={one_line(default)}'
    return text
