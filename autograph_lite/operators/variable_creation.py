"""Variables that a graph creates: once, at its first call, before any branch or loop."""
from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..backends.numpy import lower, run
from ..errors import StagingError, describe, user_location
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, current_graph, is_tracing
from ..ops.variables import Cell
from ..signatures import Arguments


class VariableCreationError(StagingError, ValueError):
    """A graph makes a variable at a call that is not its first, or in a staged block."""


class Creation:
    """The variables that one trace creates.

    Attributes:
      created: their cells.
    """

    def __init__(self, graph: Graph, allowed: bool) -> None:
        self.created: list[Cell] = []
        self._graph = graph
        self._allowed = allowed
        self._later: list[tuple[Cell, Value]] = []

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
                    '`if self.v is None: self.v = ag.Variable(...)`.',
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
def creating(graph: Graph, allowed: bool) -> Iterator[Creation]:
    """Inside, the variables that the trace of a graph creates are collected."""
    outer, _creating.creation = _creating.creation, Creation(graph, allowed)
    try:
        yield _creating.creation
    finally:
        _creating.creation = outer


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
