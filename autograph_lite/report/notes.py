"""What is said of the user's lines: the types of what they compute, and what became of them."""
from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..concrete import ConcreteFunction
from ..graph.graph import Change, Graph, Node, Value
from ..graph.names import base_name, given_names
from ..graph.sites import Site
from ..graph.tracing import CONSTANT
from .correspondence import Correspondence, Place, lines_of, place_of
from .labels import DONE, NO_ARRAY
from .lines import Line, Listing, graph_lines, program_lines
from .statements import Function, Statement, Statements


def annotated(
    listings: Sequence[Listing], concrete: ConcreteFunction, behind: Correspondence
) -> list[Listing]:
    """The listings with notes on their lines; those of which no operation comes are idle."""
    lines = [line for listing in listings for line in listing.lines]
    filenames = dict.fromkeys(place[0] for line in lines for place in line.places)
    files = [behind.statements(filename) for filename in filenames]
    notes = _Notes(lines, concrete.graph, behind)
    notes.add_given(concrete)
    notes.add_types()
    notes.add_unnamed(files)
    notes.add_python(files)
    notes.add_done(concrete.program.changes)
    shown = graph_lines(concrete.graph, behind) + program_lines(concrete.program, behind)
    notes.add_idle(files, {place for line in shown for place in line.places})
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
      idle: the lines of statements that no operation comes from.
    """

    def __init__(self, lines: Sequence[Line], graph: Graph, behind: Correspondence) -> None:
        self._graph = graph
        self._behind = behind
        self._written = set(re.findall(r'\w+', ' '.join(line.text for line in lines)))
        self._notes: dict[Place, dict[str, None]] = {}
        self._busy = behind.busy | behind.made  # a statement is told of where it begins
        self._shown = {place for line in lines for place in line.places}
        self.idle: set[Place] = set()

    def of(self, line: Line) -> str:
        """The notes of a line in one."""
        return ' · '.join(note for place in line.places for note in self._notes.get(place, ()))

    def _add(self, place: Place, note: str) -> None:
        self._notes.setdefault(place, {})[note] = None

    # Types.

    def add_given(self, concrete: ConcreteFunction) -> None:
        """The types of what the function and its loops are given, and of what it returns."""
        for place in self._behind.head:
            for leaf in concrete.leaves:
                if leaf.type is not None:
                    self._add(place, f'{leaf.path}: {leaf.type}')
            is_known = not (self._graph.nodes or any(leaf.type for leaf in concrete.leaves))
            if is_known and concrete.leaves:
                self._add(place, NO_ARRAY)
        returned = ', '.join(str(value.type) for value in self._graph.outputs)
        for place in self._behind.returns if returned else ():
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
                if name in self._written and node.site is not None and output not in begun:
                    self._add(place_of(node.site), f'{name}: {output.type}')

    def add_unnamed(self, files: Iterable[Statements]) -> None:
        """The types of what a line computes that has no name, or none there."""
        made = self._made()
        for statements in files:
            for statement in statements.all:
                place = statements.filename, statement.line
                for value in _values(statement.node, made.get(place, [])):
                    told = self._notes.get(place, {})
                    note = str(value.type)
                    match statement.node:
                        case ast.Assign(targets=[ast.Name(id=name)]):
                            note = f'{name}: {note}'
                    if place in self._behind.returns or any(t.endswith(note) for t in told):
                        continue
                    self._notes[place] = {note: None, **told}

    def _made(self) -> dict[Place, list[Node]]:
        """What is made in each statement, or returned there by a call."""
        made: dict[Place, list[Node]] = {}
        for node in self._graph.walk():
            if node.op is not CONSTANT:
                for place in dict.fromkeys(self._returned_to(node.site)):
                    made.setdefault(place, []).append(node)
        return made

    def _returned_to(self, site: Site | None) -> Iterator[Place]:
        """The statement of a place, and those of the calls that return what it gives."""
        for filename, line in lines_of(site):
            statement = self._behind.statements(filename).at(line)
            if statement is not None:
                yield filename, statement.line
            if statement is None or not isinstance(statement.node, ast.Return):
                return

    # What Python did.

    def add_python(self, files: Iterable[Statements]) -> None:
        """Which branches and loops Python ran, so that only what they did is in the graph."""
        for statements in files:
            for each in statements.all:
                place = statements.filename, each.line
                cases = (
                    (statements.filename, case.line) for case in statements.all
                    if isinstance(case.node, ast.match_case) and case.is_in(each)
                ) if isinstance(each.node, ast.Match) else (place,)
                if self._is_busy(statements, each) and self._behind.staged.isdisjoint(cases):
                    self._add_decision(each, place)
                is_other = isinstance(each.node, Function) and place not in self._behind.head
                if is_other and place in self._shown and self._is_called(each, place):
                    self._add(place, 'inlined')

    def _is_busy(self, statements: Statements, statement: Statement) -> bool:
        """Whether an operation comes from inside a statement."""
        end = getattr(statement.node, 'end_lineno', None) or statement.line
        inside = range(statement.line + 1, end + 1)
        return any((statements.filename, line) in self._busy for line in inside)

    def _add_decision(self, statement: Statement, place: Place) -> None:
        match statement.node:
            case ast.If() | ast.match_case() | ast.Match():
                self._add(place, 'decided while tracing')
            case ast.For() | ast.While():
                self._add(place, 'unrolled')
            case ast.Try():
                self._add(place, 'while tracing')

    def _is_called(self, function: Statement, place: Place) -> bool:
        """Whether something was made in a function for a call from outside it."""
        lines = range(function.line, (getattr(function.node, 'end_lineno', 0) or 0) + 1)
        inside = {(place[0], line) for line in lines}
        return any(
            own in inside and not inside.issuperset(calls)
            for own, *calls in filter(None, (lines_of(node.site) for node in self._graph.walk())))

    def add_idle(self, files: Iterable[Statements], lit: set[Place]) -> None:
        """What became of statements that nothing lights up for, if that was not told yet."""
        for statements in files:
            for statement in statements.all:
                place = statements.filename, statement.line
                match statement.node:
                    case (
                        ast.If() | ast.match_case() | ast.Match() | ast.For() | ast.While()
                        | ast.Try()
                    ):
                        if place not in lit and place not in self._notes:
                            self._add_decision(statement, place)
                    case ast.FunctionDef():
                        if place not in lit and place not in self._notes:
                            self._add(place, 'not called')
                    case node if statement.function is not None and _does_something(node):
                        self._add_simple(place, node, place in lit)

    def _add_simple(self, place: Place, node: ast.AST, is_lit: bool) -> None:
        if place not in self._busy and (_computes(node) or not is_lit):
            self.idle.add(place)
            if place not in self._notes:
                known = 'computed while tracing' if is_lit else 'not in the graph'
                self._add(place, known)  # what is used further on was computed

    def add_done(self, changes: Iterable[Change]) -> None:
        """What the rewrites did, and where; that what is left is not needed is no news."""
        told = set(self._busy)
        for change in changes:
            done = DONE.get(change.rewrite, change.rewrite.replace('_', ' '))
            place, *calls = lines_of(change.site)
            if change.rewrite != 'dead_code' or place not in told:
                told.add(place)
                self._add(place, done)
            if change.rewrite == 'dead_code':
                for call in calls:
                    if call not in self._busy:
                        self._add(call, done)


def _is_for(site: Site) -> bool:
    """Whether a loop is a statement, not a part of one."""
    return linecache.getline(site.filename, site.line).lstrip().startswith('for ')


# What a statement computes without naming it: what it tests, returns, prints or sets.


def _values(statement: ast.AST, nodes: list[Node]) -> Iterator[Value]:
    match statement:
        case ast.While(test=ast.Constant()):
            pass  # the loop itself asks whether it goes on
        case ast.If() | ast.While() | ast.Assert():
            yield from _tested(nodes)
        case ast.Assign(targets=[ast.Name()], value=ast.Call()):
            yield from _results(nodes)
        case ast.Assign(targets=[ast.Name()]):
            pass
        case ast.Return() | ast.Expr() | ast.Assign() | ast.AugAssign():
            yield from _results(nodes)


def _tested(nodes: list[Node]) -> Iterator[Value]:
    for node in nodes:
        if node.op.name in ('cond', 'assert'):
            yield node.inputs[0]
        elif 'test' in node.graphs:
            yield node.graphs['test'].outputs[0]


def _results(nodes: list[Node]) -> Iterator[Value]:
    """What nothing else in the statement takes."""
    taken = {value for node in nodes if node.outputs for value in node.inputs}
    taken.update(v for node in nodes for graph in node.graphs.values() for v in graph.outputs)
    for node in nodes:
        yield from (value for value in node.outputs if value not in taken)


def _does_something(node: ast.AST) -> bool:
    """Whether it is a statement without blocks that has something to do."""
    match node:
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Assert() | ast.Delete():
            return True
        case ast.Break() | ast.Continue() | ast.Return() | ast.Raise():
            return True
        case ast.Expr(value=ast.Call()):
            return True
    return False


def _computes(statement: ast.AST) -> bool:
    """Whether it gives more than what has a name already or stands there.

    What a function of the user's does that it calls stands elsewhere.
    """
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        return False
    if any(_user_calls(statement)):
        return False
    if isinstance(statement, ast.AugAssign):
        return True
    parts = ast.walk(statement.value) if statement.value else ()
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
