"""Small trees that several passes build."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.tree import Node, walk


def load(name: str) -> Node:
    """A name that is read."""
    return gast.Name(name, gast.Load(), None, None)


def parameter(name: str) -> Node:
    """A parameter."""
    return gast.Name(name, gast.Param(), None, None)


def together(items: Sequence[Node], context: Node) -> Node:
    """One expression by itself, or several as a tuple; `context` says what for."""
    return items[0] if len(items) == 1 else gast.Tuple(list(items), context)


def constant(value: object) -> Node:
    """A literal."""
    return gast.Constant(value, None)


def assign(name: str, value: Node) -> Node:
    """`name = value`."""
    return gast.Assign([gast.Name(name, gast.Store(), None, None)], value, None)


_OPPOSITES = {
    gast.Eq: gast.NotEq, gast.NotEq: gast.Eq, gast.Is: gast.IsNot, gast.IsNot: gast.Is,
    gast.In: gast.NotIn, gast.NotIn: gast.In,
}  # fmt: skip  # of `<` there is none: neither it nor `>=` holds for NaN


def negated(test: Node) -> Node:
    """`not test`."""
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return operand
        case gast.Compare(left=left, ops=[operation], comparators=right) if (
            type(operation) in _OPPOSITES
        ):
            return gast.Compare(left, [_OPPOSITES[type(operation)]()], right)
    return gast.UnaryOp(gast.Not(), test)


def any_of(names: Sequence[str]) -> Node:
    """`first or second or ...`."""
    values = [load(name) for name in names]
    return values[0] if len(values) == 1 else gast.BoolOp(gast.Or(), values)


def branch(test: Node, body: list[Node], orelse: list[Node]) -> Node:
    """An `if` statement, with `pass` where the first branch has become empty."""
    return gast.If(test, body or [gast.Pass()], orelse)


def stores(tree: Node, name: str) -> bool:
    """Whether a name is bound somewhere in a tree."""
    return any(
        isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)
        for node in walk(tree))


def operator(context: Context, name: str, *arguments: Node) -> Node:
    """A call of one of this package's operators."""
    function = gast.Attribute(load(context.ag), name, gast.Load())
    return gast.Call(function, list(arguments), [])


def thunk(value: Node) -> Node:
    """`lambda: value`."""
    return gast.Lambda(gast.arguments([], [], None, [], [], None, []), value)


def unbound(name: str, context: Context) -> Node:
    """`ag.unbound('name')`; what nobody wrote needs no name."""
    is_users = name in context.namespace.mentioned
    return operator(context, 'unbound', *([constant(name)] if is_users else []))


def without_pass(block: list[Node]) -> list[Node]:
    """Nothing for a block that does nothing."""
    return [] if all(isinstance(statement, gast.Pass) for statement in block) else block


def returns_of(block: list[Node]) -> Iterator[Node]:
    """The `return`s among statements and in those."""
    for statement in block:
        if isinstance(statement, gast.Return):
            yield statement
        for inner in blocks(statement):
            yield from returns_of(inner)
