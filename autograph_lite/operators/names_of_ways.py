"""How messages call the two ways of a condition: by what the user's code asks there."""
from __future__ import annotations

import ast
import functools
import re

from ..errors import Location
from ..graph.graph import Value
from ..ops.control_flow import NOT
from ..ops.exceptions import IS_ERROR
from .disagreements import Ways


def ways_at(here: Location | None, condition: Value) -> Ways:
    """The way where the condition at a place is true, and the one where it is false."""
    if here is None:
        return 'where the condition is true', 'where it is false'
    if condition.node is not None and condition.node.op is IS_ERROR:
        kinds = ' or '.join(kind.__name__ for kind in condition.node.attrs['errors'])
        return f'where {kinds} is caught', 'where another exception is caught'
    asked = _condition(here)
    if not asked:  # whether something before has returned, or has left a loop
        return _ways_of_flag(condition) or (
            f'on one way through line {here.line}', f'on another way through line {here.line}')
    where = f'where `{asked}` (line {here.line})'
    return f'{where} is true', f'{where} is false'


# What the flags of generated code say where they are true, and where they are false.
_FLAGS = {
    'did_return': ('where a `return` has come before', 'where no `return` has come before'),
    'did_break': ('where `break` has ended the loop', 'where `break` has not ended the loop'),
    'did_continue': ('where `continue` has ended the turn', 'where it has not ended by `continue`'),
    'succeeded': ('where the `try` block raises nothing', 'where the `try` block raises'),
}


def _ways_of_flag(condition: Value) -> Ways | None:
    """The two ways of a condition that only generated code asks; None where it is none such."""
    is_negated = False
    while condition.node is not None and condition.node.op is NOT:
        condition, is_negated = condition.node.inputs[0], not is_negated
    ways = _FLAGS.get(re.sub(r'(_\d+)+$', '', condition.name))
    return (ways[1], ways[0]) if ways is not None and is_negated else ways


def _condition(here: Location) -> str:
    """What the user's code asks there, as far as one line of it tells; nothing if it does not."""
    first = here.text.split(maxsplit=1)[:1]
    if first in (['try:'], ['with'], ['for'], ['else:']):
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
        except (SyntaxError, MemoryError):  # the latter where Python looks what is wrong in much
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
