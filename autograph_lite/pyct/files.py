"""The trees of the user's files, for what tells where something stands in them."""
from __future__ import annotations

import ast
import functools
import linecache

from autograph_lite.errors import Location
from autograph_lite.pyct.deep import deeply

Function = ast.FunctionDef | ast.AsyncFunctionDef


def tree_of(filename: str) -> ast.Module:
    """The tree of a file, which nobody changes; without statements where it cannot be read.

    It may be no Python, such as a cell with magics.
    """
    return _parsed(''.join(linecache.getlines(filename)))


def statements_of(filename: str) -> tuple[ast.stmt, ...]:
    """All statements of a file, in its order; none if it cannot be read."""
    return _statements(''.join(linecache.getlines(filename)))


def statements_around(place: Location) -> list[ast.stmt]:
    """The statements that hold a place or stand there, the outermost first.

    There are none where they are in no function.
    """
    around = [
        node for node in statements_of(place.filename)
        if node.lineno <= place.line <= (node.end_lineno or 0)]
    return around if any(isinstance(node, Function) for node in around) else []


def innermost_function(around: list[ast.stmt]) -> Function:
    """The last function of statements around a place."""
    return next(node for node in reversed(around) if isinstance(node, Function))


@functools.lru_cache(maxsize=4)
def _parsed(text: str) -> ast.Module:
    try:
        return deeply(ast.parse, text)
    except SyntaxError:
        return ast.Module([], [])


@functools.lru_cache(maxsize=4)
def _statements(text: str) -> tuple[ast.stmt, ...]:
    found = [node for node in ast.walk(_parsed(text)) if isinstance(node, ast.stmt)]
    return tuple(sorted(found, key=lambda node: (node.lineno, node.col_offset)))
