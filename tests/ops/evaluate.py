"""A tiny evaluator of graphs without control flow, and the comparison with NumPy."""
from __future__ import annotations

import ast
import copy
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph_lite import trace  # noqa: F401  fills the dispatch tables
from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph import nest
from autograph_lite.graph.graph import Graph, Value
from autograph_lite.graph.tensor import Tensor
from autograph_lite.graph.tracing import CONSTANT, as_value, held_value, tracing_into
from autograph_lite.graph.types import (
    STRING,
    ListType,
    Shape,
    TensorType,
    is_of_any_length,
    type_of,
)
from autograph_lite.graph.varying import dtypes_of


class Traced:
    """A function traced for arguments like these."""

    def __init__(self, function: Callable[..., Any], *types: TensorType) -> None:
        self.graph = Graph('f')
        params = [self.graph.param(t, 'x') for t in types]
        with tracing_into(self.graph):
            result = function(*(Tensor(p) for p in params))
            leaves, self.structure = nest.flatten(result)
            self.results = [
                held_value(x) if isinstance(x, Tensor) else as_value(x) if type_of(x) else x
                for x in leaves
            ]

    def run(self, *args: Any) -> Any:
        """The result of the graph, node by node, on copies of the arguments."""
        if any(node.graphs or node.op.effect for node in self.graph.nodes):
            return self._run_program(*copy.deepcopy(args))
        held: dict[Value, Any] = dict(zip(self.graph.params, copy.deepcopy(args), strict=True))
        for node in self.graph.nodes:
            names = {f'v{i}': held[value] for i, value in enumerate(node.inputs)}
            inputs: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
            if node.op is CONSTANT:
                found = (node.attrs['value'],)
            elif node.op.statement is not None:
                text = '\n'.join(
                    ast.unparse(ast.fix_missing_locations(s))
                    for s in node.op.statement(node, inputs)
                )
                exec(text, {'np': np, 'math': math}, names)
                found = (names['v0'],)
            else:
                assert node.op.expression is not None, node.op.name
                expression = ast.fix_missing_locations(node.op.expression(node, inputs))
                value = eval(ast.unparse(expression), {'np': np, 'math': math}, names)
                found = tuple(value) if len(node.outputs) != 1 else (value,)
            assert len(found) == len(node.outputs), node.op.name
            for output, value in zip(node.outputs, found, strict=True):
                check_type(output.type, value)
                held[output] = value
        results = [held[x] if isinstance(x, Value) else x for x in self.results]
        return nest.unflatten(self.structure, results)

    def _run_program(self, *args: Any) -> Any:
        """The result where there are blocks or effects: of the program that the graph becomes."""
        self.graph.outputs = [x for x in self.results if isinstance(x, Value)]
        outputs = iter(run(lower(self.graph), args))
        results = [next(outputs) if isinstance(x, Value) else x for x in self.results]
        return nest.unflatten(self.structure, results)


def check_type(type_: TensorType, value: Any) -> None:
    """The value has the type that was inferred for it."""
    if type_ == STRING:
        assert type(value) is str
        return
    if isinstance(type_, ListType):
        assert type(value) is list
        for item in value:
            assert type_.element is not None
            check_type(type_.element, item)
        return
    actual = type_of(value)
    assert actual is not None, f'{type(value)} is no value'
    if is_of_any_length(type_):
        assert (actual.kind, actual.dtype.kind) == (type_.kind, type_.dtype.kind)
    else:
        assert actual.kind == type_.kind, f'{type_} holds {actual}'
        assert actual.dtype in dtypes_of(type_), f'{type_} holds {actual}'
    assert type_.shape is None or fits(actual.shape, type_.shape), f'{type_} holds {actual}'


def fits(shape: Shape | None, declared: Shape) -> bool:
    """Whether a shape agrees with one that may have unknown axes."""
    return shape is not None and len(shape) == len(declared) and all(
        n is None or n == m for m, n in zip(shape, declared, strict=True)
    )


def assert_same(actual: Any, expected: Any) -> None:
    """Same value, dtype, shape and Python type, in any nesting."""
    assert type(actual) is type(expected), f'{type(actual)} instead of {type(expected)}'
    if isinstance(expected, tuple | list):
        assert len(actual) == len(expected)
        for a, e in zip(actual, expected, strict=True):
            assert_same(a, e)
    elif isinstance(expected, np.ndarray | np.generic):
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(actual, expected)
    else:
        assert actual == expected or (actual != actual and expected != expected)


def unknown(type_: TensorType) -> TensorType:
    """The type with no axis known."""
    return TensorType(type_.dtype, tuple(None for _ in type_.shape or ()), type_.kind)


def check(function: Callable[..., Any], *args: Any, symbolic: bool = True) -> Traced | None:
    """The function gives the same as a graph and in NumPy, results and changes of its arguments.

    Where NumPy raises, tracing or running raises the same class. With `symbolic`, the same for
    arguments whose axes are all unknown while tracing.
    """
    types = [t for t in map(type_of, args) if t is not None]
    variants = [types]
    if symbolic:
        variants.append([unknown(t) for t in types])
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        error: Exception | None = None
        try:
            expected = function(*copy.deepcopy(args))
        except Exception as e:
            error = e
        traces = []
        for chosen in variants:
            try:
                traces.append(Traced(function, *chosen))
                actual = traces[-1].run(*args)
            except Exception as e:
                if error is None or not isinstance(e, type(error)):
                    raise
            else:
                assert error is None, f'no {error!r}'
                assert_same(actual, expected)
    return traces[0] if traces else None
