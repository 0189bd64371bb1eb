"""The statements of a user's file: where each begins, what it stands in, who reads its values."""
from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Container, Iterator
from dataclasses import dataclass

from ..pyct.deep import deeply

Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.While
Jump = ast.Break | ast.Continue | ast.Return | ast.Raise


@functools.lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module:
    """The tree of a file; without statements where it is no Python, such as a cell with magics."""
    try:
        return deeply(ast.parse, text)
    except SyntaxError:
        return ast.Module([], [])


@dataclass(eq=False)
class Statement:
    """A statement, or a case of a `match`.

    Attributes:
      node: the statement itself.
      line: where it begins.
      blocks: what it stands in.
      reads, binds: the names in it, but for those in its blocks.
    """

    node: ast.stmt | ast.match_case
    line: int
    blocks: Blocks
    reads: frozenset[str]
    binds: frozenset[str]

    @property
    def around(self) -> Iterator[Statement]:
        """The statements around it, the innermost first, up to the function."""
        for statement, _ in reversed(self.blocks):
            if isinstance(statement.node, Function):
                return
            yield statement

    @property
    def function(self) -> Statement | None:
        """The function that it stands in."""
        found = (each for each, _ in reversed(self.blocks) if isinstance(each.node, Function))
        return next(found, None)

    def is_in(self, other: Statement) -> bool:
        """Whether it stands in a block of another."""
        return any(each is other for each, _ in self.blocks)

    def role_in(self, other: Statement) -> str:
        """What the block of another in which it stands is called in a graph."""
        block = dict(self.blocks)[other]
        if isinstance(other.node, Loop):
            return 'body' if block == 'body' else 'true'
        if isinstance(other.node, ast.Try):
            return 'try' if block == 'body' else 'except'
        return 'true' if block == 'body' else 'false'

    def excludes(self, other: Statement) -> bool:
        """Whether the two stand in different branches of one `if` or `match`."""
        own = dict(self.blocks)
        for each, block in other.blocks:
            if isinstance(each.node, ast.If | ast.Match) and own.get(each, block) != block:
                return True
        return False


# The statements around one, the outermost first, each with the block of it that this is.
Blocks = tuple[tuple[Statement, str], ...]


