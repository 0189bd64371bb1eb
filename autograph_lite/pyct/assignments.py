"""Where the user's code assigns a variable, for messages about its values."""
from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator

from autograph_lite.errors import Location
from autograph_lite.pyct.deep import deeply


def assignments(name: str, statement: Location) -> list[Location]:
    """Where a variable gets the values that meet at a statement.

    Args:
      name: the variable, or the attribute or item, as the user writes it.
      statement: the place of a loop or a branch.

    Returns:
      The last place before the statement and those in it; none where the text cannot be read.
    """
    around = [
        node for node in _statements(''.join(linecache.getlines(statement.filename)))
        if node.lineno <= statement.line <= (node.end_lineno or 0)]
    functions = [
        node for node in around if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if not functions:
        return []
    last = around[-1].end_lineno or 0
    lines = sorted({node.lineno for node in _assigning(functions[-1], name)})
    others = [  # the ways of an `if` that do not lead to the statement
        range(node.lineno, (node.body[-1].end_lineno or 0) + 1) for node in around
        if isinstance(node, ast.If) and (node.body[-1].end_lineno or 0) < statement.line]
    before = [
        line for line in lines
        if line < statement.line and not any(line in other for other in others)][-1:]
    inside = [line for line in lines if statement.line < line <= last]
    return [Location(statement.filename, line, statement.function) for line in before + inside]


@functools.lru_cache(maxsize=4)
def _statements(text: str) -> tuple[ast.stmt, ...]:
    """All statements of a text, in its order; none if it is no Python."""
    try:
        tree = deeply(ast.parse, text)
    except SyntaxError:
        return ()
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return tuple(sorted(found, key=lambda node: (node.lineno, node.col_offset)))


def _assigning(function: ast.AST, name: str) -> Iterator[ast.stmt]:
    for node in ast.walk(function):
        match node:
            case ast.Assign():
                targets = node.targets
            case ast.AugAssign() | ast.AnnAssign() | ast.For():
                targets = [node.target]
            case _:
                continue
        stored = [part for target in targets for part in ast.walk(target)]
        if any(isinstance(part, ast.expr) and ast.unparse(part) == name for part in stored):
            yield node
