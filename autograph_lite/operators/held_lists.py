"""A list that a variable outside holds, where the running graph finds it there.

    self.history = []
    for i in range(n):
        self.history.append(loss)

So it is where a block sets the variable, or changes a list that the function has put there before.
What sets the variable makes the list when the graph runs, what changes it is done to what the
variable holds then, and what reads it reads it there.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.given import weakly
from ..graph.graph import Graph
from ..graph.joins import join_all
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import TensorType, python_scalar
from ..ops.outer_variables import SET_OUTER, OuterVariable
from ..ops.python_functions import PYTHON_ACTION
from .anew import TracedAnew, note_late
from .bindings import Binding
from .blocks_around import unknown_identity
from .given_away import changes_later, give_away, leave_as_it_is, put_by
from .guards import record_asked, record_same, recorded_places
from .lists import StagedList, new_list
from .moved import is_moved, leave
from .nest_lists import NestList
from .new_containers import behind, changing_parts, made_anew
from .new_objects import is_theirs
from .outer_calls import Changing, found_itself, note_one_changed, with_names
from .outer_lists import OuterList
from .outer_parts import place_of_container
from .outer_variables import as_before, type_of_input
from .outside import rebound
from .passed_to_python import passed_arguments
from .places import Place, found_at
from .put_outside import check_put
from .rebound import GIVEN, NEW
from .running_reads import asked
from .set_variables import Variable
from .single_names import check_unnamed, check_unshared
from .staging import graph_now


def stand_in(variable: Variable) -> HeldList:
    """What stands for the list that a variable holds at this point of the trace."""
    world = rebound()
    assert world is not None
    world.note_look_at(variable)
    binding = world.bindings.now(variable.where, graph_now())
    if binding.stand_in is None:
        binding.stand_in = HeldList(variable, world.outer(variable), binding)
    found: HeldList = binding.stand_in
    return found


def set_list(variable: Variable, value: Any) -> None:
    """The graph sets a variable to a list.

    Raises:
      TracedAnew: it is none that each run can make.
      OwnershipError: it is what another variable holds, or this one has held before.
    """
    world, where = rebound(), variable.where
    assert world is not None
    if isinstance(value, HeldList):
        behind(value) if value.variable.where != where else value.source
        return
    container = behind(value)
    is_there = type(container) is list and is_theirs(container)
    if is_there:
        check_put(container, variable.shown)
    else:
        check_unshared(value, variable.shown)
    made = (weakly(container), []) if is_there else made_anew(value)
    if made is None:
        raise TracedAnew(('never held', where))
    part, inputs = made
    for type_ in _types_in(container if is_there else value):
        _expect(where, type_)
    form = GIVEN if is_there else NEW
    attrs = {'variable': world.outer(variable), 'form': form, 'part': part}
    emit(SET_OUTER, inputs, attrs, value_of=held_value)
    world.bindings.begin(where, graph_now())
    found = stand_in(variable)
    variable.put(found)
    world.told[where] = found
    if is_there:
        world.bindings.others.setdefault(where, []).append(container)
        return
    parts = {id(part): (part, variable.shown) for part in changing_parts(value)}
    world.bindings.made.update(parts)
    check_unnamed(value, variable.shown)
    if type(value) is list:
        leave_as_it_is(list(value), changes_later)
        leave(value, found)


def _types_in(items: Any) -> list[TensorType | None]:
    """The types of what is in a list; None for what is not known."""
    if isinstance(items, NestList):
        return [None]
    if isinstance(items, StagedList):
        element = getattr(items.type, 'element', None)
        return [] if element is None else [element]
    return [_type_of_item(x) for x in items]


def _type_of_item(x: Any) -> TensorType | None:
    """The type of what is in a list, or is put there; None where none is known."""
    return x.type if isinstance(x, Tensor) else type_of_input(x)


class HeldList(OuterList):
    """The list that a variable outside holds when the graph comes here.

    Args:
      variable: the variable.
      outer: what the graph reads.
      binding: since when it holds it.
    """

    __slots__ = ('binding', 'outer', 'variable')
    is_held = True

    def __init__(self, variable: Variable, outer: OuterVariable, binding: Binding) -> None:
        super().__init__([], None)
        self.variable = variable
        self.outer = outer
        self.binding = binding

    @property
    def source(self) -> OuterVariable:
        """What the running graph finds it by.

        Raises:
          OwnershipError: the variable holds another list by now, perhaps.
          TracedAnew: it may have held no list when the graph began.
        """
        world, where = rebound(), self.variable.where
        assert world is not None
        if world.bindings.now(where, graph_now()) is not self.binding:
            raise _left_behind(self.outer.name)
        if self.binding.is_from_before:
            if type(world.before(where)) is not list or self.variable.is_of_class:
                raise TracedAnew(('never held', where))
            world.bindings.read.add(where)
        return self.outer

    @property
    def place_now(self) -> Place | None:
        """Where it is found; None where the variable holds another list by now, perhaps."""
        world, where = rebound(), self.variable.where
        assert world is not None
        is_current = world.bindings.now(where, graph_now()) is self.binding
        return Place(self.outer.get, where, self.outer.name) if is_current else None

    @property
    def _count(self) -> int:
        world = rebound()
        assert world is not None
        return world.in_place.changes  # it may be a list of which any was changed

    def as_it_is(self) -> StagedList:
        # As yet, nothing is put into it; if something is, the function is traced anew.
        return new_list([]) if self.element() is None else super().as_it_is()

    def element(self) -> TensorType | None:
        """The type that all fits which is in it or is put there; None where nothing is.

        Raises:
          TracedAnew: there is no such type.
        """
        _ = self.source
        world, where = rebound(), self.variable.where
        assert world is not None
        world.in_place.elements.add(where)
        types = _types(where, self.binding.is_from_before)
        element = _joined(types)
        if types and element is None:
            raise TracedAnew(('never held', where))
        return element

    def is_one(self, x: Any) -> Any:
        x = nest.actual(x)
        if isinstance(x, HeldList):
            is_there = functools.partial(_is_in, x.source)
            return asked(is_there, self.source, (), python_scalar(bool))
        container = behind(x)
        if type(container) is not list or not is_theirs(container):
            is_known = not isinstance(x, StagedList | nest.Nest) and not (
                type(x) is list and is_moved(x))
            if is_known:
                return False
            raise unknown_identity()
        place = x.found_at if isinstance(x, OuterList) else place_of_container(container)
        if place is None:
            raise unknown_identity()
        record_same(place, container)
        is_it = functools.partial(operator.is_, container)
        return asked(is_it, self.source, (), python_scalar(bool))

    def change(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method of the list that changes it, whenever the graph runs."""
        result = self[(*args, -1)[0]] if name == 'pop' else None
        world, where, outer = rebound(), self.variable.where, self.source
        given = (*args, *kwargs.values())
        assert world is not None
        for type_ in _types_put(name, args):
            _expect(where, type_)
        put = put_by(name, args, kwargs)
        give_away(given)
        passed, inputs = passed_arguments(put, found_itself, nest.actual)
        function: Callable[..., Any] = functools.partial(_call, outer, name)
        if kwargs:
            function = functools.partial(with_names, function, tuple(kwargs))
        run = Changing(outer, function, passed, never_raises=False)
        emit(PYTHON_ACTION, inputs, {'run': run, 'types': []}, value_of=held_value)
        for container in (self.container, *_perhaps(where)):
            note_one_changed(container, name, args)
        return result


