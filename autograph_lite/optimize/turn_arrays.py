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
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.sites import Site
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..graph.types import TensorType, array_type
from ..ops.calls import CALL
from ..ops.control_flow import CAST, COND, NOT
from ..ops.indexing import GETITEM
from ..ops.public_names import target
from ..ops.template import Slot
from ..ops.turn_sums import BLOCK
from ..ops.ufuncs import UFUNC
from .buffer_reuse import buffer_reuse
from .common_subexpressions import common_subexpressions
from .dead_code import dead_code
from .integer_ranges import Range, range_of
from .rewriting import constant
from .scalar_loops import BOOL, INT, PYTHON_UFUNCS
from .turn_values import (
    ANY,
    NOTHING,
    Lane,
    Read,
    Span,
    Total,
    Turns,
    UnfitError,
    as_lane,
    is_integer,
    read,
    value_of,
)

_FITS = 2**62
# What the operations on one element may take: both branches of a choice are computed.
_LONGEST = 24
_DIVISION = 3
_GATHER = 3
# Which arrays are read.
_ELEMENTS = 'dfli?'
_RANGES: dict[np.dtype[Any], Range] = {INT: (-(2**63), 2**63 - 1), BOOL: (0, 1)}
_ARITHMETIC = {
    'add', 'subtract', 'multiply', 'floor_divide', 'remainder', 'negative', 'positive', 'absolute'
}  # fmt: skip
_CONVERSIONS = ('builtins.int', 'builtins.bool')
_COMPARISONS = {'less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal'}
_BITWISE = {'bitwise_and', 'bitwise_or', 'bitwise_xor'}
_UFUNCS = _ARITHMETIC | _COMPARISONS | _BITWISE
_OF_PYTHON = {python: ufunc for ufunc, (python, _) in PYTHON_UFUNCS.items()}
_OF_PYTHON['operator.abs'] = 'numpy.absolute'


