"""`try` with `except`, as far as a graph can take it over."""
from __future__ import annotations

import gast

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.build import (
    constant,
    load,
    parameter,
    returns_of,
    thunk,
    together,
    unbound,
    without_pass,
)
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import BlockPlan, Place, TryPlan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.staging import (
    give,
    helper,
    inner_block,
    take,
    value_of,
)
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
    plan = plan_of(tree, context)
    if plan.tries:
        _Tries(plan.tries, context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def __init__(self, plans: dict[Node, TryPlan], context: Context) -> None:
        self._plans = plans
        self._context = context

    def visit_Try(self, node: Node) -> Node | list[Node]:
        plan = self._plans.get(node)
        self.generic_visit(node)
        return node if plan is None else _Lowering(node, plan, self._context).statements()


class _Lowering:
    """One `try`."""

    def __init__(self, node: Node, plan: TryPlan, context: Context) -> None:
        self._node = node
        self._plan = plan
        self._context = context
        blocks = (plan.body, *plan.handlers)
        needed = {place for block in blocks for place in block.needs}
        changes = dict.fromkeys(place for block in blocks for place in block.changes)
        self._operands = tuple(place for place in changes if place in needed)

    def statements(self) -> list[Node]:
        """The block and the handlers as functions, and the call."""
        node, context = self._node, self._context
        takes = [place.parameter for place in self._operands]
        body = self._body(node.body, self._plan.body)
        functions = [helper('try_body', takes, body, context, node)]
        handlers: list[Node] = []
        for i, (each, plan) in enumerate(zip(node.handlers, self._plan.handlers, strict=True)):
            error = context.helper('error') if each.name is None else each.name.id
            function = helper(
                f'handler_{i}' if i else 'handler', takes, self._handler(each.body, plan), context,
                node)
            function.args.args.insert(0, located(parameter(error), node))
            functions.append(function)
            kinds = load('BaseException') if each.type is None else each.type
            handlers.append(gast.Tuple([thunk(kinds), load(function.name)], gast.Load()))
        arguments = [load(functions[0].name), gast.Tuple(handlers, gast.Load())]
        arguments += map(value_of, self._operands)
        return functions + self._call(arguments)

    def _body(self, block: list[Node], plan: BlockPlan) -> list[Node]:
        block = self._giving(block, plan)
        return inner_block(block, self._operands, self._node)

    def _handler(self, block: list[Node], plan: BlockPlan) -> list[Node]:
        """What the block has left of a variable, a handler finds in the variable itself."""
        own = [place for place in self._operands if place not in self._plan.shared]
        block = self._giving(block, plan)
        block = inner_block(block, tuple(own), self._node)
        start = [
            place.declaration([place.name.root])
            for place in self._plan.shared
            if place in plan.changes and place.declaration is not None]
        return located(start, self._node) + block

    def _giving(self, block: list[Node], plan: BlockPlan) -> list[Node]:
        """A block that gives the results of the statement."""
        block = without_pass(block)
        results = [self._result(place, plan) for place in self._plan.results]
        if self._plan.returns:
            for statement in returns_of(block):
                values = [statement.value or constant(None), *results]
                statement.value = located(together(values, gast.Load()), statement)
            return block
        block = block + give(results, block[-1] if block else self._node)
        return block or [located(gast.Return(constant(None)), self._node)]

    def _result(self, place: Place, plan: BlockPlan) -> Node:
        if place in plan.lacks:
            return unbound(self._name_for_errors(place, plan), self._context)
        return value_of(place)

    def _name_for_errors(self, place: Place, plan: BlockPlan) -> str:
        """The name that may be without a value; none where no read comes before it has one."""
        handlers = zip(self._node.handlers, self._plan.handlers, strict=True)
        leaving = [each for handler, each in handlers if handler in self._context.leaving]
        in_else = place.name.root in self._context.else_binds.get(self._node, ())
        if plan is self._plan.body:
            is_sure = in_else
        else:
            leaves = any(plan is each for each in leaving)
            is_sure = leaves and (in_else or place not in self._plan.body.lacks)
        others = [each for each in self._plan.handlers if all(each is not x for x in leaving)]
        is_sure = is_sure and all(place not in each.lacks for each in others)
        return '' if is_sure else place.name.root

    def _call(self, arguments: list[Node]) -> list[Node]:
        plan, context = self._plan, self._context
        shared = [value_of(place) for place in plan.shared]
        keywords = {'shared': thunk(gast.Tuple(shared, gast.Load()))} if shared else {}
        if not plan.returns:
            return [take(plan.results, 'try_', arguments, keywords, context, self._node)]
        result = Place(QualName(context.helper('result')), '')
        places = (result, *plan.results)
        call = take(places, 'try_', arguments, keywords, context, self._node)
        if not plan.results:
            return [located(gast.Return(call.value), self._node)]
        return [call, located(gast.Return(load(result.name.root)), self._node)]
