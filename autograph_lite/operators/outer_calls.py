"""Methods that change lists, deques, sets and dicts outside: the running graph calls them.

    self.history.append(loss)

The container stays as it is while the code that changes it is traced, so what it holds is not known
from there on.
"""
from __future__ import annotations

import copy
import functools
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..keys import is_container
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..pyct.asking import get_attribute
from .anew import note_late
from .element_types import element_type, guard_element, types_put
from .entry_types import EntryType
from .given_away import give_away, put_by
from .given_containers import stage_given
from .guards import record, record_error, record_same
from .lists import StagedList
from .living_dicts import let_live, lives, living
from .new_containers import behind
from .outer_parts import is_there, place_of_container, places_holding
from .outside import (
    handing,
    is_outside,
    lives_outside,
    note_change,
    rebound,
    was_there,
    world_now,
)
from .outside_errors import modifies_outside, read_after_change
from .passed_to_python import Passed, passed_arguments
from .places import Item, Place, Step, step_in
from .python_functions import Called, Undeclared, found_result
from .running_reads import ReadingEntry, from_outside, type_of_elements
from .set_variables import is_namespace
from .staging import graph_now
from .steps import finished
from .unbound import Unbound
from .variable_creation import holds_created
from .watched import is_watched, modified_one_of_two

_OF_LIST = (
    'append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort', '__setitem__',
    '__delitem__', '__iadd__', '__imul__')
_OF_SET = (
    'add', 'clear', 'difference_update', 'discard', 'intersection_update', 'remove',
    'symmetric_difference_update', 'update', '__ior__', '__iand__', '__isub__', '__ixor__')
_OF_DICT = ('clear', 'pop', 'popitem', 'update', '__ior__', '__delitem__')
_CHANGING: dict[type[Any], tuple[str, ...]] = {
    list: _OF_LIST,
    deque: (*_OF_LIST, 'appendleft', 'extendleft', 'popleft', 'rotate'),
    set: _OF_SET,
    bytearray: _OF_LIST,
    dict: _OF_DICT,
    defaultdict: _OF_DICT,
    Counter: (*_OF_DICT, 'subtract'),
    OrderedDict: (*_OF_DICT, 'move_to_end'),
}
# Of a class that is derived from `dict`, which the graph does not know by its items.
_BY_ITEM = ('__setitem__', 'setdefault')
# Methods that give an item, and which one unless told.
_TAKING = {'pop': -1, 'popleft': 0}


def note_method(owner: Any, name: str) -> None:
    """Remembers where a method is called that changes what it is of."""
    kind = _kind_of(owner)
    if kind is not None and name in (*_CHANGING[kind], *_BY_ITEM):
        note_change(owner)


def is_change(container: Any, name: str, is_pythons: bool = False) -> bool:
    """Whether a method of this name changes the container, which lives outside.

    Args:
      container: the container.
      name: the method.
      is_pythons: whether it is known to be Python's, whatever the class has by that name.
    """
    known, kind = handing(), _kind_of(container)
    if known is None or kind is None:
        return False
    is_derived = kind is not type(container)
    by_item = is_derived and issubclass(kind, dict) and (is_pythons or not is_container(container))
    if name not in _CHANGING[kind] and not (by_item and name in _BY_ITEM):
        return False
    if is_derived and not is_pythons and has_own(type(container), kind, name):
        return False
    if known.is_stand_in(container) or _holds_attributes(container):
        return False
    if _is_new(container):
        from .held_lists import let_hold  # which changes what is outside

        let_hold(container)
        return False
    return is_outside(container) or lives_outside(container)


def _kind_of(container: Any) -> type[Any] | None:
    """The class of Python's that a container is of, or that its class is derived from."""
    return next((each for each in type(container).__mro__ if each in _CHANGING), None)


def has_own(kind: type[Any], base: type[Any], name: str) -> bool:
    """Whether a class has a method of its own in the place of Python's."""
    return get_attribute(kind, name) is not get_attribute(base, name)


def _method_of(container: Any, name: str) -> Any:
    """The method of Python's, whatever a class says that is derived from Python's."""
    kind = _kind_of(container)
    if kind is type(container):
        return getattr(container, name)
    return functools.partial(getattr(kind, name), container)


def copied(container: Any) -> Any:
    """Another one that holds the same."""
    kind = _kind_of(container)
    return copy.copy(container) if kind is None or kind is type(container) else (
        dict if issubclass(kind, dict) else kind)(container)


