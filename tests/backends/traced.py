"""Graphs of small functions as tracing makes them; they are written as converted code is."""
from __future__ import annotations

import inspect

import autograph_lite.ops  # noqa: F401  importing the operations registers them
from autograph_lite.graph import nest
from autograph_lite.graph.graph import Graph
from autograph_lite.graph.tensor import Tensor
from autograph_lite.graph.tracing import as_value, tracing_into
from autograph_lite.graph.types import TensorType, type_of


def traced(function, *args) -> Graph:
    """The graph of a function for arguments such as these, or for their types."""
    graph = Graph(function.__name__)
    types = [arg if isinstance(arg, TensorType) else type_of(arg) for arg in args]
    names = inspect.signature(function).parameters
    params = [graph.param(type_, name) for type_, name in zip(types, names, strict=True)]
    with tracing_into(graph):
        leaves, _ = nest.flatten(function(*(Tensor(param) for param in params)))
        graph.outputs = [as_value(leaf) for leaf in leaves]
    return graph
