"""What context managers do with what is raised in their block, as their source tells."""
from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

import gast

from autograph_lite.analysis.accesses import SUPPRESSING, last_name, may_suppress
from autograph_lite.converters.callees import is_of_library, meaning
from autograph_lite.converters.context import Context
from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.asking import get_attribute
from autograph_lite.pyct.codes import ByCode
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.tree import Node, children

_SCOPES = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda | gast.ClassDef
# The code of what `contextlib.contextmanager` makes of a function.
_MAKING: types.CodeType = get_attribute(contextlib.contextmanager(iter), '__code__')


class Leaving(NamedTuple):
    """What the source of an `__exit__` that the user has written tells of it.

    Attributes:
      swallows: it may return anything that is true.
      reads_error: it asks for what was raised in the block.
    """

    swallows: bool
    reads_error: bool


_leaving: ByCode[Leaving] = ByCode()
_goes_on: ByCode[bool] = ByCode()


def leaving(kind: type[Any]) -> Leaving | None:
    """What leaving a block of a manager of this class does; None if the user has not written it."""
    leave = get_attribute(kind, '__exit__')
    if not isinstance(leave, types.FunctionType) or is_of_library(leave):
        return None
    found = _leaving.get(leave.__code__)
    if found is None:
        found = Leaving(_tells(leave, _returns_something), _tells(leave, _reads_error))
        _leaving.set(leave.__code__, found)
    return found


def known_of(value: Any) -> Hashable:
    """What the converter may conclude from an object, if it is a manager or makes them."""
    found = leaving(value if isinstance(value, type) else type(value))
    return found or (_is_maker(value) and generator_may_swallow(value.__wrapped__))


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
    return _is_maker(made_by) and generator_may_swallow(made_by.__wrapped__)


def _is_maker(value: Any) -> bool:
    """Whether it is what `contextlib.contextmanager` makes."""
    return get_attribute(value, '__code__') is _MAKING


def class_may_swallow(kind: type[Any]) -> bool:
    """Whether the `__exit__` of a class of the user's may return anything that is true."""
    found = leaving(kind)
    return found is not None and found.swallows


def function_may_swallow(f: Callable[..., Any]) -> bool:
    """Whether a function of the user's that is called as an `__exit__` may return what is true."""
    return not isinstance(f, types.FunctionType) or _tells(f, _returns_something)


def generator_may_swallow(f: Callable[..., Any]) -> bool:
    """Whether a function of which `contextlib.contextmanager` makes managers goes on after that."""
    code = get_attribute(f, '__code__')
    if not isinstance(code, types.CodeType):
        return True
    found = _goes_on.get(code)
    if found is None:
        found = _tells(f, _goes_on_after_yield)
        _goes_on.set(code, found)
    return found


def _tells(f: Callable[..., Any], has: Callable[[Node], bool]) -> bool:
    """Whether the source of a function has something; without source it may."""
    try:
        return has(parse_function(f).node)
    except SourceNotFoundError:
        return True


def _returns_something(function: Node) -> bool:
    """Whether it may return anything that is true."""
    if isinstance(function, gast.Lambda):
        return not _is_false(function.body)
    values = (node.value for node in own_nodes(function) if isinstance(node, gast.Return))
    return not all(_is_false(value) for value in values if value is not None)


def _is_false(value: Node) -> bool:
    return isinstance(value, gast.Constant) and not value.value


def _reads_error(function: Node) -> bool:
    """Whether it reads anything that it is given but its object."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, arguments.vararg][1:]
    names = {each.id for each in given if each is not None}
    return any(isinstance(node, gast.Name) and node.id in names for node in own_nodes(function))


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
