"""Names of values: the user's, where the user's code gives one."""
from __future__ import annotations

import re
from collections.abc import Sequence

from .graph import Graph, Node, Value
from .sites import Site
from .tracing import CONSTANT

# What branches and loops call their results where the user has no name for them.
_NO_NAMES = frozenset({'result', 'state', 'and', 'or'})


def base_name(value: Value) -> str:
    """The name of a value without the numbers that made it unique in its graph."""
    return re.sub(r'(?<=.)(_\d+)+$', '', value.name)


def given_names(graph: Graph) -> dict[Value, str]:
    """The names of those values of the graph that the user gave one.

    It is the variable that the user's statement stores the value in; or else the result of the
    branch, or the state of the loop, that the value is on its way to become.
    """
    return _GivenNames().of(graph)


class _GivenNames:
    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._hints: dict[Value, str] = {}
        self._last: dict[Site, Node] = {}

    def of(self, graph: Graph) -> dict[Value, str]:
        for node in graph.walk():
            for output, name in zip(node.outputs, self._found(node), strict=True):
                if name is not None:
                    self._names[output] = name
            self._look_inside(node)
        return self._hints | self._names

    def _found(self, node: Node) -> Sequence[str | None]:
        if node.op is CONSTANT:
            return [None]
        if node.op.updates:
            return [self._known(node.inputs[0])]
        stored = stored_name(node.site) if len(node.outputs) == 1 else None
        if node.graphs and 'function' not in node.graphs:
            return [self._of_block(output, stored) for output in node.outputs]
        if stored is not None:
            self._take_over(node)
        return [stored] * len(node.outputs)

    def _known(self, value: Value) -> str | None:
        named = self._names.get(value) or self._hints.get(value)
        return base_name(value) if named is None and value.node is None else named

    def _of_block(self, output: Value, stored: str | None) -> str | None:
        base = base_name(output)
        return base if base not in _NO_NAMES else stored or self._hints.get(output)

    def _take_over(self, node: Node) -> None:
        """Of values that one instruction makes from each other, the variable holds the last."""
        assert node.site is not None
        before = self._last.get(node.site)
        self._last[node.site] = node
        # What does the same thing again is the next turn of an unrolled loop.
        if before is not None and before.outputs[0] in node.inputs and not _alike(before, node):
            self._names.pop(before.outputs[0], None)

    def _look_inside(self, node: Node) -> None:
        """What values in subgraphs are called outside, or are on their way to become."""
        for graph in node.graphs.values():
            params = graph.params[len(graph.own_params) :]
            for param, captured in zip(params, graph.captures, strict=True):
                if (name := self._known(captured)) is not None:
                    self._names[param] = name
        count = len(node.outputs)
        for role, graph in node.graphs.items():
            if role in ('test', 'function'):
                continue
            results = list(map(self._names.get, node.outputs))
            self._hint(graph.outputs, results)
            if role == 'body':
                first = len(node.inputs) - len(graph.captures) - count
                self._hint(node.inputs[first : first + count], results)

    def _hint(self, values: Sequence[Value], names: Sequence[str | None]) -> None:
        for value, name in zip(values, names, strict=True):
            if value.node is not None and value.node.op is not CONSTANT and name is not None:
                self._hints.setdefault(value, name)


def _alike(a: Node, b: Node) -> bool:
    keys = ('ufunc', 'function')
    return a.op is b.op and all(a.attrs.get(key) == b.attrs.get(key) for key in keys)


def stored_name(site: Site | None) -> str | None:
    """The variable that the user's statement gives what was made there to, if any."""
    return None if site is None else site.stored
