"""Lists that grow and shrink when the graph runs: real Python lists in the lowered program."""
from __future__ import annotations

import ast
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.graph import Attrs, Node, Op
from ..graph.joins import JoinError, join
from ..graph.types import ListType, TensorType, VaryingType, array_type, python_scalar

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


def element_of(type_: TensorType) -> TensorType:
    """The type of a list's elements.

    Raises:
      StagingError: nothing was put into the list yet.
    """
    if not isinstance(type_, ListType) or type_.element is None:
        raise StagingError(
            describe('This reads from a list that nothing was put into.', user_location())
        )
    return type_.element


def is_empty(type_: TensorType) -> bool:
    """Whether nothing is ever put into a list."""
    return isinstance(type_, ListType) and type_.element is None


def with_element(
    list_type: TensorType, element: TensorType, kind: str = 'list', part: str = 'element'
) -> ListType:
    """The list's type after an element was put into it.

    Args:
      list_type: the type before.
      element: the element's type.
      kind: what messages call the container.
      part: what they call the element.

    Raises:
      StagingError: the element does not join with those that are there.
    """
    assert isinstance(list_type, ListType)
    if isinstance(element, VaryingType):
        raise StagingError(
            describe(
                f'A {kind} gets {_A[part]} whose dtype depends on values: {element.shown}.',
                user_location(),
                'Convert it first: `x.astype(complex)`, or `x.real`.',
            )
        )
    if list_type.element is None:
        return replace(list_type, element=element)
    try:
        return replace(list_type, element=join(list_type.element, element))
    except JoinError as error:
        raise StagingError(
            describe(
                f'A {kind} of {list_type.element} gets {_A[part]} that is {element}: {error}.',
                user_location(),
                f'Put {part}s of one type into a {kind} that grows in a staged block.',
            )
        ) from None


_A = {'element': 'an element', 'value': 'a value'}


def _new_type(types: _Types, attrs: Attrs) -> TensorType:
    result = ListType()
    for type_ in types:
        result = with_element(result, type_)
    return result


def _put_type(types: _Types, attrs: Attrs) -> TensorType:
    return with_element(types[0], types[1])


def _same_type(types: _Types, attrs: Attrs) -> TensorType:
    return types[0]


def _widened_type(types: _Types, attrs: Attrs) -> TensorType:
    return join(types[0], attrs['type'])


def _get_type(types: _Types, attrs: Attrs) -> TensorType:
    return element_of(types[0])


def _length_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(int)


def _stack_type(types: _Types, attrs: Attrs) -> TensorType:
    if is_empty(types[0]) and not attrs.get('strict', False):
        return array_type(np.float64, (0,))
    element = element_of(types[0])
    shape = None if element.shape is None else (None, *element.shape)
    return array_type(element.dtype, shape)


def _method(name: str, *args: ast.expr, of: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(of, name, ast.Load()), list(args), [])


def _item(args: _Args, ctx: ast.expr_context) -> ast.Subscript:
    return ast.Subscript(args[0], args[1], ctx)


def _new(node: Node, args: _Args) -> ast.expr:
    make = ast.Tuple if node.attrs.get('kind') == 'tuple' else ast.List
    return make(list(args), ast.Load())


def _append(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_method('append', args[1], of=args[0]))]


def _nothing(node: Node, args: _Args) -> list[ast.stmt]:
    return []


def _insert(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_method('insert', args[2], args[1], of=args[0]))]


def _set(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Assign([_item([args[0], args[2]], ast.Store())], args[1])]


def _delete(node: Node, args: _Args) -> list[ast.stmt]:
    if node.attrs.get('pops', False):
        index = [] if ast.unparse(args[1]) == '-1' else [args[1]]
        return [ast.Expr(_method('pop', *index, of=args[0]))]
    return [ast.Delete([_item(args, ast.Del())])]


def _get(node: Node, args: _Args) -> ast.expr:
    if node.attrs.get('pops', False):
        function: Any = popped
        return ast.Call(ast.Constant(function), list(args), [])
    return _item(args, ast.Load())


def popped(items: list[Any], index: Any) -> Any:
    """What `items.pop(index)` gives, or raises, of a list that nobody needs any more."""
    with contextlib.suppress(IndexError, TypeError):
        return items[index]
    return items.pop(index)


def _copy(node: Node, args: _Args) -> ast.expr:
    return _method('copy', of=args[0])


def _length(node: Node, args: _Args) -> ast.expr:
    return ast.Call(ast.Name('len', ast.Load()), [args[0]], [])


def _stack(node: Node, args: _Args) -> ast.expr:
    numpy = ast.Name('np', ast.Load())
    array, stack = (_method(name, args[0], of=numpy) for name in ('array', 'stack'))
    if not node.attrs.get('strict', False):
        return array
    is_of_numbers = element_of(node.inputs[0].type).shape == ()
    return ast.IfExp(args[0], array, stack) if is_of_numbers else stack


NEW = Op('list', _new_type, expression=_new)
COPY = Op('list.copy', _same_type, expression=_copy)
# Inputs: the list, the element, and for an item its index. `attrs['pops']` says that it is `pop`
# that gets or deletes one.
APPEND = Op('append', _put_type, statement=_append, updates=True)
INSERT = Op('insert', _put_type, statement=_insert, updates=True)
SET = Op('set', _put_type, statement=_set, updates=True)
DELETE = Op('delete', _same_type, statement=_delete, updates=True)
# The list is from here on one of `attrs['type']`, as of what may be put into it later.
WIDEN = Op('widened', _widened_type, statement=_nothing, updates=True)
GET = Op('get', _get_type, expression=_get)
LENGTH = Op('len', _length_type, expression=_length)
# The array of the elements, as NumPy makes one of a list; `strict` as `np.stack` does, which needs
# one at least.
STACK = Op('stack', _stack_type, expression=_stack)

