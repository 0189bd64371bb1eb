"""Where the values of a graph and of plain Python part: the user's line, and the two values.

A copy of the graph tells, behind everything that the user's statements store, which way every
branch and loop goes and what each variable becomes; plain Python is followed line by line and tells
the same of the same places. The first thing that it tells otherwise is where they part.
"""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from .backends.numpy import lower, run
from .errors import Location
from .following import LAMBDA, UNKNOWN, Event, Follower, Place, kept
from .graph import nest
from .graph.graph import Graph, Node, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.names import base_name, given_names
from .graph.sites import CodeSite, Site, is_returned_at
from .graph.tracing import CONSTANT
from .operators.staging import identifier
from .ops.control_flow import CAST, COND, NOT
from .ops.effects import PRINT
from .ops.lists import NEW
from .ops.python_functions import PYTHON_ACTION
from .optimize.rewriting import LOOPS
from .pyct.statements import RETURNED, bound_by, is_compound, statements_at
from .sameness import same


@dataclass(frozen=True)
class Parting:
    """The first thing that is not the same.

    Attributes:
      name: the variable; RETURNED, or empty for the way that a branch or a loop goes.
      location: the user's line.
      run: which run of the line it is, the first being 1.
      runs: how often plain Python runs it.
      values: what plain Python has there, and what the graph has.
    """

    name: str
    location: Location
    run: int
    runs: int
    values: tuple[Any, Any]


class _Telling:
    """A copy of a graph that tells what becomes known as it runs.

    Attributes:
      locations: the places that it tells of, and where what it tells there is computed.
    """

    def __init__(self, graph: Graph) -> None:
        self.locations: dict[Place, Location] = {}
        self._tellers: Counter[Place] = Counter()
        self._unrolled: set[Place] = set()
        self._told: dict[Place, list[Any]] = {}
        self._moved = {c.site for c in graph.changes if c.rewrite == 'loop_invariants'}
        self._names = _names(graph)
        self._copy = graph_from_def(graph_def(graph))
        self._tell(graph, self._copy, None, 0)

    def run(self, given: Sequence[Any]) -> dict[Place, list[Any]]:
        """What became known at each place, in order."""
        with suppress(Exception):  # what came before it is told
            run(lower(self._copy), given)
        return self._told

    def is_alone(self, place: Place) -> bool:
        """Whether one node tells of a place, whenever plain Python comes to it."""
        return self._tellers[place] == 1 and place not in self._unrolled

    def _tell(self, graph: Graph, copy: Graph, owner: ast.stmt | None, loops: int) -> None:
        """Puts what tells into the copy of a graph.

        Args:
          graph: the graph.
          copy: its copy.
          owner: the statement that it is a block of.
          loops: how many loops it stands in.
        """
        nodes: list[Node] = []
        for node, new in zip(graph.nodes, copy.nodes, strict=True):
            statement = _statement(node.site)
            for role, inner in node.graphs.items():
                self._tell(inner, new.graphs[role], statement, loops + (role == 'body'))
            head = None
            site = node.site
            if site and statement and statement is not owner and _is_made_of(node, statement):
                head = _Known.at(site, site.callers, statement, '')
            if head is not None and isinstance(statement, ast.If) and _decides(node, statement):
                nodes.append(self._teller(head, loops, new.inputs[:1]))
            if node.op is not PRINT:
                nodes.append(new)
            if head is not None and node.op in LOOPS:
                new.graphs['body'].nodes.insert(0, self._teller(head, loops, (), True))
                nodes.append(self._teller(head, loops, (), False))
            for value, told in zip(node.outputs, new.outputs, strict=True):
                if node.op not in (CONSTANT, NEW) and not value.type.maybe:
                    for known in self._stored(node, value, owner):
                        nodes.append(self._teller(known, loops, (told,)))
        copy.nodes = nodes

    def _stored(self, node: Node, value: Value, owner: ast.stmt | None) -> Iterator[_Known]:
        """The user's statements that store a value or return it, the innermost first."""
        name = self._names.get(value)
        site = node.site
        if site is None or site in self._moved:
            return
        last = owner
        for i, each in enumerate((site, *site.callers[: site.returned])):
            statement = _statement(each)
            if statement is None or statement in (owner, last):
                continue
            last = statement
            is_block = is_compound(statement)
            if is_block and not (each is site and _is_made_of(node, statement)):
                continue
            inside = ast.walk(statement) if is_block else [statement]
            bound = dict.fromkeys(text for part in inside for text in bound_by(part))
            stored = next((text for text in bound if name in (text, identifier(text))), None)
            if _is_lambdas(each):
                stored = LAMBDA
            elif stored is None and RETURNED in bound and _is_result(each) and not is_block:
                stored = RETURNED
            if stored is not None:
                yield _Known.at(each, site.callers[i:], statement, stored)

    def _teller(
        self, known: _Known, loops: int, values: Sequence[Value], *ways: bool
    ) -> Node:
        """A node that tells a value of the graph, or which way it goes."""
        place = known.place
        self.locations.setdefault(place, known.location)
        told = self._told.setdefault(place, [])
        self._tellers[place] += ways != (False,)
        if loops < known.loops:
            self._unrolled.add(place)

        def tell(*found: Any) -> None:
            told.extend(kept(x) if place.name else bool(x) for x in (*found, *ways))

        return Node(PYTHON_ACTION, tuple(values), {'run': tell, 'types': []})


