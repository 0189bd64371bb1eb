"""Small Python trees: what the ops of the graph itself become, and how they are put together."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from ..graph.graph import Node
from ..graph.tracing import UNWRAP
from ..ops.control_flow import CAST, IS_MISSING
from ..optimize.elementwise_blocks import BLOCKS
from . import literals
from .blocks import in_blocks
from .literals import call, name
from .optional import present
from .reductions import HasElements
from .spelling import cheapest

__all__ = ['call', 'name']


def expression(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr:
    """The node as an expression over its inputs."""
    cheap = cheapest(node, args, has_elements)
    if cheap is not None:
        return cheap
    if node.op.expression is not None:
        return node.op.expression(node, args)
    if node.op is CAST:
        return _cast(node, args[0])
    if node.op is BLOCKS:
        return _in_blocks(node, args)
    if node.op is IS_MISSING:
        return _is_none(args[0])
    assert node.op is UNWRAP, f'{node.op.name} has no lowering'
    return call(literals.thing(present), args[0], ast.Constant(node.attrs['name']))


def _cast(node: Node, tree: ast.expr) -> ast.expr:
    source, target = node.inputs[0].type, node.outputs[0].type
    cast = literals.cast(tree, source.present, target.present)
    return ast.IfExp(_is_none(tree), ast.Constant(None), cast) if source.maybe else cast


def _in_blocks(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    results = [value.type.dtype for value in node.outputs]
    keywords = [ast.keyword('results', _dtypes(results))]
    if node.attrs['scratch']:
        keywords.append(ast.keyword('scratch', _dtypes(node.attrs['scratch'])))
    function = name(node.attrs['function'])
    return ast.Call(literals.thing(in_blocks), [function, *args], keywords)


def _dtypes(dtypes: Sequence[np.dtype[Any]]) -> ast.expr:
    """A list of dtypes; `[np.float64] * 2` where they are all alike."""
    if len(dtypes) > 1 and len(set(dtypes)) == 1:
        return ast.BinOp(_dtypes(dtypes[:1]), ast.Mult(), ast.Constant(len(dtypes)))
    return ast.List(list(map(literals.dtype_name, dtypes)), ast.Load())


def _is_none(tree: ast.expr) -> ast.expr:
    return ast.Compare(tree, [ast.Is()], [ast.Constant(None)])


def negated(tree: ast.expr) -> ast.expr:
    """`not tree`, of a condition."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return tree.operand
    match tree:
        case ast.Compare(left=item, ops=[ast.In()], comparators=[container]):
            return ast.Compare(item, [ast.NotIn()], [container])
    return ast.UnaryOp(ast.Not(), tree)


def truth(tree: ast.expr) -> ast.expr:
    """A condition, which Python asks for its truth without being told to."""
    match tree:
        case ast.Call(func=ast.Name('bool'), args=[value], keywords=[]):
            return truth(value)
        case ast.BoolOp(op=op, values=values):
            return ast.BoolOp(op, list(map(truth, values)))
        case ast.UnaryOp(op=ast.Not() as op, operand=operand):
            return ast.UnaryOp(op, truth(operand))
    return tree


def chain(operator: ast.boolop, operands: Sequence[ast.expr]) -> ast.expr:
    """`a and b and c`, without parentheses around `b and c`; `a < b < c` for `a < b and b < c`."""
    values: list[ast.expr] = []
    for operand in operands:
        inside = [operand]
        if isinstance(operand, ast.BoolOp) and type(operand.op) is type(operator):
            inside = operand.values
        for value in inside:
            is_and = bool(values) and isinstance(operator, ast.And)
            both = _compared(values[-1], value) if is_and else None
            values[len(values) - (both is not None) :] = [both or value]
    return values[0] if len(values) == 1 else ast.BoolOp(operator, values)


def _compared(left: ast.expr, right: ast.expr) -> ast.Compare | None:
    """`a < b < c` for `a < b` and `b < c`."""
    match left, right:
        case ast.Compare(comparators=[*_, ast.Name(last)]), ast.Compare(left=ast.Name(first)):
            if first == last:
                operators, comparators = left.ops + right.ops, left.comparators + right.comparators
                return ast.Compare(left.left, operators, comparators)
    return None


def first_operand(tree: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """`a` and `b and c` of `a and b and c`; the whole and None of anything else."""
    if not isinstance(tree, ast.BoolOp) or not isinstance(tree.op, ast.And):
        return tree, None
    first, *others = tree.values
    return first, others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)


