"""Reads of variables that may have no value."""
from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from autograph_lite.analysis.accesses import (
    CHANGES,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    Kind,
    last_name,
)
from autograph_lite.analysis.cfg import CFG, build
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.analysis.symbols import COMPREHENSIONS, FUNCTIONS, symbols
from autograph_lite.analysis.unbound import Unbound, unbound
from autograph_lite.converters.build import assign, constant, load, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.lazy import optional_parts
from autograph_lite.converters.rewriter import Rewriter, blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, children, walk


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

    What only code binds that is never reached is a variable of the function all the same.

    >>> show(unbound_reads, '''
    ... def half(x):
    ...     return x * scale
    ...     scale = 0.5
    ... ''')
    def half(x):
        return x * ag.bound(ag.unbound('scale'))
        scale = 0.5
    """
    reads: dict[Node, bool] = {}
    for function in functions(tree):
        is_cut = any(isinstance(each, gast.Return | gast.Raise) for each in function.body[:-1])
        if not is_cut and not any(any(blocks(statement)) for statement in function.body):
            continue  # nothing of it becomes a function, and nothing is left out
        cfg = build(function)
        _remember(cfg, context)
        reads |= unbound_reads_of(cfg)
    if reads:
        Reads(tree, reads, context).rewrite(tree)
    return tree


def unbound_reads_of(cfg: CFG) -> dict[Node, bool]:
    """The reads of variables that may have no value there, and whether they surely have none."""
    found = unbound(cfg)
    closures = list(_closures(cfg, found))
    if not found.reads and not closures:
        return {}  # as with most
    never = _never_bound(cfg)
    conditional = _bound_in_blocks(cfg.function) | never
    surely = set(found.sure_reads)
    reads = {
        node: node in surely for node in found.reads
        if isinstance(node, gast.Name) and (node.id in conditional or node in surely)}
    for closure, name in closures:
        if name in conditional:
            reads |= dict.fromkeys(_uses(closure, name), name in never)
    return reads


def _uses(closure: Node, name: str) -> Iterator[Node]:
    """Where a closure, or one in it, names a variable of the function around it."""
    pending = children(closure)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name) and node.id == name:
            yield node
        elif not _is_of(node, name):
            pending += children(node)


def _is_of(node: Node, name: str) -> bool:
    """Whether a name is, in this scope, of a variable that it has itself, or of a global one."""
    if isinstance(node, COMPREHENSIONS):
        targets = (each for part in node.generators for each in walk(part.target))
        return any(isinstance(each, gast.Name) and each.id == name for each in targets)
    if not isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        return False
    known = symbols(node)
    return name in known.locals or name in known.globals_


def _never_bound(cfg: CFG) -> frozenset[str]:
    """The variables that only code binds which is never reached: it is left out."""
    bound = {
        access.name.root for point in cfg.points if point.reachable for access in point.accesses
        if access.kind in (Kind.WRITE, Kind.DELETE)}
    return cfg.symbols.locals.difference(cfg.symbols.params, bound)


def _remember(cfg: CFG, context: Context) -> None:
    """Keep what other passes ask of a function as the user wrote it."""
    live = liveness(cfg)
    for loop, names in live.live_at_turn.items():
        after = (*live.live_into(loop.orelse), *live.live_out[loop])
        context.live[loop] = frozenset((*names, *after))
    for node in cfg.before:
        if isinstance(node, gast.ExceptHandler):
            context.live[node] = frozenset(live.live_into(node.body))
    context.changing.update(
        node for node, span in cfg.spans.items() if isinstance(node, ast.expr)
        and any(access.kind in CHANGES for access in cfg.accesses[slice(*span)]))


def _closures(cfg: CFG, found: Unbound) -> Iterator[tuple[Node, str]]:
    """The closures that a function makes, and variables that may have no value for them."""
    scopes = Scopes(cfg)
    if not scopes.captured(cfg.function):
        return
    deleted = {access.name.root for access in cfg.accesses if access.kind is Kind.DELETE}
    for node in cfg.before:
        if any(blocks(node)):
            continue
        for name in scopes.captured(node):
            if name.root in deleted or found.maybe(node, name):
                for closure in walk(node):
                    is_function = isinstance(closure, gast.FunctionDef | gast.Lambda)
                    if is_function and not _is_of(closure, name.root):
                        yield closure, name.root


def _bound_in_blocks(function: Node) -> set[str]:
    """The variables that a branch or a loop may leave without a value."""
    return {
        name
        for statement in function.body if any(blocks(statement))
        for node in walk(statement)
        for name in _given_by(node)}


def _given_by(node: Node) -> list[str]:
    """The names that it gives a value, or of whose value it changes a part."""
    if isinstance(node, ast.stmt):
        changed = [name.id for name in _changed(node)]
        if changed:
            return changed
    match node:
        case gast.Name() if not isinstance(node.ctx, gast.Load):
            return [node.id]
        case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
            return [name]
        case gast.alias():
            return [(node.asname or node.name).partition('.')[0]]
    return []


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
            part for part in children(node)
            if part not in optional and not isinstance(part, gast.Lambda)]


def _root(node: Node) -> Iterator[Node]:
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    if isinstance(node, gast.Name):
        yield node


def checked_name(node: Node, context: Context) -> Node | None:
    """The variable that a call checks, if it is one that does."""
    match node:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=package), attr='bound'), args=[name]
        ) if package == context.ag and isinstance(name, gast.Name):
            return name
    return None


class Reads(Rewriter):
    """Checks variables where they are read."""

    operator = 'bound'

    def __init__(self, tree: Node, reads: dict[Node, bool], context: Context) -> None:
        super().__init__(context)
        self.reads = reads  # and whether the variable surely has no value
        self.own = frozenset(symbols(tree).locals)

    @staticmethod
    def evaluated(statement: Node, surely: bool) -> Iterator[Node]:
        """The names in what a statement evaluates itself, before anything that it holds.

        Args:
          statement: the statement.
          surely: whether only those count that are evaluated whatever the others are.
        """
        if isinstance(statement, gast.FunctionDef | gast.ClassDef):
            return
        inside = {id(each) for block in blocks(statement) for each in block}
        pending = [each for each in children(statement) if id(each) not in inside]
        while pending:
            node = pending.pop(0)
            if isinstance(node, gast.Name):
                if not isinstance(node.ctx, gast.Del):
                    yield node
            elif not isinstance(node, gast.Lambda | gast.ExceptHandler | gast.match_case):
                optional = optional_parts(node) if surely else ()
                pending += [part for part in children(node) if part not in optional]

    def visit_FunctionDef(self, node: Node) -> Node:
        outer, self.own = self.own, frozenset(symbols(node).locals)
        super().visit_FunctionDef(node)
        self.own = outer
        return node

    def block(self, statements: list[Node]) -> list[Node]:
        return super().block([
            each for statement in statements for each in (*self.checks(statement), statement)])

    def checks(self, statement: Node) -> list[Node]:
        """Checks of what a statement changes in place: that must be the value of the variable."""
        checks: dict[str, Node] = {}
        for node in _changed(statement):
            if node in self.reads and not self.reads[node] and node.id in self.own:
                checks.setdefault(node.id, self.checked(node, statement))
        if checks:
            for node in walk(statement):
                if isinstance(node, gast.Name) and node.id in checks:
                    self.reads.pop(node, None)
        return list(checks.values())

    def visit_Name(self, node: Node) -> Node:
        is_read = node in self.reads and isinstance(node.ctx, gast.Load)
        return self._bound(node, node) if is_read else node

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        node.value = self.visit(node.value)
        target = node.target
        if target not in self.reads:
            node.target = self.visit(target)
            return node
        return [self.checked(target, node), node]

    def visit_Delete(self, node: Node) -> list[Node]:
        checks = [self.checked(target, node) for target in node.targets if target in self.reads]
        for check in checks:
            check.value.keywords.append(located(gast.keyword('needed', constant(True)), node))
        return [*checks, self.generic_visit(node)]

    def checked(self, target: Node, like: Node) -> Node:
        """A check in front of a statement that has no place for it."""
        return located(assign(target.id, self._bound(target, like)), like)

    def _bound(self, name: Node, like: Node) -> Node:
        if self.reads[name]:  # without its bindings Python might look for it outside
            value = operator(self._context, 'unbound', constant(name.id))
        else:
            value = located(load(name.id), like)
        return located(operator(self._context, self.operator, value), like)
