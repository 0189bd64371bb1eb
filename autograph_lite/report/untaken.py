"""Which of the user's statements stand only where Python never went while tracing."""
from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterable, Iterator
from types import CodeType

from ..errors import Location, location_at
from ..pyct.files import tree_of

_BLOCKS = (
    ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef)


def untaken_lines(
    taken: Iterable[CodeType], untaken: Iterable[CodeType]
) -> set[tuple[str, int]]:
    """The files and first lines of such statements, those without blocks.

    Args:
      taken: the code of the ways that were taken.
      untaken: that of the others.
    """
    own = [(code, {id(each) for each in _nested(code)}) for code in taken]
    lines: dict[str, set[int]] = {}
    for code in untaken:
        found = {line for each in _nested(code) for line in _lines(each)}
        # What runs elsewhere may stand there, too; a way around has the lines of those in it.
        elsewhere = (_lines(other) for other, inner in own if id(code) not in inner)
        lines.setdefault(code.co_filename, set()).update(found.difference(*elsewhere))
    return {
        (filename, node.lineno)
        for filename, found in lines.items()
        for statement in _unreached(tree_of(filename), found)
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt) and not isinstance(node, _BLOCKS)
    }


def untaken_calls(taken: Iterable[CodeType], untaken: Iterable[CodeType]) -> set[Location]:
    """The places of calls that stand only where Python never went while tracing.

    Args:
      taken: the code of the ways that were taken.
      untaken: that of the others.
    """
    found: set[Location] = set()
    for code in untaken:
        for each in _nested(code):
            # Without columns, what is chosen cannot be told from what chooses on the same line.
            found |= {
                place for place in calls(each)
                if place.column is not None or place.line != code.co_firstlineno}
    return found.difference(*map(calls, taken))


def calls(code: CodeType) -> Iterator[Location]:
    """Where calls begin; columns where Python keeps them (3.11+)."""
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        if sys.version_info >= (3, 11):
            line = instruction.positions.lineno or line
        else:
            line = instruction.starts_line or line
        if instruction.opname.startswith('CALL'):
            place = location_at(code, instruction.offset, line)
            yield Location(place.filename, line, '', place.column)


def _unreached(tree: ast.AST, lines: set[int]) -> Iterator[ast.stmt]:
    """The statements without blocks in these lines, and all that follow them in their blocks."""
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            is_unreached = False
            for statement in block if isinstance(block, list) else ():
                if isinstance(statement, ast.stmt) and not isinstance(statement, _BLOCKS):
                    own = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                    is_unreached |= not lines.isdisjoint(own)
                if is_unreached:
                    yield statement


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _lines(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line is not None}
