"""What operations are likely to raise, and whether it matters to a `finally` that ends it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ..graph.graph import Node
from ..graph.types import TensorType
from ..ops import dicts
from ..ops.calls import CALL
from ..ops.control_flow import CAST, TRY
from ..ops.effects import ASSERT, ERRSTATE, RAISE
from ..ops.indexing import GETITEM, SETITEM, VIEW
from ..ops.lists import APPEND, DELETE, GET, LENGTH, NEW, SET
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..ops.raising import may_raise, warnings_are_errors
from ..ops.strings import FORMAT, STR
from ..ops.ufuncs import UFUNC
from ..ops.view_calls import VIEW_CALL
from .guards import record_asked
from .leaves import enclosing
from .staging import graph_now

_RAISING = (
    ASSERT, DELETE, GET, GETITEM, PYTHON_ACTION, PYTHON_FUNCTION, RAISE, SET, SETITEM, dicts.GET,
    dicts.DELETE)


def is_likely_to_raise(node: Node) -> bool:
    """Whether it raises of itself, reads an item, or computes with numbers as Python does."""
    if not node.graphs and not may_raise(node):
        return False
    if node.op is CALL and str(node.attrs['function']).startswith('numpy.linalg'):
        return True
    if node.op is GETITEM and len(node.inputs) == 1:
        return None in (node.inputs[0].type.shape or ())  # else tracing would have raised
    computes = node.op in (CALL, UFUNC) and node.outputs[0].type.weak
    return node.op in _RAISING or (computes and not is_always_right(node))


# What Python's numbers of one kind have a result for, whatever they are.
_ALWAYS_RIGHT = frozenset(f'operator.{name}' for name in ('add', 'sub', 'mul', 'neg', 'pos', 'abs'))
_COMPARING = frozenset(f'operator.{name}' for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'))


def is_always_right(node: Node) -> bool:
    """Whether it computes with Python's numbers of one kind what has a result for all of them."""
    function = node.attrs.get('function')
    if function not in _ALWAYS_RIGHT | _COMPARING:
        return False
    kinds = {value.type.dtype.kind for value in node.inputs if isinstance(value.type, TensorType)}
    if function in _ALWAYS_RIGHT:
        kinds.add(node.outputs[0].type.dtype.kind)
    return len(kinds) == 1 and not (function in _COMPARING and 'c' in kinds)


_SILENT = (APPEND, CAST, FORMAT, LENGTH, NEW, VIEW)
# What texts do that may raise.
_RAISING_OF_TEXTS = ('index', 'encode', 'decode', 'format', 'mod')
# NumPy's functions that have a result for all values, where the shapes fit.
_TOTAL = frozenset({
    'T', 'all', 'any', 'argmax', 'argmin', 'astype', 'clip', 'concatenate', 'copy', 'cumprod',
    'cumsum', 'dot', 'max', 'mean', 'min', 'ones', 'prod', 'ravel', 'reshape', 'sort', 'stack',
    'std', 'sum', 'transpose', 'var', 'where', 'zeros', 'zeros_like',
})  # fmt: skip


def is_ended(nodes: Sequence[Node]) -> bool:
    """Whether it matters that a `finally` ends what operations raise.

    What NumPy only warns of raises where warnings are errors; then the function is traced anew.
    """
    raising = list(_raising_in(nodes))
    if not all(map(_only_warns, raising)):
        return True
    if not raising:
        return False
    around = enclosing(graph_now())
    if any(node.op is ERRSTATE or node.under for graph in around for node in graph.walk()):
        return True
    return bool(record_asked('whether NumPy raises what it warns of', warnings_are_errors))


def _raising_in(nodes: Iterable[Node]) -> Iterator[Node]:
    """Those that may raise, in graphs too; a handler's where more than a warning comes to it."""
    for node in nodes:
        graphs = list(node.graphs.values())
        if node.op is TRY and all(map(_only_warns, _raising_in(node.graphs['try'].nodes))):
            graphs = [node.graphs['try']]
        if graphs:
            yield from _raising_in(chain.from_iterable(each.nodes for each in graphs))
        elif may_raise(node):
            yield node


def _only_warns(node: Node) -> bool:
    """Whether an operation raises nothing but what NumPy warns of."""
    types = [value.type for value in (*node.inputs, *node.outputs)]
    if node.op in _SILENT:
        return True
    if node.op is STR:
        return not str(node.attrs['function']).endswith(_RAISING_OF_TEXTS)
    if not all(
        isinstance(each, TensorType) and each.shape is not None and None not in each.shape
        for each in types
    ):
        return False
    if node.op is UFUNC:
        is_power = str(node.attrs['ufunc']).endswith(('power', 'shift'))
        return not (is_power and types[-1].dtype.kind in 'iu')
    if node.op is GETITEM:
        return len(node.inputs) == 1
    if node.op not in (CALL, VIEW_CALL):
        return False
    name = str(node.attrs['function'])
    is_total = name.startswith(('numpy.', 'ndarray.')) and name.split('.')[-1] in _TOTAL
    return is_total or is_always_right(node)
