"""Colours for Python: by Pygments where it is installed, else none."""
from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

# Pygments' families of tokens, the most special first, and what they are called here.
_FAMILIES = (
    ('Keyword.Constant', 'number'),
    ('Keyword', 'keyword'),
    ('Operator.Word', 'keyword'),
    ('Name.Function', 'function'),
    ('Name.Decorator', 'function'),
    ('Name.Builtin', 'builtin'),
    ('Literal.String', 'string'),
    ('Literal.Number', 'number'),
    ('Comment', 'comment'),
)
_TERMINAL = {
    'keyword': '35',
    'function': '34',
    'builtin': '36',
    'string': '32',
    'number': '33',
    'comment': '90',
}


def in_html(lines: Sequence[str]) -> list[str]:
    """The lines as HTML, coloured by classes."""
    return [''.join(map(_span, parts)) for parts in _coloured(lines)]


def for_terminal(code: str) -> str:
    """The code with the escape sequences of a terminal."""
    return '\n'.join(''.join(map(_escape, parts)) for parts in _coloured(code.split('\n')))


def _span(part: tuple[str, str]) -> str:
    name, text = part[0], html.escape(part[1], quote=False)
    return f'<span class="{name}">{text}</span>' if name else text


def _escape(part: tuple[str, str]) -> str:
    name, text = part
    return f'\x1b[{_TERMINAL[name]}m{text}\x1b[0m' if name and text.strip() else text


def _coloured(lines: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Each line in parts: what the part is, '' where that is nothing special, and its text."""
    try:
        from pygments.lexers.python import PythonLexer
    except ModuleNotFoundError:
        yield from ([('', line)] for line in lines)
        return
    row: list[tuple[str, str]] = []
    rows = 0
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    for token, text in lexer.get_tokens('\n'.join(lines)):
        first, *rest = text.split('\n')
        row.append((_family(token), first))
        for more in rest:
            yield row
            rows += 1
            row = [(_family(token), more)]
    if rows < len(lines):
        yield row


def _family(token: Any) -> str:
    name = str(token).removeprefix('Token.')
    return next((family for prefix, family in _FAMILIES if name.startswith(prefix)), '')
