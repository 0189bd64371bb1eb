"""`:=` where it may not be evaluated."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, load, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.lazy import Lazy
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def named_expressions(tree: Node, context: Context) -> Node:
    """Turn `and`, `or` and conditional expressions that may bind a name into `if` statements.

    A function that evaluates such an operand could not bind the name around it; a branch can.

    >>> show(named_expressions, '''
    ... def f(a, x):
    ...     if a or (y := g(x)) > 2:
    ...         return 0
    ...     z = (w := -x) if x > 0 else y
    ...     return z + w
    ... ''')
    def f(a, x):
        test = a
        if not test:
            test = (y := g(x)) > 2
        if test:
            return 0
        if x > 0:
            z = (w := -x)
        else:
            z = y
        return z + w
    """
    _Statements(tree, context).rewrite(tree)
    return tree


class _Statements(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        self._lazy = Lazy(tree, context)
        self._context = context

    def visit_If(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        is_negated = isinstance(node.test, gast.UnaryOp) and isinstance(node.test.op, gast.Not)
        test = node.test.operand if is_negated else node.test
        if not self._binds_perhaps(test):
            return node
        name = self._context.helper('test')
        node.test = located(negated(load(name)) if is_negated else load(name), test)
        return [*self._value(test, name), node]

    def visit_Assign(self, node: Node) -> Node | list[Node]:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                if self._binds_perhaps(value):
                    return self._value(value, name)
        return node

    def visit_Return(self, node: Node) -> Node | list[Node]:
        if node.value is None or not self._binds_perhaps(node.value):
            return node
        name = self._context.helper('value')
        value, node.value = node.value, located(load(name), node.value)
        return [*self._value(value, name), node]

    def _binds_perhaps(self, node: Node) -> bool:
        """Whether operands that may not be evaluated bind names that others read."""
        match node:
            case gast.BoolOp(values=[*before, _]):
                return not all(map(self._lazy.is_python, before)) and (
                    not self._lazy.can_be_functions(node.values[1:]))
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return not self._lazy.is_python(test) and (
                    not self._lazy.can_be_functions([body, orelse]))
        return False

    def _value(self, node: Node, name: str) -> list[Node]:
        """The statements that give a name the value of an expression."""
        if not self._binds_perhaps(node):
            return [located(assign(name, node), node)]
        if isinstance(node, gast.IfExp):
            branches = self._value(node.body, name), self._value(node.orelse, name)
            return [located(gast.If(node.test, *branches), node)]
        first, *rest = node.values
        following = rest[0] if len(rest) == 1 else located(gast.BoolOp(node.op, rest), rest[0])
        test = load(name) if isinstance(node.op, gast.And) else negated(load(name))
        return [
            *self._value(first, name),
            located(gast.If(test, self._value(following, name), []), node)]
