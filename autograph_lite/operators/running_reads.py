"""What is read of a list, a deque or a set outside that the running graph changes.

    self.window.append(x)
    if len(self.window) > 5:
        self.window.pop(0)

Each read is an operation of the graph, done where the code does it.
"""
from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from ..errors import StagingError, describe, kind_of
from ..graph import nest
from ..graph.joins import join_all
from ..graph.state import valued
from ..graph.storage import OUTSIDE, Memory, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import ListType, ObjectType, TensorType, python_scalar, text_type, type_of
from ..keys import is_container
from ..ops.outer_variables import OuterVariable
from ..ops.python_functions import PYTHON_FUNCTION
from .element_types import element_type, element_types, guard_element, leaf_type
from .entry_types import EntryType, joined
from .guards import record_same
from .handed import contents
from .handles import handle
from .in_place import is_repeated
from .lists import StagedList
from .living_dicts import let_live, lives, living, read_living
from .nest_lists import NestList
from .outside import rebound
from .outside_errors import read_after_change
from .passed_to_python import Passed, passed_arguments
from .places import Attribute, Item, Place, Question, Step
from .python_functions import Called, found_result

_UNKNOWN: Any = object()


def read_step(container: Any, place: Place | None, step: Step) -> Any:
    """What a step from a container outside leads to, as the graph finds it; `_UNKNOWN`, see below.

    Returns:
      `is_unknown` says whether it is what was there when the graph began.

    Raises:
      OwnershipError: the graph has changed it, and what is there now cannot be told.
    """
    world = rebound()
    if world is None or isinstance(step, Attribute) or not is_container(container):
        return _UNKNOWN

    if lives(container):
        return read_living(container, place, step)
    known = world.in_place
    if isinstance(step, Item) and known.is_set(container, step.key):
        return _UNKNOWN
    is_current = known.is_current(container, current_graph())
    if not known.is_expected(container) and is_current:
        if is_repeated(current_graph()) or not _is_fixed(container, step):
            known.note_part(container, current_graph())
        return _UNKNOWN
    found = _read(container, place, step)
    if found is _UNKNOWN:
        if not is_current:
            let_live(container)
            raise read_after_change(container, _several_types(container))
        known.note_part(container, current_graph())
    elif place is not None:
        record_same(place, container)
    return found


def read_whole(container: Any, place: Place | None) -> Any:
    """All of a container outside, in the same way."""
    world = rebound()
    if world is None or not is_container(container):
        return _UNKNOWN

    if lives(container):
        return living(container, place)
    known, graph = world.in_place, current_graph()
    is_current = known.is_current(container, graph)
    if known.is_expected(container) or not is_current:
        found = _all_of(container, place)
        if found is not _UNKNOWN:
            if place is not None:
                record_same(place, container)
            return found
        if not is_current:
            let_live(container)
            raise read_after_change(container, _several_types(container))
    for each in contents(container):
        if is_container(each):
            if not known.is_current(each, graph):
                raise read_after_change(each)
            if is_repeated(graph) or (each is container and not _is_all_fixed(each)):
                known.note_part(each, graph)
            known.whole[id(each)] = each
    return _UNKNOWN


def is_unknown(found: Any) -> bool:
    """Whether the graph does not read it when it runs."""
    return found is _UNKNOWN


def _read(container: Any, place: Place | None, step: Step) -> Any:
    match step:
        case Question('len'):
            return asked(len, container, (), python_scalar(int))
        case Question('in', (x,)) if not _is_known_dict(container, step):
            return contains_now(container, x)
        case Item(key) if type(container) in (list, deque):
            index = valued(key)
            type_ = _type_at(container, place, index)
            if type_ is not None:
                return item_now(container, index, type_)
    return _UNKNOWN


def _is_fixed(container: Any, step: Step) -> bool:
    """Whether it is an item that no graph could read when it runs, whatever changes later."""
    match step:
        case Item(int(key)) if type(container) in (list, deque):
            is_there = -len(container) <= key < len(container)
            return is_there and element_type(container[key], is_needed=False) is None
    return False


def _is_all_fixed(container: Any) -> bool:
    """Whether no graph could read all of it at once."""
    is_list = type(container) in (list, deque)
    return is_list and None in element_types(container, is_needed=False)


