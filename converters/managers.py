"""Which context managers may swallow what is raised in their block, as their source tells."""
from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast

from autograph_lite.analysis.accesses import SUPPRESSING, last_name, may_suppress
from autograph_lite.converters.callees import is_of_library, meaning
from autograph_lite.converters.context import Context
from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.asking import get_attribute
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.tree import Node, children

_SCOPES = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda | gast.ClassDef
# The code of what `contextlib.contextmanager` makes of a function.
_MAKING: types.CodeType = get_attribute(contextlib.contextmanager(iter), '__code__')


def may_swallow(statement: Node, context: Context) -> bool:
    """Whether a `with` statement enters what is known to end exceptions in its block."""
    return may_suppress(statement) or any(
        _is_swallowing(item.context_expr, context) for item in statement.items)


def _is_swallowing(entered: Node, context: Context) -> bool:
    if not isinstance(entered, gast.Call):
        return class_may_swallow(type(meaning(entered, context)))
    made_by: Any = meaning(entered.func, context)
    if isinstance(made_by, type):
        return class_may_swallow(made_by)
    is_made = get_attribute(made_by, '__code__') is _MAKING
    return is_made and generator_may_swallow(made_by.__wrapped__)


def class_may_swallow(kind: type[Any]) -> bool:
    """Whether the `__exit__` of a class of the user's may return anything that is true."""
    leave = own_exit(kind)
    return leave is not None and tells(leave, _returns_something)


def generator_may_swallow(f: Callable[..., Any]) -> bool:
    """Whether a function of which `contextlib.contextmanager` makes managers goes on after that."""
    return tells(f, _goes_on_after_yield)


def own_exit(kind: type[Any]) -> types.FunctionType | None:
    """The `__exit__` of a class that the user has written."""
    found = get_attribute(kind, '__exit__')
    is_own = isinstance(found, types.FunctionType) and not is_of_library(found)
    return found if is_own else None


def tells(f: Callable[..., Any], has: Callable[[Node], bool]) -> bool:
    """Whether the source of a function has something; without source it may."""
    try:
        return has(parse_function(f).node)
    except SourceNotFoundError:
        return True


def _returns_something(function: Node) -> bool:
    """Whether it may return anything that is true."""
    values = (node.value for node in own_nodes(function) if isinstance(node, gast.Return))
    return not all(_is_false(value) for value in values if value is not None)


def _is_false(value: Node) -> bool:
    return isinstance(value, gast.Constant) and not value.value


def _goes_on_after_yield(function: Node) -> bool:
    """Whether it yields where something that is raised is caught."""
    for node in own_nodes(function):
        if isinstance(node, gast.Try) and node.handlers:
            caught = any(not isinstance(each.body[-1], gast.Raise) for each in node.handlers)
            if caught and any(map(_yields, node.body)):
                return True
        if isinstance(node, gast.With) and any(map(_yields, node.body)):
            managers = (item.context_expr for item in node.items)
            if any(last_name(getattr(each, 'func', each)) in SUPPRESSING for each in managers):
                return True
    return False


def _yields(statement: Node) -> bool:
    nodes = () if isinstance(statement, _SCOPES) else (statement, *own_nodes(statement))
    return any(isinstance(node, gast.Yield) for node in nodes)


def own_nodes(tree: Node) -> Iterator[Node]:
    """What is in a function or a statement, but not in functions that are defined there."""
    for node in tree.body if isinstance(tree, gast.FunctionDef) else children(tree):
        yield node
        if not isinstance(node, _SCOPES):
            yield from own_nodes(node)
