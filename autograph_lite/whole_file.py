"""A whole file, its functions converted and everything else as it stands: it runs as before."""
from __future__ import annotations

import ast
import inspect
import io
import os
import re
import tokenize
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

from .conversion import to_code, written_function
from .errors import AutographError, ConversionError, SourceNotFoundError

_IMPORT = 'import autograph_lite as ag\n'


def converted_file(module: ModuleType) -> tuple[str, list[AutographError]]:
    """The text of a module's file, converted; why functions in it stand as they were written.

    Raises:
      SourceNotFoundError: the module has no such file.
    """
    file = str(getattr(module, '__file__', ''))
    if not file.endswith('.py'):
        raise SourceNotFoundError(f'The source of {module.__name__} cannot be found.')
    with tokenize.open(file) as opened:
        source = opened.read()
    tree = ast.parse(source)
    functions = dict(_functions(module, os.path.realpath(file)))
    lines = source.splitlines(keepends=True)
    errors: list[AutographError] = []
    needs_import = False
    for node in sorted(_definitions(tree), key=lambda node: -node.lineno):
        function = functions.get(_first_line(node))
        if function is None:
            continue
        try:
            code = to_code(function).strip('\n') + '\n'
        except AutographError as error:
            errors.append(error)
            continue
        first, last = node.lineno - 1, _end(lines, node)
        if isinstance(node, ast.Lambda):
            lines[first:last] = [_with_lambda(lines[first:last], node, code.rstrip())]
        else:
            lines[first:last] = _indented(code, lines[first][: node.col_offset])
        needs_import |= bool(re.search(r'\bag\.', code)) and 'ag' not in vars(module)
    if needs_import:
        _import(tree, lines)
    return ''.join(lines), errors[::-1]


def _functions(module: ModuleType, file: str) -> Iterator[tuple[int, FunctionType]]:
    """The functions that a module's file defines, its classes' among them, by their first lines."""
    pending = list(vars(module).values())
    classes = set()
    for value in pending:  # it grows
        if isinstance(value, type):
            if value.__module__ == module.__name__ and value not in classes:
                classes.add(value)
                pending += vars(value).values()
        elif isinstance(value, property):
            pending += [value.fget, value.fset, value.fdel]
        elif isinstance(value, cached_property):
            pending.append(value.func)
        elif callable(value) or isinstance(value, staticmethod | classmethod):
            try:
                function = written_function(inspect.unwrap(value))
            except ConversionError:
                continue
            if os.path.realpath(function.__code__.co_filename) == file:
                yield function.__code__.co_firstlineno, function


def _definitions(tree: ast.AST) -> Iterator[Any]:
    """The functions in a module and its classes, and lambdas that have a name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            yield node.value
        elif isinstance(node, ast.stmt | ast.ExceptHandler):
            yield from _definitions(node)


def _first_line(node: Any) -> int:
    lines: list[int] = [each.lineno for each in (node, *getattr(node, 'decorator_list', ()))]
    return min(lines)


def _end(lines: list[str], node: Any) -> int:
    """Where a function ends: behind the comments at its end, which its converted source has too."""
    end: int = node.end_lineno
    if isinstance(node, ast.Lambda):
        return end
    for number, line in enumerate(lines[end:], end + 1):
        text = line.lstrip()
        if text.startswith('#') and len(line) - len(text) > node.col_offset:
            end = number
        elif text:
            break
    return end


def _with_lambda(lines: list[str], node: ast.Lambda, code: str) -> str:
    """The lines of an assignment, with what a lambda became in its place."""
    before = lines[0].encode()[: node.col_offset].decode()
    after = lines[-1].encode()[node.end_col_offset :].decode()
    return f'{before}{code}{after}' if code.startswith('lambda') else ''.join(lines)


def _indented(code: str, indent: str) -> Iterator[str]:
    """The lines, moved to the right, but for those that begin within a string."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.DEDENT, tokenize.INDENT):
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    for number, line in enumerate(code.splitlines(keepends=True), 1):
        yield line if number in inside or not line.strip() else indent + line


def _import(tree: ast.Module, lines: list[str]) -> None:
    """Puts the import behind what has to stand first."""
    rest = [
        statement for i, statement in enumerate(tree.body)
        if not (i == 0 and ast.get_docstring(tree) is not None)
        and not (isinstance(statement, ast.ImportFrom) and statement.module == '__future__')
    ]
    first = rest[0]
    gap = '' if isinstance(first, ast.Import | ast.ImportFrom) else '\n\n'
    lines.insert(_first_line(first) - 1, _IMPORT + gap)
