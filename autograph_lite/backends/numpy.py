"""The NumPy backend: a graph becomes one plain Python function, compiled once."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.graph import Graph
from .emitter import Emitter
from .failures import relocated
from .program import Program, load

__all__ = ['Program', 'lower', 'run']


def lower(graph: Graph) -> Program:
    """The program for the graph."""
    emitter = Emitter(graph)
    lines = emitter.lines()
    return load(emitter.name, lines, emitter.constants, len(graph.outputs))


def run(program: Program, values: Sequence[Any]) -> Sequence[Any]:
    """The outputs for these values of the parameters.

    Raises:
      Exception: what the program raised, the same object; its traceback ends at the user's line.
    """
    try:
        returned = program.function(*values)
    except Exception as error:
        error = relocated(program.filename, program.code, program.lines, error)
        raise error
    if program.results == 1:
        return (returned,)
    return returned or ()
