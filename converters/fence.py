"""The fence: what does not convert is refused here, by name and line, and nowhere else.

The one table of what the converter does with each construct of Python, which the fence, the
documentation and the tests share.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal, NoReturn

import gast

from autograph_lite.converters.context import Context
from autograph_lite.errors import ConversionError, Location, describe
from autograph_lite.pyct.tree import Node

Decision = Literal['converts', 'unchanged', 'refused']


@dataclass(frozen=True)
class Construct:
    """What happens to one construct, and for one that is refused what to write instead."""

    name: str
    decision: Decision
    fix: str = ''


_NO_GENERATOR = (
    'Collect the values in a list and return it, or mark the function @ag.do_not_convert.'
)
_NO_COROUTINE = 'Await outside the function, or mark the function @ag.do_not_convert.'

CONSTRUCTS = {
    'FunctionDef': Construct('a nested function', 'converts'),
    'AsyncFunctionDef': Construct('`async def`', 'refused', _NO_COROUTINE),
    'ClassDef': Construct('a nested class', 'unchanged'),
    'Return': Construct('`return`', 'converts'),
    'Delete': Construct('`del`', 'converts'),
    'Assign': Construct('an assignment', 'unchanged'),
    'TypeAlias': Construct('a type alias', 'unchanged'),
    'AugAssign': Construct('an augmented assignment', 'unchanged'),
    'AnnAssign': Construct('an annotated assignment', 'unchanged'),
    'For': Construct('`for`', 'converts'),
    'AsyncFor': Construct('`async for`', 'refused', _NO_COROUTINE),
    'While': Construct('`while`', 'converts'),
    'If': Construct('`if`', 'converts'),
    'With': Construct('`with`', 'unchanged'),
    'AsyncWith': Construct('`async with`', 'refused', _NO_COROUTINE),
    'Match': Construct('`match`', 'unchanged'),
    'Raise': Construct('`raise`', 'unchanged'),
    'Try': Construct('`try`', 'unchanged'),
    'TryStar': Construct('`try` with `except*`', 'unchanged'),
    'Assert': Construct('`assert`', 'unchanged'),
    'Import': Construct('`import`', 'unchanged'),
    'ImportFrom': Construct('`from ... import`', 'unchanged'),
    'Global': Construct('`global`', 'unchanged'),
    'Nonlocal': Construct('`nonlocal`', 'unchanged'),
    'Expr': Construct('an expression statement', 'unchanged'),
    'Pass': Construct('`pass`', 'unchanged'),
    'Break': Construct('`break`', 'converts'),
    'Continue': Construct('`continue`', 'converts'),
    'BoolOp': Construct('`and` and `or`', 'converts'),
    'NamedExpr': Construct('`:=`', 'converts'),
    'BinOp': Construct('a binary operator', 'unchanged'),
    'UnaryOp': Construct('`not`', 'converts'),
    'Lambda': Construct('`lambda`', 'converts'),
    'IfExp': Construct('a conditional expression', 'converts'),
    'Dict': Construct('a dict display', 'unchanged'),
    'Set': Construct('a set display', 'unchanged'),
    'ListComp': Construct('a list comprehension', 'unchanged'),
    'SetComp': Construct('a set comprehension', 'unchanged'),
    'DictComp': Construct('a dict comprehension', 'unchanged'),
    'GeneratorExp': Construct('a generator expression', 'unchanged'),
    'Await': Construct('`await`', 'refused', _NO_COROUTINE),
    'Yield': Construct('`yield`', 'refused', _NO_GENERATOR),
    'YieldFrom': Construct('`yield from`', 'refused', _NO_GENERATOR),
    'Compare': Construct('a chained comparison', 'converts'),
    'Call': Construct('a call', 'converts'),
    'JoinedStr': Construct('an f-string', 'unchanged'),
    'TemplateStr': Construct('a t-string', 'unchanged'),
    'Constant': Construct('a literal', 'unchanged'),
    'Attribute': Construct('an attribute', 'unchanged'),
    'Subscript': Construct('an item', 'unchanged'),
    'Starred': Construct('a starred expression', 'unchanged'),
    'Name': Construct('a name', 'unchanged'),
    'List': Construct('a list display', 'unchanged'),
    'Tuple': Construct('a tuple display', 'unchanged'),
    'Slice': Construct('a slice', 'unchanged'),
    'comprehension': Construct('`async` in a comprehension', 'refused', _NO_COROUTINE),
}


def fence(tree: Node, context: Context) -> Node:
    """Refuse what does not convert.

    What a generator or a coroutine has done between two resumptions is nowhere in its result, so
    there is nothing that a graph could compute.

    >>> show(fence, '''
    ... def f(xs):
    ...     for x in xs:
    ...         yield x
    ... ''')
    Traceback (most recent call last):
      ...
    autograph_lite.errors.ConversionError: `yield` does not convert.
      File "example.py", line 3, in f
        yield x
        ^^^^^^^
    Collect the values in a list and return it, or mark the function @ag.do_not_convert.
    """
    for node in ast.walk(tree):
        construct = CONSTRUCTS.get(type(node).__name__)
        if construct is None or construct.decision != 'refused':
            continue
        if not isinstance(node, gast.comprehension):
            fail(node, f'{construct.name} does not convert.', construct.fix, context)
        elif node.is_async:
            fail(node.target, f'{construct.name} does not convert.', construct.fix, context)
    return tree


def fail(node: Node, what: str, fix: str, context: Context) -> NoReturn:
    """Refuse a node: say what was found, show where, and say what to write instead."""
    raise ConversionError(describe(what, _location(node, context), fix))


def _location(node: Node, context: Context) -> Location:
    line = context.source.lines[node.lineno - 1].encode()
    start = len(line[: node.col_offset].decode())
    end = len(line[: node.end_col_offset].decode()) if node.end_lineno == node.lineno else None
    return Location(context.source.filename, node.lineno, context.name, start, end)
