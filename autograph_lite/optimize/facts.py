"""What is known of a graph before it is written as a program: who is who, and who is read when."""
from __future__ import annotations

from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT, UNWRAP
from ..graph.types import ListType, VaryingType
from ..ops.attributes import DIM
from ..ops.calls import CALL
from ..ops.control_flow import CAST, COND, FOR_LOOP, FUNCTION, NOT, RECURSE, TRY, WHILE_LOOP
from ..ops.effects import ASSERT, RAISE
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..ops.template import Arguments, Slot

LOOPS = (WHILE_LOOP, FOR_LOOP)
CONTROL = (COND, *LOOPS)
# What gives the values of its inputs to code of the user's.
_GIVING = (PYTHON_FUNCTION, PYTHON_ACTION, RAISE, ASSERT)
# How one writes that a length is not 0.
_IS_POSITIVE = (
    ('operator.gt', Arguments((Slot(0), 0))),
    ('operator.ge', Arguments((Slot(0), 1))),
    ('operator.ne', Arguments((Slot(0), 0))),
)


class Facts:
    """The side tables of one graph and its subgraphs.

    Values that are one and the same object when the program runs have one *root*: a capture has
    the root of what it captures, a cast that changes nothing the root of its input.

    Attributes:
      last: for each graph, the position of the last node that reads a root; the graph's outputs
        are read at the position after its last node.
      owners: for each subgraph, the node that owns it and that node's position.
    """

    def __init__(self, graph: Graph) -> None:
        self._roots: dict[Value, Value] = {}
        self._buffers: dict[Value, Value] = {}
        self._uses: dict[Value, int] = {}
        self._elsewhere: set[Value] = set()
        self._captured: dict[Node, set[Value]] = {}
        self._asked: dict[Value, int] = {}
        self._passed: dict[Value, list[Value]] = {}
        self._short: dict[Node, str] = {}
        self._short_graphs: dict[Graph, Value] = {}
        self.last: dict[Graph, dict[Value, int]] = {}
        self.owners: dict[Graph, tuple[Node, int]] = {}
        pending = [graph]
        while pending:
            pending += self._visit(pending.pop())

    def root(self, value: Value) -> Value:
        """The value that stands for all that are the same object."""
        return self._roots.get(value, value)

    def uses(self, value: Value) -> int:
        """How many inputs and outputs name the value or one that is the same."""
        return self._uses.get(self.root(value), 0)

    def used_once_here(self, value: Value) -> bool:
        """Whether one node of the value's own graph, or its result, is all that reads it."""
        root = self.root(value)
        return self._uses.get(root) == 1 and root not in self._elsewhere

    def captures(self, node: Node, value: Value) -> bool:
        """Whether a subgraph of the node may read the value."""
        return self.root(value) in self._captured[node]

    def short_circuit(self, node: Node) -> str | None:
        """The branch, 'true' or 'false', whose result is the condition: `p or ...`, `p and ...`.

        Its reading of the condition does not count as a use.
        """
        return self._short.get(node)

    def is_truth(self, value: Value) -> bool:
        """Whether only the truth of the value matters, not its type."""
        root = self.root(value)
        passed = self._passed.get(root, [])
        asked = self._asked.get(root, 0) + sum(map(self.is_truth, passed))
        return asked == self._uses.get(root)

    def buffer(self, value: Value) -> Value:
        """What stands for all values that may share memory with this one."""
        buffers = self._buffers
        value = self.root(value)
        while (above := buffers.get(value, value)) is not value:
            buffers[value] = buffers.get(above, above)
            value = above
        return value

    def origin(self, value: Value) -> Value:
        """The root whose buffer the value is after some updates in place."""
        root = self.root(value)
        while root.node is not None and root.node.op.updates:
            root = self.root(root.node.inputs[0])
        return root

    def live_after(self, value: Value, graph: Graph, position: int) -> bool:
        """Whether the value may be read once the node at this position of the graph has run."""
        root = self.root(value)
        while True:
            if self.last[graph].get(root, -1) > position:
                return True
            if root.graph is graph:
                return False
            owner, position = self.owners[graph]
            # A loop's captures are read again in the next turn; its state is, after its test.
            if owner.op in LOOPS and (
                root in self._captured[owner] or root.graph in owner.graphs.values()
            ):
                return True
            # What is raised in a `try` block finds what was before it.
            if owner.op is TRY and root in self._captured[owner]:
                return True
            assert graph.parent is not None
            graph = graph.parent

    def has_elements(self, value: Value, axis: int, graph: Graph) -> bool:
        """Whether the graph only runs where the axis of the value is longer than 0."""
        while graph in self.owners:
            owner, _ = self.owners[graph]
            if owner.op is COND and owner.graphs['true'] is graph:
                length = self._positive(self.root(owner.inputs[0]))
                if length is not None and length.attrs['axis'] == axis:
                    return self.root(length.inputs[0]) is self.root(value)
            if graph.parent is None:
                return False
            graph = graph.parent
        return False

    def _positive(self, condition: Value) -> Node | None:
        """The node of the length that the condition says is not 0."""
        node = condition.node
        if node is None or node.op is not CALL:
            return None
        if (node.attrs['function'], node.attrs['arguments']) not in _IS_POSITIVE:
            return None
        length = self.root(node.inputs[0]).node
        return length if length is not None and length.op is DIM else None

    def _visit(self, graph: Graph) -> Iterator[Graph]:
        last: dict[Value, int] = {}
        self.last[graph] = last
        for position, node in enumerate(graph.nodes):
            inner = next(iter(node.graphs.values()), None)
            header = len(node.inputs) - (len(inner.captures) if inner else 0)
            self._find_short(node)
            for i, value in enumerate(node.inputs):
                last[self.root(value)] = position
                if is_identity(node):
                    continue  # it computes nothing: who reads its output reads this
                if i < header or node not in self._short or not self._is_condition(node, value):
                    self._use(value, graph, captured=i >= header)
            if node.op in (COND, NOT):
                self._ask(node.inputs[0])
            if is_identity(node):
                self._same(node.outputs[0], node.inputs[0])
            elif node.op.view or node.op.updates or node.op in (CAST, UNWRAP):
                for output in node.outputs:
                    self._share(output, node.inputs[0])
            self._share_elements(node)
            if node.op is RECURSE:
                self._relate_call(node, self._function(node.attrs['name'], graph))
            if node.graphs:
                self._captured[node] = {self.root(v) for v in node.inputs[header:]}
                yield from self._enter(node, position, header)
        owner = self.owners[graph][0] if graph in self.owners else None
        for i, value in enumerate(graph.outputs):
            last[self.root(value)] = len(graph.nodes)
            self._use(value, graph)
            if owner is not None and graph is owner.graphs.get('test'):
                self._ask(value)
            elif owner is not None and owner.op is COND:
                self._passed.setdefault(self.root(value), []).append(owner.outputs[i])

    def _ask(self, value: Value) -> None:
        root = self.root(value)
        self._asked[root] = self._asked.get(root, 0) + 1

    def _find_short(self, node: Node) -> None:
        """Notes the branch that does nothing but pass on the condition, perhaps as another type."""
        if node.op is not COND or len(node.outputs) != 1:
            return
        for role, graph in node.graphs.items():
            if any(inner.op not in (CAST, CONSTANT) for inner in graph.nodes):
                continue
            value = graph.outputs[0]
            for cast in reversed(graph.nodes):
                if cast.op is CAST and value is cast.outputs[0]:
                    value = cast.inputs[0]
            captured = zip(graph.params[len(graph.own_params) :], graph.captures, strict=True)
            outer = dict(captured).get(value)
            if outer is not None and self.root(outer) is self.root(node.inputs[0]):
                self._short[node] = role
                self._short_graphs[graph] = self.root(outer)
                return

    def _is_condition(self, node: Node, value: Value) -> bool:
        return self.root(value) is self.root(node.inputs[0])

    def _use(self, value: Value, graph: Graph, captured: bool = False) -> None:
        root = self.root(value)
        if self._short_graphs.get(graph) is root:
            return
        self._uses[root] = self._uses.get(root, 0) + 1
        if captured or root.graph is not graph:
            self._elsewhere.add(root)

    def _enter(self, node: Node, position: int, header: int) -> Iterator[Graph]:
        """Relates the parameters of the subgraphs to what they stand for."""
        for graph in node.graphs.values():
            self.owners[graph] = (node, position)
            own = graph.own_params
            for param, value in zip(graph.params[len(own) :], node.inputs[header:], strict=True):
                self._same(param, value)
            if graph is not node.graphs.get('test'):
                for output, result in zip(node.outputs, graph.outputs, strict=True):
                    self._share(output, result)
            yield graph
        if node.op in LOOPS:
            self._relate_state(node, header)
        elif node.op is FUNCTION:
            self._relate_call(node, node.graphs['function'])

    def _share_elements(self, node: Node) -> None:
        """A list and what was put into it or read from it are taken for one memory."""
        values = [v for v in (*node.inputs, *node.outputs) if v.type.kind == 'array']
        if not node.graphs and any(isinstance(value.type, ListType) for value in values):
            for value in values:
                self._share(value, values[0])

    def _relate_state(self, node: Node, header: int) -> None:
        first = header - len(node.outputs)
        params = node.graphs['body'].own_params
        items = len(params) - len(node.outputs)
        for item in params[:items]:
            for source in node.inputs[:first]:
                self._share(item, source)
        for i, (output, param) in enumerate(zip(node.outputs, params[items:], strict=True)):
            self._share(param, node.inputs[first + i])
            self._share(output, param)
            if 'test' in node.graphs:
                self._same(node.graphs['test'].params[i], param)

    def _function(self, name: str, graph: Graph) -> Graph:
        """The innermost function of this name around a graph."""
        while True:
            owner = self.owners[graph][0]
            if owner.op is FUNCTION and owner.attrs['name'] == name:
                return graph
            assert graph.parent is not None, f'no function {name!r} around the graph'
            graph = graph.parent

    def _relate_call(self, node: Node, function: Graph) -> None:
        for param, value in zip(function.params, node.inputs, strict=True):
            self._share(param, value)
        for output, result in zip(node.outputs, function.outputs, strict=True):
            self._share(output, result)

    def _same(self, value: Value, other: Value) -> None:
        buffer = self.buffer(value)
        self._roots[value] = self.root(other)
        self._buffers[buffer] = self.buffer(other)

    def _share(self, a: Value, b: Value) -> None:
        if a.type.kind == b.type.kind == 'array':
            self._buffers[self.buffer(a)] = self.buffer(b)


