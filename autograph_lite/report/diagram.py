"""A graph as boxes and edges: what the pictures of a graph, of whatever format, draw."""
from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name, given_names
from ..graph.text import iterated, operation
from .correspondence import Correspondence, Places

Kind = Literal['input', 'operation', 'control', 'output']

# What the subgraphs of control flow are called.
ROLES = {'true': 'then', 'false': 'else', 'test': 'while', 'body': 'do', 'function': 'do'}
# What a longer text says at its end can be read elsewhere.
_LONGEST = 56
# An expression up to this length stands where it is used, in the line that tells of a block.
_SHORT = 32


@dataclass(eq=False)
class Box:
    """A node of the graph, an input or an output.

    Attributes:
      name: what the user calls it; '' where the user has no name for it.
      text: what it does.
      inner: the diagrams of control flow, by role.
    """

    kind: Kind
    name: str
    text: str
    places: Places = ()
    inner: dict[str, Diagram] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The text as far as there is room."""
        return self.text if len(self.text) <= _LONGEST else self.text[: _LONGEST - 1] + '…'

    @property
    def gives(self) -> str:
        """What comes out of control flow."""
        return f'→ {self.name}' if self.name else ''


@dataclass(frozen=True)
class Edge:
    """A value on its way from the box that makes it to one that uses it."""

    source: Box
    target: Box
    label: str


@dataclass
class Diagram:
    """Boxes, in program order, and the edges between them."""

    boxes: list[Box] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def __iter__(self) -> Iterator[Box]:
        """Every box, those inside after the one that holds them."""
        for box in self.boxes:
            yield box
            for inner in box.inner.values():
                yield from inner


def diagram(graph: Graph, behind: Correspondence | None = None) -> Diagram:
    """The diagram of a whole graph, given what tells the user's lines behind it."""
    drawing = _Drawing(given_names(graph), behind or Correspondence(graph))
    return drawing.of(graph, [p.name for p in graph.params])


