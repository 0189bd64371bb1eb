"""Lists, tuples, dicts, sets and objects that the running program has itself.

    new_live   inputs (*what is in it)      `[x, 1]`, `Particle` with these attributes
    get_live   inputs (it, index)           `row[i]`, `p.x`
    set_live   inputs (it, index, value)    `row[i] = value`, `p.x = value`
    ask_live   inputs (it, *arguments)      `len(row)`, `row.pop()`, `x in row`
    tell_live  inputs (it, *arguments)      `row.append(x)`

Each runs in program order, so that every name for one of them sees what another name has changed.
"""
from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import FALLBACKS
from ..graph.graph import Attrs, Node, Op
from ..graph.tracing import UNWRAP
from ..graph.types import TensorType
from . import dicts, list_functions, lists
from .control_flow import (
    CAST,
    COND,
    FOR_LOOP,
    FUNCTION,
    IS_MISSING,
    MISSING,
    RECURSE,
    TRY,
    WHILE_LOOP,
)
from .new_objects import bare

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


def _declared(types: _Types, attrs: Attrs) -> TensorType:
    type_: TensorType = attrs['type']
    return type_


def _nothing(types: _Types, attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _new(node: Node, args: _Args) -> ast.expr:
    kind, keys = node.attrs['type'].of, node.attrs['keys']
    if kind is list:
        return ast.List(list(args), ast.Load())
    if kind is tuple:
        return ast.Tuple(list(args), ast.Load())
    if kind is dict:
        return ast.Dict([ast.Constant(key) for key in keys], list(args))
    if kind is set:
        made = ast.Set(list(args)) if args else None
        return made or ast.Call(ast.Name('set', ast.Load()), [], [])
    maker: Any = Maker(kind, keys)
    return ast.Call(ast.Constant(maker), list(args), [])


class Maker:
    """Makes objects of a class, of what their attributes hold.

    Args:
      kind: the class.
      names: the attributes.
    """

    def __init__(self, kind: type[Any], names: tuple[str, ...]) -> None:
        self._kind = kind
        self._names = names

    @property
    def __name__(self) -> str:
        return self._kind.__name__

    def __call__(self, *values: Any) -> Any:
        made = bare(self._kind)
        for name, value in zip(self._names, values, strict=True):
            object.__setattr__(made, name, value)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Maker):
            return NotImplemented
        return (self._kind, self._names) == (other._kind, other._names)

    def __hash__(self) -> int:
        return hash((self._kind, self._names))

    def __reduce__(self) -> Any:
        return Maker, (self._kind, self._names)


def _place(node: Node, args: _Args, context: ast.expr_context) -> ast.expr:
    if 'name' in node.attrs:
        return ast.Attribute(args[0], node.attrs['name'], context)
    return ast.Subscript(args[0], args[1], context)


def _get(node: Node, args: _Args) -> ast.expr:
    return _place(node, args, ast.Load())


def _set(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Assign([_place(node, args, ast.Store())], args[-1])]


def _ask(node: Node, args: _Args) -> ast.expr:
    match node.attrs['how']:
        case 'method':
            method = ast.Attribute(args[0], node.attrs['asked'], ast.Load())
            return ast.Call(method, list(args[1:]), [])
        case 'list of':
            method = ast.Attribute(args[0], node.attrs['asked'], ast.Load())
            return ast.Call(ast.Name('list', ast.Load()), [ast.Call(method, [], [])], [])
        case 'array':
            function = ast.Attribute(ast.Name('np', ast.Load()), 'array', ast.Load())
            return ast.Call(function, list(args), [])
        case 'copied':
            copied: Any = getattr(copy, node.attrs['asked'])
            return ast.Call(ast.Constant(copied), list(args), [])
        case 'has':
            asked = ast.Constant(node.attrs['asked'])
            return ast.Call(ast.Name('hasattr', ast.Load()), [*args, asked], [])
        case 'function':
            return ast.Call(ast.Name(node.attrs['asked'], ast.Load()), list(args), [])
    if node.attrs['asked'] == 'in':
        return ast.Compare(args[1], [ast.In()], [args[0]])
    return ast.Compare(args[0], [ast.Is()], [args[1]])


def _tell(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_ask(node, args))]


def _check(op: Op) -> None:
    """An operation that is given what is live runs in order, or reads nothing of it.

    Raises:
      StagingError: neither.
    """
    if not (op.effect or op in _PASSING_ON):
        raise StagingError(describe(
            f'`{op.name}` reads lists, dicts or objects that a list of the running graph holds, '
            'which something else may change.', user_location(),
            'Read what is in them: `row[0]`, `p.x`, `for x in row`.'))


FALLBACKS['check live'] = _check

_PASSING_ON = frozenset({
    lists.NEW, lists.COPY, lists.APPEND, lists.INSERT, lists.SET, lists.DELETE, lists.GET,
    lists.WIDEN, lists.LENGTH, list_functions.WHOLE, list_functions.SLICE, list_functions.REPEAT,
    list_functions.EXTEND, list_functions.CLEAR, list_functions.REVERSE, dicts.NEW, dicts.SET,
    dicts.DELETE, dicts.GET, dicts.HAS, dicts.KEYS, dicts.VALUES, COND, WHILE_LOOP,
    FOR_LOOP, FUNCTION, TRY, RECURSE, CAST, MISSING, IS_MISSING, UNWRAP,
})  # fmt: skip


# `attrs['type']` is what it gives; `attrs['keys']` are the keys, or the names of the attributes.
NEW_LIVE = Op('new_live', _declared, expression=_new, effect=True)
# Of an object `attrs['name']` is the attribute, and there is no index.
GET_LIVE = Op('get_live', _declared, expression=_get, effect=True)
SET_LIVE = Op('set_live', _nothing, statement=_set, effect=True)
# `attrs['how']` is 'method', 'list of', 'array', 'copied', 'has', 'function' or 'sign';
# `attrs['asked']` which one, of the signs 'in' or 'is'.
ASK_LIVE = Op('ask_live', _declared, expression=_ask, effect=True)
TELL_LIVE = Op('tell_live', _nothing, statement=_tell, effect=True)
