"""From a graph to its `GraphDef` and back: what pickles and saved files hold."""
from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .data import PARAMETER, FunctionDef, GraphDef, Library, NodeDef
from .graph import FORMS, Graph, Node, Op, Value
from .sites import SavedSite, Site


def graph_def(graph: Graph) -> GraphDef:
    """The graph as data."""
    whole = GraphDef(graph.name)
    _Writer(whole.library).write(graph, whole)
    return whole


class _Writer:
    """Gives every value a name and every subgraph a function of the library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._taken: set[str] = set()

    def write(self, graph: Graph, target: FunctionDef) -> None:
        names: dict[Value, str] = {}
        taken: set[str] = set()
        for param in graph.params:
            names[param] = _unique(param.name, taken)
            target.node.append(
                NodeDef(names[param], PARAMETER, output=[(names[param], param.type)])
            )
        for node in graph.nodes:
            target.node.append(self._node(node, names, taken))
        target.ret = [names[value] for value in graph.outputs]
        target.captures = len(graph.captures)

    def _node(self, node: Node, names: dict[Value, str], taken: set[str]) -> NodeDef:
        for output in node.outputs:
            names[output] = _unique(output.name, taken)
        attr = {name: _portable(value) for name, value in node.attrs.items()}
        for role, graph in node.graphs.items():
            function = FunctionDef(_unique(f'{graph.name}_{node.op.name}', self._taken))
            self._library.function.append(function)
            self.write(graph, function)
            attr[role] = _Reference(function.name)
        return NodeDef(
            names[node.outputs[0]] if node.outputs else _unique(node.op.name, taken),
            node.op.name,
            [names[value] for value in node.inputs],
            attr,
            [(names[output], output.type) for output in node.outputs],
            None if node.site is None else _saved(node.site),
            list(map(_saved, node.merged)),
        )


def _saved(site: Site) -> SavedSite:
    if isinstance(site, SavedSite):
        return site
    return SavedSite(site.location, site.stored, tuple(map(_saved, site.callers)))


@dataclass(frozen=True)
class _Reference:
    """The name of a function of the library."""

    name: str


def _unique(name: str, taken: set[str]) -> str:
    found, count = name, 0
    while found in taken:
        count += 1
        found = f'{name}_{count}'
    taken.add(found)
    return found


# What refers to the user's code.


@dataclass(frozen=True)
class _ErrorClass:
    """An exception class: found again by name, else made anew from its first importable base."""

    module: str
    name: str
    base: type[BaseException]

    def found(self) -> type[BaseException]:
        target: Any = sys.modules.get(self.module)
        for part in self.name.split('.'):
            target = getattr(target, part, None)
        if isinstance(target, type) and issubclass(target, self.base):
            return target
        return type(self.name.rpartition('.')[2], (self.base,), {'__module__': self.module})


def _portable(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_portable, value))
    if not (isinstance(value, type) and issubclass(value, BaseException)):
        return value
    base = next(c for c in value.__mro__ if getattr(builtins, c.__name__, None) is c)
    return value if base is value else _ErrorClass(value.__module__, value.__qualname__, base)


def _found(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_found, value))
    return value.found() if isinstance(value, _ErrorClass) else value


# From data to graphs.


def graph_from_def(data: GraphDef) -> Graph:
    """The graph that the data describes.

    Raises:
      ValueError: an operation is not known.
    """
    library = {function.name: function for function in data.library.function}
    return _read(data, data.name, None, library)


def _read(
    data: FunctionDef, name: str, parent: Graph | None, library: dict[str, FunctionDef]
) -> Graph:
    graph = Graph(name, parent)
    values: dict[str, Value] = {}
    for node_def in data.node:
        if node_def.op == PARAMETER:
            ((label, type_),) = node_def.output
            values[label] = graph.param(type_, label)
            continue
        node = Node(_op(node_def.op), tuple(values[i] for i in node_def.input), {})
        node.site, node.merged = node_def.location, list(node_def.merged)
        for key, value in node_def.attr.items():
            if isinstance(value, _Reference):
                inner = library[value.name]
                role = node_def.attr['name'] if key == 'function' else key
                node.graphs[key] = _read(inner, role, graph, library)
                first = len(node.inputs) - inner.captures
                node.graphs[key].captures = list(node.inputs[first:])
            else:
                node.attrs[key] = _found(value)
        stored = node_def.location.stored if node_def.location else None
        node.outputs = tuple(
            Value(graph, t, stored or label, node) for label, t in node_def.output
        )
        values.update(zip((label for label, _ in node_def.output), node.outputs, strict=True))
        graph.nodes.append(node)
    graph.outputs = [values[label] for label in data.ret]
    return graph


def _op(name: str) -> Op:
    known = {op.name: op for op in _all_ops()}
    if name not in known:
        raise ValueError(f'There is no operation {name!r}.')
    return known[name]


def _all_ops() -> Iterator[Op]:
    """Every operation: those of the files in `ops/`, and those that tracing itself needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith((__package__ or '').rpartition('.')[0] + '.') and module is not None:
            yield from (value for value in list(vars(module).values()) if isinstance(value, Op))


FORMS['data'] = graph_def
