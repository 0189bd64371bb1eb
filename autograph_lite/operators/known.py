"""What the conditions say under which a block runs: which values are there, and which bools true.

    if best is not None and best > limit:
        ...                                # here `best` is there

A value that may be missing keeps its type. That it is there is told to who asks, and what a branch
gives no longer may be missing.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph import nest
from ..graph.dispatch import FALLBACKS
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, unwrap
from ..ops.control_flow import CAST, COND, IS_MISSING, NOT
from .one_of_few import is_one_of_few
from .optional_nests import Perhaps, can_be_filled, present_leaf
from .unbound import Unbound


def learn(graph: Graph, condition: Value, is_true: bool) -> None:
    """Notes what holds in a graph from here on, since a condition is true, or false."""
    graph.conditions.append((condition, is_true))


def is_there(x: Any) -> bool:
    """Whether a value that may be None certainly is not, where the trace has come to."""
    asked = x.present if isinstance(x, Perhaps) else x
    if not isinstance(asked, Tensor):
        return not isinstance(asked, Unbound) and bool(asked)
    return _told(asked) is True


def _told(condition: Tensor) -> bool | None:
    """Whether it is true, where the trace has come to; None where that is not known."""
    value, graph = root(condition.held), current_graph()
    while graph is not None:
        known = _known(graph)
        if value in known:
            return known[value]
        graph = graph.parent
    return None


FALLBACKS['is there'] = is_there


def known_there(x: Any, is_part: bool = False) -> Any:
    """A value as what can be missing no more, where it certainly is there; any other as it is.

    Args:
      x: the value.
      is_part: whether it is in a nest that is there.
    """
    if is_part:
        return present_leaf(x)
    if isinstance(x, Tensor) and x.type.maybe and is_there(x):
        return unwrap(x, sure=True)
    return x


def containers_there(x: Any) -> tuple[Any, list[bool]]:
    """What a block returned, with the value itself for one that may be None, where that is known.

    That is, of a list, a dict, a member of an `Enum` or a function.

    Returns:
      That, and which of its leaves are in such a list or dict.
    """
    if type(x) is tuple:
        found = [containers_there(part) for part in x]
        return tuple(part for part, _ in found), [each for _, parts in found for each in parts]
    if is_one_of_few(x) and isinstance(x, Perhaps) and isinstance(x.present, Tensor) and (
            _told(x.present) is False):
        return None, [False]
    is_sure = isinstance(x, Perhaps) and is_there(x) and (can_be_filled(x.nest) or is_one_of_few(x))
    x = x.nest if is_sure else x
    return x, [is_sure for _ in nest.flatten(x)[0]]


def root(value: Value) -> Value:
    """The value that a parameter of a subgraph stands for."""
    while value.node is None and value.graph.parent is not None:
        graph = value.graph
        captured = dict(zip(graph.params[len(graph.own_params) :], graph.captures, strict=True))
        if value not in captured:
            break
        value = captured[value]
    return value


def _known(graph: Graph) -> dict[Value, bool]:
    """What the conditions of a graph say, which is found out only where somebody asks.

    The last of a long chain of `and` says that all the others are true.
    """
    for condition, is_true in graph.conditions[graph.asked :]:
        graph.known.update(_implied(condition, is_true))
    graph.asked = len(graph.conditions)
    return graph.known


def _implied(condition: Value, is_true: bool) -> Iterator[tuple[Value, bool]]:
    """The values that are known then: a bool is true or false, what may be missing is there."""
    waiting = [(condition, is_true)]
    while waiting:
        condition, is_true = waiting.pop()
        condition = root(condition)
        yield condition, is_true
        if condition.node is not None and condition.node.op is IS_MISSING:
            yield root(condition.node.inputs[0]), not is_true
        elif condition.node is not None:
            waiting += reversed(list(_implied_at_once(condition.node, is_true)))


def _implied_at_once(node: Node, is_true: bool) -> Iterator[tuple[Value, bool]]:
    """The conditions of which one is made, where they are known with it."""
    if node.op is NOT:
        yield node.inputs[0], not is_true
    elif node.op is CAST and node.inputs[0].type.dtype.kind == 'b':
        yield node.inputs[0], is_true
    elif node.op is COND and len(node.outputs) == 1:
        yield from _implied_by_choice(node, is_true)


def _implied_by_choice(node: Node, is_true: bool) -> Iterator[tuple[Value, bool]]:
    """What `a and b` says where it is true, and `a or b` where it is false."""
    for role, other, taken in (('true', 'false', True), ('false', 'true', False)):
        skipped = root(node.graphs[other].outputs[0])
        while skipped.node is not None and skipped.node.op is CAST:
            skipped = root(skipped.node.inputs[0])
        # Where it passes the condition on, that is not what it would have to be.
        if skipped is root(node.inputs[0]) and taken is is_true:
            yield node.inputs[0], taken
            yield node.graphs[role].outputs[0], is_true
