"""What a traced function reads from outside: arrays become tensors, and everything is guarded."""
from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import is_package
from ..graph.dispatch import UNREACHED
from ..graph.nest import actual
from ..graph.tensor import Tensor
from ..graph.tracing import constant, is_tracing
from ..keys import is_array_like, is_container, refused_array
from ..ops.calls import carrier
from ..ops.random import check_known
from ..pyct.asking import get_attribute
from .builtins import len as len_
from .conditionals import cond
from .dispatchers import is_made_anew
from .guarded import guarded
from .guards import record, record_error, record_own
from .handed import ToTensor, holds_arrays
from .holders import is_object
from .membership import in_, item
from .outside import handing, is_made_here, is_outside, note, note_change, note_setting
from .own_methods import own_method
from .places import (
    ANSWERING,
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
from .set_variables import is_namespace
from .staging import identifier
from .unbound import Unbound
from .unconverted import record_uses

__all__ = [
    'alias', 'captured', 'getenv', 'method', 'owner', 'part', 'set_captured', 'set_part',
    'variable',
]  # fmt: skip


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


def alias(root: Any, *steps: Any) -> Any:
    """What the steps lead to, where a name is given to it of which only parts are read."""
    if not is_tracing():
        return part(root, *steps)
    value, place = _walk(root, steps)
    if place is None or not (is_container(value) and is_outside(value)):
        return _finished(value, place)
    known = handing()
    if known is not None:
        known.note_alias(value, place)
    return value


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
        shown = _SHOWING.get(last.name) if isinstance(owner, Tensor) else None
        return last(owner) if shown is None else functools.partial(UNREACHED[shown], owner)
    if is_container(owner):
        return _of_container(owner, place, last)
    if type(owner) in ANSWERING and last.name in ANSWERING[type(owner)]:
        return functools.partial(_answer, owner, place, last.name)
    own = get_attribute(owner, '__dict__', ())
    if is_of_library(type(owner)) and not isinstance(owner, type) and last.name not in own:
        return last(owner)
    callee, place = _step(owner, place, last)
    if is_made_anew(callee):
        kind = type(owner)
        place, made_by = place_of(kind, kind.__name__), Question('getattr_static', (last.name,))
        record(place.then(made_by), made_by(kind))
    elif place is not None:
        record(place, callee)
        record_uses(callee)
    return callee


def _answer(owner: Any, place: Place, name: str, *args: Any) -> Any:
    """What a method of Python's library says of an object, which it does not change."""
    step = Question(name, args)
    if not step.is_static:
        return getattr(owner, name)(*args)
    return _finished(*_step(owner, place, step))


def _inherited(owner: Any, last: Attribute) -> Any:
    """A method of `super()`, guarded in the class that has it."""
    kind = _class_with(owner, last.name)
    if kind is not None:
        record(place_of(kind, kind.__name__).then(last), last(kind))
    return last(owner)


def _class_with(owner: Any, name: str) -> Any:
    """The class in which `super()` finds an attribute."""
    classes = owner.__self_class__.__mro__
    others = classes[classes.index(owner.__thisclass__) + 1 :]
    return next((each for each in others if name in vars(each)), None)


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
        if self.__name__ in _CHANGES:
            note_change(self._container)
        if self.__name__ in _ONLY_CHANGES:  # even if it then holds what it held
            note_setting(self._container, None)
        container = self._container
        if self.__name__ not in _CHANGE_AND_READ:
            container = _as_traced(container, str(self._place))
        found = getattr(container, self.__name__)(*args, **kwargs)
        if self.__name__ == 'setdefault' and step.is_static:
            record(self._place.then(Item(*step.args)), found)
        elif self.__name__ not in _ONLY_CHANGES:
            record(self._place, self._container)
        return _as_traced(found, self.__name__)


# Methods of an array or a number that tell its text.
_SHOWING: dict[str, Callable[..., str]] = {'__format__': format, '__repr__': repr, '__str__': str}

# Methods that read nothing of what a container holds, and others that change it.
_ONLY_CHANGES = ('add', 'append', 'appendleft', 'clear', 'discard', 'extend', 'insert', 'update')
_CHANGES = (*_ONLY_CHANGES, 'extendleft', 'setdefault')
_CHANGE_AND_READ = (*_CHANGES, 'move_to_end', 'pop', 'popitem', 'popleft', 'remove', 'reverse',
                    'rotate', 'sort')  # fmt: skip


def getenv(key: Any, default: Any = None) -> Any:
    """`os.getenv(key, default)`."""
    return method(os, '.environ', '.get')(key, default)


# Setting.


def set_captured(read: Callable[[], Any], name: str) -> None:
    """The function has set a global or a closure variable: what it reads of it is its own."""
    note_change(name)
    if is_tracing() and read.__closure__ is None:  # a variable of the module, not of a block
        note_setting(read.__globals__, name)
    record_own(variable(read, name))


def set_part(root: Any, *steps: Any) -> None:
    """The function has set an attribute or item."""
    if is_tracing():
        owner, place = _settled(*_walk(root, steps[:-1]))
        note_change(owner)
        if place is not None:
            record_own(place.then(written_step(steps[-1])))


# Walking from step to step.


def _walk(root: Any, steps: tuple[Any, ...]) -> tuple[Any, Place | None]:
    """What the steps lead to, and its place; None where it is guarded already, or need not be."""
    place: Place | None = None
    value = root
    if isinstance(root, Place):
        place, value = root, _read(root, root)
        note(value)
    elif is_outside(root):
        known = handing()
        place = None if known is None else known.alias(root)
    for each in steps:
        value, place = _settled(value, place)
        value, place = _step(value, place, written_step(each))
    return value, place


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


def _step(value: Any, place: Place | None, step: Step) -> tuple[Any, Place | None]:
    """What a step leads to, and its place."""
    if isinstance(step, AttributeOr):
        try:
            found, place = _step(value, place, Attribute(step.name))
            return _or_default(found, step.default), place
        except AttributeError:
            return step.default, None
    getter = _getter(value, step)
    if getter is not None:
        from .calls import call

        kind, function = getter
        record(place_of(kind, kind.__name__).then(step), step(kind))
        owner = get_attribute(value, '__self__') if isinstance(value, super) else value
        return call(function, owner), None
    if _is_told_by_class(value, step):
        return _plainly(_finished(value, place), step), None
    if isinstance(step, Attribute):
        check_known(value, step.name)
    if place is None or not step.is_static:
        found = _plainly(_finished(value, place), step)
        if not isinstance(value, Tensor) and _is_shared(found, value, step):
            note(found)
        return found, None
    place = place.then(step)
    found = _read(place, step, value)
    if is_outside(value) or _is_shared(found, value, step):
        note(found)
    if isinstance(value, types.ModuleType) and is_of_library(value) and not is_container(found):
        is_users = callable(found) and not is_of_library(found)  # who has put it there
        return found, place if is_users else None
    return found, place


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


def _or_default(found: Any, default: Any) -> Any:
    """An attribute, or what stands in the place of one that has no value when the graph runs."""
    if not isinstance(found, Unbound):
        return found
    return cond(found.is_bound, lambda: guarded(found), lambda: default)


def _getter(value: Any, step: Step) -> Any:
    """The class with a property of the user's, and its function, which is converted like any."""
    if not isinstance(step, Attribute):
        return None
    kind = _class_with(value, step.name) if isinstance(value, super) else type(value)
    found = get_attribute(kind, step.name)
    if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
        return None if is_of_library(found.fget) else (kind, found.fget)
    return None


def _is_told_by_class(value: Any, step: Step) -> bool:
    """Whether a method of the user's class does what the step asks."""
    match step:
        case Item():
            return own_method(value, '__getitem__') is not None
        case Question('len' | 'in' as name):
            return own_method(value, '__len__' if name == 'len' else '__contains__') is not None
    return False


def _plainly(value: Any, step: Step) -> Any:
    """A step without guards, tensors and what stands for arrays included."""
    match step:
        case Attribute('__class__') if isinstance(value, Tensor):
            return carrier(value.type)
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
        record(place, value)
        record_uses(value)
    return _as_traced(value, 'array' if place is None else str(place))


def _as_traced(value: Any, path: str) -> Any:
    """An array from outside as a tensor, one in a list or dict too; anything else itself."""
    if is_container(value) and is_outside(value) and holds_arrays(value):
        return _stand_in(value, path, as_tensor)
    return as_tensor(value, path)


def as_tensor(value: Any, path: str) -> Any:
    """An array from outside as a tensor; anything else itself.

    Raises:
      ArrayKindError: it is an array of a class of its own.
    """
    if is_array_like(value):
        raise refused_array(value, repr(path))
    if not isinstance(value, np.ndarray):
        return value
    return _stand_in(value, path, lambda array, path: constant(array, identifier(path)))


def _stand_in(value: Any, path: str, to_tensor: ToTensor) -> Any:
    known = handing()
    if known is None:
        return to_tensor(value, path) if isinstance(value, np.ndarray) else value
    stand_in = known.stand_in(value, path, to_tensor)
    note(stand_in)
    return stand_in
