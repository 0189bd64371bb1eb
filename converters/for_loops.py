"""`for`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import any_of, load, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import tail_flags
from autograph_lite.converters.plan import Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.staging import (
    give,
    helper,
    loop_body,
    take,
)
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def for_loops(tree: Node, context: Context) -> Node:
    """Turn each `for` into a call with its body as a function.

    The body takes an item and the state of the loop, and gives the next state. A test, where the
    loop may be left early, is asked before each turn.

    >>> show(for_loops, '''
    ... def total(xs):
    ...     s = 0
    ...     for i, x in enumerate(xs):
    ...         s = s + i * x
    ...     return s
    ... ''')
    def total(xs):
        s = 0
    <BLANKLINE>
        def loop_body(item, s):
            i, x = item
            s = s + i * x
            return s
    <BLANKLINE>
        s = ag.for_loop(enumerate(xs), loop_body, s)
        return s
    """
    return _Fors(plan_of(tree, context), context).rewrite(tree)


class _Fors(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(context)
        self._plan = plan

    def visit_For(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        if node not in self._plan.loops:
            return node
        plan, context = self._plan.loops[node], self._context
        state = plan.state
        flags = tail_flags(node, context)
        body = node.body[:-1] if flags else node.body
        target = node.target
        if isinstance(target, gast.Name) and target.id not in (*state, *plan.shared):
            item = target.id
        else:
            item = context.helper('item')
            body = [located(gast.Assign([target], load(item), None), target), *body]
        function = helper(
            'loop_body', [item, *state], loop_body(body, plan, context), context, node)
        arguments = [node.iter, load(function.name), *map(load, state)]
        keywords = {}
        functions = [function]
        if flags:
            ends = give([negated(any_of(flags))], node)
            functions.insert(0, helper('loop_test', state, ends, context, node))
            keywords['test'] = load(functions[0].name)
        return [*functions, take(state, 'for_loop', arguments, keywords, context, node)]
