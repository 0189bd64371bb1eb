"""Products in loops by `dot`, which takes half the time of `@` to begin.

    for ...:  y = a @ y   ->  for ...:  y = a.dot(y)

Both call the same routines of the same library, if the arrays lie in memory in order: then the
results are the same to the last bit. Arguments are looked at when the program starts: it raises if
one is not in order, and whoever runs it runs the graph as it was.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..graph.graph import Attrs, Graph, Node, Op, Value
from ..graph.types import TensorType
from ..ops.calls import CALL
from ..ops.template import Arguments, Slot
from ..ops.ufuncs import UFUNC
from .facts import writes_outside
from .layouts import If, Layouts
from .rewriting import LOOPS, copy_graph, node_for


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _write_check(node: Node, args: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    flags = [ast.Attribute(arg, 'flags', ast.Load()) for arg in args]
    tests: list[ast.expr] = [ast.Attribute(flag, 'c_contiguous', ast.Load()) for flag in flags]
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    failed = ast.Raise(ast.Name('ValueError', ast.Load()))
    return [ast.If(ast.UnaryOp(ast.Not(), test), [failed], [])]


CHECK_ORDER = Op('check_order', _nothing, statement=_write_check, effect=True)


def products(graph: Graph) -> Graph | None:
    """A copy of the graph that makes its products by `dot`; None if there is none."""
    if not any(True for _ in _products(graph)):
        return None
    may_raise = not graph.effect and not writes_outside(graph)
    copy = copy_graph(graph)
    layouts = Layouts(copy)
    checked: dict[Value, None] = {}
    found = False
    for node in _products(copy):
        needed = _needed(node, layouts)
        if needed is None or (needed and not may_raise):
            continue
        found = True
        checked |= dict.fromkeys(param for param in copy.params if param in needed)
        function = {'function': 'ndarray.dot', 'arguments': Arguments((Slot(0), Slot(1)))}
        types = tuple(value.type for value in node.outputs)
        node.op, node.attrs = CALL, {**function, 'types': types, 'pick': ()}
    if not found:
        return None
    if checked:
        copy.nodes.insert(0, node_for(copy, CHECK_ORDER, list(checked)))
    return copy


def _products(graph: Graph, in_loop: bool = False) -> Iterator[Node]:
    """The products in loops: one that is made once gains less than looking at its arguments."""
    for node in graph.nodes:
        if in_loop and _is_product(node):
            yield node
        for inner in node.graphs.values():
            yield from _products(inner, in_loop or node.op in LOOPS)


def _is_product(node: Node) -> bool:
    """Whether this is `a @ b` of arrays of one type and known shapes, of one or two axes."""
    if node.op is not UFUNC or node.attrs['ufunc'] != 'numpy.matmul':
        return False
    a, b = (value.type for value in node.inputs[:2])
    return (
        node.attrs['arguments'] == Arguments((Slot(0), Slot(1)))
        and a.dtype == b.dtype
        and a.dtype.isnative
        and (a.dtype.char in 'fdFD' or a.dtype.kind in 'iu')
        and all(_fits(value.type) for value in node.inputs)
    )


def _fits(type_: TensorType) -> bool:
    """Whether both take this for a matrix or vector: `dot` takes one element for a number."""
    shape = type_.shape
    return (
        type_.kind == 'array'
        and shape is not None
        and len(shape) <= 2
        and all(n is not None and n > 1 for n in shape)
    )


def _needed(node: Node, layouts: Layouts) -> If:
    """The arguments that must be ordered, so that the operands are; integers may lie anyhow."""
    found: set[Value] = set()
    if node.outputs[0].type.dtype.kind in 'iu':
        return frozenset()
    for value in node.inputs:
        layout = layouts.of(value).dense
        if layout is None:
            return None
        found |= layout
    return frozenset(found)
