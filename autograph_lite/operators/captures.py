"""What a traced function reads from outside: arrays become tensors, and everything is guarded."""
from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import is_package
from ..graph.nest import actual
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import carrier
from ..pyct.asking import get_attribute
from .builtins import len as len_
from .calls import call
from .guards import is_container, record, record_error, record_own
from .membership import in_, item
from .outside import as_tensor, is_changed, is_outside, original, stand_in, stand_ins_in
from .places import (
    MISSING,
    Attribute,
    AttributeOr,
    Item,
    Place,
    Question,
    Step,
    place_of,
    variable,
    written_step,
)
from .unconverted import record_uses

__all__ = ['captured', 'getenv', 'method', 'owner', 'part', 'set_captured', 'set_part', 'variable']


def captured(read: Callable[[], Any], name: str) -> Any:
    """The value of a global or a closure variable."""
    return part(variable(read, name))


def part(root: Any, *steps: Any) -> Any:
    """What the steps lead to: attributes as '.name', items as [key], questions as (name, ...).

    Args:
      root: an object, or the variable that it starts from.
      *steps: such as `'.model'`, `['rate']`, `('len',)`, `('getattr', name, default)`.
    """
    if is_tracing():
        return _finished(*_walk(root, steps))
    value = root() if isinstance(root, Place) else root
    for each in steps:
        value = written_step(each)(value)
    return value


def owner(root: Any, *steps: Any) -> Any:
    """What the steps lead to, for an item or attribute of it to be set: it is not read."""
    if not is_tracing():
        return part(root, *steps)
    value, place = _walk(root, steps)
    return value if is_container(value) else _finished(value, place)


# Methods.


def method(root: Any, *steps: Any) -> Any:
    """The function that the steps lead to; the last is an attribute that is called at once."""
    if not is_tracing():
        return part(root, *steps)
    owner, place = _settled(*_walk(root, steps[:-1]))
    last = Attribute(steps[-1][1:])
    if isinstance(owner, super):
        return _inherited(owner, last)
    if place is None:
        return last(owner)
    if is_container(owner):
        return _of_container(owner, place, last)
    own = get_attribute(owner, '__dict__', ())
    if is_of_library(type(owner)) and not isinstance(owner, type) and last.name not in own:
        return last(owner)
    callee, place = _step(owner, place, last)
    if place is not None:
        record(place, callee)
        record_uses(callee)
    return callee


def _inherited(owner: Any, last: Attribute) -> Any:
    """A method of `super()`, guarded in the class that has it."""
    classes = owner.__self_class__.__mro__
    for each in classes[classes.index(owner.__thisclass__) + 1 :]:
        if last.name in vars(each):
            record(place_of(each, each.__name__).then(last), last(each))
            break
    return last(owner)


def _of_container(owner: Any, place: Place, last: Attribute) -> Any:
    """A method of a container: it may read all of it."""
    found = last(owner)
    if not isinstance(found, types.MethodType) or is_of_library(found.__func__):
        return Reader(owner, place, last.name)
    record(place, owner)
    kind = type(owner)
    record(place_of(kind, kind.__name__).then(last), last(kind))
    return found


class Reader:
    """A method of a container that lives outside: what it reads is guarded."""

    def __init__(self, container: Any, place: Place, name: str) -> None:
        self._container = container
        self._place = place
        self.__name__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        step = Question('get', args[:1])
        if self.__name__ == 'get' and args and not kwargs and step.is_static:
            found, place = _step(self._container, self._place, step)
            value = _finished(found, place)
            return (*args, None)[1] if value is MISSING else value
        before = original(self._container)
        stand_ins_in(self._container, str(self._place))
        found = getattr(self._container, self.__name__)(*args, **kwargs)
        if self.__name__ == 'setdefault' and step.is_static:
            record(self._place.then(Item(*step.args)), found)
        elif self.__name__ not in _ONLY_CHANGES:
            record(self._place, before)
        return as_tensor(found, self.__name__)


# Methods that read nothing of what a container holds.
_ONLY_CHANGES = ('add', 'append', 'appendleft', 'clear', 'discard', 'extend', 'insert', 'update')


def getenv(key: Any, default: Any = None) -> Any:
    """`os.getenv(key, default)`."""
    return method(os, '.environ', '.get')(key, default)


# Setting.


def set_captured(read: Callable[[], Any], name: str) -> None:
    """The function has set a global or a closure variable: what it reads of it is its own."""
    record_own(variable(read, name))


