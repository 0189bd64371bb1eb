"""Expressions of very many parts."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import load, negated, parameter, store
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter, StatementRewriter
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node, walk


def long_expressions(tree: Node, context: Context) -> Node:
    """Write a long chain of conditional expressions or comparisons as the `if`s that it is.

    Each part would become a function in the one before it. Python reads no text that is nested so
    deep, and such functions call each other as deep when they run; `if`s are cut into pieces.

    >>> chain = ' '.join(f'{i} if x == {i} else' for i in range(51))
    >>> show(long_expressions, lines=range(2, 5), text=f'''
    ... def f(x, ys):
    ...     return [{chain} x + y for y in ys]
    ... ''')
        def choose(y):
            if x == 0:
                return 0
    >>> show(long_expressions, lines=range(2, 7), text=f'''
    ... def f(x):
    ...     return {' < '.join(f'g(x, {i})' for i in range(53))}
    ... ''')
        def compare():
            holds = g(x, 0) < (middle := g(x, 1))
            if not holds:
                return holds
            holds = middle < (middle_1 := g(x, 2))
    """
    if context.namespace.has(gast.IfExp) or context.namespace.compares_in_chains():
        _Statements(context).rewrite(tree)
    return tree


class _Statements(StatementRewriter):
    def block(self, statements: list[Node]) -> list[Node]:
        result: list[Node] = []
        for statement in super().block(statements):
            if not isinstance(statement, _ASKED_AGAIN):
                parts = _Parts(self._context)
                parts.generic_visit(statement)
                for function in parts.functions:
                    function.body = self.block(function.body)
                result += parts.functions
            result.append(statement)
        return result


class _Parts(Rewriter):
    """Replaces what is long in the expressions of a statement by calls of `functions`."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.functions: list[Node] = []
        self._bound: list[str] = []  # by what is around an expression in its statement

    def block(self, statements: list[Node]) -> list[Node]:
        return statements

    def visit_IfExp(self, node: Node) -> Node:
        links = [node]
        while isinstance(links[-1].orelse, gast.IfExp):
            links.append(links[-1].orelse)
        if len(links) <= LONGEST or _binds(node):
            return self.generic_visit(node)
        body = [_returned(links[-1].orelse)]
        for link in reversed(links):
            body = [located(gast.If(link.test, [_returned(link.body)], body), front_of(link))]
        return self._call('choose', body, node)

    def visit_Compare(self, node: Node) -> Node:
        computed = [each for each in node.comparators if not isinstance(each, _SIMPLE)]
        if len(computed) <= LONGEST or _binds(node):
            return self.generic_visit(node)
        holds, left = self._context.helper('holds'), node.left
        body: list[Node] = []
        for operation, right in zip(node.ops, node.comparators, strict=True):
            value, place = right, front_of(right)
            if right is node.comparators[-1]:
                last = located(gast.Compare(left, [operation], [right]), node)
                body.append(located(gast.Return(last), place))
                break
            if not isinstance(right, _SIMPLE):
                right = load(self._context.namer.fresh('middle'))
                value = gast.NamedExpr(store(right.id), value)
            test = located(gast.Compare(left, [operation], [value]), node)
            leave = gast.If(negated(load(holds)), [gast.Return(load(holds))], [])
            body += located([gast.Assign([store(holds)], test, None), leave], place)
            left = right
        return self._call('compare', body, node)

    def visit_Lambda(self, node: Node) -> Node:
        return self._within(node, [node.args])

    def visit_ListComp(self, node: Node) -> Node:
        return self._within(node, [each.target for each in node.generators])

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def _within(self, node: Node, binding: list[Node]) -> Node:
        names = [part.id for each in binding for part in walk(each) if isinstance(part, gast.Name)]
        self._bound += names
        self.generic_visit(node)
        del self._bound[len(self._bound) - len(names):]
        return node

    def _call(self, name: str, body: list[Node], node: Node) -> Node:
        """A call of a new function, which takes what only the expression around it knows."""
        names = {part.id for part in walk(node) if isinstance(part, gast.Name)} if (
            self._bound) else set()
        taken = [each for each in dict.fromkeys(self._bound) if each in names]
        parameters = gast.arguments([*map(parameter, taken)], [], None, [], [], None, [])
        name = self._context.namer.fresh(name)
        function = gast.FunctionDef(name, parameters, body, [], None, None, [])
        self._context.namespace.add(function)
        self.functions.append(located(function, front_of(node)))
        return located(gast.Call(load(name), [*map(load, taken)], []), node)


LONGEST = 50  # so many parts may be functions in functions
_SIMPLE = gast.Name | gast.Constant
_ASKED_AGAIN = gast.While | gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef


def _returned(value: Node) -> Node:
    return located(gast.Return(value), front_of(value))


def _binds(node: Node) -> bool:
    return any(isinstance(part, gast.NamedExpr) for part in walk(node))
