"""Names of caught exceptions that are names of other things, too."""
from __future__ import annotations

import copy
from collections.abc import Iterator

import gast

from autograph_lite.analysis.symbols import symbols
from autograph_lite.converters.build import assign, constant, load, store
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import falls, own_jumps
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.pyct.names import names_of
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, name_node, walk


def handler_names(tree: Node, context: Context) -> Node:
    """Give an exception a name of its own, and say where the handler takes away the variable.

    >>> show(handler_names, after='nonlocal_names', text='''
    ... def parse(text, e=None):
    ...     try:
    ...         return float(text)
    ...     except ValueError as e:
    ...         text = str(e)
    ...     return text, e
    ... ''')
    def parse(text, e=None):
        try:
            return float(text)
        except ValueError as error:
            text = str(error)
            e = None
            del e
        return text, e
    """
    if context.namespace.has(gast.Try, gast.TryStar):
        for function in functions(tree):
            names = _of_other_things(function)
            for handler in list(_handlers(function.body)):
                if handler.name is not None and handler.name.id in names:
                    _say(handler, context)
    return tree


def _of_other_things(function: Node) -> set[str]:
    """The names of exceptions that a function binds otherwise, or once more in the handler."""
    named = {each: each.name for each in _handlers(function.body) if each.name is not None}
    for handler in named:
        handler.name = None
    own = symbols(function) if named else None
    for handler, name in named.items():
        handler.name = name
    others = set[str]() if own is None else {*own.locals, *own.globals_, *own.nonlocals}
    for handler, name in named.items():
        others.update(
            name.id for inner in _handlers(handler.body)
            if inner in named and named[inner].id == name.id)
    return others


def _handlers(block: list[Node]) -> Iterator[Node]:
    """The handlers among statements and in those."""
    for statement in block:
        yield from getattr(statement, 'handlers', ())
        for inner in blocks(statement):
            yield from _handlers(inner)


def _say(handler: Node, context: Context) -> None:
    name, body = handler.name.id, handler.body
    error = context.helper('error', f'{handler.lineno} {handler.col_offset}')
    handler.name = located(store(error), handler)
    parts = [part for statement in body for part in walk(statement)]
    mentions = [part for part in parts if name in names_of([part])]
    is_only_read = all(
        isinstance(each, gast.Name) and isinstance(each.ctx, gast.Load) for each in mentions)
    if is_only_read:
        for each in mentions:
            each.id = error
    # Whether there is something to take away, only the running function knows.
    take_away = [assign(name, constant(None)), gast.Delete([name_node(name, gast.Del())])]
    for kind in (gast.Break, gast.Continue):
        for block, index in reversed(list(own_jumps(body, kind))):
            block[index:index] = located(copy.deepcopy(take_away), block[index])
    if falls(body):
        body += located(take_away, body[-1])
    if not is_only_read:
        body.insert(0, located(assign(name, load(error)), handler))
