"""NaN in containers: Python finds what is the same object, though it does not equal itself.

    s = [v for v in x]
    s[1] in s           # True, whatever it is
    x[1] in s           # False for NaN: this takes another object out of the array

Where a trace cannot tell whether two numbers are one object, the graph refuses NaN when it runs.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import StagingError
from ..graph import dispatch
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, UNWRAP
from ..graph.types import ListType, TensorType
from ..ops import dicts, list_functions, lists
from ..ops.control_flow import CAST, COND
from .checking import check
from .conditionals import cond
from .known import root
from .lists import StagedList, stacked
from .logic import and_
from .numbers_made import bool as bool_

_GROWING = (lists.APPEND, lists.INSERT, lists.SET)
_SHRINKING = (
    lists.DELETE, list_functions.REMOVE, list_functions.CLEAR, list_functions.SLICE,
    list_functions.REPEAT,
)  # fmt: skip
_UNKNOWN = (
    'NaN is found in a list or a tuple where it is the same object, which only plain Python knows '
    'here. Ask `np.isnan(...)` first, and compare in the other branch.')


def may_be_nan(x: Any) -> bool:
    """Whether it is a number that may be NaN."""
    if isinstance(x, StagedList) or not isinstance(x, Tensor):
        return isinstance(x, float | complex | np.inexact) and bool(x != x)
    return _is_inexact(x.type)


def _is_inexact(type_: TensorType | None) -> bool:
    if type_ is None or type_.maybe or type_.kind != 'scalar':
        return False
    return type_.dtype.kind in 'fc'


def one_object(a: Any, b: Any) -> bool | None:
    """Whether two numbers are one object; None where only plain Python could tell."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _are_one(a.held, b.held)
    for known, other in ((a, b), (b, a)):
        if isinstance(other, Tensor):
            return _is_this(known, other.held)
    return a is b


def _is_this(number: Any, value: Value) -> bool | None:
    """Whether a value is this number as an object."""
    origins = _origins(value)
    found = [one for one in origins if _is_constant(one) and one.node.attrs['value'] is number]  # type: ignore[union-attr]
    if found:
        return True if len(origins) == 1 else None
    return False if all(_is_made(x) or _is_given(x) or _is_constant(x) for x in origins) else None


def check_apart(a: Any, b: Any) -> None:
    """When the graph runs, NaN is refused for two numbers that may be one object.

    Raises:
      StagingError: when it runs, that both are NaN.
    """
    if may_be_nan(a) and may_be_nan(b) and one_object(a, b) is None:
        check(and_(bool_(a != a), lambda: bool_(b != b)), _UNKNOWN, StagingError)


def held_by(items: StagedList, x: Any) -> bool | None:
    """Whether a number is an element of a list as an object; None where nothing tells.

    What is told of numbers that cannot be NaN does not matter: they equal themselves.
    """
    if not (_has_inexact(items) and may_be_nan(x)):
        return False
    return _holds(items.held, x.held) if isinstance(x, Tensor) else None


def check_without_nan(items: StagedList, x: Any) -> None:
    """When the graph runs, a NaN is refused that may be an element of the list, which holds NaN.

    Raises:
      StagingError: when it runs, that both are so.
    """
    check(and_(bool_(x != x), lambda: _holds_nan(items)), _UNKNOWN, StagingError)


def check_found(items: StagedList, x: Any, message: str) -> None:
    """Raises what Python does for a NaN that is no element of a list, whatever equals it.

    Raises:
      ValueError: it is none.
      StagingError: when the graph runs, that only plain Python could tell.
    """
    if not (_has_inexact(items) and may_be_nan(x)):
        return
    if held_by(items, x) is False:
        check(bool_(x != x), message)
    elif not (isinstance(x, Tensor) and _is_element(root(x.held))):
        check_without_nan(items, x)


def counted(items: StagedList, x: Any, count: Callable[[], Tensor]) -> Any:
    """How often a number is in a list, which Python counts."""
    if not (_has_inexact(items) and may_be_nan(x)):
        return count()
    if held_by(items, x) is False:
        return cond(bool_(x != x), lambda: 0, count)
    if not (isinstance(x, Tensor) and _is_element(root(x.held))):
        check_without_nan(items, x)
    return count()


def check_compared(a: StagedList, b: StagedList) -> None:
    """When the graph runs, NaN is refused in two lists that may share elements.

    Raises:
      StagingError: when it runs, that both hold NaN.
    """
    is_inexact = all(_is_inexact(list_functions.innermost(x.type)) for x in (a, b))
    if is_inexact and root(a.held) is not root(b.held):
        check(and_(_holds_nan(a), lambda: _holds_nan(b)), _UNKNOWN, StagingError)


