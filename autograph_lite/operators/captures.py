"""What a traced function reads from outside: arrays become tensors, and everything is guarded."""
from __future__ import annotations

import dis
import functools
import os
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from ..converters.callees import is_of_library
from ..errors import UnboundError, describe, user_frame, user_location
from ..graph.dispatch import UNREACHED
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..keys import is_container
from ..pyct.asking import get_attribute
from ..pyct.codes import once_by_code
from .chosen_keys import is_staged_key
from .chosen_parts import Chosen
from .class_parts import record_class
from .dispatchers import is_made_anew
from .files import check_unread
from .guards import record, record_own
from .library_containers import staged_container
from .living_dicts import let_live, let_live_by, let_live_read, lives, living
from .outer_calls import change, is_change
from .outer_dicts import by_items
from .outer_parts import is_variable, note_place, record_others
from .outer_variables import tell
from .outside import handing, is_outside, note_change, note_setting
from .own_attributes import class_with
from .places import (
    ANSWERING,
    MISSING,
    Attribute,
    Item,
    Place,
    Question,
    place_of,
    step_in,
    variable,
    written_step,
)
from .progress import Progress
from .reentry import call
from .running_reads import is_unknown, read_whole
from .steps import as_traced, finished, or_default, settled, step_from, walked
from .unconverted import record_uses
from .untold import method_of_library
from .whole_reads import OF_PARTS, check_whole

__all__ = [
    'alias', 'augmented', 'captured', 'getenv', 'gone_over', 'looked_at', 'method', 'owner', 'part',
    'set_captured', 'set_part', 'variable',
]  # fmt: skip


def captured(read: Callable[[], Any], name: str) -> Any:
    """The value of a global or a closure variable.

    Raises:
      UnboundError: it has none yet, and the function sets it.
      NameError: it has none.
    """
    try:
        return part(variable(read, name))
    except NameError:
        frame = user_frame() if is_tracing() else None
        if frame is not None and name in _globals_set_in(frame.f_code):
            raise _no_value_yet(name) from None
        raise


@once_by_code
def _globals_set_in(code: types.CodeType) -> set[str]:
    return {each.argval for each in dis.get_instructions(code) if each.opname == 'STORE_GLOBAL'}


def _no_value_yet(name: str) -> UnboundError:
    what = f'name {name!r} is not defined, which is read here, or set on only one of the ways.'
    fix = f'Give it a value in the module, before the function is called: `{name} = None`.'
    return UnboundError(describe(what, user_location(), fix))


def part(root: Any, *steps: Any) -> Any:
    """What the steps lead to: attributes as '.name', items as [key], questions as (name, ...).

    Args:
      root: an object, or the variable that it starts from.
      *steps: such as `'.model'`, `['rate']`, `('len',)`, `('getattr', name, default)`.
    """
    if is_tracing():
        return finished(*walked(root, steps))
    value = root() if isinstance(root, Place) else root
    for each in steps:
        value = written_step(each)(value)
    return value


def looked_at(root: Any, *steps: Any) -> Any:
    """What the steps lead to, where nothing keeps it."""
    if not is_tracing():
        return part(root, *steps)
    value, place = walked(root, steps)
    return value.value() if isinstance(value, Chosen) else finished(value, place)


def gone_over(root: Any, *steps: Any) -> Any:
    """What the steps lead to, where nothing keeps it, but perhaps what is in it."""
    if not is_tracing():
        return part(root, *steps)
    value, place = walked(root, steps)
    return value.gone_over() if isinstance(value, Chosen) else finished(value, place)


def owner(root: Any, *steps: Any) -> Any:
    """What the steps lead to, for an item or attribute of it to be set: it is not read."""
    if not is_tracing():
        return part(root, *steps)
    value, place = walked(root, steps)
    if is_container(value):
        note_place(value, place)
        return value
    return value if isinstance(value, Chosen) else finished(value, place)


def augmented(root: Any, *steps: Any) -> Any:
    """What the steps lead to, where an operator changes it in its place: then it is not read."""
    if not is_tracing():
        return part(root, *steps)
    value, place = walked(root, steps)
    if isinstance(value, list | deque | set | dict) and is_outside(value):
        note_place(value, place)
        return value
    return finished(value, place)


def alias(root: Any, *steps: Any) -> Any:
    """What the steps lead to, where a name is given to it of which only parts are read."""
    if not is_tracing():
        return part(root, *steps)
    value, place = walked(root, steps)
    if place is None or not (is_container(value) and is_outside(value)):
        return finished(value, place)
    known = handing()
    if known is not None:
        known.note_alias(value, place)
    note_place(value, place)
    return value


# Methods.


def method(root: Any, *steps: Any) -> Any:
    """The function that the steps lead to; the last is an attribute that is called at once."""
    if not is_tracing():
        return part(root, *steps)
    owner, place = settled(*walked(root, steps[:-1]))
    last = Attribute(steps[-1][1:])
    if isinstance(owner, Chosen):
        return owner.method(last.name)
    if isinstance(owner, super):
        return _inherited(owner, last)
    if not is_outside(owner):
        record_class(owner, last)
    if place is None:
        if is_container(owner) and is_outside(owner) and is_change(owner, last.name):
            return functools.partial(change, owner, None, last.name)
        if not isinstance(owner, Tensor):
            return last(owner)
        shown = _SHOWING.get(last.name)
        if shown is not None:
            return functools.partial(UNREACHED[shown], owner)
        return step_from(owner, None, last)[0]
    if is_container(owner):
        return method_of_container(owner, place, last)
    if type(owner) in ANSWERING and last.name in ANSWERING[type(owner)]:
        return functools.partial(_answer, owner, place, last.name)
    own = get_attribute(owner, '__dict__', ())
    if is_of_library(type(owner)) and not isinstance(owner, type) and last.name not in own:
        check_unread(owner, last.name)
        return method_of_library(owner, place, last)
    callee, place = step_from(owner, place, last)
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
    return finished(*step_from(owner, place, step))


