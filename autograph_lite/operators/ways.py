"""How messages call the two ways of a condition: by what the user's code asks there."""
from __future__ import annotations

import ast
import functools

from ..errors import Location
from .disagreements import Ways


def ways_at(here: Location | None) -> Ways:
    """The way where the condition at a place is true, and the one where it is false."""
    if here is None:
        return 'where the condition is true', 'where it is false'
    condition = _condition(here)
    if not condition:  # whether something before has returned, or has left a loop
        return f'on one way through line {here.line}', f'on the other through line {here.line}'
    where = f'where `{condition}` (line {here.line})'
    return f'{where} is true', f'{where} is false'


def _condition(here: Location) -> str:
    """What the user's code asks there, as far as one line of it tells; nothing if it does not."""
    first = here.text.split()[:1]
    if first in (['try:'], ['with'], ['for']):
        return ''
    if first == ['case']:
        return here.text[: here.end_column].strip() if here.end_column else ''
    return _asked(here.text[here.column : here.end_column].strip() or here.text.strip())


@functools.lru_cache(maxsize=256)
def _asked(text: str) -> str:
    """The test in one line of a statement, or in the head of one."""
    statement = text.removeprefix('el')
    for whole in (statement, f'{statement} pass', f'{statement}: pass'):
        try:
            tree = ast.parse(whole)
        except SyntaxError:
            continue
        tests = [
            node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.While | ast.IfExp)
        ]
        if len(tests) == 1:
            return ast.get_source_segment(whole, tests[0]) or text
        match tree.body[0]:
            case ast.Expr(value=ast.BoolOp(values=[first, *_])):
                return ast.get_source_segment(whole, first) or text
            case ast.Expr():
                continue
        if not tests:
            return ''
    return text
