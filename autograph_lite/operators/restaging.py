"""Operands that a staged block gives another form: with which operands it can be traced again.

A list that the block appends to, pops from or indexes becomes a staged list; a name without a
value that gets a tuple becomes a tuple of parts without a value; a tuple that becomes None on one
way may be None.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph import nest
from ..graph.graph import Graph
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit_one
from ..graph.types import ListType
from ..ops.control_flow import MISSING
from .chosen_functions import chosen_beside, is_to_choose
from .guarded import bound
from .handles import handle
from .lists import StagedList, new_list
from .live import Live
from .live_kinds import become_live, can_be_put, can_become_live, form_put, growing
from .live_types import are_lists_live, with_part_of_place
from .members import Member, is_member, kind_of, member
from .nest_lists import NestList, new_nest_list
from .optional_nests import Perhaps, can_be_none, is_never, perhaps
from .perhaps_bound import PerhapsBound, perhaps_bound
from .tuples import StagedTuple
from .unbound import NOTHING, Unbound


class Restage(Exception):
    """A staged block can be traced with operands of another form.

    Attributes:
      operands: gives them that form.
      outer: the graph that the block stands in; None for the innermost of all staged blocks.
    """

    def __init__(self, operands: Callable[[Any], Any], outer: Graph | None = None) -> None:
        super().__init__()
        self.operands = operands
        self.outer = outer

    def applied(self, operands: Any) -> Any:
        """The operands of the block that is staged here in that form.

        Raises:
          Restage: it is for a block around that one.
          BaseException: what it came of, where they have that form already.
        """
        if self.outer is not None and self.outer is not current_graph():
            raise self
        restaged = self.operands(operands)
        if self.__cause__ and nest.flatten(restaged)[1] == nest.flatten(operands)[1]:
            raise self.__cause__ from None
        return restaged

    def again(self, operands: Any) -> Restage:
        """The same, for a block that is traced again and given operands of the same form."""
        return Restage(self.operands)


def changed(after: Any, outer: Graph | None = None) -> Restage:
    """What to raise for operands that a block gives another form, that of `after`.

    Args:
      after: operands of that form, but for places that the block is given after them.
      outer: the graph that the block stands in, where it is not the innermost.
    """
    size = len(after)
    return Restage(lambda given: (*change(given[:size], after), *given[size:]), outer)


def indexed(error: StagingError, operands: Any) -> Exception:
    """What to raise for a Python list that is indexed by a tensor."""
    return Restage(_stage_lists) if _has_lists(operands) else error


def spread(unbound: Any, like: Any) -> Any:
    """The nest with a name that has no value in as many parts as the other nest has there."""
    if not _is_unbound(unbound):
        return nest.map_children(spread, unbound, like)
    like = nest.actual(like)
    if nest.is_leaf(like) or _is_empty_list(like) or (unbound.name and _is_empty(like)):
        return unbound
    if isinstance(like, PerhapsBound):
        told = perhaps_bound(unbound, like.name)
        return PerhapsBound(told.name, told.is_bound, spread(told.held, like.held))
    return nest.map_children(lambda part: spread(unbound, part), like)


def can_change(before: Any, after: Any) -> bool:
    """Whether `change` gives the first of two nests a form nearer to the second's."""
    before, after = nest.actual(before), nest.actual(after)
    return not _same_form(before, after) and (
        (_is_unbound(before) and not _same_form(spread(before, after), before))
        or _is_optional(before, after)
        or _is_never_there(before, after)
        or _is_optional_list(before, after)
        or _is_list_to_stage(before, after)
        or _is_tuple_to_stage(before, after)
        or _is_dict_to_stage(before, after)
        or _is_perhaps_bound(before, after)
        or _is_member_to_stage(before, after)
        or is_to_choose(before, after)
        or _is_empty_beside_nothing(before, after)
        or _is_staged_empty(before, after)
        or can_become_live(before, after)
        or (
            nest.have_same_parts(before, after)
            and any(map(can_change, nest.children(before), nest.children(after)))
        )
    )


def change(before: Any, after: Any) -> Any:
    """The first of two nests in the form of the second: what stands in two places of it still does.
    """
    known: dict[Any, Any] = {}
    if not (type(before) is tuple and nest.have_same_parts(before, after)):
        return _change(known, before, after)
    return tuple(
        with_part_of_place(i, functools.partial(_change, known, one, other))
        for i, (one, other) in enumerate(zip(before, after, strict=True)))


