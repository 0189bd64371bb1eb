"""Which of several lambdas on one line a function was compiled from."""
from __future__ import annotations
import __future__

import ast
import copy
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.text import Place, Source

FUTURE_FLAGS = sum(
    {getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


def pick(places: Sequence[Place], function: FunctionType, source: Source) -> list[Place]:
    """The lambdas that the function can have been compiled from; at most one if they differ."""
    return (
        _at_positions(places, function.__code__)
        or _with_defaults(_with_code(places, function.__code__, source), function)
    )[:1]


def _at_positions(places: Sequence[Place], code: CodeType) -> list[Place]:
    """The innermost lambda that has all instructions in its body, where Python knows (3.11)."""
    if sys.version_info < (3, 11):
        return []
    spans = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line and end_line and column is not None and end_column  # 0 is a function's entry
    ]
    around = [
        place for place in places
        if spans
        and _start(place.node.body) <= min(spans)[0]
        and max(end for _, end in spans) <= _end(place.node.body)
    ]
    return sorted(around, key=lambda place: _start(place.node.body))[-1:]


def _start(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _with_code(places: Sequence[Place], code: CodeType, source: Source) -> list[Place]:
    """The lambdas that compile to the same code, in their surroundings."""
    statements = list(dict.fromkeys(place.statement for place in places))
    copies: dict[int, Any] = {}
    module = ast.Module(deeply(copy.deepcopy, statements, copies), [])
    lines: dict[int, Place] = {}
    for number, place in enumerate(places, 1):
        # Each is moved to lines of its own, so that its code is known by its first line.
        distance = number * len(source.lines)
        lines[place.node.lineno + distance] = place
        for node in ast.walk(place.node):
            if isinstance(node, ast.expr | ast.arg | ast.keyword):
                twin = copies[id(node)]
                twin.lineno = node.lineno + distance
                twin.end_lineno = (node.end_lineno or node.lineno) + distance
    flags = code.co_flags & FUTURE_FLAGS
    compiled = deeply(
        compile, module, source.filename, 'exec', flags=flags, dont_inherit=True)
    return [
        lines[found.co_firstlineno] for found in _codes(compiled)
        if found.co_firstlineno in lines and _anywhere(found) == _anywhere(code)
    ]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _anywhere(code: CodeType) -> CodeType:
    """The code, as if it stood on line 1."""
    inner = tuple(
        _anywhere(constant) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts)
    if sys.version_info >= (3, 11):
        code = code.replace(co_qualname='')
    return code.replace(co_firstlineno=1, co_linetable=b'', co_consts=inner)


def _with_defaults(places: list[Place], function: FunctionType) -> list[Place]:
    """Of lambdas that are otherwise the same, those that can have the function's defaults."""
    return [place for place in places if _has_defaults(place.node.args, function)] or places


def _has_defaults(arguments: ast.arguments, function: FunctionType) -> bool:
    by_name = function.__kwdefaults__ or {}
    pairs: list[tuple[ast.expr | None, object]] = [
        *zip(arguments.defaults, function.__defaults__ or (), strict=False),
        *((node, by_name.get(name.arg))
          for name, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
    ]
    return all(
        type(node.value) is type(value) and node.value == value
        for node, value in pairs if isinstance(node, ast.Constant))
