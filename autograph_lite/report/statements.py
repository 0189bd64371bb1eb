"""Which of the user's lines belong together: those of one statement, or of the heads of one."""
from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from ..pyct.files import tree_of


def statement_starts(filename: str) -> dict[int, int]:
    """For the lines of statements that take several, the first one; without their bodies."""
    lines = linecache.getlines(filename)
    starts: dict[int, int] = {}
    for node in ast.walk(tree_of(filename)):
        if isinstance(node, ast.stmt):
            last = _end(node, lines)
            starts.update(dict.fromkeys(range(node.lineno + 1, last + 1), node.lineno))
            starts.update(dict.fromkeys(_other_heads(node, lines), node.lineno))
    return starts


def _other_heads(node: ast.stmt, lines: list[str]) -> Iterator[int]:
    """The lines of decorators, `else`, `except`, `finally`, and of a case that always matches."""
    for decorator in getattr(node, 'decorator_list', ()):
        yield from range(decorator.lineno, node.lineno)
    for handler in getattr(node, 'handlers', ()):
        yield handler.lineno
    for case in getattr(node, 'cases', ()):
        always = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        if always and case.guard is None:
            yield case.pattern.lineno
    for word in ('orelse', 'finalbody'):
        if block := getattr(node, word, None):
            line = block[0].lineno - 1
            while line > node.lineno and lines[line - 1].strip()[:1] in ('', '#'):
                line -= 1
            if lines[line - 1].lstrip().startswith(('else', 'finally')):
                yield line


def _end(node: ast.stmt, lines: list[str]) -> int:
    """The last line of a statement, or of its head."""
    if isinstance(node, ast.Match):
        return node.subject.end_lineno or node.lineno
    body = getattr(node, 'body', None)
    if not body:
        return node.end_lineno or node.lineno
    last: int = min([body[0].lineno, *(d.lineno for d in getattr(body[0], 'decorator_list', ()))])
    last -= 1
    while last > node.lineno and lines[last - 1].strip()[:1] in ('', '#'):
        last -= 1
    return last
