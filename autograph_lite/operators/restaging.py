"""Values that a staged block gives another form, and the form with which it can be traced.

A list that the block appends to, pops from or indexes becomes a staged list; a name without a
value that gets a tuple becomes a tuple of parts without a value; a tuple that becomes None on one
way may be None.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor
from .lists import Appended, StagedList, new_list
from .nest_lists import NestList, new_nest_list
from .optional_nests import Perhaps, can_be_none, perhaps
from .outside import appended_to, is_outside
from .state import Change
from .unbound import Unbound, bound


class Restage(Exception):
    """A staged block can be traced once more, after something was done around it.

    Attributes:
      prepare: does it, in the graph around the block.
    """

    def __init__(self, prepare: Callable[[], None]) -> None:
        super().__init__()
        self.prepare = prepare


# Lists that become staged where they are: every name for one sees the staged list.


class Forward(State, nest.Successor):
    """The only element of a Python list that has become a staged list, which it knows."""

    __slots__ = ('successor',)

    def __init__(self, successor: Any) -> None:
        self.successor = successor

    @property
    def value(self) -> Any:
        """The staged list."""
        return self.successor

    def __repr__(self) -> str:
        return repr(self.successor)


def stage_list(items: list[Any], like: Any = None) -> Any:
    """Lets a Python list be a staged list from here on.

    Args:
      items: the list.
      like: what it will hold, which tells the form of its elements if it is empty.

    Raises:
      OwnershipError: its elements have no common form.
    """
    if is_outside(items):
        staged = _appended(items, like)
    elif like is None:
        staged = new_list([bound(element) for element in items])
    else:
        staged = change(items, like)
    items[:] = [Forward(staged)]
    return staged


def _appended(items: list[Any], like: Any) -> Any:
    """What is appended to a list outside, as a staged list."""
    so_far = appended_to(items)
    if so_far is None or (like is not None and nest.parts(like) and (
            _form_of_elements(so_far, like[len(items) - len(so_far) :]) is not None)):
        raise OwnershipError(
            describe(
                'A staged block changes the length of a list outside other than by appending '
                'arrays or numbers.',
                user_location(),
                'Append to it, or make a new list of the function and set that.',
            )
        )
    staged = new_list([bound(element) for element in so_far])
    return Appended(staged.held, staged.memory)


def is_stageable(x: Any) -> bool:
    """Whether it is a Python list of arrays and numbers that is none of the caller's."""
    return (
        type(x) is list and bool(x) and not isinstance(x[0], Forward)
        and all(map(_stageable, x)) and not is_outside(x)
    )


def stage_lists(changes: Sequence[Change]) -> None:
    """Lets lists be staged that a block changes."""
    for each in changes:
        items = each.place.owner
        after = nest.actual(each.after)
        if not _is_list_to_stage(items, after):
            raise _unlike_elements(each.place.name)
        stage_list(items, after)


def _unlike_elements(name: str) -> OwnershipError:
    return OwnershipError(
        describe(
            f'A staged block changes the length of {name}, whose elements have no common form.',
            user_location(),
            'Let it hold arrays or numbers, or tuples of one form; make a list for each kind.',
        )
    )


# Forms.


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
    elements = [*before, *(after if type(after) is list else ())]
    if form is None:
        return all(map(_stageable, elements))
    return all(nest.flatten(element)[1] == form for element in elements)


def _form_of_elements(before: list[Any], after: Any) -> nest.Structure | None:
    """The form of the elements of a list that is to be staged; None for numbers and arrays."""
    if isinstance(after, NestList):
        return after.element
    elements = [*before, *(after if type(after) is list else ())]
    form = nest.flatten(elements[0])[1] if elements else nest.LEAF
    return None if form == nest.LEAF else form


def _stageable(element: Any) -> bool:
    return isinstance(element, _NUMBERS) or _is_result(element)


_NUMBERS = (Tensor, np.ndarray, np.generic, int, float, complex, str)


def _is_result(x: Any) -> bool:
    """Whether it is there whenever it is read, as a flag of the generated code tells."""
    return isinstance(x, Unbound) and not x.name


def _is_nothing(x: Any) -> bool:
    return _is_result(x) and x.tensor is None
