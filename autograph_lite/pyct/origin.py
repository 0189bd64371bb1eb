"""Where generated nodes come from.

Every generated statement stands for something that the user wrote, and carries its position: so
that tracebacks and breakpoints show the user's line, and that the printer puts the user's comments
there. Whether a node is the user's own needs no mark: it is if the node that the user's file has at
that position equals it (see `text.py`).
"""
from __future__ import annotations

import ast
from typing import TypeVar

from autograph_lite.pyct.tree import POSITIONS, Node

Tree = TypeVar('Tree', bound=Node)


def located(new: Tree, like: Node) -> Tree:
    """Give every node of a new tree that has no position the one of `like`; return the tree.

    `new` may also be a list of trees. Parts that the user wrote, and which carry their own
    positions, keep them.
    """
    position = {name: getattr(like, name) for name in POSITIONS if hasattr(like, name)}
    pending = list(new) if isinstance(new, list) else [new]
    while pending:
        node = pending.pop()
        if 'lineno' in node._attributes:
            if getattr(node, 'lineno', None) is not None:
                continue  # it has its position, and so has all that is in it
            node.__dict__.update(position)
        pending.extend(ast.iter_child_nodes(node))
    return new
