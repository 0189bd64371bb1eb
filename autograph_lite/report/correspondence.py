"""Which of the user's lines stand behind operations, lines of the program and boxes of a picture.

A node knows its line, and the calls around it. A statement that no node comes from, such as
`factor = 2` or `break`, is shown with the operations of the statements that read what it binds, or
of the control flow that it stands in.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..concrete import ConcreteFunction
from ..conversion import written_function
from ..errors import AutographError
from ..graph.graph import Graph, Node
from ..graph.sites import Site
from ..graph.tracing import CONSTANT
from .statements import Jump, Loop, Statement, Statements

# A line of the user's: the file, and its number there.
Place = tuple[str, int]
Places = tuple[Place, ...]


@dataclass(frozen=True)
class Silent:
    """A statement that no node comes from.

    Attributes:
      place: where it begins.
      role: how it belongs to one with nodes, which 'reads' its value, has it 'before' its turns, or
        has it in a block of this role.
    """

    place: Place
    role: str
    statement: Statement


class Correspondence:
    """The user's lines behind the parts of one graph, and behind its program.

    Args:
      graph: the graph.
      function: what was traced, where that is known.
    """

    def __init__(self, graph: Graph, function: Callable[..., Any] | None = None) -> None:
        self._graph = graph
        self._function = function
        self._files: dict[str, Statements] = {}

    @classmethod
    def of_trace(cls, concrete: ConcreteFunction) -> Correspondence:
        """That of a trace."""
        return cls(concrete.graph, concrete.python_function and concrete.python_function())

    def of_node(self, node: Node) -> Places:
        """The lines behind a node, and behind what it begins with."""
        roles = ('reads', 'before') if 'body' in node.graphs else ('reads',)
        return self.of_sites(node.sites, roles)

    def of_result(self, node: Node, role: str, name: str) -> Places:
        """The lines behind what a block of a node gives a variable: assignments, or else jumps."""
        silent = [e for site in node.sites for e in self.silent(site) if e.role == role]
        named = [each.place for each in silent if name in each.statement.binds]
        jumps = [each.place for each in silent if isinstance(each.statement.node, Jump)]
        return tuple(dict.fromkeys(named or jumps)) or self.of_sites(node.sites, ())

    def of_sites(self, sites: Iterable[Site | None], roles: Container[str] = ('reads',)) -> Places:
        """The lines of these places, of what belongs to them, and of the calls around.

        Args:
          sites: the places.
          roles: in which ways it belongs to them.
        """
        known = [site for site in sites if site is not None]
        own = [
            place for site in known for place in (
                place_of(site), *(each.place for each in self.silent(site) if each.role in roles))]
        return tuple(dict.fromkeys([*own, *(p for site in known for p in lines_of(site)[1:])]))

    def silent(self, site: Site) -> Sequence[Silent]:
        """The statements that belong to the one of a place, as no node comes from them."""
        start = self.statements(site.filename).start(site.line)
        return self._silent.get((site.filename, start), ())

    @cached_property
    def head(self) -> Places:
        """The line at which the function begins."""
        return () if self._whole is None else ((self._whole[0].filename, self._whole[1].line),)

    @cached_property
    def returns(self) -> Places:
        """The lines by which the function returns."""
        if self._whole is None:
            return ()
        statements, function = self._whole
        return tuple((statements.filename, line) for line in statements.returns(function))

    @cached_property
    def busy(self) -> set[Place]:
        """The lines that nodes come from, those of calls around included."""
        return {
            place
            for node in self._graph.walk() if node.op is not CONSTANT
            for site in node.sites
            for place in lines_of(site)
        }  # fmt: skip

    @cached_property
    def made(self) -> set[Place]:
        """The statements that nodes come from, those of calls around included."""
        return {(file, self.statements(file).start(line)) for file, line in self.busy}

    def statements(self, filename: str) -> Statements:
        """The statements of a file."""
        if filename not in self._files:
            self._files[filename] = Statements(filename)
        return self._files[filename]

    @cached_property
    def _whole(self) -> tuple[Statements, Statement] | None:
        """The function that was traced, and its file."""
        try:
            code = self._function and written_function(self._function).__code__
        except AutographError:
            return None
        statements = self.statements(code.co_filename) if code else None
        found = statements and code and statements.function_at(code.co_firstlineno)
        return (statements, found) if statements and found else None

    # What no node comes from.

    @cached_property
    def _silent(self) -> dict[Place, list[Silent]]:
        found: dict[Place, list[Silent]] = {}
        for filename in dict.fromkeys(file for file, _ in self.made):
            statements = self.statements(filename)
            functions = dict.fromkeys(
                each.function for each in statements.all if (filename, each.line) in self.made)
            for each in (e for f in functions if f is not None for e in statements.of(f)):
                for line, role in self._owners(filename, each):
                    silent = Silent((filename, each.line), role, each)
                    found.setdefault((filename, line), []).append(silent)
        return found

    def _owners(self, filename: str, statement: Statement) -> dict[tuple[int, str], None]:
        """The statements with nodes that one without belongs to, and how."""
        found: dict[tuple[int, str], None] = {}
        seen: set[Statement] = set()
        pending = [] if (filename, statement.line) in self.made else [statement]
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            if isinstance(each.node, ast.Match):
                cases = (e for e in self.statements(filename).of(each.function) if e.is_in(each))
                found.update({
                    (case.line, 'reads'): None for case in cases
                    if isinstance(case.node, ast.match_case) and (filename, case.line) in self.made
                })
            elif isinstance(each.node, Jump):
                found.update(dict.fromkeys(self._left(filename, each)))
            else:
                for reader, name in self.statements(filename).readers(each, self.staged):
                    owner, role = self._reader(filename, each, reader, name)
                    if (filename, owner.line) in self.made:
                        found[owner.line, role] = None
                    elif role == 'reads':
                        pending.append(owner)
        return found

    def _left(self, filename: str, jump: Statement) -> Iterator[tuple[int, str]]:
        """What a jump leaves: the control flow around it, or what may have returned before it."""
        for each in jump.around:
            if (filename, each.line) in self.made:
                yield each.line, jump.role_in(each) if self._is_staged(filename, each) else 'reads'
                return
        returns = [
            each for each in self.statements(filename).of(jump.function)
            if isinstance(each.node, ast.Return) and each.line < jump.line]
        around = [e for before in returns[-1:] for e in before.around]
        staged = [each for each in around if self._is_staged(filename, each)]
        loops = [each for each in staged if isinstance(each.node, Loop)]
        for each in [*loops, *staged][:1]:
            yield each.line, 'before' if loops else 'false'

    def _reader(
        self, filename: str, writer: Statement, reader: Statement, name: str
    ) -> tuple[Statement, str]:
        """What reads a value: the block that it leaves, or the one that it enters or passes by."""
        for each in writer.around:
            if self._is_staged(filename, each) and not reader.is_in(each):
                return each, writer.role_in(each)
        if name in reader.reads or not self._is_staged(filename, reader):
            return reader, 'reads'
        return reader, 'before' if isinstance(reader.node, Loop) else 'false'

    def _is_staged(self, filename: str, statement: Statement) -> bool:
        return (filename, statement.line) in self.staged

    @cached_property
    def staged(self) -> set[Place]:
        """The branches and loops that are in the graph."""
        return {
            (site.filename, self.statements(site.filename).start(site.line))
            for node in self._graph.walk() if node.graphs
            for site in node.sites
        }  # fmt: skip


def place_of(site: Site) -> Place:
    """The line of a place."""
    return site.filename, site.line


def lines_of(site: Site | None) -> Places:
    """The line of a place, then those of the calls around it."""
    return () if site is None else (place_of(site), *map(place_of, site.callers))