def _is_in(variable: OuterVariable, held: Any) -> bool:
    return variable.value is held


def _types(where: Hashable, is_from_before: bool) -> dict[TensorType | None, None]:
    """The types of what is put into the lists of a variable, and of what was in the first one."""
    world = rebound()
    assert world is not None
    before = map(_type_of_item, world.before(where) if is_from_before else ())
    return dict.fromkeys([*world.in_place.types_of(where), *before])


def _joined(types: Collection[TensorType | None]) -> TensorType | None:
    """The type that all fit; None where there is none."""
    known = [type_ for type_ in types if type_ is not None]
    return join_all(known) if known and len(known) == len(types) else None


def _perhaps(where: Hashable) -> Iterator[Any]:
    """The lists outside that a variable may hold which have other names, too."""
    world = rebound()
    assert world is not None
    yield from world.bindings.others.get(where, ())
    if where in world.bindings.read:
        yield world.before(where)


def _expect(where: Hashable, type_: TensorType | None) -> None:
    """Something of a type is put into the lists of a variable."""
    world = rebound()
    assert world is not None
    known = world.in_place
    if type_ in known.types_of(where):
        return
    if where in known.elements and world.reads:
        note_late(('put', where, type_))
    known.note_put_at(where, type_)


def _left_behind(name: str) -> OwnershipError:
    return OwnershipError(describe(
        f'The list that {name!r}, which lives outside the function, held has another name here, '
        f'and {name!r} is something else by now, or may be.', user_location(),
        f'Give a copy another name: `rows = {name}.copy()`.'))


