"""Containers from outside that hold arrays, as the traced function sees them: with tensors.

    for w in LAYERS:
        penalty += np.sum(w * w)

The graph reads the arrays at every call. With the arrays themselves NumPy would calculate while
tracing, once for all calls, wherever no tensor is beside them.
"""
from __future__ import annotations

import copy
from collections.abc import Callable, Container, Iterator, MutableMapping, MutableSequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Node, Value
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from ..keys import is_container
from .holders import Holder
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
      memory: of an array.
    """

    path: str
    container: Any
    held: list[Any]
    stand_in: Any
    parts: list[Any]
    graph: Graph
    nodes: list[tuple[int, Node]]
    memory: Storage | None

    @property
    def is_current(self) -> bool:
        """Whether the container is what it was, and its tensors are still of the graph."""
        known = self.graph.nodes
        return (
            (self.graph is current_graph() or self.is_for_all)
            and _same(contents(self.container), self.held)
            and all(i < len(known) and known[i] is node for i, node in self.nodes)
        )

    @property
    def is_for_all(self) -> bool:
        """Whether blocks within the graph have it, too: they see what is written to the array."""
        return isinstance(self.stand_in, Tensor) and self.graph.parent is None

    @property
    def is_modified(self) -> bool:
        """Whether the traced function has changed what it has in the place of the container."""
        return not _same(contents(self.stand_in), self.parts)


def holds_arrays(value: Any) -> bool:
    """Whether there is an array in a container, in any depth."""
    if type(value) in (list, tuple) and _PLAIN.issuperset(map(type, value)):
        return False  # long lists of numbers are common
    return any(type(x) is np.ndarray for x in contents(value))


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


def contents(value: Any) -> list[Any]:
    """What is in a container, in any depth, and the containers themselves; each of these once."""
    found: list[Any] = []
    _collect(value, found, set())
    return found


def _collect(value: Any, found: list[Any], known: set[int]) -> None:
    found.append(value)
    if isinstance(value, _LEAVES) or not is_container(value) or id(value) in known:
        return
    known.add(id(value))
    if isinstance(value, dict | MutableMapping | MappingProxyType):
        parts = [*value.keys(), *value.values()]
    elif not nest.is_leaf(value):
        parts = nest.children(value)
    else:
        parts = list(value) if isinstance(value, MutableSequence) else []
    for part in parts:
        _collect(part, found, known)


_PLAIN = frozenset([int, float, complex, bool, str, bytes, type(None)])
_LEAVES = (Tensor, np.ndarray, np.generic, str, bytes, bytearray, memoryview, int, float, complex)


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True, eq=False)
class ArrayPlace(Holder):
    """A captured array, as state of a staged block that modifies it; its `owner` is the array."""

    handing: Handing = field(kw_only=True)

    def held(self) -> Any:
        """The tensor that stands for it."""
        return self.handing.standing_for(self.owner)

    def put(self, value: Any) -> None:
        """Lets a tensor stand for it."""
        for other in self.others:
            other.put(value)
        self.handing.lend(self.owner, value)


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
        held, parts = contents(value), contents(stand_in)
        memory = stand_in.memory[0] if isinstance(stand_in, Tensor) else None
        handed = Handed(path, value, held, stand_in, parts, graph, nodes, memory)
        self._latest[id(value)] = handed
        self._handed.append(handed)
        return stand_in

    def arrays(
        self, graph: Graph
    ) -> Iterator[tuple[np.ndarray[Any, Any], Storage, Tensor, Value]]:
        """The arrays of which a graph has tensors; their memory, those, and what they held."""
        for each in self._latest.values():
            if isinstance(each.stand_in, Tensor) and each.graph is graph and each.is_current:
                assert each.memory is not None
                yield each.container, each.memory, each.stand_in, each.nodes[0][1].outputs[0]

    def nodes(self, array: np.ndarray[Any, Any]) -> list[Node]:
        """The nodes that read an array."""
        return [node for x in self._handed if x.container is array for _, node in x.nodes]

    def array_of(self, tensor: Any) -> np.ndarray[Any, Any] | None:
        """The array that a tensor stands for."""
        found = (x.container for x in self._latest.values() if x.stand_in is tensor)
        return next(found, None)

    def is_stand_in(self, x: Any) -> bool:
        """Whether it stands for a container."""
        return any(each.stand_in is x for each in self._latest.values())

    def container_of(self, value: Any) -> Any:
        """The container that a value stands for; any other value itself."""
        is_one = not isinstance(value, Tensor) and self.is_stand_in(value)
        return self.array_of(value) if is_one else value

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

    def places(self, tensors: Container[int]) -> list[ArrayPlace]:
        """The arrays, as state of a staged block, for which tensors of these identities stand."""
        return [
            ArrayPlace(x.container, None, x.path, handing=self)
            for x in self._latest.values() if id(x.stand_in) in tensors and x.is_for_all]

    def standing_for(self, array: np.ndarray[Any, Any]) -> Any:
        """What stands for an array that was handed out; where that was taken back, it is again."""
        known = self._latest[id(array)]
        if not known.is_current:
            graph = known.graph
            nodes = [(len(graph.nodes) + i, node) for i, (_, node) in enumerate(known.nodes)]
            graph.nodes += [node for _, node in nodes]
            self._latest[id(array)] = known = replace(known, nodes=nodes)
        return known.stand_in

    def lend(self, array: np.ndarray[Any, Any], tensor: Any) -> None:
        """From now on a tensor stands for an array that was handed out."""
        self._latest[id(array)] = replace(self._latest[id(array)], stand_in=tensor)

    def note_alias(self, container: Any, place: Place) -> None:
        """Remembers where a container was found that has a name of which only parts are read."""
        self._aliases[id(container)] = container, place

    def alias(self, container: Any) -> Place | None:
        """Where it was found; None if it has no such name."""
        known = self._aliases.get(id(container))
        return None if known is None else known[1]
