"""Where the user's function returns, for messages about what it returns."""
from __future__ import annotations

import ast
from collections.abc import Iterator

from autograph_lite.errors import Location
from autograph_lite.pyct.files import (
    Function,
    innermost_function,
    statements_around,
    statements_of,
)


def returns_at(statement: Location, anywhere: bool = False) -> list[Location]:
    """The `return`s of a function of which some meet at a statement.

    Args:
      statement: the place of a loop or a branch.
      anywhere: whether it is known that they do; or else only at the head of what holds one.

    Returns:
      Their places; none where others than those meet, or where the text cannot be read.
    """
    around = statements_around(statement)
    if not around:
        return []
    heads = [node for node in around if _is_head(node, statement.line)]
    if not anywhere and not any(True for head in heads for _ in _returns(head)):
        return []
    return [_place(node, statement) for node in _returns(innermost_function(around))]


def only_return(function: Location | None) -> Location | None:
    """The `return` of the function that begins at a place; that itself where there is not one."""
    if function is None:
        return None
    for node in statements_of(function.filename):
        if isinstance(node, Function) and function.line == _first_line(node):
            found = list(_returns(node))
            return _place(found[0], function) if len(found) == 1 else function
    return function


def _first_line(node: Function) -> int:
    return min(each.lineno for each in (node, *node.decorator_list))


def _is_head(node: ast.stmt, line: int) -> bool:
    """Whether a line is one at which a statement chooses what to run of what it holds."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return False
        case ast.Match(cases=cases):
            return line in (node.lineno, *(case.pattern.lineno for case in cases))
    return line == node.lineno and hasattr(node, 'body')


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """Those in a statement, in the order of the text, without those of functions in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _returns(child)


def _place(node: ast.Return, near: Location) -> Location:
    return Location(near.filename, node.lineno, near.function)
