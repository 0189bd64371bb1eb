"""Making the objects that live outside once a graph has put them there.

    new_object  no inputs, no outputs   another object of the class, without attributes

`attrs['made']` is the `NewObject`; `set_outer` gives it its attributes.
"""
from __future__ import annotations

import ast
import threading
import types
from collections.abc import Sequence
from typing import Any

from ..graph.given import Weakly
from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType


class NewObject(Weakly):
    """Stands for an object that the graph makes; called, it gives the one that was made last.

    Args:
      kind: its class.
      traced: what is that object while the function is traced.
    """

    def __init__(self, kind: type[Any], traced: Any = None) -> None:
        self._class = kind
        self._kind = kind.__name__
        self._traced = traced
        self._made = threading.local()

    def stands_for(self, x: Any) -> bool:
        return self._traced is x

    def make(self) -> None:
        """Makes another one."""
        self._made.value = bare(self._class)

    def __call__(self) -> Any:
        return getattr(self._made, 'value', None)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __reduce__(self) -> Any:
        return NewObject, (self._class,)


def bare(kind: type[Any]) -> Any:
    """An object of a class that is written in Python, without attributes.

    Raises:
      TypeError: its objects are more than their attributes.
    """
    is_namespace = issubclass(kind, types.SimpleNamespace)
    return types.SimpleNamespace.__new__(kind) if is_namespace else object.__new__(kind)


def _nothing(_: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    make = ast.Attribute(ast.Constant(node.attrs['made']), 'make', ast.Load())
    return [ast.Expr(ast.Call(make, [], []))]


NEW_OBJECT = Op('new_object', _nothing, statement=_write, effect=True)
