"""`:=` where it may not be evaluated."""
from __future__ import annotations

import copy

import gast

from autograph_lite.converters.build import assign, load, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import falls
from autograph_lite.converters.python_values import Lazy
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def named_expressions(tree: Node, context: Context) -> Node:
    """Turn `and`, `or` and conditional expressions that may bind a name into `if` statements.

    A function that evaluates such an operand could not bind the name around it; a branch can.

    >>> show(named_expressions, '''
    ... def f(a, x):
    ...     if a and (y := g(x)) > 2:
    ...         return y
    ...     z = (w := -x) if x > 0 else x
    ...     return a or (v := z) > w or v
    ... ''')
    def f(a, x):
        if a:
            if (y := g(x)) > 2:
                return y
        if x > 0:
            z = (w := -x)
        else:
            z = x
        value = a
        if not value:
            value = (v := z) > w or v
        return value
    """
    Statements(tree, context).rewrite(tree)
    return tree


class Statements(StatementRewriter):
    """Rewrites the statements whose test or value is such an expression."""

    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_If(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        is_negated = isinstance(node.test, gast.UnaryOp) and isinstance(node.test.op, gast.Not)
        test = node.test.operand if is_negated else node.test
        if not self._binds_perhaps(test):
            return node
        if isinstance(test, gast.BoolOp) and not is_negated:
            nested = self._nested(node)
            if nested:
                return nested
        name = self._context.helper('test')
        node.test = located(negated(load(name)) if is_negated else load(name), test)
        return [*self._value(test, name), node]

    def _nested(self, node: Node) -> list[Node]:
        """One `if` in another, so that what is bound is there where it is read; [] if not short."""
        values = node.test.values
        count = next(
            i for i in range(1, len(values)) if not self._lazy.can_be_functions(values[i:i + 1]))
        first, rest = (
            each[0] if len(each) == 1 else located(gast.BoolOp(node.test.op, each), each[0])
            for each in (values[:count], values[count:]))
        body, orelse, after = node.body, node.orelse, []
        if isinstance(node.test.op, gast.And):
            if not falls(body):
                orelse, after = [], orelse
            if not _is_short(orelse):
                return []
            inner = located(gast.If(rest, body, copy.deepcopy(orelse)), rest)
            outer = gast.If(first, self.block([inner]), orelse)
        else:
            if not _is_short(body):
                return []
            inner = located(gast.If(rest, copy.deepcopy(body), orelse), rest)
            outer = gast.If(first, body, self.block([inner]))
        return [located(outer, node), *after]

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


def _is_short(block: list[Node]) -> bool:
    """Whether statements may stand in two places."""
    return not block or (len(block) == 1 and not any(blocks(block[0])))
