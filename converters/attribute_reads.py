"""Attributes, and items with texts as keys, that a branch may leave without a value."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def attribute_reads(tree: Node, context: Context) -> Node:
    """Check an attribute, or an item, that may have no value where it is handed on.

    What calculates with it asks for its value; where it is only returned, or gets a name, nobody
    would before the line is forgotten. Nobody needs to see this, so `to_code` shows the tree
    without it.

    >>> show(attribute_reads, after='break_statements', text='''
    ... def f(x):
    ...     o = Point()
    ...     if x > 0:
    ...         o.size = x
    ...     size = o.size
    ...     return o.size + 1, o.size
    ... ''')
    def f(x):
        o = Point()
        if x > 0:
            o.size = x
        size = ag.bound(o.size)
        return o.size + 1, ag.bound(o.size)
    """
    return _Handed(tree, context).rewrite(tree)


class _Handed(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._set = {part for node in walk(tree) if (part := _part_set(node))}

    def visit_Return(self, node: Node) -> Node:
        node.value = node.value and self._checked(node.value, is_returned=True)
        return node

    def visit_Assign(self, node: Node) -> Node:
        node.value = self._checked(node.value)
        return node

    def _checked(self, node: Node, is_returned: bool = False) -> Node:
        match node:
            case (
                gast.Attribute(attr=part) | gast.Subscript(slice=gast.Constant(value=str(part)))
            ) if is_returned or part in self._set:
                return located(operator(self._context, 'bound', node), node)
            case gast.Tuple() | gast.List():
                node.elts = [self._checked(each, is_returned) for each in node.elts]
            case gast.IfExp():
                node.body = self._checked(node.body, is_returned=True)
                node.orelse = self._checked(node.orelse, is_returned=True)
        return node


def _part_set(node: Node) -> str:
    """The attribute, or the text that is the key, of what a node sets or deletes; or none."""
    if isinstance(getattr(node, 'ctx', None), gast.Load):
        return ''
    match node:
        case gast.Attribute(attr=part) | gast.Subscript(slice=gast.Constant(value=str(part))):
            return str(part)
    return ''
