"""What the user calls a value: the variable that the expression it came from is assigned to."""
from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from ..errors import Location
from ..graph.graph import Graph, Value
from ..graph.tracing import CONSTANT

# The file, the line and the columns of an expression; no columns where Python keeps none.
Span = tuple[str, int, int | None, int | None]


def variables(graph: Graph) -> dict[Value, str]:
    """The names of those values of the graph that the user gave one."""
    names: dict[Value, str] = {}
    spans: dict[str, dict[Span, str]] = {}
    last: dict[Span, Value] = {}
    for node in graph.walk():
        if node.site is None or len(node.outputs) != 1 or node.graphs or node.op is CONSTANT:
            continue
        location = node.site.location
        span = _span(location)
        if location.filename not in spans:
            spans[location.filename] = dict(_assigned(location.filename))
        if span in spans[location.filename]:
            # Of values of one expression that are made from each other the variable holds the last.
            if last.get(span) in node.inputs:
                names.pop(last[span], None)
            last[span] = node.outputs[0]
            names[node.outputs[0]] = spans[location.filename][span]
    return names


def _span(location: Location) -> Span:
    return location.filename, location.line, location.column, location.end_column


def _assigned(filename: str) -> Iterator[tuple[Span, str]]:
    """The expressions of a file that are assigned to a variable, and the variable."""
    lines = linecache.getlines(filename)
    try:
        tree = ast.parse(''.join(lines))
    except SyntaxError:  # such as a cell with magics
        return
    value: ast.expr | ast.stmt
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            target, value = node.target, node.value
        elif isinstance(node, ast.AugAssign):
            target, value = node.target, node
        else:
            continue
        if isinstance(target, ast.Name) and value.lineno == value.end_lineno:
            line = lines[value.lineno - 1].encode()
            start = len(line[: value.col_offset].decode())
            end = len(line[: value.end_col_offset].decode())
            yield (filename, value.lineno, start, end), target.id
            yield (filename, value.lineno, None, None), target.id
