"""The tables through which NumPy's protocols reach the operations; `ops/` fills them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

Implementation = Callable[..., Any]

# `Tensor.__add__` and the like, by the name of the method.
OPERATORS: dict[str, Implementation] = {}
# `Tensor.sum` and the like: methods get the tensor first, properties are asked for at once.
METHODS: dict[str, Implementation] = {}
PROPERTIES: dict[str, Implementation] = {}
# NumPy functions that dispatch by `__array_function__`.
FUNCTIONS: dict[Callable[..., Any], Implementation] = {}
# What no protocol reaches: creation functions, dtype constructors, `math`; see `ag.np`, `ag.math`.
UNREACHED: dict[Any, Any] = {}
# Fallbacks: any ufunc (ufunc, method, inputs, kwargs), any NumPy function (function, args, kwargs).
FALLBACKS: dict[str, Implementation] = {}

Decorator = Callable[[Implementation], Implementation]


def _registers(table: dict[Any, Implementation], *keys: Any) -> Decorator:
    def register(implementation: Implementation) -> Implementation:
        table.update(dict.fromkeys(keys, implementation))
        return implementation

    return register


def implements(*functions: Callable[..., Any]) -> Decorator:
    """Registers the implementation of NumPy functions that dispatch by `__array_function__`."""
    return _registers(FUNCTIONS, *functions)


def replaces(*functions: Callable[..., Any]) -> Decorator:
    """Registers what a call of a function that no protocol reaches becomes in a graph."""
    return _registers(UNREACHED, *functions)


def method(name: str) -> Decorator:
    """Registers an ndarray method of `Tensor`."""
    return _registers(METHODS, name)


def attribute(name: str) -> Decorator:
    """Registers an ndarray attribute of `Tensor`."""
    return _registers(PROPERTIES, name)


def operator(name: str) -> Decorator:
    """Registers a special method of `Tensor`, such as `__add__`."""
    return _registers(OPERATORS, name)
