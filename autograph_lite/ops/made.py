"""Arrays that NumPy makes of numbers alone while a graph is traced, as in `np.repeat(0.0, 3)`.

They are known, but they are the graph's own: every run has a copy, which may be modified and
returned. A number that is read from one as it was made is known, too.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.dispatch import METHODS
from ..graph.graph import Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, emit
from ..graph.types import type_of
from .calls import CALL
from .template import fill


def own(x: Any, name: str) -> Any:
    """The graph's own array for one that can be modified; anything else itself.

    Args:
      x: what NumPy has made.
      name: what the program calls it.
    """
    if type(x) is not np.ndarray or not x.flags.writeable or type_of(x) is None:
        return x
    attrs = {'value': x, 'type': type_of(x), 'made': True}
    copy: Tensor = METHODS['copy'](*emit(CONSTANT, (), attrs, names=[name]), order='K')
    return copy


def is_own_copy(node: Node | None) -> bool:
    """Whether this is the copy of an array that tracing has made."""
    if node is None or node.op is not CALL or node.attrs['function'] != 'ndarray.copy':
        return False
    source = node.inputs[0].node
    return source is not None and source.op is CONSTANT and 'made' in source.attrs


def known_item(x: Value, index: Any) -> Any:
    """The number at an index that is known of an array as it was made; None for anything else."""
    array = _known(x)
    return None if array is None else array[fill(index, ())]


def _known(x: Value) -> np.ndarray[Any, Any] | None:
    """An array as it was made, or a view of it."""
    node = x.node
    if node is None or len(node.inputs) != 1:
        return None
    source = node.inputs[0]
    if is_own_copy(node):
        return None if source.node is None else source.node.attrs['value']
    base = _known(source) if node.op.name == 'view' else None
    return None if base is None else base[fill(node.attrs['index'], ())]
