"""How arrays lie in memory: in which order, and whether without gaps, as far as the graph tells.

    y = np.zeros((3, 4))        ordered: row after row
    y[1], y[1:], y[:, None]     ordered, too
    y.T                         dense: ordered, or so with the axes in another order
    y[:, 1:], y.real            sorted: in the order of ordered ones, with gaps

How arguments lie is not known before the program runs: what is found of another array holds if
those that it names are ordered.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..graph.types import ListType
from ..ops.calls import CALL, VIEW_CALL, target
from ..ops.control_flow import CAST, COND
from ..ops.indexing import VIEW
from ..ops.template import Arguments, Sliced, Slot
from ..ops.ufuncs import UFUNC
from .facts import LOOPS, is_identity
from .rewriting import header

# The arguments that must be ordered; None where that is not enough.
If = frozenset[Value] | None


@dataclass(frozen=True)
class Layout:
    """When an array is sorted, when it is dense, and when it is both."""

    ordered: If = None
    dense: If = None
    sorted: If = None


def _ordered(condition: If) -> Layout:
    return Layout(condition, condition, condition)


UNKNOWN = Layout()
ORDERED = _ordered(frozenset())
DENSE = Layout(dense=frozenset())

# What makes an ordered array of a shape; how many arguments come before `order`.
_MAKERS = {'zeros': 2, 'ones': 2, 'empty': 2, 'full': 3, 'eye': 4, 'identity': 2, 'arange': 4}
# What makes an array that lies as its first argument does.
_ALIKE = ('zeros_like', 'ones_like', 'empty_like', 'full_like', 'astype')
# What makes a new array; it lies as those that it is made of do.
_MADE_OF = ('concatenate', 'append', 'where', 'stack', 'vstack', 'hstack')
# Products of more axes may have them in another order.
_MOST_AXES = 3
_REDUCTIONS = ('sum', 'prod', 'max', 'min', 'amax', 'amin', 'mean', 'argmax', 'argmin', 'cumsum')


class Layouts:
    """The layouts of the arrays of one graph and its subgraphs."""

    def __init__(self, graph: Graph) -> None:
        self._known: dict[Value, Layout] = {}
        for param in graph.params:
            self._known[param] = _ordered(frozenset([param]))
        self._visit(graph)

    def of(self, value: Value) -> Layout:
        """The layout of an array; scalars are ordered."""
        if value.type.kind != 'array':
            return ORDERED
        if value.type.maybe or isinstance(value.type, ListType):
            return UNKNOWN
        return self._known.get(value, UNKNOWN)

    def _visit(self, graph: Graph) -> None:
        for node in graph.nodes:
            if node.op is CONSTANT:
                self._constant(node)
            elif node.op is COND:
                self._cond(node)
            elif node.op in LOOPS:
                self._loop(node)
            else:
                for output in node.outputs:
                    self._known[output] = self._made(node, output)

    def _constant(self, node: Node) -> None:
        value = node.attrs['value']
        is_ordered = isinstance(value, np.ndarray) and value.flags.c_contiguous
        self._known[node.outputs[0]] = ORDERED if is_ordered else UNKNOWN

    def _enter(self, node: Node) -> None:
        """What the subgraphs capture lies as it does outside."""
        for graph in node.graphs.values():
            own = len(graph.own_params)
            self._same(graph.params[own:], node.inputs[header(node) :])
            self._visit(graph)

    def _same(self, values: Sequence[Value], others: Sequence[Value]) -> None:
        for value, other in zip(values, others, strict=True):
            self._known[value] = self.of(other)

    def _cond(self, node: Node) -> None:
        self._enter(node)
        results = zip(*(graph.outputs for graph in node.graphs.values()), strict=True)
        for output, ways in zip(node.outputs, results, strict=True):
            self._known[output] = _all_of(map(self.of, ways))

    def _loop(self, node: Node) -> None:
        """The state lies as it does before the loop, if every turn leaves it so."""
        count = len(node.outputs)
        first = header(node) - count
        body = node.graphs['body']
        items = len(body.own_params) - count
        for item in body.own_params[:items]:
            # The rows of ordered arrays are ordered.
            sources = _all_of(map(self.of, node.inputs[:first]))
            self._known[item] = replace(_ordered(sources.ordered), sorted=sources.sorted)
        state = [self.of(value) for value in node.inputs[first : first + count]]
        before = None
        while state != before:
            before = state
            for graph in node.graphs.values():
                own = graph.own_params
                self._known.update(zip(own[len(own) - count :], state, strict=True))
            self._enter(node)
            ends = map(self.of, body.outputs)
            state = [_all_of(pair) for pair in zip(state, ends, strict=True)]
        self._known.update(zip(node.outputs, state, strict=True))

    def _made(self, node: Node, output: Value) -> Layout:
        """The layout of what a node gives."""
        shape = output.type.shape
        if output.type.kind != 'array' or shape is None:
            return UNKNOWN
        if node.op.updates or (node.op is CAST and is_identity(node)):
            return self.of(node.inputs[0])
        if node.op is VIEW:
            return self._item(node)
        if node.op is VIEW_CALL:
            return self._view(node, len(shape))
        if node.op is UFUNC and node.attrs['ufunc'] == 'numpy.matmul':
            return ORDERED if len(shape) <= _MOST_AXES else DENSE
        if node.op is UFUNC:
            is_product = getattr(target(node.attrs['ufunc']), 'signature', None) is not None
            has_options = bool(node.attrs['arguments'].kwargs)
            return self._new(node, output, is_product or has_options)
        if node.op is CALL and not node.attrs['pick']:
            return self._called(node, output)
        return UNKNOWN

    def _new(self, node: Node, output: Value, is_odd: bool) -> Layout:
        """A new array that NumPy lays out as those that it is made of."""
        rank = len(output.type.shape or ())
        if rank == 1:
            return ORDERED
        ranks = [(value, len(value.type.shape or ())) for value in node.inputs]
        if any(value.type.kind == 'array' and value.type.shape is None for value in node.inputs):
            return DENSE
        if is_odd:
            return DENSE
        order = _all_of(self.of(value) for value, n in ranks if n > 1).sorted
        return Layout(order, frozenset(), order)

    def _called(self, node: Node, output: Value) -> Layout:
        root, _, name = node.attrs['function'].rpartition('.')
        arguments: Arguments = node.attrs['arguments']
        options = {option for option, _ in arguments.kwargs}
        rank = len(output.type.shape or ())
        if root not in ('numpy', 'ndarray') or 'order' in options or len(node.outputs) > 1:
            return UNKNOWN
        if name in _MAKERS:
            return ORDERED if len(arguments.args) <= _MAKERS[name] else UNKNOWN
        if name == 'copy' and root == 'ndarray' and len(arguments.args) == 1:
            return ORDERED
        is_alike = name in _ALIKE or name == 'copy'
        if rank == 1 and (is_alike or name in (*_MADE_OF, *_REDUCTIONS)):
            return ORDERED
        if is_alike and arguments.args[:1] == (Slot(0),) and not options - {'dtype'}:
            return self._new(node, output, is_odd=len(arguments.args) > 2)
        if name in ('concatenate', 'where', 'roll'):
            return self._new(node, output, is_odd=bool(options - {'axis', 'shift'}))
        if name == 'compress' or (name == 'dot' and rank <= 2):
            return ORDERED
        return UNKNOWN

    def _view(self, node: Node, rank: int) -> Layout:
        found = self.of(node.inputs[0])
        name = node.attrs['function'].rpartition('.')[2]
        arguments: Arguments = node.attrs['arguments']
        if arguments.args[:1] != (Slot(0),) or arguments.kwargs:
            return UNKNOWN
        if name in ('real', 'imag'):
            return Layout(sorted=found.sorted)
        if name in ('T', 'transpose') and len(arguments.args) == 1:
            return found if rank == 1 else Layout(dense=found.dense)
        if name == 'reshape' or (name == 'ravel' and len(arguments.args) == 1):
            return _ordered(found.ordered)
        return UNKNOWN

    def _item(self, node: Node) -> Layout:
        """Rows, ranges of rows, new axes of an ordered array are ordered, other parts sorted."""
        found = self.of(node.inputs[0])
        index = node.attrs['index']
        parts = index if isinstance(index, tuple) else (index,)
        ordered, rows = found.ordered, True
        for part in parts:
            if isinstance(part, Sliced) and not _is_forward(part):
                return UNKNOWN
            if part is not None and not rows and part != Sliced(None, None, None):
                ordered = None
            if isinstance(part, Sliced) or part is ...:
                rows = False
                ordered = ordered if part is not ... and part.step in (None, 1) else None
        return replace(_ordered(ordered), sorted=found.sorted)


def _is_forward(part: Sliced) -> bool:
    return part.step is None or (type(part.step) is int and part.step > 0)


def _all_of(layouts: Iterable[Layout]) -> Layout:
    """What holds of arrays that may be any of these, or of one that is made of all."""
    found = list(layouts)
    return Layout(
        _both(x.ordered for x in found),
        _both(x.dense for x in found),
        _both(x.sorted for x in found),
    )


def _both(conditions: Iterable[If]) -> If:
    together: set[Value] = set()
    for condition in conditions:
        if condition is None:
            return None
        together |= condition
    return frozenset(together)
