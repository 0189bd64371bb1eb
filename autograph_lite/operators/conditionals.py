"""`cond`: one of two ways, chosen by a Python value now or by a tensor when the graph runs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..graph.tensor import Tensor
from ..graph.tracing import emit_one, is_tracing
from ..ops.control_flow import COND, NOT
from .choice_nodes import Choice
from .is_none import is_none
from .narrowing import Touched, narrowly
from .recalled import recall
from .reentry import passed_lists
from .spreading import spread_into
from .staged_choices import stage
from .staging import condition, run_block, truth, unchanged
from .taken_ways import note_taken, note_untaken


def cond(
    pred: Any,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    *operands: Any,
    names: Sequence[str] = (),
    touched: Touched | None = None,
    into: Any = None,
    outer: Sequence[str] = (),
) -> Any:
    """`if_true(*operands)` if `pred` is true, else `if_false(*operands)`.

    A `pred` that is a tensor makes a node of the graph: both branches are traced, and what they
    return must have the same structure and types that join (see `graph.joins`).

    Args:
      pred: a Python value, or a tensor with one element.
      if_true: called with the operands.
      if_false: called with the operands.
      *operands: nests of tensors and Python values.
      names: what the user calls the results, for messages and for the graph.
      touched: by the number of an operand, the steps to the items that alone the branches touch.
      into: what the result becomes an item of; that of an array may be an array or a number.
      outer: those of the names that are variables outside of the function.

    Raises:
      StagingError: `pred` has more than one element, or the branches' results do not join.
    """
    pred = condition(pred)
    if isinstance(pred, Tensor) and pred.type.maybe:
        value = pred
        pred = cond(is_none(value), lambda: False, lambda: emit_one(NOT, [emit_one(NOT, [value])]))
    if not isinstance(pred, Tensor) or not is_tracing():
        chosen, other = (if_true, if_false) if pred else (if_false, if_true)
        note_taken(chosen)
        note_untaken(other)
        return run_block(chosen, operands, names)
    note_taken(if_true)
    note_taken(if_false)
    other = if_false if if_true is unchanged else if_true
    if outer and (lists := passed_lists(operands, names, outer, other)):
        branches = lists.function(if_true), lists.function(if_false)
        return lists.results(lambda: cond(
            pred, *branches, *lists.operands, names=names, touched=touched))
    choice = Choice(
        COND, (truth(pred),), ('true', 'false'), (if_true, if_false), operands, names,
        recalled=recall(other))
    if into is not None:
        return spread_into(into, choice.branches, lambda *ways: stage(
            replace(choice, branches=ways, operands=())))
    if touched is None:
        return stage(choice)
    return narrowly(touched, operands, lambda given, few: stage(
        replace(choice, branches=(few(if_true), few(if_false)), operands=given)))


def switch_case(
    index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, names: Sequence[str] = ()
) -> Any:
    """`branches[index](*operands)`; the last branch for an index out of range.

    Args:
      index: a Python integer or an integer tensor without axes.
      branches: the functions to choose from; at least one.
      *operands: what the chosen one is called with.
      names: what the user calls the results.
    """
    *first, last = branches

    def choose(i: int) -> Any:
        if i == len(first):
            return last(*operands)
        return cond(index == i, lambda: first[i](*operands), lambda: choose(i + 1), names=names)

    return choose(0)
