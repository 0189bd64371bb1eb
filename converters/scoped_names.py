"""What means something else in a function: `super()`, `global` and `nonlocal`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import load
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter, StatementRewriter, blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def scoped_names(tree: Node, context: Context) -> Node:
    """Write out what `super()` means where it will not stand in the method itself any more.

    >>> show(scoped_names, '''
    ... class Child(Parent):
    ...     def step(self, x):
    ...         return super().step(x) if x > 0 else x
    ... ''')
    def step(self, x):
        return super(__class__, self).step(x) if x > 0 else x

    `global` and `nonlocal` hold for the whole function wherever they stand; in a branch that
    becomes a function they would hold for the branch. So they move to the start.

    >>> show(scoped_names, '''
    ... def count(x):
    ...     if x > 0:
    ...         global counter
    ...         counter = counter + 1
    ... ''')
    def count(x):
        global counter
        if x > 0:
            counter = counter + 1
    """
    if context.receiver is not None and 'super' in context.namespace.mentioned:
        _Supers(context, False).rewrite(tree)
    for function in functions(tree):
        nested = [
            found for statement in function.body for block in blocks(statement)
            for found in _declarations(block)]
        if nested:
            _Removed(nested, context).rewrite(function)
            start = 1 if gast.get_docstring(function) is not None else 0
            function.body[start:start] = nested
    return tree


def _declarations(statements: list[Node]) -> list[Node]:
    found = [each for each in statements if isinstance(each, gast.Global | gast.Nonlocal)]
    for statement in statements:
        for block in blocks(statement):
            found += _declarations(block)
    return found


class _Removed(StatementRewriter):
    def __init__(self, statements: list[Node], context: Context) -> None:
        super().__init__(context)
        self._statements = set(statements)

    def block(self, statements: list[Node]) -> list[Node]:
        kept = [each for each in statements if each not in self._statements]
        return super().block(kept or [located(gast.Pass(), statements[0])])


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
