"""Functions that traced code makes and puts outside, where each call of it puts one of its own.

    self.callbacks.append(lambda x: x + 1)

No graph makes functions, so the trace that has made them is for one call.
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from ..graph.graph import Graph
from ..ops.effects import Display
from ..ops.outer_variables import SET_OUTER
from .new_objects import is_theirs
from .outer_calls import Changing
from .outside import is_made_here


def puts_functions(graph: Graph) -> bool:
    """Whether a graph puts functions outside that the traced code has made."""
    return any(
        isinstance(x, types.FunctionType) and is_made_here(x) and not is_theirs(x)
        for x in _put(graph))


def _put(graph: Graph) -> Iterator[Any]:
    """What the graph puts outside that it does not compute."""
    for node in graph.walk():
        run = node.attrs.get('run')
        if node.op is SET_OUTER:
            part = node.attrs['part']
            yield from part.parts if isinstance(part, Display) else (part,)
        elif isinstance(run, Changing):
            yield from run.given
