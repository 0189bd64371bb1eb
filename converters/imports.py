"""What a function imports when it runs."""
from __future__ import annotations

from importlib.util import resolve_name

from autograph_lite.converters.build import assign, constant, load, operator
from autograph_lite.converters.callees import is_librarys
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def imports(tree: Node, context: Context) -> Node:
    """Tell, while tracing, where what is imported is from: it is read from outside.

    Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(imports, '''
    ... def f(x):
    ...     from settings import RATE as rate
    ...     return x * rate
    ... ''')
    def f(x):
        from settings import RATE as rate
        rate = ag.imported(rate, 'settings', '.RATE')
        return x * rate
    """
    _Imports(context).rewrite(tree)
    return tree


class _Imports(StatementRewriter):
    def visit_Import(self, node: Node) -> list[Node]:
        told = []
        for alias in node.names:
            top = alias.name.split('.')[0]
            module = alias.name if alias.asname else top
            told += self._told(node, alias.asname or top, module)
        return [node, *told]

    def visit_ImportFrom(self, node: Node) -> list[Node]:
        package = self._context.namespace.value('__package__')
        name = '.' * node.level + (node.module or '')
        if node.level and not isinstance(package, str):
            return [node]
        module = resolve_name(name, package) if node.level else name
        told = []
        for alias in node.names:
            told += self._told(node, alias.asname or alias.name, module, f'.{alias.name}')
        return [node, *told]

    def _told(self, node: Node, name: str, module: str, *steps: str) -> list[Node]:
        if is_librarys(module):
            return []
        where = map(constant, (module, *steps))
        told = assign(name, operator(self._context, 'imported', load(name), *where))
        return [located(told, node)]
