"""Expressions that wait for the one place that reads them."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..graph.graph import Value
from ..graph.sites import Site


@dataclass
class Expr:
    """An expression that has not been written yet.

    Attributes:
      tree: the expression.
      width: about how many characters it takes.
      reads: the variables in it.
      buffers: the memory that it reads.
      parts: the expressions of the nodes in it, with their sites.
      merged: where else the nodes in it came from.
    """

    tree: ast.expr
    width: int
    reads: tuple[str, ...] = ()
    buffers: tuple[Value, ...] = ()
    parts: tuple[tuple[ast.expr, Any], ...] = ()
    merged: tuple[Site, ...] = ()

    @property
    def is_name(self) -> bool:
        """Whether it is nothing but a variable."""
        return isinstance(self.tree, ast.Name)


class Waiting:
    """The expressions that wait in one block, in program order."""

    def __init__(self) -> None:
        self._exprs: dict[Value, Expr] = {}
        self._readers: dict[str, dict[Value, None]] = {}

    def __iter__(self) -> Iterator[Value]:
        return iter(list(self._exprs))

    def __contains__(self, value: Value) -> bool:
        return value in self._exprs

    def add(self, value: Value, expr: Expr) -> None:
        """The value's expression waits from now on."""
        self._exprs[value] = expr
        for variable in expr.reads:
            self._readers.setdefault(variable, {})[value] = None

    def take(self, value: Value) -> Expr | None:
        """The value's expression, which waits no longer; None if it did not wait."""
        expr = self._exprs.pop(value, None)
        if expr is not None:
            for variable in expr.reads:
                del self._readers[variable][value]
        return expr

    def readers(self, variable: str) -> list[Value]:
        """The values whose expressions read the variable."""
        return list(self._readers.get(variable, ()))

    def users(self, buffer: Value) -> list[Value]:
        """The values whose expressions read the memory."""
        return [value for value, expr in self._exprs.items() if buffer in expr.buffers]

    def copy(self) -> Waiting:
        """Another record of the same expressions."""
        other = Waiting()
        for value, expr in self._exprs.items():
            other.add(value, expr)
        return other
