"""A concrete function that is called while another graph is traced becomes part of that graph."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.graph import Graph, Value
from ..graph.graph_def import graph_def, graph_from_def
from ..graph.sites import SavedSite, Site
from ..graph.tensor import Memory, Storage, Tensor
from ..graph.tracing import CONSTANT, as_value, callers, current_graph
from .facts import Facts
from .rewriting import replace_values


def inline(graph: Graph, given: Sequence[Any]) -> list[Tensor]:
    """Puts a copy of a graph's nodes into the graph that is traced; its results there.

    Args:
      graph: the graph; it stays as it is.
      given: tensors or arrays for its parameters.
    """
    target = current_graph()
    assert target is not None, 'inlining outside a trace'
    copy = graph_from_def(graph_def(graph))
    memories = _Memories(copy, given, target)
    results = [(value, memories(value)) for value in copy.outputs]
    values = {p: as_value(x) for p, x in zip(copy.params, given, strict=True)}
    replace_values(copy, values)
    for node in copy.walk():
        node.site = node.site and _called_by(node.site)
        node.merged = list(map(_called_by, node.merged))
    for node in copy.nodes:
        for inner in node.graphs.values():
            inner.parent = target
        for output in node.outputs:
            output.graph, output.name = target, target.unique(output.name)
        target.nodes.append(node)
    return [Tensor(values.get(value, value), memory) for value, memory in results]


def _called_by(site: Site) -> Site:
    """The same place, of a call that these calls are around."""
    assert isinstance(site, SavedSite)
    return replace(site, callers=site.callers + callers())


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
