"""Lists that grow and shrink when the graph runs: real Python lists in the lowered program."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from ..errors import StagingError, describe, user_location
from ..graph.graph import Attrs, Node, Op, same_type
from ..graph.joins import JoinError, join
from ..graph.types import ListType, TensorType, array_type, python_scalar

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


def with_element(list_type: TensorType, element: TensorType) -> ListType:
    """The list's type after an element was put into it.

    Raises:
      StagingError: the element does not join with those that are there.
    """
    assert isinstance(list_type, ListType)
    if list_type.element is None:
        return replace(list_type, element=element)
    try:
        return replace(list_type, element=join(list_type.element, element))
    except JoinError as error:
        raise StagingError(
            describe(
                f'A list of {list_type.element} gets an element that is {element}: {error}.',
                user_location(),
                'Put elements of one type into a list that grows in a staged block.',
            )
        ) from None


def _new_type(types: _Types, attrs: Attrs) -> TensorType:
    result = ListType()
    for type_ in types:
        result = with_element(result, type_)
    return result


def _put_type(types: _Types, attrs: Attrs) -> TensorType:
    return with_element(types[0], types[1])


def _get_type(types: _Types, attrs: Attrs) -> TensorType:
    return element_of(types[0])


def _length_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(int)


def _stack_type(types: _Types, attrs: Attrs) -> TensorType:
    element = element_of(types[0])
    shape = None if element.shape is None else (None, *element.shape)
    return array_type(element.dtype, shape)


def _method(name: str, *args: ast.expr, of: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(of, name, ast.Load()), list(args), [])


def _item(args: _Args, ctx: ast.expr_context) -> ast.Subscript:
    return ast.Subscript(args[0], args[1], ctx)


def _new(node: Node, args: _Args) -> ast.expr:
    return ast.List(list(args), ast.Load())


def _append(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_method('append', args[1], of=args[0]))]


def _insert(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_method('insert', args[2], args[1], of=args[0]))]


def _set(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Assign([_item([args[0], args[2]], ast.Store())], args[1])]


def _delete(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Delete([_item(args, ast.Del())])]


def _get(node: Node, args: _Args) -> ast.expr:
    return _item(args, ast.Load())


def _copy(node: Node, args: _Args) -> ast.expr:
    return _method('copy', of=args[0])


def _length(node: Node, args: _Args) -> ast.expr:
    return ast.Call(ast.Name('len', ast.Load()), [args[0]], [])


def _stack(node: Node, args: _Args) -> ast.expr:
    return _method('array', args[0], of=ast.Name('np', ast.Load()))


NEW = Op('list', _new_type, expression=_new)
COPY = Op('list.copy', same_type, expression=_copy)
# Inputs: the list, the element, and for an item its index.
APPEND = Op('append', _put_type, statement=_append, updates=True)
INSERT = Op('insert', _put_type, statement=_insert, updates=True)
SET = Op('set', _put_type, statement=_set, updates=True)
DELETE = Op('delete', same_type, statement=_delete, updates=True)
GET = Op('get', _get_type, expression=_get)
LENGTH = Op('len', _length_type, expression=_length)
# The array of the elements, as NumPy makes one of a list.
STACK = Op('stack', _stack_type, expression=_stack)

