"""Operands that a staged block gives another form: with which operands it can be traced again.

A list that the block appends to, pops from or indexes becomes a staged list; a name without a
value that gets a tuple becomes a tuple of parts without a value; a tuple that becomes None on one
way may be None.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph import nest
from ..graph.tensor import Tensor
from .lists import StagedList, new_list
from .nest_lists import NestList, new_nest_list
from .optional_nests import Perhaps, can_be_none, perhaps
from .unbound import Unbound, bound


class Restage(Exception):
    """A staged block can be traced with operands of another form."""

    def __init__(self, operands: Callable[[Any], Any]) -> None:
        super().__init__()
        self.operands = operands


def changed(after: Any) -> Restage:
    """What to raise for operands that a block gives another form, that of `after`."""
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
    """Whether `change` gives the first of two nests a form nearer to the second's."""
    return not _same_form(before, after) and (
        isinstance(before, Unbound)
        or _is_optional(before, after)
        or _is_list_to_stage(before, after)
        or (
            type(before) is type(after)
            and any(map(can_change, nest.children(before), nest.children(after)))
        )
    )


def change(before: Any, after: Any) -> Any:
    """The first of two nests in the form of the second."""
    if _same_form(before, after):
        return before
    if isinstance(before, Unbound):
        return spread(before, after)
    if _is_optional(before, after):
        like = after if before is None else before
        return perhaps(before, like.nest if isinstance(like, Perhaps) else like)
    if _is_list_to_stage(before, after):
        if before and all(map(_is_nothing, before)):
            return spread(before[0], after)
        form = _form_of_elements(before, after)
        elements = [bound(element) for element in before]
        return new_list(elements) if form is None else new_nest_list(elements, form)
    return nest.map_children(change, before, after)


def _same_form(a: Any, b: Any) -> bool:
    return nest.flatten(a)[1] == nest.flatten(b)[1]


def _is_optional(before: Any, after: Any) -> bool:
    """Whether one of them is None and the other a nest that may then be None."""
    if before is None:
        return can_be_none(after)
    is_nest = not isinstance(before, Perhaps) and can_be_none(before)
    return is_nest and (after is None or isinstance(after, Perhaps))


def _is_list_to_stage(before: Any, after: Any) -> bool:
    if isinstance(after, Unbound):
        after = after.tensor
    if type(before) is not list or not isinstance(after, (list, StagedList, NestList)):
        return False
    form = _form_of_elements(before, after)
    if form is None:
        return _stageable(before)
    return all(nest.flatten(element)[1] == form for element in before)


def _form_of_elements(before: list[Any], after: Any) -> nest.Structure | None:
    """The form of the elements of a list that is to be staged; None for numbers and arrays."""
    if isinstance(after, NestList):
        return after.element
    elements = [*before, *(after if type(after) is list else ())]
    form = nest.flatten(elements[0])[1] if elements else nest.LEAF
    return None if form == nest.LEAF else form


def _stage_lists(operands: Any) -> Any:
    if type(operands) is list and _stageable(operands):
        return new_list([bound(element) for element in operands])
    return nest.map_children(_stage_lists, operands)


def _has_lists(operands: Any) -> bool:
    if type(operands) is list and _stageable(operands):
        return True
    return any(_has_lists(child) for child in nest.children(operands))


def _stageable(x: Any) -> bool:
    return all(isinstance(element, _NUMBERS) or _is_result(element) for element in x)


_NUMBERS = (Tensor, np.ndarray, np.generic, int, float, complex)


def _is_result(x: Any) -> bool:
    """Whether it is there whenever it is read, as a flag of the generated code tells."""
    return isinstance(x, Unbound) and not x.name


def _is_nothing(x: Any) -> bool:
    return _is_result(x) and x.tensor is None
