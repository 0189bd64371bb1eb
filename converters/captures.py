"""What a function reads from outside."""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import ModuleType

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.build import constant, load, operator, thunk
from autograph_lite.converters.callees import Callee, kind
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def captures(tree: Node, context: Context) -> Node:
    """Tell, while tracing, of everything that is read from outside.

    A graph holds as long as what it was traced with is what it was, and arrays from outside are
    read again at every call. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(captures, '''
    ... def step(self, x):
    ...     return x - self.rate + OFFSET
    ... ''')
    def step(self, x):
        return x - ag.part(self.rate, self, '.rate') + ag.captured(lambda: OFFSET, 'OFFSET')

    An augmented assignment reads too. What the function has set itself is not from outside.

    >>> show(captures, '''
    ... def count(self):
    ...     self.calls += 1
    ... ''')
    def count(self):
        ag.part(self.calls, self, '.calls')
        self.calls += 1
        ag.set_part(self, '.calls')
    """
    _Reads(tree, context).rewrite(tree)
    return tree


class _Reads(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        self._context = context
        self._declared = _declared(tree)

    def visit_Name(self, node: Node) -> Node:
        if not isinstance(node.ctx, gast.Load) or not self._is_outside(node.id):
            return node
        read = operator(self._context, 'captured', thunk(node), constant(node.id))
        return located(read, node)

    def visit_Attribute(self, node: Node) -> Node:
        name = qualname_of(node)
        if name is None or not isinstance(node.ctx, gast.Load) or self._is_known(name.root):
            return self.generic_visit(node)
        root = self.visit_Name(located(load(name.root), node))
        steps = constant(str(name).removeprefix(name.root))
        return located(operator(self._context, 'part', self._plain(node), root, steps), node)

    visit_Subscript = visit_Attribute

    def visit_Call(self, node: Node) -> Node:
        if isinstance(node.func, gast.Attribute):  # a method, which only its object has
            node.func.value = self.visit(node.func.value)
        else:
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        node.value = self.visit(node.value)
        if qualname_of(node.target) is None:  # such as `x[i]`, whose parts are read
            node.target = self.visit(node.target)
            return node
        read = copy.deepcopy(node.target)
        for part in ast.walk(read):
            if isinstance(part, gast.Name | gast.Attribute | gast.Subscript):
                part.ctx = gast.Load()
        told = self.visit(read)
        before = [] if told is read else [located(gast.Expr(told), node)]
        return [*before, node, *self._set(node.target)]

    def visit_Assign(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        told = [
            each for target in node.targets for part in _targets(target)
            for each in self._set(part)]
        return [node, *told] if told else node

    def _set(self, target: Node) -> list[Node]:
        """Statements that tell of a place outside that is set."""
        name = qualname_of(target)
        if name is None or self._is_known(name.root):
            return []
        if not name.is_simple:
            steps = constant(str(name).removeprefix(name.root))
            call = operator(self._context, 'set_part', load(name.root), steps)
        elif name.root in self._declared:
            call = operator(
                self._context, 'set_captured', thunk(load(name.root)), constant(name.root))
        else:
            return []
        return [located(gast.Expr(call), target)]

    def _plain(self, node: Node) -> Node:
        """The place itself, its root told of."""
        if isinstance(node, gast.Name):
            return self.visit_Name(node)
        node.value = self._plain(node.value)
        return node

    def _is_outside(self, name: str) -> bool:
        namespace = self._context.namespace
        is_free = name in namespace.mentioned and not namespace.is_local(name)
        return (is_free or name in self._declared) and not self._is_known(name)

    def _is_known(self, name: str) -> bool:
        """Whether a name stands for a module, or for something of NumPy's or Python's own."""
        if name == self._context.ag:
            return True
        value = self._context.namespace.value(name)
        if isinstance(value, ModuleType):
            return True
        return callable(value) and kind(value) is not Callee.USER


def _targets(target: Node) -> Iterator[Node]:
    """The places that an assignment to a target sets."""
    if isinstance(target, gast.Tuple | gast.List):
        for part in target.elts:
            yield from _targets(part)
    else:
        yield target.value if isinstance(target, gast.Starred) else target


def _declared(tree: Node) -> set[str]:
    """The variables of others that a function sets: by `global`, or by a `nonlocal` of its own."""
    own = () if isinstance(tree, gast.Lambda) else tree.body
    return {
        name
        for node in (*own, *ast.walk(tree))
        if isinstance(node, gast.Global) or (isinstance(node, gast.Nonlocal) and node in own)
        for name in node.names}
