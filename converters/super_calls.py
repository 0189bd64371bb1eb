"""`super()`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import load
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def super_calls(tree: Node, context: Context) -> Node:
    """Write out what `super()` means where it will not stand in the method itself any more.

    >>> show(super_calls, '''
    ... class Child(Parent):
    ...     def step(self, x):
    ...         return super().step(x) if x > 0 else x
    ... ''')
    def step(self, x):
        return super(__class__, self).step(x) if x > 0 else x
    """
    if context.receiver is not None and 'super' in context.namespace.mentioned:
        _Supers(context, False).rewrite(tree)
    return tree


def without_bare_super(statement: Node, context: Context) -> Node:
    """A statement that moves into a function, with what `super()` means written out."""
    if context.receiver is not None and 'super' in context.namespace.mentioned:
        _Supers(context, True).visit(statement)
    return statement


class _Supers(Rewriter):
    def __init__(self, context: Context, moves: bool) -> None:
        super().__init__(context)
        self._moves = moves  # whether this place will be in a function

    def block(self, statements: list[Node]) -> list[Node]:
        outer = self._moves
        result: list[Node] = []
        for statement in statements:
            result += super().block([statement])
            # What follows a jump in a branch becomes the other branch.
            self._moves |= any(map(_may_jump, blocks(statement)))
        self._moves = outer
        return result

    def visit_Call(self, node: Node) -> Node:
        match node:
            case gast.Call(func=gast.Name(id='super'), args=[], keywords=[]) if self._moves:
                names = '__class__', self._context.receiver or ''
                node.args = [located(load(name), node) for name in names]
                return node
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: Node) -> Node:
        return node  # there it means that function's first argument

    visit_Lambda = visit_FunctionDef

    def visit_If(self, node: Node) -> Node:
        outer, self._moves = self._moves, True
        self.generic_visit(node)
        self._moves = outer
        return node

    visit_While = visit_For = visit_IfExp = visit_BoolOp = visit_Assert = visit_If


def _may_jump(statements: list[Node]) -> bool:
    jumps = gast.Return | gast.Break | gast.Continue
    return any(
        isinstance(statement, jumps) or any(map(_may_jump, blocks(statement)))
        for statement in statements)

