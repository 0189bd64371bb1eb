"""A graph as boxes and edges: what the pictures of a graph, of whatever format, draw."""
from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name, given_names
from ..graph.text import iterated, operation
from .lines import Place, places_of

Kind = Literal['input', 'operation', 'control', 'output']

# What the subgraphs of control flow are called.
ROLES = {'true': 'then', 'false': 'else', 'test': 'while', 'body': 'do'}
# An input that so many boxes use stands beside each of them.
_MANY = 6
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
    places: tuple[Place, ...] = ()
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


def diagram(graph: Graph) -> Diagram:
    """The diagram of a whole graph."""
    return _Drawing(given_names(graph)).of(graph, [p.name for p in graph.params])


class _Drawing:
    """Draws a graph and its subgraphs.

    Args:
      names: what the user calls the values that have a name.
    """

    def __init__(self, names: dict[Value, str]) -> None:
        self._names = names
        self._texts: dict[Value, str] = {}

    def of(self, graph: Graph, params: Sequence[str], results: Sequence[str] = ()) -> Diagram:
        """The diagram of one graph, given the names of its parameters and of its results."""
        boxes: dict[Value, Box] = {}
        used = Counter(v for node in graph.nodes for v in dict.fromkeys(node.inputs))
        used.update(graph.outputs)
        for param, name in zip(graph.params, params, strict=True):
            self._names[param] = name
            if used[param]:
                boxes[param] = Box('input', name, '')
        for node in filter(_is_array, graph.nodes):
            name = base_name(node.outputs[0])
            self._names[node.outputs[0]] = 'captured array' if name == 'constant' else name
            boxes[node.outputs[0]] = Box('input', self._names[node.outputs[0]], '', places_of(node))
        repeated = {value for value in boxes if used[value] >= _MANY}
        drawn = Diagram([box for value, box in boxes.items() if value not in repeated])

        def connect(values: Sequence[Value], target: Box) -> None:
            """Draws the edges to a box, and the box."""
            for value in dict.fromkeys(values):
                if value in boxes:
                    source = boxes[value]
                    if value in repeated:
                        source = replace(source)
                        drawn.boxes.append(source)
                    drawn.edges.append(Edge(source, target, self._label(value, source)))
            drawn.boxes.append(target)

        for node in graph.nodes:
            if not (_is_number(node) or _is_array(node)):
                box = self._box(node)
                connect(node.inputs, box)
                boxes.update(dict.fromkeys(node.outputs, box))
        many = len(graph.outputs) > 1
        for i, value in enumerate(graph.outputs):
            name = results[i] if i < len(results) else f'result {i + 1}' if many else 'result'
            box = Box('output', name, _number(value) or '')
            connect([value], box)
        return drawn

    def _label(self, value: Value, source: Box) -> str:
        """The type; which value it is, where the box makes several."""
        several = value.node is not None and len(value.node.outputs) > 1
        return f'{base_name(value)}: {value.type}' if several else str(value.type)

    def _box(self, node: Node) -> Box:
        if node.graphs:
            return self._control(node)
        name = self._names.get(node.outputs[0], '') if node.outputs else ''
        names = [_number(v) or self._names.get(v) or '·' for v in node.inputs]
        text = ' '.join(operation(node, names).split())
        known = [_number(v) or self._names.get(v) or self._texts.get(v) or '·' for v in node.inputs]
        whole = ' '.join(operation(node, known).split())
        self._texts.update(dict.fromkeys(node.outputs, whole if len(whole) <= _SHORT else text))
        return Box('operation', name, text, places_of(node))

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
            inner[role] = self.of(graph, [*own, *captured], results)
        return Box('control', ', '.join(outputs), _header(node, names), places_of(node), inner)


def _header(node: Node, names: Sequence[str]) -> str:
    if node.op.name == 'cond':
        return f'if {names[0]}'
    if node.op.name == 'for_loop':
        own = node.graphs['body'].own_params
        items = ', '.join(base_name(item) for item in own[: len(own) - len(node.outputs)])
        return f'for {items} in {iterated(node.attrs["iterable"], names)}'
    return 'while' if node.op.name == 'while_loop' else node.op.name


def _is_array(node: Node) -> bool:
    return not node.inputs and isinstance(node.attrs.get('value'), np.ndarray)


def _is_number(node: Node) -> bool:
    return not node.inputs and 'value' in node.attrs and not _is_array(node)


def _number(value: Value) -> str | None:
    """The number that a value is known to be."""
    node = value.node
    return repr(node.attrs['value']) if node is not None and _is_number(node) else None


