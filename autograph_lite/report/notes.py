"""What is said of the user's lines: the types of what they compute, and what became of them."""
from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..concrete import ConcreteFunction
from ..graph.graph import Change, Graph, Node
from ..graph.names import base_name, given_names
from ..graph.sites import Handed, Site
from ..graph.tracing import CONSTANT
from ..pyct.files import tree_of
from .correspondence import Correspondence, Place, lines_of, place_of
from .labels import DONE, NO_ARRAY
from .lines import Line, Listing, graph_lines, program_lines
from .unnamed import unnamed


def annotated(
    listings: Sequence[Listing], concrete: ConcreteFunction, behind: Correspondence
) -> list[Listing]:
    """The listings with notes on their lines; those of which no operation comes are idle."""
    lines = [line for listing in listings for line in listing.lines]
    files = list(dict.fromkeys(place[0] for line in lines for place in line.places))
    statements = [_statements(file) for file in files]
    notes = _Notes(lines, concrete.graph, behind)
    notes.add_given(concrete, behind)
    notes.add_types()
    notes.add_unnamed(files)
    notes.add_python(statements, set(concrete.called_at))
    notes.add_done(concrete.program.changes)
    shown = graph_lines(concrete.graph, behind) + program_lines(concrete.program, behind)
    notes.add_idle(statements, {place for line in shown for place in line.places})
    return [
        replace(
            listing,
            lines=[
                replace(line, note=notes.of(line), idle=any(p in notes.idle for p in line.places))
                for line in listing.lines
            ],
        )
        for listing in listings
    ]


class _Notes:
    """The notes of each line.

    Attributes:
      busy: the lines that operations come from.
      idle: those of statements that no operation comes from.
    """

    def __init__(
        self, lines: Sequence[Line], graph: Graph, behind: Correspondence
    ) -> None:
        self._graph = graph
        self._written = set(re.findall(r'\w+', ' '.join(line.text for line in lines)))
        self._notes: dict[Place, dict[str, None]] = {}
        # A statement is told of where it begins.
        self.busy = behind.busy | behind.made
        self._untaken = behind.untaken
        self._ran: set[Place] = set()
        self._given = behind.of_given(None)
        self.idle: set[Place] = set()
        self._returns: set[Place] = set()
        self._shown = {place for line in lines for place in line.places}
        self._calls = {lines_of(node.site) for node in graph.walk()}

    def of(self, line: Line) -> str:
        """The notes of a line in one."""
        return ' · '.join(note for place in line.places for note in self._notes.get(place, ()))

    def _add(self, place: Place, note: str) -> None:
        self._notes.setdefault(place, {})[note] = None

    def add_given(self, concrete: ConcreteFunction, behind: Correspondence) -> None:
        """The types of what the function and its loops are given, and of what it returns."""
        for place in behind.of_given(None):
            for leaf in concrete.leaves:
                if leaf.type is not None:
                    self._add(place, f'{leaf.path}: {leaf.type}')
            is_known = not (self._graph.nodes or any(leaf.type for leaf in concrete.leaves))
            if is_known and concrete.leaves:
                self._add(place, NO_ARRAY)
        returned = ', '.join(str(value.type) for value in self._graph.outputs)
        for place in behind.of_handed(Handed(None, 'return')) if returned else ():
            self._returns.add(place)
            self._add(place, returned)
        for loop in self._graph.walk():
            body = loop.graphs.get('body')
            if body is not None and loop.site is not None and _is_for(loop.site):
                own = body.own_params
                for item in own[: len(own) - len(loop.outputs)]:
                    name = base_name(item)
                    if name in self._written and name != '_':
                        self._add(place_of(loop.site), f'{name}: {item.type}')

    def add_types(self) -> None:
        """The types of the variables that a line assigns."""
        names = given_names(self._graph)
        # What a loop of one expression begins with is never what the variable is.
        begun = {
            value
            for loop in self._graph.walk() if 'body' in loop.graphs
            for value in loop.inputs if value.node is not None and value.node.site == loop.site
        }  # fmt: skip
        for node in self._graph.walk():
            for output in node.outputs:
                name = names.get(output)
                if name is None or node.site is None or output in begun:
                    continue
                if name in self._written and not _is_callers(name, node.site):
                    self._add(place_of(node.site), f'{name}: {output.type}')
            self._add_returned(node)

    def _add_returned(self, node: Node) -> None:
        """The type of what a call returns, at the line of the call."""
        if node.site is not None and node.op is not CONSTANT and len(node.outputs) == 1:
            for call in node.site.callers[: node.site.returned]:
                if call.stored is not None:
                    self._add(place_of(call), f'{call.stored}: {node.outputs[0].type}')

    def add_unnamed(self, files: Iterable[str]) -> None:
        """The types of what a line computes that has no name, or none there."""
        for file in files:
            for place, note in unnamed(self._graph, file):
                told = self._notes.get(place, {})
                if place not in self._returns and not any(t.endswith(f': {note}') for t in told):
                    self._notes[place] = {note: None, **told}

    def add_python(self, files: Iterable[_Statements], called: set[Place]) -> None:
        """Which branches and loops Python ran, so that only what they did is in the graph.

        Args:
          files: the statements.
          called: the first lines of functions that were called.
        """
        staged = {place_of(node.site) for node in self._graph.walk() if node.graphs and node.site}
        for statements in files:
            for place, last, what in statements.control_flow:
                inside = {(place[0], line) for line in range(place[1] + 1, last + 1)}
                if place not in staged and not inside.isdisjoint(self.busy):
                    self._add(place, what)
            for (filename, first), last, decorated in statements.functions:
                inside = {(filename, line) for line in range(first, last + 1)}
                heads = {(filename, line) for line in range(decorated, first + 1)}
                is_called = not called.isdisjoint(heads) and heads.isdisjoint(self._given)
                if is_called:
                    self._ran |= inside
                if (filename, first) in self._shown and (is_called or self._is_called(inside)):
                    self._add((filename, first), 'inlined')

    def _is_called(self, inside: set[Place]) -> bool:
        """Whether something was made in a function for a call from outside it."""
        return any(
            own in inside and not inside.issuperset(calls)
            for own, *calls in filter(None, self._calls)
        )

    def add_idle(self, files: Iterable[_Statements], lit: set[Place]) -> None:
        """What became of statements that nothing lights up for, if that was not told yet."""
        for statements in files:
            for place, computes in statements.simple:
                if place in self._untaken:
                    self._notes.pop(place, None)
                elif place in statements.returns & self._ran and place not in self._notes:
                    self._add(place, 'while tracing')
                    continue
                if place not in self.busy and (computes or place not in lit):
                    self.idle.add(place)
                    if place not in self._notes:
                        known = place in lit  # what is used further on was computed
                        self._add(place, 'computed while tracing' if known else 'not in the graph')
            for place, _, what in statements.control_flow:
                if place not in lit and place not in self._notes:
                    self._add(place, what)
            for place, *_ in statements.functions:
                if place not in lit and place not in self._notes:
                    self._add(place, 'not called')

    def add_done(self, changes: Iterable[Change]) -> None:
        """What the rewrites did, and where; that what is left is not needed is no news."""
        told = set(self.busy)
        for change in changes:
            done = DONE.get(change.rewrite, change.rewrite.replace('_', ' '))
            place, *calls = lines_of(change.site)
            if change.rewrite != 'dead_code' or place not in told:
                told.add(place)
                self._add(place, done)
            if change.rewrite == 'dead_code':
                for call in calls:
                    if call not in self.busy:
                        self._add(call, done)


