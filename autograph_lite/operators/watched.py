"""What may be one thing or two when the graph runs, and so is modified no more.

    rows.append(row)
    best = row if x > 0 else other

In a list of the running graph, and after a branch, there are the values of `row`, not the list.
"""
from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..errors import Location, OwnershipError, describe, user_location, with_article
from ..graph import nest, nest_contents
from ..graph.checkpoints import Checkpoint
from ..graph.graph import Graph
from ..graph.state import State
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from ..pyct.asking import attributes, has_attribute, in_slots, package_of
from .lists import StagedList
from .object_advice import of_several_names
from .optional_nests import Perhaps

_PACKAGE = __package__.partition('.')[0]


def is_container(x: Any) -> bool:
    """Whether it is a list, dict or object that can be changed in place."""
    if isinstance(x, (list, dict, nest.Mutable)):
        return True
    return dataclasses.is_dataclass(x) and not (isinstance(x, nest.Nest) or nest.is_leaf(x))


def watch(*things: Any) -> None:
    """From now on none of these lists, dicts and objects is modified."""
    watch_in(current_graph(), *things)


def watch_in(graph: Graph | None, *things: Any) -> None:
    """The same, as far as what is traced into this graph goes."""
    if graph is not None:
        things = tuple(x.nest if isinstance(x, Perhaps) else x for x in things)
        things += tuple(column for x in things if _has_columns(x) for column in nest.children(x))
        graph.watched += [
            (x, content_of(x)) for x in things
            if is_container(x) or _has_columns(x) or isinstance(x, Tensor) or _is_object(x)
        ]


def unwatch(lists: Sequence[Any]) -> None:
    """What these have become is forgotten: they are given back what they held."""
    graph = current_graph()
    if graph is not None:
        graph.watched[:] = [
            (x, content) for x, content in graph.watched
            if not (_is_left(content) and any(x is one for one in lists))
        ]


def is_watched(identity: int) -> bool:
    """Whether what has this identity may have another name when the graph runs."""
    graph = current_graph()
    while graph is not None:
        if any(id(one) == identity for one, _ in graph.watched):
            return True
        graph = graph.parent
    return False


def joined(x: Any) -> Any:
    """An object that stands for those that several ways gave, each of which it may be."""
    graph = _outermost()
    if graph is not None:
        graph.joined.append(x)
    return x


def is_joined(x: Any) -> bool:
    """Whether it is such an object."""
    graph = _outermost()
    return graph is not None and any(x is one for one in graph.joined)


def _outermost() -> Graph | None:
    graph = current_graph()
    while graph is not None and graph.parent is not None:
        graph = graph.parent
    return graph


def watch_parts(element: Any) -> None:
    """The same for everything in a nest."""
    element = nest.actual(element)
    if is_container(element):
        watch(element)
    for part in nest.children(element):
        watch_parts(part)


def watch_all(x: Any) -> None:
    """The same for everything in a nest, and the nest, lists of the graph included."""
    x = nest.actual(x)
    if isinstance(x, StagedList) or is_container(x):
        watch(x)
    for part in nest.children(x):
        watch_all(part)


def _has_columns(x: Any) -> bool:
    """Whether it is a list of nests that only the running graph knows."""
    return isinstance(x, nest.Nest) and x.stands_for is list


def _is_object(x: Any) -> bool:
    """Whether it is another object with attributes; what stands for a value is not asked."""
    if isinstance(x, State):
        return False
    has_slots = package_of(type(x)) != _PACKAGE and bool(in_slots(x))
    return has_slots or has_attribute(x, '__dict__')


def content_of(x: Any) -> Any:
    """What it holds now."""
    if isinstance(x, Tensor):
        return x.held
    if _has_columns(x):
        return [column.held for column in nest.children(x)]
    return nest_contents.content(x) if is_container(x) else dict(attributes(x))


