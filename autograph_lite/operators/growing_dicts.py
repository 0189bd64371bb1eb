"""`GrowingDict`: a dict whose keys themselves only the running graph knows.

    counts = {}
    for x in xs:
        counts[int(x)] = counts.get(int(x), 0) + 1

All its keys have one form, and so have its values. In a graph there is a dict for each leaf of a
value. What the graph returns of it is a real dict.
"""
from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph import dispatch, nest
from ..graph.graph import Op
from ..graph.state import valued
from ..graph.storage import ELEMENT, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing, site
from ..graph.types import ListType
from ..ops.dicts import APPEND_TO, COPY_OF, DELETE, GET, GET_OR, HAS, KEYS, NEW, SET, VALUES
from ..ops.lists import element_of, is_empty
from .checking import check
from .conditionals import cond
from .counters import combined
from .dict_errors import unsupported
from .dict_methods import DictMethods
from .dicts import real_dict
from .handles import handle
from .keys_and_values import (
    check_form_of_key,
    of_another_form,
    places_in,
    stored,
    type_of_number,
    unfit,
)
from .lists import StagedList, element_of_list, held_element
from .live_kinds import as_element
from .nest_lists import NestList
from .reentry import call
from .staging import graph_now, unchanged
from .watched import watch, watch_parts


