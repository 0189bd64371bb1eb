"""What traced code puts into containers outside, and so is not to change afterwards.

    self.history.append(row)

The graph gives away values. In Python a list or an array has two names from then on.
"""
from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import Any

from ..converters.callees import is_of_library
from ..errors import Location, OwnershipError, describe, kind_of, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.types import ListType
from .holders import is_object, walk
from .outside import is_outside, lives_outside, rebound
from .outside_errors import becomes_an_argument
from .watched import content_of, is_container, still_holds


def give_away(values: Sequence[Any]) -> None:
    """These nests are put into a container outside.

    Raises:
      OwnershipError: one is not the trace's to give away.
    """
    world = rebound()
    assert world is not None
    here = user_location()
    for value in values:
        for x in _parts(nest.actual(value)):
            _check(x)
            if isinstance(x, Tensor):
                world.given.append((x, x.held, here))
            elif is_container(x) and not is_outside(x):
                world.given.append((x, content_of(x), here))


def _parts(x: Any) -> Iterator[Any]:
    """What can change in a nest, and the nest."""
    if isinstance(x, Tensor):
        if x.type.kind == 'array' or isinstance(x.type, ListType):
            yield x
        return
    yield x
    for part in nest.children(x):
        yield from _parts(nest.actual(part))


def _check(x: Any) -> None:
    if isinstance(x, Tensor):
        root = _root(x.held)
        is_passed = root.node is None and root.graph.parent is not None
        if is_passed and root is not x.held:
            raise _changes_later(x)
    elif is_container(x):
        from .reachable import stands_for_another  # which imports what sets variables

        if not is_outside(x) and stands_for_another(x):
            raise _changes_later(x)
    elif _is_own_object(x):
        what = f'{kind_of(x).capitalize()} that the function makes is put into what lives outside.'
        raise OwnershipError(describe(
            what, user_location(), 'Put a tuple, a dict or a dataclass there.'))


def _is_own_object(x: Any) -> bool:
    """Whether it is an object or a function that each call of the function would make."""
    if isinstance(x, types.FunctionType):
        return any(isinstance(value, Tensor)
                   for held in walk(('', x)) for value in held.content.values())
    return nest.is_leaf(x) and is_object(x) and not is_of_library(type(x)) and not lives_outside(x)


def _root(value: Value) -> Value:
    """The value that was modified in place until it was this one."""
    while value.node is not None and value.node.op.updates:
        value = value.node.inputs[0]
    return value


def check_given(graph: Graph, modified: Sequence[Storage]) -> None:
    """At the end of a trace, what was given away is what it was.

    Args:
      graph: what was traced.
      modified: the memory of the caller's that it modifies: of a copy, put back at its end.

    Raises:
      OwnershipError: something was modified.
    """
    world = rebound()
    assert world is not None
    for x, held, location in world.given:
        if not isinstance(x, Tensor):
            if not still_holds(x, held):
                raise _changes_later(x, location)
            continue
        if not set(modified).isdisjoint(x.memory):
            raise becomes_an_argument('', location)
        is_passed = _root(held).node is None and held.graph.parent is not None
        if x.is_stale or x.held is not held or (is_passed and _modifies(graph, held)):
            raise _changes_later(x, location)


def _modifies(graph: Graph, value: Value) -> bool:
    """Whether the graph modifies in place what may be what a block is passed for this."""
    return any(
        node.op.updates and type(node.inputs[0].type) is type(value.type)
        and node.inputs[0].type.kind == value.type.kind for node in graph.walk())


def _changes_later(x: Any, location: Location | None = None) -> OwnershipError:
    is_list = isinstance(x, Tensor) and isinstance(x.type, ListType)
    kind = 'A list' if is_list else 'An array' if isinstance(x, Tensor) else kind_of(x).capitalize()
    return OwnershipError(describe(
        f'{kind} is put into what lives outside, and may change there by another name.',
        location or user_location(), 'Put a copy there: `x.copy()`.'))
