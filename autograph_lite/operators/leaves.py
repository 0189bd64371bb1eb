"""The leaves of what staged functions take and return: how two ways of getting there join."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import Location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.joins import JoinError, join
from ..graph.state import Assignable
from ..graph.storage import ELEMENT, CapturedStorage, Memory, StateStorage, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, constant, emit_one, site, tracing_into, used_outside
from ..graph.types import TensorType, is_of_any_length, python_text, text_type, type_of
from ..ops.control_flow import CAST, MISSING
from ..ops.exceptions import PartOfError
from ..ops.flat import Flat
from ..ops.refusals import refuse
from ..ops.strings import text_constant
from ..pyct.asking import called, get_attribute
from .disagreements import Ways, disagreement
from .handles import handle
from .joined_numbers import check_exact, converted
from .living_lists import LivingList, chosen_list
from .moved import Moved
from .unbound import NOTHING, Unbound


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
      read: of an array that the way was given as it is, what it holds at its end.
    """

    type: TensorType | None
    static: Any = None
    value: Value | None = None
    memory: Memory = ()
    unbound: Unbound | None = None
    unreachable: bool = False
    read: Leaf | None = None

    @property
    def there(self) -> Any:
        """What is there of a leaf without a type, unless the name has no value."""
        return self.static if self.unbound is None else self.unbound.there

    @property
    def type_met(self) -> TensorType | None:
        """Its type where it meets another one: of a text or an exception, too."""
        if isinstance(self.there, BaseException):
            from .effects import type_of_error  # it imports what is here

            return type_of_error(self.there)
        return text_type(self.there) or self.type

    @property
    def missing(self) -> bool:
        """Whether there certainly is no value: None, or a name without one."""
        return self.type is None and (self.there is None or self.there is NOTHING)

    @property
    def optional(self) -> bool:
        """Whether it may be None."""
        if self.unbound is not None and self.unbound.optional:
            return True
        if self.type is None:
            return self.there is None
        return self.type.maybe and self.unbound is None

    @property
    def site(self) -> Location | None:
        """Where the user's code made the value."""
        node = self.value.node if self.value else None
        return node.site.location if node and node.site else None

    def held(self) -> Any:
        """What the way gave, with a handle of its own."""
        if self.read is not None:
            return self.read.held()
        if self.value is None:
            return self.static
        tensor = handle(self.value, self.memory)
        return tensor if self.unbound is None else self.unbound.holding(tensor)

    def __str__(self) -> str:
        if self.there is NOTHING:
            return 'without a value'
        if self.type is None or self.value is None:
            collection = get_attribute(type(self.there), 'python_class')
            return f'a {collection.__name__} of its own' if collection else called(self.there)
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
        x = constant(x)
    if isinstance(x, PartOfError):
        str(x)
    if isinstance(x, Flat):
        raise refuse('ndarray.flat', 'is no value of its own.', 'Write `x.ravel()`.')
    if isinstance(x, Moved):
        x = x.value
    if isinstance(x, Unbound):
        if x.tensor is None:
            return Leaf(None, x, unbound=x)
        if x.name:
            return replace(leaf_of(x.tensor, graph), unbound=x)
        # It is read only under a flag: what happens to its memory before does not matter.
        value = graph.local(x.tensor.held)
        return Leaf(value.type, value=value, memory=x.tensor.memory, unbound=x)
    if isinstance(x, LivingList):
        return Leaf(None, x)
    if isinstance(x, Tensor):
        value = x.read()
        if value.graph is not graph:
            if not any(each is value.graph for each in enclosing(graph)):
                raise used_outside(x)
            graph.reads.append(x)
        value = graph.local(value)
        return Leaf(value.type, value=value, memory=x.memory)
    return Leaf(type_of(x), x)


def leaf_after(x: Any, graph: Graph) -> Leaf:
    """The same, of what a block leaves: what it was given as it is, is that."""
    if not is_given(x, graph):
        return leaf_of(x, graph)
    return Leaf(None, x, read=leaf_of(x, graph) if isinstance(x, Tensor) else None)


