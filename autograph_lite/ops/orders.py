"""The order in which `sorted` and `heapq` put items whose keys may not have one, such as NaN.

What comes where then depends on which of them Python compares, so Python does it.
"""
from __future__ import annotations

import ast
import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType, array_type


def order(
    *columns: np.ndarray[Any, Any] | list[Any], reverse: bool = False, count: int | None = None
) -> np.ndarray[Any, Any]:
    """The indices of the items in their order.

    Args:
      *columns: the keys, or the parts of each: numbers, in a row; or lists.
      reverse: whether the largest come first; those that are equal stay as they are.
      count: how many are asked of `heapq`; None for all, in the order of `sorted`.
    """
    if not any(map(_have_no_order, columns)):
        found: np.ndarray[Any, Any] = by_numpy(columns, reverse)[: count and max(count, 0)]
        return found
    # Complex numbers of NumPy's are compared, Python's are not.
    lists = [
        list(x) if isinstance(x, list) or x.dtype.kind == 'c' else x.tolist() for x in columns]
    keys = lists[0] if len(lists) == 1 else list(zip(*lists, strict=True))
    return np.array(in_python(keys, reverse, count), np.intp)


def in_python(keys: Sequence[Any], reverse: bool, count: int | None) -> list[int]:
    """The same, of keys that Python compares."""
    numbers = range(len(keys))
    if count is None:
        return sorted(numbers, key=keys.__getitem__, reverse=reverse)
    some = heapq.nlargest if reverse else heapq.nsmallest
    return some(count, numbers, key=keys.__getitem__)


def by_numpy(columns: Sequence[Any], reverse: bool) -> Any:
    """The same, of numbers that have an order."""
    if reverse:
        columns = [column[::-1] for column in columns]
    one = len(columns) == 1
    found = np.argsort(columns[0], kind='stable') if one else np.lexsort(tuple(columns[::-1]))
    return (found.shape[0] - 1 - found)[::-1] if reverse else found


def _have_no_order(column: np.ndarray[Any, Any] | list[Any]) -> bool:
    if isinstance(column, list):
        return True
    return column.dtype.kind == 'c' or (column.dtype.kind == 'f' and bool(np.isnan(column).any()))


def _type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    (length,) = types[0].shape or (None,)
    if 'count' in attrs:
        length = None if length is None or attrs['count'] is None else min(length, attrs['count'])
    return array_type(np.intp, (length,))


def _called(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    function: Any = order
    columns = list(args)
    keywords = [ast.keyword('reverse', ast.Constant(True))] if node.attrs['reverse'] else []
    if 'count' in node.attrs:
        known = node.attrs['count']
        count = columns.pop() if known is None else ast.Constant(known)
        keywords.append(ast.keyword('count', count))
    return ast.Call(ast.Constant(function), columns, keywords)


# Inputs: the columns, and the count where `attrs['count']` is None.
ORDER = Op('order', _type, expression=_called)
