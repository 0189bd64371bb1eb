"""What certainly is a Python value, and what is evaluated only if it is needed."""
from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable, Iterator

import gast

from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.reaching import ReachingDefinitions, Source, reaching_definitions
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node, children, walk

_TESTS = (isinstance, issubclass, hasattr, callable)
_ALWAYS_BOOL = gast.Is | gast.IsNot


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
            case gast.Compare(ops=[operation]):
                return isinstance(operation, _ALWAYS_BOOL)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return self.is_python(operand)
            case gast.BoolOp(values=values):
                return all(map(self.is_python, values))
            case gast.Call(func=function):
                return any(meaning(function, self._context) is test for test in _TESTS)
        return False

    def can_be_functions(self, operands: Iterable[Node]) -> bool:
        """Whether functions can evaluate the operands: none binds a name that others read."""
        return not self._binds or all(
            self._mentions[name] == count
            for operand in operands
            for name, count in Counter(_names(operand)).items()
            if name in _bound_in(operand))

    @functools.cached_property
    def _binds(self) -> bool:
        """Whether there is any `:=`."""
        return any(isinstance(node, gast.NamedExpr) for node in walk(self._tree))

    @functools.cached_property
    def _mentions(self) -> Counter[str]:
        return Counter(_names(self._tree))


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


class Plain:
    """Which tests of a function's statements are Python values for certain.

    Such a test compares something with `None` that was passed to the function, or that it has from
    outside, as in `if x is None: x = 0`; the `if` can stay. What is computed in a staged block may
    hold a value or `None` depending on a tensor.
    """

    def __init__(self, function: Node, context: Context) -> None:
        self._function = function
        self._context = context

    def __call__(self, test: Node) -> bool:
        names = list(_compared_with_none(test))
        return None not in names and all(
            isinstance(name, str) and self._is_from_outside(name, test) for name in names)

    def _is_from_outside(self, name: str, test: Node) -> bool:
        found = self._reaching.before(test, QualName(name))
        return all(
            each.source is Source.PARAMETER
            or (each.source is Source.OUTSIDE and not self._context.namespace.is_local(name))
            for each in found)

    @functools.cached_property
    def _reaching(self) -> ReachingDefinitions:
        cfg = build(self._function)
        return reaching_definitions(cfg, Scopes(cfg))


def _compared_with_none(test: Node) -> Iterator[str | None]:
    """The names that a test compares with `None`; None for anything else that it does."""
    match test:
        case gast.Constant():
            return
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _compared_with_none(operand)
        case gast.BoolOp(values=values):
            for value in values:
                yield from _compared_with_none(value)
        case gast.Compare(
            left=gast.Name(id=name),
            ops=[gast.Is() | gast.IsNot()],
            comparators=[gast.Constant(value=None)],
        ):
            yield name
        case _:
            yield None
