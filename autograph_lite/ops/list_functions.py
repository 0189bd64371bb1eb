"""What Python does with a whole list: slices, orders and searches of a real one, when it runs."""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.graph import Attrs, Node, Op
from ..graph.types import ListType, TensorType, array_type, python_scalar, scalar_type
from .lists import element_of, is_empty, with_element

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


def _same_type(types: _Types, attrs: Attrs) -> TensorType:
    return types[0]


def innermost(type_: TensorType | None) -> TensorType | None:
    """The type of what is in the lists of a list, in any depth; None where nothing is."""
    while isinstance(type_, ListType):
        type_ = type_.element
    return type_


def _bool_type(types: _Types, attrs: Attrs) -> TensorType:
    """Lists of arrays are compared by asking arrays for their truth, which NumPy refuses.

    Raises:
      ValueError: they hold arrays with more than one element.
    """
    found = [innermost(type_) for type_ in types]
    if None not in found and any(each.shape != () for each in found if each is not None):
        raise ValueError(
            'The truth value of an array with more than one element is ambiguous. Use a.any() '
            'or a.all()'
        )
    return python_scalar(bool)


def _int_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(int)


def _found(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _contains(node: Node, args: _Args) -> ast.expr:
    return ast.Compare(args[1], [ast.In()], [args[0]])


def _sum_type(types: _Types, attrs: Attrs) -> TensorType:
    element, start = element_of(types[0]), types[1]
    dtype = np.result_type(element.dtype, start.promotion)
    return python_scalar(type(np.zeros((), dtype).item())) if start.weak else scalar_type(dtype)


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


def _rows_type(types: _Types, attrs: Attrs) -> TensorType:
    """Rows of one item from each list.

    Raises:
      StagingError: the items differ in more than the types of numbers.
    """
    if any(map(is_empty, types)):
        return array_type(np.float64, (0,))
    items = [element_of(type_) for type_ in types]
    shapes = {item.shape for item in items}
    if len(shapes) > 1 or any(item.dtype.kind not in 'biufc' for item in items):
        raise StagingError(
            describe(
                'An array is made of rows whose items are of different kinds.',
                user_location(),
                'Make an array of each column.',
            )
        )
    dtype = np.result_type(*(item.dtype for item in items))
    (shape,) = shapes
    return array_type(dtype, None if shape is None else (None, len(items), *shape))


def _rows(node: Node, args: _Args) -> ast.expr:
    rows = ast.Call(ast.Name('zip', ast.Load()), list(args), [])
    listed = ast.Call(ast.Name('list', ast.Load()), [rows], [])
    return ast.Call(ast.Attribute(ast.Name('np', ast.Load()), 'array', ast.Load()), [listed], [])


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


def _sum(node: Node, args: _Args) -> ast.expr:
    """Of no elements, `sum` gives the start, which may be of another type."""
    type_ = node.outputs[0].type
    from_zero = isinstance(args[1], ast.Constant) and repr(args[1].value) == '0'
    given = [args[0]] if from_zero else list(args)
    total: ast.expr = ast.Call(ast.Name('sum', ast.Load()), given, [])
    if type_.weak and node.inputs[1].type.dtype != type_.dtype:
        total = ast.Call(ast.Name(type_.python_type.__name__, ast.Load()), [total], [])
    return total


def _truth_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _truth(node: Node, args: _Args) -> ast.expr:
    return ast.Call(ast.Name(node.op.name, ast.Load()), [args[0]], [])


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


def none_is_none(items: list[Any]) -> list[Any]:
    """The list itself.

    Raises:
      StagingError: one of its elements is None.
    """
    if any(item is None for item in items):
        raise StagingError(
            'Arrays or numbers are needed here, and an element of the list is None.',
            'Leave None out first: `[x for x in items if x is not None]`.')
    return items


def _whole_type(types: _Types, attrs: Attrs) -> TensorType:
    return ListType(element=element_of(types[0]).present)


def _whole(node: Node, args: _Args) -> ast.expr:
    checked: Any = none_is_none
    return ast.Call(ast.Constant(checked), list(args), [])


def holds_nan(items: Any) -> bool:
    """Whether there is a NaN in a list, or in the lists in it."""
    return any(holds_nan(x) if isinstance(x, list) else bool(x != x) for x in items)


def _holds_nan(node: Node, args: _Args) -> ast.expr:
    asked: Any = holds_nan
    return ast.Call(ast.Constant(asked), list(args), [])


# The list itself, where none of its elements is None.
WHOLE = Op('whole', _whole_type, expression=_whole, view=True)
HOLDS_NAN = Op('holds_nan', _truth_type, expression=_holds_nan)
SLICE = Op('list.slice', _same_type, expression=_slice)
# One array of all elements, which may differ in length.
JOINED = Op('list.joined', _joined_type, expression=_joined)
# The array of rows, each with an item from every list.
ROWS = Op('rows', _rows_type, expression=_rows)
REPEAT = Op('list.repeat', _same_type, expression=_repeat)
SORTED = Op('sorted', _same_type, expression=_sorted)
# Whether some, or all, of the numbers in a list are true.
ANY = Op('any', _truth_type, expression=_truth)
ALL = Op('all', _truth_type, expression=_truth)
# Inputs: the list and what is there before its elements.
SUM = Op('sum', _sum_type, expression=_sum)
# Inputs: the list and the element.
COUNT = Op('list.count', _int_type, expression=_called)
INDEX = Op('list.index', _int_type, expression=_called)
CONTAINS = Op('list.contains', _found, expression=_contains)
# Inputs: the list, and for `extend` a list or an array, whose rows are of `attrs['element']`.
EXTEND = Op('list.extend', _extended_type, statement=_done, updates=True)
CLEAR = Op('list.clear', _same_type, statement=_done, updates=True)
REVERSE = Op('list.reverse', _same_type, statement=_done, updates=True)
SORT = Op('list.sort', _same_type, statement=_sort, updates=True)
REMOVE = Op('list.remove', _same_type, statement=_done, updates=True)
# Inputs: the two lists.
LESS = Op('list.less', _bool_type, expression=_compared(ast.Lt()))
LESS_EQUAL = Op('list.less_equal', _bool_type, expression=_compared(ast.LtE()))
EQUAL = Op('list.equal', _bool_type, expression=_compared(ast.Eq()))
UNEQUAL = Op('list.unequal', _bool_type, expression=_compared(ast.NotEq()))
