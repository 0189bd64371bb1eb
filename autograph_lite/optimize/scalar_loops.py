"""Which loops compute with numbers alone, so that Python's own can stand for NumPy's.

Such a loop reads and writes single elements of arrays of float64, int64 and bool, and does with
numbers what gives the same bits in Python: arithmetic, comparisons, square roots.
"""
from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..graph.types import ListType, TensorType
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL, target
from ..ops.control_flow import CAST, COND, IS_MISSING, MISSING, NOT
from ..ops.indexing import GETITEM, SETITEM
from ..ops.template import Slot
from ..ops.ufuncs import UFUNC
from ..ops.unboxed import SEES_FLOAT_ERRORS
from .facts import LOOPS, is_identity

FLOAT, INT, BOOL = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_)

# How Python does what a ufunc does to numbers of these kinds: f float, i integer, b bool.
PYTHON_UFUNCS: dict[str, tuple[str, str]] = {
    'numpy.add': ('operator.add', 'fi'),
    'numpy.subtract': ('operator.sub', 'fi'),
    'numpy.multiply': ('operator.mul', 'fi'),
    'numpy.divide': ('operator.truediv', 'fi'),
    'numpy.floor_divide': ('operator.floordiv', 'i'),
    'numpy.remainder': ('operator.mod', 'i'),
    'numpy.negative': ('operator.neg', 'fi'),
    'numpy.positive': ('operator.pos', 'fi'),
    'numpy.absolute': ('builtins.abs', 'fi'),
    'numpy.sqrt': ('math.sqrt', 'f'),
    'numpy.less': ('operator.lt', 'fi'),
    'numpy.less_equal': ('operator.le', 'fi'),
    'numpy.greater': ('operator.gt', 'fi'),
    'numpy.greater_equal': ('operator.ge', 'fi'),
    'numpy.equal': ('operator.eq', 'fib'),
    'numpy.not_equal': ('operator.ne', 'fib'),
    'numpy.bitwise_and': ('operator.and_', 'ib'),
    'numpy.bitwise_or': ('operator.or_', 'ib'),
    'numpy.bitwise_xor': ('operator.xor', 'ib'),
}
# The others of NumPy's floating-point functions have code of their own, whose last bit differs.
_LIBM_UFUNCS = {'numpy.sin': 'math.sin', 'numpy.cos': 'math.cos'}
_CONVERSIONS = ('builtins.float', 'builtins.int', 'builtins.bool')


def python_ufunc(ufunc: str) -> tuple[str, str]:
    """How Python does what a ufunc does to numbers, and of which kinds; '' if it does not."""
    if ufunc in _LIBM_UFUNCS and calls_libm(ufunc):
        return _LIBM_UFUNCS[ufunc], 'f'
    return PYTHON_UFUNCS.get(ufunc, ('', ''))


@functools.cache
def calls_libm(ufunc: str) -> bool:
    """Whether NumPy computes the sine or cosine of float64 as `math` does, to the last bit.

    NumPy 1.25 to 2.4 call the C library, as `math` does; other versions may have their own code,
    which would differ for some of every few hundred numbers.
    """
    xs = np.concatenate([scale * np.linspace(-1, 1, 1023) for scale in (1.0, 7.0, 1e3, 1e9)])
    function = target(_LIBM_UFUNCS[ufunc])
    return bool(np.array_equal(target(ufunc)(xs), [function(x) for x in xs.tolist()]))


def is_scalar_loop(loop: Node) -> bool:
    """Whether the loop computes with numbers alone, some of them NumPy's."""
    return loop.op in LOOPS and _Check().loop(loop)


