"""What values are called: as the user calls them, where the user does."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .graph import Graph, Node, Op, Value
from .sites import Site
from .tracing import CONSTANT

# What branches and loops call their results where the user has no name for them.
_NO_NAMES = frozenset({'result', 'state', 'and', 'or'})


def base_name(value: Value) -> str:
    """The name of a value without the numbers that made it unique in its graph."""
    return re.sub(r'(?<=.)(_\d+)+$', '', value.name)


def given_names(graph: Graph) -> dict[Value, str]:
    """The names of those values of the graph that the user gave one.

    It is the variable that the user's statement stores the value in; or else the result of the
    branch, or the state of the loop, that the value is on its way to become.
    """
    return _GivenNames().of(graph)

# What a node does, as far as it tells one step of an instruction from another.
Kind = tuple[Op, Any, Any]


class _GivenNames:
    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._hints: dict[Value, str] = {}
        # Of each instruction, the last node of each kind; and all nodes in order.
        self._last: dict[Site, dict[Kind, Node]] = {}
        self._order: dict[Node, int] = {}

    def of(self, graph: Graph) -> dict[Value, str]:
        for node in graph.walk():
            self._order[node] = len(self._order)
            for output, name in zip(node.outputs, self._found(node), strict=True):
                if name is not None:
                    self._names[output] = name
            self._look_inside(node)
        return self._hints | self._names

    def _found(self, node: Node) -> Sequence[str | None]:
        if node.op is CONSTANT:
            return [None]
        if node.op.updates:
            return [self._known(node.inputs[0])]
        stored = stored_name(node.site) if len(node.outputs) == 1 else None
        if stored is not None:
            self._take_over(node)
        if node.graphs and 'function' not in node.graphs:
            return [self._of_block(output, stored) for output in node.outputs]
        return [stored] * len(node.outputs)

    def _known(self, value: Value) -> str | None:
        named = self._names.get(value) or self._hints.get(value)
        return base_name(value) if named is None and value.node is None else named

    def _of_block(self, output: Value, stored: str | None) -> str | None:
        base = base_name(output)
        return base if base not in _NO_NAMES else stored or self._hints.get(output)

    def _take_over(self, node: Node) -> None:
        """Of values that one instruction makes from each other, the variable holds the last."""
        assert node.site is not None
        made = self._last.setdefault(node.site, {})
        # What does the same thing again is the next turn of an unrolled loop.
        for kind, before in list(made.items()):
            if kind != _kind(node) and self._goes_into(before, node):
                self._names.pop(made.pop(kind).outputs[0], None)
        made[_kind(node)] = node

    def _goes_into(self, node: Node, later: Node) -> bool:
        """Whether a node is made of what another made, be it by way of others."""
        pending, seen = [later], {later}
        while pending:
            found = {value.node for value in pending.pop().inputs if value.node is not None}
            if node in found:
                return True
            between = {n for n in found - seen if self._order.get(n, -1) > self._order[node]}
            seen |= between
            pending += between
        return False

    def _look_inside(self, node: Node) -> None:
        """What values in subgraphs are called outside, or are on their way to become."""
        for graph in node.graphs.values():
            params = graph.params[len(graph.own_params) :]
            for param, captured in zip(params, graph.captures, strict=True):
                if (name := self._known(captured)) is not None:
                    self._names[param] = name
        count = len(node.outputs)
        for role, graph in node.graphs.items():
            if role in ('test', 'function'):
                continue
            results = list(map(self._names.get, node.outputs))
            self._hint(graph.outputs, results)
            if role == 'body':
                first = len(node.inputs) - len(graph.captures) - count
                self._hint(node.inputs[first : first + count], results)

    def _hint(self, values: Sequence[Value], names: Sequence[str | None]) -> None:
        for value, name in zip(values, names, strict=True):
            if value.node is not None and value.node.op is not CONSTANT and name is not None:
                self._hints.setdefault(value, name)


def _kind(node: Node) -> Kind:
    return node.op, node.attrs.get('ufunc'), node.attrs.get('function')


def variable_of(value: Value) -> str:
    """The user's variable for an array that may have been modified since; else what made it."""
    while value.node is not None and value.node.op.updates:
        value = value.node.inputs[0]
    node = value.node
    stored = stored_name(node.site) if node is not None and len(node.outputs) == 1 else None
    return stored or base_name(value)


def stored_name(site: Site | None) -> str | None:
    """The variable that the user's statement gives what was made there to, if any."""
    return None if site is None else site.stored
