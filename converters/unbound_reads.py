"""Reads of variables that may have no value."""
from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from autograph_lite.analysis.accesses import (
    CHANGES,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    last_name,
)
from autograph_lite.analysis.cfg import CFG, build
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.reaching import ReachingDefinitions, reaching_definitions
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.analysis.symbols import symbols
from autograph_lite.converters.build import assign, constant, load, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.python_values import optional_parts
from autograph_lite.converters.rewriter import Rewriter, blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def unbound_reads(tree: Node, context: Context) -> Node:
    """Check a variable that may have no value where it is read.

    A branch or a loop that is a function gives back every variable that it may bind, and for one
    that it did not bind a value that says so. Python would have nothing, and raise an error when
    the variable is read; so does `ag.bound`.

    >>> show(unbound_reads, '''
    ... def last(xs):
    ...     for x in xs:
    ...         y = x * 2
    ...     return y
    ... ''')
    def last(xs):
        for x in xs:
            y = x * 2
        return ag.bound(y)

    What is changed has to be in the variable.

    >>> show(unbound_reads, '''
    ... def lasts(xs):
    ...     for x in xs:
    ...         last = [x]
    ...     last.append(1)
    ...     return last
    ... ''')
    def lasts(xs):
        for x in xs:
            last = [x]
        last = ag.bound(last)
        last.append(1)
        return last
    """
    reads: dict[Node, bool] = {}
    for function in functions(tree):
        if not any(any(blocks(statement)) for statement in function.body):
            continue  # nothing of it becomes a function
        cfg = build(function)
        scopes = Scopes(cfg)
        _remember(cfg, scopes, context)
        reaching = reaching_definitions(cfg, scopes)
        conditional = _bound_in_blocks(function)
        surely = set(reaching.surely_unbound_reads)
        reads |= {
            node: node in surely for node in reaching.unbound_reads
            if isinstance(node, gast.Name) and (node.id in conditional or node in surely)}
        for closure, name in _closures(cfg, scopes, reaching):
            if name in conditional:
                reads |= {
                    node: False for node in walk(closure)
                    if isinstance(node, gast.Name) and node.id == name}
    return _Reads(tree, reads, context).rewrite(tree)


def _remember(cfg: CFG, scopes: Scopes, context: Context) -> None:
    """Keep what other passes ask of a function as the user wrote it."""
    live = liveness(cfg, scopes)
    for loop, names in live.live_at_turn.items():
        after = (*live.live_into(loop.orelse), *live.live_out[loop])
        context.live[loop] = frozenset(name.root for name in (*names, *after))
    context.changing.update(
        node for node, span in cfg.spans.items() if isinstance(node, ast.expr)
        and any(access.kind in CHANGES for access in cfg.accesses[slice(*span)]))


def _closures(
    cfg: CFG, scopes: Scopes, reaching: ReachingDefinitions
) -> Iterator[tuple[Node, str]]:
    """The closures that a function makes, and variables that may have no value for them."""
    deleted = {name.root for name in scopes.function.deleted}
    for node in cfg.before:
        if any(blocks(node)):
            continue
        for name in scopes[node].captured:
            if name.root in deleted or reaching.maybe_unbound(node, name):
                for closure in walk(node):
                    is_function = isinstance(closure, gast.FunctionDef | gast.Lambda)
                    if is_function and name.root not in symbols(closure).locals:
                        yield closure, name.root


def _bound_in_blocks(function: Node) -> set[str]:
    """The variables that a branch or a loop may leave without a value."""
    return {
        node.id
        for statement in function.body if any(blocks(statement))
        for node in walk(statement)
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}


def _changed(statement: Node) -> Iterator[Node]:
    """The names of the variables whose values a simple statement changes in place for certain."""
    if any(blocks(statement)) or isinstance(statement, gast.FunctionDef | gast.ClassDef):
        return
    pending = [statement]
    while pending:
        node = pending.pop()
        match node:
            case gast.Attribute(ctx=gast.Store() | gast.Del()):
                yield from _root(node)
            case gast.Subscript(ctx=gast.Store() | gast.Del()):
                yield from _root(node)
            case gast.Call(func=gast.Attribute(value=base, attr=name)) if name in MUTATING_METHODS:
                yield from _root(base)
            case gast.Call(func=function, args=[first, *_]):
                if last_name(function) in MUTATING_FUNCTIONS:
                    yield from _root(first)
        optional = optional_parts(node)
        pending += [
            part for part in ast.iter_child_nodes(node)
            if part not in optional and not isinstance(part, gast.Lambda)]


def _root(node: Node) -> Iterator[Node]:
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    if isinstance(node, gast.Name):
        yield node


class _Reads(Rewriter):
    def __init__(self, tree: Node, reads: dict[Node, bool], context: Context) -> None:
        super().__init__(context)
        self._reads = reads  # and whether the variable surely has no value
        self._own = frozenset(symbols(tree).locals)

    def visit_FunctionDef(self, node: Node) -> Node:
        outer, self._own = self._own, frozenset(symbols(node).locals)
        super().visit_FunctionDef(node)
        self._own = outer
        return node

    def block(self, statements: list[Node]) -> list[Node]:
        return super().block([
            each for statement in statements for each in (*self._checks(statement), statement)])

    def _checks(self, statement: Node) -> list[Node]:
        """Checks of what a statement changes in place: that must be the value of the variable."""
        checks: dict[str, Node] = {}
        for node in _changed(statement):
            if node in self._reads and not self._reads[node] and node.id in self._own:
                checks.setdefault(node.id, self._checked(node, statement))
        if checks:
            for node in ast.walk(statement):
                if isinstance(node, gast.Name) and node.id in checks:
                    self._reads.pop(node, None)
        return list(checks.values())

    def visit_Name(self, node: Node) -> Node:
        is_read = node in self._reads and isinstance(node.ctx, gast.Load)
        return self._bound(node, node) if is_read else node

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        node.value = self.visit(node.value)
        target = node.target
        if target not in self._reads:
            node.target = self.visit(target)
            return node
        return [self._checked(target, node), node]

    def visit_Delete(self, node: Node) -> list[Node]:
        checks = [self._checked(target, node) for target in node.targets if target in self._reads]
        return [*checks, self.generic_visit(node)]

    def _checked(self, target: Node, like: Node) -> Node:
        """A check in front of a statement that has no place for it."""
        return located(assign(target.id, self._bound(target, like)), like)

    def _bound(self, name: Node, like: Node) -> Node:
        if self._reads[name]:  # without its bindings Python might look for it outside
            value = operator(self._context, 'unbound', constant(name.id))
        else:
            value = located(load(name.id), like)
        return located(operator(self._context, 'bound', value), like)
