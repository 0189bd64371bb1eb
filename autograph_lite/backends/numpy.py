"""The NumPy backend: a graph becomes one plain Python function, compiled once."""
from __future__ import annotations

from ..graph.graph import Graph
from .emitter import Emitter
from .failures import run
from .program import Program, load

__all__ = ['Program', 'lower', 'run']


def lower(graph: Graph) -> Program:
    """The program for the graph."""
    emitter = Emitter(graph)
    lines = emitter.lines()
    return load(emitter.name, lines, emitter.constants)
