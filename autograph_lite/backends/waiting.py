"""Expressions that wait for the one place that reads them."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..graph.graph import Value
from ..graph.sites import Handed, Site


@dataclass
class Expr:
    """An expression that has not been written yet.

    Attributes:
      tree: the expression.
      width: about how many characters it takes.
      reads: the variables in it.
      buffers: the memory that it reads.
      parts: the expressions of the nodes in it, with their sites.
      handed: what the branches in it give.
      merged: where else the nodes in it came from.
      raises: whether it may raise.
    """

    tree: ast.expr
    width: int
    reads: tuple[str, ...] = ()
    buffers: tuple[Value, ...] = ()
    parts: tuple[tuple[ast.expr, Any], ...] = ()
    handed: tuple[Handed, ...] = ()
    merged: tuple[Site, ...] = ()
    raises: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is nothing but a variable."""
        return isinstance(self.tree, ast.Name)


class Waiting:
    """The expressions that wait in one block, in program order."""

    def __init__(self) -> None:
        self._exprs: dict[Value, Expr] = {}
        self._raising: dict[Value, None] = {}
        self._readers: dict[str, dict[Value, None]] = {}

    def __iter__(self) -> Iterator[Value]:
        return iter(list(self._exprs))

    def __contains__(self, value: Value) -> bool:
        return value in self._exprs

    def add(self, value: Value, expr: Expr) -> None:
        """The value's expression waits from now on."""
        self._exprs[value] = expr
        if expr.raises:
            self._raising[value] = None
        for variable in expr.reads:
            self._readers.setdefault(variable, {})[value] = None

    def take(self, value: Value) -> Expr | None:
        """The value's expression, which waits no longer; None if it did not wait."""
        expr = self._exprs.pop(value, None)
        if expr is not None:
            self._raising.pop(value, None)
            for variable in expr.reads:
                del self._readers[variable][value]
        return expr

    def readers(self, variable: str) -> list[Value]:
        """The values whose expressions read the variable."""
        return list(self._readers.get(variable, ()))

    def users(self, buffer: Value) -> list[Value]:
        """The values whose expressions read the memory."""
        return [value for value, expr in self._exprs.items() if buffer in expr.buffers]

    def raising(self) -> list[Value]:
        """The values whose expressions may raise."""
        return list(self._raising)

    def may_raise(self, value: Value) -> bool:
        """Whether the value waits, and its expression may raise."""
        return value in self._raising

    def last_raising(self, count: int) -> list[Value]:
        """The last of the values whose expressions may raise, in program order."""
        return list(islice(reversed(self._raising), count))[::-1]

    def with_older(self, values: Iterable[Value]) -> list[Value]:
        """The values that wait, and what may raise and has to come before those that may."""
        chosen = set(values)
        found: list[Value] = []
        is_before = False
        for value, expr in reversed(self._exprs.items()):
            if value in chosen or (is_before and expr.raises):
                found.append(value)
                is_before = is_before or expr.raises
        return found[::-1]

    def copy(self) -> Waiting:
        """Another record of the same expressions."""
        other = Waiting()
        for value, expr in self._exprs.items():
            other.add(value, expr)
        return other
