"""Names of places: `x`, `self.x`, `d['k']`, and chains of them.

Only a chain of attributes and constant string keys is a place with a name of its own. `x[i]` and
`x[0]` are elements of an array or a list: whoever sets one modifies `x`.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import gast

from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Attribute:
    """The step from `x` to `x.name`."""

    name: str

    def __str__(self) -> str:
        return f'.{self.name}'


@dataclass(frozen=True)
class Item:
    """The step from `x` to `x['key']`."""

    key: str

    def __str__(self) -> str:
        return f'[{self.key!r}]'


class QualName(NamedTuple):
    """A place that a program can read and set: a plain name and the steps that lead on from it."""

    root: str
    steps: tuple[Attribute | Item, ...] = ()

    def __str__(self) -> str:
        return self.root + ''.join(map(str, self.steps))

    @property
    def is_simple(self) -> bool:
        """Whether it is a plain name."""
        return not self.steps

    @property
    def parents(self) -> tuple[QualName, ...]:
        """The places it lies in, outermost first: `a` and `a.b` for `a.b.c`."""
        return tuple(QualName(self.root, self.steps[:count]) for count in range(len(self.steps)))


def qualname_of(node: Node) -> QualName | None:
    """The place that an expression names, or None if it names none."""
    steps: list[Attribute | Item] = []
    while not isinstance(node, gast.Name):
        if isinstance(node, gast.Attribute):
            steps.append(Attribute(node.attr))
        elif isinstance(node, gast.Subscript) and _is_key(node.slice):
            steps.append(Item(node.slice.value))
        else:
            return None
        node = node.value
    return QualName(node.id, tuple(reversed(steps)))


def root_node(node: Node) -> Node:
    """The node of the plain name that a place starts from."""
    while not isinstance(node, gast.Name):
        node = node.value
    return node


def to_node(name: QualName, ctx: Node) -> Node:
    """An expression that names the place; `ctx` says whether it is loaded, stored or deleted."""
    places = [*name.parents, name]
    node = gast.Name(name.root, gast.Load() if name.steps else ctx, None, None)
    for place, step in zip(places[1:], name.steps, strict=True):
        inner = ctx if place == name else gast.Load()
        if isinstance(step, Attribute):
            node = gast.Attribute(node, step.name, inner)
        else:
            node = gast.Subscript(node, gast.Constant(step.key, None), inner)
    return node


def _is_key(node: Node) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)
