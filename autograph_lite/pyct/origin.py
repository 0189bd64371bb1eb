"""Where generated nodes come from.

Every generated statement stands for something that the user wrote, and carries its position: so
that tracebacks and breakpoints show the user's line, and that the printer puts the user's comments
there. Whether a node is the user's own needs no mark: it is if the node that the user's file has at
that position equals it (see `originals.py`).
"""
from __future__ import annotations

from typing import TypeVar

from autograph_lite.pyct.tree import POSITIONS, Node, children

Tree = TypeVar('Tree', bound=Node)


def located(new: Tree, like: Node) -> Tree:
    """Give every node of a new tree that has no position the one of `like`; return the tree.

    `new` may also be a list of trees. Parts that the user wrote, and which carry their own
    positions, keep them.
    """
    position = {name: getattr(like, name) for name in POSITIONS if hasattr(like, name)}
    position |= _on_first_line(like)
    pending = list(new) if isinstance(new, list) else [new]
    while pending:
        node = pending.pop()
        if 'lineno' in node._attributes:
            if getattr(node, 'lineno', None) is not None:
                continue  # it has its position, and so has all that is in it
            node.__dict__.update(position)
        pending.extend(children(node))
    return new


def _on_first_line(like: Node) -> dict[str, int]:
    """The end of what stands for something that spans several lines: on the first of them.

    Python gives a call the line on which its function's name ends; were that the last line of a
    loop, tracebacks would show it instead of the loop's head.
    """
    first, last = getattr(like, 'lineno', None), getattr(like, 'end_lineno', None)
    if first is None or first == last:
        return {}
    end = like.col_offset + 1
    for name in ('test', 'iter', 'func'):
        head = getattr(like, name, None)
        if head is not None and getattr(head, 'end_lineno', None) == first:
            end = head.end_col_offset
    return {'end_lineno': first, 'end_col_offset': end}
