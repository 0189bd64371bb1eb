"""`select`: a choice by a mask, written into an array by arithmetic on the bits of its elements.

    select   inputs (out, mask, value); `out` is modified
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.graph import Node, Op


def select(out: np.ndarray[Any, Any], mask: np.ndarray[Any, Any], value: Any) -> None:
    """Writes `np.where(mask, value, out)` into `out`, to the last bit.

    Args:
      out: numbers of 2 or 4 bytes.
      mask: booleans of the same shape.
      value: an array of the same shape and type, or a number.
    """
    dtype = _BITS[out.itemsize]
    bits = out.view(dtype)
    changed = np.asarray(value, out.dtype).view(dtype) ^ bits
    changed *= mask
    bits ^= changed


_BITS = {2: np.int16, 4: np.int32}


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    function: Any = select  # the program names what is no literal
    args, _ = node.attrs['arguments'].write(values)
    return [ast.Expr(ast.Call(ast.Constant(function), args, []))]


SELECT = Op('select', lambda types, _: types[0], statement=_write, updates=True)
