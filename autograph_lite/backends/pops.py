"""`x = items.pop(i)` for `x = items[i]` and `items.pop(i)`."""
from __future__ import annotations

import ast
from collections.abc import Sequence


def joined_pop(block: Sequence[ast.stmt]) -> ast.stmt | None:
    """One statement for the last two of a block; None where they are something else."""
    match block[-2:]:
        case [
            ast.Assign([ast.Name(target)], ast.Subscript(ast.Name(items), index)) as got,
            ast.Expr(ast.Call(ast.Attribute(ast.Name(popped), 'pop')) as pop),
        ] if items == popped != target and ast.unparse(index) == _index_of(pop):
            return ast.Assign(got.targets, pop)
    return None


def _index_of(pop: ast.Call) -> str:
    """What a call of `pop` is given as the index."""
    return ast.unparse(pop.args[0]) if pop.args else '-1'
