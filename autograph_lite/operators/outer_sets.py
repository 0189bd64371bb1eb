"""What the graph sets variables outside to, in program order.

    self.total = np.zeros(3)
    self.total[i] = x

An array that is modified in place after that is what the variable holds, too: it is set once more
where the graph or the block ends that has set it, so that what modifies the array is needed.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.given import weakly
from ..graph.graph import Value
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import ListType
from ..ops.effects import Display, Shown
from ..ops.outer_variables import SET_OUTER, UNSET
from ..ops.strings import StagedString
from ..pyct.asking import attributes
from .anew import note_late
from .functions_outside import note_functions
from .lists import StagedList
from .living_lists import LivingList
from .nest_lists import NestList
from .new_containers import (
    Whole,
    is_there_already,
    is_told_by_content,
    made_anew,
    with_theirs_whole,
)
from .new_objects import made_by_graph, new_objects, put_outside
from .one_of_few import is_one_of_few, where_known
from .outside import note, rebound, set_at
from .outside_errors import variable_becomes_a_tensor
from .put_outside import check_put
from .rebound import GIVEN, NEW, OBJECT, STAGED, STATIC, UNFIT
from .reentry import cond
from .set_variables import Variable
from .unbound import Unbound

_NUMBERS = (int, float, complex)
_PLAIN = (*_NUMBERS, bool, str, bytes, type(None))


def set_variable(variable: Variable, again: bool = False) -> None:
    """The graph sets a variable to what it holds.

    An array that may be the one which it held when the graph began is set where it is not.

    Args:
      variable: which one.
      again: whether it has done so, and only what is in there is something else.
    """
    value, graph, world = variable.read(), current_graph(), rebound()
    chosen = value.chosen if isinstance(value, Tensor) else None
    held = None if world is None else world.inputs.get(variable.where)
    if (chosen is None or held is None or chosen.condition.graph is not graph
            or not chosen.is_new_or(held[0])):
        _set(variable, again)
        return
    ways = functools.partial(_set, variable, again, is_new=True), lambda: None
    true, false = ways if chosen.ways[0] is None else ways[::-1]
    cond(Tensor(chosen.condition, ()), true, false)


def _set(variable: Variable, again: bool, is_new: bool = False) -> None:
    """The same, whichever way the graph takes.

    Args:
      variable: which one.
      again: whether it has done so, and only what is in there is something else.
      is_new: whether it is an array that the graph makes.
    """
    value = UNSET if _is_of_class(variable) else variable.read()
    if finds_list(variable, value):
        from .held_lists import set_list  # which changes what is outside

        set_list(variable, value)
    else:
        where_known(
            value, lambda known: _set_to(variable, known, again, is_new), is_one_of_few)


def _set_to(variable: Variable, value: Any, again: bool, is_new: bool) -> None:
    world, graph = rebound(), current_graph()
    assert world is not None
    assert graph is not None
    inputs: list[Any] = []
    let_out(value, variable.shown)
    is_of_made = made_by_graph(variable.holder) is not None
    check_put(value, variable.shown, is_of_made)
    form, part = _as_part(value, inputs)
    world.made.pop(variable.where, None)
    is_own = graph.parent is None or is_of_made
    if form in (OBJECT, UNFIT) and is_own and (made := made_anew(value)):
        form, (part, inputs) = NEW, made
        world.made[variable.where] = value, *_content(value), graph
    elif again and form == OBJECT:
        form = UNFIT
    arrays = [x for x in inputs if isinstance(x, Tensor) and x.type.kind == 'array']
    world.arrays += [] if is_new else [(variable, tensor) for tensor in arrays]
    world.known_arrays.setdefault(graph, {})[variable.where] = _values(variable)
    attrs = {'variable': world.outer(variable), 'form': form, 'part': part}
    emit(SET_OUTER, inputs, attrs, value_of=held_value)


def finds_list(variable: Variable, value: Any) -> bool:
    """Whether the running graph finds a list in a variable: where a block sets it to one."""
    world, graph, where = rebound(), current_graph(), variable.where
    assert world is not None
    assert graph is not None
    if not world.reads or world.bindings.cannot_be_of(where):
        return False
    if not world.bindings.are_of(where):
        if graph.parent is not None and made_by_graph(variable.holder) is None:
            find_lists(variable, value)
        return False
    if not is_list(value):
        world.bindings.begin(where, graph, is_list=False)
    return is_list(value)


def find_lists(variable: Variable, value: Any) -> None:
    """The running graph is to find lists in a variable that is set to this, if it can.

    Raises:
      TracedAnew: it does not do so yet.
    """
    world, where = rebound(), variable.where
    assert world is not None
    is_known = world.bindings.are_of(where) or world.bindings.cannot_be_of(where)
    if world.reads and is_list(value) and not is_known:
        note_late(('held', where))


def is_list(x: Any) -> bool:
    """Whether it is a list, or stands for one."""
    return type(x) is list or isinstance(x, StagedList | NestList)


def _is_of_class(variable: Variable) -> bool:
    """Whether it is an attribute that an object has no more itself."""
    is_part = variable.path and variable.owner is None and not isinstance(variable.holder, dict)
    return bool(is_part) and variable.name not in attributes(variable.holder)


def let_out(value: Any, name: str = '') -> None:
    """The objects in a nest that the trace has made live outside from here on.

    Args:
      value: the nest.
      name: what the user calls the variable that is set to it, if it is.
    """
    world = rebound()
    assert world is not None
    for x in new_objects(value):
        for variable in put_outside(x, name):
            world.note_set(variable, passed=False)
            set_variable(variable)
    note_functions(value)


def _arrays(variable: Variable) -> list[Tensor]:
    leaves, _ = nest.flatten(variable.read())
    tensors = (x for x in leaves if isinstance(x, Tensor) and not isinstance(x, LivingList))
    return [x for x in tensors if x.type.kind == 'array']


def _values(variable: Variable) -> list[Value]:
    return [x.held for x in _arrays(variable)]


def note_arrays(variable: Variable) -> None:
    """A block has set a variable: where it is modified in place from now on, it is set again."""
    world, graph = rebound(), current_graph()
    if world is None or graph is None or variable.where not in world.set_to:
        return
    known, values = world.known_arrays.setdefault(graph, {}), _values(variable)
    if variable.where not in known and all(
            value.node is not None and value.graph is graph for value in values):
        known[variable.where] = values


def set_modified_arrays(is_last: bool = True) -> None:
    """Variables that hold arrays which were modified in place are set to them once more.

    Args:
      is_last: whether the graph that is traced ends here.

    Raises:
      OwnershipError: such an array was modified by a name that it cannot follow.
    """
    world, graph = rebound(), current_graph()
    if world is None or graph is None:
        return
    for where, values in list(world.known_arrays.get(graph, {}).items()):
        variable = world.known(where)
        if variable is None:
            continue
        arrays = _arrays(variable)
        lost = [x for x in arrays if x.is_stale and x.place is None]
        if lost and is_last:
            lost[0].read()
        is_same = len(arrays) == len(values) and all(
            x.held is value and not x.is_stale for x, value in zip(arrays, values, strict=True))
        if arrays and not lost and not is_same:
            set_variable(variable)


def set_changed_containers() -> None:
    """Variables that hold containers which the code has changed since are set to them once more."""
    world, root = rebound(), current_graph()
    assert world is not None
    assert root is not None
    traced = {root, *(inner for node in root.walk() for inner in node.graphs.values())}
    for where, (value, leaves, structure, graph) in list(world.made.items()):
        variable = world.known(where)
        if variable is None or variable.read() is not value or graph not in traced:
            continue
        now, is_of = _content(value)
        if is_of != structure or any(map(is_told_by_content, now)) or any(
                x is not held for x, held in zip(now, leaves, strict=True)):
            if graph is not root:
                raise variable_becomes_a_tensor(variable.shown, set_at(variable.shown))
            set_variable(variable, again=True)


def _content(value: Any) -> tuple[list[Any], nest.Structure]:
    """The leaves of a container; of a list of the graph, what is in it now."""
    leaves, structure = nest.flatten(value)
    return [x.held if isinstance(x, StagedList) else x for x in leaves], structure


def _as_part(value: Any, inputs: list[Any]) -> tuple[str, Any]:
    """What tracing knows of a value, and the part that stands for it, with its inputs."""
    from .effects import part_of  # which imports what asks for variables

    if value is UNSET:
        return STATIC, UNSET
    leaves, structure = nest.flatten(with_theirs_whole(value))
    forms = set(map(_form, leaves))
    if UNFIT in forms or (STAGED in forms and not _is_of_tuples(structure)):
        return UNFIT, None
    if OBJECT in forms or not _is_of_tuples(structure):
        return (UNFIT if STAGED in forms else OBJECT), None
    parts = []
    for leaf in leaves:
        if isinstance(leaf, StagedString):
            parts.append(part_of(leaf, inputs))
        elif leaf is None or isinstance(leaf, str | bytes):
            parts.append(leaf)
        elif _form(leaf) == GIVEN:
            given = leaf.value if isinstance(leaf, Whole) else leaf
            note(given)
            parts.append(weakly(given))
        else:
            inputs.append(leaf)
            parts.append(Shown(len(inputs) - 1))
    form = STAGED if STAGED in forms else GIVEN if GIVEN in forms else STATIC
    return form, parts[0] if structure.type is None else Display(structure, tuple(parts))


def _form(leaf: Any) -> str:
    if isinstance(leaf, Tensor):
        return UNFIT if isinstance(leaf.type, ListType) else STAGED
    if isinstance(leaf, StagedString):
        return STAGED
    if isinstance(leaf, Unbound | nest.Nest | ReadAsValue):
        return UNFIT
    if type(leaf) in _PLAIN or isinstance(leaf, np.generic):
        return STATIC
    held = leaf.value if isinstance(leaf, Whole) else leaf
    if type(held) in (list, dict) and any(isinstance(x, Tensor) for x in nest.children(held)):
        return UNFIT  # what is there already holds none: this stands for it while tracing
    return GIVEN if isinstance(leaf, Whole) or is_there_already(leaf) else OBJECT


def _is_of_tuples(structure: nest.Structure) -> bool:
    """Whether it is a leaf, or tuples of them: what nobody can tell from another that is equal."""
    return structure.type is None or (
        issubclass(structure.type, tuple) and all(map(_is_of_tuples, structure.children)))
