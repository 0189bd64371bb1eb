"""Which operations may raise when the graph runs: a `try` around them keeps them."""
from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..graph.graph import Node
from ..graph.tracing import CONSTANT
from .attributes import DIM, SIZE
from .control_flow import IS_MISSING, MISSING, NOT
from .effects import PRINT, Display, Pieces, Shown
from .exceptions import ADD_NOTE, CAUGHT, IS_ERROR, MADE, NAME_OF_CLASS
from .kept import CELL, KEEP, KEPT
from .left import LEAVE
from .lists import WIDEN
from .new_objects import NEW_OBJECT
from .outer_variables import READ_OUTER, SET_OUTER

_NEVER = (
    CONSTANT, MISSING, IS_MISSING, NOT, DIM, SIZE, READ_OUTER, SET_OUTER,
    NEW_OBJECT, ADD_NOTE, CAUGHT, IS_ERROR, MADE, NAME_OF_CLASS, CELL, KEEP, KEPT, LEAVE,
    WIDEN,
)  # fmt: skip


def may_raise(node: Node) -> bool:
    """Whether the node may raise, as far as its operation tells."""
    if node.graphs:
        return any(may_raise(inner) for graph in node.graphs.values() for inner in graph.nodes)
    if getattr(node.attrs.get('run'), 'never_raises', False):
        return False
    return node.op not in _NEVER and not _shows_plainly(node)


def _shows_plainly(node: Node) -> bool:
    """Whether it prints texts, numbers and arrays, each as it is."""
    attrs = node.attrs
    return node.op is PRINT and 'file' not in attrs and all(map(_is_plain, attrs['parts']))


def _is_plain(part: Any) -> bool:
    match part:
        case Shown():
            return not part.spec
        case Pieces():
            return all(map(_is_plain, part.pieces))
        case Display():
            return part.structure.type in (tuple, list, dict) and all(map(_is_plain, part.parts))
    return isinstance(part, str | int | float | None)


@contextmanager
def warnings_raised() -> Iterator[None]:
    """What is computed ahead inside raises what it would warn of: that is left to run time."""
    with warnings.catch_warnings(), np.errstate(all='raise'):
        warnings.simplefilter('error')
        yield


def warnings_are_errors() -> bool:
    """Whether what NumPy warns of raises here."""
    return 'raise' in np.geterr().values() or filters_raise()


def filters_raise() -> bool:
    """Whether warnings of NumPy's are made errors."""
    return any(
        action == 'error' and issubclass(RuntimeWarning, category)
        for action, _, category, *_ in warnings.filters
    )
