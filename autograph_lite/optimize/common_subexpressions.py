"""Common subexpressions: what was computed already is not computed again.

    a = f(x); b = f(x)                   ->  a = f(x); b = a
    a = f(x); cond(p, f(x), ...)         ->  a = f(x); cond(p, a, ...)

The first has run whenever the second would: it stands before it, in the same block or in one around
it. Arrays are shared only where nobody can tell: not if the memory is modified anywhere, nor if it
is returned.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.graph import Attrs, Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL
from ..ops.control_flow import CAST, FUNCTION, NOT
from ..ops.template import Arguments
from .facts import Facts, seen, updated
from .rewriting import captured, replace_values

Key = tuple[Any, ...]

# What is not worth keeping a value for from one block to another.
_CHEAP = (CAST, DIM, SIZE, NOT)


def common_subexpressions(graph: Graph) -> None:
    """Makes the readers of a value that was computed before read the earlier one."""
    _Sharing(graph).rewrite(graph)


class _Sharing:
    def __init__(self, graph: Graph) -> None:
        self._facts = Facts(graph)
        self._numbers: dict[Value, Any] = {}
        self._known: dict[Key, Value] = {}
        self._owners: dict[Graph, Node] = {}
        self._private = updated(graph, self._facts) | seen(graph, self._facts)

    def rewrite(self, graph: Graph) -> None:
        """Shares within the graph, and what enclosing graphs computed before its owner."""
        replaced: dict[Value, Value] = {}
        added: list[Key] = []
        for node in graph.nodes:
            for inner in node.graphs.values():
                self._owners[inner] = node
                self._enter(node, inner)
            key = self._key(node)
            if key is None:
                continue
            value = node.outputs[0]
            earlier = self._known.get(key)
            if earlier is None:
                self._known[key] = value
                added.append(key)
            elif earlier.graph is graph or node.op not in _CHEAP:
                replaced[value] = captured(earlier, graph, self._owners)
                if earlier.node is not None:
                    earlier.node.absorb(node)
                self._numbers[self._facts.root(value)] = self._input(earlier)
        replace_values(graph, replaced)
        for key in added:
            del self._known[key]

    def _enter(self, node: Node, inner: Graph) -> None:
        """A function reads nothing but what it is given."""
        known = self._known
        if node.op is FUNCTION:
            self._known = {}
        self.rewrite(inner)
        self._known = known

    def _key(self, node: Node) -> Key | None:
        """What the node computes; equal keys give equal values. None if it must not be shared."""
        if node.op is CONSTANT:
            value = node.attrs['value']
            if isinstance(value, np.ndarray):
                return None
            self._numbers[node.outputs[0]] = ('constant', _part(value))
            return None
        if len(node.outputs) != 1 or node.graphs or node.effect or node.op.updates:
            return None
        output = node.outputs[0]
        if output.type.kind == 'array' and self._facts.buffer(output) in self._private:
            return None
        attrs = _canonical(node.attrs) if node.op is CALL else node.attrs
        return (node.op, tuple(map(self._input, node.inputs)), _part(attrs))

    def _input(self, value: Value) -> Any:
        root = self._facts.root(value)
        return self._numbers.get(root, root)


# Functions that give what the method of the same name gives; the first option of both is the axis.
_REDUCTIONS = ('sum', 'prod', 'max', 'min', 'mean', 'any', 'all', 'argmax', 'argmin', 'cumsum')


def _canonical(attrs: Attrs) -> Attrs:
    """The call as the method with its options by name, however it is spelled."""
    root, _, function = attrs['function'].rpartition('.')
    arguments: Arguments = attrs['arguments']
    if root not in ('numpy', 'ndarray') or function not in _REDUCTIONS or len(arguments.args) > 2:
        return attrs
    options = (*zip(('axis',), arguments.args[1:], strict=False), *arguments.kwargs)
    arguments = Arguments(arguments.args[:1], tuple(sorted(options)))
    return {**attrs, 'function': f'ndarray.{function}', 'arguments': arguments}


def _part(value: Any) -> Any:
    """An attribute as a key: numbers by type and value, what has no value by identity."""
    kind = type(value)
    if kind in (bool, int, float, complex, str, bytes, type(None), type(...)):
        return kind, repr(value)
    if isinstance(value, np.generic):
        return kind, value.dtype.str, value.tobytes()
    if isinstance(value, np.dtype):
        return kind, value
    if kind in (tuple, list):
        return kind, tuple(map(_part, value))
    if kind is dict:
        return kind, tuple((key, _part(part)) for key, part in value.items())
    if hasattr(kind, '__dataclass_fields__') and hasattr(value, '__dict__'):
        return kind, tuple(map(_part, vars(value).values()))
    return kind, id(value)
