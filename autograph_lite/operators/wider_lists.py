"""Lists that a `try` block puts something into: of what its handlers may find in them.

    rows = []
    try:
        rows.append(x)
        check(x)
    except ValueError:
        rows.pop()

A list is the same one in the block and in the handlers. These are traced as if the block had not
been run, so that the list has to be one of all that the block may put into it already before that.
"""
from __future__ import annotations

from typing import Any

from ..graph import nest
from ..graph.graph import Graph
from ..graph.joins import JoinError, join
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..graph.types import ListType, TensorType
from ..ops.lists import WIDEN
from .kept_variables import half_done
from .living_lists import LivingList
from .restaging import Restage

# The types of the lists of the graph in a nest, by the number of the leaf, and its structure.
ListTypes = tuple[nest.Structure, dict[int, ListType]]
NO_LISTS: ListTypes = (nest.LEAF, {})


def types_of_lists(given: tuple[Any, ...]) -> ListTypes:
    """The types that the lists of the graph have in what a block is given."""
    leaves, structure = nest.flatten(given)
    lists = ((i, x) for i, x in enumerate(leaves) if not isinstance(x, LivingList))
    types = ((i, x.type) for i, x in lists if isinstance(x, Tensor))
    return structure, {i: type_ for i, type_ in types if isinstance(type_, ListType)}


def check_lists(before: ListTypes, now: tuple[Any, ...], outer: Graph | None) -> None:
    """The lists that a block was given hold nothing that they could not hold before it.

    Args:
      before: their types then.
      now: what the block was given, as it is by now.
      outer: the graph that the block stands in.

    Raises:
      Restage: they do.
    """
    (structure, types), (form, others) = before, types_of_lists(now)
    if structure != form:
        return
    wider = {i: _wider(type_, others[i]) for i, type_ in types.items() if i in others}
    if any(wider[i] != types[i] for i in wider):
        raise Restage(lambda operands: _widened(operands, structure, wider), outer)


def _wider(before: TensorType, now: TensorType) -> TensorType:
    try:
        return join(before, now)
    except JoinError:  # another list, by the same name
        return before


def _widened(operands: Any, structure: nest.Structure, types: dict[int, TensorType]) -> Any:
    leaves, form = nest.flatten(operands[: len(structure.children)])  # places may come after them
    if form != structure:  # two of its lists are one
        raise half_done()
    for i, type_ in types.items():
        if leaves[i].type != type_:
            emit(WIDEN, [leaves[i]], {'type': type_}, value_of=held_value)
    return operands
