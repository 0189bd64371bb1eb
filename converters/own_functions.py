"""Parts of expressions that become functions of their own, before the statement."""
from __future__ import annotations

from collections.abc import Callable

import gast

from autograph_lite.converters.build import load, parameter
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter, StatementRewriter
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node, walk


class Parts(Rewriter):
    """Replaces parts of the expressions of a statement by calls of `functions`."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.functions: list[Node] = []
        self._bound: list[str] = []  # by what is around an expression in its statement

    def block(self, statements: list[Node]) -> list[Node]:
        return statements

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

    def call(self, name: str, body: list[Node], node: Node) -> Node:
        """A call of a new function in the place of a node.

        It takes what only the expression around the node knows.
        """
        names = {part.id for part in walk(node) if isinstance(part, gast.Name)} if (
            self._bound) else set()
        taken = [each for each in dict.fromkeys(self._bound) if each in names]
        parameters = gast.arguments([*map(parameter, taken)], [], None, [], [], None, [])
        name = self._context.namer.fresh(name)
        function = gast.FunctionDef(name, parameters, body, [], None, None, [])
        self._context.namespace.add(function)
        self.functions.append(located(function, front_of(node)))
        return located(gast.Call(load(name), [*map(load, taken)], []), node)


class Statements(StatementRewriter):
    """Puts the functions of a statement before it."""

    def __init__(self, context: Context, parts: Callable[[Context], Parts]) -> None:
        super().__init__(context)
        self._make = parts

    def block(self, statements: list[Node]) -> list[Node]:
        result: list[Node] = []
        for statement in super().block(statements):
            if not isinstance(statement, _ASKED_AGAIN):
                parts = self._make(self._context)
                parts.generic_visit(statement)
                result += parts.functions
            result.append(statement)
        return result


_ASKED_AGAIN = gast.While | gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef


def binds(node: Node) -> bool:
    """Whether `:=` in an expression binds a name."""
    return any(isinstance(part, gast.NamedExpr) for part in walk(node))
