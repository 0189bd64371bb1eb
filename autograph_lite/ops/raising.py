"""Which operations may raise when the graph runs: a `try` around them keeps them."""
from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..graph.graph import Node
from ..graph.tracing import CONSTANT
from .attributes import DIM, SIZE
from .control_flow import IS_MISSING, MISSING, NOT
from .outer_variables import READ_OUTER, SET_OUTER

_NEVER = (CONSTANT, MISSING, IS_MISSING, NOT, DIM, SIZE, READ_OUTER, SET_OUTER)


def may_raise(node: Node) -> bool:
    """Whether the node may raise, as far as its operation tells."""
    if node.graphs:
        return any(may_raise(inner) for graph in node.graphs.values() for inner in graph.nodes)
    return node.op not in _NEVER


@contextmanager
def warnings_raised() -> Iterator[None]:
    """What is computed ahead inside raises what it would warn of: that is left to run time."""
    with warnings.catch_warnings(), np.errstate(all='raise'):
        warnings.simplefilter('error')
        yield
