"""The leaves of what staged functions take and return: how two ways of getting there join."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import Location, StagingError, describe, excerpt, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.joins import JoinError, join
from ..graph.tensor import Memory, Storage, Tensor
from ..graph.tracing import as_value, emit_one, site, tracing_into, unwrap
from ..graph.types import STRING, TensorType, type_of
from ..ops.control_flow import CAST, MISSING
from ..ops.strings import string_constant
from .caught import Caught
from .lists import handle
from .outside import tensor_for
from .unbound import Unbound

Ways = tuple[str, str]


@dataclass(frozen=True)
class Leaf:
    """One leaf, as one way left it.

    Attributes:
      type: its type; None for what is no array or number.
      static: the Python value, where there is no symbolic one.
      value: the symbolic value, in the graph of that way.
      memory: the memory that the value may name.
      unbound: what stands for the name where it may have no value.
      unreachable: the way ends before it gives a value.
    """

    type: TensorType | None
    static: Any = None
    value: Value | None = None
    memory: Memory = ()
    unbound: Unbound | None = None
    unreachable: bool = False

    @property
    def missing(self) -> bool:
        """Whether there certainly is no value: None, or a name without one."""
        return self.type is None and (self.static is None or self.unbound is not None)

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        return self.static is None if self.type is None else self.type.maybe

    @property
    def site(self) -> Location | None:
        """Where the user's code made the value."""
        node = self.value.node if self.value else None
        return node.site.location if node and node.site else None

    def held(self) -> Any:
        """What the way gave, with a handle of its own."""
        if self.value is None:
            return self.static
        tensor = handle(self.value, self.memory)
        return tensor if self.unbound is None else self.unbound.holding(tensor)

    def __str__(self) -> str:
        if self.unbound is not None and self.type is None:
            return 'without a value'
        if self.type is None or self.value is None:
            return repr(self.static)
        return str(self.type)


@dataclass(frozen=True)
class Join:
    """One leaf after two ways met: of a type, or (type None) the Python value that both share."""

    type: TensorType | None
    static: Any = None
    unbound: Unbound | None = None


def leaf_of(x: Any, graph: Graph) -> Leaf:
    """The leaf for what a function traced into `graph` returned, or for an operand of a loop.

    Raises:
      OwnershipError: it is an array whose memory was modified through another name.
    """
    if isinstance(x, np.ndarray):
        x = tensor_for(x)
    if isinstance(x, Caught):
        str(x)
    if isinstance(x, Unbound):
        if x.tensor is None:
            return Leaf(None, x, unbound=x)
        if not x.name and x.tensor.graph is not graph:
            return leaf_of(unwrap(x.tensor, sure=True), graph)
        return replace(leaf_of(x.tensor, graph), unbound=x)
    if isinstance(x, Tensor):
        value = x.read()
        if value.graph is not graph:
            graph.reads.append(x)
        value = graph.local(value)
        return Leaf(value.type, value=value, memory=x.memory)
    return Leaf(type_of(x), x)


def as_operand(x: Any) -> Any:
    """An operand as a block sees it: an array as a tensor, a list that became staged as that."""
    return tensor_for(x) if isinstance(x, np.ndarray) else nest.actual(x)