def _is_for(site: Site) -> bool:
    """Whether a loop is a statement, not a part of one."""
    return linecache.getline(site.filename, site.line).lstrip().startswith('for ')


def _is_callers(name: str, site: Site) -> bool:
    """Whether what is made here is called so only where it is returned to."""
    line = linecache.getline(site.filename, site.line)
    return bool(site.returned) and re.search(rf'\b{name}\b', line) is None


@dataclass(frozen=True)
class _Statements:
    """Statements of a file.

    Attributes:
      simple: the lines of statements that do something and have no blocks, and whether they
        compute something, as far as they do not call functions of the user's.
      returns: the lines that return.
      functions: the first and the last line of those that the user defined, and where their
        decorators begin.
      control_flow: the first and the last line of branches and loops, and what Python does to them.
    """

    simple: list[tuple[Place, bool]] = field(default_factory=list)
    returns: set[Place] = field(default_factory=set)
    functions: list[tuple[Place, int, int]] = field(default_factory=list)
    control_flow: list[tuple[Place, int, str]] = field(default_factory=list)


def _statements(filename: str) -> _Statements:
    found = _Statements()
    for node in ast.walk(tree_of(filename)):
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                # What a function does that is called stands elsewhere.
                computes = not any(_user_calls(node)) and _computes(node)
                found.simple.append(((filename, node.lineno), computes))
            case ast.Return():
                found.simple.append(((filename, node.lineno), False))
                found.returns.add((filename, node.lineno))
            case ast.Break() | ast.Continue() | ast.Raise() | ast.Assert():
                found.simple.append(((filename, node.lineno), False))
            case ast.Delete() | ast.Expr(ast.Call()):
                found.simple.append(((filename, node.lineno), False))
            case ast.FunctionDef():
                decorated = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                found.functions.append((*_extent(filename, node, '')[:2], decorated))
            case ast.If():
                found.control_flow.append(_extent(filename, node, 'decided while tracing'))
            case ast.Match():
                # Each case is staged or not; of the head it is known when nothing lights for it.
                heads = [node.lineno, *(case.pattern.lineno for case in node.cases)]
                decided = [((filename, line), line, 'decided while tracing') for line in heads]
                found.control_flow.extend(decided)
            case ast.Try():
                found.control_flow.append(((filename, node.lineno), node.lineno, 'while tracing'))
            case ast.For() | ast.While():
                found.control_flow.append(_extent(filename, node, 'unrolled'))
    return found


def _extent(filename: str, node: ast.stmt, what: str) -> tuple[Place, int, str]:
    return (filename, node.lineno), node.end_lineno or node.lineno, what


def _computes(assignment: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    """Whether it gives more than what has a name already or stands there."""
    if isinstance(assignment, ast.AugAssign):
        return True
    parts = ast.walk(assignment.value) if assignment.value else ()
    return any(isinstance(part, ast.BinOp | ast.Compare | ast.Call | ast.comprehension)
               for part in parts)


def _user_calls(node: ast.AST) -> Iterator[bool]:
    """For each call whether it may be one of the user's functions."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            root: ast.expr = part.func
            while isinstance(root, ast.Attribute):
                root = root.value
            known = isinstance(root, ast.Name) and (
                root.id in ('np', 'numpy', 'math') or hasattr(builtins, root.id)
            )
            yield not known
