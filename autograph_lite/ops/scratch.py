"""`scratch` and `give_scratch`: memory that a program needs while it runs, and then keeps.

    scratch       inputs ()         outputs (*arrays)    their contents are whatever was left there
    give_scratch  inputs (*arrays)

`attrs['scratch']` is whose memory it is.
"""
from __future__ import annotations

import ast
import math
import os
import threading
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType

# All programs together keep no more than this.
_MOST_BYTES = 1 << 26


class Scratch:
    """Arrays of some types, for one at a time.

    Whoever takes them has them alone: another thread, or a call inside of the call, finds none and
    gets new ones. What was given back is kept as long as the program lives and no other program
    needs the room.
    """

    def __init__(self, types: Sequence[TensorType]) -> None:
        self._types = [(type_.shape, type_.dtype) for type_ in types]
        self._arrays: list[Any] | None = None

    def take(self) -> Any:
        """The arrays; one alone is no tuple."""
        with _lock:
            arrays, self._arrays = self._arrays, None
            _kept.pop(self, None)
        if arrays is None:
            arrays = [_aligned(shape, dtype) for shape, dtype in self._types]
        return arrays[0] if len(arrays) == 1 else arrays

    def give(self, *arrays: Any) -> None:
        """Gives the arrays back."""
        size = sum(array.nbytes for array in arrays)
        with _lock:
            self._arrays = list(arrays)
            _kept.pop(self, None)
            _kept[self] = size
            room = _MOST_BYTES - sum(_kept.values())
            while room < 0:
                longest = next(iter(_kept.keys()))
                longest._arrays = None
                room += _kept.pop(longest)


def _aligned(shape: Any, dtype: np.dtype[Any]) -> Any:
    """An array that begins where a line of the cache does: that takes 0.95 of the time."""
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    return memory[start : start + size].view(dtype).reshape(shape)


_LINE = 64


# Those that keep something, and how much; the one that has kept it longest comes first.
_kept: WeakKeyDictionary[Scratch, int] = WeakKeyDictionary()
_lock = threading.RLock()


def _after_fork() -> None:
    """Another thread may have held the lock; in this process there is none."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_after_fork)


def _declared(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return tuple(attrs['types'])


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _take(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Call(_method(node, 'take'), [], [])


def _give(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Expr(ast.Call(_method(node, 'give'), list(values), []))]


def _method(node: Node, name: str) -> ast.expr:
    scratch: Any = node.attrs['scratch']  # the program names what is no literal
    return ast.Attribute(ast.Constant(scratch), name, ast.Load())


TAKE = Op('scratch', _declared, expression=_take, effect=True)
GIVE = Op('give_scratch', _nothing, statement=_give, effect=True)
