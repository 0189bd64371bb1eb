"""What a lowered program raises points at the user's line."""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType

from ..errors import Location, is_internal
from ..graph.sites import Site
from .printer import Origin


def relocated(
    filename: str, code: str, lines: Sequence[Origin | None], error: Exception
) -> Exception:
    """The same error; in its traceback the user's line is in the place of the program's frames.

    Args:
      filename: the program's.
      code: the program's source.
      lines: what each line of it came from.
      error: what the program raised.
    """
    entries = list(traceback_entries(error.__traceback__))
    lowered = [i for i, e in enumerate(entries) if e.tb_frame.f_code.co_filename == filename]
    if not lowered:
        return error
    site = _site(code, lines, entries[lowered[-1]])
    if site is None:
        return error
    inner: TracebackType | None = None
    for entry in reversed(entries[lowered[-1] + 1 :]):
        if not is_internal(entry.tb_frame.f_code.co_filename):
            inner = TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return error.with_traceback(_entry_at(site.location, inner))


def traceback_entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """The entries of a traceback, the innermost last."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _site(code: str, lines: Sequence[Origin | None], entry: TracebackType) -> Site | None:
    """The node whose expression failed; where columns are not kept, the node of the line."""
    origin = lines[entry.tb_lineno - 1]
    if origin is None:
        return None
    text = _failing_text(code, entry)
    if text is not None:
        for tree, site in origin.parts:
            if ast.unparse(tree) == text:
                return site
    return origin.site


def _failing_text(code: str, entry: TracebackType) -> str | None:
    """The part of the line that was being evaluated."""
    if sys.version_info < (3, 11):
        return None
    positions = list(entry.tb_frame.f_code.co_positions())[entry.tb_lasti // 2]
    line, end_line, column, end_column = positions
    if line is None or line != end_line:
        return None
    raw = code.splitlines()[line - 1].encode()
    return raw[column:end_column].decode()


def _entry_at(location: Location, inner: TracebackType | None) -> TracebackType:
    """A traceback entry that stands at a place in the user's source.

    Only a frame can be shown, so one is made there: code that raises, with that place's file name,
    function, line and columns.
    """
    statement = ast.Raise(ast.Name('StopIteration', ast.Load()))
    for node in ast.walk(statement):
        if isinstance(node, (ast.stmt, ast.expr)):
            node.lineno = node.end_lineno = location.line
            node.col_offset, node.end_col_offset = _byte_columns(location)
    code = compile(ast.Module([statement], []), location.filename, 'exec', dont_inherit=True)
    code = code.replace(co_name=location.function)
    if sys.version_info >= (3, 11):
        code = code.replace(co_qualname=location.function)
    entries: list[TracebackType] = []
    try:
        exec(code, {})
    except StopIteration as raised:
        entries += traceback_entries(raised.__traceback__)
    entry = entries[-1]
    return TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)


def _byte_columns(location: Location) -> tuple[int, int]:
    """The columns as Python counts them, in bytes; the whole line where they are not known."""
    text = location.text
    start = location.column
    end = location.end_column
    if start is None or end is None:
        start, end = len(text) - len(text.lstrip()), len(text)
    return len(text[:start].encode()), len(text[:end].encode())
