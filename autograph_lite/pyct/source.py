"""Finding the text that a function was compiled from."""
from __future__ import annotations

import inspect
import linecache
from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.text import Source as Source


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
    lines = _lines(function, filename)
    if not lines:
        raise SourceNotFoundError(
            f'The source of {describe(function)} cannot be found: Python keeps no text for '
            f'{filename!r}.\nDefine the function in a file, in a notebook, or in the interactive '
            'interpreter of Python 3.13 or IPython; or register the text that you give to exec() '
            'in linecache.cache.')
    return _source(filename, lines)


def describe(f: FunctionType) -> str:
    """A function's name and place, for messages."""
    return f'{f.__qualname__} (file "{f.__code__.co_filename}", line {f.__code__.co_firstlineno})'


def _lines(function: FunctionType, filename: str) -> list[str]:
    linecache.checkcache(filename)
    entry: Any = linecache.cache.get(filename)
    if entry is not None and len(entry) == 1 and filename.startswith('<'):
        return str(entry[0]() or '').splitlines(keepends=True)  # linecache leaves such names alone
    lines = linecache.getlines(filename, function.__globals__)
    if not lines:
        try:
            return inspect.findsource(function)[0]  # knows of other places, from version to version
        except OSError:
            return []
    return lines


_KEPT = 128
_sources: OrderedDict[str, tuple[list[str], Source]] = OrderedDict()


def _source(filename: str, lines: list[str]) -> Source:
    """The same `Source` as long as the file has the same lines."""
    known = _sources.get(filename)
    if known is not None and (known[0] is lines or known[0] == lines):
        return known[1]
    source = Source(''.join(line.rstrip('\r\n') + '\n' for line in lines), filename)
    _sources[filename] = lines, source
    while len(_sources) > _KEPT:
        _sources.popitem(last=False)
    return source
