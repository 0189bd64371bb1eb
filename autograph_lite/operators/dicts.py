"""`StagedDict`: a dict of which only the running graph knows which keys it has.

    last = {}
    for x in xs:
        if x > 0:
            last['positive'] = x

The keys themselves are known while tracing. Each has a value beside a number that tells whether it
is there, and after which others it was set. What the graph returns of it is a real dict.
"""
from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .comparing import equal
from .conditionals import cond
from .counters import combined, equal_counts, is_counter
from .dict_errors import missing_key, unsupported
from .dict_methods import DictMethods
from .guarded import bound, is_of_this_block
from .lists import StagedList
from .logic import and_, not_
from .reentry import call
from .staging import unchanged
from .unbound import NOTHING, Unbound
from .watched import is_container, put_into_watched, watch_all

# The number of a key that is not there.
ABSENT = -1

Form = dict[Any, int | None]


class StagedDict(DictMethods):
    """A dict whose keys may be there or not when the graph runs.

    Attributes:
      kind: the class of the dict.
      certain: the keys that have been there ever since the dict was staged, and their numbers.
      numbers: of every key, how many were set before it; negative for one that is not there.
      held: of every key, its value, or what stands in the place of one.
      next: the number of the next key.
      factory: of a `defaultdict`, what gives a key its first value.
    """

    __slots__ = ('certain', 'factory', 'held', 'kind', 'next', 'numbers', 'successor')

    def __init__(
        self, kind: type[Any], factory: Any, certain: dict[Any, int], numbers: dict[Any, Any],
        held: dict[Any, Any], next_: Any,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.factory = factory
        self.certain = certain
        self.numbers = numbers
        self.held = held
        self.next = next_
        self.successor = None

    # What a nest is asked.

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        form = form_of(self)
        unsure = [self.numbers[key] for key, number in form.items() if number is None]
        return (self.kind, self.factory, tuple(form.items())), [
            self.next, *unsure, *(self.held[key] for key in form)]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        kind, factory, form = keys
        next_, *others = parts
        rest = iter(others)
        numbers = {key: next(rest) if number is None else number for key, number in form}
        held = dict(zip(numbers, rest, strict=True))
        if is_tracing():
            certain = {key: number for key, number in form if number is not None}
            return cls(kind, factory, certain, numbers, held, next_)
        return real_dict(kind, factory, {key: held[key] for key in in_order(numbers)})

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        *_, form = keys
        values = zip(form, parts[len(parts) - len(form) :], strict=True)
        inside = (
            f'{key!r}: {value}{" or nothing" if number is None else ""}'
            for (key, number), value in values
        )
        return '{' + ', '.join(inside) + '}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        *_, form = keys
        return [*[''] * (size - len(form)), *(f'[{key!r}]' for key, _ in form)]

    def content(self) -> dict[Any, Any]:
        more = {_Number(key): number for key, number in self.numbers.items()}
        own = {_NEXT: self.next, _CERTAIN: self.certain, _SUCCESSOR: self.successor}
        return {**self.held, **more, **own}

    def restore(self, content: dict[Any, Any]) -> None:
        self.held = {key: x for key, x in content.items() if not isinstance(key, _Number)}
        self.numbers = {key: content[_Number(key)] for key in self.held}
        self.next, self.certain = content[_NEXT], content[_CERTAIN]
        self.successor = content[_SUCCESSOR]

    def leave(self, moved: Any) -> None:
        self.held = dict.fromkeys(self.held, moved)
        self.numbers = dict.fromkeys(self.numbers, moved)

    # What a dict is asked.

    def has(self, key: Any) -> Any:
        """Whether a key is there; a symbolic bool where only the running graph knows."""
        number: Any = valued(self.numbers.get(valued(key), ABSENT))
        return number >= 0

    def length(self) -> Any:
        """How many keys there are."""
        return sum(self.has(key) + 0 for key in self.numbers)

    def __getitem__(self, key: Any) -> Any:
        if self.kind is Counter:
            return self.get(key, 0)
        if self.factory is not None:
            return self._value_or_new(key)
        self._check(key)
        return self.value_of(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        number: Any = valued(self.numbers.get(valued(key), ABSENT))
        next_ = self.next
        if isinstance(number, Tensor):
            self.numbers[key], self.next = cond(
                self.has(key), lambda: (number, next_), lambda: (next_, next_ + 1))
        elif not self.has(key):
            if key not in self.numbers and not isinstance(next_, Tensor):
                self.certain = {**self.certain, key: next_}
            self.numbers[key], self.next = next_, next_ + 1
        self.held[key] = value

    def __delitem__(self, key: Any) -> None:
        if self.kind is not Counter:  # a key that is not there counts nothing
            self._check(key)
        self._remove(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key; the default if it is not there."""
        value = self._value_or(key, lambda: default)
        if isinstance(self.has(key), Tensor):
            watch_all(value)
            watch_all(self.held[key])
        return value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which it gets if it is not there."""
        self[key] = self._value_or(key, lambda: default)
        return self.held[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes a key out; its value."""
        if not default:
            self._check(key)
        value = self._value_or(key, lambda: default[0]) if default else self.value_of(key)
        self._remove(key)
        return value

    def update(self, other: Any = (), **more: Any) -> None:
        """Sets the keys of another dict; a Counter counts."""
        from .filling import fill, taken  # these need what is here

        other, is_staged = taken(self, other)
        is_counted = self.kind is Counter and isinstance(other, StagedDict)
        if is_staged or (is_counted and not other.unsure()):
            fill(self, other)
            other = ()
        if self.kind is Counter:
            for key, times in Counter(other, **more).items():
                self[key] += times
            return
        from .dict_forms import merge  # it needs what is here

        for part in (other, more):
            merge(self, part if isinstance(nest.actual(part), StagedDict) else dict(part))

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Makes a key the last one; of an OrderedDict."""
        if self.kind is not OrderedDict:
            raise AttributeError(f"'{self.kind.__name__}' object has no attribute 'move_to_end'")
        if last is not True:
            raise unsupported(self.unsure(), '`move_to_end` with `last`')
        self[key] = self.pop(key)

    def clear(self) -> None:
        """Takes every key out."""
        for key in self.numbers:
            self._remove(key)

    def copy(self) -> StagedDict:
        """A dict with the same keys and values."""
        numbers, held = dict(self.numbers), dict(self.held)
        return StagedDict(self.kind, self.factory, self.certain, numbers, held, self.next)

    __copy__ = copy

    def __iter__(self) -> Iterator[Any]:
        return iter(self.real('going over its keys in Python'))

    def __len__(self) -> int:
        return len(self.real('asking Python for its length'))

    def __bool__(self) -> bool:
        return bool(self.real('asking Python for its truth value'))

    def __contains__(self, key: Any) -> bool:
        return key in self.real('`in`')

    def __eq__(self, other: object) -> Any:
        from .dict_forms import staged_dict

        if is_counter(self) and is_counter(other):
            return equal_counts(self, other)
        if isinstance(other, dict):
            other = staged_dict(other, other)
        if not isinstance(other, StagedDict):
            return other == self if isinstance(other, nest.Mutable) else False
        keys = dict.fromkeys([*self.numbers, *other.numbers])
        first, *rest = [self._alike_in(other, key) for key in keys] or [lambda: True]
        return and_(first(), *rest)

    def __ror__(self, other: Any) -> Any:
        if self.kind is Counter:
            return combined('|', other, self)
        from .dict_forms import dict_display

        return dict_display(other, self) if type(other) is dict else NotImplemented

    def __getattr__(self, name: str) -> Any:
        if name in _READING and hasattr(self.kind, name):
            return getattr(self.real(f'`{name}`'), name)
        if hasattr(self.kind, name) and not name.startswith('__'):
            raise unsupported(self.unsure(), f'`{name}`')
        raise AttributeError(f"'{self.kind.__name__}' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f'<{nest.flatten(self)[1]}>' if self.unsure() else repr(self.real('its text'))

    def value_of(self, key: Any) -> Any:
        """The value of a key that is there; what can be changed in place is changed in the dict."""
        held = nest.actual(self.held[key])
        if isinstance(held, Unbound) and held.there is NOTHING:
            raise KeyError(key)  # nothing is ever put there; as yet, in the first round of a loop
        value = valued(bound(held))
        if value is not held and (is_of_this_block(held) or has_containers(value)):
            put_into_watched(self, {**self.content(), key: value})
        return value

    def _value_or(self, key: Any, default: Callable[[], Any]) -> Any:
        there = self.has(key)
        if not isinstance(there, Tensor):
            return self.value_of(key) if there else default()
        held = self.held[key]
        if isinstance(held, Unbound) and held.tensor is None and held.there is NOTHING:
            return default()  # no turn of a loop has given it anything yet
        value = cond(there, bound, lambda value: default(), held)
        if any(isinstance(leaf, Unbound) and leaf.shared for leaf in nest.flatten(held)[0]):
            watch_all(value)
        return value

    def _value_or_new(self, key: Any) -> Any:
        if self.has(key) is not True:
            self[key] = self._value_or(key, lambda: call(self.factory))
        return self.value_of(key)

    def _remove(self, key: Any) -> None:
        if key in self.numbers:
            self.numbers[key] = ABSENT
            self.certain = {k: n for k, n in self.certain.items() if k != key}

    def _check(self, key: Any) -> None:
        """The key must be there; where only the running graph knows, it is asked then.

        Raises:
          KeyError: it is not.
        """
        there = self.has(key)
        if isinstance(there, Tensor):
            cond(there, unchanged, lambda: missing_key(key))
        elif not there:
            raise KeyError(key)

    def _alike_in(self, other: StagedDict, key: Any) -> Callable[[], Any]:
        """Whether a key is in both dicts with one value, or in none."""

        def is_same() -> Any:
            return equal(self.value_of(key), other.value_of(key))

        def alike() -> Any:
            here, there = self.has(key), other.has(key)
            if here is False or there is False:
                return not_(here if there is False else there)
            return and_(here == there, lambda: cond(here, is_same, lambda: True))

        return alike

    def _view(self, part: str) -> Any:
        from .dict_views import View

        return View(self, part) if self.unsure() else getattr(self.real(part), part)()

    def unsure(self) -> list[Any]:
        """The keys of which only the running graph knows whether they are there."""
        return [key for key, n in self.numbers.items() if isinstance(valued(n), Tensor)]

    def real(self, what: str) -> dict[Any, Any]:
        """The dict itself.

        Raises:
          StagingError: only the running graph knows which keys it has.
        """
        if self.unsure():
            raise unsupported(self.unsure(), what)
        held = {key: self.value_of(key) for key in in_order(self.numbers)}
        return real_dict(self.kind, self.factory, held)


# What a Counter is asked.
_READING = frozenset({'most_common', 'total'})


@dataclass(frozen=True)
class _Number:
    """Stands, among what a dict holds, for the number of a key."""

    key: Any


_NEXT, _CERTAIN, _SUCCESSOR = map(_Number, ('the next', 'certain', 'the successor'))


def form_of(x: Any) -> Form:
    """The keys that a dict may have; of those that it has for certain, their numbers."""
    if not isinstance(x, StagedDict):
        return {key: number for number, key in enumerate(x)}
    known = sorted(x.numbers, key=lambda key: (type(key).__name__, repr(key)))
    return {key: x.certain.get(key) for key in known}


def has_containers(x: Any) -> bool:
    """Whether there is a container in what a dict holds, in any depth, or it is one."""
    if is_container(x) or isinstance(x, StagedList):
        return True
    return any(map(has_containers, nest.children(x)))


def real_dict(kind: type[Any], factory: Any, held: dict[Any, Any]) -> dict[Any, Any]:
    """A real dict of a class."""
    made: dict[Any, Any] = kind(factory, held) if kind is defaultdict else kind(held)
    return made


def in_order(numbers: dict[Any, Any]) -> Iterable[Any]:
    """The keys that are there, as they were set; none of a dict that is None."""
    there = (key for key, n in numbers.items() if n is not None and n >= 0)
    return sorted(there, key=numbers.__getitem__)
