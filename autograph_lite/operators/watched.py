"""What may be one thing or two when the graph runs, and so is modified no more.

    rows.append(row)
    best = row if x > 0 else other

In a list of the running graph, and after a branch, there are the values of `row`, not the list.
"""
from __future__ import annotations

from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from .optional_nests import Perhaps
from .state import content, is_object


def is_container(x: Any) -> bool:
    """Whether it is a list, dict or object that can be changed in place."""
    return isinstance(x, (list, dict)) or is_object(x)


def watch(*things: Any) -> None:
    """From now on none of these lists, dicts and objects is modified."""
    graph = current_graph()
    if graph is not None:
        things = tuple(x.nest if isinstance(x, Perhaps) else x for x in things)
        graph.watched += [
            (x, _content(x)) for x in things if is_container(x) or isinstance(x, Tensor)
        ]


def watch_parts(element: Any) -> None:
    """The same for everything in a nest."""
    element = nest.actual(element)
    if is_container(element):
        watch(element)
    for part in nest.children(element):
        watch_parts(part)


def _content(x: Any) -> Any:
    return x.held if isinstance(x, Tensor) else content(x)


def check_watched(graph: Graph) -> None:
    """What may be one or two has not been modified.

    Raises:
      OwnershipError: it has.
    """
    for x, before in graph.watched:
        same = x.held is before if isinstance(x, Tensor) else _holds(x, before)
        if not same:
            raise modified_one_of_two(x)


def _holds(x: Any, before: Any) -> bool:
    now = content(x)
    return now.keys() == before.keys() and all(now[key] is part for key, part in before.items())


def modified_one_of_two(x: Any) -> OwnershipError:
    """The error for a list, dict or object that may have another name when the graph runs."""
    kind = 'list' if isinstance(x, Tensor) else type(x).__name__
    return OwnershipError(
        describe(
            f'A {kind} is modified that may have another name when the graph runs: it was put into '
            'a list, or a branch or a loop gave it that name.',
            user_location(),
            'Take a copy where it is put or named so, such as `best = row.copy()`.',
        )
    )
