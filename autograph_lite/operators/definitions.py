"""A function of the graph that calls itself: what it returns, and the nodes that call it.

What it returns is found as a fixed point: at first a call of itself returns nothing, so that only
the ways count that end the recursion; then what these return, joined with what the other ways make
of it; until that holds.
"""
from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import BoundArguments, Signature
from typing import Any

from ..errors import Location, OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Node, Op, Value
from ..graph.ownership import AnothersError, NotOwnedError
from ..graph.sites import Site
from ..graph.storage import CapturedStorage, Memory, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import (
    check_owner,
    checkpoint,
    note_writes,
    rewrite,
    site,
    tracing_into,
    undo_writes,
)
from ..graph.types import TensorType
from ..ops.control_flow import FUNCTION, RECURSE
from ..ops.effects import RAISE
from .activations import (
    Activation,
    Again,
    Static,
    argument_paths,
    as_it_is,
    definitions,
    is_called,
)
from .blocks_around import with_places
from .changed_by_calls import put_back
from .disagreements import structure_error
from .effects import Diverged, raises_when_run
from .guarded import bound
from .leaves import (
    Join,
    Leaf,
    enclosing,
    join_leaves,
    leaf_of,
    result,
    value_of,
)
from .lists import handle
from .outside import modified
from .reachable import Reachable
from .restaging import can_change, change
from .staging import graph_now, identifier

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
        self._activation = activation
        self._function = activation.function
        self._given = activation.given
        self._places = activation.places
        self._signature = signature
        self._outer = graph_now()
        taken = [definition.name for definition in definitions()]
        self.name = _unique(activation.function.__name__, taken)
        self.result: _Result | None = None
        self._graph = Graph(self.name, self._outer)
        self._leaves: list[Leaf] = []
        self._captures: list[Value] = []
        self._params: dict[Storage, int] = {}
        # Arrays among the arguments that it modifies: it returns what they hold then, too.
        self._modifies: dict[int, TensorType] = {}
        self._modified: list[Value] = []
        # What it puts into a list, a dict or a place, in the place of what was there.
        self._changes: set[int] = set()
        # Those of which it has lost sight by then: nobody can read them any more.
        self._consumes: set[int] = set()
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
        before = self._known()
        start = checkpoint()
        self._graph = graph = Graph(self.name, self._outer)
        graph.keeping = ()  # what is around the function, around its calls is known
        with tracing_into(graph):
            returned = self._run(graph)
            if returned is not None:
                self.result = self._joined(returned)
        undo_writes(start)
        self._captures = graph.captures
        changed = before != self._known()
        if not changed and self.result is None and not self._waits and not _raises(graph):
            raise self._error(
                '{} calls itself on every way; a result that is never given has no type.',
                'Return a value on some way without a call of the function itself.',
            )
        return changed

    def _known(self) -> tuple[Any, ...]:
        """What is known of it so far."""
        sizes = map(len, (self._captures, self._modifies, self._consumes, self._changes))
        return self.result, *sizes

    def _run(self, graph: Graph) -> Any:
        """What it returns; None, which is no tuple, if it never does."""
        operands = self._operands(graph)
        for value in self._captures:
            graph.local(value)
        arguments = nest.unflatten(self._given.structure, operands)
        held = nest.contents(tuple(arguments.values()))
        own = {name: arguments.pop(name) for name in self._signature.parameters}
        function = BoundArguments(self._signature, own)
        call = functools.partial(self._function, *function.args, **function.kwargs)
        given = list(arguments.values())

        @functools.wraps(self._function)
        def passing(*values: Any) -> tuple[Any, list[Any]]:
            return with_places(self._places, call, values)

        block = passing if given else self._function
        try:
            with Reachable(block, *nest.flatten(own)[0], graph=graph) as reached:
                try:
                    returned, after = passing(*given)
                except BaseException as error:
                    raises_when_run(error, graph)
                    reached.leave((), (), [held[i][0] for i in modified(held)])
                    return None
                reached.check()
        except (AnothersError, NotOwnedError) as error:
            if not self._is_around(error):
                raise
            raise StagingError(describe(
                f'{self.name!r} calls itself, and modifies an array that it is not given.',
                error.location,
                f'Give it the array: `def {self.name}(x, ...):`, which calls '
                f'`{self.name}(x, ...)` and modifies `x[i]`.')) from None
        self._find_modified(operands, graph)
        held_now = {**own, **dict(zip(arguments, after, strict=True))}
        leaves, structure = nest.flatten(held_now)
        if structure != self._given.structure:
            if can_change(self._activation.taken, held_now):
                raise Again(self._activation, self._given, as_it_is(held_now))
            raise self._error(
                '{} gives a list, a dict or an object another form; the graph would not do so for '
                'the caller.',
                'Make a new one, and return it.',
            )
        changed = {i for i, (a, b) in enumerate(zip(operands, leaves, strict=True)) if a is not b}
        if not changed <= self._changes:
            self._changes |= changed
            self.result = None  # it was of another form
        return bound(returned), *(leaves[i] for i in sorted(self._changes))

    def _is_around(self, error: AnothersError | NotOwnedError) -> bool:
        """Whether the array lives right outside of the function, which modifies it."""
        if isinstance(error, NotOwnedError):
            return error.tensor.graph is self._outer
        return isinstance(error.storage, CapturedStorage)

    def _find_modified(self, operands: Sequence[Any], graph: Graph) -> None:
        """Finds the arrays among the arguments that it modifies."""
        params = iter(graph.own_params)
        for i, (operand, type_) in enumerate(zip(operands, self._given.leaves, strict=True)):
            if isinstance(type_, Static):
                continue
            if operand.held is not next(params) or operand.is_stale:
                if operand.is_stale and self.result is not None:
                    self._consumes.add(i)  # by another name, on a way that ends
                self._modifies[i] = operand.type
        self._modifies = {
            i: self._modifies[i] for i in sorted(self._modifies) if i not in self._consumes}
        self._modified = [operands[i].held for i in self._modifies]

    def _operands(self, graph: Graph) -> list[Any]:
        """The leaves of its arguments, as it sees them."""
        paths = argument_paths(self._given.structure)
        operands: list[Any] = []
        self._params = {}
        for i, (leaf, path) in enumerate(zip(self._given.leaves, paths, strict=True)):
            if isinstance(leaf, Static):
                operands.append(leaf.value)
                continue
            name = path if path.isidentifier() else ''
            owner = f'the argument {path!r} of {self.name!r}'
            storage = Storage(graph, '' if leaf.kind == 'array' else owner, name)
            self._params[storage] = i
            operands.append(handle(graph.param(leaf, identifier(path)), (storage,)))
        return operands

    def _joined(self, returned: tuple[Any, ...]) -> _Result:
        """What is known of the result, now that it was traced once more."""
        graph, known_before = self._graph, self.result
        if known_before is None:
            self._leaves, structure = _leaves(returned, graph)
            joins = [_alone(leaf) for leaf in self._leaves]
            return _Result(structure, tuple(joins), tuple(self._memories()))
        expected = self._expected(known_before)
        self._leaves, structure = _leaves(change(returned, expected), graph)
        before, known_structure = _leaves(change(expected, returned), graph)
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

    def recurse(self, operands: dict[str, Any]) -> Any:
        """What a call in the function itself returns.

        Raises:
          Diverged: nothing is known yet of the result.
        """
        inner = definitions()
        for definition in inner[inner.index(self) + 1 :]:
            definition._waits |= self.result is None
        captures = [graph_now().local(value) for value in self._captures]
        leaves = nest.flatten(operands)[0]
        node = self._node(RECURSE, leaves, captures, {}, site())
        node.attrs['effect'] = True  # until it is known that there is none
        return self._returned(node, operands)

    def call(self, operands: dict[str, Any]) -> Any:
        """What the call returns that the function was traced for.

        Raises:
          Diverged: it never returns.
        """
        leaves = nest.flatten(operands)[0]
        graph = self._graph
        joins = self.result.joins if self.result else ()
        with tracing_into(graph):
            graph.outputs = [
                value_of(leaf, join.type, graph)
                for leaf, join in zip(self._leaves, joins, strict=True)
                if join.type is not None
            ]
            graph.outputs += self._modified
        own = [n for n in graph.walk() if n.op is RECURSE and n.attrs['name'] == self.name]
        others = [node for node in graph.walk() if node not in own and not node.graphs]
        # What it modifies others read before it is called, as the graph is written.
        effect = bool(self._modifies or self._consumes) or any(node.effect for node in others)
        for node in own:
            node.attrs['effect'] = effect
        # What it needs from around it, it is given at every call.
        captures, graph.captures = graph.captures, []
        place = site() if is_called() else None
        node = self._node(FUNCTION, leaves, captures, {'function': graph}, place)
        return self._returned(node, operands)

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
        paths = argument_paths(self._given.structure)
        types += self._modifies.values()
        names += [identifier(paths[i]) for i in self._modifies]
        attrs = {'name': self.name, 'types': types}
        return graph.add(op, [*inputs, *captures], attrs, graphs, place, names)

    def _returned(self, node: Node, operands: dict[str, Any]) -> Any:
        """What a call gives, whose node gives what only the running graph knows."""
        if self.result is None:
            raise Diverged
        graph, leaves = graph_now(), nest.flatten(operands)[0]
        self._modify(leaves, node.outputs[len(node.outputs) - len(self._modifies) :])
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
        returned, *changed = nest.unflatten(self.result.structure, results)
        if changed:
            values = dict(zip(sorted(self._changes), changed, strict=True))
            put_back(self._function, self._places, operands, values)
        return returned

    def _modify(self, leaves: Sequence[Any], values: Sequence[Value]) -> None:
        """Lets the arrays that a call modifies hold what they hold after it.

        Raises:
          OwnershipError: one is the caller's, or the function reads it by another name.
        """
        for i in self._consumes:
            self._check_own(i, leaves)
            note_writes(leaves[i].consume())
        for i, value in zip(self._modifies, values, strict=True):
            self._check_own(i, leaves)
            rewrite(leaves[i], value)

    def _check_own(self, i: int, leaves: Sequence[Any]) -> None:
        """An array that a call modifies has no other name in it.

        Raises:
          OwnershipError: it has.
        """
        given = leaves[i]
        others = [*leaves[:i], *leaves[i + 1 :], *self._graph.reads]
        if not isinstance(given, Tensor) or any(
            isinstance(x, Tensor) and not set(given.memory).isdisjoint(x.memory)
            for x in others
        ):
            path = argument_paths(self._given.structure)[i]
            what = f'{self.name!r} modifies {path!r}, which has another name for it'
            fix = 'Call it with an array of its own: `x = x.copy()`.'
            raise OwnershipError(describe(f'{what}.', user_location(), fix))
        check_owner(graph_now(), given)

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
