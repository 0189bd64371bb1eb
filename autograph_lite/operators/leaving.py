"""What a context manager does with what is raised in its block, as far as its source tells.

Its `__exit__` runs while tracing, when nothing is raised yet.
"""
from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast

from ..analysis.accesses import SUPPRESSING, last_name
from ..converters.callees import is_of_library
from ..errors import SourceNotFoundError
from ..pyct.asking import get_attribute
from ..pyct.parser import parse_function
from ..pyct.tree import Node, children

_SCOPES = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda | gast.ClassDef


def may_swallow(manager: Any) -> bool:
    """Whether something that is raised in its block may end there."""
    if isinstance(manager, contextlib.suppress):
        return True
    if isinstance(manager, contextlib.ExitStack):
        return any(_callback_may_swallow(each) for _, each in manager._exit_callbacks)  # type: ignore[attr-defined]  # typeshed does not know of it
    generator = generator_of(manager)
    if generator is not None:
        return _tells(generator, _goes_on_after_yield)
    leave = _own_exit(manager)
    return leave is not None and _tells(leave, _returns_something)


def name_of(manager: Any) -> str:
    """What the user calls its class, or the function that makes it."""
    generator = generator_of(manager)
    return type(manager).__name__ if generator is None else str(generator.__name__)


def reads_error(manager: Any) -> bool:
    """Whether the user's `__exit__` asks for what was raised in the block."""
    leave = _own_exit(manager)
    return leave is not None and _tells(leave, _reads_error)


def _callback_may_swallow(callback: Any) -> bool:
    return isinstance(callback, types.MethodType) and may_swallow(callback.__self__)


def generator_of(manager: Any) -> Callable[..., Any] | None:
    """The user's function that `contextlib.contextmanager` has made the manager of."""
    is_made = isinstance(manager, contextlib._GeneratorContextManager)
    generator = get_attribute(manager, 'gen') if is_made else None
    if not isinstance(generator, types.GeneratorType) or generator.gi_frame is None:
        return None
    code, frame = generator.gi_code, generator.gi_frame
    held = frame.f_locals
    cells = tuple(
        types.CellType(held[name]) if name in held else types.CellType()
        for name in code.co_freevars)
    return types.FunctionType(code, frame.f_globals, closure=cells)


def _own_exit(manager: Any) -> types.FunctionType | None:
    found = get_attribute(type(manager), '__exit__')
    is_own = isinstance(found, types.FunctionType) and not is_of_library(found)
    return found if is_own else None


def _tells(f: Callable[..., Any], has: Callable[[Node], bool]) -> bool:
    """Whether the source of a function has something; without source it may."""
    try:
        return has(parse_function(f).node)
    except SourceNotFoundError:
        return True


def _returns_something(function: Node) -> bool:
    """Whether it may return anything that is true."""
    values = (node.value for node in _own_nodes(function) if isinstance(node, gast.Return))
    return not all(_is_false(value) for value in values if value is not None)


def _is_false(value: Node) -> bool:
    return isinstance(value, gast.Constant) and not value.value


def _reads_error(function: Node) -> bool:
    """Whether it reads anything that it is given but its object."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, arguments.vararg][1:]
    names = {each.id for each in given if each is not None}
    return any(isinstance(n, gast.Name) and n.id in names for n in _own_nodes(function))


def _goes_on_after_yield(function: Node) -> bool:
    """Whether it yields where something that is raised is caught."""
    for node in _own_nodes(function):
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
    nodes = () if isinstance(statement, _SCOPES) else (statement, *_own_nodes(statement))
    return any(isinstance(node, gast.Yield) for node in nodes)


def _own_nodes(tree: Node) -> Iterator[Node]:
    """What is in a function or a statement, but not in functions that are defined there."""
    for node in tree.body if isinstance(tree, gast.FunctionDef) else children(tree):
        yield node
        if not isinstance(node, _SCOPES):
            yield from _own_nodes(node)
