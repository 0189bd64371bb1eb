"""Functions that traced code makes and puts outside, where each call of it puts one of its own.

    self.callbacks.append(lambda x: x + 1)

No graph makes functions, so the trace that has made them is for one call, and what they close over
is to be Python's after it.
"""
from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import Location, OwnershipError, describe
from ..graph import nest
from ..graph.graph import Graph, Node
from ..graph.state import State
from ..graph.tensor import Tensor
from ..ops.effects import Display
from ..ops.outer_variables import SET_OUTER
from .contents import content
from .holders import walk
from .new_objects import is_theirs, made_by_graph
from .outer_calls import Changing
from .outer_variables import is_told_of
from .outside import is_made_here, rebound, world_now
from .outside_errors import KEEP_OUTSIDE
from .rebound import sets_of
from .unbound import Unbound


def puts_functions(graph: Graph) -> bool:
    """Whether a graph puts functions outside that the traced code has made."""
    closures = (f for f, _ in world_now().rebound.functions.values())
    return any(map(is_made_here, closures)) or any(
        isinstance(x, types.FunctionType) and is_made_here(x) and not is_theirs(x)
        for x in _put(graph.walk()))


def _put(nodes: Iterable[Node]) -> Iterator[Any]:
    """What these put outside that the graph does not compute."""
    for node in nodes:
        run = node.attrs.get('run')
        if node.op is SET_OUTER:
            part = node.attrs['part']
            yield from part.parts if isinstance(part, Display) else (part,)
        elif isinstance(run, Changing):
            yield from run.given


def check_functions(graph: Graph) -> None:
    """At the end of a trace, no function that stays outside has tensors in what it closes over.

    Raises:
      OwnershipError: one has.
    """
    world = rebound()
    if world is None or not world.functions:
        return
    of_blocks = (inner for node in graph.nodes for inner in node.inside())
    changes = (node for node in graph.nodes if node.op is not SET_OUTER)
    put = [*map(world.held, sets_of(graph)), *_put((*of_blocks, *changes))]
    for held in walk(*(('', value) for value in put)):
        f, location = world.functions.get(id(held.owner), (None, None))
        if f is not None and (variable := _variable_with_tensors(f)):
            raise _keeps_tensors(f, variable, location)


def _variable_with_tensors(f: types.FunctionType) -> str:
    """The variable through which a function reaches a tensor that is no one else's; or nothing."""
    seen: set[int] = set()
    waiting = [
        (f.__code__.co_freevars[key] if isinstance(key, int) else key, value)
        for key, value in content(f).items() if not (isinstance(key, int) and is_told_of(f, key))]
    while waiting:
        name, x = waiting.pop()
        if isinstance(x, Tensor | Unbound | nest.Nest):
            return name
        is_known = isinstance(x, types.FunctionType | type | State) or is_theirs(x)
        if id(x) not in seen and not is_known and made_by_graph(x) is None:
            seen.add(id(x))
            waiting += ((name, value) for value in (content(x) or {}).values())
    return ''


def _keeps_tensors(
    f: types.FunctionType, variable: str, location: Location | None
) -> OwnershipError:
    return OwnershipError(describe(
        f'A function that the code makes, {f.__name__!r}, is put into what lives outside, and '
        f'closes over {variable!r}, of which only the running graph knows the value.', location,
        f'{KEEP_OUTSIDE}, such as `self.{variable}`.'))
