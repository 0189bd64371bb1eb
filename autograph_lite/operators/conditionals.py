"""`cond`: one of two ways, chosen by a Python value now or by a tensor when the graph runs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def unchanged(*operands: Any) -> Any:
    """The branch that does nothing: one operand itself, several as a tuple, None for none."""
    if len(operands) == 1:
        return operands[0]
    return operands or None


def cond(
    pred: Any, if_true: Callable[..., Any], if_false: Callable[..., Any], *operands: Any
) -> Any:
    """`if_true(*operands)` if `pred` is true, else `if_false(*operands)`."""
    return if_true(*operands) if pred else if_false(*operands)
