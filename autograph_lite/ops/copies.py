"""`copy.deepcopy` of a list or a dict of the running graph: what it holds is copied, too."""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Attrs, Node, Op
from ..graph.types import DictType, ListType, TensorType


def _same_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return types[0]


def _copied(x: ast.expr, type_: TensorType, depth: int = 0) -> ast.expr:
    """The expression for a copy of a value of that type, however deep its lists are nested."""
    element = type_.element if isinstance(type_, ListType) else None
    if element is None or not _can_change(element):
        return ast.Call(ast.Attribute(x, 'copy', ast.Load()), [], [])
    key, value = (f'{name}{depth or ""}' for name in ('key', 'value'))
    part: ast.expr = _copied(_name(value), element, depth + 1)
    if element.maybe:
        is_none = ast.Compare(_name(value), [ast.Is()], [ast.Constant(None)])
        part = ast.IfExp(is_none, ast.Constant(None), part)
    if not isinstance(type_, DictType):
        return ast.ListComp(part, [_loop(_store(value), x)])
    items = ast.Call(ast.Attribute(x, 'items', ast.Load()), [], [])
    both = ast.Tuple([_store(key), _store(value)], ast.Store())
    return ast.DictComp(_name(key), part, [_loop(both, items)])


def _can_change(type_: TensorType) -> bool:
    return isinstance(type_, ListType) or type_.kind == 'array'


def _loop(target: ast.expr, iterable: ast.expr) -> ast.comprehension:
    return ast.comprehension(target, iterable, [], 0)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _deepcopy(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    return _copied(args[0], node.outputs[0].type)


DEEPCOPY = Op('deepcopy', _same_type, expression=_deepcopy)