def is_read(leaf: Leaf, other: Leaf) -> bool:
    """Whether a leaf is state, of which what it holds now meets what the other way gives."""
    is_state = leaf.type is None and isinstance(leaf.static, Assignable | Tensor)
    return is_state and not (other.unreachable or same_static(leaf.static, other.static))


def read_state(leaf: Leaf, other: Leaf, graph: Graph) -> Leaf:
    """A leaf, in its graph, as it meets the other way's."""
    if not is_read(leaf, other):
        return leaf
    if leaf.read is not None:
        return leaf.read
    if isinstance(leaf.static, LivingList):
        raise chosen_list()
    with tracing_into(graph):
        return leaf_of(leaf.static._held(), graph)


def own_arrays(x: Any, name: str = '') -> Any:
    """A captured array as a tensor, so that no branch modifies the array itself while tracing."""
    return constant(x, name) if isinstance(x, np.ndarray) else x


def is_given(x: Any, graph: Graph) -> bool:
    """Whether a block was given an array, or `x.flat`, as it is: it sees what is made of it."""
    return any(x is each for each in graph.given)


def inner(x: Any, graph: Graph) -> Any:
    """The operand as a subgraph sees it: a handle of its own, onto the same memory."""
    if is_given(x, graph):
        return x
    if isinstance(x, Unbound) and x.tensor is not None:
        return x.holding(inner(x.tensor, graph))
    if not isinstance(x, Tensor) or isinstance(x, LivingList):
        return x
    return handle(graph.local(x.read()), x.memory)


def inner_operands(operands: Sequence[Any], graph: Graph) -> Any:
    """The operands as a subgraph sees them."""
    return nest.map_leaves(lambda x: inner(x, graph), tuple(operands))