def updated(graph: Graph, facts: Facts) -> set[Value]:
    """The memory that the graph modifies, by its buffers."""
    return {facts.buffer(node.inputs[0]) for node in graph.walk() if node.op.updates}


def given_away(graph: Graph, facts: Facts) -> set[Value]:
    """The memory that code of the user's gets while the graph runs, and may keep and modify."""
    nodes = (node for node in graph.walk() if node.op in _GIVING)
    return {facts.buffer(value) for node in nodes for value in node.inputs}


def seen(graph: Graph, facts: Facts) -> set[Value]:
    """The memory that others get, then or as a result."""
    return given_away(graph, facts) | {facts.buffer(value) for value in graph.outputs}


def is_identity(node: Node) -> bool:
    """Whether the output is the very object that the input is."""
    if node.op is UNWRAP:
        return bool(node.attrs.get('sure'))
    if node.op is not CAST:
        return False
    source, target = node.inputs[0].type, node.outputs[0].type
    if isinstance(target, VaryingType):
        return True
    if source.dtype != target.dtype or source.weak != target.weak:
        return False
    return source.kind == target.kind or source.kind == 'scalar'


def writes_outside(graph: Graph) -> bool:
    """Whether the graph modifies an argument or a captured array."""
    facts = Facts(graph)
    outside = {facts.buffer(value) for value in graph.params}
    outside |= {facts.buffer(n.outputs[0]) for n in graph.walk() if n.op is CONSTANT}
    return any(n.op.updates and facts.buffer(n.inputs[0]) in outside for n in graph.walk())
