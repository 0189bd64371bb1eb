"""Texts that are made of tensors."""
from __future__ import annotations

import string
from collections.abc import Iterable

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def texts(tree: Node, context: Context) -> Node:
    """Keep the parts of a text apart, so that the running graph can put it together.

    `raise ValueError(f'{x} is negative')` in a staged branch raises when the graph runs; while
    tracing, `x` has no value to format. Nobody needs to see this, so `to_code` shows the tree
    before it.

    >>> show(texts, '''
    ... def check(x):
    ...     return f'{x:.2f} is negative', str(x)
    ... ''')
    def check(x):
        return ag.text((x, -1, '.2f'), ' is negative'), ag.text((x, 115, ''))
    """
    return _Texts(context).rewrite(tree)


_CONVERSIONS = {str: 's', repr: 'r', ascii: 'a', format: ''}


class _Texts(Rewriter):
    def visit_JoinedStr(self, node: Node) -> Node:
        return self._text(node, map(self._part, node.values))

    def visit_Call(self, node: Node) -> Node:
        """`str(x)`, `'{}'.format(x)`, ..."""
        self.generic_visit(node)
        match node:
            case gast.Call(args=[gast.Starred()]):
                return node
            case gast.Call(func=gast.Name() as function, args=[value], keywords=[]):
                convert = meaning(function, self._context)
                for each, conversion in _CONVERSIONS.items():
                    if convert is each:
                        return self._text(node, [_piece(value, conversion)])
            case gast.Call(
                func=gast.Attribute(value=gast.Constant(value=str(template)), attr='format'),
                args=args, keywords=keywords,
            ):
                parts = _fields(template, args, keywords)
                if parts is not None:
                    return self._text(node, parts)
        return node

    def visit_BinOp(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.BinOp(left=gast.Constant(value=str()) as left, op=gast.Mod(), right=right):
                return located(operator(self._context, 'percent', left, right), node)
        return node

    def _text(self, node: Node, parts: Iterable[Node]) -> Node:
        return located(operator(self._context, 'text', *parts), node)

    def _part(self, part: Node) -> Node:
        if not isinstance(part, gast.FormattedValue):
            return part
        match part.format_spec:
            case None:
                spec = constant('')
            case gast.JoinedStr(values=[gast.Constant() as spec]):
                pass
            case nested:
                spec = self.visit(nested)
        return gast.Tuple([self.visit(part.value), constant(part.conversion), spec], gast.Load())


def _piece(value: Node, conversion: str | None, spec: str = '') -> Node:
    number = ord(conversion) if conversion else -1
    return gast.Tuple([value, constant(number), constant(spec)], gast.Load())


def _fields(template: str, args: list[Node], keywords: list[Node]) -> list[Node] | None:
    """The parts of what `template.format(...)` gives; None where it takes each other than once."""
    named = {keyword.arg: keyword.value for keyword in keywords}
    values = {**{str(i): arg for i, arg in enumerate(args)}, **named}
    parts: list[Node] = []
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return None
    taken: list[str] = []
    for literal, name, spec, conversion in fields:
        if literal:
            parts.append(constant(literal))
        if name is None:
            continue
        taken.append(name or str(len(taken)))
        if taken[-1] not in values or '{' in (spec or ''):
            return None
        parts.append(_piece(values[taken[-1]], conversion, spec or ''))
    # Python evaluates the arguments in their order, and each once.
    return parts if taken == list(values) else None
