"""The graph: operations, the nodes that apply them, the values between nodes.

A graph is in SSA form: each `Value` is defined once, by a node or as a parameter, and nodes stand
in program order. Control flow is structured: a `cond` or loop node owns subgraphs, and whatever
a subgraph needs from outside is an explicit capture, paired with a parameter of the subgraph.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .data import GraphDef
from .sites import Site
from .types import TensorType
from .varying import infer

Attrs = dict[str, Any]
Infer = Callable[[Sequence[TensorType], Attrs], 'TensorType | tuple[TensorType, ...]']
Expression = Callable[['Node', Sequence[ast.expr]], ast.expr]
Statement = Callable[['Node', Sequence[ast.expr]], Sequence[ast.stmt]]

# The text, data form and equality of graphs, which `text`, `graph_def` and `equality` put here.
FORMS: dict[str, Callable[..., Any]] = {}


@dataclass(frozen=True, eq=False)
class Op:
    """One operation: one row in one file of `ops/`.

    Attributes:
      name: what the graph prints.
      infer: the output type or types, from the input types and the attributes.
      expression: how the NumPy program writes it as an expression over its inputs.
      statement: how the NumPy program writes it where it is a statement: an update of input 0 in
        place, or an effect without a value.
      effect: it runs in program order, exactly as often as in Python, needed or not.
      view: the output may share memory with input 0.
      updates: it consumes input 0; the output is the same buffer with new contents.
    """

    name: str
    infer: Infer
    expression: Expression | None = None
    statement: Statement | None = None
    effect: bool = False
    view: bool = False
    updates: bool = False


def declared_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    """The type rule of an op whose nodes say themselves what they give: `attrs['type']`."""
    type_: TensorType = attrs['type']
    return type_


def declared_types(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    """The same for several outputs: `attrs['types']`."""
    return tuple(attrs['types'])


def same_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    """The type rule of an op that gives what is like its first input."""
    return types[0]


@dataclass(frozen=True)
class Change:
    """A node that is no more where or what it was: the rewrite that did it, the op, the place."""

    rewrite: str
    op: str
    site: Site


@dataclass(eq=False, repr=False, slots=True)
class Value:
    """One SSA value: an output of a node, or a parameter of a graph (then `node` is None)."""

    graph: Graph
    type: TensorType
    name: str
    node: Node | None = None

    def __repr__(self) -> str:
        return f'<Value {self.name}: {self.type}>'


@dataclass(eq=False, repr=False, slots=True)
class Node:
    """An operation applied to values.

    `attrs` holds what is known while tracing; `graphs` the subgraphs of control flow, by role.
    `site` is the place that errors point at; `merged` are those of the nodes that rewrites made
    part of this one.
    """

    op: Op
    inputs: tuple[Value, ...]
    attrs: Attrs
    outputs: tuple[Value, ...] = ()
    graphs: dict[str, Graph] = field(default_factory=dict)
    site: Site | None = None
    merged: list[Site] = field(default_factory=list)

    @property
    def sites(self) -> list[Site]:
        """All places that the node came from, its own first."""
        return [self.site, *self.merged] if self.site is not None else self.merged

    def absorb(self, *others: Node) -> None:
        """Notes that what other nodes did is from now on done by this one."""
        self.merged += [site for other in others for site in other.sites]

    @property
    def effect(self) -> bool:
        """Whether the node, or a node in a graph that it runs, has an effect."""
        if self.op.effect or self.attrs.get('effect', False):
            return True
        return any(g.effect for g in self.graphs.values())

    def inferred_types(self) -> tuple[TensorType, ...]:
        """The types of its outputs, as its operation tells them from its inputs."""
        attrs, keeps_length = self.attrs | self.graphs, self.op.updates or bool(self.graphs)
        given = [value.type for value in self.inputs]
        return infer(self.op.name, given, lambda types: self.op.infer(types, attrs), keeps_length)

    def __repr__(self) -> str:
        return f'<Node {FORMS["line"](self)}>'


@dataclass(eq=False, repr=False)
class Graph:
    """A list of nodes in program order, with parameters and outputs.

    A subgraph's parameters end with one for each capture: `captures[i]` is the value of the parent
    that `params[len(params) - len(captures) + i]` stands for. `reads` are the handles through which
    outer memory was read while tracing; a loop checks that no turn modifies that memory; `watched`
    are lists and the like that nothing modifies from some place of the trace on, and what they held
    there. `changes` are what the rewrites did to it. `observers` are called with the operation of
    each node before it is added, here or in a subgraph.
    """

    name: str
    parent: Graph | None = None
    params: list[Value] = field(default_factory=list)
    captures: list[Value] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    reads: list[Any] = field(default_factory=list)
    watched: list[tuple[Any, Any]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    observers: tuple[Callable[[Op], None], ...] = ()

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.observers = self.parent.observers

    @property
    def own_params(self) -> list[Value]:
        """The parameters that are not captures."""
        return self.params[: len(self.params) - len(self.captures)]

    @property
    def effect(self) -> bool:
        """Whether some node has an effect."""
        return any(node.effect for node in self.nodes)

    def unique(self, name: str) -> str:
        """The name, with a number behind it if this graph uses it already."""
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return f'{name}_{count}' if count else name

    def param(self, type: TensorType, name: str) -> Value:
        """Appends a parameter."""
        value = Value(self, type, self.unique(name))
        self.params.append(value)
        return value

    def add(
        self,
        op: Op,
        inputs: Sequence[Value] = (),
        attrs: Attrs | None = None,
        graphs: dict[str, Graph] | None = None,
        site: Site | None = None,
        names: Sequence[str] = (),
    ) -> Node:
        """Appends a node; its output types are inferred, so a graph that is built is well typed."""
        for observe in self.observers:
            observe(op)
        node = Node(op, tuple(inputs), attrs or {}, graphs=graphs or {}, site=site)
        types = node.inferred_types()
        node.outputs = tuple(
            Value(self, type, self.unique(names[i] if i < len(names) else op.name), node)
            for i, type in enumerate(types)
        )
        self.nodes.append(node)
        return node

    def local(self, value: Value) -> Value:
        """The value itself, or the parameter that stands here for a value of an enclosing graph."""
        if value.graph is self:
            return value
        assert self.parent is not None, 'the value belongs to no enclosing graph'
        outer = self.parent.local(value)
        for captured, param in zip(self.captures, self.params[-len(self.captures) :], strict=False):
            if captured is outer:
                return param
        self.captures.append(outer)
        return self.param(outer.type, outer.name)

    def walk(self) -> Iterator[Node]:
        """Every node, those of subgraphs after the node that owns them."""
        for node in self.nodes:
            yield node
            for graph in node.graphs.values():
                yield from graph.walk()

    def as_graph_def(self) -> GraphDef:
        """The graph as data, as TensorFlow has it: see `graph_def`."""
        data: GraphDef = FORMS['data'](self)
        return data

    def __eq__(self, other: object) -> bool:
        """Whether both are whole graphs of one program; a subgraph equals only itself."""
        if self is other or not isinstance(other, Graph):
            return self is other
        if self.parent is not None or other.parent is not None or self.name != other.name:
            return False
        return bool(FORMS['equal'](self, other))

    def __hash__(self) -> int:
        return id(self) if self.parent is not None else hash(self.name)

    def __repr__(self) -> str:
        return f'<Graph {self.name}: {len(self.nodes)} nodes>'

    def __str__(self) -> str:
        return str(FORMS['text'](self))
