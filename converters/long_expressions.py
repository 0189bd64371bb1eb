"""Expressions of very many parts."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import load, negated, store
from autograph_lite.converters.context import Context
from autograph_lite.converters.own_functions import Parts, Statements, binds
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node


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
        Statements(context, _Parts).rewrite(tree)
    return tree


class _Parts(Parts):
    def visit_IfExp(self, node: Node) -> Node:
        links = [node]
        while isinstance(links[-1].orelse, gast.IfExp):
            links.append(links[-1].orelse)
        if len(links) <= LONGEST or binds(node):
            return self.generic_visit(node)
        body = [_returned(links[-1].orelse)]
        for link in reversed(links):
            body = [located(gast.If(link.test, [_returned(link.body)], body), front_of(link))]
        return self._called('choose', body, node)

    def visit_Compare(self, node: Node) -> Node:
        computed = [each for each in node.comparators if not isinstance(each, _SIMPLE)]
        if len(computed) <= LONGEST or binds(node):
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
        return self._called('compare', body, node)

    def _called(self, name: str, body: list[Node], node: Node) -> Node:
        call = self.call(name, body, node)
        body[:] = Statements(self._context, _Parts).block(body)  # in which more may be long
        return call


LONGEST = 50  # so many parts may be functions in functions
_SIMPLE = gast.Name | gast.Constant


def _returned(value: Node) -> Node:
    return located(gast.Return(value), front_of(value))
