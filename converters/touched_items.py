"""Which items of a list or a dict a block touches, where it does nothing else with it."""
from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import gast

from autograph_lite.converters.build import constant, thunk
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import Place
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, children, walk

_STAGED = gast.If | gast.For | gast.While
_CLOSURES = gast.FunctionDef | gast.ClassDef | gast.Lambda | gast.GeneratorExp


@dataclass
class Uses:
    """What statements do with variables.

    Attributes:
      items: of each variable the items that they touch, by their texts; None where they do
        anything else with it.
      bound: the variables that they bind.
    """

    items: dict[str, dict[str, Node] | None] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def touch(self, name: str, step: Node) -> None:
        """One item, or an attribute, is touched."""
        known = self.items.setdefault(name, {})
        if known is not None:
            known[ast.dump(step)] = step

    def add(self, other: Uses) -> None:
        """The same is done here."""
        self.bound |= other.bound
        for name, steps in other.items.items():
            if steps is None:
                self.items[name] = None
            elif (known := self.items.setdefault(name, {})) is not None:
                known.update(steps)

    def found(self) -> dict[str, list[Node]]:
        """Of which variables only items are touched that are the same all the time, and which."""
        return {
            name: list(steps.values()) for name, steps in self.items.items()
            if steps is not None and not any(self._changes(step) for step in steps.values())}

    def _changes(self, step: Node) -> bool:
        names = (node.id for node in walk(step) if isinstance(node, gast.Name))
        return not self.bound.isdisjoint(names)


def touched_items(tree: Node, context: Context) -> Node:
    """Find the items to which alone a branch or a turn comes of what it is given.

    The state of a staged block is what it modifies: of a dict with a thousand items, that is the
    one that it sets. While tracing, the calls that the statements become are told so by
    `touched=`; nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(touched_items, '''
    ... def f(d, x):
    ...     if x > 0:
    ...         d['k'] += x
    ...     return d
    ... ''')
    def f(d, x):
        if x > 0:
            d['k'] += x
        return d
    """
    if not isinstance(tree, gast.Lambda):
        _block(tree.body, Uses(), context)
    return tree


def touched_by(statement: Node, operands: Sequence[Place], context: Context) -> dict[str, Node]:
    """The keyword that tells the items that a statement touches, by the number of the operand."""
    known = context.touched.get(statement, {})
    found = {
        number: known[place.name.root] for number, place in enumerate(operands)
        if place.name.is_simple and not place.is_shared and place.name.root in known}
    if not found:
        return {}
    steps = [gast.List(each, gast.Load()) for each in found.values()]
    table = gast.Dict([constant(number) for number in found], steps)
    return {'touched': located(thunk(table), statement)}


def _block(block: Iterable[Node], uses: Uses, context: Context) -> None:
    """Adds what statements do, and notes it of those that become calls."""
    for statement in block:
        if isinstance(statement, gast.FunctionDef):
            _block(statement.body, Uses(), context)
        inside = Uses() if isinstance(statement, _STAGED) else uses
        inner = list(blocks(statement))
        in_blocks = {id(each) for each in itertools.chain(*inner)}
        first = getattr(statement, 'test' if isinstance(statement, gast.If) else 'iter', None)
        for part in children(statement) if inner else [statement]:
            if id(part) not in in_blocks:
                _part(part, uses if part is first else inside)
        for each in inner:
            _block(each, inside, context)
        if inside is not uses:
            context.touched[statement] = inside.found()
            uses.add(inside)


def _part(tree: Node, uses: Uses) -> None:
    """Adds what is done in a tree that holds no blocks."""
    pending = [tree]
    while pending:
        node = pending.pop()
        match node:
            case gast.Name(id=name):
                uses.items[name] = None
                if not isinstance(node.ctx, gast.Load):
                    uses.bound.add(name)
            case _ if isinstance(node, _CLOSURES):
                for each in walk(node):
                    if isinstance(each, gast.Name):
                        uses.items[each.id] = None
                uses.bound.update([node.name] if hasattr(node, 'name') else [])
            case _ if isinstance(getattr(node, 'ctx', None), gast.Del):
                pending += children(node)
            case gast.Subscript(value=gast.Name(id=name), slice=key) if _is_key(key):
                uses.touch(name, gast.List([copy.copy(key)], gast.Load()))
                pending.append(key)
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                uses.touch(name, constant(f'.{attr}'))
            case _:
                pending += children(node)


def _is_key(node: Node) -> bool:
    match node:
        case gast.Constant(value=int() | str()):
            return True
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int())):
            return True
    return isinstance(node, gast.Name)
