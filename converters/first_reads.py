"""Variables whose first read is checked, and that are read again."""
from __future__ import annotations

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.unbound_reads import Reads, checked_name
from autograph_lite.pyct.tree import Node, walk


def first_reads(tree: Node, context: Context) -> Node:
    """Give a variable the value that its first read has found.

    Only that read is checked; what reads the variable after it shall find a value, and not what
    stands for one. Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(first_reads, after='unbound_reads', text='''
    ... def f(xs):
    ...     for x in xs:
    ...         y = x * 2
    ...     z = y + 1
    ...     return np.sin(y) * z
    ... ''')
    def f(xs):
        for x in xs:
            y = x * 2
        y = ag.bound(y)
        z = ag.bound(y) + 1
        return np.sin(y) * z

    Where the first read may not be evaluated, there is no such value yet, and others are checked.

    >>> show(first_reads, after='unbound_reads', text='''
    ... def f(x):
    ...     if x > 0:
    ...         y = x * 2
    ...     if x > 0 and y < 4:
    ...         x = y
    ...     return x
    ... ''')
    def f(x):
        if x > 0:
            y = x * 2
        if x > 0 and ag.bound(y) < 4:
            x = ag.bound(y)
        return x
    """
    checked = {name for node in walk(tree) if (name := checked_name(node, context)) is not None}
    if not checked:
        return tree
    again = {
        node.id for node in walk(tree)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node not in checked}
    first = _First(tree, {node: False for node in checked if node.id in again}, context)
    first.rewrite(tree)
    perhaps = {node.id for node in first.reads if node not in first.given}
    if perhaps:
        others = {
            node: False for node in walk(tree)
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
            and node.id in perhaps and node not in checked and node not in first.given}
        Reads(tree, others, context).rewrite(tree)
    return tree


class _First(Reads):
    """The variable itself is given the value.

    Attributes:
      given: the reads before which it is.
    """

    def __init__(self, tree: Node, reads: dict[Node, bool], context: Context) -> None:
        super().__init__(tree, reads, context)
        self.given: set[Node] = set()

    def checks(self, statement: Node) -> list[Node]:
        found: dict[str, Node] = {}
        for node in self.evaluated(statement, surely=True):
            if node in self.reads and node.id in self.own:
                self.given.add(node)
                if not _is_check(statement, node):
                    found.setdefault(node.id, self.checked(node, node))
        return list(found.values())

    def visit_Name(self, node: Node) -> Node:
        return node


def _is_check(statement: Node, name: Node) -> bool:
    """Whether a statement does no more than give the variable its value."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[argument])):
            return argument is name and target == name.id
    return False
