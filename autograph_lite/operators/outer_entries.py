"""A dict outside that gets keys which only the running graph knows, as traced code has it.

    COUNTS[int(v)] += 1

What changes it is done to the dict itself, and what reads it reads it there, whenever the graph
runs: its keys and values have types that tracing knows, and it may grow without a new trace.
"""
from __future__ import annotations

import functools
import operator
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, kind_of, user_location
from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..graph.types import ListType, python_scalar, type_of
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from . import entry_reads as reads
from .anew import note_late
from .chosen_keys import missing
from .conditionals import cond
from .counters import subtract
from .dict_methods import DictViews
from .dicts import real_dict
from .entry_types import EntryType, entry_type, joined
from .filling import fill
from .given_away import give_away
from .growing_dicts import GrowingDict
from .growing_places import Made
from .growing_views import GrowingView
from .guards import record, record_same
from .keys_and_values import form_of_key, type_of_number, unfit
from .living_lists import LivingDict
from .outer_calls import Changing, found_itself
from .outer_lists import OuterList, reading, swapped
from .outside import rebound
from .outside_errors import read_after_change
from .passed_to_python import passed_arguments
from .places import Place, Question
from .put_outside import check_put, with_theirs
from .python_functions import found_result
from .reentry import call
from .running_reads import ReadingEntry, asked, from_outside
from .staging import unchanged
from .watched import is_watched, modified_one_of_two