class _Drawing:
    """Draws a graph and its subgraphs.

    Args:
      names: what the user calls the values that have a name.
      behind: tells the user's lines.
    """

    def __init__(self, names: dict[Value, str], behind: Correspondence) -> None:
        self._names = names
        self._behind = behind
        self._texts: dict[Value, str] = {}
        self._several: set[Box] = set()

    def of(
        self,
        graph: Graph,
        params: Sequence[str],
        results: Sequence[str] = (),
        owner: Node | None = None,
        role: str = '',
    ) -> Diagram:
        """The diagram of one graph, given the names of its parameters and of its results.

        Args:
          owner: the node whose subgraph it is, in this role.
        """
        used = Counter(v for node in graph.nodes for v in dict.fromkeys(node.inputs))
        used.update(graph.outputs)
        boxes = self._inputs(graph, params, owner, used)
        drawn = Diagram(list(boxes.values()))
        for node in graph.nodes:
            if not (_is_number(node) or _is_array(node)):
                box = self._box(node)
                if len(node.outputs) > 1:
                    self._several.add(box)
                self._connect(drawn, boxes, node.inputs, box)
                boxes.update(dict.fromkeys(node.outputs, box))
        for value, box in self._results(graph, results, owner, role):
            self._connect(drawn, boxes, [value], box)
        if owner is None and not drawn.boxes:
            places = self._behind.returns
            drawn.boxes.append(Box('output', 'result', 'known while tracing', places))
        return drawn

    def _inputs(
        self,
        graph: Graph,
        params: Sequence[str],
        owner: Node | None,
        used: Counter[Value],
    ) -> dict[Value, Box]:
        """The boxes of the parameters that are used, and of the arrays that are known."""
        behind = self._behind
        boxes: dict[Value, Box] = {}
        for param, name in zip(graph.params, params, strict=True):
            self._names[param] = name
            if used[param]:
                given = behind.head if owner is None else behind.of_sites(owner.sites, ())
                places = given if param in graph.own_params else ()
                boxes[param] = Box('input', name, '', places)
        for node in filter(_is_array, graph.nodes):
            name = base_name(node.outputs[0])
            self._names[node.outputs[0]] = 'captured array' if name == 'constant' else name
            places = behind.of_node(node)
            boxes[node.outputs[0]] = Box('input', self._names[node.outputs[0]], '', places)
        return boxes

    def _results(
        self, graph: Graph, names: Sequence[str], owner: Node | None, role: str
    ) -> Iterator[tuple[Value, Box]]:
        """What the graph gives, and the box of each."""
        behind = self._behind
        many = len(graph.outputs) > 1
        for i, value in enumerate(graph.outputs):
            name = names[i] if i < len(names) else f'result {i + 1}' if many else 'result'
            variable = base_name(owner.outputs[i]) if owner and i < len(owner.outputs) else ''
            places = behind.of_result(owner, role, variable) if owner else behind.returns
            yield value, Box('output', name, _number(value) or '', places)

    def _connect(
        self, drawn: Diagram, boxes: Mapping[Value, Box], values: Sequence[Value], target: Box
    ) -> None:
        """Draws the edges to a box, and the box."""
        for value in dict.fromkeys(values):
            if value in boxes:
                label = self._label(value, boxes[value])
                drawn.edges.append(Edge(boxes[value], target, label))
        drawn.boxes.append(target)

    def _label(self, value: Value, source: Box) -> str:
        """The type; which value it is, where the box makes several."""
        if source not in self._several:
            return str(value.type)
        return f'{self._names.get(value) or base_name(value)}: {value.type}'

    def _box(self, node: Node) -> Box:
        if node.graphs:
            return self._control(node)
        name = self._names.get(node.outputs[0], '') if node.outputs else ''
        names = [_number(v) or self._names.get(v) or '·' for v in node.inputs]
        text = ' '.join(operation(node, names).split())
        known = [_number(v) or self._names.get(v) or self._texts.get(v) or '·' for v in node.inputs]
        whole = ' '.join(operation(node, known).split())
        self._texts.update(dict.fromkeys(node.outputs, whole if len(whole) <= _SHORT else text))
        return Box('operation', name, text, self._behind.of_node(node))

    # Control flow.

    def _control(self, node: Node) -> Box:
        outputs = [self._names.get(output) or base_name(output) for output in node.outputs]
        known: Mapping[Value, str] = ChainMap(self._names, self._texts)
        names = [_number(v) or known.get(v) or '·' for v in node.inputs]
        if outputs in (['and'], ['or']):
            self._texts[node.outputs[0]] = f'{names[0]} {outputs[0]} …'
        inner: dict[str, Diagram] = {}
        for role, graph in sorted(node.graphs.items(), key=lambda item: item[0] == 'body'):
            captured = [known.get(v) or base_name(v) for v in graph.captures]
            own = [base_name(param) for param in graph.own_params]
            results = [] if role == 'test' else [f'{name} →' for name in outputs]
            inner[role] = self.of(graph, [*own, *captured], results, node, role)
        places = self._behind.of_node(node)
        return Box('control', ', '.join(outputs), _header(node, names), places, inner)


def _header(node: Node, names: Sequence[str]) -> str:
    if node.op.name == 'cond':
        return f'if {names[0]}'
    if node.op.name == 'for_loop':
        own = node.graphs['body'].own_params
        items = ', '.join(base_name(item) for item in own[: len(own) - len(node.outputs)])
        return f'for {items} in {iterated(node.attrs["iterable"], names)}'
    if 'function' in node.graphs:
        given = names[: len(node.graphs['function'].own_params)]
        return f'{node.attrs["name"]}({", ".join(given)})'
    return 'while' if node.op.name == 'while_loop' else node.op.name


def _is_array(node: Node) -> bool:
    return not node.inputs and isinstance(node.attrs.get('value'), np.ndarray)


def _is_number(node: Node) -> bool:
    return not node.inputs and 'value' in node.attrs and not _is_array(node)


def _number(value: Value) -> str | None:
    """The number that a value is known to be."""
    node = value.node
    return repr(node.attrs['value']) if node is not None and _is_number(node) else None


