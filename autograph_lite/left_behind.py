"""What a call that raises leaves behind in the lists, dicts and arrays that it was given.

    def withdraw(account, amount):
        account['tries'] += 1
        if amount > account['balance']:
            raise ValueError('not enough')

The trace works on containers and arrays of its own. Before each `raise`, the graph notes what they
hold by then; where the program ends so, that is put into the caller's.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .changed import Change, Changed
from .errors import OwnershipError
from .graph import nest
from .graph.graph import Graph, Op, Value
from .graph.storage import Storage
from .graph.tracing import site
from .lent import Lent
from .modified import Modification, Target, check_known, modifications
from .operators.blocks_around import standing_now
from .operators.keeping import Leaving
from .ops.effects import RAISE, Shown
from .ops.left import LEAVE, note_left
from .results import results
from .signatures import Arguments


@dataclass(frozen=True, eq=False)
class Left:
    """What a call leaves that raises at one place of the function.

    Attributes:
      changes: of lists, dicts and dataclasses; `Shown` stands for a value.
      targets: the arrays that it has modified, of which the last values are.
    """

    changes: tuple[Change, ...]
    targets: tuple[Target, ...]
    __name__ = 'leave'

    def __call__(self, *values: Any) -> None:
        note_left(self, values)

    def put(
        self, changed: Changed, owners: Sequence[Any], leaves: Sequence[Any],
        arrays: Sequence[Any], values: Sequence[Any],
    ) -> None:  # fmt: skip
        """Puts what it left into the containers and arrays of a call.

        Args:
          changed: knows how.
          owners: the containers of the call.
          leaves: the leaves of its arguments.
          arrays: those that it modifies, in the order of the targets.
          values: what was noted.
        """
        own = values[: len(values) - len(self.targets)]
        changed.put(owners, leaves, iter(own), self.changes)
        for array, value in zip(arrays, values[len(own) :], strict=True):
            array[...] = value


def left_in(graph: Graph) -> list[Left]:
    """All that calls of a graph may leave behind where they raise."""
    return [node.attrs['left'] for node in graph.walk() if node.op is LEAVE]


class LeftBehind(Leaving):
    """Notes, in a trace, what is left before each `raise`.

    Args:
      graph: of the function.
      operands: the leaves of its arguments, as it sees them.
      memory: that of these, before anything is traced.
      arguments: what it is traced for.
      containers: the lists, dicts and dataclasses among them.
      name: the function's.
    """

    def __init__(
        self, graph: Graph, operands: Sequence[Any], memory: Sequence[Storage | None],
        arguments: Arguments, containers: Lent, name: str,
    ) -> None:  # fmt: skip
        self._trace: _Trace | None = _Trace(graph, operands, memory, arguments, containers, name)
        graph.keeping = (self,)

    def __call__(self, graph: Graph, op: Op) -> None:
        if op is RAISE and self._trace is not None:
            self._trace.leave(graph)

    def notes(self, x: Any) -> bool:
        return self._trace is not None and self._trace.containers.standing_now().has(x)

    def forget(self, graph: Graph) -> None:
        graph.add(LEAVE, [], {'left': Left((), ())}, site=site())

    @property
    def is_changed(self) -> bool:
        return self._trace is not None and self._trace.is_changed

    def end(self, modified: Sequence[Modification]) -> None:
        """The trace ends; its graphs keep nothing of it.

        Args:
          modified: the arrays that a call modifies which returns.

        Raises:
          OwnershipError: nobody can tell whether what is modified is an array of the caller's, or
            the graph reads one outside otherwise, too.
        """
        assert self._trace is not None
        trace, self._trace = self._trace, None
        trace.graph.keeping = ()
        inside = (each for node in trace.graph.walk() for each in node.graphs.values())
        for graph in (trace.graph, *inside):  # others were traced anew
            for error in trace.errors.get(graph, ()):
                raise error
            modified = [*modified, *trace.modified.get(graph, ())]
        for each in modified:
            check_known(each, trace.graph)


@dataclass(eq=False)
class _Trace:
    """What is known while tracing; see `LeftBehind`.

    Attributes:
      modified: by graph, the arrays that are modified before a `raise` there.
      errors: by graph, those of what is modified so that nobody can tell which array it is.
    """

    graph: Graph
    operands: Sequence[Any]
    memory: Sequence[Storage | None]
    arguments: Arguments
    containers: Lent
    name: str
    modified: dict[Graph, list[Modification]] = field(default_factory=dict)
    errors: dict[Graph, list[OwnershipError]] = field(default_factory=dict)

    @property
    def is_changed(self) -> bool:
        """Whether anything is changed where the trace is."""
        if self.containers.standing_now().is_changed:
            return True
        try:
            return bool(self._modified_now())
        except OwnershipError:
            return True

    def _modified_now(self) -> list[Modification]:
        return modifications(self.operands, self.memory, self.graph, standing_now)

    def leave(self, graph: Graph) -> None:
        """Notes in a graph what is left by now."""
        try:
            modified = self.modified[graph] = self._modified_now()
        except OwnershipError as error:
            self.errors[graph] = [error]
            return
        modified = [replace(each, after=graph.local(each.after)) for each in modified]
        containers = self.containers.standing_now()
        changes: list[Change] = []
        inputs: list[Value] = []

        def given_out(value: Any) -> tuple[nest.Structure, list[Any]]:
            structure, leaves = results(value, graph, self.arguments, modified)
            return structure, list(_shown(leaves, inputs))

        for held, own in containers.changed(self.name):
            changes.append(containers.change(held, own, given_out))
        if not changes and not modified:
            return
        inputs += [each.after for each in modified]
        left = Left(tuple(changes), tuple(each.target for each in modified))
        graph.add(LEAVE, inputs, {'left': left}, site=site())


def _shown(leaves: Sequence[Any], inputs: list[Value]) -> Iterator[Any]:
    """What stands for the leaves; the values among them go to the inputs."""
    for leaf in leaves:
        if isinstance(leaf, Value):
            inputs.append(leaf)
            yield Shown(len(inputs) - 1)
        else:
            yield leaf
