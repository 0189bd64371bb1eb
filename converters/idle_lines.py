"""Jumps, `pass` and `case _`, whose lines are run though nothing is left to do there."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located, standing_at
from autograph_lite.pyct.tree import Node


def idle_lines(tree: Node, context: Context) -> Node:
    """Leave something on the lines of jumps, `pass` and `case _`, while tracing.

    Nothing is left of such a statement itself, but breakpoints and coverage are about its line.
    Nobody needs to see this, so `to_code` leaves it out.

    >>> show(idle_lines, '''
    ... def total(xs):
    ...     s = 0
    ...     for x in xs:
    ...         if x < 0:
    ...             continue
    ...         if x > 9:
    ...             pass
    ...         else:
    ...             s += x
    ...     return s
    ... ''')
    def total(xs):
        s = 0
        for x in xs:
            if x < 0:
                ...
                continue
            if x > 9:
                ...
            else:
                s += x
        return s
    """
    _Lines(context).rewrite(tree)
    return tree


class _Lines(StatementRewriter):
    def visit_Continue(self, node: Node) -> list[Node]:
        return [_nothing(node), node]

    def visit_While(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        match node:
            case gast.While(
                test=gast.Constant(value=True),
                body=[gast.If(body=[gast.Break() as jump]), *_],
            ):
                return [node, _nothing(jump)]  # which becomes its test
        return [node, *map(_nothing, _last_jumps(node.body))]

    def visit_For(self, node: Node) -> list[Node]:
        self.generic_visit(node)
        return [node, *map(_nothing, _last_jumps(node.body))]

    def visit_If(self, node: Node) -> Node:
        self.generic_visit(node)
        for block in (node.body, node.orelse):
            block[:] = [
                _nothing(each) if isinstance(each, gast.Pass) else each for each in block]
        first = node.orelse[0] if node.orelse else None
        head = first and self._context.source.head_of(first)
        if first is not None and head is not None and head.keyword == 'case':
            is_tested = isinstance(first, gast.If) and first.lineno == head.start
            if head.start > node.lineno and not is_tested:
                node.orelse.insert(0, _nothing(standing_at(head.start, 0)))
        return node


def _last_jumps(block: list[Node]) -> Iterator[Node]:
    """Each `break` with which a turn of a loop may end, and whose test becomes a flag."""
    match block:
        case [*_, gast.If(body=[gast.Break() as jump], orelse=rest)]:
            yield jump
            yield from _last_jumps(rest)
        case [*_, gast.If(body=body, orelse=rest)]:
            yield from _last_jumps(body)
            yield from _last_jumps(rest)


def _nothing(like: Node) -> Node:
    return located(gast.Expr(gast.Constant(..., None)), like)
