"""Where the user's code assigns a variable or changes what it holds, for messages about that."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograph_lite.errors import Location
from autograph_lite.pyct.files import innermost_function, statements_around, statements_of


def assignments(name: str, statement: Location) -> list[Location]:
    """Where a variable gets the values that meet at a statement.

    Args:
      name: the variable, or the attribute or item, as the user writes it.
      statement: the place of a loop or a branch.

    Returns:
      The last place before the statement and those in it; none where the text cannot be read.
    """
    around = statements_around(statement)
    if not around:
        return []
    last = around[-1].end_lineno or 0
    lines = sorted({node.lineno for node in _assigning(innermost_function(around), name)})
    others = [  # the ways of an `if` that do not lead to the statement
        range(node.lineno, (node.body[-1].end_lineno or 0) + 1) for node in around
        if isinstance(node, ast.If) and (node.body[-1].end_lineno or 0) < statement.line]
    before = [
        line for line in lines
        if line < statement.line and not any(line in other for other in others)][-1:]
    inside = [line for line in lines if statement.line < line <= last]
    return [Location(statement.filename, line, statement.function) for line in before + inside]


def begins_as_number(name: str, statement: Location) -> bool:
    """Whether a variable is a number that the user wrote before the loop around a statement."""
    around = statements_around(statement)
    loop = next((node for node in around if isinstance(node, ast.For | ast.While)), None)
    if loop is None:
        return False
    before = [
        node for node in _assigning(innermost_function(around), name)
        if isinstance(node, ast.Assign) and node.lineno < loop.lineno]
    values = [
        value for node in before for target in node.targets
        for part, value in _parts(target, node.value) if ast.unparse(part) == name]
    return bool(values) and all(map(_is_number, values))


def _parts(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What is assigned to each part of a target, as far as the text tells."""
    both = target, value
    if all(isinstance(side, ast.Tuple | ast.List) for side in both):
        return list(zip(target.elts, value.elts, strict=False))  # type: ignore[attr-defined]
    return [both]


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    if isinstance(value, ast.Call) and len(value.args) == 1:  # such as `np.float64(0)`
        return isinstance(value.func, ast.Attribute) and _is_number(value.args[0])
    is_infinity = isinstance(value, ast.Attribute) and value.attr == 'inf'
    return is_infinity or (
        isinstance(value, ast.Constant) and isinstance(value.value, int | float))


def setting_of(attribute: str, statement: Location) -> Location:
    """Where a loop or a branch sets an attribute; the statement itself where no text tells."""
    inside = [
        node for node in statements_of(statement.filename)
        if node.lineno == statement.line]
    for node in (part for outer in inside for part in ast.walk(outer)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            is_private = node.attr.startswith('__') and attribute.endswith(node.attr)
            if node.attr == attribute or is_private:
                return Location(statement.filename, node.lineno, statement.function)
    return statement


def changes_of_parameters(function: Location) -> list[Location]:
    """Where a function sets parts of its parameters, or calls methods that change them.

    Args:
      function: the place where it begins; none of what is nested in it is looked at.
    """
    for node in statements_of(function.filename):
        if not isinstance(node, ast.FunctionDef) or node.name != function.function:
            continue
        decorators = [each.lineno for each in node.decorator_list]
        if min(decorators, default=node.lineno) == function.line:
            parameters = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
            found = [each for each in ast.walk(node) if _changes(each, parameters)]
            first = {each.lineno: each for each in found[::-1] if isinstance(each, ast.stmt)}
            return [_location(function, first[line]) for line in sorted(first)]
    return []


def _location(function: Location, statement: ast.stmt) -> Location:
    """The place of a statement of a function; its columns, if it stands on one line."""
    place = Location(function.filename, statement.lineno, function.function)
    if statement.end_lineno != statement.lineno:
        return place
    text = place.text.encode()
    start, end = (
        len(text[:n].decode(errors='ignore'))
        for n in (statement.col_offset, statement.end_col_offset)
    )
    return replace(place, column=start, end_column=end)


_CHANGING = frozenset((
    'add', 'append', 'appendleft', 'clear', 'discard', 'extend', 'extendleft', 'insert',
    'move_to_end', 'pop', 'popitem', 'popleft', 'remove', 'reverse', 'rotate', 'setdefault', 'sort',
    'subtract', 'update'))


def _changes(statement: ast.AST, names: set[str]) -> bool:
    """Whether a statement changes what one of the variables holds, as far as its text tells."""
    parts: list[ast.AST] = []
    match statement:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            parts = [part for target in targets for part in ast.walk(target)]
            parts = [part for part in parts if isinstance(part, ast.Subscript | ast.Attribute)]
        case ast.AugAssign(target=target):
            parts = [target]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))) if (
            method in _CHANGING
        ):
            parts = [owner]
    return any(_root(part) in names for part in parts)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ''


def _assigning(function: ast.AST, name: str) -> Iterator[ast.stmt]:
    for node in ast.walk(function):
        match node:
            case ast.Assign():
                targets = node.targets
            case ast.AugAssign() | ast.AnnAssign() | ast.For():
                targets = [node.target]
            case _:
                continue
        stored = [part for target in targets for part in ast.walk(target)]
        if any(isinstance(part, ast.expr) and ast.unparse(part) == name for part in stored):
            yield node
