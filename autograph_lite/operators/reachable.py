"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, is state of the block like any other.
"""
from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from ..errors import place_in_users_code
from ..graph import nest
from ..graph.graph import Graph
from ..graph.ownership import NotOwnedError
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from .bases import bases_again, bases_of, bases_of_views, bases_replaced
from .bound_methods import is_method, owner_of_method
from .holders import MOST, Content, Held, Holder, are_same, put_into, walk
from .keeping import are_kept
from .known_places import known_places, note_places
from .moved import is_moved
from .optional_nests import Perhaps
from .outer_sets import set_modified_arrays
from .outer_variables import (
    VariablePlace,
    is_told_of,
    place_of_variable,
    variables_changed,
    variables_holding,
)
from .outside import arrays_standing_for, is_anothers, lives_outside, without_variables
from .outside_errors import modifies_outside
from .reachable_errors import cannot_change, changes, raises_after
from .recalled import Recalled, recalled_now
from .set_variables import variables_set_by_block
from .snapshots import Outside
from .watched import is_watched, modified_one_of_two


class _Tracing(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Reachable] = []


_tracing = _Tracing()


def with_places(
    places: Sequence[Holder], function: Callable[..., Any], args: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """Runs a block while places hold something else: until it is checked what it changed.

    Args:
      places: what it was not given.
      function: the block.
      args: what it is called with; behind that, what the places hold meanwhile.

    Returns:
      What the block returns, and what the places held at its end.
    """
    given, values = args[: -len(places)], args[-len(places) :]
    before = [place.held_by_each() for place in places]
    put_into(places, values)
    _tracing.blocks[-1].lent += zip(places, before, values, strict=True)
    return function(*given), [place.read() for place in places]


def check_taken(iterable: Any) -> None:
    """No staged block takes from one of Python's iterators that was there before it.

    Tracing would take once, for all turns; and once more where it has to begin anew.

    Raises:
      OwnershipError: one does.
    """
    for block in _tracing.blocks:
        for held in block.held:
            if held.owner is iterable and isinstance(iterable, Iterator):
                outside = lives_outside(iterable)
                raise modifies_outside(iterable) if outside else cannot_change(held)


def may_be_reached(x: Any) -> bool:
    """Whether the block that is traced may come to a container that it was not given."""
    held = _tracing.blocks[-1].held
    return len(held) >= MOST or any(each.owner is x for each in held)


def is_from_around(x: Any) -> bool:
    """Whether an object was there before a block that is traced."""
    return any(each.owner is x for block in _tracing.blocks for each in block.held)


class Reaches(BaseException):
    """A staged block changes places that it was not given; it can be traced again with them.

    Attributes:
      places: what it changes.
      depth: how many blocks there are around the one that is to be traced again.
      replaced: identifies those of the places that are arrays in whose place it may give another.
    """

    def __init__(
        self, places: Sequence[Holder], depth: int, replaced: Collection[int] = ()
    ) -> None:
        super().__init__()
        self.places = places
        self.depth = depth
        self.replaced = replaced

    @property
    def is_for_others(self) -> bool:
        """Whether it is not for what is staged here, but for a block around it."""
        return self.depth != len(_tracing.blocks)


def check_views(
    operands: Any,
    written: Collection[Storage],
    known: Sequence[Tensor],
    kept: Collection[int] | None = None,
) -> None:
    """The views that a block is given are of bases that are state of it, or it only reads them.

    Args:
      operands: what it is given.
      written: the memory that it wrote.
      known: the bases that are state of it already.
      kept: where known, the identities of the arrays that it gives again: what it has written to
        the others is in them, too.

    Raises:
      Reaches: that is not so.
    """
    bases = bases_of_views(operands, written, known)
    if bases:
        raise Reaches(bases, len(_tracing.blocks))
    if kept is not None and (bases := bases_replaced(operands, written, known, kept)):
        raise Reaches(bases, len(_tracing.blocks), {id(base.owner) for base in bases})


def note_views(
    recalled: Recalled, operands: Any, places: Sequence[Holder], replaced: Collection[int] = ()
) -> None:
    """A block given these operands has to be traced again, with the bases of views as state of it.

    Args:
      recalled: what is known of the block.
      operands: what it is given.
      places: what it changes; where some are no bases, `known_places` tells of them.
      replaced: as in `Reaches`.
    """
    bases = bases_again(places, operands)
    if bases is None:
        return

    def again(operands: Any) -> Reaches:
        found = bases(operands)
        return Reaches(found, len(_tracing.blocks), {id(x.owner) for x in found if replaced})

    recalled.note(again)


@contextmanager
def refusing_the_rest() -> Iterator[None]:
    """Stands around a trace: what a block changes and can be given by none around it is refused.

    Raises:
      OwnershipError: a block changes such a place.
    """
    try:
        yield
    except Reaches as reaches:
        raise changes(reaches.places[0], place_in_users_code(reaches)) from None


class Reachable:
    """What the objects and containers hold that a function can reach through its closure.

    As a context: they hold that again if what is inside raises.

    Args:
      block: the function.
      *others: what else it can reach.
      names: the variables, attributes and items to which it gives a new value.
      paths: what the user calls each of the others.
      graph: the graph that it is traced into.
      passed: by identity, what the block is passed for what can be changed in place; every other
        name for that stands for it meanwhile.
      rebound: of that, what later turns of a loop are not passed, but something new.
    """

    def __init__(
        self,
        block: Any,
        *others: Any,
        names: Sequence[str] = (),
        paths: Sequence[str] = (),
        graph: Graph | None = None,
        passed: Mapping[int, Any] = MappingProxyType({}),
        rebound: Collection[int] = (),
        functions: Iterable[Any] = (),
    ) -> None:
        self._names = {name.strip('<>') for name in names}
        self._given = set(filter(str.isidentifier, self._names))  # others are lent, and taken back
        self._block = block
        self._graph = graph
        self._recalled = recalled_now()
        self._own = {variable.where for variable in variables_set_by_block(block)}
        self._outside = Outside()
        self._changed_before = len(variables_changed())
        named = zip(paths or [''] * len(others), others, strict=True)
        more = [('', function) for function in functions]  # in the form of what it is given
        self.held = list(walk(('', block), *named, *more))
        self.lent: list[tuple[Holder, list[Any], Any]] = []
        self.modified: set[int] = set()
        self.named: set[int] = set()
        self._fixed: list[Any] = []
        self._passed = dict(passed)
        others_for = list(self._names_for(passed, rebound)) if passed else []
        self._begun = {id(before): mine for _, before, mine in others_for}
        self._other_names = [(place, place.held_by_each(), mine) for place, _, mine in others_for]
        for place, _, mine in self._other_names:
            place.put(mine)

    def _names_for(
        self, passed: Mapping[int, Any], rebound: Collection[int]
    ) -> Iterator[tuple[Holder, Any, Any]]:
        """The places that hold what the block was given, that, and what they are to hold."""
        for held in self.held:
            if isinstance(held.owner, (tuple, Perhaps)) and not nest.is_leaf(held.owner):
                continue  # it is what another place holds
            for key, value in held.content.items():
                known = [id(x) for x in _in_tuples(value) if id(x) in passed]
                if not known:
                    continue
                self.named.update(known)
                places = self._places(held, key)
                if places and not any(each in rebound for each in known):
                    mine = _passed_for(value, passed)
                    yield from ((place, value, mine) for place in places)
                else:
                    self._fixed += [passed[each] for each in known]
        others = passed.keys() - set(rebound)
        for place in (*arrays_standing_for(others), *variables_holding(others)):
            yield place, place.held(), passed[id(place.held())]

    def _places(self, held: Held, key: Any) -> list[Holder]:
        """Where the value is that something holds: if that is a method, where the method is."""
        if is_method(held.owner):
            return [owner_of_method(place) for place in self._holders(held.owner)]
        return [held.place(key)] if held.can_be_put else []

    def __enter__(self) -> Reachable:
        known = [] if self._graph is None else known_places(self._block, self._graph, self.held)
        if any(place.name not in self._given for place in known):
            self.restore()
            raise Reaches(known, len(_tracing.blocks))
        _tracing.blocks.append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, *_: Any) -> None:
        _tracing.blocks.pop()
        if kind is None:
            return
        lent = {place.identity for place, *_ in self.lent}
        self.restore()
        if (
            isinstance(error, NotOwnedError)
            and self._graph is not None
            and error.tensor.graph is self._graph.parent
        ):
            x = error.tensor
            this = {id(x)}
            holders = [
                *self._holders(x), *arrays_standing_for(this), *variables_holding(this)]
            # Views that were there before are of what the places held: then it has to be the base.
            if x.place is None and any(each.identity not in lent for each in holders):
                raise self._reaches(_as_one(holders), len(_tracing.blocks)) from None
            bases = bases_of(x)
            if bases:
                raise Reaches(bases, len(_tracing.blocks)) from None
            if holders:
                raise self._reaches(_as_one(holders), len(_tracing.blocks)) from None

    def holders(self, x: Any) -> list[Holder]:
        """The places that held this very object before the block began."""
        return [
            held.place(key)
            for held in self.held
            for key, value in held.content.items()
            if nest.actual(value) is x
        ]

    def restore(self) -> None:
        """Gives everything back what it held."""
        self._take_back()
        self._outside.restore()
        for held in map(without_variables, self.held):
            held.restore()

    def check(self) -> None:
        """What a staged block can reach holds what it held, but for what it is known to give.

        Raises:
          Reaches: the block changed it.
          OwnershipError: the same, and it cannot be state of the block.
        """
        set_modified_arrays()
        self._take_back()
        others = map(place_of_variable, self._outside.check(self._own))
        found: dict[Any, Holder] = {place.identity: place for place in others}
        for held in self.held:
            for place in self._changed(held):
                found.setdefault(place.identity, place)
        if found:
            raise self._outermost(self._whole(found))
        self._outside.restore_variables()  # what the block gives back, others put there

    def _whole(self, found: Mapping[Any, Holder]) -> list[Holder]:
        """The places without those in a list, dict or dataclass that another of them holds."""
        within = {
            id(container)
            for held in self.held
            for key, value in held.content.items()
            if held.place(key).identity in found
            for container, _ in nest.contents(value)
        }
        return [place for place in found.values() if id(place.owner) not in within]

    def _outermost(self, places: list[Holder]) -> Reaches:
        """What to raise: each block around this one that can reach the places changes them too."""
        for depth, block in enumerate(_tracing.blocks):
            missing = [place for place in places if block._misses(place)]
            if missing:
                return block._reaches(missing, depth)
        return self._reaches(places, len(_tracing.blocks) - 1)

    def _reaches(self, places: list[Holder], depth: int) -> Reaches:
        if self._graph is not None:
            note_places(self._block, self._graph, places, self.held, self._recalled)
        return Reaches(places, depth)

    def leave(self, given: Any, operands: Any, modified: Collection[Any]) -> None:
        """Gives everything back what it held, where an exception ends the block.

        Args:
          given: what there was for the block.
          operands: what stands for that in it.
          modified: the lists and dicts of that which the block has modified.

        Raises:
          OwnershipError: somebody may look at what the block had changed before.
        """
        pairs = zip(nest.flatten(given)[0], nest.flatten(operands)[0], strict=False)
        begun = {id(before): own for before, own in pairs} | self._passed
        begun |= self._begun | {
            id(each): value for _, before, value in self.lent for each in before}
        changed = [place for place, _, value in self.lent if place.read() is not value]
        changed += [
            held.place(key)
            for held in map(without_variables, self.held)
            for key, value in held.changes().items()
            if begun.get(id(held.content.get(key)), self) is not value]
        try:
            for x in filter(_stands_for_anothers, modified):
                raise modifies_outside(x)
            self._take_back()
            self._outside.check(())
        finally:
            self.restore()
        if self._graph is not None and not are_kept(changed, modified, self._graph):
            raise raises_after([] if modified else [place.name for place in changed])

    def check_names(self, modified: Collection[int]) -> None:
        """What the block modifies, of these identities, all its names stand for.

        Raises:
          OwnershipError: another one does not.
        """
        for x in self._fixed:
            if id(x) in modified:
                raise modified_one_of_two(x)

    def _misses(self, place: Holder) -> bool:
        """Whether it can reach a place that it was not given."""
        lent = {each.identity for each, *_ in self.lent}
        if isinstance(place, VariablePlace):
            return place.identity not in self._own and place.identity not in lent
        if place.others or place.name in self._given:
            return False
        if place.identity in self._given_places:
            return False
        return place.identity[0] in self._owners and place.identity not in lent

    @functools.cached_property
    def _given_places(self) -> set[Any]:
        """What identifies the variables that it is given, by whatever function they are reached."""
        if not self._given:
            return set()
        places = (held.place(key) for held in self.held for key in held.content)
        return {place.identity for place in places if place.name in self._given}

    @functools.cached_property
    def _owners(self) -> set[int]:
        """What identifies what holds the places that it can reach."""
        owners = {id(held.owner) for held in self.held}
        return owners | {held.place(key).identity[0] for held in self.held for key in held.content}

    def _take_back(self) -> None:
        while self.lent:
            place, before, lent = self.lent.pop()
            if not place.holds(lent):
                self.modified.add(id(place.owner))
            place.put_back(before)
        while self._other_names:
            place, before, mine = self._other_names.pop()
            if place.read() is mine:
                place.put_back(before)

    def check_unchanged(self, given: Collection[Holder] = ()) -> None:
        """What a block can reach, that has no state but what it is given, holds what it held.

        Raises:
          OwnershipError: the block changed it.
        """
        known = {place.identity for place in given}
        for place in map(place_of_variable, variables_changed()[self._changed_before :]):
            if place.identity not in known:
                raise changes(place)
        try:
            self.check()
        except Reaches as reaches:
            raise changes(reaches.places[0]) from None

    def _changed(self, held: Held) -> Iterator[Holder]:
        """The places with another value than before."""
        held = without_variables(held)
        owner, before, now = held.owner, held.content, held.held_now()
        if isinstance(owner, (list, dict)) and held.path in self._names and is_moved(owner):
            # A block inside this one took it over; another branch may still have it.
            held.restore()
            return
        if are_same(before, now):
            return
        keys = [
            key
            for key in dict.fromkeys((*before, *now))
            if key not in now or key not in before or now[key] is not before[key]
        ]
        if isinstance(owner, types.FunctionType):
            keys = [
                key for key in keys
                if key in before and key in now and not is_told_of(owner, key)]
        places = [held.place(key) for key in keys]
        places = [place for place in places if place.name not in self._given]
        if not places and (keys or held.path in self._names):
            return
        if lives_outside(owner):
            raise modifies_outside(owner, held.path)
        if _has_another_form(owner, before, now):
            holders = self._holders(owner)
            if len({id(place.read()) for place in holders}) != 1:
                raise cannot_change(held)
            yield from _as_one(holders)
            return
        if not held.can_be_put:
            raise cannot_change(held)
        yield from places

    def _holders(self, x: Any) -> list[Holder]:
        """The places that hold this very object; those of a tuple that does."""
        found: dict[Any, Holder] = {}
        for held in self.held:
            for key, value in held.content.items():
                if value is x or nest.actual(value) is x:
                    places = self._places(held, key) or self._holders(held.owner)
                    found |= {place.identity: place for place in places}
        return list(found.values())


def _has_another_form(owner: Any, before: Content, now: Content) -> bool:
    """Whether a list has another length, or a dict other keys; whether one has become staged."""
    if isinstance(owner, nest.Mutable):
        return True
    if isinstance(owner, list):
        return len(now) != len(before) or is_moved(owner)
    return isinstance(owner, dict) and (list(now) != list(before) or is_moved(owner))


def _in_tuples(value: Any) -> list[Any]:
    """What a place holds, in tuples or without, be it None or not."""
    value = nest.actual(value)
    if isinstance(value, (tuple, Perhaps)):
        return [x for part in nest.children(value) for x in _in_tuples(part)]
    return [value]


def _passed_for(value: Any, passed: Mapping[int, Any]) -> Any:
    """What a block is passed for what a place holds."""
    value = nest.actual(value)
    if isinstance(value, (tuple, Perhaps)):
        return nest.map_children(lambda part: _passed_for(part, passed), value)
    return passed.get(id(value), value)


def _as_one(places: list[Holder]) -> list[Holder]:
    """Places that hold one object, as one place."""
    first, *others = places
    return [first.together_with(others)]


def _stands_for_anothers(x: Any) -> bool:
    """Whether a block was passed it for what is not the function's, by way of those around."""
    *_, known = _identities(x)
    return is_anothers(known)


def stands_for_another(x: Any) -> bool:
    """Whether a block was passed it for something of the code around it."""
    return any(known != id(x) for known in _identities(x))


def stands_for_watched(x: Any) -> bool:
    """Whether it, or what a block was passed it for, may have another name."""
    return any(map(is_watched, _identities(x)))


def _identities(x: Any) -> Iterator[int]:
    """Those of a container, and of what it stands for in the blocks around this one."""
    known = id(x)
    yield known
    for block in reversed(_tracing.blocks):
        known = next((given for given, mine in block._passed.items() if id(mine) == known), known)
        yield known
