"""`a, b = x` and `f(*x)`."""
from __future__ import annotations

from typing import Any

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter, StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def unpackings(tree: Node, context: Context) -> Node:
    """Say, while tracing, how many items are unpacked.

    Python asks for one after the other until there is none, which of an array of unknown length
    only the running graph knows. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(unpackings, '''
    ... def f(x):
    ...     a, (b, c) = x
    ...     first, *rest = x
    ...     a, b = b, a
    ...     return a
    ... ''')
    def f(x):
        a, (b, c) = ag.unpacked(x, (None, (None, None)))
        first, rest = ag.unpacked(x, (None, ...))
        a, b = b, a
        return a

    What a call is given, Python counts, too.

    >>> show(unpackings, '''
    ... def f(items):
    ...     return largest(0, *items)
    ... ''')
    def f(items):
        return largest(0, *ag.spread(items))

    `print` is called by the running graph, which counts.

    >>> show(unpackings, after='library_calls', text='''
    ... def f(items):
    ...     print(*items)
    ... ''')
    def f(items):
        ag.print_(*ag.spread(items, True))
    """
    # A comprehension gives a function the parts of an item with a star.
    if context.namespace.has(gast.Starred, gast.ListComp, gast.GeneratorExp):
        _Spreads(context).rewrite(tree)
    _Unpackings(context).rewrite(tree)
    return tree


class _Spreads(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        for each in node.args:
            if _is_starred(each):
                spread = operator(self._context, 'spread', each.value)
                if self._is_print(node.func):
                    spread.args.append(constant(True))
                each.value = located(spread, each.value)
        return node

    def _is_print(self, function: Node) -> bool:
        match function:
            case gast.Attribute(value=gast.Name(id=name), attr='print' | 'print_'):
                return bool(name == self._context.ag)
        return False


class _Unpackings(StatementRewriter):
    def visit_Assign(self, node: Node) -> Node:
        if len(node.targets) == 1:
            node.value = self._unpacked(node.targets[0], node.value)
        return node

    def _unpacked(self, target: Node, value: Node) -> Node:
        """The value, asked for as many items as the target has, which then has no star."""
        form = _form(target)
        if form is None:
            return value
        if isinstance(value, gast.Tuple | gast.List):
            is_plain = ... not in form and not any(map(_is_starred, value.elts))
            if is_plain and len(value.elts) == len(form):
                pairs = zip(target.elts, value.elts, strict=True)
                value.elts = [self._unpacked(each, item) for each, item in pairs]
            return value
        for tuple_ in walk(target):
            if isinstance(tuple_, gast.Tuple | gast.List):
                tuple_.elts = [each.value if _is_starred(each) else each for each in tuple_.elts]
        return located(operator(self._context, 'unpacked', value, _literal(form)), value)


def _is_starred(node: Node) -> bool:
    return isinstance(node, gast.Starred)


def _form(target: Node) -> Any:
    """The form of each item, `...` for any number of them; None for what is not unpacked."""
    if not isinstance(target, gast.Tuple | gast.List):
        return None
    return tuple(... if _is_starred(each) else _form(each) for each in target.elts)


def _literal(form: Any) -> Node:
    if not isinstance(form, tuple):
        return constant(form)
    return gast.Tuple([_literal(each) for each in form], gast.Load())
