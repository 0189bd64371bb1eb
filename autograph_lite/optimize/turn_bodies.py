"""The body of a loop that only adds up integers, read as a program on arrays of many turns.

    if i % 3 == 0:                  multiply = (i % 3 == 0) * i
        total = total + i     ->    return multiply

Both branches of a choice are computed, so what they hold may neither raise nor take long. Python's
integers grow and NumPy's wrap round, so all that is computed must fit in int64 for numbers up to a
power of two.
"""
from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..graph.types import TensorType, array_type, python_scalar
from ..ops.calls import CALL, target
from ..ops.control_flow import CAST, COND, NOT
from ..ops.indexing import GETITEM
from ..ops.template import Slot
from ..ops.turn_sums import BLOCK, LEAST
from ..ops.ufuncs import UFUNC
from .buffer_reuse import buffer_reuse
from .common_subexpressions import common_subexpressions
from .dead_code import dead_code
from .integer_ranges import Range, range_of
from .rewriting import constant, header
from .scalar_loops import BOOL, INT, PYTHON_UFUNCS

_FITS = 2**62
# A longer block takes longer than the branches that a turn takes.
_MOST_NODES = 20
# Which arrays are read.
_ELEMENTS = 'dfli?'
_RANGES: dict[np.dtype[Any], Range] = {INT: (-(2**63), 2**63 - 1), BOOL: (0, 1)}
_ANY: Range = (-(2**200), 2**200)
_ARITHMETIC = ('add', 'subtract', 'multiply', 'negative', 'absolute', 'floor_divide', 'remainder')
_COMPARISONS = ('less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal')
_BITWISE = ('bitwise_and', 'bitwise_or')
_OF_PYTHON = {python: ufunc for ufunc, (python, _) in PYTHON_UFUNCS.items()}
_OF_PYTHON['operator.abs'] = 'numpy.absolute'
_CONVERSIONS = ('builtins.int', 'builtins.bool')


class UnfitError(Exception):
    """The loop does something else than to add up."""