class _Check:
    """Looks at one loop; `base` says for an array which array from outside it is."""

    def __init__(self) -> None:
        self._base: dict[Value, Value] = {}
        self._gains = 0

    def loop(self, node: Node) -> bool:
        """The outermost loop: it must have something to gain."""
        if not all(_is_passed(v.type) or _is_buffer(v.type) for v in node.inputs):
            return False
        self._base = {v: v for v in node.inputs if v.type.kind == 'array'}
        return self._loop(node) and self._gains > 0

    def _loop(self, node: Node) -> bool:
        body = node.graphs['body']
        count = len(node.outputs)
        first = len(node.inputs) - len(body.captures) - count
        params = body.own_params
        items, state = params[: len(params) - count], params[len(params) - count :]
        if not all(is_number(value.type) for value in items):
            return False
        for graph in node.graphs.values():
            own = graph.own_params
            self._relate(node.inputs[first : first + count], own[len(own) - count :])
            self._relate(node.inputs[first + count :], graph.params[len(own) :])
            if not self._graph(graph):
                return False
        self._relate(node.inputs[first : first + count], node.outputs)
        return all(
            _is_passed(out.type) or (out in self._base and self._base[out] is self._base.get(param))
            for out, param in zip(body.outputs, state, strict=True)
        )

    def _relate(self, values: Sequence[Value], params: Sequence[Value]) -> None:
        for value, param in zip(values, params, strict=True):
            if value in self._base:
                self._base[param] = self._base[value]

    def _graph(self, graph: Graph) -> bool:
        return all(map(self._node, graph.nodes)) and all(
            _is_passed(v.type) or v in self._base for v in (*graph.params, *graph.outputs)
        )

    def _node(self, node: Node) -> bool:
        if node.op in LOOPS:
            return self._loop(node)
        if node.op is COND:
            return self._cond(node)
        if node.op is SETITEM:
            self._gains += 1
            array, value = node.inputs[:2]
            self._base[node.outputs[0]] = self._base[array]
            return array.type.dtype == value.type.dtype and self._is_element(node, 2)
        if node.op in (MISSING, CAST, IS_MISSING) or is_identity(node):
            return all(_is_passed(v.type) for v in (*node.inputs, *node.outputs))
        if not all(is_number(output.type) for output in node.outputs):
            return False
        if node.op is GETITEM:
            self._gains += 1
            return node.inputs[0] in self._base and self._is_element(node, 1)
        if node.op in (NOT, CONSTANT):
            return all(is_number(value.type) for value in node.inputs)
        if node.op is UFUNC:
            self._gains += 1
            return _is_arithmetic(node)
        return node.op in (DIM, SIZE) or (node.op is CALL and _is_pythons(node))

    def _cond(self, node: Node) -> bool:
        header = len(node.inputs) - len(node.graphs['true'].captures)
        for graph in node.graphs.values():
            self._relate(node.inputs[header:], graph.params)
            if not self._graph(graph):
                return False
        results = zip(*(graph.outputs for graph in node.graphs.values()), strict=True)
        for output, (true, false) in zip(node.outputs, results, strict=True):
            if true in self._base:
                if self._base[true] is not self._base.get(false):
                    return False
                self._base[output] = self._base[true]
        return True

    def _is_element(self, node: Node, first: int) -> bool:
        """Whether the node is about one element, its indices being integers."""
        array = node.inputs[0]
        index = node.attrs['index']
        parts = index if isinstance(index, tuple) else (index,)
        return (
            array.type.shape is not None
            and 0 < len(parts) == len(array.type.shape)
            and all(type(part) in (int, Slot) for part in parts)
            and all(v.type.dtype == INT and is_number(v.type) for v in node.inputs[first:])
        )


def is_number(type_: TensorType) -> bool:
    """Whether the value is a Python number, or one of NumPy's that has a like in Python."""
    if type_.maybe or isinstance(type_, ListType):
        return False
    return type_.kind == 'python' or (type_.kind == 'scalar' and _is_known(type_.dtype))


def _is_passed(type_: TensorType) -> bool:
    """Whether the value is a number, or may be None in the place of one."""
    return is_number(type_.present)


def _is_known(dtype: np.dtype[np.generic]) -> bool:
    if dtype == FLOAT and not SEES_FLOAT_ERRORS:
        return False
    return dtype in (FLOAT, INT, BOOL) and dtype.isnative


def _is_buffer(type_: TensorType) -> bool:
    plain = type_.kind == 'array' and not type_.maybe and not isinstance(type_, ListType)
    return plain and _is_known(type_.dtype)


def _is_arithmetic(node: Node) -> bool:
    python, kinds = python_ufunc(node.attrs['ufunc'])
    arguments = node.attrs['arguments']
    dtypes = [value.type.dtype for value in node.inputs]
    if not python or arguments.kwargs or not all(is_number(v.type) for v in node.inputs):
        return False
    if BOOL in dtypes and set(dtypes) != {BOOL}:
        return False
    return all(d in (FLOAT, INT, BOOL) and d.kind in kinds for d in dtypes)


def _is_pythons(node: Node) -> bool:
    """Whether this is Python's own arithmetic already, or a function that takes any number."""
    if not all(value.type.weak for value in node.outputs):
        return False
    function: str = node.attrs['function']
    if function in _CONVERSIONS or function.startswith('math.'):
        return all(is_number(value.type) for value in node.inputs)
    return all(value.type.weak for value in node.inputs)