def _is_new(container: Any) -> bool:
    """Whether the traced code has made it, and put it where it lives outside from then on."""
    world = world_now().rebound
    set_to = world.set_to.values()
    is_put = any(container is each for _, *values in set_to for each in values)
    return id(container) in world.new or (is_put and not was_there(container))


def _holds_attributes(x: Any) -> bool:
    """Whether a dict holds the variables of a module, or the attributes of an object outside."""
    return type(x) is dict and (is_namespace(x) or any(
        get_attribute(owner, '__dict__') is x for owner in world_now().known.values()))


def change(
    container: Any, place: Place | None, name: str, /, *args: Any, **kwargs: Any
) -> Any:
    """`container.name(*args)`, whenever the graph runs.

    Args:
      container: what lives outside.
      place: where it was found.
      name: the method.
      *args: what that is given.
      **kwargs: what it is given by name.

    Returns:
      What the method gives.

    Raises:
      OwnershipError: an object of the trace's own is put into the container, or a block changes it
        that has another name for it.
      TracedAnew: it was read before, as it was while tracing.
    """
    if place is None:
        stage_given(container)
    if holds_created((*args, *kwargs.values())):
        return _method_of(container, name)(*args, **kwargs)
    world = rebound()
    assert world is not None
    known = world.in_place
    is_named = place is None or id(container) in known.whole or not is_container(container)
    _expect(container, name, args)
    _check_change(container, place, is_named)
    if is_named and any(_is_of_graph(nest.actual(x)) for x in args):
        raise modifies_outside(container)
    result, type_ = (None, None) if is_named else _taken(container, place, name, args)
    given = (*args, *kwargs.values())
    put = put_by(name, args, kwargs)
    give_away(given)
    passed, inputs = passed_arguments(put, found_itself, nest.actual)
    function = _method_of(container, name)
    if kwargs:
        function = functools.partial(with_names, function, tuple(kwargs))
    taken = None if type_ is None else ReadingEntry(function, container, passed, type_)
    run = Changing(container, function, passed, _is_safe(name, args), taken)
    types = [] if type_ is None else list(type_.types)
    op = PYTHON_ACTION if type_ is None else PYTHON_FUNCTION
    made = emit(op, inputs, {'run': run, 'types': types}, value_of=held_value)
    if is_named:  # the other name shall see it, too
        if place is not None:
            record(place, container)
        before, result = copied(container), _method_of(container, name)(*args, **kwargs)
        known.note_by_python(container, before, copied(container))
        return result
    is_item = name == '__setitem__' and isinstance(args[0], int) and graph_now().parent is None
    known.note_change(*((container, args[0], element_type(args[1])) if is_item else (container,)))
    return result if type_ is None else nest.unflatten(type_.form, list(map(from_outside, made)))


def _is_of_graph(x: Any) -> bool:
    """Whether it is a list of which only the running graph knows what is in it."""
    return isinstance(x, StagedList) or (isinstance(x, nest.Nest) and x.stands_for is list)


def note_one_changed(container: Any, name: str, args: Sequence[Any]) -> None:
    """The graph changes a list outside, if that is the one that it finds when it runs.

    Raises:
      OwnershipError: the traced code has it as it was.
      TracedAnew: it was read before, as it was while tracing.
    """
    world = rebound()
    assert world is not None
    _expect(container, name, args)
    if is_watched(id(container)) or id(container) in world.in_place.whole:
        raise modified_one_of_two(container)
    world.in_place.note_change(container)


def _check_change(container: Any, place: Place | None, is_named: bool) -> None:
    """The container is the one that it was, and the graph can change it here.

    Args:
      container: what lives outside.
      place: where it was found.
      is_named: whether other names see it, which have what it holds while tracing.

    Raises:
      OwnershipError: a block changes it, which has another name; or it may be one of two.
    """
    for each in places_holding(container) if place is None else [place]:
        record_same(each, container)
    if is_watched(id(container)):
        raise modified_one_of_two(container)
    if is_named and graph_now().parent is not None:
        raise modifies_outside(container)


def found_itself(x: Any) -> Any:
    """The container outside for which something stands; what else that is put into one stands for.
    """
    x = x.value if isinstance(x, Unbound) else x
    container = behind(x)
    return found_result(x) if container is x else container


