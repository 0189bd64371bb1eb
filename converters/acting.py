"""Whether a function does what others see, as far as its text tells: it raises, prints, changes."""
from __future__ import annotations

from types import FunctionType

import gast

from autograph_lite.analysis.accesses import MUTATING_METHODS
from autograph_lite.converters.callees import is_of_library, meaning
from autograph_lite.converters.context import Context
from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.tree import Node, walk

# Methods of variables: effects of the graph.
ASSIGN = ('assign', 'assign_add', 'assign_sub')


def functions_in(tree: Node, context: Context) -> dict[str, Node]:
    """The functions that are defined in a function and go by their names alone."""
    defined = [node for node in walk(tree) if isinstance(node, gast.FunctionDef)]
    return {node.name: node for node in defined if node.name in context.namespace.functions}


def called(call: Node, inner: dict[str, Node], context: Context) -> Node | None:
    """The function of the user's that a call is of, if it is known and no lambda."""
    function = inner.get(call.func.id) if isinstance(call.func, gast.Name) else None
    if function is None:
        known = meaning(call.func, context)
        if not isinstance(known, FunctionType) or is_of_library(known):
            return None
        try:
            function = parse_function(known).node
        except SourceNotFoundError:
            return None
    return function if isinstance(function, gast.FunctionDef) else None


def acts(call: Node, inner: dict[str, Node], context: Context) -> bool:
    """Whether a call is of a function of the user's that does something others see.

    Args:
      call: the call.
      inner: the functions that are defined around it, by name.
      context: of the function in which it stands.
    """
    function = called(call, inner, context)
    if function is None:
        return False
    own = {
        node.id for statement in function.body for node in walk(statement)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    return any(_acts(node, own) for statement in function.body for node in walk(statement))


def _acts(node: Node, own: set[str]) -> bool:
    match node:
        case gast.Raise() | gast.Assert() | gast.Global() | gast.Nonlocal() | gast.Delete():
            return True
        case gast.Call(func=gast.Name(id='print')):
            return True
        case gast.Call(func=gast.Attribute(value=place, attr=method)):
            return method in (*MUTATING_METHODS, *ASSIGN) and _root(place) not in own
        case gast.Attribute(value=place, ctx=gast.Store()) | gast.Subscript(
            value=place, ctx=gast.Store()
        ):
            return _root(place) not in own
    return False


def _root(place: Node) -> str:
    while isinstance(place, gast.Attribute | gast.Subscript):
        place = place.value
    return place.id if isinstance(place, gast.Name) else ''
