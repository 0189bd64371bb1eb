"""What tracing found of the blocks in a staged block, for when it is traced again.

    while x[0] > 0:
        while x[1] > 0:
            if x[2] > 0:
                break

A loop is traced until its types hold, a block that changes the form of what it is given once more
with that form, and what Python ran first once more as a part of the graph; each time all blocks
inside are, too. Found out anew each time, what these need would take time that grows exponentially
with their nesting. So they begin with what was found the time before: it still holds, as types only
become wider and Python values only become tensors. Where a block is traced in another way because
one has failed, what was found in it that way is forgotten; a way that never helps is left out by
and by, since all of them in all blocks around each other are as many as the powers of their number.
"""
from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from enum import Enum
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import OwnershipError, StagingError
from ..graph import nest
from ..graph.ownership import NotOwnedError
from ..graph.tensor import Tensor
from ..graph.types import TensorType, type_of
from ..pyct.asking import get_attribute
from .holders import Holder
from .leaves import Join, Leaf, same_static
from .living_lists import LivingList
from .unbound import Unbound

# Makes what a block is to raise for the operands that it is given.
_Raised = Callable[[Any], BaseException]

# So often in a row another way to trace a block fails before it is tried no more.
_MOST_TIMES_IN_VAIN = 8

# So often a block is traced again at once for what a block in it was found to change.
_MOST_TIMES_AT_ONCE = 1

# The way to a place, and to the others that hold the same object.
Way = tuple[tuple[Any, Any], ...]


class Recalled:
    """What was found of one block.

    Attributes:
      is_staged: whether Python ran it and it was then traced into a graph of its own.
      is_unrolled: whether it cannot be traced into one.
      kept: what the handlers of a `try` need to know of its block, as `was_kept` tells it.
      lent: the ways to lists and dicts that the block of a `try` is given besides.
      times_reached: how often it was found to change places that it was not given.
      key: what tells the block, and the way it is traced, from others of this trace.
    """

    def __init__(self, key: Hashable = None) -> None:
        self.key = key
        self.is_staged = False
        self.is_unrolled = False
        self.kept: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.lent: list[Way | Holder] = []
        self.times_reached = 0
        self._joins: dict[nest.Structure, list[tuple[Any, Join]]] = {}
        self._rebound: dict[nest.Structure, tuple[int, Sequence[int]]] = {}
        self._raised: list[tuple[nest.Structure, list[Any], _Raised]] = []
        self._places: dict[Hashable, dict[Hashable, Way | Holder]] = {}
        self._next = 0
        self._operands: Any = ()
        self._times: Counter[Hashable] = Counter()
        self._inside: Inside = {}

    def inside(self, *role: Hashable) -> Recalled:
        """What was found of one of the functions of the block, which is traced from its start."""
        found = self._inside.setdefault(role, Recalled())
        found._times.clear()
        return found

    def other(self, *role: Hashable) -> Recalled:
        """What was found of the block where it was traced in another way."""
        found = self.inside(*role)
        found.key = self.key, role
        found.begin()
        return found

    def sharing(self, role: Hashable) -> Recalled:
        """The same, where what is found in its functions holds on both ways."""
        found = self.other(role)
        found._inside = self._inside
        return found

    def inside_now(self) -> Inside:
        """What is known of its functions by now, apart from what will be found."""
        return _copied(self._inside, {})

    def instead(self, role: Hashable, inside: Inside) -> None:
        """The block is traced in another way alone, for which that is known of its functions."""
        self._inside.clear()
        self.inside(role)._inside = inside

    def _copy(self, copies: dict[int, Inside]) -> Recalled:
        found = copy(self)
        found.kept, found.lent = dict(self.kept), list(self.lent)
        found._joins, found._rebound = dict(self._joins), dict(self._rebound)
        found._raised, found._times = list(self._raised), Counter(self._times)
        found._places = {code: dict(places) for code, places in self._places.items()}
        found._inside = _copied(self._inside, copies)
        return found

    def block(self, code: Hashable) -> Recalled:
        """What was found of the block that comes next, of this code."""
        self._times[code] += 1
        found = self._inside.setdefault((code, self._times[code]), Recalled(code))
        found.begin()
        return found

    def begin(self) -> None:
        """The block is traced from its start."""
        self._next = 0

    def forget(self) -> None:
        """The block is traced in another way, as one has failed."""
        self._inside.clear()
        self._raised.clear()
        self._joins.clear()
        self._rebound.clear()
        self._places.clear()
        self.kept.clear()
        self.lent.clear()
        self.is_staged = False
        self.begin()

    @property
    def gathers(self) -> bool:
        """Whether it is traced again only when it is at its end, with all that is found by then.

        Were it taken back to its start by each change in it, it would begin as often as these are.
        """
        return self.times_reached > _MOST_TIMES_AT_ONCE

    @contextmanager
    def otherwise(self, way: str, error: Exception) -> Iterator[None]:
        """Around another way to trace the block, as it has failed so far.

        Args:
          way: tells it from others.
          error: how it has failed.

        Raises:
          Exception: that error, where this way has failed again and again.
        """
        in_vain, key = _tracing.in_vain, (self.key, way)
        if in_vain[key] >= _MOST_TIMES_IN_VAIN:
            raise error
        try:
            yield
        except NotOwnedError:
            raise  # a block around it is given more
        except (OwnershipError, StagingError):
            in_vain[key] += 1
            raise
        del in_vain[key]

    def unroll(self) -> None:
        """Python runs it, as it cannot be traced into a graph of its own."""
        self.forget()
        self.is_unrolled = True

    def note(self, raised: _Raised) -> None:
        """With the operands that were checked last, the block has to be traced again."""
        leaves, structure = nest.flatten(self._operands)
        del self._raised[self._next :]
        self._raised.append((structure, list(map(kind, leaves)), raised))
        self._next += 1

    def note_error(self, error: Exception) -> None:
        """With the operands that were checked last it raised an error, and is traced otherwise."""
        self.note(lambda _: error.with_traceback(None))

    def check(self, operands: Any) -> None:
        """Raises what such operands are known to make the block raise."""
        self._operands = operands
        if self._next >= len(self._raised):
            return
        leaves, structure = nest.flatten(operands)
        form, known, raised = self._raised[self._next]
        if form == structure and all(map(alike, known, map(kind, leaves))):
            self._next += 1
            raise raised(operands)

    def joins(self, form: nest.Structure, befores: Sequence[Leaf]) -> list[Join | None]:
        """What is known of state of that form, by leaf; None for one that was something else."""
        known = self._joins.get(form, [((), None)] * len(befores))
        pairs = zip(known, map(_kind_of_leaf, befores), strict=True)
        return [join if alike(was, kind) else None for (was, join), kind in pairs]

    def note_joins(
        self, form: nest.Structure, befores: Sequence[Leaf], joins: Sequence[Join]
    ) -> None:
        """Of state of that form, which is this before, so much is known."""
        self._joins[form] = list(zip(map(_kind_of_leaf, befores), joins, strict=True))

    def rebound(self, form: nest.Structure, objects: Sequence[int]) -> set[int]:
        """Which objects, given by their identities, of state of that form a turn rebinds."""
        size, numbers = self._rebound.get(form, (0, ()))
        return {objects[i] for i in numbers} if size == len(objects) else set()

    def note_rebound(
        self, form: nest.Structure, objects: Sequence[int], rebound: Collection[int]
    ) -> None:
        """Of the objects of state of that form a turn rebinds these."""
        numbers = [i for i, each in enumerate(objects) if each in rebound]
        self._rebound[form] = len(objects), numbers

    def places(self, code: Hashable) -> Collection[Way | Holder]:
        """What a function of this code was found to change without being given it.

        Returns:
          The ways to it; of what stays the same while a trace lasts, the place itself.
        """
        return self._places.get(code, {}).values()

    def note_places(self, code: Hashable, places: Iterable[Way | Holder]) -> None:
        """A function of this code changes that without being given it."""
        known = self._places.setdefault(code, {})
        for place in places:
            known.setdefault(place.identity if isinstance(place, Holder) else place, place)


