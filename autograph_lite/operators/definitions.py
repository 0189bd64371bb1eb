"""A function of the graph that calls itself, and what it returns.

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

from ..errors import Location, StagingError, describe, standing_at
from ..graph import nest, nest_contents
from ..graph.checkpoints import checkpoint, undo_writes
from ..graph.graph import Graph, Value
from ..graph.storage import Storage
from ..graph.tracing import tracing_into
from ..graph.types import TensorType
from ..ops.effects import RAISE
from .activations import Activation, Again, Static, argument_paths, as_it_is, definitions
from .blocks_around import with_places
from .disagreements import structure_error
from .effects import raises_when_run
from .given_to_callers import GivenParts, Origins
from .guarded import bound
from .handles import handle
from .leaves import Join, Leaf, enclosing, join_leaves, leaf_names, leaf_of
from .outside import modified
from .reachable import Reachable
from .recalled import kind
from .restaging import can_change, change
from .staging import graph_now, identifier

_MAX_ROUNDS = 32
_WAYS = ('on one way', 'after a call of itself')


@dataclass(frozen=True)
class _Result:
    """What a function returns: a nest of leaves, and the memory that each may name.

    The memory is that of an argument, by its position; outer memory; or new memory, by a number
    that it shares with other results. Each part of the nest may be one of what was given.
    """

    structure: nest.Structure
    joins: tuple[Join, ...]
    memories: tuple[frozenset[Any], ...]
    origins: tuple[Origins, ...]


class Definition:
    """A function of the graph while it is traced.

    Attributes:
      name: no other has it that is being traced.
      function: what it was written as.
      given: what it is traced for.
      places: what it is given beside its arguments.
      result: what it returns; None as long as no way is known that ends it.
      graph: what it does.
      leaves: what it returned when it was traced last.
      captures: what it needs from around it.
      modifies: arrays among the arguments that it modifies: it returns what they hold then, too.
      modified: what they hold then.
      changes: what it puts into a list, a dict or a place, in the place of what was there.
      consumes: arrays that it modifies and has lost sight of by its end: nobody can read them.
      perhaps_modifies: parts of what it is given that it modifies by names which may stand for
        something else, too.
      waits: whether it calls a function around it of which no result is known.
      reached: what it can reach without being given it, while it is traced.
    """

    reached: Reachable

    def __init__(self, activation: Activation, signature: Signature) -> None:
        self._activation = activation
        self._signature = signature
        self._outer = graph_now()
        self._params: dict[Storage, int] = {}
        self._rounds = 0
        taken = [definition.name for definition in definitions()]
        self.name = _unique(activation.function.__name__, taken)
        self.function = activation.function
        self.given = activation.given
        self.places = activation.places
        self.result: _Result | None = None
        self.graph = Graph(self.name, self._outer)
        self.leaves: list[Leaf] = []
        self.captures: list[Value] = []
        self.modifies: dict[int, TensorType] = {}
        self.modified: list[Value] = []
        self.changes: set[int] = set()
        self.consumes: set[int] = set()
        self.perhaps_modifies: set[int] = set()
        self.waits = False

    def traced_again(self) -> bool:
        """Traces it once more; whether what is known of it has changed by that.

        Raises:
          StagingError: it does not settle, or it never ends.
        """
        self._rounds += 1
        if self._rounds > _MAX_ROUNDS:
            raise self._error(
                'The types of what {} returns do not settle: each call of itself adds parts to it.',
                'Return the same parts at every depth, or a list to which each call appends: '
                '`rows = f(n - 1)`, `rows.append(n)`.',
            )
        before = self._known()
        start = checkpoint()
        self.graph = graph = Graph(self.name, self._outer)
        graph.keeping = ()  # what is around the function, around its calls is known
        with tracing_into(graph):
            returned = self._run(graph)
            if returned is not None:
                self.result = self._joined(returned)
        undo_writes(start)
        self.captures = graph.captures
        changed = before != self._known()
        if not changed and self.result is None and not self.waits and not _raises(graph):
            raise self._error(
                '{} calls itself on every way; a result that is never given has no type.',
                'Return a value on some way without a call of the function itself.',
            )
        return changed

    def _known(self) -> tuple[Any, ...]:
        """What is known of it so far."""
        sizes = map(len, (
            self.captures, self.modifies, self.consumes, self.changes, self.perhaps_modifies))
        result = self.result and (
            self.result.structure, self.result.memories, self.result.origins,
            [(join.type, kind(join.static), kind(join.unbound)) for join in self.result.joins])
        return result, *sizes

    def _run(self, graph: Graph) -> Any:
        """What it returns; None, which is no tuple, if it never does."""
        operands = self._operands(graph)
        for value in self.captures:
            graph.local(value)
        arguments = nest.unflatten(self.given.structure, operands)
        self._parts = GivenParts(arguments)
        held = nest_contents.contents(tuple(arguments.values()))
        names = [name for name in self._signature.parameters if name in arguments]
        own = {name: arguments.pop(name) for name in names}
        function = BoundArguments(self._signature, own)
        call = functools.partial(self.function, *function.args, **function.kwargs)
        given = list(arguments.values())

        @functools.wraps(self.function)
        def passing(*values: Any) -> tuple[Any, list[Any]]:
            return with_places(self.places, call, values)

        block = passing if given else self.function
        with Reachable(block, *nest.flatten(own)[0], graph=graph) as self.reached:
            reached = self.reached
            try:
                returned, after = passing(*given)
            except BaseException as error:
                raises_when_run(error, graph)
                reached.leave((), (), [held[i] for i in modified(held)])
                return None
            reached.check()
        self._find_modified(operands, graph)
        self.perhaps_modifies |= self._parts.perhaps_modified(graph)
        held_now = {**own, **dict(zip(arguments, after, strict=True))}
        leaves, structure = nest.flatten(held_now)
        if structure != self.given.structure:
            if can_change(self._activation.taken, held_now):
                raise Again(self._activation, self.given, as_it_is(held_now))
            raise self._error(
                '{} gives a list, a dict or an object another form; the graph would not do so for '
                'the caller.',
                'Make a new one, and return it.',
            )
        changed = {i for i, (a, b) in enumerate(zip(operands, leaves, strict=True)) if a is not b}
        if not changed <= self.changes:
            self.changes |= changed
            self.result = None  # it was of another form
        return bound(returned), *(leaves[i] for i in sorted(self.changes))

    def _find_modified(self, operands: Sequence[Any], graph: Graph) -> None:
        """Finds the arrays among the arguments that it modifies."""
        params = iter(graph.own_params)
        for i, (operand, type_) in enumerate(zip(operands, self.given.leaves, strict=True)):
            if isinstance(type_, Static):
                continue
            # What has its memory by now is another name for it.
            self._params = dict.fromkeys(operand.memory, i) | self._params
            if operand.held is not next(params) or operand.is_stale:
                if operand.is_stale and self.result is not None:
                    self.consumes.add(i)  # by another name, on a way that ends
                self.modifies[i] = operand.type
        self.modifies = {
            i: self.modifies[i] for i in sorted(self.modifies) if i not in self.consumes}
        self.modified = [operands[i].held for i in self.modifies]

    def _operands(self, graph: Graph) -> list[Any]:
        """The leaves of its arguments, as it sees them."""
        paths = argument_paths(self.given.structure)
        operands: list[Any] = []
        self._params = {}
        for i, (leaf, path) in enumerate(zip(self.given.leaves, paths, strict=True)):
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
        graph, known_before = self.graph, self.result
        if known_before is None:
            self.leaves, structure = _leaves(returned, graph)
            joins = [_alone(leaf) for leaf in self.leaves]
            origins = self._parts.origins(returned, returned, self.reached)
            return _Result(structure, tuple(joins), tuple(self._memories()), origins)
        expected = self._expected(known_before)
        changed = change(returned, expected)
        origins = self._parts.origins(returned, changed, self.reached)
        self.leaves, structure = _leaves(changed, graph)
        before, known_structure = _leaves(change(expected, returned), graph)
        if structure != known_structure:
            raise structure_error(known_structure, structure, (), _WAYS)
        names = ['<result>', *['<change>'] * (len(structure.children) - 1)]
        paths = leaf_names(structure.children, names)
        with standing_at(self.function):
            joins = [
                join_leaves(path, a, b, _WAYS)
                for path, a, b in zip(paths, before, self.leaves, strict=True)
            ]
        memories = self._memories()
        if structure == known_before.structure:
            memories = [a | b for a, b in zip(memories, known_before.memories, strict=True)]
            origins = tuple(
                a | b for a, b in zip(origins, known_before.origins, strict=True))
        return _Result(structure, tuple(joins), tuple(memories), origins)

    def _expected(self, known_result: _Result) -> Any:
        """A nest of the form and the types that are known of the result."""
        leaves = [
            join.static if join.type is None else handle(Value(self.graph, join.type, 'result'))
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

        return [frozenset(map(place, leaf.memory)) for leaf in self.leaves]

    def _error(self, what: str, fix: str = '') -> StagingError:
        code = self.function.__code__
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


def _unique(name: str, taken: Sequence[str]) -> str:
    base = name if name.isidentifier() else 'function'
    number, found = 0, base
    while found in taken:
        number += 1
        found = f'{base}_{number}'
    return found
