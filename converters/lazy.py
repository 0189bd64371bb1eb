"""Operands that are evaluated only if they are needed."""
from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable

import gast

from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node, children, walk

_TESTS = (isinstance, issubclass, callable)
_ALWAYS_BOOL = gast.Is | gast.IsNot
# Builtins that mean something for a tensor, and take all elements before they do anything.
_WHOLE = frozenset({'max', 'min', 'sorted', 'sum'})
_SILENT = (
    gast.Name | gast.Constant | gast.Tuple | gast.BoolOp | gast.UnaryOp | gast.BinOp | gast.Compare
    | gast.IfExp
)
_SILENT_OPERATORS = gast.Add | gast.Sub | gast.Mult


class Lazy:
    """What can be said about the operands of `and`, `or` and conditional expressions."""

    def __init__(self, tree: Node, context: Context) -> None:
        self._tree = tree
        self._context = context

    def is_python(self, node: Node) -> bool:
        """Whether an expression gives a Python value for certain."""
        match node:
            case gast.Constant():
                return True
            case gast.Compare(left=left, ops=[operation], comparators=[right]):
                # Which member of an `Enum` something is, or which bool, only the running graph may
                # know; to `None` a variable may be compared as such.
                return isinstance(operation, _ALWAYS_BOOL) and any(
                    isinstance(x, gast.Constant) and x.value in (None, ...) for x in (left, right))
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return self.is_python(operand)
            case gast.BoolOp(values=values):
                return all(map(self.is_python, values))
            case gast.Call(func=function):
                return any(meaning(function, self._context) is test for test in _TESTS)
        return False

    def can_be_functions(self, operands: Iterable[Node]) -> bool:
        """Whether functions can evaluate the operands: none binds a name that others read."""
        return not self._binds or all(map(self._binds_for_itself, operands))

    def _binds_for_itself(self, operand: Node) -> bool:
        bound = _bound_in(operand)
        counts = Counter(name for name in _names(operand) if name in bound) if bound else {}
        return all(self._mentions[name] == count for name, count in counts.items())

    def may_be_seen(self, node: Node) -> bool:
        """Whether it may be seen how many elements of a comprehension are evaluated, and when.

        So it may of a generator expression that something else takes from one by one, where an
        element may raise or change something.
        """
        if not isinstance(node, gast.GeneratorExp) or id(node) in self._taken_whole:
            return False
        first, *others = node.generators
        parts = [node.elt, *first.ifs]
        for each in others:
            parts += [each.iter, *each.ifs]
        return not all(map(self._is_silent, parts))

    def _is_silent(self, node: Node) -> bool:
        """Whether an expression neither raises nor changes anything, of numbers and arrays."""
        if isinstance(node, gast.Call):
            return self.is_python(node)
        if isinstance(node, gast.BinOp) and not isinstance(node.op, _SILENT_OPERATORS):
            return False
        return isinstance(node, _SILENT) and all(map(self._is_silent, children(node)))

    @functools.cached_property
    def _taken_whole(self) -> set[int]:
        """The generator expressions that are given to what takes all of their elements at once."""
        return {
            id(argument) for call in walk(self._tree) if isinstance(call, gast.Call)
            for argument in call.args
            if isinstance(argument, gast.GeneratorExp) and self._takes_whole(call.func)}

    def _takes_whole(self, function: Node) -> bool:
        kind, name = callee(function, self._context)
        if kind is Callee.LIBRARY:
            return not _is_of(function, self._context.ag)
        return kind in (Callee.METHOD, Callee.CREATION, Callee.MATH) or (
            kind is Callee.BUILTIN and name in _WHOLE)

    @functools.cached_property
    def _binds(self) -> bool:
        """Whether there is any `:=`."""
        return any(isinstance(node, gast.NamedExpr) for node in walk(self._tree))

    @functools.cached_property
    def _mentions(self) -> Counter[str]:
        return Counter(_names(self._tree))


def _is_of(function: Node, module: str) -> bool:
    return (
        isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name)
        and function.value.id == module)


def bound_perhaps(statement: Node) -> list[str]:
    """The variables that `:=` in a statement binds only if it is evaluated at all."""
    if isinstance(statement, gast.FunctionDef | gast.ClassDef):
        return []
    found: dict[str, None] = {}
    pending = [(part, False) for part in _own_expressions(statement)]
    while pending:
        node, is_optional = pending.pop()
        if is_optional and isinstance(node, gast.NamedExpr):
            found[node.target.id] = None
        optional = optional_parts(node)
        pending += [
            (part, is_optional or part in optional) for part in children(node)
            if not isinstance(part, gast.Lambda)]
    return list(found)


def _own_expressions(statement: Node) -> list[Node]:
    return [
        part for part in children(statement)
        if isinstance(part, ast.expr | gast.withitem)]


def optional_parts(node: Node) -> list[Node]:
    """The parts of an expression that may not be evaluated, or more than once."""
    match node:
        case gast.BoolOp(values=[_, *rest]):
            return rest
        case gast.Compare(comparators=[_, *rest]):
            return rest
        case gast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return children(node)
    return []


def _names(tree: Node) -> Iterable[str]:
    return (node.id for node in walk(tree) if isinstance(node, gast.Name))


def _bound_in(tree: Node) -> set[str]:
    return {node.target.id for node in walk(tree) if isinstance(node, gast.NamedExpr)}
