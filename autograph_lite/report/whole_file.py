"""The converted source of a whole file, which runs as before."""
from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from ..conversion import to_code
from ..errors import AutographError, SourceNotFoundError
from .statements import Function


def converted_file(module: ModuleType) -> tuple[str, list[AutographError]]:
    """The text of a module's file, its functions converted; why some stand as they were written.

    Raises:
      SourceNotFoundError: the module has no such file.
    """
    file = str(getattr(module, '__file__', ''))
    if not file.endswith('.py'):
        raise SourceNotFoundError(f'The source of {module.__name__} cannot be found.')
    with tokenize.open(file) as opened:
        lines = opened.readlines()
    tree = ast.parse(''.join(lines))
    codes: list[str] = []
    errors: list[AutographError] = []
    found = list(_defined(tree, module))
    for node, function in reversed(found):  # so that lines stay where they are
        try:
            codes.append(to_code(function).strip('\n') + '\n')
        except AutographError as error:
            errors.append(error)
            continue
        first = node.lineno - 1
        lines[first : node.end_lineno] = _indented(codes[-1], lines[first][: node.col_offset])
    if any(re.search(r'\bag\.', code) for code in codes) and 'ag' not in vars(module):
        behind = next(
            each for i, each in enumerate(tree.body)
            if not (i == 0 and ast.get_docstring(tree) is not None)
            and not (isinstance(each, ast.ImportFrom) and each.module == '__future__'))
        lines.insert(behind.lineno - 1, 'import autograph_lite as ag\n')
    return ''.join(lines), errors[::-1]


def _defined(tree: ast.Module, module: ModuleType) -> Iterator[tuple[Function, FunctionType]]:
    """The functions of a module and the methods of its classes, with their statements."""
    pending: list[tuple[ast.stmt, Any]] = [(node, module) for node in tree.body]
    for node, owner in pending:  # it grows
        held = vars(owner).get(getattr(node, 'name', ''))
        if isinstance(node, ast.ClassDef) and isinstance(held, type):
            pending += [(inner, held) for inner in node.body]
        elif isinstance(node, Function):
            f = getattr(held, 'python_function', getattr(held, '__func__', held))
            lines = {node.lineno, *(each.lineno for each in node.decorator_list)}
            if isinstance(f, FunctionType) and f.__code__.co_firstlineno in lines:
                yield node, f


def _indented(code: str, indent: str) -> Iterator[str]:
    """The lines, moved to the right, but for those that begin within a string."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.DEDENT, tokenize.INDENT):
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    for number, line in enumerate(code.splitlines(keepends=True), 1):
        yield line if number in inside or not line.strip() else indent + line
