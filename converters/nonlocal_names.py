"""Variables that a nested function gives their first value."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph_lite.analysis.symbols import FUNCTIONS, symbols
from autograph_lite.converters.build import assign, unbound
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.converters.unbound_reads import Reads
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node, children, walk


def nonlocal_names(tree: Node, context: Context) -> Node:
    """Let a variable be there before the nested function that sets it by `nonlocal`.

    Python needs no more than a statement anywhere that would give it a value, even one that is
    never run and of which nothing is left; and a loop in the nested function gives back, where it
    makes no turn, what it was given.

    >>> show(nonlocal_names, '''
    ... def last(xs):
    ...     def run():
    ...         nonlocal x
    ...         for x in xs:
    ...             pass
    ...     run()
    ...     return x
    ...     x = None
    ... ''')
    def last(xs):
        x = ag.unbound('x')
        def run():
            nonlocal x
            for x in xs:
                pass
        run()
        return ag.bound(x)
        x = None
    """
    reads: dict[Node, bool] = {}
    if not context.namespace.has(gast.Nonlocal):
        return tree
    for function in list(functions(tree)):
        own = symbols(function)
        for name in _set_inside(function):
            if name not in own.locals or name in own.params:
                continue
            at = _before_set(function.body, name)
            if at is not None:
                reads |= dict.fromkeys(_reads(function, name), False)
                value = assign(name, unbound(name, context))
                function.body.insert(at, located(value, front_of(function.body[at])))
    if reads:
        Reads(tree, reads, context).rewrite(tree)
    return tree


def _set_inside(function: Node) -> dict[str, None]:
    """The names that functions nested in a function declare `nonlocal`."""
    declared = (node for node in walk(function) if isinstance(node, gast.Nonlocal))
    return {name: None for node in declared for name in node.names}


def _before_set(statements: list[Node], name: str) -> int | None:
    """Where a variable may get its first value, if a function that sets it may be called before.

    That is a function, or a statement with blocks of which not all bind the variable.
    """
    at = None
    is_set = False
    setters: set[str] = set()
    for i, statement in enumerate(statements):
        is_setter = _declares(statement, name)
        if at is None and (is_setter or _binds(statement, name)):
            at = i
        is_set |= is_setter
        if is_setter and isinstance(statement, gast.FunctionDef):
            setters.add(statement.name)
            continue
        if is_setter or any(isinstance(n, gast.Name) and n.id in setters for n in walk(statement)):
            break
        if isinstance(statement, _ENDING):
            break
        if _surely_binds(statement, name):
            return None
    return at if is_set else None


_ENDING = gast.Return | gast.Raise


def _declares(statement: Node, name: str) -> bool:
    return any(isinstance(node, gast.Nonlocal) and name in node.names for node in walk(statement))


def _binds(statement: Node, name: str) -> bool:
    return any(
        isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)
        for node in walk(statement))


def _surely_binds(statement: Node, name: str) -> bool:
    match statement:
        case gast.If(body=body, orelse=orelse):
            return all(
                any(_surely_binds(each, name) for each in block) for block in (body, orelse))
        case gast.With(body=body):
            return any(_surely_binds(each, name) for each in body)
    return not any(blocks(statement)) and _binds(statement, name)


def _reads(scope: Node, name: str) -> Iterator[Node]:
    """The reads of a function's variable, also in the functions nested in it."""
    for node in children(scope):
        if isinstance(node, FUNCTIONS) and name in symbols(node).locals:
            continue
        if isinstance(node, gast.Name) and node.id == name:
            yield node
        yield from _reads(node, name)
