"""What follows a statement that may return, where that is one `return`: how simple it is."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph_lite.pyct.tree import Node, walk

BRIEF = 8  # parts of an expression: as many as `x / n + 1` and `low, high` have
_PARTS = (
    gast.Name, gast.Constant, gast.Tuple, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop,
    gast.expr_context)


def is_brief(value: Node) -> bool:
    """Whether a value calls nothing and is so short that two branches may have it."""
    parts = list(walk(value))
    return len(parts) <= BRIEF and all(isinstance(part, _PARTS) for part in parts)


def is_literal(rest: list[Node]) -> bool:
    """Whether what follows gives a literal, which the result can be from the start."""
    match rest:
        case [] | [gast.Return(value=None)]:
            return True
        case [gast.Return(value=gast.Tuple(elts=values))]:
            return all(map(_is_number, values))
        case [gast.Return(value=value)]:
            return _is_number(value)
    return False


def _is_number(value: Node) -> bool:
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        value = value.operand
    return isinstance(value, gast.Constant)


def opposite_of_all(returns: Iterable[Node], rest: list[Node]) -> bool | None:
    """The bool that what follows gives, if each of the `return`s before it gives the other."""
    match rest:
        case [gast.Return(value=gast.Constant(value=bool(answer)))]:
            is_other = all(_is_bool(each.value, not answer) for each in returns)
            return answer if is_other else None
    return None


def _is_bool(value: Node, expected: bool) -> bool:
    return isinstance(value, gast.Constant) and value.value is expected
