"""`finally` with effects of the graph."""
from __future__ import annotations

import copy

import gast

from autograph_lite.analysis.accesses import MUTATING_METHODS, last_name
from autograph_lite.converters.build import assign, constant, load, returns_of
from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.context import PACKAGE, Context
from autograph_lite.converters.jumps import falls
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# Methods of variables: effects of the graph.
ASSIGN = ('assign', 'assign_add', 'assign_sub')


def finally_clauses(tree: Node, context: Context) -> Node:
    """Let the effects of a `finally` come also where the running graph raises.

    A handler has them, too. Nobody needs to see this, so `to_code` shows the tree without it.

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
    _Tries(context).rewrite(tree)
    return tree


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
        """Whether the clause has effects of the graph, and nothing that Python would do twice."""
        return any(map(self._has_effect, node.finalbody)) and all(
            map(self._is_for_graph, node.finalbody))

    def _has_effect(self, statement: Node) -> bool:
        return self._is_effect(statement) or any(
            self._has_effect(inner) for block in blocks(statement) for inner in block)

    def _is_for_graph(self, statement: Node) -> bool:
        """Whether a statement is an effect of the graph, or only gives variables a value."""
        if isinstance(statement, gast.If | gast.For):
            inside = (*statement.body, *statement.orelse)
            asked = statement.test if isinstance(statement, gast.If) else statement.iter
            return self._is_silent(asked) and all(map(self._is_for_graph, inside))
        if self._is_effect(statement):
            call = statement.value
            return all(map(self._is_silent, (*call.args, *(each.value for each in call.keywords))))
        is_given = isinstance(statement, gast.Assign | gast.AugAssign)
        return isinstance(statement, gast.Pass) or (is_given and self._is_silent(statement.value))

    def _is_silent(self, value: Node) -> bool:
        """Whether an expression does nothing but give a value."""
        calls = [node for node in walk(value) if isinstance(node, gast.Call)]
        return all(
            callee(call.func, self._context)[0] in _SILENT
            and last_name(call.func) not in MUTATING_METHODS
            for call in calls)

    def _is_effect(self, statement: Node) -> bool:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name))) if name in ASSIGN:
                return True
            case gast.Expr(value=gast.Call(func=function)):
                return _is_print(meaning(function, self._context))
        return False


# What is called to get a value of something.
_SILENT = (Callee.BUILTIN, Callee.CREATION, Callee.LIBRARY, Callee.MATH, Callee.METHOD)


def _is_print(function: object) -> bool:
    module = str(getattr(function, '__module__', ''))
    is_ours = module.startswith(PACKAGE) and getattr(function, '__name__', '') == 'print'
    return is_ours or function is print


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

