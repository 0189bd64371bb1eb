"""What is said of the user's lines: the types of what they compute, and what became of them."""
from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..concrete import ConcreteFunction
from ..graph.graph import Change, Graph
from ..graph.names import given_names
from .lines import Line, Listing, Place, places_of, places_of_sites

# What the rewrites do, in a word.
_DONE = {
    'constant_folding': 'folded',
    'cond_constant': 'branch decided',
    'common_subexpressions': 'shared',
    'loop_invariants': 'hoisted',
    'row_products': 'hoisted, for all rows at once',
    'dead_code': 'not needed',
    'elementwise_blocks': 'fused, in blocks',
    'unboxing': "with Python's numbers",
    'products': 'by `dot`',
    'mask_rows': 'by whole rows',
    'short_sums': 'spelled out',
    'spelled_out': 'spelled out',
    'item_updates': 'in place',
    'buffer_reuse': 'in place',
    'scratch': 'in memory that is kept',
    'broadcasts': 'broadcast before the loop',
    'fixed_arrays': 'made once',
}


def annotated(listings: Sequence[Listing], concrete: ConcreteFunction) -> list[Listing]:
    """The listings with notes on their lines; those of which no operation comes are idle."""
    lines = [line for listing in listings for line in listing.lines]
    files = {place[0]: None for line in lines for place in line.places}
    notes = _Notes(lines, concrete.graph)
    notes.add_types()
    notes.add_python(map(_statements, files))
    notes.add_done(concrete.program.changes)
    quiet = {place for tree in map(_statements, files) for place in tree.assignments} - notes.busy
    return [
        replace(
            listing,
            lines=[
                replace(line, note=notes.of(line), idle=any(p in quiet for p in line.places))
                for line in listing.lines
            ],
        )
        for listing in listings
    ]


class _Notes:
    """The notes of each line.

    Attributes:
      busy: the lines that operations come from.
    """

    def __init__(self, lines: Sequence[Line], graph: Graph) -> None:
        self._graph = graph
        self._written = set(re.findall(r'\w+', ' '.join(line.text for line in lines)))
        self._notes: dict[Place, dict[str, None]] = {}
        self.busy = {place for node in graph.walk() for place in places_of(node)}

    def of(self, line: Line) -> str:
        """The notes of a line in one."""
        return ' · '.join(note for place in line.places for note in self._notes.get(place, ()))

    def _add(self, place: Place, note: str) -> None:
        self._notes.setdefault(place, {})[note] = None

    def add_types(self) -> None:
        """The types of the variables that a line assigns."""
        names = given_names(self._graph)
        for node in self._graph.walk():
            for output in node.outputs:
                name = names.get(output)
                for place in places_of(node) if name in self._written else ():
                    self._add(place, f'{name}: {output.type}')

    def add_python(self, files: Iterable[_Statements]) -> None:
        """Which branches and loops Python ran, so that only what they did is in the graph."""
        staged = {place for node in self._graph.walk() if node.graphs for place in places_of(node)}
        for statements in files:
            for place, last, what in statements.control_flow:
                inside = {(place[0], line) for line in range(place[1] + 1, last + 1)}
                if place not in staged and not inside.isdisjoint(self.busy):
                    self._add(place, what)

    def add_done(self, changes: Iterable[Change]) -> None:
        """What the rewrites did, and where; that what is left is not needed is no news."""
        told = set(self.busy)
        for change in changes:
            for place in places_of_sites([change.site]):
                if change.rewrite != 'dead_code' or place not in told:
                    told.add(place)
                    self._add(place, _DONE.get(change.rewrite, change.rewrite.replace('_', ' ')))


@dataclass(frozen=True)
class _Statements:
    """Statements of a file.

    Attributes:
      assignments: the lines that are one assignment, and call nothing of the user's.
      control_flow: the first and the last line of branches and loops, and what Python does to them.
    """

    assignments: list[Place] = field(default_factory=list)
    control_flow: list[tuple[Place, int, str]] = field(default_factory=list)


def _statements(filename: str) -> _Statements:
    found = _Statements()
    try:
        tree = ast.parse(''.join(linecache.getlines(filename)))
    except SyntaxError:  # such as a cell with magics
        return found
    for node in ast.walk(tree):
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                # What a function does that is called stands elsewhere.
                if node.lineno == node.end_lineno and not any(_user_calls(node)):
                    found.assignments.append((filename, node.lineno))
            case ast.If():
                found.control_flow.append(_extent(filename, node, 'decided while tracing'))
            case ast.For() | ast.While():
                found.control_flow.append(_extent(filename, node, 'unrolled'))
    return found


def _extent(filename: str, node: ast.stmt, what: str) -> tuple[Place, int, str]:
    return (filename, node.lineno), node.end_lineno or node.lineno, what


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
