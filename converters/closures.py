"""Closures that are kept: called, perhaps, when what they see has changed."""
from __future__ import annotations

import gast

from autograph_lite.analysis.accesses import MUTATING_METHODS, last_name
from autograph_lite.pyct.tree import Node, walk


class Closures:
    """What becomes of the functions and lambdas that a function makes.

    Attributes:
      names: the variable of each that has one of its own.
      kept: those that are put somewhere: into a list, an attribute, another variable.

    One that is called where it stands, or handed to a function, is not kept: it would have to be
    kept by what it is handed to, and functions that do so (`append`) are known.
    """

    def __init__(self, function: Node) -> None:
        self.names: dict[Node, str] = {}
        self.kept: set[Node] = set()
        put: set[str] = set()
        for node in walk(function):
            if isinstance(node, gast.FunctionDef) and node is not function:
                self.names[node] = node.name
            elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda):
                self._assigned(node)
            for part in _put_somewhere(node):
                if isinstance(part, gast.Lambda):
                    self.kept.add(part)
                elif isinstance(part, gast.Name):
                    put.add(part.id)
        self.kept.update(closure for closure, name in self.names.items() if name in put)

    def _assigned(self, node: Node) -> None:
        match node.targets:
            case [gast.Name(id=name)]:
                self.names[node.value] = name
            case _:
                self.kept.add(node.value)


def _put_somewhere(node: Node) -> list[Node]:
    """The parts of a node whose values it puts somewhere."""
    match node:
        case gast.Call(func=function, args=arguments, keywords=keywords):
            if last_name(function) in MUTATING_METHODS:
                return [*arguments, *(keyword.value for keyword in keywords)]
        case gast.Assign(value=value) if not isinstance(value, gast.Lambda):
            return [value]
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Set(elts=parts):
            return list(parts)
        case gast.Dict(values=parts):
            return list(parts)
        case gast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case gast.ListComp(elt=part) | gast.SetComp(elt=part) | gast.DictComp(value=part):
            return [part]
        case gast.BoolOp(values=parts):
            return list(parts)
        case gast.NamedExpr(value=value):
            return [value]
    return []
