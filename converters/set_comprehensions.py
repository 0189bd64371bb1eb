"""Set and dict comprehensions, and comprehensions over the items of a dict."""
from __future__ import annotations

import gast

from autograph_lite.converters.comprehensions import Comprehensions
from autograph_lite.converters.context import Context
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def set_comprehensions(tree: Node, context: Context) -> Node:
    """Turn what Python would go over into calls, while tracing: tensors may be in it.

    Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(set_comprehensions, '''
    ... def f(xs, table):
    ...     whole = {int(x) for x in xs}
    ...     return whole, {k: v * 2 for k, v in table.items()}
    ... ''')
    def f(xs, table):
        whole = ag.set_of(lambda x: int(x), xs)
        return whole, ag.dict_of(lambda k, v: (k, v * 2), table.items())
    """
    if context.namespace.has(gast.SetComp, gast.DictComp, gast.ListComp, gast.GeneratorExp):
        _SetComprehensions(tree, context, over_items=True).rewrite(tree)
    return tree


class _SetComprehensions(Comprehensions):
    def visit_SetComp(self, node: Node) -> Node:
        return self._comprehension(node, 'set_of')

    def visit_DictComp(self, node: Node) -> Node:
        pair = located(gast.Tuple([node.key, node.value], gast.Load()), node)
        made = located(gast.SetComp(pair, node.generators), node)
        found = self._comprehension(made, 'dict_of')
        return node if found is made else found
