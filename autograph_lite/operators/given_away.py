"""What traced code puts into containers outside, and so is not to change afterwards.

    self.history.append(row)

The graph gives away values. In Python a list or an array has two names from then on.
"""
from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..converters.callees import is_of_library
from ..errors import Location, OwnershipError, describe, user_location, with_article
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.types import ListType
from .blocks_around import stands_for_another
from .contents import is_object
from .holders import Held, walk
from .living_lists import LivingList
from .new_objects import is_theirs
from .outer_sets import let_out
from .outside import is_outside, lives_outside, rebound
from .outside_errors import becomes_an_argument
from .put_outside import check_put, with_theirs
from .rebound import Error
from .staging import graph_now
from .variable_creation import is_made_once
from .watched import content_of, is_container, still_holds


def give_away(values: Sequence[Any]) -> None:
    """These nests are put into a container outside.

    Raises:
      OwnershipError: one is not the trace's to give away.
    """
    world = rebound()
    assert world is not None
    here, graph = user_location(), graph_now()
    for value in values:
        let_out(value)
        for x in _parts(nest.actual(value)):
            _check(x)
            if isinstance(x, Tensor):
                world.given.append((x, x.held, here, graph, changes_later))
            elif is_container(x) and not is_theirs(x):
                world.given.append((x, content_of(x), here, graph, changes_later))


def put_by(name: str, args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """What a method is given that puts it into a container outside, and what from outside is in it.

    Args:
      name: the method.
      args: what it is given.
      named: what it is given by name.

    Raises:
      OwnershipError: it puts there what each call is given another of.
    """
    is_one = name in _PUTTING and not isinstance(args[0], slice)
    parts = args if is_one else [part for x in args for part in _elements(nest.actual(x))]
    for part in (*parts, *(named.values() if name == 'update' else ())):
        check_put(part)
    return [with_theirs(x) if is_one else _with_elements(x) for x in (*args, *named.values())]


def _elements(x: Any) -> list[Any]:
    """What is taken from a nest, or from an iterator: that holds it."""
    return [x] if isinstance(x, Iterator) else nest.children(x)


def _with_elements(x: Any) -> Any:
    return nest.map_children(with_theirs, x) if type(x) in (list, tuple) else x


# Methods that put what they are given itself there; others put its elements.
_PUTTING = ('add', 'append', 'appendleft', 'insert', '__setitem__')


def leave_as_it_is(value: Any, changed: Error) -> None:
    """From now on nothing in a nest is to change.

    Args:
      value: the nest.
      changed: the error of changing something in it.
    """
    world = rebound()
    here, graph = user_location(), graph_now()
    if world is None:
        return
    for x in _parts(nest.actual(value)):
        if isinstance(x, Tensor):
            world.given.append((x, x.held, here, graph, changed))
    for held in walk(('', value)):
        if not isinstance(held.owner, types.FunctionType | type) and not is_outside(held.owner):
            world.given.append((held.owner, held, here, graph, changed))


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
    world = rebound()
    is_put = world is not None and id(x) in world.bindings.made
    if is_put or (isinstance(x, LivingList) and x.is_held):
        raise changes_later(x)
    if isinstance(x, Tensor):
        root = _root(x.held)
        is_passed = root.node is None and root.graph.parent is not None
        if is_passed and root is not x.held:
            raise changes_later(x)
    elif is_container(x):
        if not is_theirs(x) and stands_for_another(x):
            raise changes_later(x)
    elif _is_own_object(x):
        kind = with_article(type(x).__name__, begins=True)
        what = f'{kind} that the function makes is put into what lives outside.'
        fix = 'Put a tuple, a dict or a dataclass there.'
        if callable(x):
            fix = (
                'Call it, and put what it gives there; sort a list of numbers outside by '
                '`rows = sorted(rows, key=f)`, or give the list to the function as an argument.')
        raise OwnershipError(describe(what, user_location(), fix))


def _is_own_object(x: Any) -> bool:
    """Whether it is an object or a function that each call of the function would make."""
    if isinstance(x, types.FunctionType):
        return any(isinstance(value, Tensor)
                   for held in walk(('', x)) for value in held.content.values())
    is_users = nest.is_leaf(x) and is_object(x) and not is_of_library(type(x))
    return is_users and not lives_outside(x) and not is_made_once(x)


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
    traced = {graph, *(inner for node in graph.walk() for inner in node.graphs.values())}
    for x, held, location, block, changed in world.given:
        if block not in traced:  # it was traced once more
            continue
        if not isinstance(x, Tensor):
            if held.is_changed if isinstance(held, Held) else not still_holds(x, held):
                raise changed(x, location)
            continue
        if not set(modified).isdisjoint(x.memory):
            raise becomes_an_argument('', location)
        if held.graph is graph:  # blocks give back what they make of it
            is_changed = x.is_stale or x.held is not held
        else:
            is_changed = _is_modified(graph, held)
        if is_changed:
            raise changed(x, location)


def _is_modified(graph: Graph, value: Value) -> bool:
    """Whether an array of a block, or what it is a view of, is modified in place after it is there.

    What a block is passed, or a loop gives the next turn, may be any value of that type.
    """
    same = {value}
    while value.node is not None and value.node.op.view:
        value = value.node.inputs[0]
        same.add(value)
    blocks = [inner for node in graph.walk() for inner in node.graphs.values()]
    is_passed = any(not same.isdisjoint((*each.params, *each.outputs)) for each in blocks)
    for node in graph.walk():
        if node.op.updates and (node.inputs[0] in same or (
                is_passed and _may_be(node.inputs[0], value))):
            return True
    return False


def _may_be(passed: Value, value: Value) -> bool:
    """Whether a value comes from outside of its block and is of such a type."""
    return _root(passed).node is None and type(passed.type) is type(value.type)


def changes_later(x: Any, location: Location | None = None) -> OwnershipError:
    """The error for what is put into what lives outside while it has another name, and changes."""
    is_list = isinstance(x, Tensor) and isinstance(x.type, ListType)
    kind = 'list' if is_list else 'array' if isinstance(x, Tensor) else type(x).__name__
    return OwnershipError(describe(
        f'{with_article(kind, begins=True)} is put into what lives outside, and may change there '
        'by another name.',
        location or user_location(),
        'Change it before it is put there; or put a copy there: `x.copy()`.'))
