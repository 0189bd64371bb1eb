"""`if`."""
from __future__ import annotations

from dataclasses import dataclass

import gast

from autograph_lite.converters.build import (
    constant,
    give,
    helper,
    inner_block,
    load,
    returns_of,
    sole_assignment,
    take,
    together,
    unbound,
    without_pass,
)
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import BlockPlan, BranchPlan, Names, Plan
from autograph_lite.converters.planner import plan_of
from autograph_lite.converters.rewriter import StatementRewriter
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
    <BLANKLINE>
        def if_true(x):
            factor = limit / np.max(x)
            x = x * factor
            return x
    <BLANKLINE>
        x = ag.cond(np.max(x) > limit, if_true, ag.unchanged, x)
        return x
    """
    return _Ifs(plan_of(tree, context), context).rewrite(tree)


class _Ifs(StatementRewriter):
    def __init__(self, plan: Plan, context: Context) -> None:
        super().__init__(context)
        self._plan = plan

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
            _Branch('if_true', without_pass(node.body), plan.blocks[0]),
            _Branch('if_false', without_pass(node.orelse), plan.blocks[1]),
        )
        self._changes = plan.changes
        # What ends the function keeps its statements, of which one may give a variable its value.
        self._values = {
            branch: None if plan.returns or branch.plan.shared else self._value(branch)
            for branch in self._branches}
        self._operands = self._find_operands()

    def _value(self, branch: _Branch) -> Node | None:
        """What a branch gives that does no more than give some of the results a value."""
        names, value = sole_assignment(branch.block, self._context) or ([], None)
        if value is None or not self._results or names == list(self._results):
            return value if self._results else None
        changes = set(branch.plan.changes)
        values = value.elts if len(names) > 1 and isinstance(value, gast.Tuple) else [value]
        given = dict(zip(names, values, strict=False))
        if not len(given) == len(names) == len(values) or given.keys() != changes or any(
            isinstance(each, gast.Starred) for each in values
        ):
            return None
        helpers = self._context.helpers
        if self._context.has_comment(branch.block[-1]) or not helpers.isdisjoint(branch.block):
            return None
        kept = [name for name in self._results if name in given]
        # What is computed keeps its order, and is not lost.
        computed = [name for name, each in given.items() if not _is_there(each, changes)]
        if [name for name in kept if name in computed] != computed:
            return None
        return together([
            given.get(name) or self._result(name, branch) for name in self._results
        ], gast.Load())

    def _find_operands(self) -> Names:
        """What the branches have to be given: a mere value can read what is around it."""
        needed = {
            name for branch in self._branches
            for name in (
                branch.plan.needs if self._values[branch] is None else branch.plan.in_place)}
        is_whole = all(branch.block for branch in self._branches)
        if self._results and needed <= set(self._results) and not (is_whole or self._unbound):
            return self._results  # for the branch that is missing to give back
        return tuple(name for name in self._changes if name in needed)

    def statements(self) -> list[Node]:
        """The branches as functions, and the call."""
        functions: list[Node] = []
        arguments = [self._node.test]
        for branch in self._branches:
            if not branch.block and self._operands == self._results and not self._unbound:
                arguments.append(gast.Attribute(load(self._context.ag), 'unchanged', gast.Load()))
                continue
            body = self._body(branch)
            functions.append(helper(branch.name, self._operands, body, self._context, self._node))
            arguments.append(load(functions[-1].name))
        arguments += map(load, self._operands)
        return functions + self._call(arguments)

    def _body(self, branch: _Branch) -> list[Node]:
        value, block = self._values[branch], branch.block
        if value is not None:
            helpers = [statement for statement in block if statement in self._context.helpers]
            return helpers + give([value], block[-1])
        given = [self._result(name, branch) for name in self._results]
        block = block + give(given, block[-1] if block else self._node)
        if not block:
            block = [located(gast.Return(constant(None)), self._node)]
        return inner_block(block, branch.plan.shared, self._node)

    def _result(self, name: str, branch: _Branch) -> Node:
        return unbound(name, self._context) if name in branch.plan.lacks else load(name)

    def _call(self, arguments: list[Node]) -> list[Node]:
        return [take(self._results, 'cond', arguments, {}, self._context, self._node)]


class _Returning(_Lowering):
    """One `if` whose branches end the function.

    What the function changes for others, such as `self.x`, is given back beside its result.
    """

    def _body(self, branch: _Branch) -> list[Node]:
        for statement in returns_of(branch.block):
            values = [statement.value or constant(None)]
            values += [self._result(name, branch) for name in self._results]
            statement.value = located(together(values, gast.Load()), statement)
        return inner_block(branch.block, branch.plan.shared, self._node)

    def _call(self, arguments: list[Node]) -> list[Node]:
        result = self._context.helper('result')
        call = take((result, *self._results), 'cond', arguments, {}, self._context, self._node)
        if not self._results:
            return [located(gast.Return(call.value), self._node)]
        return [call, located(gast.Return(load(result)), self._node)]


def _is_there(value: Node, variables: set[str]) -> bool:
    """Whether a value is a literal or that of one of some variables."""
    return isinstance(value, gast.Constant) or (
        isinstance(value, gast.Name) and value.id in variables)


@dataclass(frozen=True, eq=False)
class _Branch:
    name: str
    block: list[Node]
    plan: BlockPlan
