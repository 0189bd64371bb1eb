"""Files that the running graph prints to: the trace has not made them, and does not read them.

    print(x, file=log)

That writes when the graph runs, to the file that was there when the function was traced.
"""
from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.given import Weakly
from ..ops.effects import Standard
from .guards import record
from .outside import is_outside
from .places import Attribute, place_of


class _Files:
    """What one trace knows of files."""

    def __init__(self) -> None:
        self.standard = {name: getattr(sys, name) for name in ('stdout', 'stderr')}
        self.printed: dict[int, Any] = {}
        self.opened: dict[int, Any] = {}


class _Tracing(threading.local):
    files: _Files | None = None


_tracing = _Tracing()


@contextmanager
def noting_files() -> Iterator[None]:
    """Around a trace."""
    outer, _tracing.files = _tracing.files, _Files()
    try:
        yield
    finally:
        _tracing.files = outer


def note_opened(file: Any) -> None:
    """Each call of the function makes one of its own, as `open` gives one."""
    if _tracing.files is not None and hasattr(file, 'write'):
        _tracing.files.opened[id(file)] = file


def check_printed(file: Any) -> None:
    """What the running graph prints to was there before the function was called.

    Raises:
      StagingError: the traced function has made it, as none of the calls after it will.
    """
    files = _tracing.files or _Files()
    if any(each is file for each in files.standard.values()):
        return
    if id(file) in files.opened or not is_outside(file):
        shown = 'The file that `sys.stdout` is redirected to' if file is sys.stdout else 'The file'
        what = f'{shown} is made while tracing, and this prints to it when the graph runs.'
        fix = 'Let the caller make it and pass it, or put the text together: `text = f"{x}"`.'
        raise StagingError(describe(what, user_location(), fix))


def printed_file(file: Any) -> Any:
    """What to keep of a file that the running graph prints to; None for `sys.stdout` as it is then.

    Raises:
      StagingError: the traced function has made it, as none of the calls after it will.
    """
    files = _tracing.files or _Files()
    if file is None and sys.stdout is files.standard['stdout']:
        return None
    file = sys.stdout if file is None else file
    _ = file.write  # or Python says what is wrong
    check_printed(file)
    name = next((name for name, each in files.standard.items() if each is file), None)
    files.printed[id(file)] = file
    if name is None:
        return Weakly(file) if type(file).__weakrefoffset__ else file
    record(place_of(sys, 'sys').then(Attribute(name)), file)
    return Standard(name)


def check_unread(x: Any, name: str) -> None:
    """What is read of an object while tracing does not tell of what the graph prints to it.

    Raises:
      StagingError: it is a file, to which the graph has something to print before.
    """
    files = _tracing.files
    if files is None or id(x) not in files.printed or name in _WRITING:
        return
    what = f'`{name}` is read while tracing; what is printed here before, is when the graph runs.'
    fix = 'Read it after the call of the function, or put the text together: `text = f"{x}"`.'
    raise StagingError(describe(what, user_location(), fix))


_WRITING = ('flush', 'write', 'writelines')
