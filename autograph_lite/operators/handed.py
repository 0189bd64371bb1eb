"""Containers from outside that hold arrays, as the traced function sees them: with tensors.

    for w in LAYERS:
        penalty += np.sum(w * w)

The graph reads the arrays at every call. With the arrays themselves NumPy would calculate while
tracing, once for all calls, wherever no tensor is beside them.
"""
from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from ..keys import is_container
from .places import Place

ToTensor = Callable[[Any, str], Any]


@dataclass(frozen=True)
class Handed:
    """A container from outside, and what the traced function has in its place.

    Attributes:
      path: what the user calls it.
      container: the container itself.
      held: what it held.
      stand_in: the same with tensors.
      parts: what that held.
      graph: the graph that the tensors are of.
      nodes: their nodes, by their places in the graph.
    """

    path: str
    container: Any
    held: list[Any]
    stand_in: Any
    parts: list[Any]
    graph: Graph
    nodes: list[tuple[int, Node]]

    @property
    def is_current(self) -> bool:
        """Whether the container is what it was, and its tensors are still of the graph."""
        known = self.graph.nodes
        return (
            (self.graph is current_graph() or self.is_for_all)
            and _same(_contents(self.container), self.held)
            and all(i < len(known) and known[i] is node for i, node in self.nodes)
        )

    @property
    def is_for_all(self) -> bool:
        """Whether blocks within the graph have it, too: they see what is written to the array."""
        return isinstance(self.stand_in, Tensor) and self.graph.parent is None

    @property
    def is_modified(self) -> bool:
        """Whether the traced function has changed what it has in the place of the container."""
        return not _same(_contents(self.stand_in), self.parts)


def holds_arrays(value: Any) -> bool:
    """Whether there is an array in a container, in any depth."""
    if type(value) in (list, tuple) and _PLAIN.issuperset(map(type, value)):
        return False  # long lists of numbers are common
    return any(type(x) is np.ndarray for x in _contents(value))


def _with_tensors(value: Any, path: str, to_tensor: ToTensor) -> Any:
    if type(value) is np.ndarray:
        return to_tensor(value, path)
    if not is_container(value) or not holds_arrays(value):
        return value
    if not nest.is_leaf(value):
        leaves, structure = nest.flatten(value)
        named = zip(leaves, nest.paths(structure, path), strict=True)
        return nest.unflatten(structure, [_with_tensors(*pair, to_tensor) for pair in named])
    if isinstance(value, MappingProxyType):
        return MappingProxyType(_with_tensors(dict(value), path, to_tensor))
    if not isinstance(value, MutableSequence | MutableMapping):
        return value
    made = copy.copy(value)
    for key in list(value) if isinstance(value, MutableMapping) else range(len(value)):
        made[key] = _with_tensors(value[key], f'{path}[{key!r}]', to_tensor)
    return made


def _contents(value: Any) -> list[Any]:
    """What is in a container, in any depth, and the containers themselves."""
    found = [value]
    if isinstance(value, _LEAVES) or not is_container(value):
        return found
    if isinstance(value, dict | MutableMapping | MappingProxyType):
        parts = [*value.keys(), *value.values()]
    elif not nest.is_leaf(value):
        parts = nest.children(value)
    else:
        parts = list(value) if isinstance(value, MutableSequence) else []
    for part in parts:
        found += _contents(part)
    return found


_PLAIN = frozenset([int, float, complex, bool, str, bytes, type(None)])
_LEAVES = (Tensor, np.ndarray, np.generic, str, bytes, bytearray, memoryview, int, float, complex)


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


class Handing:
    """What one trace hands out in the place of containers from outside."""

    def __init__(self) -> None:
        self._handed: list[Handed] = []
        self._latest: dict[int, Handed] = {}
        self._aliases: dict[int, tuple[Any, Place]] = {}

    def stand_in(self, value: Any, path: str, to_tensor: ToTensor) -> Any:
        """What stands for an array, or for a container that holds arrays.

        Args:
          value: the array or container.
          path: what the user calls it.
          to_tensor: makes a tensor of an array, which has a name.
        """
        known = self._latest.get(id(value))
        if known is not None and known.container is value and known.is_current:
            return known.stand_in
        graph = current_graph()
        assert graph is not None
        before = len(graph.nodes)
        stand_in = _with_tensors(value, path, to_tensor)
        nodes = list(enumerate(graph.nodes[before:], before))
        held, parts = _contents(value), _contents(stand_in)
        handed = Handed(path, value, held, stand_in, parts, graph, nodes)
        self._latest[id(value)] = handed
        self._handed.append(handed)
        return stand_in

    def arrays(self, graph: Graph) -> Iterator[tuple[np.ndarray[Any, Any], Tensor, Value]]:
        """The arrays of which a graph has tensors; those, and what they held at first."""
        for each in self._latest.values():
            if isinstance(each.stand_in, Tensor) and each.graph is graph and each.is_current:
                yield each.container, each.stand_in, each.nodes[0][1].outputs[0]

    def nodes(self, array: np.ndarray[Any, Any]) -> list[Node]:
        """The nodes that read an array."""
        return [node for x in self._handed if x.container is array for _, node in x.nodes]

    def array_of(self, tensor: Any) -> np.ndarray[Any, Any] | None:
        """The array that a tensor stands for."""
        found = (x.container for x in self._latest.values() if x.stand_in is tensor)
        return next(found, None)

    def check(self) -> None:
        """What stands for containers from outside has not been modified.

        Raises:
          OwnershipError: it has, which the containers themselves do not see.
        """
        for each in self._handed:
            if each.is_modified and type(each.container) is not np.ndarray:
                what = f'{each.path}, which lives outside the function, is modified by another name'
                fix = 'Modify a copy of it, or keep state in an `ag.Variable`.'
                raise OwnershipError(describe(f'{what}.', user_location(), fix))

    def note_alias(self, container: Any, place: Place) -> None:
        """Remembers where a container was found that has a name of which only parts are read."""
        self._aliases[id(container)] = container, place

    def alias(self, container: Any) -> Place | None:
        """Where it was found; None if it has no such name."""
        known = self._aliases.get(id(container))
        return None if known is None else known[1]
