"""The fence: what does not convert is refused here, by name and line, and nowhere else."""
from __future__ import annotations

from typing import NoReturn

import gast

from autograph_lite.converters.constructs import CONSTRUCTS
from autograph_lite.converters.context import Context
from autograph_lite.errors import ConversionError, Location, describe
from autograph_lite.pyct.tree import Node, walk


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
    for node in walk(tree):
        construct = CONSTRUCTS.get(type(node).__name__)
        if construct is None or construct.decision != 'refused':
            continue
        if not isinstance(node, gast.comprehension):
            fail(node, f'{construct.name} does not convert.', construct.note, context)
        elif node.is_async:
            fail(node.target, f'{construct.name} does not convert.', construct.note, context)
    return tree


def fail(node: Node, what: str, fix: str, context: Context) -> NoReturn:
    """Refuse a node: say what was found, show where, and say what to write instead."""
    raise ConversionError(describe(what, _location(node, context), fix))


def _location(node: Node, context: Context) -> Location:
    line = context.source.lines[node.lineno - 1].encode()
    start = len(line[: node.col_offset].decode())
    end = len(line[: node.end_col_offset].decode()) if node.end_lineno == node.lineno else None
    return Location(context.source.filename, node.lineno, context.name, start, end)