def _inherited(owner: Any, last: Attribute) -> Any:
    """A method of `super()`, guarded in the class that has it."""
    kind = class_with(owner, last.name)
    if kind is not None:
        record(place_of(kind, kind.__name__).then(last), last(kind))
    return last(owner)


def method_of_container(owner: Any, place: Place, last: Attribute) -> Any:
    """A method of a container: it may read all of it."""
    found = last(owner)
    if isinstance(owner, dict) and last.name in ('__setitem__', '__delitem__'):
        note_place(owner, place)
        return found
    if not isinstance(found, types.MethodType) or is_of_library(found.__func__):
        return Reader(owner, place, last.name)
    note_place(owner, place)
    record(place, owner)
    kind = type(owner)
    record(place_of(kind, kind.__name__).then(last), last(kind))
    return found


class Reader(Progress):
    """A method of a container that lives outside: what it reads is guarded."""

    def __init__(self, container: Any, place: Place, name: str) -> None:
        self._container = container
        self._place = place
        self.__name__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if lives(self._container):
            changed = living(self._container, self._place)
            return getattr(changed, self.__name__)(*args, **kwargs)
        if self.__name__ in ('pop', 'setdefault') and args:
            let_live_by(self._container, args[0])
        step = Question('get', args[:1])
        is_by_key = isinstance(self._container, dict) and self.__name__ in _BY_KEY
        if is_by_key and args and is_staged_key(args[0]):
            return self._by_staged_key(*args, **kwargs)
        items = by_items(self._container, self._place, self.__name__, args, kwargs)
        if items is not NotImplemented:
            return items
        if self.__name__ in ('update', 'subtract'):
            let_live(self._container)
        if is_change(self._container, self.__name__):
            return change(self._container, self._place, self.__name__, *args, **kwargs)
        whole = read_whole(self._container, self._place)
        if not is_unknown(whole):
            return getattr(whole, self.__name__)(*args, **kwargs)
        if self.__name__ == 'get' and args and not kwargs and step.is_static:
            found, place = step_from(self._container, self._place, step)
            default = (*args, None)[1]
            value = finished(or_default(found, default), place)
            return default if value is MISSING else value
        return self._by_python(step, args, kwargs)

    def _by_python(self, step: Question, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What Python's own method gives while tracing; what it reads is guarded.

        Args:
          step: where `get` would lead with its arguments.
          args: what it is given.
          kwargs: what it is given by name.
        """
        if self.__name__ in _CHANGES:
            note_change(self._container)
        elif self.__name__ not in OF_PARTS:
            check_whole(self._container)
        if self.__name__ in _ONLY_CHANGES:  # even if it then holds what it held
            note_setting(self._container, None)
        container = self._container
        if self.__name__ not in _CHANGE_AND_READ:
            container = as_traced(container, str(self._place))
        method = getattr(container, self.__name__)
        compares = self.__name__ in _COMPARING
        found = call(method, *args, **kwargs) if compares else method(*args, **kwargs)
        if self.__name__ == 'setdefault' and step.is_static:
            record(self._place.then(step_in(container, Item(*step.args))), found)
        elif self.__name__ not in _ONLY_CHANGES:
            note_place(self._container, self._place)
            record_others(self._container, self._place)
            record(self._place, self._container)
        found = as_traced(found, self.__name__)
        return staged_container(found) if self.__name__ == 'copy' else found

    def _by_staged_key(self, *args: Any, **kwargs: Any) -> Any:
        """The same with a key that only the running graph knows."""
        container = self._container
        let_live_read(container, args[0])
        if is_outside(container) and self.__name__ == 'get':
            container = finished(container, self._place)
        return call(getattr(container, self.__name__), *args, **kwargs)


# Methods of a list that compare what it holds.
_COMPARING = ('count', 'index', 'remove', 'sort')
# Methods of a dict that are given a key.
_BY_KEY = ('get', 'pop', 'setdefault')
# Methods of an array or a number that tell its text.
_SHOWING: dict[str, Callable[..., str]] = {'__format__': format, '__repr__': repr, '__str__': str}

# Methods that read nothing of it, and others that change it.
_ONLY_CHANGES = ('add', 'append', 'appendleft', 'clear', 'discard', 'extend', 'insert', 'update')
_CHANGES = (*_ONLY_CHANGES, 'extendleft', 'setdefault')
_CHANGE_AND_READ = (*_CHANGES, 'move_to_end', 'pop', 'popitem', 'popleft', 'remove', 'reverse',
                    'rotate', 'sort')  # fmt: skip


def getenv(key: Any, default: Any = None) -> Any:
    """`os.getenv(key, default)`."""
    return method(os, '.environ', '.get')(key, default)


# Setting.


def set_captured(read: Callable[[], Any], name: str, passed: bool = False) -> None:
    """The function has set a global or a closure variable: what it reads of it is its own.

    Args:
      read: reads the variable.
      name: what it is called.
      passed: whether generated code has set it, to what a block is passed for it or gives back.
    """
    note_change(name)
    place = variable(read, name)
    if is_tracing() and not tell(place, passed):
        record_own(place)


def set_part(root: Any, *steps: Any) -> None:
    """The function has set an attribute or item."""
    if is_tracing():
        owner, place = settled(*walked(root, steps[:-1]))
        note_change(owner)
        last = written_step(steps[-1])
        key = last.name if isinstance(last, Attribute) else steps[-1][0]
        if place is not None and not is_variable(owner, key):
            record_own(place.then(step_in(owner, written_step(steps[-1]))))
