"""The user's functions and methods that a function calls, as far as its text tells."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import gast

from autograph_lite.converters.callees import is_library
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.pyct.asking import get_attribute
from autograph_lite.pyct.tree import Node, walk

Owner = type | None


class Called:
    """What one function calls.

    Args:
      tree: the function, as the user wrote it.
      context: its surroundings.
      owner: for a method the class of the object that it is called on, if that is known.
    """

    def __init__(self, tree: Node, context: Context, owner: Owner) -> None:
        self._tree = tree
        self._context = context
        self._owner = owner

    def found(self) -> Iterator[tuple[FunctionType, Owner]]:
        """The functions in the order of the text, and the classes of the objects of methods."""
        calls = [node for node in walk(self._tree) if isinstance(node, gast.Call)]
        for call in sorted(calls, key=lambda node: (node.end_lineno, node.end_col_offset)):
            function, owner = self._called(call.func)
            function = get_attribute(function, 'python_function', function)
            if isinstance(function, FunctionType) and not is_library(function):
                yield inspect.unwrap(function), owner

    def _called(self, node: Node) -> tuple[Any, Owner]:
        """What calling an expression runs, and the class of the object on which it does."""
        if isinstance(node, gast.Attribute):
            owner = self._class_of(node.value)
            if owner is not None:
                return _method(owner, node.attr), owner
        value = self._value(node)
        if isinstance(value, MethodType):
            return value.__func__, type(value.__self__)
        if isinstance(value, type):
            return (MISSING if is_library(value) else _method(value, '__init__')), value
        if isinstance(value, FunctionType) or get_attribute(value, 'python_function') is not None:
            return value, None
        return _method(type(value), '__call__'), type(value)

    def _value(self, node: Node) -> Any:
        match node:
            case gast.Name(id=name):
                return self._context.namespace.value(name)
            case gast.Attribute(value=inner, attr=name):
                owner = self._value(inner)
                if isinstance(owner, ModuleType | type):
                    return getattr(owner, name, MISSING)
                return vars(owner).get(name, MISSING) if hasattr(owner, '__dict__') else MISSING
        return MISSING

    def _class_of(self, node: Node) -> Owner:
        """The class of the object that an expression is, unless that is a module or a class."""
        match node:
            case gast.Name(id=name) if name == self._context.receiver:
                return self._owner
            case gast.Name(id=name) if name in self._made:
                return self._made[name]
            case gast.Call():
                return self._class_made(node)
        value = self._value(node)
        return None if value is MISSING or isinstance(value, ModuleType | type) else type(value)

    @functools.cached_property
    def _made(self) -> dict[str, type]:
        """The variables to which nothing but a new object of one class is assigned."""
        bound: dict[str, list[Owner]] = {}
        for node in walk(self._tree):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                bound.setdefault(node.id, []).append(None)
        for node in walk(self._tree):
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                    bound[name].remove(None)
                    bound[name].append(self._class_made(call))
        return {
            name: found[0] for name, found in bound.items()
            if len(set(found)) == 1 and found[0] is not None}

    def _class_made(self, call: Node) -> Owner:
        value = self._value(call.func)
        return value if isinstance(value, type) else None


def _method(owner: type, name: str) -> Any:
    value = inspect.getattr_static(owner, name, MISSING)
    return value.__func__ if isinstance(value, staticmethod | classmethod) else value
