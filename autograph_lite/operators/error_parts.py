"""`e.args` and `e.value` of what a handler has caught: as all that may be raised has them.

    try:
        if x < 0:
            raise Negative(x)
    except Negative as e:
        return e.value

What is an array is not read, since it may be modified by another name.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..graph.graph import Graph, Node
from ..graph.tracing import emit, held_value
from ..graph.types import STRING, ListType, ObjectType, TensorType, text_type, type_of
from ..ops.calls import carrier
from ..ops.effects import ASSERT, RAISE, Pieces, Shown
from ..ops.exceptions import PART_OF_ERROR, StagedError
from .lists import handle
from .raised_by import Classes, node_may_raise


class Parts:
    """How the attributes are read of what a handler is for.

    Args:
      classes: what the handler is for.
      tried: the graph of the `try` block.
    """

    def __init__(self, classes: Classes, tried: Graph) -> None:
        nodes = [node for node in _inside(tried) if node_may_raise(node, classes)]
        known = [node for node in nodes if node.op in (RAISE, ASSERT)]
        self._raised = [node for node in known if _error_of(node) is not None]
        self._are_others = len(known) < len(nodes)
        self._is_sure = len(self._raised) == len(nodes)

    def __call__(self, error: StagedError, name: str) -> Any:
        """The attribute; None if it is not known."""
        if name == 'args':
            types = _of_all([self._of_args(node) for node in self._raised] + self._texts())
            if types is None:
                return None
            kinds = None if self._is_sure else tuple(map(carrier, types))
            return tuple(_read(error, name, i, type_, kinds) for i, type_ in enumerate(types))
        types = _of_all([_of_attribute(node, name) for node in self._raised])
        if types is None or not self._is_sure:
            return None
        return _read(error, name, None, types[0], None)

    def _texts(self) -> list[Sequence[TensorType | None]]:
        """What Python and NumPy raise is made of a text, but for a few."""
        return [(STRING,)] if self._are_others else []

    @staticmethod
    def _of_args(node: Node) -> Sequence[TensorType | None]:
        return [_type_of(part, node) for part in node.attrs['parts']]


def _inside(graph: Graph) -> Iterator[Node]:
    for node in graph.nodes:
        for inner in node.graphs.values():
            yield from _inside(inner)
        if not node.graphs:
            yield node


def _error_of(node: Node) -> Any:
    """The class of what it raises; None where it raises again what was caught."""
    return AssertionError if node.op is ASSERT else node.attrs['error']


def _of_attribute(node: Node, name: str) -> Sequence[TensorType | None]:
    held = dict(node.attrs.get('state') or ())
    return [_type_of(held[name], node) if name in held else None]


def _type_of(part: Any, node: Node) -> TensorType | None:
    """The type of what a part shows; None for what is an array, or holds others."""
    if isinstance(part, Pieces):
        return STRING
    type_ = node.inputs[part.index].type if isinstance(part, Shown) else text_type(part)
    type_ = type_ or type_of(part)
    if type_ is None or type_.kind == 'array' or isinstance(type_, ListType) or type_.maybe:
        return None
    return type_ if type_ == STRING or not isinstance(type_, ObjectType) else None


def _of_all(found: list[Sequence[TensorType | None]]) -> Sequence[TensorType] | None:
    """The types that all have in common; None where they differ, or are not known."""
    if not found or any(list(each) != list(found[0]) for each in found):
        return None
    types = [type_ for type_ in found[0] if type_ is not None]
    return types if len(types) == len(found[0]) else None


def _read(
    error: StagedError, name: str, index: int | None, type_: TensorType, kinds: Any
) -> Any:
    attrs = {'name': name, 'index': index, 'type': type_, 'kinds': kinds}
    (made,) = emit(PART_OF_ERROR, [error], attrs, names=[name], value_of=held_value)
    return handle(made.held)
