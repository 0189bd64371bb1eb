"""What is read of a list, a deque or a set outside that the running graph changes.

    self.window.append(x)
    if len(self.window) > 5:
        self.window.pop(0)

Each read is an operation of the graph, done where the code does it.
"""
from __future__ import annotations

import itertools
import operator
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, kind_of
from ..graph.joins import join_all
from ..graph.state import valued
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import ListType, ObjectType, TensorType, python_scalar, text_type, type_of
from ..keys import is_container
from ..ops.outer_variables import OuterVariable
from ..ops.python_functions import PYTHON_FUNCTION
from .guards import record_same, record_type
from .handed import contents
from .handles import handle
from .in_place import is_repeated
from .lists import StagedList
from .living_dicts import let_live, lives, living, read_living
from .outer_variables import type_of_input
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
            raise read_after_change(container)
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
            raise read_after_change(container)
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
                return asked(operator.getitem, container, (index,), type_)
    return _UNKNOWN


def _is_fixed(container: Any, step: Step) -> bool:
    """Whether it is an item that no graph could read when it runs, whatever changes later."""
    match step:
        case Item(int(key)) if type(container) in (list, deque):
            is_there = -len(container) <= key < len(container)
            return is_there and type_of_item(container[key]) is None
    return False


def _is_all_fixed(container: Any) -> bool:
    """Whether no graph could read all of it at once."""
    return type(container) in (list, deque) and None in map(type_of_item, container)


def _is_known_dict(container: Any, step: Step) -> bool:
    """Whether it is a dict that holds a known key, or not, as it did where all began."""
    world = rebound()
    is_current = world is None or world.in_place.is_current(container, current_graph())
    return isinstance(container, dict) and step.is_static and is_current


def _is_index(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.type.kind != 'array' and x.type.dtype.kind in 'iu'
    return isinstance(x, int | np.integer)


def _type_at(container: Any, place: Place | None, index: Any) -> TensorType | None:
    """The type of an element; None where that is not known."""
    if not _is_index(index):
        return None
    world = rebound()
    assert world is not None
    if place is not None and not isinstance(index, Tensor):
        is_told, type_ = world.in_place.type_at(container, index, current_graph())
        if is_told:
            return type_
        if type_ is not None:
            record_type(place.then(Item(index)), type_)
            world.in_place.elements.add(id(container))
            return type_
    return type_of_elements(container, place)


def _all_of(container: Any, place: Place | None) -> Any:
    from .outer_lists import OuterDeque, OuterList, OuterSet  # which change them

    world = rebound()
    kinds: dict[type, Any] = {list: OuterList, deque: OuterDeque, set: OuterSet}
    kind = kinds.get(type(container))
    if world is None or kind is None:
        return _UNKNOWN
    if kind is not OuterSet and type_of_elements(container, place) is None:
        return _UNKNOWN
    return world.in_place.named.setdefault(id(container), kind(container, place))


def contains_now(container: Any, item: Any) -> Any:
    """Whether it has an item when the graph comes here."""
    return asked(operator.contains, container, (item,), python_scalar(bool))


def list_now(container: Any, element: TensorType) -> StagedList:
    """A list of what is in it when the graph comes here."""
    found: StagedList = asked(list, container, (), ListType(element=element))
    return found


def type_of_elements(container: Any, place: Place | None) -> TensorType | None:
    """The type that all fits which is in it, and what the function puts into it; None for none."""
    world = rebound()
    assert world is not None
    known = world.in_place
    _, before, _ = known.by_python.get(id(container), (None, (), None))
    items = itertools.chain(before, container)
    types: Any = dict.fromkeys([*known.types(container), *map(type_of_item, items)])
    if not types or None in types:
        return None
    element = join_all(types)
    if element is None:
        return None
    known.elements.add(id(container))
    is_as_it_was = (
        known.is_current(container, current_graph()) and id(container) not in known.by_python)
    if place is not None and container and is_as_it_was and type(container) is not set:
        last = type_of_input(container[-1])
        assert last is not None
        record_type(place.then(Item(-1)), last)
    return element


def type_of_item(x: Any) -> TensorType | None:
    """The type of what is in a container, or is put there; None where none is known."""
    return x.type if isinstance(x, Tensor) else type_of_input(x)


def asked(
    function: Callable[..., Any], container: Any, args: Sequence[Any], type_: TensorType
) -> Any:
    """What a function gives for a container outside when the graph comes here."""
    passed, inputs = passed_arguments(args, found_result)
    run = Reading(function, container, passed, type_)
    (made,) = emit(PYTHON_FUNCTION, inputs, {'run': run, 'types': [type_]}, value_of=held_value)
    memory = (Storage(made.graph, 'what lives outside'),)
    return handle(made.held, memory if type_.kind == 'array' and made.memory else made.memory)


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
