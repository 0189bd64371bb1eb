"""A list that the running graph puts into a variable outside has no other name that it would lose.

    rows = [x]
    self.rows = rows
    self.last = rows

The variable gets a list that the graph makes: what else stands for that list stands for what is in
the variable from then on, where tracing can tell it so. Where it cannot, there would be two lists.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..graph import nest
from ..graph.graph import Graph
from .blocks_around import stands_for_another
from .holders import walk
from .lists import StagedList
from .living_lists import LivingList
from .new_containers import changing_parts, has_two_names
from .other_names import variables
from .outside import rebound
from .staging import graph_now


def check_unshared(value: Any, name: str) -> None:
    """A list that a variable is to be set to, and what can change in it, is nowhere else yet.

    Args:
      value: the list.
      name: what the user calls the variable.

    Raises:
      OwnershipError: it is put into another place outside, or is from around the block.
    """
    world, graph = rebound(), graph_now()
    assert world is not None
    put = {key for x, *_ in world.given for key in identities(x)}
    for part in changing_parts(value):
        is_put = id(part) in world.new or not put.isdisjoint(identities(part))
        put |= identities(part)
        if is_put or stands_for_another(part) or _is_from_around(part, graph):
            raise has_two_names(part, name)


def check_unnamed(value: Any, name: str) -> None:
    """No variable leads to a list of the graph which a variable outside is set to.

    Raises:
      OwnershipError: one does.
    """
    if _is_staged(value):
        check_not_in(value, name, variables())


def check_not_in(value: Any, name: str, roots: Iterable[tuple[str, Any]]) -> None:
    """Nothing that the code has leads to a list which a variable outside is set to.

    Args:
      value: the list.
      name: what the user calls the variable outside.
      roots: what the code has.

    Raises:
      OwnershipError: something does.
    """
    known = identities(value)
    if any(not known.isdisjoint(identities(x)) for x in _reached(list(roots))):
        raise has_two_names(value, name)


def identities(x: Any) -> frozenset[Hashable]:
    """What tells a list or another container: of one of the graph, its memory, too."""
    return frozenset([id(x), *(x.memory if _is_staged(x) else ())])


def _is_staged(x: Any) -> bool:
    """Whether it is a list of the graph: what stands for one outside would be read."""
    return isinstance(x, StagedList) and not isinstance(x, LivingList)


def _is_from_around(x: Any, graph: Graph) -> bool:
    """Whether it is, or may be, a list of the graph that was there before a block."""
    is_in_block = graph.parent is not None
    return is_in_block and _is_staged(x) and any(each.around(graph) for each in x.memory)


def _reached(roots: Sequence[tuple[str, Any]]) -> Iterator[Any]:
    yield from (nest.actual(value) for _, value in roots)
    for held in walk(*roots):
        yield held.owner
        yield from held.content.values()
