"""What is known of the lists, dicts and objects that the running program has itself: see `live`.

A function is traced so where it is refused otherwise: what a list that the running graph fills
holds is then no values but one of these. What each holds has one type. A trace that finds another
one, or a list that grows, begins anew and knows that.
"""
from __future__ import annotations

import itertools
import threading
import types
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from ..errors import StagingError, is_internal, user_frame
from ..graph import dispatch
from ..graph.joins import join
from ..graph.types import ListType, LiveType, TensorType
from .local_code import is_local_class

_PACKAGE = __package__.partition('.')[0]

Result = TypeVar('Result')
Type = TypeVar('Type', bound=TensorType)

# The key of all that is in what grows.
EACH = '<each>'
# The key of the keys of a dict that grows.
KEYS = '<keys>'
# So many times a trace begins anew, knowing more.
_MOST_TIMES = 60


class NotOfLiveError(StagingError):
    """What is live cannot do what a function needs, which can be traced in no other form."""


class KnownAnew(BaseException):
    """A trace begins anew, knowing more of what is live."""


class _Known:
    """What the traces of one function have found.

    Attributes:
      places: where in the user's code something live is made, each a group of its own at first.
      groups: by number of a group, that of the one that it has become part of.
      classes: those of which all objects are live, in the order in which they were met.
      met: those of them that this trace has met.
      growing: the forms of which some grow, by class and keys.
      types: of what is in those of a form, the types.
      asked: what was asked for before anything was known to be there.
      has_lists: whether all lists of numbers are live that grow.
      changes: of what is of a form, how often it has been changed.
    """

    def __init__(self) -> None:
        self.places: dict[Hashable, int] = {}
        self.groups: dict[int, int] = {}
        self.classes: list[type[Any]] = []
        self.met: set[type[Any]] = set()
        self.growing: set[LiveType] = set()
        self.types: dict[tuple[LiveType, Hashable], TensorType] = {}
        self.asked: set[tuple[LiveType, Hashable]] = set()
        self.has_lists = False
        self.changes: Counter[LiveType] = Counter()


class _Tracing(threading.local):
    known: _Known | None = None
    would_help = False
    part: tuple[Hashable, ...] = ()


_tracing = _Tracing()


@contextmanager
def by_value() -> Iterator[None]:
    """Around a trace in which nothing is live."""
    outer = _tracing.known, _tracing.would_help
    _tracing.known, _tracing.would_help = None, False
    try:
        yield
    finally:
        _tracing.known, _tracing.would_help = outer


def live_would_help() -> bool:
    """Whether a list of lists or the like was met in the last trace by value."""
    return _tracing.would_help


def is_on() -> bool:
    """Whether lists of the running graph hold what is live; if not, it is noted that they might."""
    _tracing.would_help = True
    return _tracing.known is not None


def live_might_help() -> None:
    """Something was met that can be done with what is live."""
    _tracing.would_help = True


def are_live() -> bool:
    """Whether they do."""
    return _tracing.known is not None


def traced_live(trace: Callable[[], Result]) -> Result:
    """What a trace gives in which lists of the running graph hold what is live."""
    outer = _tracing.known
    _tracing.known = _Known()
    try:
        for _ in range(_MOST_TIMES):
            try:
                return trace()
            except KnownAnew:
                _tracing.known.asked.clear()
                _tracing.known.met.clear()
        return trace()
    finally:
        _tracing.known = outer


def _known() -> _Known:
    known = _tracing.known
    assert known is not None, 'nothing is live'
    return known


def check_class(kind: type[Any]) -> None:
    """From now on all objects of a class are live.

    Raises:
      KnownAnew: they have not been.
    """
    if not is_live_class(kind):
        _known().classes.append(kind)
        raise KnownAnew


def is_live_class(kind: type[Any]) -> bool:
    """Whether all objects of a class are live."""
    known = _tracing.known
    if known is None:
        return False
    if kind not in known.classes and is_local_class(kind):
        _meet_again(kind)
    if kind in known.classes:
        known.met.add(kind)
    return kind in known.classes


def _meet_again(kind: type[Any]) -> None:
    """Lets a class that the function makes be known as the one that the last trace made of it."""
    known = _known()
    for number, old in enumerate(known.classes):
        if old not in known.met and _statement(old) == _statement(kind):
            known.classes[number] = kind
            known.growing = {_of_class(form, old, kind) for form in known.growing}
            known.types = {
                (_of_class(form, old, kind), key): _of_class(type_, old, kind)
                for (form, key), type_ in known.types.items()}
            return


def _statement(kind: type[Any]) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