class GrowingDict(DictMethods):
    """A dict whose keys only the running graph knows.

    Attributes:
      kind: the class of the dict.
      factory: of a `defaultdict`, what gives a key its first value.
      key: the form of a key.
      value: the form of a value.
      columns: for each leaf of a value, the dict of those leaves.
    """

    __slots__ = ('_made', 'columns', 'factory', 'key', 'kind', 'successor', 'value')

    def __init__(
        self, kind: type[Any], factory: Any, key: nest.Structure, value: nest.Structure,
        columns: Sequence[Any],
    ) -> None:  # fmt: skip
        self.kind = kind
        self.factory = factory
        self.key = key
        self.value = value
        self.columns = list(columns)
        self.successor = self._made = None

    # What a nest is asked.

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.kind, self.factory, self.key, self.value), self.columns

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        kind, factory, key, value = keys
        if is_tracing():
            return cls(kind, factory, key, value, parts)
        first, *_ = parts
        held = {key: value.build(part[key] for part in parts) for key in first}
        return real_dict(kind, factory, held)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        *_, key, value = keys
        return f'a dict of {key} to {value}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return [path.removeprefix('x') for path in nest.paths(keys[-1], 'x')]

    def content(self) -> dict[Any, Any]:
        return {'columns': self.columns}

    def restore(self, content: dict[Any, Any]) -> None:
        self.columns = content['columns']
        self.successor = None

    def leave(self, moved: Any) -> None:
        self.columns = [moved]

    # What a dict is asked.

    def has(self, key: Any) -> Any:
        """Whether a key is there."""
        if nest.flatten(valued(key))[1] != self.key or self._never_filled:
            return False
        return Tensor(self._ask(self.columns[0], HAS, key))

    def length(self) -> Any:
        """How many keys there are."""
        return self.columns[0].length()

    def __getitem__(self, key: Any) -> Any:
        if self.kind is Counter:
            return self.get(key, 0)
        self.make(key)
        if self._never_filled:
            self._lacks(key)
        return self.value_of(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._put(key, value)

    refill = __setitem__

    def __delitem__(self, key: Any) -> None:
        if self.kind is Counter:  # a key that is not there counts nothing
            self._if_there(key, lambda: self._take_out(key), lambda: None)
            return
        if self._never_filled:
            self._lacks(key)
        self._take_out(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key; the default if it is not there."""
        first, type_ = self.columns[0], type_of_number(default)
        is_number = type_ is not None and self.value == nest.LEAF and not self._never_filled
        if is_number and type_ == element_of(first.type):
            parts, attrs = self._parts_of(key)
            return Tensor(first._add(GET_OR, default, *parts, attrs=attrs))
        self._keep_lists()
        return self._if_there(key, lambda: self.value_of(key), lambda: default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which it gets if it is not there."""
        default = as_element(default)
        self._unless_there(key, lambda key: self._put(key, default))
        if self.holds_lists:
            from .growing_places import Made  # it needs what is here

            return Made(self, key)
        return self.value_of(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes a key out; its value."""

        def taken() -> Any:
            value = self.value_of(key)
            self._take_out(key)
            return value

        if not default:
            return self._lacks(key) if self._never_filled else taken()
        return self._if_there(key, taken, lambda: default[0])

    def clear(self) -> None:
        """Takes every key out."""
        for column in self.columns:
            column.clear()

    def copy(self) -> GrowingDict:
        """A dict with the same keys and values."""
        self._keep_lists()
        columns = [column.copy() for column in self.columns]
        return GrowingDict(self.kind, self.factory, self.key, self.value, columns)

    __copy__ = copy

    def listed_keys(self) -> Any:
        """The list of the keys."""
        first, paths = self.columns[0], places_in(self.key)
        return _list(self.key, [
            StagedList(first._add(KEYS, attrs={'part': part, 'steps': steps}))
            for part, steps in enumerate(paths)])

    def listed_values(self) -> Any:
        """The list of the values."""
        self._keep_lists()
        return _list(self.value, [values_of(column) for column in self.columns])

    def listed_items(self) -> Any:
        """The list of the keys with their values."""
        parts = [self.listed_keys(), self.listed_values()]
        columns = [
            column for part in parts
            for column in (part.columns if isinstance(part, NestList) else [part])]
        return NestList(nest.Structure(tuple, (), (self.key, self.value)), columns)

    def held(self) -> Any:
        """What tells whether it has been changed since."""
        return self.columns[0].held

    def popitem(self, last: bool = True) -> Any:
        """Takes out the last key, or the first; the key and its value."""
        check(self.length() == 0, _EMPTY[self.kind is OrderedDict], KeyError)
        key = self.listed_keys()[-1 if last else 0]
        return key, self.pop(key)

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Makes a key the last one; of an OrderedDict."""
        if self.kind is not OrderedDict:
            raise AttributeError(f"'{self.kind.__name__}' object has no attribute 'move_to_end'")
        if last is not True:
            raise unsupported((), '`move_to_end` with `last`')
        self[key] = self.pop(key)

    def update(self, other: Any = (), **more: Any) -> None:
        """Sets the keys of another dict; a Counter counts."""
        from .filling import fill  # it needs what is here

        for part in (other, more) if more else (other,):
            fill(self, part)

    def most_common(self, n: Any = None) -> Any:
        """The keys with their counts, the greatest first; of a Counter."""
        from .ordering import sorted as in_order

        found = in_order(self.listed_items(), key=lambda pair: pair[1], reverse=True)
        return found if n is None else found[:n]

    def total(self) -> Any:
        """The sum of the counts."""
        from .summing import sum as total

        return total(self.listed_values())

    def __eq__(self, other: object) -> Any:
        from .filling import equal_dicts  # it needs what is here

        return equal_dicts(self, other)

    def __ror__(self, other: Any) -> Any:
        if self.kind is Counter:
            return combined('|', other, self)
        if not isinstance(other, dict):
            return NotImplemented
        made = empty_dict(self.kind, self.factory, self.key, self.value)
        made.update(other)
        made.update(self)
        return made

    def __iter__(self) -> Iterator[Any]:
        raise unsupported((), 'going over its keys in Python')

    def __len__(self) -> int:
        raise unsupported((), 'asking Python for its length')

    def __bool__(self) -> bool:
        raise unsupported((), 'asking Python for its truth value')

    def __contains__(self, key: Any) -> bool:
        raise unsupported((), 'asking Python for a key')

    def __getattr__(self, name: str) -> Any:
        if hasattr(self.kind, name) and not name.startswith('__'):
            raise unsupported((), f'`{name}`')
        raise AttributeError(f"'{self.kind.__name__}' object has no attribute {name!r}")

    def __repr__(self) -> str:
        dispatch.FALLBACKS['check shown'](self.columns[0])
        return f'<{nest.flatten(self)[1]}>'

    def _view(self, part: str) -> Any:
        from .growing_views import GrowingView  # it needs what is here

        return GrowingView(self, part)

    def _unless_there(self, key: Any, missing: Callable[[Any], Any]) -> None:
        self._if_there(key, unchanged, lambda: missing(key))

    def _if_there(self, key: Any, there: Callable[[], Any], missing: Callable[[], Any]) -> Any:
        is_there = self.has(key)
        return missing() if is_there is False else cond(is_there, there, missing)

    @property
    def _never_filled(self) -> bool:
        """Whether nothing is ever put into it; as yet, in the first round of a loop."""
        return is_empty(self.columns[0].type)

    def make(self, key: Any) -> None:
        """Gives a key of a `defaultdict` its first value."""
        if self.factory is None or self._made == self._mark(key):
            return
        self._unless_there(key, self._put_new)
        self._made = self._mark(key)

    def _mark(self, key: Any) -> Any:
        """What tells whether a key has been given a value, and nothing has changed since."""
        parts = nest.flatten(valued(key))[0]
        return [graph_now(), self.held(), *(x.held if isinstance(x, Tensor) else x for x in parts)]

    def value_of(self, key: Any) -> Any:
        """The value of a key that is there; a copy of a list, which the dict alone has."""
        if self.holds_lists:
            own = self.copy_of(key)
            watch(own)
            return own
        leaves = [
            handle(self._ask(column, GET, key), (Storage(graph_now(), ELEMENT),))
            for column in self.columns]
        value = element_of_list(nest.unflatten(self.value, leaves))
        watch_parts(value)  # of which key it is, only the running graph knows
        return value

    def copy_of(self, key: Any) -> Any:
        """A copy of the list that is the value of a key."""
        return handle(self._ask(self.columns[0], COPY_OF, key))

    def append_to(self, key: Any, item: Any) -> None:
        """Puts an item behind the last of the list that is the value of a key."""
        if not nest.is_leaf(item):
            raise unfit(item)
        parts, attrs = self._parts_of(key)
        self.columns[0]._update(APPEND_TO, held_element(item), *parts, attrs=attrs)

    def _keep_lists(self) -> None:
        if self.holds_lists:
            from .growing_places import keep_lists  # it needs what is here

            keep_lists(self)

    @property
    def holds_lists(self) -> bool:
        """Whether its values are lists."""
        held = getattr(self.columns[0].type, 'element', None)
        return self.value == nest.LEAF and isinstance(held, ListType)

    def _put(self, key: Any, value: Any) -> None:
        value = stored(value)
        leaves, form = nest.flatten(value)
        if form != self.value:
            raise of_another_form('values', self.value, form)
        watch_parts(value)
        parts, attrs = self._parts_of(key)
        for column, leaf in zip(self.columns, leaves, strict=True):
            column._update(SET, held_element(leaf), *parts, attrs=attrs)

    def _put_new(self, key: Any) -> None:
        self._put(key, call(self.factory))

    def _take_out(self, key: Any) -> None:
        parts, attrs = self._parts_of(key)
        for column in self.columns:
            column._update(DELETE, *parts, attrs=attrs)

    def _lacks(self, key: Any) -> Any:
        from .chosen_keys import missing  # it needs what is here

        return missing(self, key)

    def _ask(self, column: StagedList, op: Op, key: Any) -> Any:
        parts, attrs = self._parts_of(key)
        return column._add(op, *parts, attrs=attrs)

    def _parts_of(self, key: Any) -> tuple[list[Any], dict[str, Any]]:
        """The leaves of a key, and what an op is told of it."""
        parts, form = nest.flatten(valued(key))
        if form != self.key:
            raise of_another_form('keys', self.key, form)
        return parts, {'form': form}


_EMPTY = ('popitem(): dictionary is empty', 'dictionary is empty')


def empty_dict(
    kind: type[Any], factory: Any, key: nest.Structure, value: nest.Structure
) -> GrowingDict:
    """One without keys, whose keys and values shall have these forms."""
    check_form_of_key(key)
    columns = [
        StagedList(graph_now().add(NEW, [], site=site()).outputs[0])
        for _ in nest.paths(value, '')]
    return GrowingDict(kind, factory, key, value, columns)


def values_of(column: StagedList) -> StagedList:
    """The list of the values in one of its dicts."""
    return StagedList(column._add(VALUES))


def _list(form: nest.Structure, columns: list[StagedList]) -> Any:
    return columns[0] if form.type is None else NestList(form, columns)