def _change(known: dict[Any, Any], before: Any, after: Any) -> Any:
    """What was before in the form of what was after; what is at two places changes once."""
    before, after = nest.actual(before), nest.actual(after)
    structure = nest.flatten(after)[1]
    if nest.flatten(before)[1] == structure:
        return before
    if nest.is_leaf(before):
        return _changed(known, before, after)
    _, found = known.get((id(before), structure), (None, None))
    if found is None:
        found = _changed(known, before, after)
        known[id(before), structure] = before, found
    return found


def _changed(known: dict[Any, Any], before: Any, after: Any) -> Any:
    """The same of two that differ here: by the first rule that applies, else part by part."""
    if can_become_live(before, after):
        return become_live(before, after)
    if _is_member_to_stage(before, after):
        return _perhaps_as(after, member(before))
    if is_to_choose(before, after):
        return _perhaps_as(after, chosen_beside(before, after))
    if _is_perhaps_bound(before, after):
        return change(perhaps_bound(before, after.name), after)
    if _is_unbound(before):
        return spread(before, after)
    if _is_optional(before, after):
        like = after if before is None else before
        return perhaps(before, like)
    if _is_never_there(before, after):
        return perhaps(None, after)
    if _is_optional_list(before, after):
        return before.as_list()
    if _is_dict_to_stage(before, after):
        from .dict_forms import staged_dict

        return change(staged_dict(before, after), after)
    if _is_empty_beside_nothing(before, after):
        return Unbound(after.name, 'it has no value on one of the ways that lead here', before)
    if _is_staged_empty(before, after):
        empty = new_nest_list([], after.element)
        is_unsure = isinstance(before, Unbound)
        return nest.map_leaves(before.holding, empty) if is_unsure else empty
    if _is_tuple_to_stage(before, after):
        return StagedTuple(change(list(before), after.items))
    if _is_list_to_stage(before, after):
        form = _form_of_elements(before, after)
        leaves, _ = nest.flatten(before)
        if leaves and all(map(_is_unbound, leaves)):
            return _staged_nothing(leaves[0], form)
        elements = [bound(element) for element in before]
        if form is None and are_lists_live():
            return growing(before)
        return new_list(elements) if form is None else new_nest_list(elements, form)
    return nest.map_children(functools.partial(_change, known), before, after)


def _perhaps_as(after: Any, x: Any) -> Any:
    """A member or a function as one that may be None, where the other may."""
    is_sure = isinstance(after, Perhaps) and not isinstance(x, Perhaps)
    return perhaps(x, x) if is_sure else x


def _same_form(a: Any, b: Any) -> bool:
    return nest.flatten(a)[1] == nest.flatten(b)[1]


def _is_optional(before: Any, after: Any) -> bool:
    """Whether one of them is None and the other a nest that may then be None."""
    if any(isinstance(x, PerhapsBound | Live) for x in (before, after)):
        return False
    if before is None:
        return can_be_none(after)
    is_nest = not isinstance(before, Perhaps) and can_be_none(before)
    return is_nest and (after is None or isinstance(after, Perhaps))


def _is_never_there(before: Any, after: Any) -> bool:
    """Whether it is None, in a form that the other does not have where it is there."""
    if not (isinstance(before, Perhaps) and isinstance(after, Perhaps)):
        return False
    return is_never(before.present) and not nest.is_leaf(after.nest)


def _is_optional_list(before: Any, after: Any) -> bool:
    """Whether it is a list, or None, beside such a list of the graph or one of another length."""
    if not isinstance(before, Perhaps):
        return False
    held, other = (nest.actual(x.nest if isinstance(x, Perhaps) else x) for x in (before, after))
    if isinstance(held, StagedList) or isinstance(other, StagedList):
        return isinstance(held, (list, StagedList)) and isinstance(other, (list, StagedList))
    is_longer = type(held) is type(other) is list and len(held) != len(other)
    return is_longer and _form_of_elements(held, other) is None


def _is_list_to_stage(before: Any, after: Any) -> bool:
    if isinstance(after, Unbound):
        if after.there is NOTHING:
            return _is_empty_list(before)
        after = after.there
    if type(before) is not list or not isinstance(after, (list, StagedList, NestList)):
        return False
    if type(after) is list and len(after) == len(before):
        return False  # what differs is in its elements
    form = _form_of_elements(before, after)
    if form is None:
        return _stageable(before)
    has_parts = bool(nest.paths(form, ''))
    return has_parts and all(form_put(element) == form for element in before)


def _is_tuple_to_stage(before: Any, after: Any) -> bool:
    """Whether it is a tuple beside one of as many items as only the running graph knows."""
    return type(before) is tuple and isinstance(after, StagedTuple) and (
        _is_list_to_stage(list(before), after.items))


def _is_member_to_stage(before: Any, after: Any) -> bool:
    held = after.nest if isinstance(after, Perhaps) else after
    return (
        isinstance(held, Member) and not isinstance(before, Member) and is_member(before)
        and kind_of(before) is kind_of(held))


