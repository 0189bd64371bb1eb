"""`while`."""
from __future__ import annotations

from autograph_lite.converters.build import load
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.staging import (
    give,
    helper,
    loop_body,
    take,
)
from autograph_lite.pyct.tree import Node


def while_loops(tree: Node, context: Context) -> Node:
    """Turn each `while` into a call with its test and its body as functions.

    Both take the state of the loop: what it modifies and what the next turn, or what follows the
    loop, needs. The body gives the next state.

    >>> show(while_loops, '''
    ... def shrink(x):
    ...     while np.sum(x) > 1:
    ...         x = np.tanh(x)
    ...     return x
    ... ''')
    def shrink(x):
        def loop_test(x):
            return np.sum(x) > 1
    <BLANKLINE>
        def loop_body(x):
            return np.tanh(x)
    <BLANKLINE>
        x = ag.while_loop(loop_test, loop_body, x)
        return x
    """
    return _Whiles(plan_of(tree, context), context).rewrite(tree)


class _Whiles(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(context)
        self._plan = plan

    def visit_While(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        if node not in self._plan.loops:
            return node
        plan, context = self._plan.loops[node], self._context
        functions = [
            helper('loop_test', plan.state, give([node.test], node.test), context, node.test),
            helper('loop_body', plan.state, loop_body(node.body, plan, context), context, node),
        ]
        arguments = [load(function.name) for function in functions]
        arguments += map(load, plan.state)
        return [*functions, take(plan.state, 'while_loop', arguments, {}, context, node)]

