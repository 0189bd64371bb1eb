"""`finally` with effects of the graph."""
from __future__ import annotations

import ast
import copy

import gast

from autograph_lite.converters.build import assign, constant, load, returns_of
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import PACKAGE, Context
from autograph_lite.converters.jumps import falls
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.names import names_in
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_ASSIGN = ('assign', 'assign_add', 'assign_sub')


def finally_clauses(tree: Node, context: Context) -> Node:
    """Let the effects of a `finally` come also where the running graph raises.

    Where they depend on nothing that the block gives a value, a handler has them, too. Nobody needs
    to see this, so `to_code` shows the tree without it.

    >>> show(finally_clauses, '''
    ... def root(x, count):
    ...     try:
    ...         y = invert(x)
    ...     finally:
    ...         count.assign_add(1)
    ...     return y
    ... ''')
    def root(x, count):
        try:
            y = invert(x)
        except:
            count.assign_add(1)
            raise
        count.assign_add(1)
        return y
    """
    return _Tries(context).rewrite(tree)


class _Tries(StatementRewriter):
    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        if node.handlers or node.orelse or not self._is_repeatable(node):
            return node
        jumps = list(_jumps(node.body))
        returns = list(returns_of(node.body))
        if jumps != returns or (returns and falls(node.body)):
            return node
        result = self._context.helper('result', f'finally {node.lineno}')
        if returns:
            node.body = _Results(result, self._context).block(node.body)
        final, node.finalbody = node.finalbody, []
        handling = [*copy.deepcopy(final), gast.Raise(None, None)]
        node.handlers = [located(gast.ExceptHandler(None, None, handling), node)]
        self._context.tries.add(node)
        after = [located(gast.Return(load(result)), node)] if returns else []
        return [node, *final, *after]

    def _is_repeatable(self, node: Node) -> bool:
        """Whether the clause has effects of the graph alone, which the block has no part in."""
        stored = set(_stored(node.body))
        read = {name for statement in node.finalbody for name in names_in(statement)}
        return (
            any(map(self._is_effect, node.finalbody))
            and all(self._is_effect(each) or _is_plain(each) for each in node.finalbody)
            and None not in stored
            and stored.isdisjoint(read))

    def _is_effect(self, statement: Node) -> bool:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name) as function)):
                return name in _ASSIGN or _is_print(meaning(function, self._context))
        return False


def _is_plain(statement: Node) -> bool:
    """Whether a statement gives variables a value without calling anything."""
    return isinstance(statement, gast.Assign | gast.AugAssign) and not any(
        isinstance(node, gast.Call) for node in ast.walk(statement))


def _is_print(function: object) -> bool:
    module = str(getattr(function, '__module__', ''))
    return module.startswith(PACKAGE) and getattr(function, '__name__', '') == 'print'


class _Results(StatementRewriter):
    """Keeps what is returned in a variable."""

    def __init__(self, result: str, context: Context) -> None:
        super().__init__(context)
        self._result = result

    def visit_Return(self, node: Node) -> Node:
        return located(assign(self._result, node.value or constant(None)), node)


def _jumps(statements: list[Node]) -> list[Node]:
    kinds = gast.Return | gast.Break | gast.Continue
    return [
        found for statement in statements
        for found in (
            [statement] if isinstance(statement, kinds)
            else [each for block in blocks(statement) for each in _jumps(block)])]


def _stored(statements: list[Node]) -> list[str | None]:
    """The variables that statements give a value; None for another place."""
    return [
        node.id if isinstance(node, gast.Name) else None
        for statement in statements for node in ast.walk(statement)
        if isinstance(node, gast.Name | gast.Attribute | gast.Subscript)
        and not isinstance(node.ctx, gast.Load)]
