"""`with` a manager that may end what is raised in its block, or asks what that is."""
from __future__ import annotations

from collections import Counter

import gast

from autograph_lite.converters.acting import called, functions_in
from autograph_lite.converters.build import assign, constant, load, negated, store
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import jumps_out_of
from autograph_lite.converters.managers import leaving, own_nodes
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def catching_managers(tree: Node, context: Context) -> Node:
    """Let the `__exit__` of the user's class be called by a handler: a graph knows of `try`.

    Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(catching_managers, after='fence', text='''
    ... class Forgiving:
    ...     def __enter__(self):
    ...         return self
    ...     def __exit__(self, kind, error, trace):
    ...         return kind is ValueError
    ... def root(x, default):
    ...     y = default
    ...     with Forgiving():
    ...         y = invert(x)
    ...     return y
    ... ''')
    def root(x, default):
        y = default
        manager = Forgiving()
        manager.__enter__()
        try:
            y = invert(x)
        except BaseException as error:
            if not manager.__exit__(type(error), error, error.__traceback__):
                raise
        else:
            manager.__exit__(None, None, None)
        return y

    Where the block may also be left by `return`, `break` or `continue`, `finally` calls it then, as
    in PEP 343.
    """
    if context.namespace.has(gast.With):
        _Withs(tree, context).rewrite(tree)
    return tree


class _Withs(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._given = _given_once(tree)
        self._inner = functions_in(tree, context)

    def visit_With(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        catching = [self._is_catching(item.context_expr, node.body) for item in node.items]
        if not any(catching):
            return node
        body = node.body
        for item, is_catching in zip(reversed(node.items), reversed(catching), strict=True):
            made = self._caught(item, body) if is_catching else [gast.With([item], body, None)]
            body = [located(each, node) for each in made]
        return body

    def _is_catching(self, manager: Node, block: list[Node]) -> bool:
        """Whether a manager has a part in what its block raises, as far as is known."""
        if isinstance(manager, gast.Name):
            manager = self._given.get(manager.id, manager)
        is_call = isinstance(manager, gast.Call)
        meant = meaning(manager.func if is_call else manager, self._context)
        kind = meant if is_call else type(meant)
        found = leaving(kind) if isinstance(kind, type) else None
        return found is not None and (found.swallows or (found.reads_error and self._raises(block)))

    def _raises(self, block: list[Node]) -> bool:
        """Whether a statement of a block, or of a function that it calls, raises by what it is."""
        parts = [part for each in block for part in (each, *own_nodes(each))]
        if any(isinstance(part, gast.Raise | gast.Assert) for part in parts):
            return True
        calls = (part for part in parts if isinstance(part, gast.Call))
        functions = (called(call, self._inner, self._context) for call in calls)
        return any(
            isinstance(part, gast.Raise | gast.Assert)
            for function in functions if function is not None for part in own_nodes(function))

    def _caught(self, item: Node, block: list[Node]) -> list[Node]:
        place = f'{item.context_expr.lineno} {item.context_expr.col_offset}'
        manager, error, handled = (
            self._context.helper(name, place) for name in ('manager', 'error', 'handled'))
        trace = gast.Attribute(load(error), '__traceback__', gast.Load())
        raised = gast.Call(load('type'), [load(error)], []), load(error), trace
        handling: list[Node] = [
            gast.If(negated(_method(manager, '__exit__', *raised)), [gast.Raise(None, None)], [])]
        leave = gast.Expr(_method(manager, '__exit__', *(constant(None) for _ in range(3))))
        entered = _method(manager, '__enter__')
        enter = (
            gast.Expr(entered) if item.optional_vars is None
            else gast.Assign([item.optional_vars], entered, None))
        start = [assign(manager, item.context_expr), enter]
        handler = gast.ExceptHandler(load('BaseException'), store(error), handling)
        if not jumps_out_of(block):
            return [*start, gast.Try(block, [handler], [leave], [])]
        handling.insert(0, assign(handled, constant(True)))
        inner = gast.Try(block, [handler], [], [])
        final = gast.If(negated(load(handled)), [leave], [])
        return [*start, assign(handled, constant(False)), gast.Try([inner], [], [], [final])]


def _given_once(tree: Node) -> dict[str, Node]:
    """What is assigned to the names that are bound at one place only."""
    nodes = list(walk(tree))
    times = Counter(
        node.id for node in nodes
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load))
    return {
        node.targets[0].id: node.value for node in nodes
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
        and times[node.targets[0].id] == 1}


def _method(owner: str, name: str, *arguments: Node) -> Node:
    return gast.Call(gast.Attribute(load(owner), name, gast.Load()), list(arguments), [])
