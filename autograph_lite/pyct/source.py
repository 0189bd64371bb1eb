"""The text that a function was compiled from."""
from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.lines import lines_behind
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
    """The text that a function was compiled from, wherever Python keeps it.

    Raises:
      SourceNotFoundError: Python keeps it nowhere.
    """
    function = function_of(f)
    return _source(function.__code__.co_filename, lines_behind(function))


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
