"""The graph: operations, the nodes that apply them, the values between nodes.

A graph is in SSA form: each `Value` is defined once, by a node or as a parameter, and nodes stand
in program order. Control flow is structured: a `cond` or loop node owns subgraphs, and whatever
a subgraph needs from outside is an explicit capture, paired with a parameter of the subgraph.
"""
from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .nest import LEAVES
from .run_state import RunState, state_in_force
from .sites import Site
from .types import TensorType
from .varying import infer

if TYPE_CHECKING:
    from .graph_def import GraphDef

Attrs = dict[str, Any]
Infer = Callable[[Sequence[TensorType], Attrs], 'TensorType | tuple[TensorType, ...]']
Expression = Callable[['Node', Sequence[ast.expr]], ast.expr]
Statement = Callable[['Node', Sequence[ast.expr]], Sequence[ast.stmt]]


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        return f'<Op {self.name}>'


def declared_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    """What an op gives where each node says so itself: one of the type `attrs['type']`."""
    type_: TensorType = attrs['type']
    return type_


def declared_types(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    """The same of several outputs, of the types `attrs['types']`."""
    return tuple(attrs['types'])


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

    `attrs` holds what is known while tracing; `graphs` the subgraphs of control flow, by role;
    `known_as` what tells it from others without outputs. `site` is the place that errors point at;
    `merged` are those of the nodes that rewrites made part of this one. `under` is what held of
    NumPy's state where it was traced, if that is not its graph's.
    """

    op: Op
    inputs: tuple[Value, ...]
    attrs: Attrs
    outputs: tuple[Value, ...] = ()
    graphs: dict[str, Graph] = field(default_factory=dict)
    site: Site | None = None
    known_as: str = ''
    merged: list[Site] = field(default_factory=list)
    under: RunState | None = None

    @property
    def name(self) -> str:
        """What its first output is called; without one, its operation, with a number behind it."""
        return self.outputs[0].name if self.outputs else self.known_as or self.op.name

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
        return self.own_effect or any(graph.effect for graph in self.graphs.values())

    @property
    def own_effect(self) -> bool:
        """Whether the node itself has an effect, whatever is in its graphs."""
        return self.op.effect or bool(self.attrs.get('effect', False))

    def walk(self) -> Iterator[Node]:
        """Itself, and every node inside."""
        yield self
        yield from self.inside()

    def inside(self) -> Iterator[Node]:
        """Every node of its subgraphs, and of theirs."""
        for graph in self.graphs.values():
            yield from graph.walk()

    def __repr__(self) -> str:
        from .text import brief

        return f'<Node {brief(self)}>'


@dataclass(eq=False, repr=False)
class Graph:
    """A list of nodes in program order, with parameters and outputs.

    A subgraph's parameters end with one for each capture: `captures[i]` is the value of the parent
    that `params[len(params) - len(captures) + i]` stands for. `reads` are the handles through which
    outer memory was read while tracing; a loop checks that no turn modifies that memory; `watched`
    are lists and the like that nothing modifies from some place of the trace on, and what they held
    there; `unsure` are others, what they held, what of before they may be, and the variable;
    `joined` are, in the outermost graph, objects each made of those that several ways gave;
    `returned` is what functions return early, and what that may be. `states` are the memories of
    the variables that the outermost graph uses. `changes` are what the rewrites did, and `unmoved`
    is the graph as it was before them if they may have moved operations. `keeping` are asked,
    before an operation is added, to keep what the handlers of a `try` around it need.
    `found` is, in the outermost graph, by block what tracing found it to change. `conditions`
    are those that are true, or false, where the trace has come to; `known` says of all that the
    first `asked` of them imply whether it is true, and of values that may be missing whether they
    are there. `made` are the parameters that are new objects in each turn of a loop.
    `passed` are the lists and the like that it was given, and what they held then. `given` are
    the arrays that it was given as they are: what it writes to them their handles hold; `lent` is
    their memory there, by what it is outside. `state` is what held of NumPy's state where tracing
    of the graph began.
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
    unsure: list[tuple[Any, Any, Any, str]] = field(default_factory=list)
    joined: list[Any] = field(default_factory=list)
    returned: list[tuple[Any, list[Any]]] = field(default_factory=list)
    states: dict[int, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    unmoved: Graph | None = None
    keeping: tuple[Callable[[Graph, Op], None], ...] = ()
    found: dict[Any, Any] = field(default_factory=dict)
    conditions: list[tuple[Value, bool]] = field(default_factory=list)
    known: dict[Value, bool] = field(default_factory=dict)
    asked: int = 0
    made: set[Value] = field(default_factory=set)
    lent: dict[Any, Any] = field(default_factory=dict)
    passed: list[tuple[Any, Any]] = field(default_factory=list)
    given: list[Any] = field(default_factory=list)
    state: RunState | None = None

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.keeping = self.parent.keeping

    @property
    def own_params(self) -> list[Value]:
        """The parameters that are not captures."""
        return self.params[: len(self.params) - len(self.captures)]

    @property
    def effect(self) -> bool:
        """Whether some node has an effect, here or in a graph inside."""
        return any(node.own_effect for node in self.walk())

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
        for keep in self.keeping:
            keep(self, op)
        node = Node(op, tuple(inputs), attrs or {}, graphs=graphs or {}, site=site)
        attributes = node.attrs | node.graphs
        types = infer(op, [v.type for v in inputs], attributes, bool(graphs))
        node.outputs = tuple(
            Value(self, type, self.unique(names[i] if i < len(names) else op.name), node)
            for i, type in enumerate(types)
        )
        if not node.outputs:
            # Values may have the same names: these are counted apart.
            node.known_as = self.unique(f'{op.name} ').replace(' ', '')
        self.note_state(node)
        self.nodes.append(node)
        return node

    def note_state(self, node: Node) -> None:
        """Notes of a node under which of NumPy's states it is traced, if not under the graph's."""
        if self.state is not None and not self.state.holds():
            node.under = state_in_force()

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
        pending = [iter(self.nodes)]
        while pending:
            node = next(pending[-1], None)
            if node is None:
                pending.pop()
                continue
            yield node
            if node.graphs:
                inside = (graph.nodes for graph in node.graphs.values())
                pending.append(itertools.chain.from_iterable(inside))

    def as_graph_def(self) -> GraphDef:
        """The graph as data, as TensorFlow has it: see `graph_def`."""
        from .graph_def import graph_def

        return graph_def(self)

    def __eq__(self, other: object) -> bool:
        """Whether both are whole graphs of one program; a subgraph equals only itself."""
        if self is other or not isinstance(other, Graph):
            return self is other
        if self.parent is not None or other.parent is not None or self.name != other.name:
            return False
        from .equality import same_graph

        return same_graph(self, other)

    def __hash__(self) -> int:
        return id(self) if self.parent is not None else hash(self.name)

    def __repr__(self) -> str:
        return f'<Graph {self.name}: {len(self.nodes)} nodes>'

    def __str__(self) -> str:
        from .text import text

        return text(self)


LEAVES.update((Op, Value, Node, Graph))
