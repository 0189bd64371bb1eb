"""What a lowered program raises points at the user's line."""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, TracebackType
from typing import TYPE_CHECKING

from ..errors import Location, is_internal, traceback_entries
from ..graph.sites import Site
from .printer import Origin

if TYPE_CHECKING:
    from .program import Program

# Line, last line, and the columns in bytes; None where they are not known.
Place = tuple[int | None, int | None, int | None, int | None]


def relocated(program: Program, error: Exception) -> Exception:
    """The same error; in its traceback the user's line is in the place of the program's frames."""
    entries = list(traceback_entries(error.__traceback__))
    lowered = [i for i, e in enumerate(entries) if id(e.tb_frame.f_code) in program.originals]
    if not lowered:
        return error
    entry = entries[lowered[-1]]
    _, original = program.originals[id(entry.tb_frame.f_code)]
    place = list(places(original))[entry.tb_lasti // 2]
    site = site_at(program.code.splitlines(), program.lines, place)
    if site is None:
        return error
    inner: TracebackType | None = None
    for entry in reversed(entries[lowered[-1] + 1 :]):
        if not is_internal(entry.tb_frame.f_code.co_filename):
            inner = TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return error.with_traceback(_entry_at(site.location, inner))


def places(code: CodeType) -> Iterator[Place]:
    """For each two bytes of code the line, and from Python 3.11 on its end and the columns."""
    if sys.version_info >= (3, 11):
        yield from code.co_positions()
    else:
        for start, end, line in code.co_lines():
            yield from [(line, None, None, None)] * ((end - start) // 2)


def site_at(text: Sequence[str], lines: Sequence[Origin | None], place: Place) -> Site | None:
    """The node whose expression stands there; where columns are not kept, the node of the line."""
    line, end_line, column, end_column = place
    origin = lines[line - 1] if line else None
    if origin is None or line is None:
        return None
    if line == end_line:
        written = text[line - 1].encode()[column:end_column].decode()
        for tree, site in origin.parts:
            if ast.unparse(tree) == written:
                return site
    return origin.site


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
