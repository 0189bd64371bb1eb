"""`if`."""
from __future__ import annotations

from dataclasses import dataclass

import gast

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.build import (
    constant,
    load,
    returns_of,
    together,
    unbound,
    without_pass,
)
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import BlockPlan, BranchPlan, Place, Places, Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.staging import (
    give,
    helper,
    inner_block,
    inner_value,
    outer_value,
    sole_value,
    take,
)
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def if_statements(tree: Node, context: Context) -> Node:
    """Turn each `if` into a call with its branches as functions.

    A graph contains both branches, so both are traced; each gives the values that the statement
    may change and that are needed after it.

    >>> show(if_statements, '''
    ... def scale(x, limit):
    ...     if np.max(x) > limit:
    ...         factor = limit / np.max(x)
    ...         x = x * factor
    ...     return x
    ... ''')
    def scale(x, limit):
        def if_true(x):
            factor = limit / np.max(x)
            x = x * factor
            return x
    <BLANKLINE>
        x = ag.cond(np.max(x) > limit, if_true, ag.unchanged, x)
        return x
    """
    _Ifs(plan_of(tree, context), context).rewrite(tree)
    return tree


class _Ifs(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        self._plan = plan
        self._context = context

    def visit_If(self, node: Node) -> Node | list[Node]:
        plan = self._plan.branches.get(node)
        self.generic_visit(node)
        if plan is None:
            return node
        lowering = (_Returning if plan.returns else _Lowering)(node, plan, self._context)
        return lowering.statements()


class _Lowering:
    """One `if`, after which the function goes on."""

    def __init__(self, node: Node, plan: BranchPlan, context: Context) -> None:
        self._node = node
        self._results = plan.results
        self._unbound = plan.unbound
        self._context = context
        self._branches = (
            _Branch('if_true', without_pass(node.body), plan.body),
            _Branch('if_false', without_pass(node.orelse), plan.orelse),
        )
        self._changes = tuple(dict.fromkeys((*plan.body.changes, *plan.orelse.changes)))
        self._values = {
            branch: None if any(place.is_shared for place in self._changes)
            else sole_value(branch.block, plan.results, context)
            for branch in self._branches}
        self._operands = self._find_operands()

    def _find_operands(self) -> Places:
        """What the branches have to be given: a mere value can read what is around it."""
        needed = {
            place for branch in self._branches if self._values[branch] is None
            for place in branch.plan.needs}
        if not all(branch.block for branch in self._branches) and not self._unbound:
            is_variable = any(place.name.is_simple for place in self._results)
            if needed <= set(self._results) and (needed or is_variable):
                return self._results  # for the branch that is missing to give back
        return tuple(place for place in self._changes if place in needed)

    def statements(self) -> list[Node]:
        """The branches as functions, and the call."""
        functions: list[Node] = []
        arguments = [self._node.test]
        for branch in self._branches:
            if not branch.block and self._operands == self._results and not self._unbound:
                arguments.append(gast.Attribute(load(self._context.ag), 'unchanged', gast.Load()))
                continue
            takes = [place.parameter for place in self._operands]
            body = self._body(branch)
            functions.append(helper(branch.name, takes, body, self._context, self._node))
            arguments.append(load(functions[-1].name))
        arguments += map(outer_value, self._operands)
        return functions + self._call(arguments)

    def _body(self, branch: _Branch) -> list[Node]:
        value, block = self._values[branch], branch.block
        if value is not None:
            returned = give([value], block[-1])
            return inner_block(block[:-1] + returned, self._operands, (), self._context, self._node)
        given = [self._result(place, branch) for place in self._results]
        block = block + give(given, block[-1] if block else self._node)
        if not block:
            block = [located(gast.Return(constant(None)), self._node)]
        return inner_block(block, self._operands, branch.plan.changes, self._context, self._node)

    def _result(self, place: Place, branch: _Branch) -> Node:
        if place in branch.plan.lacks:
            return unbound(place.name.root, self._context)
        if place in branch.plan.changes or place in self._operands:
            return inner_value(place)
        return outer_value(place)

    def _call(self, arguments: list[Node]) -> list[Node]:
        return [take(self._results, 'cond', arguments, {}, self._context, self._node)]


class _Returning(_Lowering):
    """One `if` whose branches end the function.

    What the function changes for others, such as `self.x`, is given back beside its result.
    """

    def _body(self, branch: _Branch) -> list[Node]:
        for statement in returns_of(branch.block):
            values = [statement.value or constant(None)]
            values += [self._result(place, branch) for place in self._results]
            statement.value = located(together(values, gast.Load()), statement)
        changes = branch.plan.changes
        return inner_block(branch.block, self._operands, changes, self._context, self._node)

    def _call(self, arguments: list[Node]) -> list[Node]:
        result = Place(QualName(self._context.helper('result')), '')
        call = take((result, *self._results), 'cond', arguments, {}, self._context, self._node)
        if not self._results:
            return [located(gast.Return(call.value), self._node)]
        return [call, located(gast.Return(load(result.name.root)), self._node)]


@dataclass(frozen=True, eq=False)
class _Branch:
    name: str
    block: list[Node]
    plan: BlockPlan