def set_part(root: Any, *steps: Any) -> None:
    """The function has set an attribute or item."""
    if is_tracing():
        _, place = _settled(*_walk(root, steps[:-1]))
        if place is not None:
            record_own(place.then(written_step(steps[-1])))



# Walking from step to step.


def _walk(root: Any, steps: tuple[Any, ...]) -> tuple[Any, Place | None]:
    """What the steps lead to, and its place; None where it is guarded already, or need not be."""
    place: Place | None = None
    value = root
    if isinstance(root, Place):
        place, value = root, _read(root, root)
        if type(value) is np.ndarray:
            value = stand_in(*_holder(root), root.name, value)
    for each in steps:
        value, place = _settled(value, place)
        value, place = _step(value, place, written_step(each))
    return value, place


def _holder(variable: Place) -> tuple[Any, Any]:
    """The cell, or the module's namespace, that has a variable."""
    read: Any = variable.root
    if read.__closure__:
        return read.__closure__[0], 'cell_contents'
    return read.__globals__, variable.name


def _read(place: Place, read: Callable[..., Any], *args: Any) -> Any:
    try:
        return read(*args)
    except Exception as error:
        record_error(place, error)
        raise


def _settled(value: Any, place: Place | None) -> tuple[Any, Place | None]:
    """The value before a step, and the place from which the step leads on.

    Containers are told by what is read of them, and objects by identity: steps start there anew.
    """
    value = actual(value)
    if is_namespace(value):
        return value, Place(lambda: value, ('globals', id(value)), 'globals()')
    if isinstance(value, _SIMPLE) or is_package(type(value).__module__):
        return _finished(value, place), None
    if is_container(value):
        return value, place
    if place is not None:
        record(place, value)
    elif not type(value).__weakrefoffset__ and not is_outside(value):
        return value, None  # the trace has made it, and could not tell when it is gone
    return value, place_of(value, type(value).__name__ if place is None else str(place))


_SIMPLE = (np.ndarray, np.generic, str, bytes, int, float, complex, type(None), slice, range, super)


def is_namespace(value: Any) -> bool:
    """Whether it is the namespace of a module, as `globals()` gives it."""
    return type(value) is dict and '__builtins__' in value and '__name__' in value


def _step(value: Any, place: Place | None, step: Step) -> tuple[Any, Place | None]:
    """What a step leads to, and its place."""
    if isinstance(step, AttributeOr):
        try:
            return _step(value, place, Attribute(step.name))
        except AttributeError:
            return step.default, None
    getter = _getter(value, step)
    if getter is not None:
        kind = type(value)
        record(place_of(kind, kind.__name__).then(step), step(kind))
        return call(getter, value), None
    if place is None or not step.is_static:
        return _plainly(_finished(value, place), step), None
    is_item = isinstance(step, Item) and isinstance(step.key, (str, int))
    if is_item and type(value) in (list, dict) and (
            len(value) == len(original(value))):
        if is_changed(value, step.key):  # type: ignore[attr-defined]
            return _plainly(value, step), None  # the function itself has set it
    elif is_changed(value):
        record(place, original(value))
        return _plainly(value, step), None
    place = place.then(step)
    found = _read(place, step, value)
    if type(found) is np.ndarray and isinstance(step, (Attribute, Item)):
        key = step.name if isinstance(step, Attribute) else step.key
        owner = vars(value) if isinstance(value, types.ModuleType) else value
        found = stand_in(owner, key, str(place), found)
    if isinstance(value, types.ModuleType) and is_of_library(value) and not is_container(found):
        return found, None
    return found, place


def _getter(value: Any, step: Step) -> Any:
    """The user's function behind a property, which is converted like any other."""
    found = get_attribute(type(value), step.name) if isinstance(step, Attribute) else None
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        return None if is_of_library(found.fget) else found.fget
    return None


def _plainly(value: Any, step: Step) -> Any:
    """A step without guards, tensors and what stands for arrays included."""
    match step:
        case Item(key):
            return item(value, key)
        case Question('len'):
            return len_(value)
        case Question('in', (x,)):
            return in_(x, value)
        case Question('hasattr', (str(name),)) if isinstance(value, Tensor):
            return hasattr(carrier(value.type), name)
    return step(value)


def _finished(value: Any, place: Place | None) -> Any:
    """The value for the traced function: guarded, an array as a tensor."""
    if place is not None:
        record(place, original(value))
        record_uses(value)
        stand_ins_in(value, str(place))
    return as_tensor(value, 'array' if place is None else str(place))
