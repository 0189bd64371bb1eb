"""What a `for` runs over whose items are made by code of the user's, between the turns."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node, walk

# Builtins that call what they are given for each item, and those that hand on what others give.
_ASKING = ('filter', 'map')
_HANDING_ON = ('enumerate', 'iter', 'zip')


def runs_code(iterable: Node, function: Node, context: Context) -> bool:
    """Whether code of the user's may run where a loop over this asks for its next item.

    Args:
      iterable: what the loop runs over.
      function: the function that it stands in.
      context: what is known of that.
    """
    names = {node.id for node in walk(iterable) if isinstance(node, gast.Name)}
    values = _values(function, names) if isinstance(iterable, gast.Name) else iter([iterable])
    return any(_runs_code(value, context) for value in values)


def _values(function: Node, names: set[str]) -> Iterator[Node]:
    """What variables of these names are bound to somewhere in a function."""
    for node in walk(function):
        match node:
            case gast.Assign(targets=targets, value=value) if any(
                isinstance(each, gast.Name) and each.id in names for each in targets
            ):
                yield value


def _runs_code(value: Node, context: Context) -> bool:
    match value:
        case gast.GeneratorExp():
            return True
        case gast.Call(func=called, args=arguments):
            kind, name = callee(called, context)
            is_asking = name in _ASKING or (name == 'iter' and len(arguments) == 2)
            if kind is Callee.BUILTIN and not is_asking:
                return name in _HANDING_ON and any(_runs_code(x, context) for x in arguments)
            if kind is Callee.LIBRARY:
                return any(_may_call(each, context) for each in arguments)
            return kind in (Callee.BUILTIN, Callee.LOCAL, Callee.USER)
    return False


def _may_call(argument: Node, context: Context) -> bool:
    """Whether a function of Python's library may call code of the user's by this."""
    return isinstance(argument, gast.Lambda) or _runs_code(argument, context) or (
        isinstance(argument, gast.Name) and argument.id in context.namespace.functions)