def same_static(a: Any, b: Any) -> bool:
    """Whether two Python values are one and the same for everything that comes after."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Unbound):
        return False
    if type_of(a) is not None:
        return repr(a) == repr(b)
    return isinstance(a, (str, bytes, frozenset, type(...))) and bool(a == b)


def join_leaves(name: str, a: Leaf, b: Leaf, ways: Ways) -> Join:
    """What is known of the leaf after either way.

    Raises:
      StagingError: the two do not join; the message names both.
    """
    if a.unreachable or b.unreachable:
        known = b if a.unreachable else a
        return Join(None if known.value is None else known.type, known.static, known.unbound)
    if a.value is None and b.value is None and same_static(a.static, b.static):
        return Join(None, a.static)
    unbound = _unbound(name, a, b, ways)
    if a.missing and b.missing:
        return Join(None, unbound)
    types = [STRING if isinstance(leaf.static, str) else leaf.type for leaf in (a, b)]
    if a.missing or b.missing:
        present = types[1] if a.missing else types[0]
        if present is not None:
            return Join(replace(present, maybe=True), unbound=unbound)
    if types[0] is None or types[1] is None:
        raise disagreement(name, a, b, ways)
    try:
        return Join(join(types[0], types[1]), unbound=unbound)
    except JoinError as error:
        raise disagreement(name, a, b, ways, str(error)) from None


def _unbound(name: str, a: Leaf, b: Leaf, ways: Ways) -> Unbound | None:
    """What stands for a name that may have no value after one of the ways."""
    known, other, way = (b, a, ways[1]) if a.unbound is None else (a, b, ways[0])
    if known.unbound is None:
        return None
    if not known.unbound.name and other.unbound is None and other.optional:
        # A flag tells whether there is a result; that it is None, only the value itself can.
        return None
    why = known.unbound.why
    if known.unbound.name and other.unbound is None and known.missing:
        why = why or f'it has no value {way}'
    return Unbound(known.unbound.name, why)


def disagreement(name: str, a: Leaf, b: Leaf, ways: Ways, reason: str = '') -> StagingError:
    """The error for two leaves that do not join: both types, and where each came from."""
    lines = [f'{name} is {a} {ways[0]} and {b} {ways[1]}{": " + reason if reason else ""}.']
    here = user_location()
    lines += [excerpt(leaf.site) for leaf in (a, b) if leaf.site and leaf.site != here]
    change = '.reshape(...)' if 'axes' in reason else '.astype(...)'
    fix = f'Make {name} the same on both ways, for example with `{change}`.'
    if a.type is None or b.type is None:
        fix = f'Give {name} an array or a number of one type on both ways.'
    return StagingError(describe('\n'.join(lines), here, fix))


def structure_error(
    a: nest.Structure, b: nest.Structure, names: Sequence[str], ways: Ways
) -> StagingError:
    """The error for results that are nested differently."""
    name = ', '.join(names) or 'The result'
    return StagingError(
        describe(
            f'{name} is {a} {ways[0]} and {b} {ways[1]} (`*` stands for a value).',
            user_location(),
            'Give it the same structure on both ways.',
        )
    )


def leaf_names(structures: Sequence[nest.Structure], names: Sequence[str]) -> list[str]:
    """What the user calls each leaf of the nests with these names."""
    return [
        path
        for name, structure in zip(names, structures, strict=True)
        for path in nest.paths(structure, name)
    ]


def value_of(leaf: Leaf, type_: TensorType, graph: Graph) -> Value:
    """The leaf as a value of the joined type, in the graph of its way."""
    with tracing_into(graph):
        if leaf.missing or leaf.unreachable:
            return emit_one(MISSING, [], {'type': type_}).read()
        if isinstance(leaf.static, str):
            return string_constant(leaf.static).held
        if leaf.value is None:
            convert = type_.python_type if type_.weak else type_.dtype.type
            return as_value(convert(leaf.static))
        present = leaf.value.type
        if present.dtype == type_.dtype and present.weak == type_.weak:
            return leaf.value
        target = replace(type_, maybe=present.maybe)
        return graph.add(CAST, [leaf.value], {'type': target}, site=site()).outputs[0]


def outer_memories(
    memories: Sequence[Memory], outer: Graph, written: Collection[Storage]
) -> list[Memory]:
    """The memory of each result of a staged block, seen from outside.

    Memory that the block made, and outer memory that it wrote, is new to whoever reads the
    results: old handles onto it are stale. Other outer memory stays what it was. What is new in
    one result is one storage, shared with the results that share some of it: the number of
    storages does not grow with the number of blocks that an array goes through.
    """
    around = set(enclosing(outer))
    groups: dict[Storage, Storage] = {}

    def is_new(storage: Storage) -> bool:
        return storage in written or storage.graph not in around

    def group(storage: Storage) -> Storage:
        while groups.get(storage, storage) is not storage:
            storage = groups[storage]
        return storage

    for memory in memories:
        new = [storage for storage in memory if is_new(storage)]
        for storage in new:
            groups[group(storage)] = group(new[0])
    fresh: dict[Storage, Storage] = {}
    return [
        tuple(
            dict.fromkeys(
                fresh.setdefault(group(storage), Storage(outer)) if is_new(storage) else storage
                for storage in memory
            )
        )
        for memory in memories
    ]


def enclosing(graph: Graph | None) -> Iterator[Graph]:
    """A graph and those around it."""
    while graph is not None:
        yield graph
        graph = graph.parent


def result(join: Join, output: Value | None, memory: Memory) -> Any:
    """The leaf as the code after the staged block sees it."""
    if output is None:
        return join.static
    tensor = handle(output, memory)
    return tensor if join.unbound is None else join.unbound.holding(tensor)
