"""Where a staged block gives one of several lists, dicts or objects that were there before it.

    best = a if x > 0 else b
    best.append(x)

A function that modifies such a one is traced anew: then the block gives the number of the one that
it is, and the name refers to what is there (see `references`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph
from ..graph.tensor import Tensor
from .block_ways import Way
from .chosen_functions import can_be_chosen
from .contents import is_object
from .linked import linked
from .lists import StagedList
from .naming import names_refer, refers, would_refer
from .new_objects import made_by_graph
from .opened import Path, at, replaced
from .optional_nests import Perhaps
from .outside import is_outside
from .unbound import NOTHING, Unbound
from .watched import is_container

if TYPE_CHECKING:
    from .references import Reference


def is_nothing(x: Any) -> bool:
    """Whether it stands for a name that has no value."""
    return isinstance(x, Unbound) and x.there is NOTHING


def can_be_referred_to(x: Any) -> bool:
    """Whether it is a list, dict or object that can be changed in place, or None beside them."""
    x = nest.actual(x)
    if x is None:
        return True
    if isinstance(x, Unbound | Perhaps) or can_be_chosen(x):
        return False
    return isinstance(x, StagedList) or is_container(x) or is_object(x)


class Picks(BaseException):
    """A staged block can be traced again, giving the numbers of what it gives.

    Args:
      places: where that stands, and what it may be.
    """

    def __init__(self, places: Sequence[tuple[Path, Sequence[Any]]]) -> None:
        from .references import Reference

        super().__init__()
        self._paths = [path for path, _ in places]
        self._known = tuple(Reference(0, list(parts)) for _, parts in places)

    @property
    def is_lasting(self) -> bool:
        """Whether it is the same whenever the block is traced: what lives outside, or None."""
        return all(x is None or is_outside(x) for each in self._known for x in each.parts)

    def again(self, operands: Any) -> Picks:
        """The same, for a block that is traced again and given operands of the same form."""
        known = (each.parts for each in self._known)
        return Picks(list(zip(self._paths, known, strict=True)))

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which gives numbers."""
        known = self._known  # what it may change

        @functools.wraps(function)
        def picking(*args: Any) -> Any:
            returned = function(*args)
            for path, each in zip(self._paths, known, strict=True):
                # A dataclass may be known already, by what stands for it with its tensors.
                each.parts += [x for x in each.lacks(at(returned, path)) if not is_dataclass(x)]
            return self.told(returned, known)

        return picking

    def turn(
        self, body: Callable[..., Any], skip: int, size: int | None
    ) -> Callable[..., Any]:
        """A loop's body, which is given numbers and gives them, or its test, which is given them.

        Args:
          body: takes the state.
          skip: how many arguments it takes before that.
          size: how many it gives; None for a test.
        """
        known = self._known

        @functools.wraps(body)
        def turn(*given: Any) -> Any:
            returned = body(*given[:skip], *self.named(given[skip:], known))
            if size is None:
                return returned
            returned = (returned,) if size == 1 else returned
            self._check_known(returned, known)
            after = self.told(returned, known)
            return after[0] if size == 1 else after

        return turn

    def told(self, returned: Any, known: Sequence[Reference] = ()) -> Any:
        """What a block returns, or is given, with the numbers of what stands in these places."""
        for path, each in zip(self._paths, known or self._known, strict=True):
            returned = replaced(returned, path, each.number_of)
        return returned

    def _check_known(self, returned: Any, known: Sequence[Reference]) -> None:
        """What a turn gives, the next one can be given.

        Raises:
          Widens: it lives outside, and is none of what it is known to be.
        """
        for number, (path, each) in enumerate(zip(self._paths, known, strict=True)):
            more = each.lacks(at(returned, path))
            if more:
                raise Widens(self, number, more)

    def wider(self, number: int, more: Sequence[Any]) -> Picks:
        """The same, with more that may stand at the place of this number."""
        places = [(path, each.parts) for path, each in zip(self._paths, self._known, strict=True)]
        path, parts = places[number]
        places[number] = path, linked([*parts, *more])
        return Picks(places)

    def named(self, results: Any, known: Sequence[Reference] = ()) -> Any:
        """What a block gives, or is given, with what the numbers stand for."""
        for path, each in zip(self._paths, known or self._known, strict=True):
            results = replaced(results, path, each.at)
        return results


class Widens(BaseException):
    """A turn of a loop gives what lives outside, which is none of what it may be before the turn.

    Attributes:
      picks: what is known of what it may be.
      number: of the place where it stands.
      more: what else stands there.
    """

    def __init__(self, picks: Picks, number: int, more: Sequence[Any]) -> None:
        super().__init__()
        self.picks = picks
        self.number = number
        self.more = more


def check_picks(graph: Graph, *ways: Way) -> None:
    """No two ways give different things that were there before.

    Args:
      graph: what the block is traced in.
      *ways: those that lead to its end.

    Raises:
      Picks: they do, and names refer to what may be one of several.
      OwnershipError: what a block has picked is known in it alone.
    """
    if would_refer():
        return
    places = list(_places(ways, ()))
    if places and refers():
        raise Picks(places)
    if names_refer():
        for way in ways:
            for leaf in nest.flatten(way.returned)[0]:
                _check_leaf(leaf, graph)


def _places(ways: Sequence[Way], path: Path) -> Iterator[tuple[Path, list[Any]]]:
    """Where the ways give what was there before, and what that may be."""
    returned = [nest.actual(way.returned) for way in ways]
    first = returned[0]
    if type(first) is tuple:
        if all(type(x) is tuple and len(x) == len(first) for x in returned):
            for i, _ in enumerate(first):
                yield from _places([way.part(way.returned[i]) for way in ways], (*path, i))
        return
    if all(x is first for x in returned) and len(returned) > 1:
        return
    found: dict[int, Any] = {}
    for way, x in zip(ways, returned, strict=True):
        if is_nothing(x):
            continue
        origins = _origins(way)
        if not origins:
            return
        found |= {id(origin): origin for origin in origins}
    if len(found) > 1:
        yield path, list(found.values())


def _origins(way: Way) -> list[Any] | None:
    """What of what was there before it may have returned; None for what is new."""
    from .references import Reference

    x = way.returned
    parts = x.parts if isinstance(x, Reference) else [x]
    if not all(map(can_be_referred_to, parts)):
        return None
    origins = [_origin(way, part) for part in parts]
    are_new = any(
        origin is None and part is not None for origin, part in zip(origins, parts, strict=True))
    return None if are_new else origins


def _origin(way: Way, x: Any) -> Any:
    given = way.origins.get(id(x))  # of a list that has become a staged one
    if given is not None or x is None:
        return given
    return x if is_outside(x) and made_by_graph(x) is None else way.part(x).origin()


def _check_leaf(leaf: Any, graph: Graph) -> None:
    from .references import Reference

    leaf = leaf.there if isinstance(leaf, Unbound) else leaf
    if isinstance(leaf, Reference) and isinstance(leaf.index, Tensor) and (
        leaf.index.graph is not graph
    ):
        raise OwnershipError(describe(
            'A name is left that stands for one of several, which only the running graph knows.',
            user_location(), 'Take it from its container again where it is needed.'))
