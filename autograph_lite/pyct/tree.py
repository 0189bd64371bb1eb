"""The two kinds of tree, and the way from one to the other.

`ast` is Python's own tree and differs between versions; `gast` is the same on all of them, and is
what the analyses and the passes work on. Both are untyped, so a node is `Any` to the type checker;
`Node` says which `Any` is meant.
"""
from __future__ import annotations

import ast
from typing import Any

import gast

from autograph_lite.pyct.deep import deeply

Node = Any

POSITIONS = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')


def to_gast(node: ast.AST) -> Node:
    """A gast copy of a tree of Python's own nodes."""
    return deeply(gast.ast_to_gast, node)


def to_ast(node: Node) -> Any:
    """A copy of a gast tree in Python's own nodes, as `compile` wants them."""
    return deeply(gast.gast_to_ast, node)


def is_gast(node: Node) -> bool:
    """Whether a node is gast's; contexts and operators, which carry nothing, count for both."""
    return type(node).__module__.startswith('gast')


def without_positions(node: Node) -> Node:
    """The same tree, its nodes belonging to no file."""
    for child in ast.walk(node):
        for attribute in POSITIONS:
            child.__dict__.pop(attribute, None)
    return node
