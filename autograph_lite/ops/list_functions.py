"""Functions and methods of whole lists: slices, `sorted`, `count`, `extend`, comparison."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ..graph.graph import Attrs, Node, Op, same_type
from ..graph.types import ListType, TensorType, array_type, python_scalar
from .lists import element_of, with_element

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


def _bool_type(types: _Types, attrs: Attrs) -> TensorType:
    """Lists of arrays are compared by asking arrays for their truth, which NumPy refuses.

    Raises:
      ValueError: they hold arrays with more than one element.
    """
    for type_ in types:
        element = type_.element if isinstance(type_, ListType) else None
        if element is not None and element.shape != ():
            raise ValueError(
                'The truth value of an array with more than one element is ambiguous. Use a.any() '
                'or a.all()'
            )
    return python_scalar(bool)


def _int_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(int)


def _extended_type(types: _Types, attrs: Attrs) -> TensorType:
    element = attrs['element'] if not isinstance(types[1], ListType) else types[1].element
    return types[0] if element is None else with_element(types[0], element)


def _joined_type(types: _Types, attrs: Attrs) -> TensorType:
    """`vstack` joins along the first axis of at least two; `hstack` along the second, if any."""
    element = element_of(types[0])
    if element.shape is None:
        return array_type(element.dtype, None)
    if attrs['function'] == 'concatenate':
        if not element.shape:
            raise ValueError('zero-dimensional arrays cannot be concatenated')
        return array_type(element.dtype, (None, *element.shape[1:]))
    shape = element.shape or (1,)
    if attrs['function'] == 'vstack':
        return array_type(element.dtype, (None, *(shape if len(shape) == 1 else shape[1:])))
    first = () if len(shape) == 1 else shape[:1]
    return array_type(element.dtype, (*first, None, *shape[2:]))


def _joined(node: Node, args: _Args) -> ast.expr:
    function = ast.Attribute(ast.Name('np', ast.Load()), node.attrs['function'], ast.Load())
    return ast.Call(function, [args[0]], [])


def _slice(node: Node, args: _Args) -> ast.expr:
    """The inputs behind the list are those of start, stop and step that `attrs['given']` names."""
    bounds = dict(zip(node.attrs['given'], args[1:], strict=True))
    index = ast.Slice(bounds.get('lower'), bounds.get('upper'), bounds.get('step'))
    return ast.Subscript(args[0], index, ast.Load())


def _repeat(node: Node, args: _Args) -> ast.expr:
    return ast.BinOp(args[0], ast.Mult(), args[1])


def _sorted(node: Node, args: _Args) -> ast.expr:
    keywords = [ast.keyword('reverse', ast.Constant(True))] if node.attrs['reverse'] else []
    return ast.Call(ast.Name('sorted', ast.Load()), [args[0]], keywords)


def _sort(node: Node, args: _Args) -> list[ast.stmt]:
    keywords = [ast.keyword('reverse', ast.Constant(True))] if node.attrs['reverse'] else []
    method = ast.Attribute(args[0], 'sort', ast.Load())
    return [ast.Expr(ast.Call(method, [], keywords))]


def _compared(operator: ast.cmpop) -> Callable[[Node, _Args], ast.expr]:
    return lambda node, args: ast.Compare(args[0], [operator], [args[1]])


def _called(node: Node, args: _Args) -> ast.expr:
    method = ast.Attribute(args[0], node.op.name.rpartition('.')[2], ast.Load())
    return ast.Call(method, list(args[1:]), [])


def _done(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Expr(_called(node, args))]


SLICE = Op('list.slice', same_type, expression=_slice)
# One array of all elements, which may differ in length.
JOINED = Op('list.joined', _joined_type, expression=_joined)
REPEAT = Op('list.repeat', same_type, expression=_repeat)
SORTED = Op('sorted', same_type, expression=_sorted)
# Inputs: the list and the element.
COUNT = Op('list.count', _int_type, expression=_called)
INDEX = Op('list.index', _int_type, expression=_called)
# Inputs: the list, and for `extend` a list or an array, whose rows are of `attrs['element']`.
EXTEND = Op('list.extend', _extended_type, statement=_done, updates=True)
CLEAR = Op('list.clear', same_type, statement=_done, updates=True)
REVERSE = Op('list.reverse', same_type, statement=_done, updates=True)
SORT = Op('list.sort', same_type, statement=_sort, updates=True)
REMOVE = Op('list.remove', same_type, statement=_done, updates=True)
# Inputs: the two lists.
EQUAL = Op('list.equal', _bool_type, expression=_compared(ast.Eq()))
UNEQUAL = Op('list.unequal', _bool_type, expression=_compared(ast.NotEq()))
