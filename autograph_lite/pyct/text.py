"""A source text, taken apart as far as somebody asks: tree, functions, nodes, comments."""
from __future__ import annotations

import ast
import bisect
import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograph_lite.pyct.comments import LogicalLine, logical_lines
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.tree import children

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Position = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class Place:
    """A function in a text, the innermost class around it, and the statement of the module."""

    node: FunctionNode
    enclosing_class: str | None
    statement: ast.stmt

    @property
    def first_line(self) -> int:
        """The line that Python calls a function's first: that of its first decorator."""
        return first_line(self.node)


@dataclass(frozen=True, eq=False)
class Source:
    """The whole text of a file, a notebook cell or another compiled piece of text.

    There is one `Source` for all functions of one version of a file, so what is found out about the
    text is found out once.
    """

    text: str
    filename: str

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines without line ends; the first has the number 1."""
        return self.text.replace('\r\n', '\n').replace('\r', '\n').split('\n')

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The parsed text; shared, so never to be changed."""
        return deeply(ast.parse, self.text, self.filename)

    @functools.cached_property
    def places(self) -> dict[int, list[Place]]:
        """The functions of the text, by their first line."""
        table: dict[int, list[Place]] = {}
        for place in _functions(self.tree):
            table.setdefault(place.first_line, []).append(place)
        return table

    @functools.cached_property
    def _starts(self) -> list[int]:
        """The first lines of the pieces; what is above the first statement belongs to it."""
        starts = [1]
        for before, statement in itertools.pairwise(self.tree.body):
            start, end = first_line(statement), before.end_lineno or before.lineno
            if end < start:  # otherwise they share a line
                starts.append(self._end_of_block(end, start))
        return starts

    @functools.cached_property
    def _pieces(self) -> list[Piece]:
        ends = [start - 1 for start in self._starts[1:]] + [len(self.lines)]
        pieces = [
            Piece(self, start, end, []) for start, end in zip(self._starts, ends, strict=True)]
        for statement in self.tree.body:
            pieces[bisect.bisect(self._starts, statement.lineno) - 1].statements.append(statement)
        return pieces

    def _end_of_block(self, end: int, start: int) -> int:
        """The line after the last indented comment between two statements."""
        indented = (
            line for line in range(start - 1, end, -1) if self.lines[line - 1][:1] in (' ', '\t')
            and self.lines[line - 1].strip())
        return next(indented, end) + 1

    def piece(self, line: int) -> Piece:
        """The piece of the text that a line belongs to."""
        return self._pieces[bisect.bisect(self._starts, line) - 1]

    def logical_line(self, line: int) -> LogicalLine | None:
        """The logical line that a line is part of."""
        return self.piece(line).logical_line(line)

    def segment(self, node: Any) -> str:
        """The text of a node that stands on one line."""
        line: str = self.lines[node.lineno - 1]
        return line[column(line, node.col_offset):column(line, node.end_col_offset)]


    @property
    def logical_lines(self) -> list[LogicalLine]:
        """All logical lines, in order."""
        return [line for piece in self._pieces for line in piece.logical_lines]

    def lines_of(self, node: Any) -> list[LogicalLine]:
        """The logical lines of a statement, without those of its decorators."""
        return [
            line for line in self.piece(node.lineno).logical_lines
            if node.lineno <= line.start <= node.end_lineno]

    def comments(self, statement: Any) -> tuple[str, ...]:
        """The comments in front of a statement, in it, behind it, and after it in its block."""
        if getattr(statement, 'lineno', None) is None:
            return ()
        return tuple(comment for line in self.lines_of(statement) for comment in line.comments)


@dataclass(frozen=True, eq=False)
class Piece:
    """A statement of a module (or several, if they share a line), and the text to the next."""

    source: Source
    start: int
    end: int
    statements: list[ast.stmt]

    @functools.cached_property
    def index(self) -> dict[Position, ast.AST]:
        """The nodes by kind and position; without those inside f-strings, as before 3.12 Python
        does not know where these are."""
        table: dict[Position, ast.AST] = {}
        pending: list[ast.AST] = list(self.statements)
        while pending:
            node = pending.pop()
            if hasattr(node, 'lineno'):
                table[position(node)] = node
            if not isinstance(node, ast.JoinedStr):
                pending.extend(children(node))
        return table

    @functools.cached_property
    def logical_lines(self) -> tuple[LogicalLine, ...]:
        """The logical lines, in order."""
        return logical_lines(self.source.lines[self.start - 1:self.end], self.start)

    @functools.cached_property
    def _by_line(self) -> dict[int, int]:
        return {
            number: index
            for index, line in enumerate(self.logical_lines)
            for number in range(line.start, line.end + 1)
        }

    def logical_line(self, line: int) -> LogicalLine | None:
        """The logical line that a line is part of."""
        index = self._by_line.get(line)
        return None if index is None else self.logical_lines[index]

    def clause(self, keyword: str, body: list[ast.stmt]) -> LogicalLine | None:
        """The line of the `else` or `finally` that has this body."""
        index = self._by_line.get(first_line(body[0]))
        if index is None:
            return None
        for line in self.logical_lines[index], self.logical_lines[index - 1]:
            if line.keyword == keyword:
                return line
        return None


def first_line(node: Any) -> int:
    """The line of the first decorator of a node, or of the node itself."""
    lines: list[int] = [part.lineno for part in (*getattr(node, 'decorator_list', ()), node)]
    return min(lines)


def column(line: str, offset: int) -> int:
    """An offset in bytes, as Python keeps them, as an offset in characters."""
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors='ignore'))


def position(node: Any) -> Position:
    """What tells a node from all others of a text; kinds have the names that gast gives them."""
    kind = 'Name' if isinstance(node, ast.arg) else type(node).__name__
    return kind, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _functions(tree: ast.Module) -> Iterator[Place]:
    pending: list[tuple[ast.AST, str | None, ast.stmt]] = [
        (statement, None, statement) for statement in reversed(tree.body)]
    while pending:
        node, class_name, statement = pending.pop()
        if isinstance(node, FunctionNode):
            yield Place(node, class_name, statement)
        inside = node.name if isinstance(node, ast.ClassDef) else class_name
        for field, value in reversed(list(ast.iter_fields(node))):
            name = inside if field == 'body' else class_name
            for child in reversed(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.AST):
                    pending.append((child, name, statement))
