"""Keys in `{k: v}` and elements in `{x}`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def keys(tree: Node, context: Context) -> Node:
    """Look, while tracing, at what Python would hash: tensors, and by code that runs as it is.

    Tensors may be put later into a set that begins with constants. Nobody needs to see this, so
    `to_code` shows the tree before it.

    >>> show(keys, '''
    ... def f(a, b):
    ...     return {a, b}, {a: 1, 'b': 2}
    ... ''')
    def f(a, b):
        return (
            ag.set_display(ag.as_key(a), ag.as_key(b)),
            ag.dict_from((ag.as_key(a), 1), ('b', 2)))
    """
    if context.namespace.has(gast.Set, gast.Dict, gast.SetComp, gast.DictComp):
        _Keys(context).rewrite(tree)
    return tree


class _Keys(Rewriter):
    def visit_Assign(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.Assign(targets=[gast.Name()], value=gast.Set(elts=elements)):
                if not any(isinstance(part, gast.Starred) for part in elements):
                    node.value = self._display(node.value, elements)
        return node

    def visit_Set(self, node: Node) -> Node:
        self.generic_visit(node)
        keys = [self._key(part) for part in node.elts]
        if keys == node.elts or any(isinstance(key, gast.Starred) for key in keys):
            node.elts = keys
            return node
        return self._display(node, keys)

    def _display(self, node: Node, elements: list[Node]) -> Node:
        return located(operator(self._context, 'set_display', *elements), node)

    def visit_Dict(self, node: Node) -> Node:
        self.generic_visit(node)
        keys = [self._key(key) for key in node.keys]
        if keys == node.keys:
            return node
        items = [
            located(gast.Tuple([key, value], gast.Load()), value)
            for key, value in zip(keys, node.values, strict=True)]
        return located(operator(self._context, 'dict_from', *items), node)

    def visit_SetComp(self, node: Node) -> Node:
        self.generic_visit(node)
        listed = located(gast.ListComp(self._key(node.elt), node.generators), node)
        return self._display(node, [located(gast.Starred(listed, gast.Load()), node)])

    def visit_DictComp(self, node: Node) -> Node:
        self.generic_visit(node)
        node.key = self._key(node.key)
        return node

    def _key(self, value: Node) -> Node:
        if isinstance(value, gast.Constant | gast.Starred):
            return value
        return located(operator(self._context, 'as_key', value), value)
