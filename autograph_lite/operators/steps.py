"""From step to step to what a function reads: its place, the guards that tell it, and tensors."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import is_package
from ..graph.nest import Nest, actual
from ..graph.tensor import Tensor
from ..graph.tracing import constant, tracing_into
from ..keys import is_array_like, is_container, refused_array
from ..ops.calls import no_attribute
from ..ops.random import check_known
from ..pyct.asking import get_attribute
from .chosen_parts import Chosen, place_at
from .class_parts import classes_with, lacks, record_class
from .class_tests import type_of
from .conditionals import cond
from .contents import is_object
from .files import check_unread
from .guarded import bound, guarded
from .guards import record, record_error
from .had_attributes import has_attribute, lacks_method
from .handed import ToTensor, holds_arrays
from .is_none import is_optional
from .known import is_there
from .leaves import enclosing
from .lengths import len as len_
from .live_objects import LiveObject, attribute_or, check_step, has
from .living_dicts import let_live_read
from .made_items import found_or_made
from .membership import in_
from .new_objects import made_by_graph
from .one_of_few import attribute_of_each, is_one_of_few
from .optional_nests import Perhaps
from .outer_parts import (
    is_chosen_part,
    note_place,
    place_of_container,
    read_part,
    record_others,
)
from .outer_variables import is_chosen, is_set
from .outer_variables import read as read_variable
from .outside import handing, is_made_here, is_outside, is_own_variable, note, note_put
from .own_attributes import caught, gives, own_read, runs_code
from .own_iterators import GOING_THROUGH
from .own_methods import own_method
from .perhaps_missing import is_bound, may_lack
from .places import (
    Attribute,
    AttributeOr,
    HeldItem,
    Item,
    Place,
    Question,
    Step,
    place_of,
    step_in,
    written_step,
)
from .references import Reference
from .running_reads import is_unknown, read_step, read_whole
from .set_variables import is_namespace
from .staging import graph_now, identifier
from .unconverted import record_uses
from .whole_reads import check_whole


def walked(root: Any, steps: tuple[Any, ...]) -> tuple[Any, Place | None]:
    """What the steps lead to, and its place; None where it is guarded already, or need not be.

    That is a `Chosen` where only the running graph knows which of several things it is.
    """
    place: Place | None = None
    value = root
    if isinstance(root, Place) and is_own_variable(root):
        value = root()
    elif isinstance(root, Place):
        place, value = root, read_variable(root, _read(root, root))
        if not is_chosen(root.where):
            (note_put if is_set(root.where) else note)(value)
    elif is_outside(root):
        known = handing()
        place = (None if known is None else known.alias(root)) or place_of_container(root)
    for each in steps:
        value, place = settled(value, place)
        value, place = step_from(value, place, written_step(each))
    return value, place


def read_again(place: Place) -> Any:
    """What is at a place that another trace has found."""
    value, at = walked(replace(place, steps=()), ())
    for step in place.steps:
        value, at = step_from(*settled(value, at), step)
    return finished(value, at)


def _read(place: Place, read: Callable[..., Any], *args: Any) -> Any:
    try:
        return read(*args)
    except Exception as error:
        record_error(place, error)
        raise


def settled(value: Any, place: Place | None) -> tuple[Any, Place | None]:
    """The value before a step, and the place from which the step leads on.

    Containers are told by what is read of them, and objects by identity: steps start there anew.
    """
    value = _sure(actual(value))
    if isinstance(value, Reference):
        value = value.chosen
    if isinstance(value, Chosen):
        return value, None
    if is_namespace(value):
        return value, Place(lambda: value, ('globals', id(value)), 'globals()')
    if isinstance(value, _SIMPLE) or is_package(type(value).__module__):
        return finished(value, place), None
    if made_by_graph(value) is not None:
        return value, None
    if is_container(value):
        return value, place
    if place is not None:
        record(place, value)
    elif not type(value).__weakrefoffset__ and not is_outside(value):
        return value, None  # the trace has made it, and could not tell when it is gone
    is_named = isinstance(value, type | types.ModuleType)
    name = value.__name__ if is_named else type(value).__name__
    return value, place_of(value, name if place is None else str(place))


_SIMPLE = (np.ndarray, np.generic, str, bytes, int, float, complex, type(None), slice, range, super)


def _is_own_item(value: Any, step: Step) -> bool:
    """Whether it is a known item of a container that the function made: the rest is not read."""
    is_item = isinstance(step, Item) and step.is_static
    return is_item and is_container(value) and not is_outside(value)


def step_from(value: Any, place: Place | None, step: Step) -> tuple[Any, Place | None]:
    """What a step leads to, and its place."""
    if isinstance(value, Chosen):
        then = value.changed if runs_code(value, step) else value.then
        return then(functools.partial(_within_one, step)), None
    if isinstance(step, AttributeOr):
        return _attribute_or_default(value, place, step)
    if isinstance(value, LiveObject) and isinstance(step, Attribute | Question):
        check_step(value, step.name)
    read = own_read(value, step.name, place) if isinstance(step, Attribute) else None
    if read is not None:
        return read(), None
    if _is_told_by_class(value, step):
        return _plainly(finished(value, place), step), None
    if isinstance(step, Question) and step.name in ('len', 'vars'):
        check_whole(value)
    if isinstance(step, Attribute):
        check_known(value, step.name)
        check_unread(value, step.name)
    of_class = None if is_outside(value) else _step_to_class(value, step)
    if of_class is not None:
        return of_class
    if isinstance(step, Item) and is_outside(value):
        let_live_read(value, step.key)
    if place is None or not step.is_static:
        whole = value if _is_own_item(value, step) else finished(value, place)
        found = _plainly(whole, step)
        if not isinstance(value, Tensor) and _is_shared(found, value, step):
            note(found)
        return found, None
    return _recorded_step(value, place, step)


def _within_one(step: Step, value: Any) -> Any:
    """What a step leads to within one of several things: a container outside as it is there."""
    found, place = step_from(*settled(*walked(value, ())), step)
    if not (is_container(found) and is_outside(found)):
        return found if isinstance(found, Chosen) else finished(found, place)
    note_place(found, place)
    return found


def _attribute_or_default(
    value: Any, place: Place | None, step: AttributeOr
) -> tuple[Any, Place | None]:
    """What `getattr` with a default leads to, and its place."""
    if isinstance(value, Perhaps) and not is_there(value):
        return cond(
            value.present, lambda: step_from(value.sure(), None, step)[0], lambda: step.default
        ), None
    read = own_read(value, step.name)
    if read is not None:
        return caught(read, step.default), None
    if isinstance(value, LiveObject):
        return attribute_or(value, step.name, step.default), None
    if isinstance(value, Tensor) and is_optional(value) and not is_there(value):
        return cond(
            has_attribute(value, step.name),
            lambda: _plainly(value, Attribute(step.name)), lambda: step.default), None
    try:
        found, place = step_from(value, place, Attribute(step.name))
        return or_default(found, step.default), place
    except AttributeError:
        return step.default, None


def _recorded_step(value: Any, place: Place, step: Step) -> tuple[Any, Place | None]:
    """What a step leads to from what can be read again; its place. What it reads is recorded."""
    running = read_step(value, place, step) if is_outside(value) else None
    if running is not None and not is_unknown(running):
        return running, None
    held = step_in(value, step)
    if isinstance(step, Question) and step.name == 'len':
        record_others(value, place)
    place = place.then(held)
    if isinstance(held, HeldItem) and is_outside(value):
        return found_or_made(value, held, place)
    found = _read(place, step, value)
    is_known = is_outside(value)
    found, there = read_part(value, step, place, found) if is_known else (found, place)
    is_found = is_known and not is_chosen_part(value, step)
    if is_found or _is_shared(found, value, step):
        (note_put if is_found and there is None else note)(found)
    if isinstance(value, types.ModuleType) and is_of_library(value) and not is_container(found):
        is_users = callable(found) and not is_of_library(found)  # who has put it there
        return found, there if is_users else None
    return found, there


def _step_to_class(value: Any, step: Step) -> tuple[Any, Place | None] | None:
    """What the trace's own object, or a class, has of a class, and its place; None for more."""
    if isinstance(step, Question) and step.name == 'hasattr' and step.is_static:
        record_class(value, step)
    if not isinstance(step, Attribute):
        return None
    if not (classes := classes_with(value, step.name)):
        if lacks(value, step.name):
            record_class(value, step)
        return None
    found = step(value)
    if found is not vars(classes[-1])[step.name]:  # it is a method
        record_class(value, step)
        return None
    note(found)
    first = classes[0]
    return read_part(first, step, place_of(first, first.__name__).then(step), found)