def augmented(symbol: str, container: Any, other: Any) -> Any:
    """`container += other`, whenever the graph runs; None where that is nothing to call then.

    Raises:
      OwnershipError: each call gives the function a container of its own, such as a set.
    """
    name, place = AUGMENTED.get(symbol, ''), place_of_container(container)
    if isinstance(other, nest.Mutable):
        let_live(container)
    if lives(container) and name:
        getattr(living(container, place), name)(other)
        return container
    if not is_change(container, name) or isinstance(other, Tensor | np.ndarray | np.generic):
        return None
    if place is None and id(container) in world_now().given:
        stage_given(container)
        raise modifies_outside(container)
    change(container, place, name, other)
    return container


def set_outside(container: Any, key: Any, value: Any) -> None:
    """`container[key] = value` of a list or a deque, whenever the graph runs."""
    if is_there(container, key, value):
        return
    change(container, place_of_container(container), '__setitem__', key, value)


def read_outside(container: Any) -> Any:
    """All of something outside that an operator makes something else of."""
    return finished(container, place_of_container(container))


AUGMENTED = {
    '+=': '__iadd__', '*=': '__imul__', '|=': '__ior__', '&=': '__iand__', '-=': '__isub__',
    '^=': '__ixor__'}


def _is_safe(name: str, args: Sequence[Any]) -> bool:
    """Whether a method cannot raise, given this."""
    if name in ('extend', 'extendleft', '__iadd__'):
        return isinstance(args[0], list | tuple)
    return name in ('append', 'appendleft', 'clear', 'reverse')


def with_names(function: Callable[..., Any], names: tuple[str, ...], *args: Any) -> Any:
    """Calls a function, the last arguments by these names."""
    first = len(args) - len(names)
    return function(*args[:first], **dict(zip(names, args[first:], strict=True)))


def _expect(container: Any, name: str, args: Sequence[Any]) -> None:
    """Has the function traced anew if it has read what it changes now."""
    world = rebound()
    assert world is not None
    known, key = world.in_place, id(container)
    if not world.reads:
        if key in known.looped:
            raise read_after_change(container)
        return
    is_late = key in known.parts and not known.is_expected(container)
    for type_ in set(types_put(name, args)).difference(known.types(container)):
        # Of an empty one, nothing else tells what is taken out of it before that is put into it.
        is_read = key in known.parts and not (is_late and container)
        if is_read or key in known.elements:
            note_late(('put', key, type_))
        known.note_put(container, type_)
    if is_late:
        note_late(('in place', key))


def _taken(
    container: Any, place: Place | None, name: str, args: Sequence[Any]
) -> tuple[Any, EntryType | None]:
    """What a method gives that takes an item out: itself, or its type where the graph has it."""
    if name == 'popitem':
        return Undeclared(functools.partial(_unknown, container)), None
    if name not in _TAKING:
        return None, None
    world = rebound()
    assert world is not None
    is_dict = isinstance(container, dict)
    key = args[0] if args or is_dict else _TAKING[name]
    step: Step = Item(key)
    if place is None or not step.is_static or not world.in_place.is_current(
            container, current_graph()):
        type_ = None if is_dict else type_of_elements(container, place)
        if type_ is None:
            return Undeclared(functools.partial(_unknown, container)), None
        return None, type_
    step = step_in(container, step)  # of a defaultdict, what it has itself
    try:
        found = step(container)
    except (IndexError, KeyError) as error:
        record_error(place.then(step), error)
        return (*args, None, None)[1], None
    type_ = element_type(found, is_needed=False)
    is_told = any(isinstance(x, Tensor | np.ndarray) for x in nest.flatten(found)[0])
    if type_ is None or is_told:
        return finished(found, place.then(step)), None
    guard_element(place.then(step), found, type_)
    return None, type_


def _unknown(container: Any) -> Any:
    raise read_after_change(container)


class Changing(Called):
    """A method of a container outside that a graph calls, which gives what the method gives.

    Attributes:
      container: the container.
      never_raises: whether the method takes whatever it is given.
      taken: what becomes of an item that the method gives.
    """

    def __init__(
        self, container: Any, function: Callable[..., Any], passed: Passed, never_raises: bool,
        taken: ReadingEntry | None = None,
    ) -> None:
        super().__init__(function, passed)
        self.container = container
        self.never_raises = never_raises
        self.taken = taken

    def __call__(self, *args: Any) -> Any:
        found = self.function(*self.arguments(args))
        return found if self.taken is None else self.taken.fitted(found)