def _holds_nan(items: StagedList) -> Any:
    """Whether there is a NaN in a list, or in the lists in it."""
    if isinstance(getattr(items.type, 'element', None), ListType):
        return Tensor(items._add(list_functions.HOLDS_NAN))
    array = stacked(items)
    return bool_(np.any(array != array))


def is_row_of(items: StagedList, row: StagedList) -> bool:
    """Whether a list is an element of a list of lists as an object, so that it is found there.

    When the graph runs, a NaN is refused that both of two other lists hold.

    Raises:
      StagingError: when it runs, that both do.
    """
    if _holds(items.held, row.held):
        return True
    check_compared(items, row)
    return False


dispatch.FALLBACKS['check found'] = check_found
dispatch.FALLBACKS['counted'] = counted
dispatch.FALLBACKS['check compared'] = check_compared


def _has_inexact(items: StagedList) -> bool:
    return isinstance(items.type, ListType) and _is_inexact(items.type.element)


def _are_one(a: Value, b: Value) -> bool | None:
    """The same of values, each of which a branch may have chosen from several."""
    ones, others = _origins(a), _origins(b)
    if len(ones) == len(others) == 1 and ones[0] is others[0]:
        return True
    pairs = {_is_one(one, other) for one in ones for other in others}
    return pairs.pop() if len(pairs) == 1 else None


def _origins(value: Value) -> list[Value]:
    """The values of which it is one as an object."""
    value = root(value)
    node = value.node
    if node is None:
        return [value]
    if node.op in (CAST, UNWRAP):
        return _origins(node.inputs[0])
    if node.op is COND:
        place = node.outputs.index(value)
        ways = [_origins(graph.outputs[place]) for graph in node.graphs.values()]
        return list(dict.fromkeys(each for way in ways for each in way))
    return [value]


def _is_one(a: Value, b: Value) -> bool | None:
    if a is b:
        return True
    if _is_constant(a) and _is_constant(b):
        return a.node.attrs['value'] is b.node.attrs['value']  # type: ignore[union-attr]
    for one, other in ((a, b), (b, a)):
        if _is_made(one) and (_is_made(other) or _is_older(other, one)):
            return False
        if _is_element(other) and _is_made(one):
            items = other.node.inputs[0]  # type: ignore[union-attr]
            return False if _holds(items, one) is False else None
    return False if _is_given(a) and _is_given(b) else None


def _is_constant(value: Value) -> bool:
    return value.node is not None and value.node.op is CONSTANT


def _is_element(value: Value) -> bool:
    return value.node is not None and value.node.op is lists.GET


def _is_made(value: Value) -> bool:
    """Whether it is a new object, made where it stands in the program."""
    node = value.node
    if node is None:
        return value in value.graph.made
    return not node.graphs and node.op not in (lists.GET, dicts.GET, dicts.GET_OR, CONSTANT)


def _is_given(value: Value) -> bool:
    """Whether the caller gives it."""
    return value.node is None and value.graph.parent is None


def _is_older(value: Value, made: Value) -> bool:
    """Whether a value was there before another was made."""
    if value.node is None or value.node.op is CONSTANT:
        return _is_around(value.graph, made.graph) or _is_given(value)
    if value.graph is made.graph:
        return made.node is not None and _stands_before(value.node, made.node)
    return _is_around(value.graph, made.graph)


def _is_around(graph: Graph, inner: Graph | None) -> bool:
    while inner is not None and inner is not graph:
        inner = inner.parent
    return inner is graph


def _stands_before(node: Node, other: Node) -> bool:
    nodes = node.outputs[0].graph.nodes
    return next(each for each in reversed(nodes) if each is node or each is other) is other


def _holds(items: Value, x: Value) -> bool | None:
    """Whether a value is an element of a list as an object."""
    origins, is_sure, is_whole = _origins(x), True, True
    while True:
        items = root(items)
        if any(_is_element(one) and root(one.node.inputs[0]) is items for one in origins):  # type: ignore[union-attr]
            return True if is_whole and len(origins) == 1 else None
        node = items.node
        if node is not None and node.op in (dicts.KEYS, dicts.VALUES):
            return None
        if node is None or node.graphs or node.op is CONSTANT:
            is_older = all(_is_made(one) and _is_older(items, one) for one in origins)
            return False if is_older and is_sure else None
        put = node.inputs if node.op is lists.NEW else node.inputs[1:2]
        if node.op in (lists.NEW, *_GROWING):
            found = {_are_one(element, x) for element in put}
        elif node.op is list_functions.EXTEND and isinstance(put[0].type, ListType):
            found = {_holds(put[0], x)}
        else:
            found = set()
        if True in found:
            return True if is_whole else None
        is_sure = is_sure and None not in found
        is_whole = is_whole and node.op not in (*_SHRINKING, lists.SET)
        if not node.inputs or not isinstance(node.inputs[0].type, ListType) or node.op is lists.NEW:
            return False if is_sure else None
        items = node.inputs[0]