@dataclass(frozen=True)
class _Known:
    """What becomes known at a statement.

    Attributes:
      place: the statement and the variable.
      location: where that is computed.
      loops: how many loops there are around it, and around the calls that lead to it.
    """

    place: Place
    location: Location
    loops: int

    @classmethod
    def at(
        cls, site: Site, callers: Sequence[Site], statement: ast.stmt, name: str
    ) -> _Known:
        """What becomes known at a site of a statement, called from others."""
        place = Place(site.filename, statement.lineno, name)
        around = [each for call in (site, *callers) for each in _around(call)]
        loops = sum(isinstance(each, ast.For | ast.While) for each in around)
        return cls(place, site.location, loops - isinstance(statement, ast.For | ast.While))


def _names(graph: Graph) -> dict[Value, str]:
    """What the user calls the values of a graph."""
    names = given_names(graph)
    for node in graph.walk():
        if node.op is CAST and node.outputs[0] in names:
            names.setdefault(node.inputs[0], names[node.outputs[0]])
    return names


def _statement(site: Site | None) -> ast.stmt | None:
    """The innermost statement at a site."""
    around = [] if site is None else _around(site)
    return around[0] if around else None


def _around(site: Site) -> list[ast.stmt]:
    return statements_at(site.filename, site.line)


def _is_result(site: Site) -> bool:
    """Whether what an instruction gives is a function's result, or is kept to become that."""
    if not isinstance(site, CodeSite):
        return False
    return site.stored is not None or is_returned_at(site.code, site.instruction)


def _is_lambdas(site: Site) -> bool:
    """Whether what an instruction gives is the result of a lambda of the user's."""
    return _is_result(site) and site.location.function == LAMBDA


def _is_made_of(node: Node, statement: ast.stmt) -> bool:
    """Whether a node is what the user's branch or loop became, not what a jump or an `and` did."""
    if node.op is not COND or not isinstance(statement, ast.If):
        return node.op in LOOPS and isinstance(statement, ast.For | ast.While)
    if any(base_name(value) in _LOGIC for value in node.outputs):
        return False
    test = node.inputs[0].node
    while test is not None and test.op is NOT:
        test = test.inputs[0].node
    return test is not None and (not test.graphs or base_name(test.outputs[0]) in _LOGIC)


def _decides(node: Node, statement: ast.If) -> bool:
    """Whether a node's test is all of the user's, which may have become one for each part."""
    inside = [each for graph in node.graphs.values() for each in graph.walk()]
    parts = (*ast.walk(statement.test), *(_statement(each.site) for each in inside))
    return not any(isinstance(part, ast.NamedExpr) or part is statement for part in parts)


_LOGIC = ('and', 'or')


def find(
    graph: Graph, given: Sequence[Any], filename: str, plainly: Callable[[], Any],
    again: Callable[[], AbstractContextManager[Any]],
) -> tuple[Parting | None, Location | None]:
    """The first place where the two part, and where plain Python returned.

    Args:
      graph: the graph.
      given: the values of its parameters.
      filename: where the function stands.
      plainly: runs plain Python.
      again: what is around each run.
    """
    telling = _Telling(graph)
    follower = Follower(filename, telling.locations)
    with again():
        follower.run(plainly)
    with again():
        told = telling.run(given)
    for alike in (_alike, same):
        parting = _first(follower.events, told, telling, alike)
        if parting is not None:
            return parting, follower.returned_at
    return None, follower.returned_at


def _first(
    events: Sequence[Event],
    told: dict[Place, list[Any]],
    telling: _Telling,
    alike: Callable[[Any, Any], bool],
) -> Parting | None:
    runs = Counter(event.place for event in events)
    done: Counter[Place] = Counter()
    for event in events:
        place, run = event.place, done[event.place]
        done[place] += 1
        values = told[place]
        if runs[place] != len(values) and not telling.is_alone(place):
            continue
        if run < len(values) and not _fits(alike, event.value, values[run]):
            location = telling.locations[place]
            if event.location is not None and event.location.line != place.line:
                location = event.location
            both = event.value, values[run]
            return Parting(place.name, location, run + 1, runs[place], both)
    return None


def _alike(x: Any, y: Any) -> bool:
    """Whether two values are the same, or numbers that are equal: one may have met the other's."""
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(_alike, x, y))
    if same(x, y):
        return True
    numbers = all(isinstance(n, complex | int | float | np.number | np.bool_) for n in (x, y))
    return numbers and bool(x == y)


def _fits(alike: Callable[[Any, Any], bool], plain: Any, told: Any) -> bool:
    """Whether what the graph tells of a variable can be it, or one of the values that it holds."""
    if plain is UNKNOWN:
        return True
    if isinstance(told, list):
        return not isinstance(plain, list) or alike(plain, told)
    leaves = nest.flatten(plain)[0]
    if not all(isinstance(leaf, np.ndarray | np.generic | str | complex | int | float)
               for leaf in leaves) or (isinstance(told, bool) and not nest.is_leaf(plain)):
        return True
    return not leaves or any(alike(leaf, told) for leaf in leaves)
