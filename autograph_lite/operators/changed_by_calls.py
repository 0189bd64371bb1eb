"""What a call of a recursive function puts into the lists, dicts and places around it."""
from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from ..graph import nest, nest_contents
from .activations import argument_paths
from .aliases import check_aliases
from .holders import Holder
from .leaves import enclosing
from .outside import is_outside
from .outside_errors import modifies_outside
from .reachable import Reachable
from .reachable_errors import raises_after
from .staging import graph_now
from .watched import is_container, modified_one_of_two


def put_back(
    function: FunctionType,
    places: Sequence[Holder],
    operands: Mapping[str, Any],
    changed: Mapping[int, Any],
) -> None:
    """Lets what a call was given hold what the call has put there.

    Args:
      function: what was called.
      places: what it changes without being given it as an argument.
      operands: its arguments and, after them, what the places held.
      changed: by the number of a leaf of these, what stands there now.

    Raises:
      OwnershipError: a list or dict lives outside the function that is traced, or has two names; or
        a handler would have to know what was there when the function raised.
    """
    leaves, structure = nest.flatten(operands)
    if any(graph.name == 'try' for graph in enclosing(graph_now())):
        paths = argument_paths(structure)
        raise raises_after([paths[i] for i in changed])
    now = nest.unflatten(structure, [changed.get(i, leaf) for i, leaf in enumerate(leaves)])
    modified: set[int] = set()
    held = {name: _filled(x, now[name], modified) for name, x in operands.items()}
    given = list(operands.values())
    containers = [container for container, _ in nest_contents.contents(given)]
    check_aliases(given, [i for i, x in enumerate(containers) if id(x) in modified])
    reached = Reachable(None, function, *leaves)
    for x in containers:
        if id(x) in modified and any(reached.holders(x)):
            raise modified_one_of_two(x)
    for place, name in zip(places, list(operands)[len(operands) - len(places) :], strict=True):
        if held[name] is not operands[name]:
            place.put(held[name])


def _filled(old: Any, new: Any, modified: set[int]) -> Any:
    """A nest with the leaves of another; lists, dicts and objects stay the same ones.

    Args:
      old: the nest.
      new: one of the same form.
      modified: gets what identifies those that hold something else now.

    Raises:
      OwnershipError: one lives outside the function that is traced.
    """
    old = nest.actual(old)
    if nest.is_leaf(old):
        return new
    held = nest.map_children(lambda a, b: _filled(a, b, modified), old, new)
    if all(map(operator.is_, nest.children(held), nest.children(old))):
        return old
    if not is_container(old):
        return held
    if is_outside(old):
        raise modifies_outside(old)
    nest_contents.restore([(old, nest_contents.content(held))])
    modified.add(id(old))
    return old
