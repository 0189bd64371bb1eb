"""Makes a program that differs from plain Python small, for people to read."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from differential import Difference

MAXIMUM = 400  # programs that are tried


def reduced(
    text: str, wanted: Difference, differences: Callable[[str], list[Difference]]
) -> str:
    """A program of fewer statements that differs as the given one does: same way, same kind."""
    left = MAXIMUM
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(text):
            left -= 1
            if left and _differs(candidate, wanted, differences):
                text, smaller = candidate, True
                break
    return text


def _differs(
    text: str, wanted: Difference, differences: Callable[[str], list[Difference]]
) -> bool:
    try:
        found = differences(text)
    except Exception:
        return False
    return any(
        (each.kind, each.way, each.message[:25]) == (wanted.kind, wanted.way, wanted.message[:25])
        for each in found)


def _smaller(text: str) -> Iterator[str]:
    """The program without one statement, or with a block in place of its statement."""
    count = len(list(_blocks(ast.parse(text))))
    for index in reversed(range(count)):
        size = len(list(_blocks(ast.parse(text)))[index])
        for position in reversed(range(size)):
            for inner in (False, True):
                tree = ast.parse(text)
                block = list(_blocks(tree))[index]
                body = getattr(block[position], 'body', None) if inner else []
                if body is None or (inner and isinstance(block[position], _DEFINITIONS)):
                    continue
                block[position : position + 1] = body
                if not block:
                    block.append(ast.Pass())
                candidate = ast.unparse(tree)
                if candidate != text:
                    yield candidate


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ('body', 'orelse', 'finalbody'):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block
