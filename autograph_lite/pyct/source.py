"""Finding the text that a function was compiled from."""
from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.deep import deeply


@dataclass(frozen=True, eq=False)
class Source:
    """The whole text of a file, a notebook cell or another compiled piece of text.

    There is one `Source` for all functions of one version of a file, so what is found out about the
    text is found out once.
    """

    text: str
    filename: str

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines, without line ends; numbers of lines in positions count from 1."""
        return [line.rstrip('\n') for line in self.text.split('\n')]

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The parsed text; shared, so never to be changed."""
        return deeply(ast.parse, self.text, self.filename)

    @functools.cached_property
    def places(self) -> dict[int, list[Place]]:
        """The functions and lambdas of the text by the line that Python calls their first."""
        table: dict[int, list[Place]] = {}
        for place in _functions(self.tree):
            table.setdefault(place.first_line, []).append(place)
        return table


@dataclass(frozen=True)
class Place:
    """A function in a text, and the innermost class around it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    enclosing_class: str | None

    @property
    def first_line(self) -> int:
        """The line of the first decorator, or of the function itself."""
        decorators = getattr(self.node, 'decorator_list', [])
        return min(node.lineno for node in (*decorators, self.node))


def _functions(tree: ast.AST) -> Iterator[Place]:
    pending: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield Place(node, class_name)
        if isinstance(node, ast.ClassDef):
            class_name = node.name
        pending.extend((child, class_name) for child in ast.iter_child_nodes(node))


def function_of(f: Any) -> FunctionType:
    """The plain function behind methods and behind decorators that say what they wrap."""
    f = inspect.unwrap(f)
    f = getattr(f, '__func__', f)
    if not isinstance(f, FunctionType):
        raise SourceNotFoundError(
            f'{f!r} is not a function written in Python, so it has no source.')
    return f


def find_source(f: Callable[..., Any]) -> Source:
    """The text that a function was compiled from, wherever Python keeps it."""
    function = function_of(f)
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        raise SourceNotFoundError(
            f'The source of {describe(function)} cannot be found: Python keeps no text for '
            f'{filename!r}.\nDefine the function in a file, a notebook cell or the interactive '
            'interpreter (Python 3.13), or register the text that you pass to exec() in '
            'linecache.cache.')
    return _source(filename, lines)


_KEPT = 128
_sources: OrderedDict[str, tuple[list[str], Source]] = OrderedDict()


def _source(filename: str, lines: list[str]) -> Source:
    known = _sources.get(filename)
    if known is not None and (known[0] is lines or known[0] == lines):
        return known[1]
    source = Source(''.join(lines), filename)
    _sources[filename] = lines, source
    while len(_sources) > _KEPT:
        _sources.popitem(last=False)
    return source


def describe(f: FunctionType) -> str:
    """A function's name and place, for messages."""
    code: CodeType = f.__code__
    return f'{f.__qualname__} (file "{code.co_filename}", line {code.co_firstlineno})'