def _is_shared(found: Any, value: Any, step: Step) -> bool:
    """Whether what can be changed is an attribute of a module, class or function from outside."""
    if isinstance(value, types.ModuleType) or is_namespace(value):
        return True
    is_users = is_object(found) and not is_of_library(type(found))
    if not isinstance(step, Attribute) or not (is_users or is_container(found)):
        return False
    if isinstance(value, (type, types.FunctionType)):
        return not is_made_here(value)
    kind = type(value)  # an object has what its class has
    return get_attribute(kind, step.name) is found and not is_made_here(kind)


def or_default(found: Any, default: Any) -> Any:
    """An attribute, or what stands in the place of one that has no value when the graph runs."""
    if not may_lack(found):
        return found
    return cond(is_bound(found), lambda: guarded(found), lambda: default)


def _sure(value: Any) -> Any:
    """A tuple from outside, where it is read: it must be there."""
    return bound(value) if isinstance(value, tuple) and may_lack(value) else value


def _is_told_by_class(value: Any, step: Step) -> bool:
    """Whether a method of the user's class does what the step asks."""
    match step:
        case Item():
            return own_method(value, '__getitem__') is not None
        case Question('len'):
            return own_method(value, '__len__') is not None
        case Question('hasattr', (str(name),)):
            return own_read(value, name) is not None
        case Question('in'):
            names = ('__contains__', *GOING_THROUGH)
            return any(own_method(value, name) is not None for name in names)
    return False