def _of_class(type_: Type, old: type[Any], kind: type[Any]) -> Type:
    """The type, with one class in the place of another one."""
    if isinstance(type_, LiveType):
        return replace(type_, of=kind) if type_.of is old else type_
    if isinstance(type_, ListType) and type_.element is not None:
        return replace(type_, element=_of_class(type_.element, old, kind))
    return type_


def type_of_new(kind: type[Any], keys: tuple[Any, ...]) -> LiveType:
    """The type of what holds something at these indices or keys, or in these attributes."""
    is_open = kind not in (list, tuple, dict) or (kind is not tuple and not keys)
    form = LiveType(of=kind, keys=None if is_open else keys, group=_group_here())
    return replace(form, keys=None) if form in _known().growing else form


def _group_here() -> int:
    """The group of what is made here: by where in the user's code, and how that was called.

    How often a function has called itself by then, and on which ways, does not tell.
    """
    known, frame = _known(), user_frame()
    calls: dict[types.CodeType, int] = {}
    while frame is not None and frame.f_globals.get('__name__') != f'{_PACKAGE}.trace':
        code = frame.f_code
        if code in calls:
            calls = dict(itertools.islice(calls.items(), list(calls).index(code) + 1))
        elif not is_internal(code.co_filename):
            calls[code] = frame.f_lasti
        frame = frame.f_back
    place = (*_tracing.part, *calls.items())
    return _group(known.places.setdefault(place, len(known.places)))


@contextmanager
def part_of_place(*part: Hashable) -> Iterator[None]:
    """What is made inside is told from what else is made where the user's code is now."""
    outer, _tracing.part = _tracing.part, (*_tracing.part, *part)
    try:
        yield
    finally:
        _tracing.part = outer


def with_part_of_place(part: Hashable, function: Callable[[], Result]) -> Result:
    """What a function gives inside of that."""
    with part_of_place(part):
        return function()


def _group(number: int) -> int:
    """The number of the group that a group has become part of, or its own."""
    while number in _known().groups:
        number = _known().groups[number]
    return number


def _form(type_: LiveType) -> LiveType:
    return replace(type_, maybe=False) if type_.maybe else type_


def let_grow(type_: LiveType) -> None:
    """What is of this form gets more, or loses some.

    Raises:
      KnownAnew: that was not known.
    """
    form = _form(type_)
    if form.keys is not None and form not in _known().growing:
        _known().growing.add(form)
        _known().types.clear()
        raise KnownAnew


def _one_form(a: LiveType, b: LiveType) -> None:
    """Two forms that meet are in one group; lists of several lengths, and dicts, grow.

    Raises:
      KnownAnew: that was not known.
    """
    if a.of is not b.of:
        return
    if a.group != b.group:
        known, number = _known(), min(a.group, b.group)
        known.groups[max(a.group, b.group)] = number
        known.types.clear()
        known.growing |= {replace(form, group=_group(form.group)) for form in known.growing}
        raise KnownAnew
    if a.of in (list, dict):
        let_grow(a)
        let_grow(b)


dispatch.FALLBACKS['one form'] = _one_form


def type_at(type_: LiveType, key: Hashable) -> TensorType | None:
    """The type of what is there; None where nothing is known to be."""
    place = _form(type_), key
    found = _known().types.get(place)
    if found is None:
        _known().asked.add(place)
    return found


def is_known(type_: LiveType, key: Hashable) -> bool:
    """Whether something is known to be there."""
    return type_at(type_, key) is not None


def joined_type(type_: LiveType, key: Hashable, put: TensorType) -> TensorType:
    """The type of what is there, now that something of this type is put there.

    Raises:
      KnownAnew: it was another one.
      JoinError: there is none that fits all.
    """
    place, types = (_form(type_), key), _known().types
    before = types.get(place)
    if before is None:
        types[place] = put
        if place in _known().asked:
            raise KnownAnew
        return put
    after = join(before, put)
    if after != before or after.met != before.met:
        types[place] = after
        raise KnownAnew
    return after


def names_of(kind: type[Any]) -> list[Any]:
    """The attributes that objects of a class are known to have."""
    return list(dict.fromkeys(key for form, key in _known().types if form.of is kind))


def check_lists() -> None:
    """From now on all lists of numbers are live that grow.

    Raises:
      KnownAnew: they have not been.
    """
    if not _known().has_lists:
        _known().has_lists = True
        raise KnownAnew


def are_lists_live() -> bool:
    """Whether all lists of numbers are live that grow."""
    return _tracing.known is not None and _tracing.known.has_lists


def note_change(type_: LiveType) -> None:
    """Something of this form is changed."""
    _known().changes[type_] += 1


def changes_of(type_: LiveType) -> int:
    """How often something of this form has been changed."""
    return _known().changes[type_]
