"""`leave`: before a call raises, what it leaves in the lists, dicts and arrays that it was given.

    leave     (values...)       these are what `attrs['left']` says, should it raise now

The caller's own are changed only once the program has ended: see `left_behind`.
"""
from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType


class _Now(threading.local):
    left: tuple[Any, Sequence[Any]] | None = None


_now = _Now()


def note_left(what: Any, values: Sequence[Any]) -> None:
    """Notes what a call leaves that raises next.

    Args:
      what: says where the values go.
      values: the values.
    """
    _now.left = what, values


def run_leaving(
    run: Callable[[Any, Sequence[Any]], Any], program: Any, given: Sequence[Any],
    put: Callable[[Any, Sequence[Any]], None],
) -> Any:  # fmt: skip
    """What `run(program, given)` gives; where it raises, what was noted last is put in its place.
    """
    before, _now.left = _now.left, None
    try:
        return run(program, given)
    except BaseException:
        if _now.left is not None:
            put(*_now.left)
        raise
    finally:
        _now.left = before


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _leave(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    left: Any = node.attrs['left']
    return [ast.Expr(ast.Call(ast.Constant(left), list(args), []))]


LEAVE = Op('leave', _nothing, statement=_leave, effect=True)