class Statements:
    """The statements of one file.

    Attributes:
      filename: the file.
      all: every statement, in the order of the text.
    """

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self._lines = linecache.getlines(filename)
        self._starts: dict[int, int] = {}
        self.all: list[Statement] = []
        self._read(_parsed(''.join(self._lines)), None, ())
        self.all.sort(key=lambda statement: statement.line)
        self._at: dict[int, Statement] = {}
        self._of: dict[Statement | None, list[Statement]] = {}
        for statement in self.all:
            self._at.setdefault(statement.line, statement)
            self._of.setdefault(statement.function, []).append(statement)

    def start(self, line: int) -> int:
        """The first line of the statement, or of the head, that a line belongs to."""
        return self._starts.get(line, line)

    def at(self, line: int) -> Statement | None:
        """The statement that a line belongs to."""
        return self._at.get(self.start(line))

    def function_at(self, line: int) -> Statement | None:
        """The function that begins at a line, perhaps with a decorator."""
        found = self.at(line)
        return found if found is not None and isinstance(found.node, Function) else None

    def returns(self, function: Statement) -> list[int]:
        """The lines that return from a function."""
        return [each.line for each in self.of(function) if isinstance(each.node, ast.Return)]

    def of(self, function: Statement | None) -> list[Statement]:
        """The statements of a function, in the order of the text."""
        return self._of.get(function, [])

    def readers(
        self, writer: Statement, staged: Container[tuple[str, int]]
    ) -> list[tuple[Statement, str]]:
        """The statements that may read what a statement binds, each with the name.

        Args:
          writer: the statement.
          staged: where branches and loops begin that give variables new values as a whole.
        """
        found: list[tuple[Statement, str]] = []
        own = self.of(writer.function)
        for name in sorted(writer.binds):
            later = [each for each in own if each.line > writer.line]
            is_bound = self._find(found, writer, name, later, staged)
            for loop in writer.around if not is_bound else ():
                if isinstance(loop.node, Loop):  # what its next turn reads
                    turn = [each for each in own if each is loop or each.is_in(loop)]
                    earlier = [each for each in turn if each.line <= writer.line]
                    if (self.filename, loop.line) not in staged:
                        self._find(found, writer, name, earlier, staged)
                    elif any(name in each.reads for each in earlier):
                        found.append((loop, name))
                    break
        return found

    def _find(
        self,
        found: list[tuple[Statement, str]],
        writer: Statement,
        name: str,
        statements: list[Statement],
        staged: Container[tuple[str, int]],
    ) -> bool:
        """Adds those that read a name, in this order; whether it is bound anew at last."""
        around = set(writer.blocks)
        for each in statements:
            if each.excludes(writer):
                continue
            is_block = (self.filename, each.line) in staged and not writer.is_in(each)
            if is_block and any(
                name in other.binds for other in statements if other is each or other.is_in(each)
            ):
                found.append((each, name))
                return True
            if name in each.reads:
                found.append((each, name))
            if name in each.binds and each is not writer and around.issuperset(each.blocks):
                return True
        return False

    # Reading the tree.

    def _read(
        self, node: ast.AST, owner: Statement | None, blocks: Blocks, handler: str = ''
    ) -> None:
        for field in ('body', 'orelse', 'finalbody', 'handlers', 'cases'):
            block = getattr(node, field, None)
            for i, child in enumerate(block if isinstance(block, list) else ()):
                role = handler or (f'case {i}' if field == 'cases' else field)
                inside = (*blocks, (owner, role)) if owner is not None else blocks
                if isinstance(child, ast.ExceptHandler):
                    self._read(child, owner, blocks, role)
                elif isinstance(child, ast.stmt | ast.match_case):
                    self._add(child, inside)

    def _add(self, node: ast.stmt | ast.match_case, blocks: Blocks) -> None:
        line = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
        reads, binds = _names(node)
        statement = Statement(node, line, blocks, reads, binds)
        self.all.append(statement)
        if isinstance(node, ast.stmt):
            lines = [*range(line + 1, self._end(node) + 1), *self._other_heads(node)]
            self._starts.update(dict.fromkeys(lines, line))
        self._read(node, statement, blocks)

    def _other_heads(self, node: ast.stmt) -> Iterator[int]:
        """The lines of decorators, `else`, `except` and `finally`."""
        for decorator in getattr(node, 'decorator_list', ()):
            yield from range(decorator.lineno, node.lineno)
        for handler in getattr(node, 'handlers', ()):
            yield handler.lineno
        for field in ('orelse', 'finalbody'):
            if block := getattr(node, field, None):
                line = self._above(block[0].lineno, node.lineno)
                if self._lines[line - 1].lstrip().startswith(('else', 'finally')):
                    yield line

    def _end(self, node: ast.stmt) -> int:
        """The last line of a statement, or of its head."""
        if isinstance(node, ast.Match):
            return node.subject.end_lineno or node.lineno
        body = getattr(node, 'body', None)
        if not body:
            return node.end_lineno or node.lineno
        decorators = getattr(body[0], 'decorator_list', ())
        return self._above(min(each.lineno for each in (body[0], *decorators)), node.lineno)

    def _above(self, line: int, first: int) -> int:
        """The line above another that is neither empty nor a comment."""
        line -= 1
        while line > first and self._lines[line - 1].strip()[:1] in ('', '#'):
            line -= 1
        return line


def _names(statement: ast.stmt | ast.match_case) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a statement itself reads and binds, without its blocks."""
    reads: set[str] = set()
    binds: set[str] = set()
    if isinstance(statement, Function | ast.ClassDef):
        return frozenset(), frozenset({statement.name})
    pending = [
        child for child in ast.iter_child_nodes(statement)
        if not isinstance(child, ast.stmt | ast.match_case | ast.ExceptHandler)]
    for node in pending:  # it grows
        pending += ast.iter_child_nodes(node)
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                reads.add(name)
            case ast.Name(id=name):
                binds.add(name)
            case ast.MatchAs(name=str(name)):
                binds.add(name)
    if isinstance(statement, ast.AugAssign):
        reads |= binds
    return frozenset(reads), frozenset(binds)
