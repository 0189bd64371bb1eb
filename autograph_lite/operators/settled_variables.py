"""At the end of a trace: what it has set outside is for the graph to set, or for Python."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import FunctionType
from typing import Any

from ..graph import nest
from ..graph.graph import Graph
from ..graph.state import State
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from .arrays_read import check_arrays_read
from .drawn_by_python import check_drawn
from .given_away import check_given
from .held_lists import guard_held
from .holders import walk
from .made_functions import check_functions
from .new_containers import is_there_already, places_of_new
from .new_objects import made_by_graph
from .outer_sets import set_changed_containers, set_modified_arrays
from .outside import rebound, set_at, was_there
from .outside_errors import (
    becomes_an_argument,
    holds_an_argument,
    made_once,
    sets_both,
    sets_one_of_two,
    variable_becomes_a_tensor,
)
from .progress import Collection
from .rebound import GIVEN, NEW, OBJECT, STAGED, UNFIT, sets_of, without
from .set_by_python import tell_what_python_set
from .set_variables import Variable
from .variable_creation import holds_created


def settle_variables(graph: Graph, modified: Sequence[Storage], is_run: bool) -> None:
    """At the end of a trace, what it sets outside is the graph's, or Python's, to set.

    Args:
      graph: what was traced.
      modified: the memory of the caller's that it modifies: of a copy, put back at its end.
      is_run: whether the graph is to be run: else Python sets objects once, while tracing.

    Raises:
      OwnershipError: the graph cannot set what a variable becomes.
    """
    check_arrays_read(graph)
    check_drawn()
    tell_what_python_set()
    set_modified_arrays()
    set_changed_containers()
    world = rebound()
    assert world is not None
    places_of_new()
    for variable, tensor in world.arrays:
        if not set(modified).isdisjoint(tensor.memory):
            is_made = made_by_graph(variable.holder) is not None
            error = holds_an_argument if is_made else becomes_an_argument
            raise error(variable.shown, set_at(variable.shown))
    check_given(graph, modified)
    check_functions(graph)
    guard_held()
    for where, nodes in sets_of(graph).items():
        if world.bindings.are_of(where):
            continue
        forms = {node.attrs['form'] for node in nodes}
        name = nodes[0].attrs['variable'].name
        if UNFIT in forms:
            raise variable_becomes_a_tensor(name, set_at(name))
        if not is_run and forms == {GIVEN} and not world.is_chosen(where):
            world.kept.add(where)
            continue
        is_made = NEW in forms and nodes[-1].attrs['form'] != OBJECT and not world.is_chosen(where)
        if is_made:  # in its place the objects are that were there before
            without(graph, [node for node in nodes if node.attrs['form'] == OBJECT])
        if (is_made or not forms & {OBJECT, NEW}) and world.is_as_told(where):
            continue
        if STAGED in forms or where in world.inputs:
            raise sets_both(name, set_at(name))
        if world.is_chosen(where) or _is_watched(graph, world.held(where)):
            raise sets_one_of_two(name, set_at(name))
        if _keeps_tensors(world.known(where)):
            raise variable_becomes_a_tensor(name, set_at(name))
        if not _may_stay(world.held(where)):
            raise made_once(name, world.held(where), set_at(name))
        world.kept.add(where)
        without(graph, nodes)


def _may_stay(value: Any) -> bool:
    """Whether a variable may hold after the trace what Python has set it to."""
    return isinstance(value, State) or is_there_already(value) or holds_created((value,))


def _keeps_tensors(variable: Variable | None) -> bool:
    """Lets a variable that Python has set hold Python's own deques and sets, and what it holds.

    Returns:
      Whether there are tensors in one of these, or in what a function closes over.
    """
    value = None if variable is None else nest.actual(variable.read())
    if variable is not None and isinstance(value, Collection):
        closed = value.closed()
        variable.put(closed)
        return _has_tensors(closed)
    found = False
    for held in list(walk(('', value))):
        found |= isinstance(held.owner, FunctionType) and _has_tensors(held.content.values())
        for key, inside in held.content.items():
            if isinstance(inside, Collection) and held.can_be_put:
                closed = inside.closed()
                held.place(key).put(closed)
                found |= _has_tensors(closed)
    return found


def _has_tensors(values: Iterable[Any]) -> bool:
    return any(isinstance(value, Tensor) for value in values)


def _is_watched(graph: Graph, value: Any) -> bool:
    """Whether a block has given it back, which may be one of two objects from outside."""
    return any(value is one for one, _ in graph.watched) and not was_there(value)
