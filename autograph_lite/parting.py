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
from .following import LAMBDA, Event, Follower, Place, kept
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
        self._counts: Counter[Place] = Counter()
        self._told: dict[Place, list[Any]] = {}
        self._moved = {c.site for c in graph.changes if c.rewrite == 'loop_invariants'}
        self._names = _names(graph)
        self._copy = graph_from_def(graph_def(graph))
        self._tell(graph, self._copy, None)

    def run(self, given: Sequence[Any]) -> dict[Place, list[Any]]:
        """What became known at each place, in order."""
        with suppress(Exception):  # what came before it is told
            run(lower(self._copy), given)
        return self._told

    def is_alone(self, place: Place) -> bool:
        """Whether one node tells of a place, wherever plain Python comes to it."""
        return self._counts[place] == 1

    def _tell(self, graph: Graph, copy: Graph, owner: ast.stmt | None) -> None:
        """Puts what tells into the copy of a graph, which is a block of a statement."""
        nodes: list[Node] = []
        for node, new in zip(graph.nodes, copy.nodes, strict=True):
            statement = _statement(node.site)
            head = statement if statement is not owner and node.graphs else None
            for role, inner in node.graphs.items():
                self._tell(inner, new.graphs[role], statement)
                if role == 'body' and isinstance(head, ast.For | ast.While):
                    turn = self._teller(node.site, head, '', (), True)
                    new.graphs[role].nodes.insert(0, turn)
            if isinstance(head, ast.If) and _decides(node):
                nodes.append(self._teller(node.site, head, '', new.inputs[:1]))
            if node.op is not PRINT:
                nodes.append(new)
            if node.op in LOOPS and isinstance(head, ast.For | ast.While):
                nodes.append(self._teller(node.site, head, '', (), False))
            for value, told in zip(node.outputs, new.outputs, strict=True):
                if node.op not in (CONSTANT, NEW) and not value.type.maybe:
                    for site, where, name in self._stored(node, value, owner):
                        nodes.append(self._teller(site, where, name, (told,)))
        copy.nodes = nodes

    def _stored(
        self, node: Node, value: Value, owner: ast.stmt | None
    ) -> Iterator[tuple[Site, ast.stmt, str]]:
        """The user's statements that store a value or return it, the innermost first."""
        name = self._names.get(value)
        site = node.site
        if site is None or site in self._moved:
            return
        last = owner
        for each in (site, *site.callers[: site.returned]):
            statement = _statement(each)
            if statement is None or statement in (owner, last):
                continue
            last = statement
            is_block = is_compound(statement)
            if is_block and not (each is site and node.graphs):
                continue
            inside = ast.walk(statement) if is_block else [statement]
            bound = dict.fromkeys(text for part in inside for text in bound_by(part))
            stored = next((text for text in bound if name in (text, identifier(text))), None)
            if _is_lambdas(each):
                yield each, statement, LAMBDA
            elif stored is not None:
                yield each, statement, stored
            elif RETURNED in bound and _is_result(each) and not is_block:
                yield each, statement, RETURNED

    def _teller(
        self, site: Site | None, statement: ast.stmt, name: str, values: Sequence[Value],
        *known: Any,
    ) -> Node:
        """A node that tells the value of a place: that of the graph, or one that is known."""
        assert site is not None
        place = Place(site.filename, statement.lineno, name)
        self.locations.setdefault(place, site.location)
        told = self._told.setdefault(place, [])
        if not known or known[0]:
            self._counts[place] += 1

        def tell(*found: Any) -> None:
            told.extend(kept(x) if name else bool(x) for x in (*found, *known))

        return Node(PYTHON_ACTION, tuple(values), {'run': tell, 'types': []})


def _names(graph: Graph) -> dict[Value, str]:
    """What the user calls the values of a graph."""
    names = given_names(graph)
    for node in graph.walk():
        if node.op is CAST and node.outputs[0] in names:
            names.setdefault(node.inputs[0], names[node.outputs[0]])
    return names


def _statement(site: Site | None) -> ast.stmt | None:
    """The innermost statement at a place."""
    around = [] if site is None else statements_at(site.filename, site.line)
    return around[0] if around else None


def _is_result(site: Site) -> bool:
    """Whether what an instruction gives is a function's result, or is kept to become that."""
    if not isinstance(site, CodeSite):
        return False
    return site.stored is not None or is_returned_at(site.code, site.instruction)


def _is_lambdas(site: Site) -> bool:
    """Whether what an instruction gives is the result of a lambda of the user's."""
    return _is_result(site) and site.location.function == LAMBDA


def _decides(node: Node) -> bool:
    """Whether a node is the branch that the user wrote, not one that a jump or an `and` became."""
    if node.op is not COND or any(base_name(value) in _LOGIC for value in node.outputs):
        return False
    test = node.inputs[0].node
    while test is not None and test.op is NOT:
        test = test.inputs[0].node
    return test is not None and (not test.graphs or base_name(test.outputs[0]) in _LOGIC)


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
        if run < len(values) and not alike(event.value, values[run]):
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
