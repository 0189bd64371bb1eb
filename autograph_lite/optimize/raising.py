"""Which nodes may raise: one that may is never moved before another one that may.

    t = t + x[i];  t = t + np.linalg.inv(m)[0, 0]      an IndexError comes before a LinAlgError

What NumPy only warns of raises under `np.errstate` or in a `try`, where nothing is told apart.
"""
from __future__ import annotations

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.types import TensorType
from ..ops import raising
from ..ops.calls import CALL
from ..ops.control_flow import CAST, FOR_LOOP, TRY
from ..ops.effects import CATCH_WARNINGS, ERRSTATE
from ..ops.indexing import GETITEM, VIEW, WRITTEN
from ..ops.template import Sliced, Slot
from ..ops.ufuncs import UFUNC
from ..ops.view_calls import VIEW_CALL
from .iterables import numbers
from .rewriting import constant

# Between Python's own numbers these raise nothing where the two are of one type.
_SAFE_FOR_NUMBERS = frozenset(
    f'numpy.{name}'
    for name in (
        'add', 'subtract', 'multiply', 'negative', 'less', 'less_equal', 'greater', 'greater_equal',
        'equal', 'not_equal', 'logical_not',
    )
)  # fmt: skip
_REDUCTIONS = ('sum', 'prod', 'mean', 'any', 'all', 'min', 'max', 'amin', 'amax')
_CREATIONS = ('array', 'asarray', 'eye', 'identity', 'zeros', 'ones', 'full', 'arange', 'copy',
              'zeros_like', 'ones_like')  # fmt: skip
_SAFE_CALLS = frozenset(
    [f'{owner}.{name}' for owner in ('numpy', 'ndarray') for name in _REDUCTIONS]
    + [f'numpy.{name}' for name in _CREATIONS]
    + ['ndarray.copy', 'numpy.where', 'numpy.dot']
)


def warnings_raise(graph: Graph) -> bool:
    """Whether the graph itself may say that what NumPy warns of is to be raised, or catches it."""
    return any(node.op in (ERRSTATE, CATCH_WARNINGS, TRY) for node in graph.walk())


def may_raise(node: Node, loop: Node | None = None) -> bool:
    """Whether the node may raise, where warnings do not, as far as its values tell.

    Args:
      node: the node.
      loop: the loop in whose body it stands.
    """
    if node.graphs:
        return any(
            may_raise(inner, node) for graph in node.graphs.values() for inner in graph.nodes
        )
    if node.op is WRITTEN or not raising.may_raise(node):
        return False
    if node.op in (GETITEM, VIEW):
        return not _is_in_range(node, loop)
    if not all(_is_known(value.type) for value in (*node.inputs, *node.outputs)):
        return True
    if node.op is UFUNC:
        return _ufunc_may_raise(node)
    if node.op is CALL:
        return node.attrs['function'] not in _SAFE_CALLS or _is_empty(node)
    return node.op not in (VIEW_CALL, CAST)


def _is_known(type_: TensorType) -> bool:
    """Whether this is a number or an array of numbers whose shape is known."""
    shape = type_.shape
    if type_.maybe or type_.dtype.kind not in 'biufc' or shape is None:
        return False
    return None not in shape


def _ufunc_may_raise(node: Node) -> bool:
    ufunc = node.attrs['ufunc']
    types = [value.type for value in node.inputs]
    dtype = node.outputs[0].type.dtype
    if node.attrs['arguments'].kwargs:
        return True
    if all(type_.weak for type_ in types):
        return ufunc not in _SAFE_FOR_NUMBERS or len({type_.dtype for type_ in types}) > 1
    if ufunc == 'numpy.power' and dtype.kind in 'iu':
        return True
    return any(type_.weak and type_.dtype.kind == 'i' for type_ in types) and not all(
        _fits(value, types) for value in node.inputs if value.type.weak
    )


def _fits(number: Value, beside: list[TensorType]) -> bool:
    """Whether a Python integer is surely one of the types that it stands beside."""
    integers = [t.dtype for t in beside if not t.weak and t.dtype.kind in 'iu']
    if not integers:
        return True
    value = constant(number)
    return value is not None and all(
        np.iinfo(dtype).min <= value <= np.iinfo(dtype).max for dtype in integers
    )


def _is_empty(node: Node) -> bool:
    return any(0 in (value.type.shape or ()) for value in node.inputs)


def _is_in_range(node: Node, loop: Node | None) -> bool:
    """Whether an index is a static one, which tracing has checked, or a counter that fits."""
    index = node.attrs['index']
    if not _is_known(node.inputs[0].type):
        return False
    if len(node.inputs) == 1:
        return True
    turns = numbers(loop) if loop is not None and loop.op is FOR_LOOP else None
    if loop is None or turns is None or node.inputs[1:] != (loop.graphs['body'].own_params[0],):
        return False
    shape = node.inputs[0].type.shape or ()
    parts = index if isinstance(index, tuple) else (index,)
    lengths = [n for part, n in zip(parts, shape, strict=False) if part == Slot(1)]
    plain = all(part == Slot(1) or isinstance(part, Sliced) for part in parts)
    ends = (turns[0], turns[-1]) if turns else ()
    return plain and all(-(n or 0) <= end < (n or 0) for n in lengths for end in ends)