def check_staged_within(before: Any, after: Any) -> None:
    """No list that a block is given, nor one in that, has become one of the graph in it.

    Raises:
      Restage: one has.
    """
    if _holds_successors(after) and can_change(before, after):
        raise changed(after)


def _holds_successors(x: Any) -> bool:
    return any(
        nest.actual(part) is not part or _holds_successors(part)
        for part in nest.children(x))


def _is_perhaps_bound(before: Any, after: Any) -> bool:
    """Whether one way gives a value to a name, or none, beside which another tells so."""
    if not isinstance(after, PerhapsBound) or isinstance(before, PerhapsBound):
        return False
    return not isinstance(before, Unbound) or before.there is NOTHING


def with_bound(operands: Any, names: Mapping[int, str]) -> Any:
    """The operands with a name beside which another value tells whether it has one.

    Args:
      operands: a nest.
      names: the names, by the numbers of the leaves that have none.
    """
    leaves, structure = nest.flatten(operands)
    told = [
        perhaps_bound(leaf, names[i]) if i in names else leaf for i, leaf in enumerate(leaves)]
    return nest.unflatten(structure, told)


def _is_dict_to_stage(before: Any, after: Any) -> bool:
    from .dict_forms import is_dict_to_stage

    return is_dict_to_stage(before, after)


def _is_staged_empty(before: Any, after: Any) -> bool:
    """Whether it is a list that nothing is ever put into, beside one of nests."""
    before = before.there if isinstance(before, Unbound) else before
    if not isinstance(before, StagedList) or not isinstance(after, NestList):
        return False
    return isinstance(before.type, ListType) and before.type.element is None


def _form_of_elements(before: list[Any], after: Any) -> nest.Structure | None:
    """The form of the elements of a list that is to be staged; None for numbers and arrays."""
    if isinstance(after, NestList):
        return after.element
    elements = [*before, *(after if type(after) is list else ())]
    form = form_put(elements[0]) if elements else nest.LEAF
    return None if form == nest.LEAF else form


def _is_empty_list(x: Any) -> bool:
    """Whether it is a list without parts that could say whether there is a list at all."""
    return type(nest.actual(x)) is list and not nest.children(x)


def _is_empty(x: Any) -> bool:
    """Whether it is a tuple, a dict or an object without parts."""
    return not nest.is_leaf(x) and not nest.flatten(x)[0] and not _is_empty_list(x)


def _is_empty_beside_nothing(before: Any, after: Any) -> bool:
    """Whether it has no parts that could say that a name may have no value on another way."""
    if not _is_empty(before) or not isinstance(after, Unbound) or not after.name:
        return False
    is_same = after.there is before or (isinstance(before, tuple) and after.there == before)
    return after.there is NOTHING or is_same


def _stage_lists(operands: Any) -> Any:
    if type(operands) is list and _stageable(operands):
        return new_list([bound(element) for element in operands])
    if _is_of_alike(operands):
        return new_nest_list(operands, nest.flatten(operands[0])[1])
    return nest.map_children(_stage_lists, operands)


def _has_lists(operands: Any) -> bool:
    if type(operands) is list and (_stageable(operands) or _is_of_alike(operands)):
        return True
    return any(_has_lists(child) for child in nest.children(operands))


def _is_of_alike(x: Any) -> bool:
    """Whether it is a list of tuples of one form, with numbers or arrays in them."""
    if type(x) is not list or not x or not all(type(each) is tuple for each in x):
        return False
    forms = [nest.flatten(each) for each in x]
    return all(
        form == forms[0][1] and leaves and _stageable(leaves) for leaves, form in forms)


def _stageable(x: Any) -> bool:
    is_nothing = bool(x) and all(map(_is_unbound, x))
    return is_nothing or all(
        each is None or isinstance(each, _VALUES) or _is_result(each) or can_be_put(each)
        for each in x)


_VALUES = (Tensor, np.ndarray, np.generic, int, float, complex, str, bytes)


def _is_result(x: Any) -> bool:
    """Whether it is there whenever it is read, as a flag of the generated code tells."""
    return isinstance(x, Unbound) and not x.name


def _is_unbound(x: Any) -> bool:
    return isinstance(x, Unbound) and x.there is NOTHING


def _staged_nothing(unbound: Unbound, form: nest.Structure | None) -> Any:
    """A staged list for a name without a value, of elements of this form."""
    missing = emit_one(MISSING, [], {'type': ListType(maybe=True)})
    there = unbound.holding(handle(missing.held))
    return there if form is None else NestList(form, [there for _ in nest.paths(form, '')])
