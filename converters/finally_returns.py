"""`return` in a `try` whose `finally` changes things."""
from __future__ import annotations

import copy

import gast

from autograph_lite.analysis.accesses import MUTATING_METHODS, last_name
from autograph_lite.converters.acting import ASSIGN
from autograph_lite.converters.build import (
    assign,
    branch,
    constant,
    load,
    negated,
    operator,
    returns_of,
)
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.finally_clauses import clause_of
from autograph_lite.converters.jumps import jumps_out_of
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def finally_returns(tree: Node, context: Context) -> Node:
    """Let what a `finally` changes be changed on the way that returns.

    What is returned may be what the `finally` changes; after the ways have met, the graph would not
    know. A `try` around all that has to know of the change, which the graph does not make where it
    raises. Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(finally_returns, after='try_clauses', text='''
    ... def gather(x, out):
    ...     try:
    ...         if x > 0:
    ...             return out
    ...         out.append(0)
    ...     finally:
    ...         out.append(x)
    ...     return x
    ... ''')
    def gather(x, out):
        is_done = False
        ending = ag.returning()
        try:
            if x > 0:
                result = out
                is_done = True
                ending.begin()
                out.append(x)
                ending.over()
                return result
            out.append(0)
        finally:
            if not is_done:
                out.append(x)
        return x
    """
    _Tries(context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._around = 0  # how many `finally` clauses around change things, which come later

    def visit_Try(self, node: Node) -> Node | list[Node]:
        if next(returns_of(node.body), None) is None:
            self._context.returned_first.add(node)
        is_changing = not node.handlers and self._changes(node.finalbody)
        self._around += is_changing
        self.generic_visit(node)
        self._around -= is_changing
        comes_first = self._around and node.finalbody and not node.handlers
        if not (is_changing or comes_first) or jumps_out_of(node.finalbody):
            return node
        names = [
            self._context.helper(name, clause_of(node))
            for name in ('result', 'is_done', 'ending')]
        returns = _Returns(names, node.finalbody, self._context)
        node.body = returns.block(node.body)
        if not returns.are_some:
            return node
        self._context.finishing.add(returns.done)
        if not returns.are_kept:
            self._context.returned_first.add(node)
        start = located(returns.start(), node)
        node.finalbody = [located(branch(negated(load(returns.done)), node.finalbody, []), node)]
        return [*start, node]

    def _changes(self, block: list[Node]) -> bool:
        return any(_changes(statement, self._context) for statement in block)


class _Returns(StatementRewriter):
    """Does what a `finally` does before each `return` of something that it may change.

    Attributes:
      done: the name of the variable that tells whether it has done so.
      are_some: whether there is such a `return`.
      are_kept: whether there may be others, before which it does nothing.
    """

    def __init__(self, names: list[str], final: list[Node], context: Context) -> None:
        super().__init__(context)
        self._result, self.done, self._ending = names
        self._final = final
        self._raises = any(
            isinstance(node, gast.Raise | gast.Assert) or _is_users(node, context)
            for statement in final for node in walk(statement))
        self.are_some = self.are_kept = False

    def visit_With(self, node: Node) -> Node:
        """What is left before the `finally` runs keeps its `return`."""
        self.are_kept = True
        return node

    def visit_Try(self, node: Node) -> Node:
        """Python itself asks whether to return where a `finally` may end that.

        Handlers have nothing to do with what a `finally` around them raises.
        """
        is_kept = jumps_out_of(node.finalbody) or (node.handlers and self._raises)
        self.are_kept |= bool(is_kept)
        return node if is_kept else self.generic_visit(node)

    visit_TryStar = visit_Try

    def visit_Return(self, node: Node) -> Node | list[Node]:
        if isinstance(node.value, gast.Constant | None):
            return node
        self.are_some = True
        before = [
            assign(self._result, node.value),
            assign(self.done, constant(True)),
            self._told('begin'),
        ]
        node.value = located(load(self._result), node)
        final = [*copy.deepcopy(self._final), located(self._told('over'), node)]
        return [*located(before, node), *final, node]

    def start(self) -> list[Node]:
        """What stands before the `try`."""
        ending = operator(self._context, 'returning')
        return [assign(self.done, constant(False)), assign(self._ending, ending)]

    def _told(self, method: str) -> Node:
        function = gast.Attribute(load(self._ending), method, gast.Load())
        return gast.Expr(gast.Call(function, [], []))

    def visit_FunctionDef(self, node: Node) -> Node:
        """A nested function returns for itself."""
        return node


def _changes(statement: Node, context: Context) -> bool:
    """Whether a statement may change in place what a variable stands for."""
    match statement:
        case gast.AugAssign():
            return True
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name))) if name in ASSIGN:
            return False
        case gast.Expr(value=gast.Call(func=function) as call):
            return _is_users(call, context) or last_name(function) in MUTATING_METHODS
    return any(
        isinstance(node, gast.Attribute | gast.Subscript) and not isinstance(node.ctx, gast.Load)
        for node in walk(statement)
    ) or any(_changes(inner, context) for block in blocks(statement) for inner in block)


def _is_users(node: Node, context: Context) -> bool:
    """Whether it calls a function of the user's, of which nobody knows what it does."""
    return isinstance(node, gast.Call) and callee(node.func, context)[0] in (
        Callee.LOCAL, Callee.USER)
