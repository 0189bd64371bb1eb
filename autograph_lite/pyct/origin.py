"""Where generated nodes come from.

Every generated statement stands for something that the user wrote, and carries its position: so
that tracebacks and breakpoints show the user's line, and that the printer puts the user's comments
there. Whether a node is the user's own needs no mark: it is if the node that the user's file has at
that position equals it (see `originals.py`).
"""
from __future__ import annotations

from typing import TypeVar

import gast

from autograph_lite.pyct.tree import POSITIONS, Node, children

Tree = TypeVar('Tree', bound=Node)


def located(new: Tree, like: Node) -> Tree:
    """Give every node of a new tree that has no position the one of `like`; return the tree.

    `new` may also be a list of trees. Parts that the user wrote, and which carry their own
    positions, keep them.
    """
    position = _position(like)
    pending = list(new) if isinstance(new, list) else [new]
    while pending:
        node = pending.pop()
        known = node.__dict__
        if known.get('lineno') is not None:
            continue  # it has its position, and so has all that is in it
        if node._attributes:
            known.update(position)
        if node.__class__ is not gast.Name:  # in most of them there is nothing
            pending += children(node)
    return new


def front_of(node: Node) -> Node:
    """The place in front of a node, for what is generated beside it.

    It is on the node's line and takes up no room, so no comment there can be about it.
    """
    return standing_at(node.lineno, node.col_offset)


def standing_at(line: int, column: int, width: int = 0) -> Node:
    """Something at a place in the text, to give its position to others."""
    position = zip(POSITIONS, (line, column, line, column + width), strict=True)
    return gast.Pass(**dict(position))


def is_in_front(node: Node) -> bool:
    """Whether a node stands in front of what the user wrote there."""
    if getattr(node, 'lineno', None) is None:
        return False
    return (node.lineno, node.col_offset) == (node.end_lineno, node.end_col_offset)


def _position(like: Node) -> dict[str, int]:
    """The position of a node for others; what spans several lines ends on the first of them.

    Python gives a call the line on which its function's name ends; were that the last line of a
    loop, tracebacks would show it instead of the loop's head.
    """
    known = like.__dict__
    first = known.get('lineno')
    if first is None:
        return {}
    position = {
        'lineno': first, 'col_offset': known['col_offset'],
        'end_lineno': known['end_lineno'], 'end_col_offset': known['end_col_offset']}
    if first == known['end_lineno']:
        return position
    end = like.col_offset + 1
    for name in ('test', 'iter', 'func'):
        head = getattr(like, name, None)
        if head is not None and getattr(head, 'end_lineno', None) == first:
            end = head.end_col_offset
    return position | {'end_lineno': first, 'end_col_offset': end}
