"""What is done with an item by a key that may be a tensor: changed, looked at, or kept."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def item_uses(tree: Node, context: Context) -> Node:
    """Tell, while tracing, what becomes of an item: which it is only the running graph may know.

    The item may be a list that is to be changed in its place, or one that is only looked at, or of
    which only the parts are kept. What gets a name may be changed later. Nobody needs to see this,
    so `to_code` shows the tree before.

    >>> show(item_uses, '''
    ... def f(table, x):
    ...     row = table[int(x)]
    ...     first = table[int(x)][0]
    ...     return row + table[int(x)], first
    ... ''')
    def f(table, x):
        row = table[int(x)]
        first = ag.part(table, [int(x)], [0])
        return row + ag.gone_over(table, [int(x)]), first
    """
    _Uses(context).rewrite(tree)
    return tree


# Operators that keep nothing of what they are given first.
_LOOKING = frozenset({
    'all', 'any', 'bool', 'cond', 'float', 'in_', 'int', 'is_true', 'len', 'not_', 'print_', 'text',
})  # fmt: skip
# Those that may give, or give names to, what is in it.
_GOING_OVER = frozenset({'enumerate', 'for_loop', 'max', 'min', 'sorted', 'sum', 'unpacked'})


# Those that may change the item.
_CHANGING = frozenset({'method', 'owner'})


class _Uses(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        name = self._operator(node)
        if name in ('dict_of', 'each', 'list_of', 'set_of') and len(node.args) > 1:
            node.args[1] = self._led('gone_over', node.args[1])
        elif node.args:
            first = node.args[0]
            if name == 'call' and isinstance(first, gast.Attribute):
                first = self._led('method', first, is_through=True)
            elif name in ('setting', 'deleting'):
                first = self._led('owner', first)
            elif name in _LOOKING:
                first = self._led('looked_at', first)
            elif name in _GOING_OVER:
                first = self._led('gone_over', first)
            node.args[0] = first
        return self.generic_visit(node)

    def visit_Subscript(self, node: Node) -> Node:
        if isinstance(node.ctx, gast.Del):
            node.value = self._led('owner', node.value)
        elif isinstance(node.ctx, gast.Load):
            led = self._led('part', node, is_through=True)
            if led is not node:
                return self.generic_visit(led)
        return self.generic_visit(node)

    visit_Attribute = visit_Subscript

    def visit_BinOp(self, node: Node) -> Node:
        node.left, node.right = (self._led('gone_over', x) for x in (node.left, node.right))
        return self.generic_visit(node)

    def visit_Compare(self, node: Node) -> Node:
        node.left = self._led('looked_at', node.left)
        node.comparators = [self._led('looked_at', each) for each in node.comparators]
        return self.generic_visit(node)

    def _led(self, name: str, node: Node, is_through: bool = False) -> Node:
        """What the operator of this name leads to instead of an expression, if it has such items.

        Args:
          name: the operator.
          node: the expression.
          is_through: whether something comes after the item.
        """
        root, steps = _chain(node)
        if self._operator(root) in ('part', 'looked_at', 'gone_over'):
            root, steps = root.args[0], [*root.args[1:], *steps]
        is_item = _is_index if name in _CHANGING else _is_item
        items = [each for each in (steps[:-1] if is_through else steps) if is_item(each)]
        if not items or any(self._does_something(each) for each in items[1:]):
            return node
        return located(operator(self._context, name, root, *steps), node)

    def _does_something(self, tree: Node) -> bool:
        return any(
            isinstance(node, gast.NamedExpr) or self._operator(node) in ('call', 'local_call', '')
            for node in walk(tree))

    def _operator(self, node: Node) -> str | None:
        """Which operator is called; empty for another function, None for what is no call."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=root), attr=name)):
                return name if root == self._context.ag else ''
            case gast.Call():
                return ''
        return None


def _chain(node: Node) -> tuple[Node, list[Node]]:
    """What an expression starts from, and the steps from there."""
    steps: list[Node] = []
    while True:
        match node:
            case gast.Attribute(value=inner, attr=name, ctx=gast.Load()):
                steps.insert(0, constant(f'.{name}'))
            case gast.Subscript(value=inner, slice=key, ctx=gast.Load()) if (
                not isinstance(key, gast.Slice | gast.Tuple)
            ):
                steps.insert(0, gast.List([key], gast.Load()))
            case _:
                return node, steps
        node = inner


def _is_index(step: Node) -> bool:
    """Whether it is an item by what may be an index: of rows, only the graph has that."""
    return _is_item(step) or (isinstance(step, gast.List) and type(step.elts[0].value) is int)


def _is_item(step: Node) -> bool:
    """Whether it is an item by a key that is no literal."""
    return isinstance(step, gast.List) and not isinstance(step.elts[0], gast.Constant)