def assignment(targets: Sequence[str], tree: ast.expr) -> ast.stmt:
    """`a = tree`, or `a, b = tree`."""
    stored: list[ast.expr] = [ast.Name(target, ast.Store()) for target in targets]
    target = stored[0] if len(stored) == 1 else ast.Tuple(stored, ast.Store())
    return ast.Assign([target], tree, lineno=0)


def up_to_raise(block: list[ast.stmt]) -> list[ast.stmt]:
    """The block without what stands behind a `raise` and is never reached."""
    for i, statement in enumerate(block):
        if isinstance(statement, ast.Raise):
            return block[: i + 1]
    return block


def ends_by_raise(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows the block is not reached from it."""
    return bool(block) and isinstance(block[-1], ast.Raise)


def iteration(
    iterable: Sequence[Any], sources: Sequence[ast.expr], items: Iterator[ast.expr]
) -> tuple[ast.expr, ast.expr]:
    """The target and the iterable of a `for` statement.

    Args:
      iterable: what a for_loop's `attrs['iterable']` holds.
      sources: what it reads.
      items: the targets for the leaves of one turn's item.
    """
    kind, *parts = iterable
    if kind == 'range':
        return next(items), call(name('range'), *_range_arguments([sources[i] for i in parts]))
    if kind == 'rows':
        return next(items), sources[parts[0]]
    if kind == 'enumerate':
        counter = next(items)
        target, inner = iteration(parts[0], sources, items)
        start = sources[parts[1]]
        args = [inner] if _is_number(start, 0) else [inner, start]
        return ast.Tuple([counter, target], ast.Store()), call(name('enumerate'), *args)
    inner_parts = [iteration(part, sources, items) for part in parts]
    iterables = call(name(kind), *(inner for _, inner in inner_parts))
    targets = [target for target, _ in inner_parts]
    return targets[0] if kind == 'reversed' else ast.Tuple(targets, ast.Store()), iterables


def _range_arguments(args: Sequence[ast.expr]) -> Sequence[ast.expr]:
    """`range(n)` for `range(0, n, 1)`."""
    start, stop, step = args
    if not _is_number(step, 1):
        return args
    return [stop] if _is_number(start, 0) else [start, stop]


def _is_number(tree: ast.expr, value: int) -> bool:
    return isinstance(tree, ast.Constant) and tree.value == value


def names(tree: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    """The names that the tree reads (`ast.Load`) or assigns (`ast.Store`)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            yield node.id


@dataclass
class Measure:
    """What one look at an expression tells.

    Attributes:
      width: about how many characters it takes.
      counts: how often each known part is in it, by `id`.
      writable: whether Python can write its constants.
    """

    width: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    writable: bool = True


def measure(tree: ast.expr, known: Mapping[int, int] = MappingProxyType({})) -> Measure:
    """Looks at an expression.

    Args:
      tree: the expression.
      known: the widths of some parts, by `id`; they are not looked into.
    """
    found = Measure()
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if id(node) in known:
            found.counts[id(node)] = found.counts.get(id(node), 0) + 1
            found.width += known[id(node)]
        else:
            found.width += _own_width(node)
            found.writable &= not isinstance(node, ast.Constant) or is_writable(node.value)
            stack.extend(ast.iter_child_nodes(node))
    return found


def _own_width(node: ast.AST) -> int:
    if isinstance(node, ast.Name):
        return len(node.id)
    if isinstance(node, ast.Constant):
        return len(repr(node.value)) if is_writable(node.value) else 8
    if isinstance(node, ast.Attribute):
        return len(node.attr) + 1
    if isinstance(node, ast.keyword):
        return len(node.arg or '') + 3
    if isinstance(node, (ast.BinOp, ast.Compare, ast.BoolOp, ast.Subscript)):
        return 4
    if isinstance(node, ast.Call):
        return 2 + 2 * len(node.args)
    if isinstance(node, (ast.Tuple, ast.List)):
        return 2 + 2 * len(node.elts)
    return 1 if isinstance(node, ast.expr) else 0


def is_writable(value: object) -> bool:
    """Whether Python can write the value as a constant of its source."""
    if isinstance(value, tuple):
        return all(map(is_writable, value))
    return value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes)


class Binder(ast.NodeTransformer):
    """Replaces objects that Python cannot write by names.

    Args:
      bind: gives the name of an object; it may be called after the second argument.
      wish: what to call an object without a name of its own.
    """

    def __init__(self, bind: Callable[[Any, str], str], wish: str) -> None:
        self._bind = bind
        self._wish = wish

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """One constant."""
        if is_writable(node.value):
            return node
        wish = getattr(node.value, '__name__', None) or self._wish
        return name(self._bind(node.value, wish))
