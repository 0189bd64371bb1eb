"""What a lowered program raises points at the user's line."""
from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from itertools import chain, pairwise
from types import CodeType, FunctionType, TracebackType
from typing import Any

from ..errors import AutographError, Location, excerpt, is_internal, traceback_entries
from ..graph.sites import Site
from ..ops.raising import warnings_are_errors
from .places import places, site_at
from .positions import Originals
from .program import Program


def raised(program: Program, error: Exception, values: Sequence[Any]) -> Exception:
    """What a call raises whose program raised an error for these values, at the user's line."""
    if program.in_order is not None and warnings_are_errors() and is_own(program.originals, error):
        in_order = program.in_order()
        if in_order is not None:
            try:
                in_order.function(*values)
            except Exception as first:
                return relocated(in_order, first)
    return relocated(program, error)


def is_own(originals: Originals, error: Exception) -> bool:
    """Whether a program raised an error, and not who interrupts it: a signal's handler, a debugger.

    Args:
      originals: the program's code.
      error: what came out of it.
    """
    *_, innermost = traceback_entries(error.__traceback__)
    code = innermost.tb_frame.f_code
    return id(code) in originals or is_internal(code.co_filename)


def relocated(program: Program, error: Exception) -> Exception:
    """The same error, at the user's line, with the calls around it for the program's frames."""
    entries = list(traceback_entries(error.__traceback__))
    lowered = [i for i, e in enumerate(entries) if id(e.tb_frame.f_code) in program.originals]
    if not lowered:
        return error
    sites = [_site_of(program, entries[i]) for i in lowered]
    site = sites[-1]
    if site is None:
        return error
    if isinstance(error, AutographError) and len(error.args) == 2:
        what, fix = error.args
        error.args = what, excerpt(site.location), fix
    inner: TracebackType | None = None
    for entry in reversed(entries[lowered[-1] + 1 :]):
        if not is_internal(entry.tb_frame.f_code.co_filename):
            inner = TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    codes = [entries[i].tb_frame.f_code for i in lowered]
    for location in _calls(codes, sites):
        inner = _entry_at(location, inner)
    return error.with_traceback(inner)


def _site_of(program: Program, entry: TracebackType) -> Site | None:
    """What the program's frame was doing."""
    _, original = program.originals[id(entry.tb_frame.f_code)]
    place = list(places(original))[entry.tb_lasti // 2]
    text, origin = program.code.splitlines(), program.lines[(place[0] or 1) - 1]
    if sys.version_info < (3, 11) and place[0] and origin is not None:
        from .uncolumned import expression_at

        return origin.site_of(expression_at(original, entry.tb_lasti, text[place[0] - 1]))
    return site_at(text, program.lines, place)


def _calls(codes: Sequence[CodeType], sites: Sequence[Site | None]) -> list[Location]:
    """Where the user's code stood, the innermost place first.

    A function of the program that calls itself was traced where it is called first; the calls
    around that are around what it does in each of its turns.

    Args:
      codes: those of the program's frames, the outermost first.
      sites: what each was doing.
    """
    stood = [(code, _with_callers(site)) for code, site in zip(codes, sites, strict=True) if site]
    first = stood[0][0]
    turns = [at[1:] for code, at in stood if code is first]
    around = {first: min(turns, key=len) if len(turns) > 1 else []}
    found: list[list[Location]] = []
    for (caller, before), (code, at) in pairwise([(first, around[first]), *stood]):
        if code not in around and at[-len(before) :] == before:
            around[code] = before
        elif code not in around:  # it is of a block there
            around[code] = around[caller]
            found.pop()
        found.append(at[: len(at) - len(around[code])])
    return [*chain.from_iterable(reversed(found)), *around[first]]


def _with_callers(site: Site) -> list[Location]:
    """A place and the calls around it; what was made for a call is at its place."""
    found = [each.location for each in (site, *site.callers)]
    return found[1:] if found[:1] == found[1:2] else found


def _entry_at(location: Location, inner: TracebackType | None) -> TracebackType:
    """A traceback entry that stands at a place in the user's source.

    Only a frame can be shown, so one is made there, with that place's file name, function, line and
    columns. It is a generator's that has not begun: it has no frames around it, whose variables the
    error would keep alive, and be kept alive by.
    """
    module = ast.parse('def function():\n    yield None')
    (definition,) = module.body
    for node in ast.walk(definition):
        if isinstance(node, (ast.stmt, ast.expr)):
            node.lineno = node.end_lineno = location.line
            node.col_offset, node.end_col_offset = _byte_columns(location)
    namespace: dict[str, Any] = {}
    exec(compile(module, location.filename, 'exec', dont_inherit=True), namespace)
    code = namespace['function'].__code__.replace(co_name=location.function)
    if sys.version_info >= (3, 11):
        code = code.replace(co_qualname=location.function)
    frame = FunctionType(code, {})().gi_frame
    columns = [place[2:] for place in places(code)]
    # From Python 3.12 on what follows is that a generator turns StopIteration into another error.
    own = [known for known in columns if None not in known] or columns
    last = max(i for i, known in enumerate(columns) if known == own[-1])
    return TracebackType(inner, frame, 2 * last, location.line)


def _byte_columns(location: Location) -> tuple[int, int]:
    """The columns as Python counts them, in bytes; the whole line where they are not known."""
    text = location.text
    start = location.column
    end = location.end_column
    if start is None or end is None:
        start, end = len(text) - len(text.lstrip()), len(text)
    return len(text[:start].encode()), len(text[:end].encode())
