"""Running a lowered program so that what it raises points at the user's line."""
from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ..errors import Location, is_internal
from ..graph.graph import Site
from .program import Program


def run(program: Program, values: Sequence[Any]) -> Any:
    """Calls the program's function.

    Raises:
      Exception: what the program raised, the same object; its traceback ends at the user's line.
    """
    try:
        return program.function(*values)
    except Exception as error:
        raise error.with_traceback(relocated(program, error)) from error.__cause__


def relocated(program: Program, error: BaseException) -> TracebackType | None:
    """The error's traceback with the user's line in the place of the lowered program's frames."""
    entries: list[TracebackType] = []
    traceback = error.__traceback__
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    lowered = [
        i for i, e in enumerate(entries) if e.tb_frame.f_code.co_filename == program.filename
    ]
    site = _site(program, entries[lowered[-1]]) if lowered else None
    if site is None:
        return error.__traceback__
    inner: TracebackType | None = None
    for entry in reversed(entries[lowered[-1] + 1 :]):
        if not is_internal(entry.tb_frame.f_code.co_filename):
            inner = TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return _entry_at(site.location, inner)


def _site(program: Program, entry: TracebackType) -> Site | None:
    """The node whose expression failed; where columns are not kept, the node of the line."""
    origin = program.lines[entry.tb_lineno - 1]
    if origin is None:
        return None
    text = _failing_text(program, entry)
    if text is not None:
        for tree, site in origin.parts:
            if ast.unparse(tree) == text:
                return site
    return origin.site


def _failing_text(program: Program, entry: TracebackType) -> str | None:
    """The part of the line that was being evaluated."""
    if sys.version_info < (3, 11):
        return None
    positions = list(entry.tb_frame.f_code.co_positions())[entry.tb_lasti // 2]
    line, end_line, column, end_column = positions
    if line is None or line != end_line:
        return None
    raw = program.code.splitlines()[line - 1].encode()
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
    try:
        exec(code, {})
    except StopIteration as raised:
        assert raised.__traceback__ is not None
        entry = raised.__traceback__.tb_next
        assert entry is not None
        return TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    raise AssertionError('unreachable')


def _byte_columns(location: Location) -> tuple[int, int]:
    """The columns as Python counts them, in bytes; the whole line where they are not known."""
    text = location.text
    start = location.column
    end = location.end_column
    if start is None or end is None:
        start, end = len(text) - len(text.lstrip()), len(text)
    return len(text[:start].encode()), len(text[:end].encode())
