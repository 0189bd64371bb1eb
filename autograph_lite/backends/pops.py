"""`x = items.pop(i)` for `x = popped(items, i)` and `items.pop(i)`."""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ..ops.lists import popped


def joined_pop(block: Sequence[ast.stmt], constants: Mapping[str, Any]) -> ast.stmt | None:
    """One statement for the last two of a block; None where they are something else.

    Args:
      block: the statements.
      constants: the objects that they name.
    """
    match block[-2:]:
        case [
            ast.Assign(
                [ast.Name(target)], ast.Call(ast.Name(function), [ast.Name(items), index])
            ) as got,
            ast.Expr(ast.Call(ast.Attribute(ast.Name(changed), 'pop')) as pop),
        ] if (
            constants.get(function) is popped
            and items == changed != target and ast.unparse(index) == _index_of(pop)
        ):
            return ast.Assign(got.targets, pop)
    return None


def _index_of(pop: ast.Call) -> str:
    """What a call of `pop` is given as the index."""
    return ast.unparse(pop.args[0]) if pop.args else '-1'
