"""Which nodes are the user's own, and the text that the user wrote for them.

A node is original if the user's file has the same node at the same position. So nothing needs to be
marked: a node that was changed, or generated in the place of another, differs from what is there.
"""
from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gast

from autograph_lite.pyct.comments import LogicalLine
from autograph_lite.pyct.text import Position, Source, column, first_line, position
from autograph_lite.pyct.tree import Node

BLOCKS = frozenset(('body', 'orelse', 'finalbody', 'handlers', 'cases', 'decorator_list'))


@dataclass(frozen=True)
class Written:
    """What the user wrote for a statement, or for the head of one, from its first character on."""

    lines: tuple[str, ...]
    numbers: range
    indent: str
    logical: LogicalLine

    @property
    def is_long(self) -> bool:
        """Whether it would lose something on one line: a comment its place, or a string's look."""
        return bool(self.logical.inside) or not self.logical.in_string.isdisjoint(self.numbers)

    def indented(self, indent: str) -> list[str]:
        """The lines, those after the first with another indentation, strings unchanged."""
        moved = [self.lines[0]]
        for number, line in zip(self.numbers[1:], self.lines[1:], strict=True):
            if number not in self.logical.in_string:
                has_indent = line.startswith(self.indent)
                rest = line[len(self.indent):] if has_indent else line.lstrip()
                line = indent + rest if rest.strip() else ''
            moved.append(line)
        return moved


class Originals:
    """Looks up nodes of a generated tree in the text that it was generated from."""

    def __init__(self, source: Source | None) -> None:
        self._source = source
        self._known: dict[int, tuple[Node, ast.AST | None]] = {}  # the node, to keep its id

    def at(self, node: Node) -> Any:
        """What the user wrote at a node's position: a node of the same kind, or None."""
        if self._source is None or getattr(node, 'lineno', None) is None:
            return None
        return self._index(node).get(position(node))

    def _index(self, node: Any) -> dict[Position, ast.AST]:
        return self._source.piece(node.lineno).index if self._source else {}

    def original(self, node: Node) -> Any:
        """The user's own node, if this is a copy of it."""
        if id(node) not in self._known:
            old = self.at(node)
            if old is not None and not self._same_fields(node, old, old._fields):
                old = None
            self._known[id(node)] = node, old
        return self._known[id(node)][1]

    def text(self, node: Node) -> str | None:
        """What the user wrote for an expression, if it is original and stands on one line."""
        old = self.original(node)
        if old is None or old.lineno != old.end_lineno or self._source is None:
            return None
        return self._source.segment(old)

    def statement(self, node: Node) -> Written | None:
        """What the user wrote for a simple statement, if it is original."""
        old = self.original(node)
        if old is None or self._source is None:
            return None
        last = self._source.lines[old.end_lineno - 1]
        return self._written(old, old.end_lineno, column(last, old.end_col_offset))

    def head(self, node: Node, text: str) -> Written | None:
        """What the user wrote for a compound statement up to the colon, if that is original.

        `text` is how it is printed otherwise: what was an `elif` may have to be an `if` now.
        """
        old = self.at(node)
        if old is None or self._source is None:
            return None
        fields = [name for name in old._fields if name not in BLOCKS]
        line = self._source.logical_line(old.lineno)
        body = old.cases[0].pattern if isinstance(old, ast.Match) else old.body[0]
        if line is None or first_line(body) <= line.end:  # the body is on the same line
            return None
        if not self._same_fields(node, old, fields):
            return None
        last = self._source.lines[line.end - 1].rstrip().removesuffix(line.trailing)
        written = self._written(old, line.end, len(last))
        return written if written and _word(written.lines[0]) == _word(text) else None

    def _written(self, old: Any, end_line: int, end_column: int) -> Written | None:
        assert self._source is not None
        logical = self._source.logical_line(old.lineno)
        lines = self._source.lines[old.lineno - 1:end_line]
        numbers = range(old.lineno, end_line + 1)
        if logical is None or any(number not in numbers for number, _ in logical.inside):
            return None  # comments of another statement on the same line
        first = lines[0]
        lines[-1] = lines[-1][:end_column]
        lines[0] = lines[0][column(first, old.col_offset):]
        indent = first[:len(first) - len(first.lstrip())]
        return Written(tuple(lines), numbers, indent, logical)

    def _same_fields(self, new: Node, old: Any, names: Iterable[str]) -> bool:
        if isinstance(old, ast.arg):  # in gast a parameter is a name
            return bool(new.id == old.arg) and self._same(new.annotation, old.annotation)
        if isinstance(old, ast.JoinedStr):
            return _alike(new, old)
        pairs = [(getattr(new, name, None), getattr(old, name)) for name in names]
        return self._all_same(pairs)

    def _same(self, new: Any, old: Any) -> bool:
        if isinstance(old, ast.AST):
            if old._attributes:  # it has a position
                return self.original(new) is old
            return type(new).__name__ == type(old).__name__ and (
                self._same_fields(new, old, old._fields))
        if isinstance(old, list):
            return isinstance(new, list) and len(new) == len(old) and (
                self._all_same(zip(new, old, strict=True)))
        value = new.id if isinstance(new, gast.Name) else new  # an exception's name
        return type(value) is type(old) and bool(value == old)

    def _all_same(self, pairs: Iterable[tuple[Any, Any]]) -> bool:
        for new, old in pairs:  # noqa: SIM110  # `all`, being C, cannot nest as deeply as a tree
            if not self._same(new, old):
                return False
        return True


def _alike(new: Any, old: Any) -> bool:
    """Whether two trees are the same but for positions."""
    if isinstance(old, ast.AST):
        return type(new).__name__ == type(old).__name__ and all(
            _alike(getattr(new, name, None), getattr(old, name)) for name in old._fields)
    if isinstance(old, list):
        return isinstance(new, list) and len(new) == len(old) and all(map(_alike, new, old))
    return type(new) is type(old) and bool(new == old)


def _word(text: str) -> str:
    """The keyword that a text begins with."""
    return ''.join(itertools.takewhile(str.isalpha, text))