def _is_known_dict(container: Any, step: Step) -> bool:
    """Whether it is a dict that holds a known key, or not, as it did where all began."""
    world = rebound()
    is_current = world is None or world.in_place.is_current(container, current_graph())
    return isinstance(container, dict) and step.is_static and is_current


def _is_index(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.type.kind != 'array' and x.type.dtype.kind in 'iu'
    return isinstance(x, int | np.integer)


def _type_at(container: Any, place: Place | None, index: Any) -> EntryType | None:
    """The type of an element; None where that is not known."""
    if not _is_index(index):
        return None
    world = rebound()
    assert world is not None
    known, graph = world.in_place, current_graph()
    if place is not None and not isinstance(index, Tensor):
        is_told, told = known.type_set_at(container, index, graph)
        if is_told:
            return cast(EntryType, told)
        if known.is_as_it_was_at(container, index, graph):
            found = container[index]
            type_ = element_type(found, not known.is_current(container, graph))
            if type_ is not None:
                guard_element(place.then(Item(index)), found, type_)
                known.elements.add(id(container))
                return type_
    return type_of_elements(container, place)


def _all_of(container: Any, place: Place | None) -> Any:
    from .outer_lists import OuterDeque, OuterList, OuterRows, OuterSet  # which change them

    world = rebound()
    kinds: dict[type, Any] = {list: OuterList, deque: OuterDeque, set: OuterSet}
    kind = kinds.get(type(container))
    if world is None or kind is None:
        return _UNKNOWN
    if kind is not OuterSet:
        element = type_of_elements(container, place)
        if element is None:
            return _UNKNOWN
        if leaf_type(element) is None and kind is OuterList:
            kind = OuterRows
    return world.in_place.named.setdefault(id(container), kind(container, place))


def contains_now(container: Any, item: Any) -> Any:
    """Whether it has an item when the graph comes here."""
    return asked(operator.contains, container, (item,), python_scalar(bool))


def list_now(source: Any, element: TensorType, container: Any) -> StagedList:
    """A list of what is in a container when the graph comes here, which finds it by a source."""
    found: StagedList = asked(list, source, (), ListType(element=element))
    return StagedList(found.held, _memory(container))


def item_now(container: Any, index: Any, type_: EntryType) -> Any:
    """What is at an index when the graph comes here."""
    passed, inputs = passed_arguments((index,), found_result)
    run = ReadingEntry(operator.getitem, container, passed, type_)
    made = emit(
        PYTHON_FUNCTION, inputs, {'run': run, 'types': list(type_.types)}, value_of=held_value)
    return nest.unflatten(type_.form, list(map(from_outside, made)))


def rows_now(container: Any, type_: EntryType) -> NestList:
    """A list of the tuples that are in it when the graph comes here."""
    columns = [ListType(element=each) for each in type_.types]
    run = _ReadingRows(tuple, container, passed_arguments((), found_result)[0], type_)
    made = emit(PYTHON_FUNCTION, [], {'run': run, 'types': columns}, value_of=held_value)
    memory = _memory(container)
    return NestList(type_.form, [StagedList(column.held, memory) for column in made])


def _memory(container: Any) -> Memory:
    world = rebound()
    assert world is not None
    return (world.in_place.memory(container),)


def _types(container: Any, is_needed: bool) -> list[EntryType | None]:
    """The types of what is in it, and of what the function puts into it."""
    world = rebound()
    assert world is not None
    _, before, _ = world.in_place.by_python.get(id(container), (None, (), None))
    held = element_types([*before, *container], is_needed)
    return list(dict.fromkeys([*world.in_place.types(container), *held]))


def _several_types(container: Any) -> list[EntryType | None]:
    """The types of its elements, if it is a list of several that are all known."""
    types = _types(container, is_needed=True) if type(container) in (list, deque) else []
    return types if len(types) > 1 and None not in types else []


def type_of_elements(container: Any, place: Place | None) -> EntryType | None:
    """The type that all fits which is in it, and what the function puts into it; None for none."""
    world = rebound()
    assert world is not None
    known = world.in_place
    is_current = known.is_current(container, current_graph())
    types = _types(container, not is_current)
    if not types or None in types:
        return None
    element = joined(types)
    if element is None:
        return None
    known.elements.add(id(container))
    is_as_it_was = is_current and id(container) not in known.by_python
    if place is not None and container and is_as_it_was and type(container) is not set:
        guard_element(place.then(Item(-1)), container[-1], element)
    return element


def asked(
    function: Callable[..., Any], container: Any, args: Sequence[Any], type_: TensorType
) -> Any:
    """What a function gives for a container outside when the graph comes here."""
    passed, inputs = passed_arguments(args, found_result)
    run = Reading(function, container, passed, type_)
    (made,) = emit(PYTHON_FUNCTION, inputs, {'run': run, 'types': [type_]}, value_of=held_value)
    return from_outside(made)


def from_outside(made: Tensor) -> Any:
    """A value of the graph that belongs to what lives outside."""
    memory = (Storage(made.held.graph, OUTSIDE),)
    is_array = made.held.type.kind == 'array' and made.memory
    return handle(made.held, memory if is_array else made.memory)


class Reading(Called):
    """Reads something of a container outside, which is of the type that it had while tracing."""

    def __init__(
        self, function: Callable[..., Any], container: Any, passed: Passed, type_: TensorType
    ) -> None:
        super().__init__(function, passed)
        self.container = container
        self._type = type_
        self.only_reads = function in (len, list)  # which give something of any container

    @property
    def _container(self) -> Any:
        read = self.container
        return read.value if isinstance(read, OuterVariable) else read

    def __call__(self, *args: Any) -> Any:
        return self.of_type(self.function(self._container, *self.arguments(args)), self._type)

    def of_type(self, found: Any, type_: TensorType) -> Any:
        """What was read, as what it is joined with."""
        if isinstance(type_, ListType) and found is not None:
            return [self._fitted(x, type_.element) for x in found]
        return self._fitted(found, type_)

    def _fitted(self, x: Any, known: TensorType | None) -> Any:
        """An element, as what it is joined with; `known` is the type that both fit.

        Raises:
          StagingError: it does not.
        """
        if x is None and known is not None and known.maybe:
            return x
        known = known and known.present
        type_ = text_type(x) or type_of(x)
        if type_ == known or known is None:
            return x
        is_fit = type_ is not None and join_all((known, type_)) == known
        if not is_fit:
            raise self.misfit(x, known)
        if known.kind == 'array' or isinstance(known, ObjectType):
            return x
        return known.python_type(x) if known.weak else known.dtype.type(x)

    def misfit(self, x: Any, known: Any) -> StagingError:
        """The error for what is not of the type that is known."""
        what = f'{kind_of(self._container).capitalize()} that lives outside holds'
        return StagingError(describe(
            f'{what} {type_of(x) or repr(x)}, and held {known} when the function was traced.',
            self.location, 'Put numbers of one type into it, or arrays of one shape.'))


class ReadingEntry(Reading):
    """Reads what may be a tuple, whose leaves are the results."""

    def __init__(
        self, function: Callable[..., Any], container: Any, passed: Passed, type_: EntryType
    ) -> None:
        super().__init__(function, container, passed, type_.types[0])
        self._entry = type_

    def __call__(self, *args: Any) -> Any:
        return self.fitted(self.function(self._container, *self.arguments(args)))

    def fitted(self, found: Any) -> Any:
        """The leaves of what was read; one alone."""
        leaves = self._leaves(found, self._entry)
        return leaves if len(leaves) > 1 else leaves[0]

    def _leaves(self, x: Any, type_: EntryType) -> list[Any]:
        """The leaves of a key or a value, as what they are joined with.

        Raises:
          StagingError: it is of another form.
        """
        if type_.form == nest.LEAF:
            return [self.of_type(x, type_.types[0])]
        if type_.has_kinds(x):
            return list(x)
        leaves, form = nest.flatten(x)
        if form != type_.form:
            raise self.misfit(x, type_)
        return list(map(self.of_type, leaves, type_.types))


class _ReadingRows(ReadingEntry):
    """Reads all of it: of each leaf of an element, the list of those leaves."""

    def fitted(self, found: Any) -> Any:
        rows = [self._leaves(x, self._entry) for x in found]
        columns = [[row[i] for row in rows] for i, _ in enumerate(self._entry.types)]
        return columns if len(columns) > 1 else columns[0]