# What is known of the functions of a block, by their roles, and of the blocks in them.
Inside = dict[Hashable, Recalled]


def _copied(inside: Inside, copies: dict[int, Inside]) -> Inside:
    """The same, apart from what will be found; what two ways share, their copies do."""
    if id(inside) not in copies:
        found = copies[id(inside)] = Inside()
        found.update((role, each._copy(copies)) for role, each in inside.items())
    return copies[id(inside)]


class _Tracing(threading.local):
    def __init__(self) -> None:
        self.inside: Recalled | None = None
        self.in_vain: Counter[Hashable] = Counter()


_tracing = _Tracing()


def recall(block: Any) -> Recalled:
    """What was found of a block that is about to be traced, the time before."""
    around, code = _tracing.inside, get_attribute(block, '__code__')
    if around is not None:
        return around.block(code)
    _tracing.in_vain.clear()
    return Recalled(code)


@contextmanager
def recalling(recalled: Recalled) -> Iterator[None]:
    """What is traced inside was traced before, or may be traced again."""
    before, _tracing.inside = _tracing.inside, recalled
    try:
        yield
    finally:
        _tracing.inside = before


def recalled_now() -> Recalled | None:
    """What was found of the function that is being traced, if it may be traced again."""
    return _tracing.inside


def _kind_of_leaf(leaf: Leaf) -> Any:
    return leaf.type, kind(leaf.static), kind(leaf.unbound)


def kind(x: Any) -> Any:
    """What of a value tells how a block is traced."""
    if isinstance(x, LivingList):
        return x
    if isinstance(x, Tensor):
        return type(x), x.held.type
    if isinstance(x, Unbound):
        return Unbound, x.name, x.optional, x.shared, kind(x.there)
    return (np.ndarray, type_of(x)) if isinstance(x, np.ndarray) else x


def alike(a: Any, b: Any) -> bool:
    """Whether a block is traced alike for what has these kinds."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, TensorType):
        return bool(a == b)
    if isinstance(a, FunctionType):
        return a.__code__ is b.__code__
    counts = type_of(a) is not None or isinstance(a, str | bytes | Enum)
    return not counts or bool(same_static(a, b))
