"""`[*items, x]`, `(*items, x)` and `{**table, k: x}`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def list_displays(tree: Node, context: Context) -> Node:
    """Put together, while tracing, what has as many items as only the running graph knows.

    Python itself would count them. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(list_displays, '''
    ... def f(items, x):
    ...     return [*items, x], [x]
    ... ''')
    def f(items, x):
        return ag.list_display('*.', items, x), [x]

    >>> show(list_displays, '''
    ... def f(items, x):
    ...     return (*items, x)
    ... ''')
    def f(items, x):
        return ag.tuple_display('*.', items, x)

    >>> show(list_displays, '''
    ... def f(table, x):
    ...     return {'a': x, **table, 'b': 1, 'c': 2}
    ... ''')
    def f(table, x):
        return ag.dict_display({'a': x}, table, {'b': 1, 'c': 2})
    """
    if context.namespace.has(gast.Starred, gast.Dict):
        _Displays(context).rewrite(tree)
    return tree


class _Displays(Rewriter):
    def visit_List(self, node: Node) -> Node:
        return self._display('list_display', node)

    def visit_Tuple(self, node: Node) -> Node:
        return self._display('tuple_display', node)

    def visit_Subscript(self, node: Node) -> Node:
        if isinstance(node.slice, gast.Tuple):  # an index has as many parts as it is written with
            node.value = self.visit(node.value)
            self.generic_visit(node.slice)
            return node
        return self.generic_visit(node)

    def visit_Dict(self, node: Node) -> Node:
        self.generic_visit(node)
        if None not in node.keys:
            return node
        parts: list[Node] = []
        own: list[Node] = []  # those that are written out here
        for i, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if key is None:
                parts.append(self._taken('dict_display', [value], node.values[i + 1 :]))
            elif parts and parts[-1] in own:
                parts[-1].keys.append(key)
                parts[-1].values.append(value)
            else:
                parts.append(located(gast.Dict([key], [value]), node))
                own.append(parts[-1])
        return located(operator(self._context, 'dict_display', *parts), node)

    def _display(self, name: str, node: Node) -> Node:
        self.generic_visit(node)
        starred = [isinstance(part, gast.Starred) for part in node.elts]
        if not isinstance(node.ctx, gast.Load) or not any(starred):
            return node
        signs = ''.join('*' if is_starred else '.' for is_starred in starred)
        parts = [
            self._taken('list_display', [constant('*'), part.value], node.elts[i + 1 :])
            if isinstance(part, gast.Starred) else part for i, part in enumerate(node.elts)]
        return located(operator(self._context, name, constant(signs), *parts), node)

    def _taken(self, name: str, arguments: list[Node], later: list[Node]) -> Node:
        """What is taken apart; its items by themselves where what stands after it may change it."""
        is_seen = any(not isinstance(_unstarred(part), gast.Name | gast.Constant) for part in later)
        return operator(self._context, name, *arguments) if is_seen else arguments[-1]


def _unstarred(part: Node) -> Node:
    return part.value if isinstance(part, gast.Starred) else part