def put_into_watched(x: Any, content: Any) -> None:
    """Gives a container other contents that are the same to the user."""
    graph, before = current_graph(), nest_contents.content(x)
    nest_contents.restore([(x, content)])
    while graph is not None:
        _hold(graph.watched, x, before, content)
        graph = graph.parent


def put_what_is_read(x: Any, content: Any) -> None:
    """Gives a container what it holds, as it is read: that does not modify it."""
    graph, before = current_graph(), nest_contents.content(x)
    put_into_watched(x, content)
    while graph is not None:
        _hold(graph.passed, x, before, content)
        graph = graph.parent


def _hold(known: list[tuple[Any, Any]], x: Any, before: Any, content: Any) -> None:
    """Lets what is known to hold what a container held before hold other contents."""
    known[:] = [
        (one, content if one is x and _are_same(held, before) else held) for one, held in known]


def _are_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and nest_contents.holds(a, b)


def rewatch(graph: Graph, since: Checkpoint) -> None:
    """What is watched since then holds what it shall hold only now."""
    watched = graph.watched
    watched[since.watched :] = [(x, content_of(x)) for x, _ in watched[since.watched :]]


def check_watched(graph: Graph) -> None:
    """What may be one or two has not been modified.

    Raises:
      OwnershipError: it has.
    """
    for x, content in graph.watched:
        if not still_holds(x, content):
            raise _changed_by_python() if _is_left(content) else modified_one_of_two(x, content)


def _is_left(content: Any) -> bool:
    """Whether it is what is in a list that a staged block has taken over."""
    return isinstance(content, list) and any(isinstance(x, nest.Successor) for x in content)


def still_holds(x: Any, content: Any) -> bool:
    """Whether it still holds the very same."""
    if isinstance(x, Tensor):
        return x.held is content
    if _has_columns(x):
        pairs = zip(nest.children(x), content, strict=True)
        return all(column.held is held and not column.is_stale for column, held in pairs)
    return nest_contents.holds(x if is_container(x) else attributes(x), content)


def _changed_by_python() -> OwnershipError:
    """The error for a list that Python still changes after a staged block has taken it over."""
    return OwnershipError(
        describe(
            'A function of a library changes a list of which only the running graph knows what is '
            'in it.',
            user_location(),
            'Change it yourself, as by `items.append(x)`, where it is to be changed, or give the '
            'library a function of your own that does: `stack.callback(lambda: items.append(x))`.',
        )
    )


def modified_one_of_two(x: Any, before: Any = None) -> OwnershipError:
    """The error for a list, dict or object that may have another name when the graph runs.

    Args:
      x: the list, dict or object.
      before: what an object held where it got that name, if that is known.
    """
    kind = 'list' if isinstance(x, Tensor) else nest.kind_of(x).__name__
    is_pythons = isinstance(x, Tensor) or issubclass(nest.kind_of(x), (list, dict, set, deque))
    return OwnershipError(
        describe(
            f'{with_article(kind, begins=True)} is modified that may have another name when the '
            'graph runs: a branch or a loop gave it that name, or it was put into a list or chosen '
            'from one.',
            _modified_at(x) or user_location(),
            _CHANGED_FIRST if is_pythons else of_several_names(x, before),
        )
    )


_CHANGED_FIRST = (
    'Change it on each way, before it is named so or put there: `row.append(v)`, then `best = row`;'
    ' or in its place, by its key or index: `groups[k].append(v)`, `rows[i][j] = v`; where a call '
    'beside it puts another one in its place, call first: `y = g(x)`, then `rows.append(y)`; or '
    'take a copy where it is put or named so: `best = row.copy()`.')


def _modified_at(x: Any) -> Location | None:
    """Where it was last modified: by Python, or by a block that has taken it over."""
    from .outside import changed_at  # which knows what is reached, and so what is watched

    staged = nest.actual(x)
    node = staged.held.node if isinstance(staged, Tensor) else None
    return changed_at(x) or (node.site.location if node and node.site else None)
