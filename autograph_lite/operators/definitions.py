"""A function of the graph that calls itself: what it returns, and the nodes that call it.

What it returns is found as a fixed point: at first a call of itself returns nothing, so that only
the ways count that end the recursion; then what these return, joined with what the other ways make
of it; until that holds.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import BoundArguments, Signature
from typing import Any

from ..errors import Location, StagingError, describe
from ..graph import nest
from ..graph.graph import Graph, Node, Op, Value
from ..graph.sites import Site
from ..graph.tensor import Memory, Storage, Tensor
from ..graph.tracing import checkpoint, site, tracing_into, undo_writes
from ..graph.types import TensorType
from ..ops.control_flow import FUNCTION, RECURSE
from ..ops.effects import RAISE
from .activations import Activation, Static, argument_paths, definitions, is_called
from .effects import Diverged, raises_when_run
from .leaves import (
    Join,
    Leaf,
    enclosing,
    join_leaves,
    leaf_of,
    result,
    structure_error,
    value_of,
)
from .lists import handle
from .restaging import change
from .staging import graph_now, identifier
from .unbound import bound

_MAX_ROUNDS = 32
_WAYS = ('on one way', 'after a call of itself')


@dataclass(frozen=True)
class _Result:
    """What a function returns: a nest of leaves, and the memory that each may name.

    The memory is that of an argument, by its position; outer memory; or new memory, by a number
    that it shares with other results.
    """

    structure: nest.Structure
    joins: tuple[Join, ...]
    memories: tuple[frozenset[Any], ...]


class Definition:
    """A function of the graph while it is traced.

    Attributes:
      name: no other has it that is being traced.
      result: what it returns; None as long as no way is known that ends it.
    """

    def __init__(self, activation: Activation, signature: Signature) -> None:
        self._function = activation.function
        self._given = activation.given
        self._signature = signature
        self._outer = graph_now()
        taken = [definition.name for definition in definitions()]
        self.name = _unique(activation.function.__name__, taken)
        self.result: _Result | None = None
        self._graph = Graph(self.name, self._outer)
        self._leaves: list[Leaf] = []
        self._captures: list[Value] = []
        self._params: dict[Storage, int] = {}
        self._rounds = 0
        self._waits = False  # whether it calls a function around it of which no result is known

    # Tracing it.

    def traced_again(self) -> bool:
        """Traces it once more; whether what is known of it has changed by that.

        Raises:
          StagingError: it does not settle, or it never ends.
        """
        self._rounds += 1
        if self._rounds > _MAX_ROUNDS:
            raise self._error('The types of what {} returns do not settle.')
        before = self.result, len(self._captures)
        start = checkpoint()
        self._graph = graph = Graph(self.name, self._outer)
        with tracing_into(graph):
            returned = self._run(graph)
            if returned is not None:
                self.result = self._joined(returned)
        undo_writes(start)
        self._captures = graph.captures
        changed = before != (self.result, len(graph.captures))
        if not changed and self.result is None and not self._waits and not _raises(graph):
            raise self._error(
                '{} calls itself on every way; a result that is never given has no type.',
                'Return a value on some way without a call of the function itself.',
            )
        return changed

    def _run(self, graph: Graph) -> Any:
        """What it returns; None, which is no tuple, if it never does."""
        operands = self._operands(graph)
        for value in self._captures:
            graph.local(value)
        arguments = nest.unflatten(self._given.structure, operands)
        bound_arguments = BoundArguments(self._signature, arguments)
        held = nest.contents(tuple(arguments.values()))
        try:
            returned = self._function(*bound_arguments.args, **bound_arguments.kwargs)
        except Exception as error:
            raises_when_run(error, graph)
            return None
        leaves = nest.flatten(arguments)[0]
        is_other = any(a is not b for a, b in zip(leaves, operands, strict=True))
        if is_other or any(not nest.holds(*each) for each in held):
            raise self._error(
                '{} modifies a list, a dict or an object that it is given; the graph would not do '
                'so for the caller.',
                'Make a new one, and return it.',
            )
        return (bound(returned),)

    def _operands(self, graph: Graph) -> list[Any]:
        """The leaves of its arguments, as it sees them."""
        paths = argument_paths(self._given.structure)
        operands: list[Any] = []
        self._params = {}
        for i, (leaf, path) in enumerate(zip(self._given.leaves, paths, strict=True)):
            if isinstance(leaf, Static):
                operands.append(leaf.value)
                continue
            storage = Storage(graph, f'the argument {path!r} of {self.name!r}')
            self._params[storage] = i
            operands.append(handle(graph.param(leaf, identifier(path)), (storage,)))
        return operands

    def _joined(self, returned: tuple[Any]) -> _Result:
        """What is known of the result, now that it was traced once more."""
        graph, known_before = self._graph, self.result
        if known_before is None:
            self._leaves, structure = _leaves(returned[0], graph)
            joins = [_alone(leaf) for leaf in self._leaves]
            return _Result(structure, tuple(joins), tuple(self._memories()))
        expected = self._expected(known_before)
        self._leaves, structure = _leaves(change(returned[0], expected), graph)
        before, known_structure = _leaves(change(expected, returned[0]), graph)
        if structure != known_structure:
            raise structure_error(known_structure, structure, (), _WAYS)
        paths = nest.paths(structure, 'The result')
        joins = [
            join_leaves(path, a, b, _WAYS)
            for path, a, b in zip(paths, before, self._leaves, strict=True)
        ]
        memories = self._memories()
        if structure == known_before.structure:
            memories = [a | b for a, b in zip(memories, known_before.memories, strict=True)]
        return _Result(structure, tuple(joins), tuple(memories))

    def _expected(self, known_result: _Result) -> Any:
        """A nest of the form and the types that are known of the result."""
        leaves = [
            join.static if join.type is None else handle(Value(self._graph, join.type, 'result'))
            for join in known_result.joins
        ]
        return nest.unflatten(known_result.structure, leaves)

    def _memories(self) -> list[frozenset[Any]]:
        outer = set(enclosing(self._outer))
        numbers: dict[Storage, int] = {}

        def place(storage: Storage) -> Any:
            if storage in self._params:
                return 'argument', self._params[storage]
            if storage.graph in outer:
                return storage
            return 'new', numbers.setdefault(storage, len(numbers))

        return [frozenset(map(place, leaf.memory)) for leaf in self._leaves]

    # Calling it.

    def recurse(self, leaves: Sequence[Any]) -> Any:
        """What a call in the function itself returns.

        Raises:
          Diverged: nothing is known yet of the result.
        """
        inner = definitions()
        for definition in inner[inner.index(self) + 1 :]:
            definition._waits |= self.result is None
        captures = [graph_now().local(value) for value in self._captures]
        node = self._node(RECURSE, leaves, captures, {}, site())
        node.attrs['effect'] = True  # until it is known that there is none
        return self._returned(node, leaves)

    def call(self, leaves: Sequence[Any]) -> Any:
        """What the call returns that the function was traced for.

        Raises:
          Diverged: it never returns.
        """
        graph = self._graph
        joins = self.result.joins if self.result else ()
        with tracing_into(graph):
            graph.outputs = [
                value_of(leaf, join.type, graph)
                for leaf, join in zip(self._leaves, joins, strict=True)
                if join.type is not None
            ]
        own = [n for n in graph.walk() if n.op is RECURSE and n.attrs['name'] == self.name]
        others = [node for node in graph.walk() if node not in own and not node.graphs]
        effect = any(node.effect for node in others)
        for node in own:
            node.attrs['effect'] = effect
        # What it needs from around it, it is given at every call.
        captures, graph.captures = graph.captures, []
        place = site() if is_called() else None
        node = self._node(FUNCTION, leaves, captures, {'function': graph}, place)
        return self._returned(node, leaves)

    def _node(
        self,
        op: Op,
        leaves: Sequence[Any],
        captures: Sequence[Value],
        graphs: dict[str, Graph],
        place: Site | None,
    ) -> Node:
        graph = graph_now()
        inputs = [
            value_of(leaf_of(x, graph), type_, graph)
            for x, type_ in zip(leaves, self._given.leaves, strict=True)
            if not isinstance(type_, Static)
        ]
        types: list[TensorType] = []
        names: list[str] = []
        if self.result is not None:
            paths = nest.paths(self.result.structure, self.name)
            for join, path in zip(self.result.joins, paths, strict=True):
                if join.type is not None:
                    types.append(join.type)
                    names.append(identifier(path))
        attrs = {'name': self.name, 'types': types}
        return graph.add(op, [*inputs, *captures], attrs, graphs, place, names)

    def _returned(self, node: Node, leaves: Sequence[Any]) -> Any:
        """What a call gives, whose node gives what only the running graph knows."""
        if self.result is None:
            raise Diverged
        graph = graph_now()
        fresh: dict[Any, Storage] = {}

        def memory(places: frozenset[Any]) -> Memory:
            found: dict[Storage, None] = {}
            for place in sorted(places, key=_order):
                if isinstance(place, Storage):
                    found[place] = None
                elif place[0] == 'new':
                    found[fresh.setdefault(place, Storage(graph))] = None
                else:
                    given = leaves[place[1]]
                    found.update(dict.fromkeys(given.memory if isinstance(given, Tensor) else ()))
            return tuple(found) or (Storage(graph),)

        outputs = iter(node.outputs)
        results = [
            result(join, next(outputs) if join.type is not None else None, memory(places))
            for join, places in zip(self.result.joins, self.result.memories, strict=True)
        ]
        return nest.unflatten(self.result.structure, results)

    def _error(self, what: str, fix: str = '') -> StagingError:
        code = self._function.__code__
        place = Location(code.co_filename, code.co_firstlineno, code.co_name)
        return StagingError(describe(what.format(repr(self.name)), place, fix))


def _leaves(returned: Any, graph: Graph) -> tuple[list[Leaf], nest.Structure]:
    leaves, structure = nest.flatten(returned)
    return [leaf_of(x, graph) for x in leaves], structure


def _alone(leaf: Leaf) -> Join:
    """What is known of a leaf of which only one way is known."""
    return Join(None if leaf.value is None else leaf.type, leaf.static)


def _raises(graph: Graph) -> bool:
    return any(node.op is RAISE for node in graph.walk())


def _order(place: Any) -> tuple[bool, Any]:
    return (True, 0) if isinstance(place, Storage) else (False, place)


def _unique(name: str, taken: Sequence[str]) -> str:
    base = name if name.isidentifier() else 'function'
    number, found = 0, base
    while found in taken:
        number += 1
        found = f'{base}_{number}'
    return found
