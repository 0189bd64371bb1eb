"""`finally` that ends what was raised by a jump."""
from __future__ import annotations

import copy

import gast

from autograph_lite.converters.build import assign, constant, load
from autograph_lite.converters.context import Context
from autograph_lite.converters.finally_clauses import clause_of
from autograph_lite.converters.jumps import LOOPS, falls, jumps_out_of
from autograph_lite.converters.return_statements import Returns
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_JUMPS = gast.Return, gast.Break, gast.Continue


def swallowing_finals(tree: Node, context: Context) -> Node:
    """Let a jump out of a `finally` end also what the running graph raises.

    Handlers are what a graph takes over. Nobody needs to see this, so `to_code` shows the tree
    without it.

    >>> show(swallowing_finals, '''
    ... def root(x):
    ...     try:
    ...         y = invert(x)
    ...     finally:
    ...         return x
    ... ''')
    def root(x):
        try:
            y = invert(x)
        except:
            pass
        return x

    Jumps out of the block come after the `finally`, unless that ends them, too.

    >>> show(swallowing_finals, '''
    ... def first(xs, limit):
    ...     for x in xs:
    ...         try:
    ...             if x > limit:
    ...                 return invert(x)
    ...             limit = log(limit)
    ...         finally:
    ...             if x == 0:
    ...                 continue
    ... ''')
    def first(xs, limit):
        for x in xs:
            did_return = False
            try:
                if x > limit:
                    result = invert(x)
                    did_return = True
                else:
                    limit = log(limit)
            except:
                if x == 0:
                    continue
                raise
            if x == 0:
                continue
            if did_return:
                return result
    """
    _Tries(tree, context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._function = tree

    def visit_FunctionDef(self, node: Node) -> Node:
        outer, self._function = self._function, node
        super().visit_FunctionDef(node)
        self._function = outer
        return node

    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        final = node.finalbody
        if not jumps_out_of(final):
            return node
        block = node.body
        if node.handlers:
            block = [type(node)(node.body, node.handlers, node.orelse, [])]
        left = _Left(node, self._function, self._context)
        block = left.lowered(left.told(located(block, node)))
        handler = located(gast.ExceptHandler(None, None, _handling(final)), node)
        ended = located(gast.Try(block, [handler], [], []), node)
        self._context.finals[ended] = 'jumps'
        return [*left.begun(node), ended, *final, *left.jumps]

    visit_TryStar = visit_Try


class _Left(Returns):
    """The block of a `try` without jumps out of it: these are taken after the `finally`.

    Attributes:
      jumps: what stands after the `finally`.
    """

    def __init__(self, node: Node, function: Node, context: Context) -> None:
        self._place = clause_of(node)
        super().__init__(function, context, context.flag('did_leave', self._place))
        self._node = node
        self._falls = falls(node.finalbody)
        self.jumps: list[Node] = []

    def _is_guard(self, statement: Node) -> bool:
        return False

    def begun(self, like: Node) -> list[Node]:
        """What stands where no jump was made."""
        return [located(assign(each.test.id, constant(False)), like) for each in self.jumps]

    def undone(self, statements: list[Node], like: Node) -> list[Node]:
        return super().undone(statements, like) + self.begun(like)

    def told(self, block: list[Node], kinds: tuple[type[Node], ...] = _JUMPS) -> list[Node]:
        """A block that keeps what it returns, and leaves each jump at a `return`."""
        result: list[Node] = []
        for statement in block:
            if isinstance(statement, kinds):
                told = [*self._told(statement), gast.Return(None)]
                result += located(told, statement)
                continue
            for i, inner in enumerate(blocks(statement)):
                is_turn = isinstance(statement, LOOPS) and i == 0
                inner[:] = self.told(inner, (gast.Return,) if is_turn else kinds)
            result.append(statement)
        return result

    def _told(self, jump: Node) -> list[Node]:
        """What is done where a jump was, of which the `finally` may make another one."""
        value = jump.value if isinstance(jump, gast.Return) else None
        if not self._falls:
            return [gast.Expr(value)] if value is not None else []
        kind = type(jump).__name__.lower()
        flag = self._context.flag(f'did_{kind}', self._place)
        kept = []
        if isinstance(jump, gast.Return):
            result = self._context.result(self._place)
            kept = [assign(result, value or constant(None))]
            jump = gast.Return(load(result))
        if all(known.test.id != flag for known in self.jumps):
            self.jumps.append(located(gast.If(load(flag), [jump], []), self._node))
        return [*kept, assign(flag, constant(True))]


def _handling(final: list[Node]) -> list[Node]:
    """What is done where something was raised, before what is done in any case."""
    if falls(final):
        return [*copy.deepcopy(final), gast.Raise(None, None)]
    if any(isinstance(part, gast.Raise) for statement in final for part in walk(statement)):
        return copy.deepcopy(final)
    return [gast.Pass()]
