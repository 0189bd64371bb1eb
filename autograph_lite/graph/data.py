"""`GraphDef`: a graph as data, which holds no code and refers to operations by name.

It reads like TensorFlow's: `graph_def.node` lists nodes with `name`, `op`, `input` and `attr`;
`graph_def.library.function` holds the subgraphs of control flow.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .sites import SavedSite
from .types import TensorType

PARAMETER = 'Placeholder'


@dataclass
class NodeDef:
    """One node: a parameter (op 'Placeholder') or an operation.

    Attributes:
      name: unique in its graph.
      op: the name of the operation.
      input: the names of the values that it reads.
      attr: what is known while tracing; for control flow also the names of its subgraphs.
      output: the names of the values that it makes, and their types.
      location: the user's line that it was made at, and the variable that the user stored it in.
      merged: the same of what rewrites made part of it.
    """

    name: str
    op: str
    input: list[str] = field(default_factory=list)
    attr: dict[str, Any] = field(default_factory=dict)
    output: list[tuple[str, TensorType]] = field(default_factory=list)
    location: SavedSite | None = None
    merged: list[SavedSite] = field(default_factory=list)


@dataclass
class FunctionDef:
    """A subgraph of a control flow node, or the whole graph.

    Attributes:
      name: unique in the library.
      node: its parameters, then its operations in program order.
      ret: the names of its results.
      captures: how many of its last parameters stand for values of the graph around it.
    """

    name: str
    node: list[NodeDef] = field(default_factory=list)
    ret: list[str] = field(default_factory=list)
    captures: int = 0


@dataclass
class Library:
    """The subgraphs of a graph."""

    function: list[FunctionDef] = field(default_factory=list)


@dataclass
class GraphDef(FunctionDef):
    """A whole graph."""

    library: Library = field(default_factory=Library)
