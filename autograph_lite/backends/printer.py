"""A lowered function as text, line by line, with what each line came from."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..graph.sites import Site
from ..ops.effects import EndOfWith

INDENT = 4
WIDTH = 100


@dataclass(frozen=True)
class Origin:
    """What a statement came from.

    Attributes:
      site: the node that it is written for.
      parts: the expressions inside it that were written for nodes of their own.
      merged: where else its nodes came from; nothing that it raises points there.
    """

    site: Site | None
    parts: tuple[tuple[ast.expr, Site], ...] = ()
    merged: tuple[Site, ...] = ()


# The statements' origins are a side table: nothing is written on the trees.
Origins = dict[ast.stmt, Origin]
Line = tuple[str, Origin | None]


def print_block(statements: Sequence[ast.stmt], origins: Origins, depth: int) -> Iterator[Line]:
    """The lines of a block, which stands at this depth."""
    is_empty = False  # whether a `with` waits for its first statement
    for statement in statements:
        if isinstance(statement, EndOfWith):
            if is_empty:
                yield ' ' * INDENT * depth + 'pass', None
            depth, is_empty = depth - 1, False
        elif isinstance(statement, ast.With):
            head = f'with {ast.unparse(statement.items[0])}:'
            yield ' ' * INDENT * depth + head, origins.get(statement)
            depth, is_empty = depth + 1, True
        else:
            yield from _print(statement, origins, depth)
            is_empty = False
    if is_empty:
        yield ' ' * INDENT * depth + 'pass', None


def _print(statement: ast.stmt, origins: Origins, depth: int) -> Iterator[Line]:
    margin = ' ' * INDENT * depth
    origin = origins.get(statement)
    if isinstance(statement, ast.If):
        yield from _print_if(statement, origins, depth)
    elif isinstance(statement, ast.While):
        yield f'{margin}while {ast.unparse(statement.test)}:', origin
        yield from print_block(statement.body, origins, depth + 1)
    elif isinstance(statement, ast.For):
        target, iterable = _bare(statement.target), ast.unparse(statement.iter)
        yield f'{margin}for {target} in {iterable}:', origin
        yield from print_block(statement.body, origins, depth + 1)
    elif isinstance(statement, ast.Try):
        yield f'{margin}try:', origin
        yield from print_block(statement.body, origins, depth + 1)
        for handler in statement.handlers:
            assert handler.type is not None
            named = f' as {handler.name}' if handler.name else ''
            yield f'{margin}except {ast.unparse(handler.type)}{named}:', None
            yield from print_block(handler.body, origins, depth + 1)
    elif isinstance(statement, ast.FunctionDef):
        yield from _header(statement, margin)
        yield from print_block(statement.body, origins, depth + 1)
    elif isinstance(statement, ast.Return) and statement.value is not None:
        yield f'{margin}return {_bare(statement.value)}', origin
    elif isinstance(statement, ast.Assign):
        yield f'{margin}{_bare(statement.targets[0])} = {_bare(statement.value)}', origin
    else:
        for line in ast.unparse(statement).splitlines():
            yield margin + line, origin


def _print_if(statement: ast.If, origins: Origins, depth: int) -> Iterator[Line]:
    margin = ' ' * INDENT * depth
    keyword = 'if'
    while True:
        test = ast.unparse(statement.test)
        yield f'{margin}{keyword} {test}:', origins.get(statement)
        yield from print_block(statement.body, origins, depth + 1)
        if len(statement.orelse) != 1 or not isinstance(statement.orelse[0], ast.If):
            break
        keyword, statement = 'elif', statement.orelse[0]
    if statement.orelse:
        yield f'{margin}else:', None
        yield from print_block(statement.orelse, origins, depth + 1)


def _bare(tree: ast.expr) -> str:
    """The text of an expression; a tuple without its parentheses where that is still a tuple."""
    if isinstance(tree, ast.Tuple) and len(tree.elts) > 1:
        return ', '.join(ast.unparse(item) for item in tree.elts)
    return ast.unparse(tree)


def _header(function: ast.FunctionDef, margin: str) -> Iterator[Line]:
    names = [argument.arg for argument in function.args.args]
    line = f'{margin}def {function.name}({", ".join(names)}):'
    if len(line) <= WIDTH:
        yield line, None
        return
    yield f'{margin}def {function.name}(', None
    inner = margin + ' ' * 2 * INDENT
    row = inner
    for name in names:
        if len(row) + len(name) + 1 > WIDTH:
            yield row.rstrip(), None
            row = inner
        row += f'{name}, '
    yield row.rstrip(), None
    yield f'{margin}):', None
