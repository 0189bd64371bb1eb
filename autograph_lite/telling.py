"""A graph that tells, as it runs, what the user's variables become and which ways it goes.

Behind every node whose value a statement of the user's stores or returns stands one that tells it;
so do the branches and the loops which way they go, and assignments what a variable holds then.
"""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .backends.numpy import lower, run
from .errors import Location
from .following import LAMBDA, Place, kept
from .graph.graph import Graph, Node, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.names import base_name, given_names
from .graph.sites import CodeSite, Site, is_returned_at, named_at
from .graph.tracing import CONSTANT
from .operators.staging import identifier
from .ops.control_flow import CAST, COND, NOT
from .ops.effects import PRINT
from .ops.lists import NEW
from .ops.python_functions import PYTHON_ACTION
from .ops.variables import ASSIGN, ASSIGN_ADD, ASSIGN_SUB, SET_ITEM, Cell
from .optimize.rewriting import LOOPS
from .pyct.statements import (
    RETURNED,
    bound_by,
    is_compound,
    is_on_one_line,
    named_in,
    statements_at,
)


class Telling:
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

    def has_each_turn(self, place: Place, runs: int) -> bool:
        """Whether nodes enough tell of a place for each of the turns of an unrolled loop."""
        return place in self._unrolled and self._tellers[place] >= runs

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
            site = node.site
            head = None if statement is owner else _head(node, statement)
            if head is not None and node.op is COND:
                nodes.append(self._teller(head, loops, new.inputs[:1]))
            if node.op is not PRINT:
                nodes.append(new)
            if head is not None and node.op in LOOPS:
                new.graphs['body'].nodes.insert(0, self._teller(head, loops, (), True))
                nodes.append(self._teller(head, loops, (), False))
            if site and statement and node.op in _WRITES:
                for name in bound_by(statement)[:1]:
                    known = _Known.at(site, site.callers, statement, name)
                    nodes.append(self._teller(known, loops, (), node.attrs['cell']))
            for value, told in zip(node.outputs, new.outputs, strict=True):
                if node.op not in _UNTOLD and not value.type.maybe:
                    for known in self._stored(node, value, owner):
                        nodes.append(self._teller(known, loops, (told,)))
        copy.nodes = nodes

    def _stored(self, node: Node, value: Value, owner: ast.stmt | None) -> Iterator[_Known]:
        """The user's statements that store a value or return it, the innermost first."""
        name = self._names.get(value)
        site = node.site
        if site is None or site in self._moved:
            return
        last = None
        for i, each in enumerate((site, *site.callers[: site.returned])):
            statement = _statement(each)
            if statement is None or statement is last:
                continue
            named = named_at(each) if isinstance(each, CodeSite) else None
            if named is not None and named in named_in(statement):
                place = Place(each.filename, statement.lineno, named, True)
                yield _Known.of(each, site.callers[i:], statement, place)
            last = statement
            if statement is owner:
                continue
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
            elif stored is None and not is_block:
                stored = _becomes(each, list(bound))
            if stored is not None:
                yield _Known.at(each, site.callers[i:], statement, stored)

    def _teller(
        self, known: _Known, loops: int, values: Sequence[Value], *others: bool | Cell
    ) -> Node:
        """A node that tells a value of the graph, what a variable holds, or which way it goes."""
        place = known.place
        self.locations.setdefault(place, known.location)
        told = self._told.setdefault(place, [])
        self._tellers[place] += others != (False,)
        if loops < known.loops:
            self._unrolled.add(place)

        def tell(*found: Any) -> None:
            told.extend(kept(x) if place.name else bool(x) for x in (*found, *others))

        return Node(PYTHON_ACTION, tuple(values), {'run': tell, 'types': []})


_WRITES = (ASSIGN, ASSIGN_ADD, ASSIGN_SUB, SET_ITEM)
# What says less than what follows it.
_UNTOLD = (CONSTANT, NEW)


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
        return cls.of(site, callers, statement, Place(site.filename, statement.lineno, name))

    @classmethod
    def of(
        cls, site: Site, callers: Sequence[Site], statement: ast.stmt, place: Place
    ) -> _Known:
        """What becomes known at a place, at a site of a statement, called from others."""
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


def _becomes(site: Site, bound: Sequence[str]) -> str | None:
    """The variable of a block's state that the block gives back as what an instruction gives."""
    if len(bound) != 1 or not isinstance(site, CodeSite):
        return None
    state = site.code.co_varnames[: site.code.co_argcount]
    is_state = bound[0] in state and is_returned_at(site.code, site.instruction)
    return bound[0] if is_state else None


def _is_lambdas(site: Site) -> bool:
    """Whether what an instruction gives is the result of a lambda of the user's."""
    return _is_result(site) and site.location.function == LAMBDA


def _head(node: Node, statement: ast.stmt | None) -> _Known | None:
    """Which way the user's branch or loop goes, if the node asks for that and no more."""
    if node.site is None or statement is None or not _is_made_of(node, statement):
        return None
    if is_on_one_line(statement) or _is_asked_elsewhere(node, statement):
        return None
    return _Known.at(node.site, node.site.callers, statement, '')


def _is_made_of(node: Node, statement: ast.stmt) -> bool:
    """Whether a node is what the user's branch or loop became, not what a jump or an `and` did."""
    if node.op is not COND or not isinstance(statement, ast.If):
        return node.op in LOOPS and isinstance(statement, ast.For | ast.While)
    if any(base_name(value) in _LOGIC for value in node.outputs):
        return False
    test = _made_by(node.inputs[0])
    while test is not None and test.op is NOT:
        test = _made_by(test.inputs[0])
    return test is not None and (not test.graphs or base_name(test.outputs[0]) in _LOGIC)


def _made_by(value: Value) -> Node | None:
    """The node that makes a value, which a block may capture."""
    while value.node is None:
        graph = value.graph
        captured = dict(zip(graph.params[len(graph.own_params) :], graph.captures, strict=True))
        if value not in captured:
            return None
        value = captured[value]
    return value.node


def _is_asked_elsewhere(node: Node, statement: ast.stmt) -> bool:
    """Whether a node's test is not all of the user's: it may be asked in parts, or in the body."""
    test = getattr(statement, 'test', ast.Constant(True))
    if any(isinstance(part, ast.NamedExpr) for part in ast.walk(test)):
        return True
    asked = [each for each in node.inside() if each.inputs]
    return node.op is COND and any(_statement(each.site) is statement for each in asked)


_LOGIC = ('and', 'or')
