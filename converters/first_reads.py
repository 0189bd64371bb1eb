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
    """
    checked = {name for node in walk(tree) if (name := checked_name(node, context)) is not None}
    again = {
        node.id for node in walk(tree)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node not in checked}
    if checked:
        _First(tree, {node: False for node in checked if node.id in again}, context).rewrite(tree)
    return tree


class _First(Reads):
    """The variable itself is given the value."""

    def checks(self, statement: Node) -> list[Node]:
        found: dict[str, Node] = {}
        for node in self.evaluated(statement, surely=True):
            if node in self.reads and node.id in self.own and not _is_check(statement, node):
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
