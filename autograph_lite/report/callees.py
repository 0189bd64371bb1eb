"""What a function calls, as far as the user wrote it: its source, and what that becomes."""
from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any

import gast

from ..concrete import ConcreteFunction
from ..conversion import written_function
from ..converters.callees import is_library, meaning
from ..converters.context import MISSING, Context, context_of
from ..errors import AutographError
from ..function import Function
from ..pyct.parser import parse_function
from ..pyct.tree import Node, walk
from .correspondence import Place, lines_of
from .lines import Line, Listing, converted_lines, excerpt, source_lines
from .statements import tree_of

LinesOf = Callable[[Callable[..., Any]], list[Line]]


def named_callees(f: Callable[..., Any]) -> list[FunctionType]:
    """The functions that a function calls by name, and those that they call, in that order.

    Among them are methods, as far as the class is known: of the function's own object, of what is
    made in the function, and of objects outside.
    """
    found = [written_function(f)]
    for function in found:  # it grows
        try:
            parsed = parse_function(function)
        except AutographError:
            continue
        context = context_of(
            function, parsed.node, parsed.source, parsed.enclosing_class is not None)
        names = _Names(context, class_of(function), parsed.node)
        for node in walk(parsed.node):
            for called in names.called(node):
                if called not in found:
                    found.append(called)
    return found[1:]


def class_of(function: FunctionType) -> type | None:
    """The class that a method is of, if it can be reached from its module."""
    *names, own = function.__qualname__.split('.')
    found: Any = None
    for name in names:
        found = getattr(found, name, None) if found else function.__globals__.get(name)
    return found if isinstance(found, type) and own in vars(found) else None


class _Names:
    """What the names in one function stand for."""

    def __init__(self, context: Context, own_class: type | None, tree: Node) -> None:
        self._context = context
        self._classes: dict[str, Any] = {}
        for node in walk(tree):
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func)):
                    self._classes[name] = meaning(func, context)
        if context.receiver is not None:
            self._classes[context.receiver] = own_class

    def called(self, node: Node) -> Iterator[FunctionType]:
        """The functions of the user's that a node calls."""
        match node:
            case gast.Call(func=func):
                value = meaning(func, self._context)
                if value is MISSING and isinstance(func, gast.Attribute):
                    value = self._method(func)
                values = [value]
                if isinstance(value, type):  # what makes an object
                    values = [getattr(value, name, None) for name in ('__init__', '__post_init__')]
            case gast.Attribute(ctx=gast.Load()):
                value = self._method(node)
                values = [getattr(value, 'fget', None) or getattr(value, 'func', None)]
            case _:
                return
        for value in values:
            function = _written(value)
            if function is not None:
                yield function

    def _method(self, node: Node) -> Any:
        """What a class holds by the name of an attribute."""
        match node.value:
            case gast.Name(id=name):
                owner = self._classes.get(name)
                if not isinstance(owner, type):
                    value = meaning(node.value, self._context)
                    owner = None if isinstance(value, ModuleType) else type(value)
            case gast.Call(func=gast.Name(id='super')):
                own = self._classes.get(self._context.receiver or '')
                owner = own.__base__ if isinstance(own, type) else None
            case _:
                return None
        return inspect.getattr_static(owner, node.attr, None) if owner else None


def _written(value: Any) -> FunctionType | None:
    """The function behind a value that is called, if it is one of the user's."""
    if isinstance(value, Function):
        value = value.python_function
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if not isinstance(value, FunctionType | MethodType) or is_library(value):
        return None
    return written_function(value)


def listings(
    functions: Iterable[Callable[..., Any] | None], known: Sequence[Listing], lines_of: LinesOf
) -> list[Listing]:
    """The lines of functions of the user's, but for the known and for what does not convert."""
    seen = _places_in(known)
    found: list[Listing] = []
    for function in functions:
        if function is None or is_library(function):
            continue
        try:
            lines = lines_of(function)
        except AutographError:
            continue
        listing = Listing(function.__name__, lines)
        places = _places_in([listing])
        if not places <= seen:
            seen |= places
            found.append(listing)
    return found


def source_of_callees(concrete: ConcreteFunction, known: Sequence[Listing]) -> list[Listing]:
    """The functions that were traced with another, but for the known; what else nodes come from."""
    found = listings((called() for called in concrete.called), known, source_lines)
    seen = _places_in([*known, *found])
    for node in concrete.graph.walk():
        for filename, number in lines_of(node.site):
            if (filename, number) not in seen and (listing := _around(filename, number)):
                seen.update(place for line in listing.lines for place in line.places)
                found.append(listing)
    return found


def converted_callees(concrete: ConcreteFunction, known: Sequence[Listing]) -> list[Listing]:
    """The converted source of the functions that were traced with another, but for the known."""
    return listings((called() for called in concrete.called), known, converted_lines)


def _places_in(listings: Iterable[Listing]) -> set[Place]:
    return {place for listing in listings for line in listing.lines for place in line.places}


def _around(filename: str, number: int) -> Listing | None:
    """The outermost function, or else the statement, that a line belongs to."""
    lines = linecache.getlines(filename)
    for node in _statements(filename):
        first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
        last = node.end_lineno or first
        if first <= number <= last:
            name = getattr(node, 'name', f'line {first}')
            return Listing(name, excerpt(filename, lines, first, last))
    return None


def _statements(filename: str) -> Iterator[ast.stmt]:
    """The statements of a file, those of classes one by one."""
    for node in tree_of(filename).body:
        if isinstance(node, ast.ClassDef):
            yield from node.body
        else:
            yield node
