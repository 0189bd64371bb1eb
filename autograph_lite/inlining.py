"""A concrete function that is called while another graph is traced becomes part of that graph."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .errors import StagingError, describe, user_location
from .graph.graph import Graph, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.sites import SavedSite, Site
from .graph.storage import Memory, Storage
from .graph.tensor import Tensor
from .graph.tracing import CONSTANT, as_value, callers, current_graph
from .operators.keeping import leaves_something
from .operators.outer_calls import Changing
from .operators.running_reads import Reading
from .ops.effects import ASSERT, RAISE
from .ops.left import LEAVE
from .ops.outer_variables import READ_OUTER, SET_OUTER
from .optimize.facts import Facts
from .optimize.rewriting import replace_values


def inline(graph: Graph, given: Sequence[Any]) -> list[Tensor]:
    """Puts a copy of a graph's nodes into the graph that is traced; its results there.

    Args:
      graph: the graph; it stays as it is.
      given: tensors or arrays for its parameters.

    Raises:
      StagingError: it sets variables outside.
    """
    target = current_graph()
    assert target is not None, 'inlining outside a trace'
    for node in graph.walk():
        if node.op in (READ_OUTER, SET_OUTER):
            raise _uses(node.attrs['variable'].name)
        if isinstance(node.attrs.get('run'), Changing | Reading):
            raise _uses(node.attrs['run'].__name__)
    _check_left(graph, target)
    copy = graph_from_def(graph_def(graph))
    memories = _Memories(copy, given, target)
    results = [(value, memories(value)) for value in copy.outputs]
    values = {p: as_value(x) for p, x in zip(copy.params, given, strict=True)}
    replace_values(copy, values)
    around = callers()
    for node in copy.walk():
        node.site = node.site and _called_by(node.site, around)
        node.merged = [_called_by(site, around) for site in node.merged]
    for node in copy.nodes:
        for inner in node.graphs.values():
            inner.parent = target
        for output in node.outputs:
            output.graph, output.name = target, target.unique(output.name)
        target.note_state(node)
        target.nodes.append(node)
    return [Tensor(values.get(value, value), memory) for value, memory in results]


def _uses(name: str) -> StagingError:
    """The error for a graph that reads and sets a variable which this trace may have set."""
    return StagingError(
        describe(
            f'A concrete function that sets variables outside, such as {name!r}, is called in '
            'another graph, which would not know what they become.',
            user_location(),
            'Call the function itself.',
        )
    )


def _check_left(graph: Graph, target: Graph) -> None:
    """Nothing that a call would leave behind is forgotten where the graph raises in another one.

    Raises:
      StagingError: it would.
    """
    ops = {node.op for node in graph.walk()}
    if LEAVE in ops or (not ops.isdisjoint((RAISE, ASSERT)) and leaves_something(target)):
        what = (
            'A concrete function that raises is called in another graph after what is given to '
            'one of the two was changed, which the caller would not find.')
        raise StagingError(describe(what, user_location(), 'Call the function itself.'))


def _called_by(site: Site, around: tuple[Site, ...]) -> Site:
    """The same place, of a call that these calls are around."""
    if not isinstance(site, SavedSite):
        return site
    return replace(site, callers=site.callers + around)


class _Memories:
    """The memory that results may share with arguments and with captured arrays."""

    def __init__(self, graph: Graph, given: Sequence[Any], target: Graph) -> None:
        self._facts = Facts(graph)
        self._known: dict[Value, Memory] = {}
        self._target = target
        for param, x in zip(graph.params, given, strict=True):
            if isinstance(x, Tensor):
                self._add(param, x.memory)
        for node in graph.walk():
            if node.op is CONSTANT and isinstance(node.attrs['value'], np.ndarray):
                self._add(node.outputs[0], (Storage(target, 'a captured array'),))

    def _add(self, value: Value, memory: Memory) -> None:
        buffer = self._facts.buffer(value)
        self._known[buffer] = (*self._known.get(buffer, ()), *memory)

    def __call__(self, value: Value) -> Memory:
        buffer = self._facts.buffer(value)
        return self._known.setdefault(buffer, (Storage(self._target),))
