"""Which of the user's statements stand on a line, and which variables they give a value."""
from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from autograph_lite.pyct.files import statements_of

Compound = ast.If | ast.For | ast.While
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
RETURNED = 'return'  # what a `return` gives its value to; no variable is called that


def statements_at(filename: str, line: int) -> list[ast.stmt]:
    """The statements around a line of a file, the innermost first, in the function that it is in.

    What shares the line with the head of another, as in `if x: y = 1`, is taken for a part of that:
    nothing tells when it runs.
    """
    around: list[ast.stmt] = []
    for statement in statements_of(filename):
        if line in lines_of(statement):
            is_inside = isinstance(statement, _DEFINITIONS) and line not in head_of(statement)
            around = [] if is_inside else [statement, *around]
    heads = [i for i, outer in enumerate(around) if i and line in head_of(outer)]
    return around[heads[-1] :] if heads else around


def lines_of(statement: ast.stmt) -> range:
    """The lines of a statement, with what is in it; what a loop's `else` holds comes after it."""
    last = statement.body[-1] if isinstance(statement, ast.For | ast.While) else statement
    return range(statement.lineno, (last.end_lineno or last.lineno) + 1)


def head_of(statement: ast.stmt) -> range:
    """The lines of a statement down to the first that it holds."""
    inside = getattr(statement, 'cases', [statement])[0]
    body = getattr(inside, 'body', None)
    end = body[0].lineno if body else lines_of(statement).stop
    return range(statement.lineno, max(end, statement.lineno + 1))


def is_compound(statement: ast.stmt) -> TypeGuard[Compound]:
    """Whether a statement is a branch or a loop."""
    return isinstance(statement, Compound)


def is_on_one_line(statement: ast.stmt) -> bool:
    """Whether the body of a branch or a loop begins on the line of its head."""
    return is_compound(statement) and statement.body[0].lineno in head_of(statement)


def turns_at(statement: Compound, before: int, line: int) -> bool:
    """Whether the body of a branch or a loop begins where Python goes from one line to another."""
    first = statement.body[0]
    if line not in range(first.lineno, lines_of(statement.body[-1]).stop):
        return False
    return before in head_of(statement) or (line == first.lineno and before not in lines_of(first))


def bound_by(statement: ast.AST) -> list[str]:
    """The variables that a simple statement gives a value, or in whose values it sets something."""
    match statement:
        case ast.Return():
            return [RETURNED]
        case ast.Assign(targets=targets):
            return [name for target in targets for name in _names(target)]
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return list(_names(target))
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            return list(_names(owner))
    return []


def named_in(statement: ast.stmt) -> list[str]:
    """The variables that `:=` gives a value wherever a statement, or its test, is evaluated."""
    whole = statement.test if isinstance(statement, ast.If | ast.While) else statement
    if isinstance(whole, ast.For):
        return []
    parts = ast.walk(whole)
    return [part.target.id for part in parts if isinstance(part, ast.NamedExpr)]


def _names(target: ast.expr) -> Iterator[str]:
    """The variables of a target, and the attributes as the user writes them."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _names(part)
        case ast.Starred(value=inner):
            yield from _names(inner)
        case ast.Subscript(value=inner):
            yield from _names(inner)
            yield ast.unparse(target)
        case ast.Attribute() | ast.Name():
            yield ast.unparse(target)


def value_of(name: str, variables: Mapping[str, Any]) -> Any:
    """The value of a variable, or of an attribute or item of one, as the user writes it.

    Raises:
      LookupError: there is none, or it would have to be computed.
      AttributeError: there is no such attribute.
    """
    return _found(_expression(name), variables)


@functools.cache
def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode='eval').body


def _found(node: ast.expr, variables: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return variables[name]
        case ast.Attribute(value=owner, attr=attribute):
            return getattr(_found(owner, variables), attribute)
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
            return _found(owner, variables)[key]
    raise LookupError(ast.unparse(node))
