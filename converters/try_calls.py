"""`try` with `except`, as far as a graph can take it over."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import (
    constant,
    give,
    helper,
    inner_block,
    load,
    returns_of,
    take,
    thunk,
    together,
    unbound,
    without_pass,
)
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import BlockPlan, BranchPlan, Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def try_calls(tree: Node, context: Context) -> Node:
    """Turn a `try` into a call, with its block and its handlers as functions.

    What is raised when the graph runs is then caught when it runs. Nobody needs to see this, so
    `to_code` shows the tree without it.

    >>> show(try_calls, after='try_clauses', text='''
    ... def factor(a, default):
    ...     try:
    ...         root = np.linalg.cholesky(a)
    ...     except np.linalg.LinAlgError:
    ...         root = default
    ...     return root
    ... ''')
    def factor(a, default):
    <BLANKLINE>
        def try_body():
            root = np.linalg.cholesky(a)
            return root
    <BLANKLINE>
        def handler(error):
            root = default
            return root
    <BLANKLINE>
        root = ag.try_(try_body, ((lambda: np.linalg.LinAlgError, handler),))
        return root
    """
    if context.tries:
        _Tries(plan_of(tree, context), context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(context)
        self._plan = plan

    def visit_Try(self, node: Node) -> Node | list[Node]:
        plan = self._plan.branches.get(node)
        self.generic_visit(node)
        return node if plan is None else _Lowering(node, plan, self._context).statements()


class _Lowering:
    """One `try`."""

    def __init__(self, node: Node, plan: BranchPlan, context: Context) -> None:
        self._node = node
        self._plan = plan
        self._context = context
        needed = {name for block in plan.blocks for name in block.needs}
        self._operands = tuple(name for name in plan.changes if name in needed)

    def statements(self) -> list[Node]:
        """The block and the handlers as functions, and the call."""
        node, context = self._node, self._context
        plan, *plans = self._plan.blocks
        functions = [
            helper('try_body', self._operands, self._body(node.body, plan), context, node)]
        handlers: list[Node] = []
        for i, (each, plan) in enumerate(zip(node.handlers, plans, strict=True)):
            error = context.helper('error') if each.name is None else each.name.id
            name = f'handler_{i}' if i else 'handler'
            takes = (error, *self._operands)
            functions.append(helper(name, takes, self._body(each.body, plan), context, node))
            kinds = load('BaseException') if each.type is None else each.type
            handlers.append(gast.Tuple([thunk(kinds), load(functions[-1].name)], gast.Load()))
        arguments = [load(functions[0].name), gast.Tuple(handlers, gast.Load())]
        arguments += map(load, self._operands)
        return functions + self._call(arguments)

    def _body(self, block: list[Node], plan: BlockPlan) -> list[Node]:
        """A block that gives the results of the statement."""
        block = without_pass(block)
        results = [self._result(name, plan) for name in self._plan.results]
        if self._plan.returns:
            for statement in returns_of(block):
                values = [statement.value or constant(None), *results]
                statement.value = located(together(values, gast.Load()), statement)
        else:
            block = block + give(results, block[-1] if block else self._node)
            block = block or [located(gast.Return(constant(None)), self._node)]
        return inner_block(block, plan.shared, self._node)

    def _result(self, name: str, plan: BlockPlan) -> Node:
        if name not in plan.lacks:
            return load(name)
        return unbound('' if self._is_given(name, plan) else name, self._context)

    def _is_given(self, name: str, plan: BlockPlan) -> bool:
        """Whether a variable that a block does not give a value has one where it is read."""
        body, *plans = self._plan.blocks
        leaves = [handler in self._context.leaving for handler in self._node.handlers]
        in_else = name in self._context.else_binds.get(self._node, ())
        if plan is not body:
            is_left = any(plan is x for x, leaving in zip(plans, leaves, strict=True) if leaving)
            in_else = is_left and (in_else or name not in body.lacks)
        staying = [x for x, leaving in zip(plans, leaves, strict=True) if not leaving]
        return in_else and all(name not in each.lacks for each in staying)

    def _call(self, arguments: list[Node]) -> list[Node]:
        plan, context = self._plan, self._context
        if not plan.returns:
            return [take(plan.results, 'try_', arguments, {}, context, self._node)]
        result = context.helper('result')
        call = take((result, *plan.results), 'try_', arguments, {}, context, self._node)
        if not plan.results:
            return [located(gast.Return(call.value), self._node)]
        return [call, located(gast.Return(load(result)), self._node)]
