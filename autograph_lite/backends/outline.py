"""Blocks nested deeper than Python compiles, moved into functions of their own.

Python nests at most 20 loops and indents at most 100 times.

    def f(x):                        def f_block(i, x):
        for i in ...:                    for j in ...:
            for j in ...:      ->            x = x + i * j
                x = x + i * j            return x

                                     def f(x):
                                         for i in ...:
                                             x = f_block(i, x)
"""
from __future__ import annotations

import ast
from collections.abc import Container, Sequence

from .expressions import assignment, call, name, names

Reads = dict[str, None]


def outline(
    statement: ast.stmt, function: str, results: Sequence[str], variables: Container[str]
) -> tuple[ast.FunctionDef, ast.stmt]:
    """A function that does what the statement does, and the statement that calls it.

    Args:
      statement: an `if` or a loop.
      function: the name of the function.
      results: the variables that are read after the statement, if it assigns them.
      variables: all local variables; other names are global.
    """
    assigned = set(names(statement, ast.Store))
    returned = [variable for variable in results if variable in assigned]
    reads, written = _exposed([statement])
    taken = dict.fromkeys(variable for variable in reads if variable in variables)
    taken |= dict.fromkeys(variable for variable in returned if variable not in written)
    arguments = ast.arguments([], [ast.arg(v) for v in taken], None, [], [], None, [])
    body = [statement]
    value = call(name(function), *map(name, taken))
    if not returned:
        return ast.FunctionDef(function, arguments, body, [], None), ast.Expr(value)
    outputs: list[ast.expr] = [name(variable) for variable in returned]
    result = outputs[0] if len(outputs) == 1 else ast.Tuple(outputs, ast.Load())
    body.append(ast.Return(result))
    return ast.FunctionDef(function, arguments, body, [], None), assignment(returned, value)


def _exposed(block: Sequence[ast.stmt]) -> tuple[Reads, set[str]]:
    """The names that a block reads before it assigns them, and those that it surely assigns."""
    reads: Reads = {}
    written: set[str] = set()
    for statement in block:
        more, also = _exposed_by(statement)
        reads |= dict.fromkeys(variable for variable in more if variable not in written)
        written |= also
    return reads, written


def _exposed_by(statement: ast.stmt) -> tuple[Reads, set[str]]:
    if isinstance(statement, ast.If):
        reads = dict.fromkeys(names(statement.test, ast.Load))
        true, false = _exposed(statement.body), _exposed(statement.orelse)
        return reads | true[0] | false[0], true[1] & false[1]
    if isinstance(statement, ast.While):
        return dict.fromkeys(names(statement.test, ast.Load)) | _exposed(statement.body)[0], set()
    if isinstance(statement, ast.For):
        items = set(names(statement.target, ast.Store))
        inner = _exposed(statement.body)[0]
        reads = dict.fromkeys(names(statement.iter, ast.Load))
        return reads | {v: None for v in inner if v not in items}, set()
    if isinstance(statement, ast.Try):
        reads = _exposed(statement.body)[0]
        for handler in statement.handlers:
            reads |= _exposed(handler.body)[0]
        return reads, set()
    reads = dict.fromkeys(names(statement, ast.Load))
    if isinstance(statement, ast.AugAssign):
        reads |= dict.fromkeys(names(statement.target, ast.Store))
    return reads, set(names(statement, ast.Store))
