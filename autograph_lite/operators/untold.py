"""What Python does while a function is traced that nothing tells of: it writes files, asks clocks.

    log.write('called\\n')

No guard sees what that reads, and no run of the graph does it again: such a trace is for one call.
In a staged block, which may run any number of times or never, it is refused.
"""
from __future__ import annotations

import functools
import io
import re
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..converters.callees import is_of_library
from ..converters.untold_calls import is_untold, is_untold_of
from ..errors import OwnershipError, StagingError, describe, kind_of, user_location, with_article
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute
from .blocks_around import is_from_around
from .contents import is_object
from .done_once import done
from .guards import record
from .holders import walk
from .opaque import has_opaque_base, is_lock, is_opaque, never_changes
from .outside import is_outside, lives_outside, note, world_now
from .outside_errors import modifies_outside
from .places import Attribute, Place, Question
from .run_by_python import goes_on, has_run
from .staging import graph_now
from .warning_filters import is_held, sets_filters


class _Held(Question):
    """All that an object holds, and what that leads to."""

    @property
    def function(self) -> Callable[..., Any]:
        return _parts

    def written(self, owner: str) -> str:
        return f'what {owner} holds'


def _parts(x: Any) -> tuple[Any, ...]:
    held = [each.content for each in walk(('', x))]
    parts = (part for content in held for pair in content.items() for part in pair)
    return tuple(part if type(part) in _PLAIN else id(part) for part in parts)


_PLAIN = (bool, int, float, complex, str, bytes)
_HELD = _Held('held')


def method_of_library(owner: Any, place: Place, method: Attribute) -> Callable[..., Any]:
    """A method that an object outside has of a class of Python's library.

    It may read all that the object holds, which is guarded where that tells.
    """
    found: Callable[..., Any] = method(owner)
    if is_opaque(owner):
        return functools.partial(_called, found)
    is_of_file = is_untold_of(owner, method.name)
    if not is_of_file and (not is_object(owner) or never_changes(owner)):
        return functools.partial(_calling_back, found) if isinstance(owner, re.Pattern) else found
    reached = (each.owner for each in walk(('', owner)))
    if is_of_file or any(is_opaque(x) and not is_lock(x) for x in reached):
        return functools.partial(_called_as, f'`{method.name}` of {kind_of(owner)}', found)
    record(place.then(_HELD), _HELD(owner))
    return found


