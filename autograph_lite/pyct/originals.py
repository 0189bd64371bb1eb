"""Which nodes are the user's own, and the text that the user wrote for them.

A node is original if the user's file has the same node at the same position. So nothing needs to be
marked: a node that was changed, or generated in the place of another, differs from what is there.
"""
from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

import gast

from autograph_lite.pyct.text import Position, Source, position
from autograph_lite.pyct.tree import Node

BLOCKS = frozenset(('body', 'orelse', 'finalbody', 'handlers', 'cases', 'decorator_list'))


class Originals:
    """Looks up nodes of a generated tree in the text that it was generated from."""

    def __init__(self, source: Source | None) -> None:
        self._source = source
        self._known: dict[int, tuple[Node, ast.AST | None]] = {}  # the node, to keep its id

    def at(self, node: Node) -> Any:
        """What the user wrote at a node's position: a node of the same kind, or None."""
        if self._source is None or getattr(node, 'lineno', None) is None:
            return None
        return self._index(node).get(position(node))

    def _index(self, node: Any) -> dict[Position, ast.AST]:
        return self._source.piece(node.lineno).index if self._source else {}

    def original(self, node: Node) -> Any:
        """The user's own node, if this is a copy of it."""
        if id(node) not in self._known:
            old = self.at(node)
            if old is not None and not self._same_fields(node, old, old._fields):
                old = None
            self._known[id(node)] = node, old
        return self._known[id(node)][1]

    def header(self, node: Node) -> Any:
        """The user's own compound statement, if this is a copy of it up to its first colon."""
        old = self.at(node)
        if old is None:
            return None
        fields = [name for name in old._fields if name not in BLOCKS]
        return old if self._same_fields(node, old, fields) else None

    def text(self, node: Node) -> str | None:
        """What the user wrote for a node, where it is original and stands on one line."""
        old = self.original(node)
        if old is None or old.lineno != old.end_lineno or self._source is None:
            return None
        return self._source.segment(old)

    def _same_fields(self, new: Node, old: Any, names: Iterable[str]) -> bool:
        if isinstance(old, ast.arg):  # in gast a parameter is a name
            return bool(new.id == old.arg) and self._same(new.annotation, old.annotation)
        return all(self._same(getattr(new, name, None), getattr(old, name)) for name in names)

    def _same(self, new: Any, old: Any) -> bool:
        if isinstance(old, list):
            return isinstance(new, list) and len(new) == len(old) and all(map(self._same, new, old))
        if not isinstance(old, ast.AST):
            name = new.id if isinstance(new, gast.Name) else new  # an exception's name
            return type(name) is type(old) and bool(name == old)
        if hasattr(old, 'lineno') and self._index(old).get(position(old)) is old:
            return self.original(new) is old
        return type(new).__name__ == type(old).__name__ and self._same_fields(new, old, old._fields)
