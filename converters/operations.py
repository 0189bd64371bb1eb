"""Operators, and items, of what may be an object of the user's."""
from __future__ import annotations

import copy

import gast

from autograph_lite.converters.build import constant, load, operator, parameter
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_BINARY = {
    gast.Add: '+', gast.Sub: '-', gast.Mult: '*', gast.Div: '/', gast.FloorDiv: '//',
    gast.Mod: '%', gast.Pow: '**', gast.MatMult: '@', gast.BitAnd: '&', gast.BitOr: '|',
    gast.BitXor: '^', gast.LShift: '<<', gast.RShift: '>>',
}  # fmt: skip
_COMPARISONS = {
    gast.Eq: '==', gast.NotEq: '!=', gast.Lt: '<', gast.LtE: '<=', gast.Gt: '>', gast.GtE: '>=',
}  # fmt: skip
_UNARY = {gast.USub: '-', gast.UAdd: '+', gast.Invert: '~'}

# What may be evaluated twice in the target of an augmented assignment.
_PURE = (
    gast.Name, gast.Constant, gast.Slice, gast.Tuple, gast.List, gast.Subscript, gast.Attribute,
    gast.UnaryOp, gast.unaryop, gast.expr_context,
)  # fmt: skip


def operations(tree: Node, context: Context) -> Node:
    """Let what the user's classes do for operators be converted, too, while tracing.

    Python itself would call these methods as they are. Nobody needs to see this, so `to_code` shows
    the tree before it.

    >>> show(operations, '''
    ... def f(v, w):
    ...     v += -w * 2
    ...     return v[1:] if v < w else abs(v)
    ... ''')
    def f(v, w):
        v = ag.operation('+=', v, ag.operation('*', ag.operation('-', w), 2))
        return ag.items(v)[1:] if ag.operation('<', v, w) else ag.operation('abs', v)
    """
    _Operations(context).rewrite(tree)
    return tree


class _Operations(Rewriter):
    visit_ClassDef = Rewriter.class_body

    def visit_BinOp(self, node: Node) -> Node:
        if _is_literal(node.left) and _is_literal(node.right):
            return node
        self.generic_visit(node)
        return self._operation(_BINARY[type(node.op)], node, node.left, node.right)

    def visit_UnaryOp(self, node: Node) -> Node:
        self.generic_visit(node)
        if type(node.op) not in _UNARY or _is_literal(node.operand):
            return node
        return self._operation(_UNARY[type(node.op)], node, node.operand)

    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        if len(node.ops) > 1 or type(node.ops[0]) not in _COMPARISONS:
            return self._identity(node)
        return self._operation(
            _COMPARISONS[type(node.ops[0])], node, node.left, node.comparators[0])

    def _identity(self, node: Node) -> Node:
        """`a is b`, of what was a longer comparison."""
        sides = node.left, *node.comparators
        if len(sides) > 2:
            return node
        match node.ops[0]:
            case gast.Is():
                return self._operation('is', node, *sides)
            case gast.IsNot():
                same = self._operation('is', node, *sides)
                return located(operator(self._context, 'not_', same), node)
        return node

    def visit_AugAssign(self, node: Node) -> Node:
        read = copy.deepcopy(node.target)
        is_pure = all(isinstance(part, _PURE) or self._is_own(part) for part in walk(read))
        self.generic_visit(node)
        if not is_pure:
            return node
        read.ctx = gast.Load()
        value = self._augmented(f'{_BINARY[type(node.op)]}=', node, read)
        return located(gast.Assign([node.target], value, None), node)

    def _augmented(self, symbol: str, node: Node, read: Node) -> Node:
        match node.value:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr='cond'),
                args=[_, _, _] as choice, keywords=[],
            ) if name == self._context.ag:
                operands = [parameter(each) for each in ('x', 'y')]
                change = gast.Lambda(
                    gast.arguments(operands, [], None, [], [], None, []),
                    self._operation(symbol, node, *map(load, ('x', 'y'))))
                call = operator(self._context, 'augmented_by_one', change, read, *choice)
                return located(call, node)
        return self._operation(symbol, node, read, node.value)

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.Call(args=[value], keywords=[]) if not isinstance(value, gast.Starred):
                if meaning(node.func, self._context) is abs:
                    return self._operation('abs', node, value)
        return node

    def visit_Subscript(self, node: Node) -> Node:
        self.generic_visit(node)
        names = {gast.Load: 'items', gast.Del: 'deleting'}
        if type(node.ctx) in names:
            owner = operator(self._context, names[type(node.ctx)], node.value)
            node.value = located(owner, node.value)
        return node

    def visit_Attribute(self, node: Node) -> Node:
        self.generic_visit(node)
        if isinstance(node.ctx, gast.Del):
            owner = operator(self._context, 'deleting', node.value, constant(node.attr))
            node.value = located(owner, node.value)
        return node

    def _is_own(self, node: Node) -> bool:
        """Whether it is a call of what only says where an item is."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attribute)):
                return name == self._context.ag and attribute in ('owner', 'setting', 'variable')
        return False

    def _operation(self, symbol: str, node: Node, *operands: Node) -> Node:
        return located(operator(self._context, 'operation', constant(symbol), *operands), node)


def _is_literal(node: Node) -> bool:
    return isinstance(node, gast.Constant)
