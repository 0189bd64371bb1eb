"""What runs knows more than what is printed: the names of results, and what is read from outside.

    x = ag.cond(x > 0, if_true, ag.unchanged, x)
    return x * self.rate + OFFSET, f'{x:.2f}'

is printed, and this runs:

    x = ag.cond(x > 0, if_true, ag.unchanged, x, names=('x',))
    return (
        x * ag.part(self.rate, self, '.rate') + ag.captured(lambda: OFFSET, 'OFFSET'),
        ag.text((x, -1, '.2f')),
    )

Messages then call the results what the user calls them, arrays from outside are tensors of the
graph, a trace knows what it depends on, and a message that is raised when the graph runs has the
values of the run.
"""
from __future__ import annotations

import ast
import builtins
from types import ModuleType

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.build import constant, load
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_STAGED = ('cond', 'while_loop', 'for_loop')


def instrument(tree: Node, context: Context) -> Node:
    """The tree that runs, for the tree that is printed."""
    return _Instrument(tree, context).rewrite(tree)


class _Instrument(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        self._context = context
        self._bodies: dict[str, Node] = {}
        self._declared = {
            name
            for node in ast.walk(tree)
            if isinstance(node, gast.Global | gast.Nonlocal)
            for name in node.names
        }

    def visit_FunctionDef(self, node: Node) -> Node:
        self._bodies[node.name] = node
        return super().visit_FunctionDef(node)

    # The names of results.

    def visit_Assign(self, node: Node) -> Node:
        (target, *others) = node.targets
        if not others and self._staged(node.value):
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            names = [str(qualname_of(part) or '_') for part in parts]
            _add_keyword(node.value, 'names', names)
        return self.generic_visit(node)

    def visit_Call(self, node: Node) -> Node:
        if self._staged(node) == 'for_loop':
            _add_keyword(node, 'items', self._items(node.args[1]))
        if isinstance(node.func, gast.Attribute):
            node.func.value = self.visit(node.func.value)
        else:
            node.func = self.visit(node.func)
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def _staged(self, node: Node) -> str:
        """Which of the staged constructs a call is, if any."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                return attr if name == self._context.ag and attr in _STAGED else ''
        return ''

    def _items(self, body: Node) -> list[str]:
        """The names that a loop's body gives the parts of an item."""
        match body:
            case gast.Lambda(args=gast.arguments(args=[first, *_])):
                return [first.id]
            case gast.Name(id=name) if name in self._bodies:
                function = self._bodies[name]
            case _:
                return []
        item = function.args.args[0].id
        match function.body[0]:
            case gast.Assign(targets=[target], value=gast.Name(id=read)) if read == item:
                return [n.id for n in ast.walk(target) if isinstance(n, gast.Name)]
        return [item]

    # Text with tensors in it.

    def visit_JoinedStr(self, node: Node) -> Node:
        return located(self._call('text', *map(self._piece, node.values)), node)

    def _piece(self, piece: Node) -> Node:
        if not isinstance(piece, gast.FormattedValue):
            return self.visit(piece)
        spec = self.visit(piece.format_spec) if piece.format_spec else constant('')
        parts = [self.visit(piece.value), constant(piece.conversion), spec]
        return gast.Tuple(parts, gast.Load())

    # What is read from outside.

    def visit_Name(self, node: Node) -> Node:
        if not isinstance(node.ctx, gast.Load) or not self._outside(node.id):
            return node
        again = gast.Lambda(gast.arguments([], [], None, [], [], None, []), load(node.id))
        return located(self._call('captured', again, constant(node.id)), node)

    def _outside(self, name: str) -> bool:
        """Whether a name may change its meaning between two calls of the function."""
        if name in self._declared:
            return True
        value = self._context.namespace.value(name)
        return not (
            value is MISSING
            or name == self._context.ag
            or isinstance(value, ModuleType)
            or getattr(builtins, name, MISSING) is value
        )

    def visit_Attribute(self, node: Node) -> Node:
        return self._part(node)

    def visit_Subscript(self, node: Node) -> Node:
        return self._part(node)

    def _part(self, node: Node) -> Node:
        """An attribute or item, guarded if it is read from something that has a name."""
        name = qualname_of(node)
        if name is None or not isinstance(node.ctx, gast.Load) or self._is_module(name.root):
            return self.generic_visit(node)
        steps = str(name).removeprefix(name.root)
        return located(self._call('part', node, load(name.root), constant(steps)), node)

    def _is_module(self, name: str) -> bool:
        value = self._context.namespace.value(name)
        return name == self._context.ag or isinstance(value, ModuleType)

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        node.value = self.visit(node.value)
        match node.target:
            case gast.Attribute(value=value, attr=attr):
                read = self.visit(gast.Attribute(value, attr, gast.Load()))
            case gast.Name(id=name) if name in self._declared:
                read = self.visit(load(name))
            case _:
                return self.generic_visit(node)
        return [located(gast.Expr(read), node), node]

    def _call(self, name: str, *args: Node) -> Node:
        return gast.Call(gast.Attribute(load(self._context.ag), name, gast.Load()), [*args], [])


def _add_keyword(call: Node, name: str, values: list[str]) -> None:
    if values and all(keyword.arg != name for keyword in call.keywords):
        value = gast.Tuple([constant(v) for v in values], gast.Load())
        call.keywords.append(located(gast.keyword(name, value), call))
