"""Python's operators as source."""
from __future__ import annotations

import ast
from collections.abc import Sequence

_BINARY: dict[str, ast.operator] = {
    'add': ast.Add(),
    'sub': ast.Sub(),
    'mul': ast.Mult(),
    'truediv': ast.Div(),
    'floordiv': ast.FloorDiv(),
    'mod': ast.Mod(),
    'pow': ast.Pow(),
    'matmul': ast.MatMult(),
    'and': ast.BitAnd(),
    'or': ast.BitOr(),
    'xor': ast.BitXor(),
    'lshift': ast.LShift(),
    'rshift': ast.RShift(),
}
_COMPARISONS: dict[str, ast.cmpop] = {
    'lt': ast.Lt(),
    'le': ast.LtE(),
    'eq': ast.Eq(),
    'ne': ast.NotEq(),
    'gt': ast.Gt(),
    'ge': ast.GtE(),
}
_UNARY: dict[str, ast.unaryop] = {'neg': ast.USub(), 'pos': ast.UAdd(), 'invert': ast.Invert()}


# The operators that Python has in place, too.
IN_PLACE = frozenset(_BINARY)


def infix(name: str, operands: Sequence[ast.expr]) -> ast.expr:
    """An operator, by the name of its special method without underscores, over its operands."""
    name = name.strip('_')
    if name in _BINARY:
        return ast.BinOp(operands[0], _BINARY[name], operands[1])
    if name in _COMPARISONS:
        return ast.Compare(operands[0], [_COMPARISONS[name]], [operands[1]])
    if name == 'contains':
        return ast.Compare(operands[1], [ast.In()], [operands[0]])
    if name in _UNARY:
        return ast.UnaryOp(_UNARY[name], operands[0])
    return ast.Call(ast.Name(name, ast.Load()), list(operands), [])


def in_place(name: str, target: ast.expr, value: ast.expr) -> ast.stmt:
    """`target += value`, by the name of the operator."""
    return ast.AugAssign(stored(target), _BINARY[name], value)


def stored(target: ast.expr) -> ast.Name | ast.Attribute | ast.Subscript:
    """The name, attribute or item as the target of an assignment."""
    match target:
        case ast.Name(name):
            return ast.Name(name, ast.Store())
        case ast.Attribute(value, attribute):
            return ast.Attribute(value, attribute, ast.Store())
        case ast.Subscript(value, index):
            return ast.Subscript(value, index, ast.Store())
    raise AssertionError(f'{ast.dump(target)} is no target')
