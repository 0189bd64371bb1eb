"""The body of a loop that only adds up integers, read as a program on arrays of many turns.

    if i % 3 == 0:                  multiply = (i % 3 == 0) * i
        total = total + i     ->    return multiply

Both branches of a choice are computed, so what they hold may neither raise nor take long. Python's
integers grow and NumPy's wrap round, so all that is computed must fit in int64 for numbers up to a
power of two.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.sites import Site
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..graph.types import TensorType, array_type, python_scalar
from ..ops.calls import CALL, target
from ..ops.control_flow import CAST, COND, NOT
from ..ops.turn_sums import BLOCK
from ..ops.ufuncs import UFUNC
from .buffer_reuse import buffer_reuse
from .common_subexpressions import common_subexpressions
from .dead_code import dead_code
from .integer_ranges import Range, range_of
from .rewriting import constant
from .scalar_loops import BOOL, INT, PYTHON_UFUNCS

_FITS = 2**62
# What the operations on one element may take: both branches of a choice are computed.
_LONGEST = 24
_DIVISION = 3
_ARITHMETIC = {
    'add', 'subtract', 'multiply', 'floor_divide', 'remainder', 'negative', 'positive', 'absolute'
}  # fmt: skip
_CONVERSIONS = ('builtins.int', 'builtins.bool')
_COMPARISONS = {'less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal'}
_BITWISE = {'bitwise_and', 'bitwise_or', 'bitwise_xor'}
_UFUNCS = _ARITHMETIC | _COMPARISONS | _BITWISE
_OF_PYTHON = {python: ufunc for ufunc, (python, _) in PYTHON_UFUNCS.items()}
_OF_PYTHON['operator.abs'] = 'numpy.absolute'


@dataclass(frozen=True)
class Turns:
    """What many turns add to each state of a loop.

    Attributes:
      block: a graph that gives it for an array of counters and the numbers from outside.
      added: for each state whether the block has a result for it.
      inputs: the first bound of the range, the last, and the numbers.
      bits: how large the numbers and the counters may be.
    """

    block: Graph
    added: list[bool]
    inputs: list[Value]
    bits: int


class UnfitError(Exception):
    """The loop is to run as it is."""


def is_integer(type_: TensorType) -> bool:
    """Whether it is a Python integer, or NumPy's int64."""
    return type_ in (python_scalar(int), TensorType(INT, (), 'scalar'))


# A number of each turn: one for all, or an array, and how large it may be.
@dataclass(frozen=True)
class _Lane:
    x: Any
    range: Range

    @property
    def is_bool(self) -> bool:
        return self.dtype == BOOL

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.x.dtype if isinstance(self.x, Tensor) else np.asarray(self.x).dtype


# A state, as it was before the turn, and what the turn has added to it.
@dataclass(frozen=True)
class _Total:
    index: int
    added: _Lane


_NOTHING = _Lane(0, (0, 0))
_Read = _Lane | _Total


