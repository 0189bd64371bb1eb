"""The types of what a line computes without giving it a name: what it tests, returns or prints."""
from __future__ import annotations

import ast
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..pyct.files import tree_of
from .correspondence import Place, place_of
from .statements import statement_starts

_TESTS = (ast.If, ast.While, ast.Assert)
_VALUES = (ast.Return, ast.Expr)


def unnamed(graph: Graph, filename: str) -> Iterator[tuple[Place, str]]:
    """The lines of such statements, each with the types of what it computes."""
    made = _made(graph, filename)
    for statement in ast.walk(tree_of(filename)):
        if isinstance(statement, _TESTS + _VALUES) and statement.lineno in made:
            nodes = made[statement.lineno]
            is_test = isinstance(statement, _TESTS)
            for value in _tested(nodes) if is_test else _results(nodes):
                yield (filename, statement.lineno), str(value.type)


def _made(graph: Graph, filename: str) -> dict[int, list[Node]]:
    """What is made in the statement that begins at a line, or returned there by a call."""
    starts = statement_starts(filename)
    made: dict[int, list[Node]] = {}
    for node in graph.walk():
        if node.site is not None and node.op is not CONSTANT:
            sites = (node.site, *node.site.callers[: node.site.returned])
            for file, line in dict.fromkeys(map(place_of, sites)):
                if file == filename:
                    made.setdefault(starts.get(line, line), []).append(node)
    return made


def _tested(nodes: list[Node]) -> Iterator[Value]:
    for node in nodes:
        if node.op.name in ('cond', 'assert'):
            yield node.inputs[0]
        elif 'test' in node.graphs:
            yield node.graphs['test'].outputs[0]


def _results(nodes: list[Node]) -> Iterator[Value]:
    """What nothing else in the statement takes."""
    taken = {value for node in nodes if node.outputs for value in node.inputs}
    taken.update(v for node in nodes for graph in node.graphs.values() for v in graph.outputs)
    for node in nodes:
        yield from (value for value in node.outputs if value not in taken)