def _types_put(name: str, args: tuple[Any, ...]) -> list[TensorType | None]:
    """The types of what a method puts into a list; None for what is not known."""
    is_part = name == '__setitem__' and isinstance(args[0], slice)
    if name in ('append', 'insert', '__setitem__') and not is_part:
        return [_type_of_item(args[-1])]
    if not is_part and name not in ('extend', '__iadd__'):
        return []
    given = nest.actual(args[-1])
    if isinstance(given, list | tuple):
        return [_type_of_item(x) for x in given]
    return [getattr(getattr(given, 'type', None), 'element', None)]


def _call(variable: OuterVariable, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(variable.value, name)(*args, **kwargs)


def guard_held() -> None:
    """Guards that variables hold lists where the graph begins, of what they held.

    Also, that they are no lists which the traced code knows by other names, or those that they
    were.
    """
    world = rebound()
    assert world is not None
    with as_before():
        places = [place for place in recorded_places() if type(found_at(place)) is list]
    for where in world.bindings.read:
        variable = world.known(where)
        assert variable is not None
        outer, types = world.outer(variable), _types(where, is_from_before=True)
        is_read = where in world.in_place.elements
        element = _joined(types) if is_read else _ANYTHING
        record_asked(f'what {outer.name} is', functools.partial(_which, outer, element, places))


_ANYTHING: Any = object()


def _which(outer: OuterVariable, element: Any, places: Sequence[Place]) -> Hashable:
    """Whether a variable holds a list of elements of a type, and which of these places do, too."""
    held = outer.get()
    if type(held) is not list:
        return None
    type_ = _type_of_item(held[-1]) if held else None
    fits = element is _ANYTHING or not held or (
        type_ is not None and element is not None and join_all((element, type_)) == element)
    return fits, *(found_at(place) is held for place in places)


def let_hold(container: Any, is_state: bool = False) -> None:
    """Has the function traced anew, if a block changes a list that was put outside before it.

    Args:
      container: the list.
      is_state: whether it is the state of such a block.

    Raises:
      TracedAnew: a block changes it.
    """
    world, graph = rebound(), current_graph()
    if world is None or not world.reads or type(container) is not list:
        return
    for where, (value, _, _, made_in) in world.made.items():
        is_its = value is container and (is_state or _is_within(graph, made_in))
        if is_its and not world.bindings.cannot_be_of(where):
            raise TracedAnew(('held', where))


def _is_within(graph: Graph | None, outer: Graph) -> bool:
    """Whether a graph is one of the blocks in another."""
    return graph is not outer and graph is not None and (
        graph.parent is outer or _is_within(graph.parent, outer))
