"""Values for variables that have none yet."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, unbound
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def unbound_names(tree: Node, context: Context) -> Node:
    """Give a value to a variable that is passed on before it has one.

    What a loop gives back it has to be given first.

    >>> show(unbound_names, '''
    ... def last(xs):
    ...     for x in xs:
    ...         y = x * 2
    ...     return y
    ... ''')
    def last(xs):
        y = ag.unbound('y')
        for x in xs:
            y = x * 2
        return y
    """
    return _Statements(plan_of(tree, context), context).rewrite(tree)


class _Statements(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(context)
        self._plan = plan

    def block(self, statements: list[Node]) -> list[Node]:
        result: list[Node] = []
        for statement in statements:
            for name in self._plan.preludes.get(statement, ()):
                result.append(self._unbound(name, statement))
            if statement in self._plan.deletions:
                result += self._deleted(statement)
            else:
                result.append(self.visit(statement))
        return result

    def _deleted(self, statement: Node) -> list[Node]:
        """A `del` whose variables others still have to pass on."""
        return [
            self._unbound(target.id, statement) if isinstance(target, gast.Name)
            else located(gast.Delete([target]), statement)
            for target in statement.targets]

    def _unbound(self, name: str, like: Node) -> Node:
        value = unbound(name, self._context)
        return located(assign(name, value), like)