class OuterDict(DictViews, LivingDict):
    """The dict itself.

    Args:
      container: the dict.
      place: where it was found.
    """

    def __init__(self, container: Any, place: Place | None) -> None:
        self.outer = OuterList(container, place)
        self.python_class = type(container)

    @property
    def container(self) -> Any:
        """The dict."""
        return self.outer.container

    @property
    def found_at(self) -> Place | None:  # type: ignore[override]
        """Where it was found."""
        return self.outer.found_at

    @property
    def kind(self) -> Any:
        """The class of the dict."""
        return self.python_class

    @property
    def factory(self) -> Any:
        """Of a `defaultdict`, what gives a key its first value."""
        return getattr(self.container, 'default_factory', None)

    @property
    def listed(self) -> Any:
        return self.listed_keys()

    def has(self, item: Any) -> Any:
        form_of_key(item)
        return asked(reads.has, self.container, (item,), python_scalar(bool))

    def length(self) -> Any:
        """How many keys there are."""
        return asked(len, self.container, (), python_scalar(int))

    as_condition = length

    def held(self) -> Any:
        """What tells whether it has been changed since."""
        world = rebound()
        assert world is not None
        return world.in_place.mark(self.container)

    def now(self) -> Any:
        """A dict of what is in it when the graph comes here."""
        key, value = self._type('keys'), self._type('values')
        if key is None or value is None:
            return real_dict(self.kind, self.factory, {})
        held = reads.columns_now(self.container, key, value)
        return GrowingDict(self.kind, self.factory, key.form, value.form, held)

    def closed(self) -> Any:
        raise read_after_change(self.container)

    # What is read.

    def __getitem__(self, key: Any) -> Any:
        if self.kind is Counter:
            return self.get(key, 0)
        self.make(key)
        return self.value_of(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key; the default if it is not there."""
        type_, other = self._type('values'), type_of_number(default)
        if type_ is None:
            return default
        is_number = other is not None and not self.holds_lists
        both = joined([type_, EntryType(nest.LEAF, (other,))]) if is_number and other else None
        if both is not None:
            return self._asked(reads.get, both, key, default)
        return cond(self.has(key), lambda: self.value_of(key), lambda: default)

    def value_of(self, key: Any) -> Any:
        """The value of a key that is there; of a list, a copy."""
        type_ = self._type('values')
        if type_ is None:  # nothing is ever put into it, as yet
            return missing({}, key)
        return self._asked(reads.item, type_, key)

    copy_of = value_of

    @property
    def holds_lists(self) -> bool:
        """Whether its values are lists."""
        type_ = self._type('values')
        return type_ is not None and type_.form == nest.LEAF and isinstance(
            type_.types[0], ListType)

    def _view(self, part: str) -> Any:
        return GrowingView(self, part)

    def __getattr__(self, name: str) -> Any:
        if name in _ASKED:
            return getattr(self, _ASKED[name])
        if name in ('outer', 'python_class') or name.startswith('__'):
            raise AttributeError(name)
        if name in _LISTING:
            return lambda: _listed(self.now(), name)
        if hasattr(self.kind, name):
            return getattr(self.now(), name)
        raise AttributeError(f"'{self.kind.__name__}' object has no attribute {name!r}")

    def __iter__(self) -> Iterator[Any]:
        raise read_after_change(self.container)

    # What changes it.

    def __setitem__(self, key: Any, value: Any) -> None:
        check_put(value)
        key, value = valued(key), _stored(with_theirs(value))
        form_of_key(key)
        self._expect(keys=key, values=value)
        if _may_be_nan(key):
            self.has(key)
        self._do(operator.setitem, key, value)

    def __delitem__(self, key: Any) -> None:
        form_of_key(key)
        self._do(operator.delitem, key)

    def make(self, key: Any) -> None:
        """Gives a key of a `defaultdict` its first value."""
        if self.factory is not None:
            cond(self.has(key), unchanged, lambda: self._put(key, call(self.factory)))

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which it gets if it is not there."""
        cond(self.has(key), unchanged, lambda: self._put(key, default))
        if self.holds_lists:
            return Made(self, key)
        return self.value_of(key)

    def _put(self, key: Any, value: Any) -> None:
        self[key] = value

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes a key out; its value."""

        def taken() -> Any:
            value = self.value_of(key)
            del self[key]
            return value

        return cond(self.has(key), taken, lambda: default[0]) if default else taken()

    def popitem(self, last: bool = True) -> Any:
        """Takes out the last key, or the first; the key and its value."""
        type_ = self._type('keys')
        if type_ is None:
            raise KeyError(reads.EMPTY[self.kind is OrderedDict])
        key = self._asked(reads.last if last else reads.first, type_)
        return key, self.pop(key)

    def clear(self) -> None:
        """Takes every key out."""
        self._do(reads.clear)

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Makes a key the last one, or the first; of an OrderedDict."""
        self._do(reads.move, key, last)

    def update(self, other: Any = (), **more: Any) -> None:
        """Sets the keys of another dict; a Counter counts."""
        for part in (other, more) if more else (other,):
            fill(self, part)

    def subtract(self, other: Any = (), **more: Any) -> None:
        """Takes as many off each count as the other has; of a Counter."""
        for part in (other, more) if more else (other,):
            subtract(self, part)

    def append_to(self, key: Any, item: Any) -> None:
        """Puts an item behind the last of the list that is the value of a key."""
        if not nest.is_leaf(item):
            raise unfit(item)
        self._expect(values=[item])
        self._do(reads.append, key, item)

    def refill(self, key: Any, items: Any) -> None:
        """Lets the list that is the value of a key hold other items."""
        self._expect(values=items)
        self._do(reads.refill, key, items)

    def _do(self, function: Callable[..., Any], *args: Any) -> None:
        world, container, place = rebound(), self.container, self.found_at
        assert world is not None
        if place is not None:
            record_same(place, container)
        if is_watched(id(container)):
            raise modified_one_of_two(container)
        give_away(args)
        passed, inputs = passed_arguments(args, found_itself, nest.actual)
        run = Changing(container, functools.partial(function, container), passed, False)
        emit(PYTHON_ACTION, inputs, {'run': run, 'types': []}, value_of=held_value)
        world.in_place.note_change(container, None, None)

    def _asked(self, function: Callable[..., Any], type_: EntryType, *args: Any) -> Any:
        for key in args[:1]:
            form_of_key(key)
        passed, inputs = passed_arguments(args, found_result)
        run = ReadingEntry(function, self.container, passed, type_)
        attrs = {'run': run, 'types': list(type_.types)}
        made = emit(PYTHON_FUNCTION, inputs, attrs, value_of=held_value)
        return nest.unflatten(type_.form, list(map(from_outside, made)))

    # What is known of its keys and values.

    def _type(self, part: str) -> EntryType | None:
        """What all keys, or values, have in common; None if there are none, as far as is known.

        Raises:
          StagingError: they have nothing in common.
        """
        world, container, place = rebound(), self.container, self.found_at
        assert world is not None
        known = world.in_place
        known.elements.add(id(container))
        put = [type_ for where, type_ in known.types(container) if where == part]
        held = list(dict.fromkeys(map(entry_type, getattr(container, part)())))
        type_ = joined([*put, *held])
        if type_ is None and (put or held):
            raise _differ(container, part, [*put, *held])
        if place is not None and type_ is None:
            record(place.then(Question('len')), 0)
        elif place is not None:
            record(place.then(Question('fit', (part, type_))), True)
        return type_

    def _expect(self, **parts: Any) -> None:
        """Has the function traced anew if it has read what it did not know to be of this type."""
        world, key = rebound(), id(self.container)
        assert world is not None
        known, new = world.in_place, []
        for part, x in parts.items():
            type_ = entry_type(x)
            if type_ is None:
                raise unfit(x)
            if (part, type_) not in known.types(self.container):
                new.append((part, type_))
        if new and key in known.elements and world.reads:
            note_late(*(('put', key, each) for each in new))
        for each in new:
            known.note_put(self.container, each)


def _in_place(symbol: str) -> Any:
    def method(self: OuterDict, other: Any) -> Any:
        if self.kind is Counter:
            made = _PYTHONS[symbol](self.now(), other)
            self.clear()
            self.update(made)
            return self
        if symbol != '|':
            return NotImplemented
        self.update(other)
        return self

    return method


_PYTHONS = {'+': operator.add, '-': operator.sub, '|': operator.or_, '&': operator.and_}
_ASKED = {'__len__': 'length', '__contains__': 'has'}
_LISTING = ('listed_keys', 'listed_values', 'listed_items')


def _listed(now: Any, name: str) -> Any:
    return getattr(now, name)() if isinstance(now, GrowingDict) else []


def _stored(value: Any) -> Any:
    """What is put into such a dict.

    Raises:
      StagingError: it is, or has in it, what cannot be read of one.
    """
    value = valued(value)
    if entry_type(value) is None:
        raise unfit(value)
    return value


def _may_be_nan(key: Any) -> bool:
    types = [x.type if isinstance(x, Tensor) else type_of(x) for x in nest.flatten(key)[0]]
    return any(type_ is not None and type_.dtype.kind in 'fc' for type_ in types)


def _differ(container: Any, part: str, types: Sequence[Any]) -> StagingError:
    shown = ', '.join(sorted({str(type_) if type_ else 'other things' for type_ in types}))
    return StagingError(describe(
        f'{kind_of(container).capitalize()} that lives outside the function has {part} of several '
        f'types, and gets keys that only the running graph knows: {shown}.', user_location(),
        f'Give all {part} of it one type, or let several dicts have them.'))


for _name in ('eq', 'ne', 'or', 'and', 'add', 'sub', 'pos', 'neg'):
    setattr(OuterDict, f'__{_name}__', reading(f'__{_name}__'))
for _name in ('or', 'and', 'add', 'sub'):
    setattr(OuterDict, f'__r{_name}__', swapped(f'__{_name}__'))
for _name, _symbol in {'or': '|', 'and': '&', 'add': '+', 'sub': '-'}.items():
    setattr(OuterDict, f'__i{_name}__', _in_place(_symbol))
