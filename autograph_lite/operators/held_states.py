"""What NumPy does with errors, how it shows arrays, and which warnings pass hold as while tracing.

However that was set: by a manager around `np.errstate(...)`, an `ExitStack`, `np.set_printoptions`.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node
from ..graph.held_filters import Filter
from ..graph.run_state import RunState
from ..graph.tracing import CONSTANT
from ..ops.effects import CATCH_WARNINGS, END_WITH, ERRSTATE, PRINTOPTIONS, WITHS
from .guards import record_asked


def hold_states(graph: Graph) -> None:
    """Puts `with` around what was traced under another state of NumPy's than its graph."""
    inside = (inner for node in graph.walk() for inner in node.graphs.values())
    for each in (graph, *inside):
        if each.state is not None and any(node.under for node in each.nodes):
            each.nodes = [*_held(each.nodes, each.state)]


def _held(nodes: Sequence[Node], state: RunState) -> Iterator[Node]:
    inside = _inside(nodes, state)
    around = [_Around(state)]
    for node in nodes:
        if node.op is not CONSTANT:  # which stands where it is used
            is_end = node.op is END_WITH
            yield from around[-1].switch(around[-1].state if is_end else node.under or state, node)
        node.under = None
        yield node
        if node.op in WITHS:
            around.append(_Around(inside[id(node)]))
        elif node.op is END_WITH:
            around.pop()
    yield from around[-1].switch(state, nodes[-1])


def _inside(nodes: Sequence[Node], state: RunState) -> dict[int, RunState]:
    """What holds within each `with` that is there."""
    begun: list[Node] = []
    found = {}
    for node in nodes:
        if node.op in WITHS:
            begun.append(node)
        elif node.op is END_WITH:
            begin, end = begun.pop(), node.under or state
            found[id(begin)] = replace(begin.under or state, errors=end.errors, states=end.states)
    return found


class _Around:
    """What is around the nodes of a block, or of a `with` in it."""

    def __init__(self, state: RunState) -> None:
        self.state = self._now = state
        self._begun = 0

    def switch(self, state: RunState, node: Node) -> Iterator[Node]:
        """What stands before a node that is under this state."""
        if state == self._now:
            return
        yield from (Node(END_WITH, (), {}, site=node.site) for _ in range(self._begun))
        begins = [*_begins(self.state, state, node)]
        self._now, self._begun = state, len(begins)
        yield from begins


def _begins(old: RunState, new: RunState, node: Node) -> Iterator[Node]:
    """What changes NumPy's state; what that does not set is guarded."""
    if not new.has_errors_of(old):
        record_asked('what NumPy does with errors', _errors)
        yield from _begin(ERRSTATE, _changed(old.states, new.states), node)
    if not new.prints_as(old):
        record_asked('how NumPy shows arrays', _printing)
        options = _changed(old.options, new.options)
        if options and new.options['formatter'] is not None:
            options['formatter'] = new.options['formatter']  # which is always set
        yield from _begin(PRINTOPTIONS, options, node)
    if new.filters is not None and new.filters != old.filters:
        attrs = {'filters': _in_front(new.filters, old.filters or ())}
        yield Node(CATCH_WARNINGS, (), attrs, site=node.site)


def _begin(op: Any, states: dict[str, Any], node: Node) -> Iterator[Node]:
    if states:
        yield Node(op, (), {'states': states}, site=node.site)


def _changed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {name: new[name] for name in new if new[name] != old[name]}


def _in_front(new: tuple[Filter, ...], old: tuple[Filter, ...]) -> tuple[Filter, ...]:
    """The filters without those that both end with."""
    while new and old and new[-1] == old[-1]:
        new, old = new[:-1], old[:-1]
    return new


def _errors() -> Hashable:
    return (*np.geterr().items(), id(np.geterrcall()))


def _printing() -> Hashable:
    options = dict(np.get_printoptions())
    formatter: Any = options.pop('formatter') or {}
    return (*options.items(), *formatter.items())