def _calling_back(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A method of a regular expression, which may call what it is given."""
    world_now().code.note(*args, *kwargs.values())
    return f(*args, **kwargs)


def check_lock(manager: Any) -> None:
    """Refuses `with lock:`, which would keep others out while the function is traced.

    Raises:
      StagingError: it is one that is there for several threads.
    """
    if not _matters(manager) or not (is_lock(manager) or type(manager).__module__ == 'threading'):
        return
    raise StagingError(describe(
        f'{with_article(type(manager).__name__, True)} is taken while tracing, and not when the '
        'graph runs.',
        user_location(), 'Take it where the function is called: `with lock: f(x)`.'))


def taken(iterator: Any, *default: Any) -> Any:
    """`next(iterator, *default)` of an iterator of Python's; see `note_untold` of one outside.

    Raises:
      OwnershipError: a staged block takes from one outside.
    """
    if not lives_outside(iterator):
        goes_on()
        item = next(iterator, *default)
        has_run()
        return item
    if graph_now().parent is not None:
        raise modifies_outside(iterator)
    item = done(next, iterator, *default)
    world_now().note_lasting(f'took from {kind_of(iterator)}')
    note(item)
    has_run()
    return item


def all_taken(iterable: Iterable[Any]) -> Iterator[Any]:
    """What is taken from something, one after the other."""
    if not isinstance(iterable, Iterator) or not lives_outside(iterable):
        return iter(iterable)
    return _taken(iterable)


def _taken(iterator: Iterator[Any]) -> Iterator[Any]:
    nothing = object()
    while (item := taken(iterator, nothing)) is not nothing:
        yield item


def _called(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    is_untold = note_untold(f, *args, *kwargs.values())
    return done(f, *args, **kwargs) if is_untold else f(*args, **kwargs)


def _called_as(what: str, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    _note(what, f, get_attribute(f, '__self__'), *args, *kwargs.values())
    return done(f, *args, **kwargs)


def note_untold(f: Callable[..., Any], *values: Any) -> bool:
    """A function is called as it is: the trace is for one call if nothing tells what that does.

    Args:
      f: the function.
      *values: what it is given.

    Returns:
      Whether that is so: then it is to be `done`.

    Raises:
      StagingError: it is given what only the running graph knows.
      OwnershipError: a staged block calls it.
    """
    what = '' if is_held(f) else _untold(f, values)
    if what:
        _note(what, f, *values)
    return bool(what)


def note_untold_names(f: types.FunctionType, values: Iterable[Any]) -> None:
    """A function of the user's is called as it is, which may use what it names: see `note_untold`.

    Args:
      f: the function.
      values: what its global and closure variables are.
    """
    is_caught = 'catch_warnings' in f.__code__.co_names
    for value in values:
        if is_caught and sets_filters(value):
            continue
        if get_attribute(value, '__wrapped__') is f:
            continue  # a function that keeps its results calls itself
        if isinstance(value, types.ModuleType):
            named = (get_attribute(value, name) for name in f.__code__.co_names)
            matter = (each for each in named if not (is_caught and sets_filters(each)))
            what = next((f'`{each.__name__}`' for each in matter if is_untold(each)), '')
        elif is_opaque(value) and not is_lock(value):
            what = kind_of(value)
        else:
            what = f'`{value.__name__}`' if is_untold(value) else ''
        if what:
            _note(f'`{f.__name__}`, which uses {what},', f)


def _note(what: str, f: Callable[..., Any], *values: Any) -> None:
    """See `note_untold`."""
    if any(isinstance(x, Tensor) for x in values) or any(
            isinstance(x, Tensor) for held in walk(*(('', x) for x in values))
            for x in held.content.values()):
        raise _needs_values(f, what)
    if graph_now().parent is not None:
        raise _in_a_block(f, what)
    world_now().note_lasting(f'called {what}')


def _untold(f: Callable[..., Any], values: tuple[Any, ...]) -> str:
    """What is called that nothing tells of, for people; empty for what does not matter later."""
    owner = get_attribute(f, '__self__')
    name = str(get_attribute(f, '__name__', ''))
    if is_untold(f, len(values)):
        return f'`{name}`'
    changes = has_opaque_base(owner) or (isinstance(owner, Iterator) and not is_object(owner))
    if _is_bound(f) and changes and _matters(owner):
        return f'`{name}` of {kind_of(owner)}'
    if not _hands_to(f):
        return ''
    given = next((x for x in values if is_opaque(x) and _matters(x)), None)
    return '' if given is None else f'`{name}` with {kind_of(given)}'


def _is_bound(f: Callable[..., Any]) -> bool:
    """Whether it is a method that is not written in Python, of an object."""
    is_method = isinstance(f, types.BuiltinMethodType) or (
        isinstance(f, types.MethodWrapperType) and f.__name__ == '__next__')
    owner = get_attribute(f, '__self__')
    return is_method and not isinstance(owner, type | types.ModuleType | None)


def _hands_to(f: Callable[..., Any]) -> bool:
    """Whether it is a function of a library, which may use what it is given."""
    is_plain = isinstance(f, types.BuiltinFunctionType | types.FunctionType)
    return is_plain and is_of_library(f) and get_attribute(f, '__module__') != 'builtins'


def _matters(x: Any) -> bool:
    """Whether it is there when the trace is done, or was before a block that may never run."""
    return is_outside(x) or lives_outside(x) or is_from_around(x)


def _needs_values(f: Callable[..., Any], what: str) -> StagingError:
    return StagingError(describe(
        f'{what} is called while tracing, with what only the running graph knows.',
        user_location(), _call_later(f, 'x', 'when the graph runs')))


def _in_a_block(f: Callable[..., Any], what: str) -> OwnershipError:
    reads = str(get_attribute(f, '__name__', 'f')).startswith('read')
    return OwnershipError(describe(
        f'A staged block calls {what.rstrip(",")}, which Python does once, while tracing.',
        user_location(),
        'Read it before the branch or the loop, or in an `ag.py_function`.'
        if reads else _call_later(f, '', 'whenever the block runs')))


def _call_later(f: Callable[..., Any], given: str, when: str) -> str:
    """What to write instead of a call whose effects are for the running graph."""
    later = (
        f'rite `ag.py_function(g, [{given}], None)`, where `g` is a function that calls '
        f'`{get_attribute(f, "__name__", "f")}`: it is called {when}.')
    if not isinstance(get_attribute(f, '__self__'), io.StringIO):
        return f'W{later}'
    return (
        "Put the text together in a list, `parts.append(str(x))`, then `''.join(parts)`; or where "
        f'the caller makes the file, w{later}')
