"""What expressions start from, and the steps from there: `self.config['rate']`."""
from __future__ import annotations

import builtins
import copy
from collections.abc import Collection

import gast

from autograph_lite.converters.aliases import aliases, is_key
from autograph_lite.converters.build import constant, operator, thunk
from autograph_lite.converters.callees import (
    is_known_as,
    is_of_library,
    is_operator,
    meaning,
    reads_objects,
)
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.asking import get_attribute
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# Builtins that ask something of their first argument, and how many arguments they take.
QUESTIONS = {'len': (1,), 'vars': (1,), 'hasattr': (2,), 'getattr': (2, 3)}
# Builtins that give what is not told of where it is read.
_GIVING = ('globals', 'super', 'type')
# Operators that give what others gave.
_HANDING = ('call', 'cond', 'and_', 'or_', 'item', 'bound', 'guarded')


class Chains(Rewriter):
    """A rewriter that knows of expressions whether they lead to what is outside."""

    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._declared = _declared(tree, context)
        self._aliases = aliases(tree)

    def _told(self, name: str, node: Node) -> Node | None:
        """The read by the operator of this name; None for what nobody changes."""
        root, steps = self._chain(node)
        if root is None or not steps:
            return None
        return located(operator(self._context, name, self._root(root), *steps), node)

    def _chain(self, node: Node) -> tuple[Node | None, list[Node]]:
        """What an expression starts from, and the steps from there; None for what is known."""
        steps: list[Node] = []
        while True:
            match node:
                case gast.Attribute(value=inner):
                    steps.append(node)
                case gast.Subscript(value=inner) if is_key(node.slice):
                    steps.append(node)
                case gast.Call(args=[inner], keywords=[]) if self._asking(node.func) == 'vars':
                    steps.append(node)
                case gast.Name():
                    known = self._is_known(node.id) and not self._changes(node.id, steps)
                    return None if known else node, [self._step(each) for each in steps[::-1]]
                case gast.Call() if self._gives_objects(node.func):
                    return node, [self._step(each) for each in steps[::-1]]
                case _:
                    return None, []
            node = inner

    def _step(self, node: Node) -> Node:
        """A step as the operators take it."""
        if isinstance(node, gast.Attribute):
            return constant(f'.{node.attr}')
        if isinstance(node, gast.Subscript):
            return gast.List([self.visit(copy.deepcopy(node.slice))], gast.Load())
        return gast.Tuple([constant('vars')], gast.Load())

    def _root(self, node: Node) -> Node:
        """What the steps start from, as the operators take it."""
        if isinstance(node, gast.Name) and self._is_outside(node.id):
            read = operator(self._context, 'variable', thunk(node), constant(node.id))
            return located(read, node)
        return self.visit(node)

    def _asking(self, function: Node) -> str:
        """The question that a call of this asks; empty for any other."""
        if isinstance(function, gast.Attribute):
            is_own = is_operator(function, function.attr, self._context)
            return function.attr if is_own and function.attr in QUESTIONS else ''
        name = function.id if isinstance(function, gast.Name) else ''
        is_pythons = self._context.namespace.value(name) is getattr(builtins, name, None)
        return name if name in QUESTIONS and is_pythons else ''

    def _is_outside(self, name: str) -> bool:
        """Whether a variable is one of a module, or of a function around this one."""
        namespace = self._context.namespace
        is_free = name in namespace.mentioned and not namespace.is_local(name)
        return (is_free or name in self._declared) and not self._is_known(name)

    def _is_known(self, name: str) -> bool:
        """Whether a name stands for something of a library's, by the name that it has there."""
        if name == self._context.ag:
            return True
        value = self._context.namespace.value(name)
        return value is not MISSING and is_known_as(value, name)

    def _changes(self, name: str, steps: list[Node]) -> bool:
        """Whether an attribute of a library's module is a container, such as `os.environ`."""
        if not steps or not isinstance(steps[-1], gast.Attribute):
            return False
        found = get_attribute(self._context.namespace.value(name), steps[-1].attr)
        return isinstance(found, Collection) and not isinstance(found, str | bytes | tuple | type)

    def _gives_objects(self, function: Node) -> bool:
        """Whether a call may give an object of the user's: the user's function does."""
        name = function.id if isinstance(function, gast.Name) else ''
        is_pythons = self._context.namespace.value(name) is getattr(builtins, name, None)
        if (name in _GIVING and is_pythons) or any(
                is_operator(function, each, self._context) for each in _HANDING):
            return True
        known = meaning(function, self._context)
        return reads_objects(known) or (isinstance(known, type) and not is_of_library(known))


def _declared(tree: Node, context: Context) -> set[str]:
    """The variables of others that a function sets: by `global`, or by a `nonlocal` of its own."""
    own = () if isinstance(tree, gast.Lambda) else tree.body
    nodes = walk(tree) if context.namespace.has(gast.Global) else own
    return {
        name
        for node in (*own, *nodes)
        if isinstance(node, gast.Global) or (isinstance(node, gast.Nonlocal) and node in own)
        for name in node.names}
