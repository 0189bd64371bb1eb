"""Operands that are evaluated only if they are needed."""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

import gast

from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node

_TESTS = (isinstance, issubclass, hasattr, callable)
_ALWAYS_BOOL = gast.Is | gast.IsNot | gast.In | gast.NotIn


class Lazy:
    """What can be said about the operands of `and`, `or` and conditional expressions."""

    def __init__(self, tree: Node, context: Context) -> None:
        self._context = context
        self._mentions = Counter(_names(tree))

    def is_python(self, node: Node) -> bool:
        """Whether an expression gives a Python value for certain."""
        match node:
            case gast.Constant():
                return True
            case gast.Compare(ops=[operation]):
                return isinstance(operation, _ALWAYS_BOOL)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return self.is_python(operand)
            case gast.BoolOp(values=values):
                return all(map(self.is_python, values))
            case gast.Call(func=function):
                return any(meaning(function, self._context) is test for test in _TESTS)
        return False

    def can_be_functions(self, operands: Iterable[Node]) -> bool:
        """Whether functions can evaluate the operands: none binds a name that others read."""
        return all(
            self._mentions[name] == count
            for operand in operands
            for name, count in Counter(_names(operand)).items()
            if name in _bound_in(operand))


def _names(tree: Node) -> Iterable[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, gast.Name))


def _bound_in(tree: Node) -> set[str]:
    return {node.target.id for node in ast.walk(tree) if isinstance(node, gast.NamedExpr)}
