"""Which of the user's lines became what: operations, and what is none.

A node knows its line, and those of the calls around it. What has no node is found by `bindings`: a
number that a loop begins with, what a branch passes on, `break`, `return`.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..concrete import ConcreteFunction
from ..conversion import written_function
from ..errors import AutographError
from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name
from ..graph.sites import Handed, Site
from ..graph.tracing import CONSTANT
from .bindings import Bindings, Span
from .untaken import untaken_lines

# A line of the user's: the file, and its number there.
Place = tuple[str, int]
Places = tuple[Place, ...]


# What has ways too, but is an expression.
_OPERATORS = ('and', 'or')


class Correspondence:
    """The user's lines behind the parts of one graph, and behind its program.

    Args:
      graph: the graph.
      function: what was traced, where that is known.
      untaken: the lines where Python never went.
    """

    def __init__(
        self, graph: Graph, function: Callable[..., Any] | None = None,
        untaken: Collection[Place] = (),
    ) -> None:
        self._graph = graph
        self._function = function
        self.untaken = untaken
        self._files: dict[str, Bindings] = {}
        self._used: dict[Site, Places] = {}

    @classmethod
    def of_trace(cls, concrete: ConcreteFunction) -> Correspondence:
        """That of a trace."""
        function = concrete.python_function and concrete.python_function()
        untaken = untaken_lines(concrete.taken, concrete.untaken)
        return cls(concrete.graph, function, untaken)

    # What is shown.

    def of_node(self, node: Node) -> Places:
        """The lines behind a node, those of what a loop begins with included."""
        begins = self._begins.get(node)
        found = [(begins and self.of_handed(begins)) or self.of_sites(node.sites)]
        body = node.graphs.get('body')
        if body is not None:
            first = len(node.inputs) - len(body.captures) - len(node.outputs)
            for value, output in zip(node.inputs[first:], node.outputs, strict=False):
                name = base_name(output)
                if value.node is not None or base_name(value) != name:
                    found.append(self._but_for(value, self.of_handed(
                        Handed(node.site, 'before', name))))
        return _together(found)

    def of_given(self, node: Node | None) -> Places:
        """The lines behind what a block of a node, or the whole, is given."""
        return self.of_handed(Handed(None, '')) if node is None else self.of_block(node)

    def of_block(self, node: Node) -> Places:
        """The lines behind a block: those of the control flow that it belongs to."""
        return self.of_sites(node.sites)

    def of_result(self, node: Node | None, role: str, value: Value, name: str) -> Places:
        """The lines behind what a block passes on, or the whole returns."""
        if node is None:
            return self.of_handed(Handed(None, 'return'))
        if role in ('test', 'function'):
            return self.of_block(node)
        if value.node is None and base_name(value) == name:
            return ()  # it is as it was before the block
        return self._but_for(value, self.of_handed(Handed(node.site, role, name)))

    def of_results(self, node: Node | None, role: str, graph: Graph) -> Places:
        """The lines behind all that a block passes on."""
        if node is None:
            return self.of_handed(Handed(None, 'return'))
        names = [base_name(output) for output in node.outputs]
        results = zip(graph.outputs, names, strict=False)
        return _together([
            self.of_block(node),
            *(self.of_result(node, role, value, name) for value, name in results),
        ])

    def of_sites(self, sites: Iterable[Site | None]) -> Places:
        """The lines of these places, of what they use that has no node, and of the calls around."""
        known = [site for site in sites if site is not None]
        own = [place for site in known for place in (place_of(site), *self._of_uses(site))]
        return _together([own, *(lines_of(site)[1:] for site in known)])

    def of_handed(self, handed: Handed) -> Places:
        """The lines that give a variable what a block passes on, or leave the block."""
        if handed.site is None:
            return tuple(self._of_whole(handed.role))
        if handed.name in _OPERATORS:
            return ()
        filename = handed.site.filename
        bindings = self._bindings(filename)
        line = bindings.start(handed.site.line)
        name = bindings.variable(line, handed.name)
        otherwise = bindings.otherwise(line) if handed.name == 'result' else []
        if handed.role == 'before':
            found = bindings.before(line, name) if name else otherwise
        elif name:
            found = bindings.handed(line, handed.role, name)
        else:
            found = bindings.jumps(line, handed.role)
        own = None if handed.role == 'before' else line
        return tuple(
            (filename, n) for n in found
            if self._is_direct(filename, n, line, own) and (filename, n) not in self.untaken
        )

    @property
    def files(self) -> Iterable[Bindings]:
        """The files that something came from."""
        return self._files.values()

    @cached_property
    def busy(self) -> set[Place]:
        """The lines that nodes come from, those of calls around included."""
        return {
            place
            for node in self._graph.walk() if node.op is not CONSTANT
            for site in node.sites
            for place in lines_of(site)
        }  # fmt: skip

    # How it is found.

    def _of_whole(self, role: str) -> Iterator[Place]:
        """The lines that the function begins at, or is returned from."""
        if self._function is None:
            return
        try:
            code = written_function(self._function).__code__
        except AutographError:
            return
        bindings = self._bindings(code.co_filename)
        first = bindings.definition(code.co_firstlineno)
        for line in bindings.returns(first) if role else [first]:
            if (code.co_filename, line) not in self.untaken:
                yield code.co_filename, line
                if role and (code.co_filename, line) not in self.made:
                    yield from self._bound_before(
                        code.co_filename, line, bindings.used(line, None, ()))

    def _but_for(self, value: Value, places: Places) -> Places:
        """Without the line of the node that makes the value, which is shown itself."""
        node = value.node
        if node is None or node.site is None:
            return places
        return tuple(place for place in places if place != place_of(node.site))

    def _of_uses(self, site: Site) -> Places:
        """The lines without a node that bound what an operation uses."""
        if site not in self._used:
            self._used[site] = ()  # as long as it is looked for
            self._used[site] = tuple(self._find_uses(site))
        return self._used[site]

    def _find_uses(self, site: Site) -> Iterator[Place]:
        filename = site.filename
        bindings = self._bindings(filename)
        line = bindings.start(site.line)
        spans = self._spans.get((filename, line), {})
        own = spans[site] if site in spans else self._span(site, line)
        inner = [span for span in spans.values() if span is not None]
        yield from ((filename, n) for n in (*bindings.subject(line), *bindings.goes_on(line)))
        if (filename, line) in self._asked_first:
            yield from ((filename, n) for n in bindings.leaves(line))
        yield from self._bound_before(filename, line, bindings.used(line, own, inner))

    def _bound_before(
        self, filename: str, line: int, used: Iterable[tuple[str, list[int]]]
    ) -> Iterator[Place]:
        """The lines without a node that bound the names that a line uses, and so on."""
        bindings = self._bindings(filename)
        pending = [(name, lines, line) for name, lines in used]
        seen: set[int] = set()
        while pending:
            name, lines, end = pending.pop()
            lines = [n for n in lines if (filename, n) not in self.untaken]
            # What has several values, some of them made by nodes, is itself a value of the graph.
            if all(self._is_known(filename, n, end, name) for n in lines):
                for found in lines:
                    if found not in seen:
                        seen.add(found)
                        yield filename, found
                        pending += [(*more, found) for more in bindings.used(found, None, ())]

    def _is_known(self, filename: str, line: int, end: int, name: str) -> bool:
        """Whether what a line gives a variable is known while tracing where it is used."""
        is_silent = (filename, self._bindings(filename).start(line)) not in self.made
        is_state = any(
            end in block.turns and block.has(name)
            and (line not in block.inside or self._is_of_last_turn(filename, line, end, block))
            for block in self._staged.get(filename, ())
        )
        return is_silent and not is_state and self._is_direct(filename, line, end)

    def _is_of_last_turn(self, filename: str, line: int, end: int, loop: _Block) -> bool:
        """Whether what a line of a loop binds is used in the next turn, not in one of a loop in it.
        """
        return line >= end and self._bindings(filename).loop(line, end) == loop.head

    def _is_direct(self, filename: str, line: int, end: int, own: int | None = None) -> bool:
        """Whether no staged block ends between two lines, but for those of a statement's own."""
        return not any(
            line == block.head
            or (line in block.inside and end not in block.inside and block.head != own)
            for block in self._staged.get(filename, ())
        )

    @cached_property
    def made(self) -> set[Place]:
        """The statements that nodes come from, those of calls around included."""
        return {(file, self._bindings(file).start(line)) for file, line in self.busy}

    @cached_property
    def _begins(self) -> dict[Node, Handed]:
        """The nodes that were made for a loop to begin with, such as an empty list."""
        return {
            value.node: Handed(loop.site, 'before', base_name(output))
            for loop in self._graph.walk() if (body := loop.graphs.get('body')) is not None
            for value, output in zip(
                loop.inputs[len(loop.inputs) - len(body.captures) - len(loop.outputs) :],
                loop.outputs, strict=False)
            if value.node is not None and not value.node.inputs and value.node.site == loop.site
        }  # fmt: skip

    @cached_property
    def _asked_first(self) -> set[Place]:
        """The choices in a loop's body that its test makes: it goes on unless they leave."""
        found = set()
        for loop in self._graph.walk():
            if loop.site is not None and (test := loop.graphs.get('test')) is not None:
                inside = self._bindings(loop.site.filename).extent(loop.site.line)
                for site in (site for node in test.walk() for site in node.sites):
                    if site.line in inside:
                        found.add((site.filename, self._bindings(site.filename).start(site.line)))
        return found

    @cached_property
    def _spans(self) -> dict[Place, dict[Site, Span | None]]:
        """For each statement, the nodes that come from there, and from which expression."""
        found: dict[Place, dict[Site, Span | None]] = {}
        for node in self._graph.walk():
            for site in () if node.op is CONSTANT else node.sites:
                start = self._bindings(site.filename).start(site.line)
                spans = found.setdefault((site.filename, start), {})
                if site not in spans:
                    spans[site] = self._span(site, start)
        return found

    def _span(self, site: Site, start: int) -> Span | None:
        """Where the expression stands of which a node was made, if that is known."""
        location = site.location
        if location.column is None or location.end_column is None:
            return None
        span = (site.line, location.column), (site.line, location.end_column)
        return span if self._bindings(site.filename).is_whole(start, span) else None

    @cached_property
    def _staged(self) -> dict[str, list[_Block]]:
        """For each file, what is staged there."""
        found: dict[str, dict[_Block, None]] = {}
        for node in self._graph.walk():
            if node.graphs and (site := node.site) is not None:
                inside = self._bindings(site.filename).extent(site.line)
                names = tuple(base_name(output) for output in node.outputs if 'body' in node.graphs)
                found.setdefault(site.filename, {})[_Block(site.line, inside, names)] = None
        return {filename: list(blocks) for filename, blocks in found.items()}

    def _bindings(self, filename: str) -> Bindings:
        if filename not in self._files:
            self._files[filename] = Bindings(filename)
        return self._files[filename]


@dataclass(frozen=True)
class _Block:
    """Control flow that is staged.

    Attributes:
      head: its line.
      inside: the lines of what it decides about.
      state: what the turns of a loop pass on.
    """

    head: int
    inside: range
    state: tuple[str, ...]

    @property
    def turns(self) -> range:
        """The lines that may run at every turn."""
        return range(self.head, self.inside.stop) if self.state else range(0)

    def has(self, name: str) -> bool:
        """Whether a variable, a part of it, or what it is a part of, is state."""
        owner = name.partition('.')[0]
        return any(each in (name, owner) or each.startswith(f'{name}_') for each in self.state)


def place_of(site: Site) -> Place:
    """The line of a place."""
    return site.filename, site.line


def lines_of(site: Site | None) -> Places:
    """The line of a place, then those of the calls around it."""
    return () if site is None else (place_of(site), *map(place_of, site.callers))


def _together(groups: Iterable[Iterable[Place]]) -> Places:
    return tuple(dict.fromkeys(place for group in groups for place in group))
