"""The lines of text that a function was compiled from, wherever Python keeps them."""
from __future__ import annotations

import inspect
import linecache
from types import FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError


def lines_behind(function: FunctionType) -> list[str]:
    """All lines of the file, or of another piece of text, that a function was compiled from.

    Raises:
      SourceNotFoundError: Python keeps them nowhere.
    """
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    entry: Any = linecache.cache.get(filename)
    if entry is not None and len(entry) == 1 and filename.startswith('<'):
        # linecache leaves such names alone
        lines = str(entry[0]() or '').splitlines(keepends=True)
    else:
        lines = linecache.getlines(filename, function.__globals__) or _elsewhere(function)
    if not lines:
        raise SourceNotFoundError(
            f'The source of {describe(function)} cannot be found: Python keeps no text for '
            f'{filename!r}.\nDefine the function in a file, in a notebook (in a cell without '
            '`%%time`), or in the interactive interpreter of Python 3.13 or IPython; or register '
            'the text that you give to exec() in linecache.cache.')
    return lines


def describe(f: FunctionType) -> str:
    """A function's name and place, for messages."""
    return f'{f.__qualname__} (file "{f.__code__.co_filename}", line {f.__code__.co_firstlineno})'


def _elsewhere(function: FunctionType) -> list[str]:
    """The lines in the other places, from version to version, that Python knows of."""
    file = str(function.__globals__.get('__file__'))
    if function.__code__.co_filename.startswith('<frozen ') and file.endswith('.py'):
        return linecache.getlines(file)
    try:
        return inspect.findsource(function)[0]
    except OSError:
        return []