def _plainly(value: Any, step: Step) -> Any:
    """A step without guards, tensors and what stands for arrays included."""
    match step:
        case Attribute('__class__') if isinstance(value, Tensor | Nest):
            return type_of(value)
        case Attribute(name) if isinstance(value, Tensor) and lacks_method(value, name):
            raise no_attribute(value, name)
        case Attribute(name) if name.startswith('__') and is_one_of_few(value):
            return attribute_of_each(value, name)
        case Item(key):
            return place_at(value, key)
        case Question('len'):
            return len_(value)
        case Question('in', (x,)):
            return in_(x, value)
        case Question('hasattr', (str(name),)) if isinstance(value, LiveObject):
            return has(value, name)
        case Question('hasattr', (str(name),)) if isinstance(value, Tensor | Perhaps):
            return has_attribute(value, name)
        case Question('hasattr', (str(name),)):
            read = own_read(value, name)
            return step(value) if read is None else gives(read)
    return step(value)


def finished(value: Any, place: Place | None) -> Any:
    """The value for the traced function: guarded, an array as a tensor."""
    if isinstance(value, Chosen):
        return value.kept()
    if isinstance(value, Reference):
        return value
    value = _sure(value)
    found = read_whole(value, place)
    if not is_unknown(found):
        return found
    if place is not None:
        owner = value.__self__ if isinstance(value, types.MethodType) else value
        if is_container(owner):
            note_place(owner, place if owner is value else place.then(Attribute('__self__')))
            record_others(owner, place)
        record(place, value)
        record_uses(value)
    return as_traced(value, 'array' if place is None else str(place))


def as_traced(value: Any, path: str) -> Any:
    """An array from outside as a tensor, one in a list or dict too; anything else itself."""
    if is_container(value) and is_outside(value) and holds_arrays(value):
        return _stand_in(value, path, functools.partial(as_tensor, is_of_outside=True))
    return as_tensor(value, path)


def with_tensors(value: Any) -> Any:
    """What Python's library is given, or shown, for a dataclass outside that holds arrays."""
    return as_traced(value, type(value).__name__) if is_dataclass(value) else value


def as_tensor(value: Any, path: str, is_of_outside: bool = False) -> Any:
    """An array from outside as a tensor; anything else itself.

    Args:
      value: the array.
      path: what the user calls it.
      is_of_outside: whether it is known that the trace has not made it.

    Raises:
      ArrayKindError: it is an array of a class of its own.
    """
    if is_array_like(value):
        raise refused_array(value, repr(path))
    if not isinstance(value, np.ndarray):
        return value
    is_of_outside = is_of_outside or is_outside(value)

    def to_tensor(array: Any, path: str) -> Tensor:
        is_lent = is_of_outside and graph_now().parent is None
        return constant(array, identifier(path), is_lent, path)

    if not is_of_outside:
        return _stand_in(value, path, to_tensor)
    *_, outermost = enclosing(graph_now())
    with tracing_into(outermost):  # so that blocks can modify it
        return _stand_in(value, path, to_tensor)


def _stand_in(value: Any, path: str, to_tensor: ToTensor) -> Any:
    known = handing()
    if known is None:
        return to_tensor(value, path) if isinstance(value, np.ndarray) else value
    stand_in = known.stand_in(value, path, to_tensor)
    note(stand_in)
    return stand_in