@dataclass(frozen=True)
class Lane:
    """A number of each turn, one for all turns or an array, and how large it may be."""

    x: Any
    range: Range

    @property
    def is_array(self) -> bool:
        """Whether there is one for each turn."""
        return isinstance(self.x, Tensor) and self.x.ndim > 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the number."""
        return self.x.dtype if isinstance(self.x, Tensor) else np.asarray(self.x).dtype


@dataclass(frozen=True)
class Total:
    """A state of the loop, by its number, and what the turn has added to it."""

    index: int
    added: Lane


_NOTHING = Lane(0, (0, 0))


class Reading:
    """The body of a loop, read as a program on arrays of many turns.

    Attributes:
      block: a graph that gives what is added, for an array of counters and `inputs`.
      is_added: for each state of the loop whether the block has a result for it.
      start, stop, step: the range of the counter; `known` are its bounds where they are known.
      numbers: those from outside that the test looks at.
      inputs: all that is read from outside.
      bits: how large the numbers and the counters may be.

    Raises:
      UnfitError: it does something else than to add up.
    """

    def __init__(self, loop: Node, bits: int) -> None:
        self.bits = bits
        self.block = Graph('turns')
        self.numbers: list[Value] = []
        self.inputs: list[Value] = []
        self._known: dict[Value, Lane | Total] = {}
        self._arrays: dict[Value, Tensor] = {}
        self._placed: set[Node] = set()
        rows = self._find_span(loop)
        with tracing_into(self.block):
            added = self._body(loop, rows)
            self.is_added = [x is not None for x in added]
            self.block.outputs = [as_value(x) for x in added if x is not None]
        common_subexpressions(self.block)
        dead_code(self.block)
        if not self.block.outputs or len(self.block.nodes) > _MOST_NODES:
            raise UnfitError
        self.block = buffer_reuse(self.block) or self.block

    def _find_span(self, loop: Node) -> Value | None:
        """Finds what the loop counts; the array whose elements it takes, if it takes one's."""
        kind, *parts = loop.attrs['iterable']
        rows, self.step = None, 1
        self.start: Value | int = 0
        self.stop: Value | int = 0
        if kind == 'range':
            self.start, self.stop, step = (loop.inputs[part] for part in parts)
            if type(constant(step)) is not int or not constant(step):
                raise UnfitError
            self.step = constant(step)
        elif kind == 'rows' and loop.inputs[parts[0]].type.shape:
            rows = loop.inputs[parts[0]]
            self.stop = next(iter(rows.type.shape or ()), None) or 0
        else:
            raise UnfitError
        start, stop = (constant(x) if isinstance(x, Value) else x for x in (self.start, self.stop))
        self.known = (start, stop)
        if start is not None and stop is not None:
            turns = range(start, stop, self.step)
            if len(turns) < LEAST:
                raise UnfitError
            self._reach = min(turns[0], turns[-1]), max(turns[0], turns[-1])
        else:
            low, high = self.known[:: 1 if self.step > 0 else -1]
            far = 1 << self.bits
            self._reach = (-far if low is None else low, far if high is None else high)
        return rows

    def _body(self, loop: Node, rows: Value | None) -> list[Any]:
        """What the turns add to each state; None where that is nothing."""
        body, count = loop.graphs['body'], len(loop.outputs)
        own = body.own_params
        for i, param in enumerate(own[len(own) - count :]):
            self._known[param] = Total(i, _NOTHING)
        counter = Tensor(self.block.param(array_type(INT, (BLOCK,)), 'i'))
        lane = Lane(counter, self._reach)
        for param, value in zip(body.params[len(own) :], body.captures, strict=True):
            if value.type.kind == 'array':
                self._arrays[param] = self._array(value)
            else:
                self._known[param] = self._number(value)
        self._known[own[0]] = lane if rows is None else self._element(self._array(rows), lane)
        self._nodes(body)
        first = header(loop) - count
        return [
            self._added(i, self._known.get(value), loop.inputs[first + i])
            for i, value in enumerate(body.outputs)
        ]

    def _added(self, i: int, total: Lane | Total | None, start: Value) -> Any:
        """What is added to a state; a block of it, or all where NumPy adds up, must fit."""
        if not isinstance(total, Total) or total.index != i:
            raise UnfitError
        low, high = total.added.range
        if max(-low, high) * (BLOCK if start.type.weak else 2 << self.bits) > _FITS:
            raise UnfitError
        if not start.type.weak:
            known = constant(start)
            if known is not None and abs(int(known)) > 1 << self.bits:
                raise UnfitError
            if known is None and start not in self.numbers:
                self.numbers.append(start)
        return None if total.added is _NOTHING else total.added.x

    # What is read from outside.

    def _input(self, value: Value) -> Tensor:
        self.inputs.append(value)
        return Tensor(self.block.param(value.type, value.name))

    def _number(self, value: Value) -> Lane:
        """A number from outside; the test finds whether an integer is not too large."""
        known = constant(value)
        if known is not None or value.type.dtype.kind == 'f':
            return Lane(self._input(value), _ANY) if known is None else _read(known)
        self.numbers.append(value)
        return Lane(self._input(value), (-(1 << self.bits), 1 << self.bits))

    def _array(self, value: Value) -> Tensor:
        """A vector from outside, of known length."""
        type_ = value.type
        is_plain = type_.dtype.char in _ELEMENTS and type_.dtype.isnative and not type_.maybe
        if not is_plain or type_.shape is None or len(type_.shape) != 1 or None in type_.shape:
            raise UnfitError
        return self._input(value)

    def _element(self, x: Tensor, index: Lane | Total) -> Lane:
        """What each turn reads of an array, where it is there for sure."""
        if not isinstance(index, Lane) or not index.is_array:
            raise UnfitError
        low, high = index.range
        if index.dtype == BOOL or not 0 <= low <= high < (x.shape[0] or 0):
            raise UnfitError
        found: Any = operator.getitem(x, index.x)
        return Lane(found, _RANGES.get(x.dtype, _ANY))

    # Nodes.

    def _nodes(self, graph: Graph) -> None:
        for node in graph.nodes:
            count = len(self.block.nodes)
            if node.op is CONSTANT:
                self._known[node.outputs[0]] = _read(node.attrs['value'])
            elif node.op is COND:
                self._choose(node)
            else:
                self._known[node.outputs[0]] = self._operation(node)
            for made in self.block.nodes[count:]:
                if made not in self._placed:
                    made.site = node.site
                    self._placed.add(made)

    def _operation(self, node: Node) -> Lane | Total:
        if any(output.type.kind == 'array' or output.type.maybe for output in node.outputs):
            raise UnfitError
        if node.op is GETITEM and node.attrs['index'] == Slot(1):
            if node.inputs[0] not in self._arrays or node.inputs[1] not in self._known:
                raise UnfitError
            return self._element(self._arrays[node.inputs[0]], self._known[node.inputs[1]])
        if not all(value in self._known for value in node.inputs):
            raise UnfitError
        given = [self._known[value] for value in node.inputs]
        if node.op is CAST or node.attrs.get('function') in _CONVERSIONS:
            return self._cast(given[0], node.outputs[0].type)
        if node.op is NOT:
            return self._compute('equal', [*given, _NOTHING])
        function = node.attrs.get('ufunc') or _OF_PYTHON.get(node.attrs.get('function', ''), '')
        if node.op not in (UFUNC, CALL) or node.attrs['arguments'].kwargs:
            raise UnfitError
        terms = [
            term if isinstance(term, Lane | Total) else _read(term)
            for term in node.attrs['arguments'].fill(given)[0]
        ]
        return self._compute(function.removeprefix('numpy.'), terms)

    def _cast(self, x: Lane | Total, type_: TensorType) -> Lane | Total:
        if type_.dtype == BOOL and isinstance(x, Lane):
            return x if x.dtype == BOOL else self._compute('not_equal', [x, _NOTHING])
        if type_.dtype != INT or (isinstance(x, Lane) and x.dtype not in (INT, BOOL)):
            raise UnfitError
        return self._integer(x) if isinstance(x, Lane) else x

    def _integer(self, lane: Lane) -> Lane:
        if lane.dtype != BOOL:
            return lane
        x = lane.x.astype(np.int64) if isinstance(lane.x, Tensor) else int(lane.x)
        return Lane(x, lane.range)

    def _compute(self, name: str, terms: Sequence[Lane | Total]) -> Lane | Total:
        lanes = [term for term in terms if isinstance(term, Lane)]
        if len(lanes) < len(terms):
            return self._add(name, terms)
        are_integers = all(lane.dtype in (INT, BOOL) for lane in lanes)
        if name in _ARITHMETIC and are_integers:
            lanes = [self._integer(lane) for lane in lanes]
        elif name not in _COMPARISONS and not (name in _BITWISE and are_integers):
            raise UnfitError
        if name in ('floor_divide', 'remainder') and lanes[1].range[0] <= 0 <= lanes[1].range[1]:
            raise UnfitError
        is_truth = name in _COMPARISONS or all(lane.dtype == BOOL for lane in lanes)
        reach = (0, 1) if is_truth else range_of(name, [lane.range for lane in lanes])
        if max(-reach[0], reach[1]) > _FITS:
            raise UnfitError
        return Lane(target(PYTHON_UFUNCS[f'numpy.{name}'][0])(*(lane.x for lane in lanes)), reach)

    def _add(self, name: str, terms: Sequence[Lane | Total]) -> Total:
        """`total + x`, `x + total` or `total - x`."""
        match name, terms:
            case ('add', [Total() as total, Lane() as lane] | [Lane() as lane, Total() as total]):
                new: Lane | Total = lane
            case 'subtract', [Total() as total, Lane() as lane]:
                new = self._compute('subtract', [_NOTHING, lane])
            case _:
                raise UnfitError
        if total.added is not _NOTHING:
            new = self._compute('add', [total.added, new])
        assert isinstance(new, Lane)
        return Total(total.index, self._integer(new) if total.added is not _NOTHING else new)

    # Choices.

    def _choose(self, node: Node) -> None:
        condition = self._cast(self._known[node.inputs[0]], python_scalar(bool))
        if not isinstance(condition, Lane) or not condition.is_array:
            raise UnfitError
        for inner in node.graphs.values():
            captures = inner.params[len(inner.own_params) :]
            for param, value in zip(captures, inner.captures, strict=True):
                known: dict[Value, Any] = self._arrays if value in self._arrays else self._known
                known[param] = known[value]
            self._nodes(inner)
        for i, output in enumerate(node.outputs):
            ways = [self._known.get(inner.outputs[i]) for inner in node.graphs.values()]
            if output.type.dtype not in (INT, BOOL) or output.type.maybe or None in ways:
                raise UnfitError
            self._known[output] = self._chosen(condition, *ways)

    def _chosen(self, condition: Lane, true: Any, false: Any) -> Lane | Total:
        match true, false:
            case Total(i, added), Total(j, other) if i == j:
                chosen = self._chosen(condition, added, other)
                assert isinstance(chosen, Lane)
                return Total(i, chosen)
            case Lane(), Lane():
                return self._either(condition, true, false)
        raise UnfitError

    def _either(self, condition: Lane, true: Lane, false: Lane) -> Lane:
        """`true if condition else false`, in the fewest operations."""
        ways = [lane.x if isinstance(lane.x, int) else None for lane in (true, false)]
        if true is false:
            return true
        if ways == [1, 0]:
            return condition
        if true is condition and false.dtype == BOOL:
            return Lane(condition.x | false.x, (0, 1))
        if ways[1] == 0:
            return self._masked(condition, true)
        if ways[0] == 0:
            return self._masked(Lane(~condition.x, (0, 1)), false)
        reach = min(true.range[0], false.range[0]), max(true.range[1], false.range[1])
        return Lane(np.where(condition.x, true.x, false.x), reach)

    def _masked(self, mask: Lane, lane: Lane) -> Lane:
        """The lane where the mask is true, and 0 elsewhere."""
        if lane.dtype == BOOL and isinstance(lane.x, Tensor):
            return Lane(mask.x & lane.x, (0, 1))
        found = self._compute('multiply', [mask, lane])
        assert isinstance(found, Lane)
        return found


def _read(number: Any) -> Lane:
    """A number that is the same in all turns."""
    if isinstance(number, float):
        return Lane(number, _ANY)
    if not isinstance(number, int | np.int64):
        raise UnfitError
    return Lane(number, (int(number), int(number)))
