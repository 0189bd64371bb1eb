"""What a function reads from outside."""
from __future__ import annotations

import builtins
import copy
import os
from collections.abc import Collection, Iterator
from types import ModuleType

import gast

from autograph_lite.analysis.qualnames import Attribute, Item, qualname_of
from autograph_lite.converters.build import constant, load, operator, thunk
from autograph_lite.converters.callees import is_of_library, meaning
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.asking import get_attribute
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# Builtins that ask something of their first argument, and how many arguments they take.
_QUESTIONS = {'len': (1,), 'vars': (1,), 'hasattr': (2,), 'getattr': (2, 3)}
# Builtins that give what is not told of where it is read.
_GIVING = ('globals', 'super', 'type')


def captures(tree: Node, context: Context) -> Node:
    """Tell, while tracing, of everything that is read from outside.

    A graph holds as long as what it was traced with is what it was, and arrays from outside are
    read again at every call. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(captures, '''
    ... def step(self, x):
    ...     return x - self.rate + OFFSET
    ... ''')
    def step(self, x):
        return x - ag.part(self, '.rate') + ag.captured(lambda: OFFSET, 'OFFSET')

    Only what is read is told of: an item, a length, that there is no such attribute.

    >>> show(captures, '''
    ... def step(self, x, i):
    ...     if 'rates' in TABLE:
    ...         return self.scaled(x)
    ...     return x * getattr(self, 'rate', 2)
    ... ''')
    def step(self, x, i):
        if ag.part(ag.variable(lambda: TABLE, 'TABLE'), ('in', 'rates')):
            return ag.method(self, '.scaled')(x)
        return x * ag.part(self, ('getattr', 'rate', 2))

    An augmented assignment reads too. What the function has set itself is not from outside.

    >>> show(captures, '''
    ... def count(self):
    ...     self.calls += 1
    ... ''')
    def count(self):
        ag.part(self, '.calls')
        self.calls += 1
        ag.set_part(self, '.calls')
    """
    return _Reads(tree, context).rewrite(tree)


class _Reads(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._declared = _declared(tree)

    # Reading.

    def visit_Name(self, node: Node) -> Node:
        if not isinstance(node.ctx, gast.Load) or not self._is_outside(node.id):
            return node
        read = operator(self._context, 'captured', thunk(node), constant(node.id))
        return located(read, node)

    def visit_Attribute(self, node: Node) -> Node:
        if isinstance(node.ctx, gast.Load):
            return self._told('part', node) or self.generic_visit(node)
        owner = node.value
        if isinstance(owner, gast.Attribute | gast.Subscript):
            node.value = self._told('owner', owner) or owner
        return self.generic_visit(node) if node.value is owner else self._with_key(node)

    visit_Subscript = visit_Attribute

    def _with_key(self, node: Node) -> Node:
        if isinstance(node, gast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_Compare(self, node: Node) -> Node:
        match node:
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[container]):
                question = self._question(container, 'in', node.left)
                if question is not None:
                    if isinstance(node.ops[0], gast.NotIn):
                        question = operator(self._context, 'not_', question)
                    return located(question, node)
        return self.generic_visit(node)

    def visit_Call(self, node: Node) -> Node:
        asked = self._asked(node)
        if asked is not None:
            return located(asked, node)
        if meaning(node.func, self._context) is os.getenv:
            getenv = gast.Attribute(load(self._context.ag), 'getenv', gast.Load())
            node.func = located(getenv, node.func)
        if self._is_operator(node.func, 'call'):
            callee, *arguments = node.args
            node.args = [self._callee(callee), *map(self.visit, arguments)]
        else:
            node.func = self._callee(node.func)
            node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def _callee(self, node: Node) -> Node:
        """What is called: a method, which only its object has, or any other expression."""
        if isinstance(node, gast.Attribute):
            return self._told('method', node) or self.generic_visit(node)
        return self.visit(node)

    def _asked(self, call: Node) -> Node | None:
        """`len(x)` and its like, of something from outside."""
        name = self._asking(call.func)
        if not name or call.keywords or len(call.args) not in _QUESTIONS[name]:
            return None
        return self._question(call.args[0], name, *call.args[1:])

    def _asking(self, function: Node) -> str:
        if isinstance(function, gast.Attribute):
            is_own = self._is_operator(function, function.attr)
            return function.attr if is_own and function.attr in _QUESTIONS else ''
        name = function.id if isinstance(function, gast.Name) else ''
        is_pythons = self._context.namespace.value(name) is getattr(builtins, name, None)
        return name if name in _QUESTIONS and is_pythons else ''

    def _question(self, node: Node, name: str, *arguments: Node) -> Node | None:
        root, steps = self._chain(node)
        is_local = isinstance(root, gast.Name) and not self._is_outside(root.id)
        if root is None or (is_local and not steps and name in ('len', 'in')):
            return None
        asked = gast.Tuple([constant(name), *map(self.visit, arguments)], gast.Load())
        return operator(self._context, 'part', self._root(root), *steps, asked)

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
                case gast.Subscript(value=inner) if _is_key(node.slice):
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
        if isinstance(node, gast.Name) and self._is_outside(node.id):
            read = operator(self._context, 'variable', thunk(node), constant(node.id))
            return located(read, node)
        return self.visit(node)

    # Setting.

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        node.value = self.visit(node.value)
        if qualname_of(node.target) is None:  # such as `x[i]`, whose parts are read
            node.target = self.visit(node.target)
            return node
        read = copy.deepcopy(node.target)
        for part in walk(read):
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
        if name is None or (name.is_simple and name.root not in self._declared):
            return []
        if name.is_simple:
            read = thunk(load(name.root))
            call = operator(self._context, 'set_captured', read, constant(name.root))
        elif self._is_known(name.root):
            return []
        else:
            root, steps = self._root(load(name.root)), map(_written, name.steps)
            call = operator(self._context, 'set_part', root, *steps)
        return [located(gast.Expr(call), target)]

    # What is known.

    def _is_outside(self, name: str) -> bool:
        namespace = self._context.namespace
        is_free = name in namespace.mentioned and not namespace.is_local(name)
        return (is_free or name in self._declared) and not self._is_known(name)

    def _is_known(self, name: str) -> bool:
        """Whether a name stands for something of a library's, by the name that it has there."""
        if name == self._context.ag:
            return True
        value = self._context.namespace.value(name)
        if isinstance(value, ModuleType):
            return is_of_library(value)
        if value is MISSING or not is_of_library(value):
            return False
        return callable(value) and get_attribute(value, '__name__') == name

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
        return (name in _GIVING and is_pythons) or self._is_operator(function, 'call')

    def _is_operator(self, node: Node, name: str) -> bool:
        match node:
            case gast.Attribute(value=gast.Name(id=root), attr=attribute):
                return bool(root == self._context.ag and attribute == name)
        return False


def _is_key(node: Node) -> bool:
    """Whether it can be evaluated before what it is the key of."""
    if isinstance(node, gast.Slice | gast.Tuple):
        return False
    return not any(isinstance(part, gast.Call | gast.NamedExpr) for part in walk(node))


def _written(step: Attribute | Item) -> Node:
    """A step as the operators take it."""
    if isinstance(step, Attribute):
        return constant(f'.{step.name}')
    return gast.List([constant(step.key)], gast.Load())


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
        for node in (*own, *walk(tree))
        if isinstance(node, gast.Global) or (isinstance(node, gast.Nonlocal) and node in own)
        for name in node.names}
