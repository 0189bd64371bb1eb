"""The types of what a line computes without naming it: what it tests, returns, prints or sets."""
from __future__ import annotations

import ast
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..pyct.files import tree_of
from .correspondence import Place, place_of
from .statements import statement_starts


def unnamed(graph: Graph, filename: str) -> Iterator[tuple[Place, str]]:
    """The lines of such statements, each with the types of what it computes."""
    made = _made(graph, filename)
    for statement in ast.walk(tree_of(filename)):
        if isinstance(statement, ast.stmt) and statement.lineno in made:
            for value in _values(statement, made[statement.lineno]):
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


def _values(statement: ast.stmt, nodes: list[Node]) -> Iterator[Value]:
    """What a statement computes without naming it."""
    match statement:
        case ast.While(test=ast.Constant()):
            pass  # the loop itself asks whether it goes on
        case ast.If() | ast.While() | ast.Assert():
            yield from _tested(nodes)
        case ast.Assign(targets=[ast.Name()]):
            pass
        case ast.Return() | ast.Expr() | ast.Assign() | ast.AugAssign():
            yield from _results(nodes)


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
