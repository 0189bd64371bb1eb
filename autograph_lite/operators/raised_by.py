"""Which operations may raise an exception of some classes."""
from __future__ import annotations

from ..graph.graph import Node, Op
from ..ops.control_flow import FUNCTION, RECURSE
from ..ops.effects import ASSERT, RAISE
from ..ops.raising import may_raise
from ..pyct.asking import package_of

Classes = tuple[type[BaseException], ...]


def node_may_raise(node: Node, errors: Classes) -> bool:
    """Whether an operation may raise what a handler is for.

    Of operations other than `raise` and `assert`, those of NumPy raise neither the user's own
    exceptions nor some of Python's.
    """
    if node.graphs:
        inside = (inner for graph in node.graphs.values() for inner in graph.nodes)
        return any(node_may_raise(inner, errors) for inner in inside)
    if node.op is ASSERT:
        return issubclass(AssertionError, errors)
    if node.op is RAISE:
        return node.attrs['error'] is None or issubclass(node.attrs['error'], errors)
    return may_raise(node) and (node.op.effect or not all(map(_is_users, errors)))


def op_may_raise(op: Op, errors: Classes) -> bool:
    """The same of an operation that is not there yet."""
    return op.effect or op in (FUNCTION, RECURSE) or not all(map(_is_users, errors))


def _is_users(error: type[BaseException]) -> bool:
    is_own = package_of(error) not in ('builtins', 'numpy')
    return is_own or error in (AssertionError, StopIteration, SystemExit)
