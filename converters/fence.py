"""The fence: what does not convert is refused here, by name and line, and nowhere else."""
from __future__ import annotations

import builtins
from typing import NoReturn

import gast

from autograph_lite.converters.callees import meaning
from autograph_lite.converters.constructs import CONSTRUCTS
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import walk_converted
from autograph_lite.errors import ConversionError, Location, describe
from autograph_lite.pyct.tree import Node


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
    Collect the values in a list and return it, or mark it @ag.do_not_convert and call it elsewhere.
    """
    asks = not _ASKING.keys().isdisjoint(context.namespace.mentioned)
    if not asks and not context.namespace.has(*_REFUSED):
        return tree
    for node in walk_converted(tree):
        if asks and isinstance(node, gast.Call) and (asked := asked_by(node, context)):
            what = f'{asked[0]} looks at the variables of the function, which converted code keeps '
            fail(node, f'{what}elsewhere.', asked[1], context)
        construct = CONSTRUCTS.get(type(node).__name__)
        if construct is None or construct.decision != 'refused':
            continue
        if not isinstance(node, gast.comprehension):
            fail(node, f'{construct.name} does not convert.', construct.note, context)
        elif node.is_async:
            fail(node.target, f'{construct.name} does not convert.', construct.note, context)
    return tree


_REFUSED = [
    getattr(gast, kind) for kind, construct in CONSTRUCTS.items()
    if construct.decision == 'refused']


# Builtins that look at the variables of who calls them, if they are given no more than so much.
_ASKING = {'locals': 0, 'vars': 0, 'dir': 0, 'eval': 1, 'exec': 1}


def asked_by(call: Node, context: Context) -> tuple[str, str] | None:
    """What looks at the variables of who calls it, and what to write instead; None if nothing does.

    Branches and loops have variables of their own.
    """
    name = getattr(call.func, 'id', '')
    if name not in _ASKING or meaning(call.func, context) is not getattr(builtins, name):
        return None
    if len(call.args) + len(call.keywords) > _ASKING[name]:
        return None
    shown = f'`{name}({"..." if call.args else ""})`'
    fix = (
        f'Give it a dict of what it needs, as in `{name}(text, {{"n": n}})`'
        if _ASKING[name] else 'Name the variables that you need')
    return shown, f'{fix}, or mark the function @ag.do_not_convert.'


def fail(node: Node, what: str, fix: str, context: Context) -> NoReturn:
    """Refuse a node: say what was found, show where, and say what to write instead."""
    raise ConversionError(describe(what, _location(node, context), fix))


def _location(node: Node, context: Context) -> Location:
    line = context.source.lines[node.lineno - 1].encode()
    start = len(line[: node.col_offset].decode())
    end = len(line[: node.end_col_offset].decode()) if node.end_lineno == node.lineno else None
    return Location(context.source.filename, node.lineno, context.name, start, end)
