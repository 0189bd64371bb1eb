"""A whole file, its functions converted and everything else as it stands: it runs as before."""
from __future__ import annotations

import ast
import copy
import inspect
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Set
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from .conversion import to_code
from .converters.context import PACKAGE
from .converters.rewriter import is_kept
from .errors import AutographError, ConversionError, Location, SourceNotFoundError, describe
from .pyct.asking import package_of
from .pyct.parser import parse_function
from .pyct.tree import children, to_gast

_IMPORT = 'import autograph_lite as ag\n'
# What compiles functions by itself, so that there is no use for converted ones.
_COMPILERS = ('numba', 'jax', 'torch', 'tensorflow', 'triton')
# Code objects that are no functions to anybody, but may hold some.
_INNER = re.compile(r'<(listcomp|setcomp|dictcomp|genexpr|generic parameters of .*)>')

Place = tuple[int, int]  # where a node begins: a line, and a column in bytes


def converted_file(module: ModuleType) -> tuple[str, list[AutographError]]:
    """The text of a module's file, converted; why functions in it stand as they were written.

    Raises:
      SourceNotFoundError: the module has no such file.
      ConversionError: the module calls something else `ag`.
    """
    file = str(getattr(module, '__file__', ''))
    if not file.endswith('.py'):
        raise SourceNotFoundError(f'The source of {module.__name__} cannot be found.')
    names = vars(module)
    if 'ag' in names and getattr(names['ag'], '__name__', '') != PACKAGE:
        raise ConversionError(
            f'{file} has an `ag` of its own, which converted source would use; convert its '
            'functions one by one.')
    with tokenize.open(file) as opened:
        lines = opened.readlines()
    text = ''.join(lines)
    tree = ast.parse(text)
    nodes = dict(_definitions(tree))
    commented = set(_commented(lines))
    edits: dict[Place, str] = {}
    errors: list[tuple[Place, AutographError]] = []
    for function in _functions(compile(text, file, 'exec', dont_inherit=True), names):
        place = function.__code__.co_firstlineno, 0
        try:
            parsed = parse_function(function).node
            place = parsed.lineno, parsed.col_offset
            code = to_code(function).strip('\n') if place in nodes else ''
            if code and not _is_same(code, nodes[place]):
                edits[place] = code
        except AutographError as error:
            errors.append((place, error))
    for place in sorted(edits):
        why = _why_not(nodes[place], [nodes[each] for each in edits], names, commented)
        if why:
            del edits[place]
            name = getattr(nodes[place], 'name', '<lambda>')
            errors.append((place, ConversionError(describe(why, Location(file, place[0], name)))))
    for place in sorted(edits, reverse=True):  # so that places stay true
        _replace(lines, nodes[place], edits[place])
    if any(re.search(r'\bag\.', code) for code in edits.values()) and 'ag' not in names:
        _import(tree, lines)
    return ''.join(lines), [error for _, error in sorted(errors, key=lambda each: each[0])]


def _functions(code: CodeType, names: dict[str, Any]) -> Iterator[FunctionType]:
    """The functions that are defined outside of functions, also those that no name keeps."""
    for each in code.co_consts:
        if not isinstance(each, CodeType):
            continue
        if each.co_flags & inspect.CO_OPTIMIZED and not _INNER.fullmatch(each.co_name):
            cells = tuple(CellType() for _ in each.co_freevars)
            yield FunctionType(each, names, each.co_name, None, cells)
        else:
            yield from _functions(each, names)


def _definitions(tree: Any) -> Iterator[tuple[Place, Any]]:
    """The functions by their places, but for those that are to run as they are."""
    for node in children(tree):
        if not _is_kept(node):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield (node.lineno, node.col_offset), node
            yield from _definitions(node)


def _is_kept(node: Any) -> bool:
    return is_kept(to_gast(node)) if isinstance(node, ast.FunctionDef | ast.Call) else False


def _commented(lines: list[str]) -> Iterator[int]:
    """The lines that have a comment."""
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type == tokenize.COMMENT:
            yield token.start[0]


def _is_same(code: str, node: Any) -> bool:
    """Whether there was nothing to convert, so that the text may stand as it is."""
    if isinstance(node, ast.Lambda):
        return ast.dump(ast.parse(code, mode='eval').body) == ast.dump(node)
    plain = copy.copy(node)
    plain.decorator_list = []
    return ast.dump(ast.parse(code).body[0]) == ast.dump(plain)


def _why_not(
    node: Any, converted: list[Any], names: Mapping[str, Any], commented: Set[int]
) -> str:
    """Why what a function becomes does not fit into the file; empty if it does."""
    if isinstance(node, ast.Lambda):
        if any(line in commented for line in range(node.lineno, node.end_lineno or 0)):
            return 'This `lambda` stays as it is: it has comments inside.'
        if any(_holds(each, node) for each in converted):
            return 'This `lambda` stays as it is: it stands in the head of a function.'
        return ''
    for decorator in node.decorator_list:
        root = decorator
        while isinstance(root, ast.Attribute | ast.Call):
            root = root.func if isinstance(root, ast.Call) else root.value
        value = names.get(getattr(root, 'id', ''))
        of = value.__name__ if isinstance(value, ModuleType) else package_of(value)
        if of and of.partition('.')[0] in _COMPILERS:
            return f'{node.name} stays as it is: {of} compiles it from the text.'
    return ''


def _holds(function: Any, node: Any) -> bool:
    """Whether a node stands in the text that a function has from its `def` on."""
    start, end = (function.lineno, function.col_offset), (
        function.end_lineno, function.end_col_offset)
    return start < (node.lineno, node.col_offset) < end


def _replace(lines: list[str], node: Any, code: str) -> None:
    """Put what a function becomes in its place."""
    first = node.lineno - 1
    if isinstance(node, ast.Lambda):
        last = node.end_lineno or 0
        before = lines[first].encode()[: node.col_offset].decode()
        after = lines[last - 1].encode()[node.end_col_offset :].decode()
        lines[first:last] = [f'{before}{code}{after}']
    else:
        lines[first : _end(lines, node)] = indented(code + '\n', lines[first][: node.col_offset])


def _first_line(node: Any) -> int:
    numbers: list[int] = [each.lineno for each in (node, *getattr(node, 'decorator_list', ()))]
    return min(numbers)


def _end(lines: list[str], node: Any) -> int:
    """Where a function ends: behind the comments at its end, which its converted source has too."""
    end: int = node.end_lineno
    for number, line in enumerate(lines[end:], end + 1):
        text = line.lstrip()
        if text.startswith('#') and len(line) - len(text) > node.col_offset:
            end = number
        elif text:
            break
    return end


def indented(code: str, indent: str) -> Iterator[str]:
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
