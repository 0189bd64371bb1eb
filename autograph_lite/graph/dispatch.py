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
UNREACHED: dict[Callable[..., Any], Implementation] = {}
# Fallbacks: any ufunc (ufunc, method, inputs, kwargs), any NumPy function (function, args, kwargs).
FALLBACKS: dict[str, Implementation] = {}


def implements(*functions: Callable[..., Any]) -> Callable[[Implementation], Implementation]:
    """Registers the implementation of NumPy functions that dispatch by `__array_function__`."""

    def register(implementation: Implementation) -> Implementation:
        for function in functions:
            FUNCTIONS[function] = implementation
        return implementation

    return register


def replaces(*functions: Callable[..., Any]) -> Callable[[Implementation], Implementation]:
    """Registers what a call of a function that no protocol reaches becomes in a graph."""

    def register(implementation: Implementation) -> Implementation:
        for function in functions:
            UNREACHED[function] = implementation
        return implementation

    return register


def method(name: str) -> Callable[[Implementation], Implementation]:
    """Registers an ndarray method of `Tensor`."""

    def register(implementation: Implementation) -> Implementation:
        METHODS[name] = implementation
        return implementation

    return register


def attribute(name: str) -> Callable[[Implementation], Implementation]:
    """Registers an ndarray attribute of `Tensor`."""

    def register(implementation: Implementation) -> Implementation:
        PROPERTIES[name] = implementation
        return implementation

    return register


def operator(name: str) -> Callable[[Implementation], Implementation]:
    """Registers a special method of `Tensor`, such as `__add__`."""

    def register(implementation: Implementation) -> Implementation:
        OPERATORS[name] = implementation
        return implementation

    return register
