"""Variables that a graph creates: once, at its first call, before any branch or loop."""
from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..backends.numpy import lower, run
from ..config import numerics_are_checked
from ..errors import StagingError, describe, user_location
from ..graph.graph import Graph, Node, Value
from ..graph.state import State
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, current_graph, emit, is_tracing, not_tracing
from ..numerics import check_numerics
from ..ops.variables import INITIALIZE, Cell
from ..signatures import Arguments
from .holders import walk


class VariableCreationError(StagingError, ValueError):
    """A graph makes a variable at a call that is not its first, or in a staged block."""


class Creation:
    """The variables that one trace creates.

    Args:
      graph: what is traced.
      allowed: whether it may create any.
      is_run: whether the graph is run then, once: it gives them their first values.

    Attributes:
      created: their cells.
      variables: weak references to them.
    """

    def __init__(self, graph: Graph, allowed: bool, is_run: bool) -> None:
        self.created: list[Cell] = []
        self.variables: list[Callable[[], Any]] = []
        self.is_run = is_run
        self._graph = graph
        self._allowed = allowed
        self._later: list[tuple[Cell, Value]] = []

    def note(self, variable: Any, cell: Cell) -> None:
        """A variable is created, with this cell."""
        self.created.append(cell)
        self.variables.append(weakref.ref(variable))

    def check(self) -> None:
        """Whether a variable may be created here and now.

        Raises:
          VariableCreationError: it may not.
        """
        if not self._allowed:
            raise VariableCreationError(
                describe(
                    'The function creates a variable, and this is not its first call: every call '
                    'would have one of its own.',
                    user_location(),
                    'Create it outside, or only where there is none yet: '
                    '`if self.v is None: self.v = ag.Variable(...)`. For each object that does so '
                    'make a function of its own, such as `step = ag.function(train_step)`.',
                )
            )
        if current_graph() is not self._graph:
            raise VariableCreationError(
                describe(
                    'A variable is created in a branch or loop that depends on a tensor.',
                    user_location(),
                    'Create it before, and assign to it there.',
                )
            )

    def later(self, initial: Tensor, dtype: Any, name: str) -> Cell:
        """A cell whose first value the graph computes."""
        if dtype is not None and np.dtype(dtype) != initial.dtype:
            initial = initial.astype(dtype)
        value = as_value(initial)
        shape = value.type.shape
        if shape is None or None in shape:
            raise VariableCreationError(
                describe(
                    'The shape of a variable must be known when it is created; '
                    f'its first value is {value.type}.',
                    user_location(),
                    'Call the function with an array before it is traced for a TensorSpec.',
                )
            )
        cell = Cell(name, value.type.dtype, tuple(n for n in shape if n is not None))
        if self.is_run:
            emit(INITIALIZE, [initial], {'cell': cell})
        else:
            self._later.append((cell, value))
        return cell

    def initialize(self, arguments: Arguments) -> None:
        """Computes first values from the arguments of the call; the graph is of no use after it.

        Raises:
          VariableCreationError: they depend on an argument that has no value yet.
        """
        types = arguments.types()
        given = [leaf for leaf, type_ in zip(arguments.leaves, types, strict=True) if type_]
        nodes = self._graph.nodes
        later, self._later = self._later, []
        # One after the other: a first value may depend on a variable that was created before.
        for cell, value in later:
            graph = self._graph
            graph.outputs, graph.nodes = [value], _needed(nodes, value)
            self._check_given(given)
            if numerics_are_checked():
                check_numerics(graph)
            with not_tracing():
                cell.initialize(run(lower(graph), given)[0])

    def _check_given(self, given: list[Any]) -> None:
        graph = self._graph
        used = {value for node in graph.nodes for value in node.inputs} | set(graph.outputs)
        for param, leaf in zip(graph.params, given, strict=True):
            if param in used and not isinstance(leaf, np.ndarray | np.generic):
                raise VariableCreationError(
                    f'A variable that the function creates starts with a value that depends on '
                    f'the argument {param.name!r}, which has no value yet.\n'
                    'Call the function once before asking for its concrete function.'
                )


def _needed(nodes: list[Node], value: Value) -> list[Node]:
    """The nodes that the value depends on."""
    values = {value}
    kept: list[Node] = []
    for node in reversed(nodes):
        if not values.isdisjoint(node.outputs):
            values.update(node.inputs)
            kept.append(node)
    return kept[::-1]


class _Creating(threading.local):
    creation: Creation | None = None


_creating = _Creating()


@contextmanager
def creating(graph: Graph, allowed: bool, is_run: bool) -> Iterator[Creation]:
    """Inside, the variables that the trace of a graph creates are collected: see `Creation`."""
    outer, _creating.creation = _creating.creation, Creation(graph, allowed, is_run)
    try:
        yield _creating.creation
    finally:
        _creating.creation = outer


def holds_created(values: Iterable[Any]) -> bool:
    """Whether one of them is a variable that this trace creates, or has it for an attribute.

    Not so where the trace is run: else what puts it anywhere is done while tracing.
    """
    creation = _creating.creation
    return creation is not None and not creation.is_run and _holds(creation, values)


def is_made_once(x: Any) -> bool:
    """Whether an object has such a variable, and no tensors: its trace is run, for all calls."""
    creation = _creating.creation
    return creation is not None and creation.is_run and _holds(creation, (x,)) and not any(
        isinstance(part, Tensor) for held in walk(('', x)) for part in held.content.values())


def _holds(creation: Creation, values: Iterable[Any]) -> bool:
    if not creation.created:
        return False
    parts = [
        part for value in values
        for part in (value, *(x for held in walk(('', value)) for x in held.content.values()))]
    return any(
        isinstance(part, State) and getattr(part, 'cell', None) in creation.created
        for part in parts)


def creation_now() -> Creation | None:
    """Where a variable that is created now belongs; None outside a trace.

    Raises:
      VariableCreationError: it may not be created.
    """
    if not is_tracing():
        return None
    creation = _creating.creation
    if creation is None:
        raise VariableCreationError(describe('A graph creates a variable.', user_location()))
    creation.check()
    return creation