class Reading:
    """Reads the body of a loop as a program on arrays.

    Raises:
      UnfitError: it does something else than to add up.
    """

    def __init__(self, loop: Node, span: Span, bits: int) -> None:
        self._loop = loop
        self._span = span
        self._bits = bits
        self._known: dict[Value, Read] = {}
        self._arrays: dict[Value, Tensor] = {}
        self._numbers: list[Value] = []
        self._inputs: list[Value] = []
        self._cost = 0
        self._block = Graph('turns')
        first, last = span.known
        if first is not None and last is not None:
            turns = range(first, last, span.step)
            self._reach = min(turns[0], turns[-1]), max(turns[0], turns[-1])
        else:
            low, high = (first, last) if span.step > 0 else (last, first)
            far = 1 << bits
            self._reach = (-far if low is None else low, far if high is None else high)

    def turns(self) -> Turns:
        """What the turns add."""
        body, count = self._loop.graphs['body'], len(self._loop.outputs)
        with tracing_into(self._block):
            own = body.own_params
            items, states = own[: len(own) - count], own[len(own) - count :]
            for i, param in enumerate(states):
                self._known[param] = Total(i, NOTHING)
            name = items[0].name if self._span.counts else 'i'
            counter = self._block.param(array_type(INT, (BLOCK,)), name)
            lane = Lane(Tensor(counter), self._reach)
            if self._span.counts:
                self._known[items[0]] = lane
            for param, value in zip(body.params[len(own) :], body.captures, strict=True):
                self._outside(param, value)
            if self._span.rows is not None:
                rows = self._array(self._span.rows)
                self._known[items[-1]] = self._element(rows, lane)
            self._nodes(body)
            added = [self._added(i, value) for i, value in enumerate(body.outputs)]
            self._block.outputs = [as_value(x) for x in added if x is not None]
        if not self._block.outputs or self._cost > _LONGEST:
            raise UnfitError
        common_subexpressions(self._block)
        dead_code(self._block)
        block = buffer_reuse(self._block) or self._block
        is_added = [x is not None for x in added]
        return Turns(block, is_added, self._span, self._numbers, self._inputs, self._bits)

    # What is read from outside.

    def _outside(self, param: Value, value: Value) -> None:
        if value.type.kind == 'array':
            self._arrays[param] = self._array(value)
        elif value.type.dtype.kind == 'f':
            self._known[param] = Lane(self._input(value), ANY)
        else:
            self._known[param] = self._number(value)

    def _input(self, value: Value) -> Tensor:
        self._inputs.append(value)
        return Tensor(self._block.param(value.type, value.name))

    def _number(self, value: Value) -> Lane:
        """A number from outside, which the test finds not to be too large."""
        known = constant(value)
        if known is not None:
            return Lane(int(known), (int(known), int(known)))
        self._numbers.append(value)
        return Lane(self._input(value), (-(1 << self._bits), 1 << self._bits))

    def _array(self, value: Value) -> Tensor:
        """An array from outside, of known length."""
        type_ = value.type
        is_plain = type_.dtype.char in _ELEMENTS and type_.dtype.isnative and not type_.maybe
        if not is_plain or type_.shape is None or len(type_.shape) != 1 or None in type_.shape:
            raise UnfitError
        return self._input(value)

    def _element(self, x: Tensor, index: Lane) -> Lane:
        """What each turn reads of an array, where it is there for sure."""
        if not isinstance(index.x, Tensor) or index.x.ndim == 0 or index.is_bool:
            raise UnfitError
        low, high = index.range
        if not 0 <= low <= high < x.shape[0]:
            raise UnfitError
        self._cost += _GATHER
        found: Any = operator.getitem(x, index.x)
        return Lane(found, _RANGES.get(x.dtype, ANY))

    def _added(self, i: int, value: Value) -> Any:
        """What is added to a state; None if nothing is."""
        total = self._known[value]
        if not isinstance(total, Total) or total.index != i:
            raise UnfitError
        low, high = total.added.range
        # A block, and all turns together where NumPy adds up, must fit.
        count = BLOCK if self._loop.outputs[i].type.weak else 2 << self._bits
        if max(-low, high) * count > _FITS:
            raise UnfitError
        if not self._loop.outputs[i].type.weak:
            self._bound(self._state(i))
        return None if total.added is NOTHING else total.added.x

    def _state(self, i: int) -> Value:
        first = len(self._loop.inputs) - len(self._loop.graphs['body'].captures)
        return self._loop.inputs[first - len(self._loop.outputs) + i]

    def _bound(self, value: Value) -> None:
        known = constant(value)
        if known is not None and abs(int(known)) > 1 << self._bits:
            raise UnfitError
        if known is None and value not in self._numbers:
            self._numbers.append(value)

    # Nodes.

    def _nodes(self, graph: Graph) -> None:
        for node in graph.nodes:
            count = len(self._block.nodes)
            if node.op is CONSTANT:
                self._known[node.outputs[0]] = read(node.attrs['value'])
            elif node.op is COND:
                self._choose(node)
            else:
                self._known[node.outputs[0]] = self._operation(node)
            if node.op is not COND:
                put_at(node.site, self._block.nodes[count:])

    def _operation(self, node: Node) -> Read:
        if any(output.type.kind == 'array' or output.type.maybe for output in node.outputs):
            raise UnfitError
        if node.op is GETITEM and node.attrs['index'] == Slot(1):
            array, index = node.inputs
            if array not in self._arrays:
                raise UnfitError
            return self._element(self._arrays[array], as_lane(self._known[index]))
        if not all(value in self._known for value in node.inputs):
            raise UnfitError
        given = [self._known[value] for value in node.inputs]
        if node.op is CAST or node.attrs.get('function') in _CONVERSIONS:
            return self._cast(given[0], node.outputs[0].type)
        if node.op is NOT:
            return self._compute('equal', [as_lane(given[0]), NOTHING])
        if node.op is UFUNC:
            name = node.attrs['ufunc']
            if not all(is_integer(value.type) for value in node.inputs):
                _check_types(name.removeprefix('numpy.'), node)
        elif node.op is CALL:
            name = _OF_PYTHON.get(node.attrs['function'], '')
        else:
            raise UnfitError
        name = name.removeprefix('numpy.')
        if name not in _UFUNCS or node.attrs['arguments'].kwargs:
            raise UnfitError
        terms = [read(term) for term in node.attrs['arguments'].fill(given)[0]]
        if any(isinstance(term, Total) for term in terms):
            return self._add(name, terms)
        return self._compute(name, list(map(as_lane, terms)))

    def _add(self, name: str, terms: Sequence[Read]) -> Total:
        """`total + x`, `x + total` or `total - x`."""
        match name, terms:
            case ('add', [Total() as total, Lane() as lane]) | (
                'add', [Lane() as lane, Total() as total]):
                pass
            case 'subtract', [Total() as total, Lane() as lane]:
                lane = self._compute('subtract', [NOTHING, lane])
            case _:
                raise UnfitError
        if total.added is not NOTHING:
            lane = self._compute('add', [total.added, lane])
        return Total(total.index, lane)

    def _cast(self, lane: Read, type_: TensorType) -> Read:
        if isinstance(lane, Lane) and lane.dtype not in (INT, BOOL) and type_.dtype != BOOL:
            raise UnfitError
        if is_integer(type_):
            return lane if isinstance(lane, Total) else self._integer(lane)
        if type_.dtype != BOOL:
            raise UnfitError
        return self._truth(as_lane(lane))

    def _truth(self, lane: Lane) -> Lane:
        return lane if lane.is_bool else self._compute('not_equal', [lane, NOTHING])

    def _integer(self, lane: Lane) -> Lane:
        if not lane.is_bool:
            return lane
        x = lane.x.astype(np.int64) if isinstance(lane.x, Tensor) else int(lane.x)
        self._cost += 1
        return Lane(x, lane.range)

    def _compute(self, name: str, lanes: Sequence[Lane]) -> Lane:
        if name not in _COMPARISONS and not all(lane.dtype in (INT, BOOL) for lane in lanes):
            raise UnfitError
        if name in _ARITHMETIC:
            lanes = [self._integer(lane) for lane in lanes]
        divides = name in ('floor_divide', 'remainder')
        if divides and lanes[1].range[0] <= 0 <= lanes[1].range[1]:
            raise UnfitError
        is_truth = name in _COMPARISONS or all(lane.is_bool for lane in lanes)
        reach = (0, 1) if is_truth else range_of(name, [lane.range for lane in lanes])
        if max(-reach[0], reach[1]) > _FITS:
            raise UnfitError
        self._cost += _DIVISION if divides else 1
        function = target(PYTHON_UFUNCS[f'numpy.{name}'][0])
        return Lane(function(*(lane.x for lane in lanes)), reach)

    # Choices.

    def _choose(self, node: Node) -> None:
        count = len(self._block.nodes)
        condition = self._truth(as_lane(self._known[node.inputs[0]]))
        put_at(node.site, self._block.nodes[count:])
        if not isinstance(condition.x, Tensor) or condition.x.ndim == 0:
            raise UnfitError
        for inner in node.graphs.values():
            captures = inner.params[len(inner.own_params) :]
            for param, value in zip(captures, inner.captures, strict=True):
                known: dict[Value, Any] = self._arrays if value in self._arrays else self._known
                known[param] = known[value]
            self._nodes(inner)
        outputs = [value for inner in node.graphs.values() for value in inner.outputs]
        if not all(value in self._known for value in outputs):
            raise UnfitError
        ways = [[self._known[value] for value in inner.outputs] for inner in node.graphs.values()]
        count = len(self._block.nodes)
        for output, true, false in zip(node.outputs, *ways, strict=True):
            if not is_integer(output.type) and output.type.dtype != BOOL:
                raise UnfitError
            self._known[output] = self._chosen(condition, true, false)
        put_at(node.site, self._block.nodes[count:])

    def _chosen(self, condition: Lane, true: Read, false: Read) -> Read:
        if isinstance(true, Total) and isinstance(false, Total) and true.index == false.index:
            return Total(true.index, self._either(condition, true.added, false.added))
        return self._either(condition, as_lane(true), as_lane(false))

    def _either(self, condition: Lane, true: Lane, false: Lane) -> Lane:
        """`true if condition else false`, in the fewest operations."""
        if true is false:
            return true
        if (value_of(true), value_of(false)) == (1, 0):
            return condition
        if (value_of(true), value_of(false)) == (0, 1):
            return self._not(condition)
        if value_of(false) == 0:
            return self._masked(condition, true)
        if value_of(true) == 0:
            return self._masked(self._not(condition), false)
        if true is condition:
            return self._compute('bitwise_or', [condition, false])
        if false is condition:
            return self._compute('bitwise_and', [condition, true])
        reach = min(true.range[0], false.range[0]), max(true.range[1], false.range[1])
        self._cost += 2
        return Lane(np.where(condition.x, true.x, false.x), reach)

    def _masked(self, mask: Lane, lane: Lane) -> Lane:
        """The lane where the mask is true, and 0 elsewhere."""
        return self._compute('bitwise_and' if lane.is_bool else 'multiply', [mask, lane])

    def _not(self, condition: Lane) -> Lane:
        self._cost += 1
        return Lane(~condition.x, (0, 1))


def _check_types(name: str, node: Node) -> None:
    """Numbers that are no integers may be compared, and truths combined and counted.

    Raises:
      UnfitError: something else is done.
    """
    dtypes = {value.type.dtype for value in node.inputs}
    are_combined = name in _BITWISE and dtypes == {BOOL}
    are_counted = name in ('add', 'subtract') and dtypes == {INT, BOOL}
    if name not in _COMPARISONS and not are_combined and not are_counted:
        raise UnfitError


def put_at(site: Site | None, nodes: Sequence[Node]) -> None:
    """What was traced here stands for something of the user's."""
    for node in nodes:
        node.site = site
