"""Which of the user's lines stand behind operations, lines of the program and boxes of a picture.

A node knows its line, and the calls around it. A statement that no node comes from, such as
`factor = 2` or `break`, is shown with the operations of the statements that read what it binds, or
of the control flow that it stands in.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
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
        """The lines behind a node, and behind the blocks that it owns."""
        return self.of_sites(node.sites)

    def of_sites(self, sites: Iterable[Site | None]) -> Places:
        """The lines of these places, of what belongs to them, and of the calls around."""
        known = [site for site in sites if site is not None]
        own = [place for site in known for place in (place_of(site), *self._more(site))]
        return tuple(dict.fromkeys([*own, *(p for site in known for p in lines_of(site)[1:])]))

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

    def _more(self, site: Site) -> Places:
        start = self.statements(site.filename).start(site.line)
        return self._silent.get((site.filename, start), ())

    @cached_property
    def _silent(self) -> dict[Place, Places]:
        """For each statement with nodes, those without that belong to it."""
        found: dict[Place, Places] = {}
        for filename in dict.fromkeys(file for file, _ in self.made):
            functions = {
                statement.function for statement in self.statements(filename).all
                if (filename, statement.line) in self.made}
            for function in functions:
                for statement in self.statements(filename).of(function) if function else ():
                    for line in self._owners(filename, statement):
                        owner = filename, line
                        found[owner] = (*found.get(owner, ()), (filename, statement.line))
        return found

    def _owners(self, filename: str, statement: Statement) -> list[int]:
        """The statements with nodes that one without belongs to."""
        found: dict[int, None] = {}
        seen: set[Statement] = set()
        pending = [statement]
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            if (filename, each.line) in self.made:
                if each is not statement:
                    found[each.line] = None
            elif isinstance(each.node, Jump):
                inside = (other for other in each.around if (filename, other.line) in self.made)
                pending += list(inside)[:1]
            else:
                readers = self.statements(filename).readers(each)
                pending += [self._reader(filename, each, *reader) for reader in readers]
        return [] if (filename, statement.line) in self.made else list(found)

    def _reader(
        self, filename: str, writer: Statement, reader: Statement, name: str
    ) -> Statement:
        """What reads a value: the block that it leaves, or the loop that begins with it."""
        leaves = [e for e in writer.around if self._is_staged(filename, e)]
        leaves = [each for each in leaves if each is not reader and not reader.is_in(each)]
        if leaves:
            return leaves[-1]
        enters = [e for e in reader.around if isinstance(e.node, Loop) and not writer.is_in(e)]
        for loop in reversed(enters):
            inside = (e for e in self.statements(filename).of(reader.function) if e is loop or e.is_in(loop))
            if self._is_staged(filename, loop) and any(name in each.binds for each in inside):
                return loop
        return reader

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
