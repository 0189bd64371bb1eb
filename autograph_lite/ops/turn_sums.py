"""What adds up integers over all turns of a loop at once.

    many_turns   inputs (start, stop, *numbers)   `n >= 512 and many_turns(range(n), 2 ** 31, ...)`
    turn_sums    inputs (start, stop, *numbers)   `add_up(f_turns, range(n), ...)`

`attrs['step']` is the step of the range, `attrs['least']` what its far end is at least where it is
long, if that is known, and the numbers have `attrs['bits']` at most. `attrs['block']` is the graph
of some turns, which gives for each sum what every turn adds to it; the backend writes its function.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType, python_scalar

# Turns of a block: fewer cost more calls, of more the arrays leave the cache.
BLOCK = 1 << 13
# With fewer turns a loop is faster.
LEAST = 512


def many_turns(turns: range, bound: int, *numbers: int) -> bool:
    """Whether arrays pay, and hold all that is computed: no number is further from 0 than bound."""
    if len(turns) < LEAST:
        return False
    return all(-bound <= x <= bound for x in (turns[0], turns[-1], *map(int, numbers)))


def add_up(function: Callable[..., Any], turns: range, *numbers: int) -> Any:
    """What all turns add, as Python integers; one alone is no tuple.

    Args:
      function: takes the counter of some turns, an array of int64, and the numbers; gives for each
        sum what every turn adds to it, an array of integers or booleans, or one number for all.
      turns: the range of the counter.
      numbers: what else a turn reads.
    """
    totals: list[int] = []
    for start in range(0, len(turns), BLOCK):
        part = turns[start : start + BLOCK]
        found = function(np.arange(part.start, part.stop, part.step), *numbers)
        sums = [_sum(x, len(part)) for x in (found if isinstance(found, tuple) else (found,))]
        totals = list(map(sum, zip(totals, sums, strict=True))) if totals else sums
    return totals[0] if len(totals) == 1 else tuple(totals)


def _sum(added: Any, count: int) -> int:
    if not isinstance(added, np.ndarray):
        return int(added) * count
    return int(np.count_nonzero(added) if added.dtype == np.bool_ else np.add.reduce(added))


def _turns(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    start, stop, *_ = args
    step = node.attrs['step']
    bounds = [start, stop] if step == 1 else [start, stop, ast.Constant(step)]
    if step == 1 and isinstance(start, ast.Constant) and start.value == 0:
        bounds = [stop]
    return ast.Call(ast.Name('range', ast.Load()), bounds, [])


def _test(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    function: Any = many_turns  # the program names what is no literal
    bound = ast.BinOp(ast.Constant(2), ast.Pow(), ast.Constant(node.attrs['bits']))
    called = ast.Call(ast.Constant(function), [_turns(node, args), bound, *args[2:]], [])
    if node.attrs['least'] is None:
        return called
    # Short loops ask for no more than this.
    far, least = args[1 if node.attrs['step'] > 0 else 0], ast.Constant(node.attrs['least'])
    return ast.BoolOp(ast.And(), [ast.Compare(far, [ast.GtE()], [least]), called])


def _sums(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    function: Any = add_up
    block = ast.Name(node.attrs['function'], ast.Load())
    return ast.Call(ast.Constant(function), [block, _turns(node, args), *args[2:]], [])


def _truth(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _integers(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return (python_scalar(int),) * len(attrs['block'].outputs)


MANY_TURNS = Op('many_turns', _truth, expression=_test)
TURN_SUMS = Op('turn_sums', _integers, expression=_sums)