class Reading:
    """Reads the body of a loop as a program on arrays.

    Raises:
      UnfitError: it does something else than to add up.
    """

    def __init__(self, loop: Node, bounds: list[Value], step: int, bits: int) -> None:
        self._loop = loop
        self._bits = bits
        self._known: dict[Value, _Read] = {}
        self._inputs = list(bounds)
        self._cost = 0
        self._block = Graph('turns')
        first, last = map(constant, bounds)
        far = 1 << bits
        reach = [far if x is None else x for x in ((first, last) if step > 0 else (last, first))]
        low = -far if (first if step > 0 else last) is None else reach[0]
        self._counter = (low, reach[1])

    def turns(self) -> Turns:
        """What the turns add."""
        body, count = self._loop.graphs['body'], len(self._loop.outputs)
        with tracing_into(self._block):
            own = body.own_params
            if len(own) != count + 1:
                raise UnfitError
            counter = self._block.param(array_type(INT, (BLOCK,)), own[0].name)
            self._known[own[0]] = _Lane(Tensor(counter), self._counter)
            for i, param in enumerate(own[1:]):
                self._known[param] = _Total(i, _NOTHING)
            for param, value in zip(body.params[len(own) :], body.captures, strict=True):
                self._known[param] = self._number(value)
            self._read(body)
            added = [self._added(i, value) for i, value in enumerate(body.outputs)]
            self._block.outputs = [as_value(x) for x in added if x is not None]
        if not self._block.outputs or self._cost > _LONGEST:
            raise UnfitError
        common_subexpressions(self._block)
        dead_code(self._block)
        block = buffer_reuse(self._block) or self._block
        return Turns(block, [x is not None for x in added], self._inputs, self._bits)

    def _number(self, value: Value) -> _Lane:
        """A number from outside, which the test finds not to be too large."""
        known = constant(value)
        if known is not None:
            return _Lane(int(known), (int(known), int(known)))
        self._inputs.append(value)
        param = self._block.param(value.type, value.name)
        return _Lane(Tensor(param), (-(1 << self._bits), 1 << self._bits))

    def _added(self, i: int, value: Value) -> Any:
        """What is added to a state; None if nothing is."""
        total = self._known[value]
        if not isinstance(total, _Total) or total.index != i:
            raise UnfitError
        low, high = total.added.range
        # A block, and all turns together where NumPy adds up, must fit.
        count = BLOCK if self._loop.outputs[i].type.weak else 2 << self._bits
        if max(-low, high) * count > _FITS:
            raise UnfitError
        if not self._loop.outputs[i].type.weak:
            self._bound(self._state(i))
        return None if total.added is _NOTHING else total.added.x

    def _state(self, i: int) -> Value:
        first = len(self._loop.inputs) - len(self._loop.graphs['body'].captures)
        return self._loop.inputs[first - len(self._loop.outputs) + i]

    def _bound(self, value: Value) -> None:
        known = constant(value)
        if known is not None and abs(int(known)) > 1 << self._bits:
            raise UnfitError
        if known is None and value not in self._inputs:
            self._number(value)

    # Nodes.

    def _read(self, graph: Graph) -> None:
        for node in graph.nodes:
            count = len(self._block.nodes)
            if node.op is CONSTANT:
                if not is_integer(node.outputs[0].type) and node.outputs[0].type.dtype != BOOL:
                    raise UnfitError
                number = int(node.attrs['value'])
                self._known[node.outputs[0]] = _Lane(node.attrs['value'], (number, number))
            elif node.op is COND:
                self._choose(node)
            else:
                self._known[node.outputs[0]] = self._operation(node)
            if node.op is not COND:
                put_at(node.site, self._block.nodes[count:])

    def _operation(self, node: Node) -> _Read:
        if any(output.type.kind == 'array' or output.type.maybe for output in node.outputs):
            raise UnfitError
        given = [self._known[value] for value in node.inputs]
        if node.op is CAST or node.attrs.get('function') in _CONVERSIONS:
            return self._cast(given[0], node.outputs[0].type)
        if node.op is NOT:
            return self._compute('equal', [_as_lane(given[0]), _NOTHING])
        if node.op is UFUNC:
            name = node.attrs['ufunc']
            if not all(is_integer(value.type) for value in node.inputs):
                raise UnfitError
        elif node.op is CALL:
            name = _OF_PYTHON.get(node.attrs['function'], '')
        else:
            raise UnfitError
        name = name.removeprefix('numpy.')
        if name not in _UFUNCS or node.attrs['arguments'].kwargs:
            raise UnfitError
        terms = [_read(term) for term in node.attrs['arguments'].fill(given)[0]]
        if any(isinstance(term, _Total) for term in terms):
            return self._add(name, terms)
        return self._compute(name, list(map(_as_lane, terms)))

    def _add(self, name: str, terms: Sequence[_Read]) -> _Total:
        """`total + x`, `x + total` or `total - x`."""
        match name, terms:
            case ('add', [_Total() as total, _Lane() as lane]) | (
                'add', [_Lane() as lane, _Total() as total]):
                pass
            case 'subtract', [_Total() as total, _Lane() as lane]:
                lane = self._compute('subtract', [_NOTHING, lane])
            case _:
                raise UnfitError
        if total.added is not _NOTHING:
            lane = self._compute('add', [total.added, lane])
        return _Total(total.index, lane)

    def _cast(self, lane: _Read, type_: TensorType) -> _Read:
        if is_integer(type_):
            return lane if isinstance(lane, _Total) else self._integer(lane)
        if type_.dtype != BOOL:
            raise UnfitError
        return self._truth(_as_lane(lane))

    def _truth(self, lane: _Lane) -> _Lane:
        return lane if lane.is_bool else self._compute('not_equal', [lane, _NOTHING])

    def _integer(self, lane: _Lane) -> _Lane:
        if not lane.is_bool:
            return lane
        x = lane.x.astype(np.int64) if isinstance(lane.x, Tensor) else int(lane.x)
        self._cost += 1
        return _Lane(x, lane.range)

    def _compute(self, name: str, lanes: Sequence[_Lane]) -> _Lane:
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
        return _Lane(function(*(lane.x for lane in lanes)), reach)

    # Choices.

    def _choose(self, node: Node) -> None:
        count = len(self._block.nodes)
        condition = self._truth(_as_lane(self._known[node.inputs[0]]))
        put_at(node.site, self._block.nodes[count:])
        if not isinstance(condition.x, Tensor) or condition.x.ndim == 0:
            raise UnfitError
        for inner in node.graphs.values():
            captures = inner.params[len(inner.own_params) :]
            for param, value in zip(captures, inner.captures, strict=True):
                self._known[param] = self._known[value]
            self._read(inner)
        ways = [[self._known[value] for value in inner.outputs] for inner in node.graphs.values()]
        count = len(self._block.nodes)
        for output, true, false in zip(node.outputs, *ways, strict=True):
            if not is_integer(output.type) and output.type.dtype != BOOL:
                raise UnfitError
            self._known[output] = self._chosen(condition, true, false)
        put_at(node.site, self._block.nodes[count:])

    def _chosen(self, condition: _Lane, true: _Read, false: _Read) -> _Read:
        if isinstance(true, _Total) and isinstance(false, _Total) and true.index == false.index:
            return _Total(true.index, self._either(condition, true.added, false.added))
        return self._either(condition, _as_lane(true), _as_lane(false))

    def _either(self, condition: _Lane, true: _Lane, false: _Lane) -> _Lane:
        """`true if condition else false`, in the fewest operations."""
        if true is false:
            return true
        if (_value(true), _value(false)) == (1, 0):
            return condition
        if (_value(true), _value(false)) == (0, 1):
            return self._not(condition)
        if _value(false) == 0:
            return self._masked(condition, true)
        if _value(true) == 0:
            return self._masked(self._not(condition), false)
        if true is condition:
            return self._compute('bitwise_or', [condition, false])
        reach = min(true.range[0], false.range[0]), max(true.range[1], false.range[1])
        self._cost += 2
        return _Lane(np.where(condition.x, true.x, false.x), reach)

    def _masked(self, mask: _Lane, lane: _Lane) -> _Lane:
        """The lane where the mask is true, and 0 elsewhere."""
        return self._compute('bitwise_and' if lane.is_bool else 'multiply', [mask, lane])

    def _not(self, condition: _Lane) -> _Lane:
        self._cost += 1
        return _Lane(~condition.x, (0, 1))


def _read(term: Any) -> _Read:
    """A term, which may be written as a number."""
    if isinstance(term, _Lane | _Total):
        return term
    if not isinstance(term, int | np.int64):
        raise UnfitError
    return _Lane(term, (int(term), int(term)))


def _as_lane(read: _Read) -> _Lane:
    if not isinstance(read, _Lane):
        raise UnfitError  # a total is no number of one turn
    return read


def _value(lane: _Lane) -> Any:
    """The number that it is in all turns; None if it is not one."""
    return None if isinstance(lane.x, Tensor) else lane.x


def put_at(site: Site | None, nodes: Sequence[Node]) -> None:
    """What was traced here stands for something of the user's."""
    for node in nodes:
        node.site = site