def same_static(a: Any, b: Any) -> bool:
    """Whether two Python values are one and the same for everything that comes after."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Unbound):
        return False
    if type_of(a) is not None:
        return repr(a) == repr(b)
    if isinstance(a, FunctionType):
        return _do_the_same(a, b)
    return isinstance(a, (str, bytes, frozenset, type(...))) and bool(a == b)


def _do_the_same(a: FunctionType, b: FunctionType) -> bool:
    """Whether two functions are of one definition, with the same variables and defaults."""
    mine, others = (
        [f.__code__, f.__defaults__, f.__kwdefaults__, *(f.__closure__ or ())] for f in (a, b))
    return all(x is y or x == y for x, y in zip(mine, others, strict=False))


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
    unbound = _unbound(a, b, ways)
    if a.type is None and b.type is None:
        static = _static_of_both(a, b)
        if static:
            return Join(None, static[0] if unbound is None else unbound.holding(static[0]))
    types = [leaf.type_met for leaf in (a, b)]
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


def _static_of_both(a: Leaf, b: Leaf) -> list[Any]:
    """What is there on both ways, or on the only one that gives a value; empty if that differs."""
    found = [leaf.there for leaf in (a, b) if leaf.there is not NOTHING] or [NOTHING]
    is_one = len(found) == 1 or same_static(*found)
    return found[:1] if is_one and text_type(found[0]) is None else []


def _unbound(a: Leaf, b: Leaf, ways: Ways) -> Unbound | None:
    """What stands for a name that may have no value after one of the ways."""
    known, other, way = (b, a, ways[1]) if a.unbound is None else (a, b, ways[0])
    if known.unbound is None:
        return None
    is_static = other.type is None and text_type(other.there) is None
    is_told = known.unbound.name or known.unbound.optional
    if not is_told and other.unbound is None and (is_static or other.optional):
        # A flag tells whether there is a result; that it is None, only the value itself can.
        return None
    why = known.unbound.why
    if known.unbound.name and other.unbound is None and known.there is NOTHING:
        why = why or f'it has no value {way}'
    shared = any(leaf.unbound is not None and leaf.unbound.shared for leaf in (a, b))
    return Unbound(known.unbound.name, why, optional=a.optional or b.optional, shared=shared)


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
        if text_type(leaf.static) is not None:
            return text_constant(leaf.static).held
        if isinstance(leaf.static, BaseException):
            from .effects import made_error  # it imports what is here

            return made_error(leaf.static).held
        value = leaf.value or as_value(converted(leaf.static, type_))
        if value.type.dtype == type_.dtype and value.type.weak == type_.weak:
            return value
        if python_text(type_) is not None or is_of_any_length(type_):
            return value  # it is what it is on its way
        if type_.met is not None and not type_.weak:
            check_exact(value, type_)
        target = replace(type_, maybe=value.type.maybe)
        return graph.add(CAST, [value], {'type': target}, site=site()).outputs[0]


def outer_memories(
    memories: Sequence[Memory],
    outer: Graph,
    written: Collection[Storage],
    are_two: Callable[[int, int], bool],
) -> list[Memory]:
    """The memory of each result of a staged block, seen from outside.

    Memory that the block made, and outer memory that it wrote, is new to whoever reads the
    results: old handles onto it are stale. Other outer memory stays what it was. What is new in
    one result is one storage, shared with the results that may share some of it; one that no other
    result shares is left out beside outer memory, which whatever names the result names, too: the
    number of storages does not grow with the number of blocks that an array goes through. Of what
    may be one of several arrays around the block, the memory of these goes on to be its own. What
    is new still tells what it may be of the memory around the graph, to the blocks around it.

    Args:
      memories: that of each result, as the block and what is around it see it.
      outer: the graph around the block.
      written: the memory that the block wrote.
      are_two: of two results, by number, whether they surely share none.
    """
    around = {id(graph) for graph in enclosing(outer)}
    new = [
        {storage for storage in memory
         if not isinstance(storage, StateStorage)
         and (storage in written
              or (id(storage.graph) not in around and not isinstance(storage, CapturedStorage)))}
        for memory in memories
    ]
    first = list(range(len(memories)))  # of the results with which each may share what is new
    named: dict[Storage, list[int]] = {}
    for i, mine in enumerate(new):
        for j in dict.fromkeys(j for storage in mine for j in named.get(storage, ())):
            if first[i] != first[j] and not are_two(i, j):
                first = [first[j] if each == first[i] else each for each in first]
        for storage in mine:
            named.setdefault(storage, []).append(i)
    held = {first[i] for i, mine in enumerate(new) if any(each.owner == ELEMENT for each in mine)}
    fresh = [Storage(outer, ELEMENT if i in held else '') for i in range(len(memories))]
    for i, mine in enumerate(new):
        fresh[first[i]].perhaps |= _around(mine, outer)
    found = [
        dict.fromkeys([
            *_of_several([
                each for each in memory
                if id(each.graph) in around and len({first[j] for j in named.get(each, ())}) == 1]),
            *(fresh[first[i]] if each in new[i] else each for each in memory)])
        for i, memory in enumerate(memories)
    ]
    own = set(fresh)
    times = Counter(storage for memory in found for storage in memory if storage in own)
    return [
        tuple(each for each in memory if each not in own or times[each] > 1 or each.owner)
        or tuple(memory)
        for memory in found
    ]


def _around(memory: Collection[Storage], graph: Graph) -> frozenset[Storage]:
    """What memory of a graph, or of blocks in it, may be of the memory around that graph."""
    around = {id(each) for each in enclosing(graph.parent)}
    found = set(memory)
    while inner := {each for each in found if not (
            isinstance(each, CapturedStorage) or id(each.graph) in around)}:
        found = (found - inner).union(*(each.perhaps for each in inner))
    return frozenset(found)


def _of_several(memory: Sequence[Storage]) -> Sequence[Storage]:
    """The memory, if it is that of several arrays; none if it is not."""
    return memory if len(set(memory)) > 1 else ()


def enclosing(graph: Graph | None) -> Iterator[Graph]:
    """A graph and those around it."""
    while graph is not None:
        yield graph
        graph = graph.parent


def handlers_around(graph: Graph) -> int:
    """How many handlers of `except` a graph stands in."""
    return sum(each.name == 'except' for each in enclosing(graph))


def result(join: Join, output: Value | None, memory: Memory) -> Any:
    """The leaf as the code after the staged block sees it."""
    if output is None:
        return join.static
    tensor = handle(output, memory)
    return tensor if join.unbound is None else join.unbound.holding(tensor)
