"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, is state of the block like any other.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import Location
from ..graph import nest, nest_contents
from ..graph.graph import Graph
from ..graph.nest_contents import Contents
from ..graph.ownership import NotOwnedError
from .activations import is_recursive
from .block_ways import Passed, in_tuples, passed_for
from .blocks_around import blocks_around, stands_for_anothers
from .bound_methods import is_method, method_in, owner_of_method
from .contents import Content, are_same
from .functions_outside import held_outside
from .holders import Held, Holder, list_of_columns, walk
from .keeping import are_kept, not_left
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
from .outside import arrays_standing_for, lives_outside, without_variables
from .outside_errors import modifies_outside
from .reachable_errors import cannot_change, changes, raises_after
from .reaches import Reaches
from .recalled import recalled_now
from .set_variables import variables_set_by_block
from .snapshots import Outside
from .view_bases import bases_of
from .watched import modified_one_of_two


class Reachable:
    """What the objects and containers hold that a function can reach through its closure.

    As a context: they hold that again if what is inside raises.

    Args:
      block: the function.
      *others: what else it can reach.
      names: the variables, attributes and items to which it gives a new value.
      paths: what the user calls each of the others.
      graph: the graph that it is traced into.
      passed: what the block is passed for what can be changed in place; every other name for that
        stands for it meanwhile.
      rebound: of that, what later turns of a loop are not passed, but something new.
    """

    def __init__(
        self,
        block: Any,
        *others: Any,
        names: Sequence[str] = (),
        paths: Sequence[str] = (),
        graph: Graph | None = None,
        passed: Passed | None = None,
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
        self.held += held_outside(self.held)
        self.lent: list[tuple[Holder, list[Any], Any]] = []
        self.modified: set[int] = set()
        self.named: set[int] = set()
        self._fixed: list[Any] = []
        self.passed = {} if passed is None else dict(passed.parts)
        self.origins = {} if passed is None else passed.origins
        self.told_apart: list[tuple[int, Location | None]] = []
        others_for = list(self._names_for(self.passed, rebound)) if self.passed else []
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
                known = [id(x) for x in in_tuples(value) if id(x) in passed]
                if not known:
                    continue
                self.named.update(known)
                places = self._places(held, key)
                if places and not any(each in rebound for each in known):
                    mine = passed_for(value, passed)
                    yield from ((place, value, mine) for place in places)
                else:
                    self._fixed += [passed[each] for each in known]
        others = passed.keys() - set(rebound)
        for place in (*arrays_standing_for(others), *variables_holding(others)):
            yield place, place.held(), passed[id(place.held())]

    def _places(self, held: Held, key: Any) -> list[Holder]:
        """Where the value is that something holds: if that is a method, where the method is."""
        if is_method(held.owner):
            holders = self._holders(held.owner)
            is_known = all(is_method(method_in(each.read())) for each in holders)
            return [owner_of_method(each) for each in holders] if is_known else []
        return [held.place(key)] if held.can_be_put else []

    def __enter__(self) -> Reachable:
        known = [] if self._graph is None else known_places(
            self._block, self._graph, self.held, self._recalled)
        if any(place.name not in self._given for place in known):
            self.restore()
            raise Reaches(known, len(blocks_around()))
        blocks_around().append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, *_: Any) -> None:
        blocks_around().pop()
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
                raise self._reaches(_as_one(holders), len(blocks_around())) from None
            bases = bases_of(x)
            if bases:
                raise Reaches(bases, len(blocks_around())) from None
            if holders:
                raise self._reaches(_as_one(holders), len(blocks_around())) from None

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
        classes = {id(held.owner) for held in self.held if isinstance(held.owner, type)}
        outside = self._outside.changed()
        others = map(place_of_variable, self._outside.check(outside, self._own, classes))
        found: dict[Any, Holder] = {place.identity: place for place in others}
        for held in self.held:
            for place in self._changed(held):
                found.setdefault(place.identity, place)
        if found:
            raise self._outermost(self._whole(found))
        self._outside.restore_variables(outside)  # what the block gives back, others put there

    def check_so_far(self) -> None:
        """The same, where the block is not at its end but calls itself, which finds it so.

        Raises:
          Reaches: the block has changed it; it may well put it back after the call.
          OwnershipError: the same, and it cannot be state of the block.
        """
        lent = {place.identity for place, *_ in self.lent}
        changed = (place for held in self.held for place in self._changed(held))
        found = {each.identity: each for each in changed if each.identity not in lent}
        if found:
            raise self._reaches(self._whole(found), blocks_around().index(self))

    def _whole(self, found: Mapping[Any, Holder]) -> list[Holder]:
        """The places without those in a list, dict or dataclass that another of them holds."""
        within = {
            id(container)
            for held in self.held
            for key, value in held.content.items()
            if held.place(key).identity in found
            for container, _ in nest_contents.contents(value)
        }
        return [place for place in found.values() if id(place.owner) not in within]

    def _outermost(self, places: list[Holder]) -> Reaches:
        """What to raise: each block around this one that can reach the places changes them too."""
        found = []
        for depth, block in enumerate(blocks_around()):
            missing = [place for place in places if block._misses(place)]
            if missing:
                found.append(block._reaches(missing, depth))
                if is_recursive():
                    break
        if not found:
            return self._reaches(places, len(blocks_around()) - 1)
        known = [blocks_around()[each.depth]._recalled for each in found]
        at_once = (each for each, of in zip(found, known, strict=True) if not (of and of.gathers))
        return next(at_once, found[-1])

    def _reaches(self, places: list[Holder], depth: int) -> Reaches:
        if self._graph is not None:
            note_places(self._block, self._graph, places, self.held, self._recalled)
        if self._recalled is not None:
            self._recalled.times_reached += 1
        return Reaches(places, depth)

    def leave(self, given: Any, operands: Any, modified: Contents) -> None:
        """Gives everything back what it held, where an exception ends the block.

        Args:
          given: what there was for the block.
          operands: what stands for that in it.
          modified: the lists and dicts of that which the block has modified, and what they held.

        Raises:
          OwnershipError: somebody may look at what the block had changed before.
        """
        pairs = zip(nest.flatten(given)[0], nest.flatten(operands)[0], strict=False)
        begun = {id(before): own for before, own in pairs} | self.passed
        begun |= self._begun | {
            id(each): value for _, before, value in self.lent for each in before}
        changed = [place for place, _, value in self.lent if place.read() is not value]
        names = [place.name for place in changed]
        for held in map(without_variables, self.held):
            places = [
                held.place(key) for key, value in held.changes().items()
                if begun.get(id(held.content.get(key)), self) is not value]
            names += [place.name for place in places]
            if places and isinstance(held.owner, (list, dict)):
                modified = [*modified, (held.owner, held.content)]
            else:
                changed += places
        try:
            for x in filter(stands_for_anothers, not_left(modified, self._graph)):
                raise modifies_outside(x)
            is_kept = self._graph is None or are_kept(changed, modified, self._graph)
            self._take_back()
            self._outside.check(self._outside.changed(), ())
        finally:
            self.restore()
        if not is_kept:
            raise raises_after(names)

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
            is_known = place.identity in self._own or place.identity in lent
            return not is_known and not self._outside.is_new(place.owner)
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
        if are_same(before, now):
            return
        keys = [
            key
            for key in dict.fromkeys((*before, *now))
            if key not in now or key not in before or now[key] is not before[key]
        ]
        is_code = isinstance(owner, types.FunctionType)
        if is_code:
            keys = [
                key for key in keys if key in before and key in now
                and (isinstance(key, str) or not is_told_of(owner, key))]
        places = [held.place(key) for key in keys]
        places = [place for place in places if place.name not in self._given]
        if not places and (keys or is_code or held.path in self._names):
            return
        if lives_outside(owner):
            raise modifies_outside(owner, held.path)
        nested = list_of_columns(owner, self.held)
        if nested is not owner or _has_another_form(owner, before, now):
            if not (places := self.places_of(nested)):
                raise cannot_change(held)
            yield from places
            return
        if not held.can_be_put:
            raise cannot_change(held)
        yield from places

    def places_of(self, x: Any) -> list[Holder]:
        """The places that hold a list, as one; none where they hold several by now."""
        holders = self._holders(x)
        return _as_one(holders) if len({id(place.read()) for place in holders}) == 1 else []

    def _holders(self, x: Any) -> list[Holder]:
        """The places that hold this very object; those of a tuple that does."""
        found: dict[Any, Holder] = {}
        for held in self.held:
            for key, value in held.content.items():
                if value is x or nest.actual(value) is x:
                    nested = list_of_columns(held.owner, self.held)
                    places = self._places(held, key) if nested is held.owner else []
                    places = places or self._holders(nested)
                    found |= {place.identity: place for place in places}
        return list(found.values())


def _has_another_form(owner: Any, before: Content, now: Content) -> bool:
    """Whether a list has another length, or a dict other keys; whether one has become staged."""
    if isinstance(owner, nest.Mutable):
        return True
    if isinstance(owner, list):
        return len(now) != len(before) or is_moved(owner)
    return isinstance(owner, dict) and (list(now) != list(before) or is_moved(owner))


def _as_one(places: list[Holder]) -> list[Holder]:
    """Places that hold one object, as one place."""
    first, *others = places
    return [first.together_with(others)]
