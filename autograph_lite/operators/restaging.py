"""Operands that a staged block gives another form: with which operands it can be traced again.

A list that the block appends to, pops from or indexes becomes a staged list; a name without a
value that gets a tuple becomes a tuple of parts without a value.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph import nest
from ..graph.tensor import Tensor
from .lists import StagedList, new_list
from .unbound import Unbound


class Restage(Exception):
    """A staged block can be traced with operands of another form."""

    def __init__(self, operands: Callable[[Any], Any]) -> None:
        super().__init__()
        self.operands = operands


def changed(error: StagingError, before: Any, after: Any) -> Exception:
    """What to raise for operands that a block gives another form: the error, if nothing helps."""
    if not can_change(before, after):
        return error
    return Restage(lambda operands: change(operands, after))


def indexed(error: StagingError, operands: Any) -> Exception:
    """What to raise for a Python list that is indexed by a tensor."""
    return Restage(_stage_lists) if _has_lists(operands) else error


def spread(unbound: Any, like: Any) -> Any:
    """The nest with a name that has no value in as many parts as the other nest has there."""
    if isinstance(unbound, Unbound) and unbound.tensor is None and not nest.is_leaf(like):
        return nest.map_leaves(lambda _: unbound, like)
    return nest.map_children(spread, unbound, like)


def can_change(before: Any, after: Any) -> bool:
    if _same_form(before, after):
        return False
    if isinstance(before, Unbound) or (_is_list(before) and _is_list(after) and _stageable(before)):
        return True
    pairs = zip(nest.children(before), nest.children(after), strict=False)
    return any(can_change(a, b) for a, b in pairs)


def change(before: Any, after: Any) -> Any:
    """The first of two nests in the form of the second."""
    if _same_form(before, after):
        return before
    if isinstance(before, Unbound):
        return spread(before, after)
    if _is_list(before) and _is_list(after) and _stageable(before):
        return new_list(before)
    return nest.map_children(change, before, after)


def _same_form(a: Any, b: Any) -> bool:
    return nest.flatten(a)[1] == nest.flatten(b)[1]


def _is_list(x: Any) -> bool:
    return type(x) is list or isinstance(x, StagedList)


def _stage_lists(operands: Any) -> Any:
    if type(operands) is list and _stageable(operands):
        return new_list(operands)
    return nest.map_children(_stage_lists, operands)


def _has_lists(operands: Any) -> bool:
    if type(operands) is list and _stageable(operands):
        return True
    return any(_has_lists(child) for child in nest.children(operands))


def _stageable(x: Any) -> bool:
    numbers = (Tensor, np.ndarray, np.generic, int, float, complex)
    return not isinstance(x, StagedList) and all(isinstance(element, numbers) for element in x)
