"""`for` and `while`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import any_of, give, helper, load, loop_body, negated, take
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import tail_flags
from autograph_lite.converters.plan import Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def loops(tree: Node, context: Context) -> Node:
    """Turn each loop into a call with its body as a function, and with its test.

    They take the state of the loop: what it modifies and what the next turn, or what follows the
    loop, needs; the body of a `for` also an item. The body gives the next state. The test is asked
    before each turn; a `for` has one where it may be left early.

    >>> show(loops, '''
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

    >>> show(loops, '''
    ... def shrink(x):
    ...     while np.sum(x) > 1:
    ...         x = np.tanh(x)
    ...     return x
    ... ''')
    def shrink(x):
    <BLANKLINE>
        def loop_test(x):
            return np.sum(x) > 1
    <BLANKLINE>
        def loop_body(x):
            return np.tanh(x)
    <BLANKLINE>
        x = ag.while_loop(loop_test, loop_body, x)
        return x
    """
    return _Loops(plan_of(tree, context), context).rewrite(tree)


class _Loops(StatementRewriter):
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
