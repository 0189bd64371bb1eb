"""Loops over plain Python numbers: memory views, range checks, floating-point flags.

    items          inputs (array)                    `memoryview(x)`: its elements as Python numbers
    read           inputs (items, *indices, array)   `x_items[i]`
    write          inputs (array, value, *indices, items)   `x_items[i] = v`
    check_range    inputs (n), attrs bits            raises if n is beyond 2 ** bits either way
    clear_floats   no inputs                         forgets what floating-point errors there were
    check_floats   no inputs                         raises if there was one since

Whatever raises here makes the whole program run once more without these: see `backends.numpy`.
"""
from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Attrs, Node, Op, same_type
from ..graph.types import PYTHON_DTYPES, TensorType, python_scalar
from .indexing import GETITEM, SETITEM

_PYTHON = {dtype: python for python, dtype in PYTHON_DTYPES.items()}


def _element(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(_PYTHON[types[0].dtype])


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _items(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name('memoryview', ast.Load()), [args[0]], [])


def _write(node: Node, args: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    _, value, *indices, items = args
    assert SETITEM.statement is not None
    return SETITEM.statement(node, [items, value, *indices])


def _check_range(node: Node, args: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    size = ast.Call(ast.Name('abs', ast.Load()), [args[0]], [])
    bound = ast.BinOp(ast.Constant(2), ast.Pow(), ast.Constant(node.attrs['bits']))
    failed = ast.Raise(ast.Name('OverflowError', ast.Load()))
    return [ast.If(ast.Compare(size, [ast.Gt()], [bound]), [failed], [])]


def _call(function: Callable[[], None]) -> Callable[[Node, Sequence[ast.expr]], list[ast.stmt]]:
    # The program names what is no literal.
    target: Any = function
    return lambda node, args: [ast.Expr(ast.Call(ast.Constant(target), [], []))]


def _float_status() -> tuple[Callable[[int], Any], Callable[[int], int]] | None:
    """How to clear and to read the flags of the processor; None where the platform does not tell.

    They are what NumPy's own warnings come from. Each thread has its own, and they stay up.
    """
    try:
        library = ctypes.PyDLL(None)
        return library.feclearexcept, library.fetestexcept
    except (AttributeError, OSError, TypeError):
        return None


def _flags_of(operation: Callable[[], object]) -> int:
    """The flags that an operation puts up."""
    if _STATUS is None:
        return 0
    clear, test = _STATUS
    clear(_ALL)
    operation()
    return test(_ALL)


_ALL = 0x1F
_STATUS = _float_status()
_huge, _tiny, _inf = 1e308, 5e-308, float('inf')
# Inexact results are no error.
_INEXACT = _flags_of(lambda: _huge + 1.5)
_INVALID = _flags_of(lambda: _inf - _inf)
_UNDER = _flags_of(lambda: _tiny * 1e-3) & ~_INEXACT
_ERRORS = _flags_of(lambda: _huge * 10) & ~_INEXACT | _INVALID

# Whether errors of Python's own arithmetic can be seen, so that NumPy may warn of them.
SEES_FLOAT_ERRORS = bool(_INVALID and _UNDER and _ERRORS & ~_INVALID)


def clear_float_errors() -> None:
    """Puts the processor's floating-point flags down."""
    assert _STATUS is not None
    _STATUS[0](_ALL)


def check_float_errors() -> None:
    """Raises if NumPy would have warned of a floating-point operation since.

    Raises:
      FloatingPointError: something overflowed or was invalid, or a result is too small and the
        user wants to know.
    """
    assert _STATUS is not None
    flags = _STATUS[1](_ERRORS | _UNDER)
    if flags & _ERRORS or (flags and np.geterr()['under'] != 'ignore'):
        raise FloatingPointError


ITEMS = Op('items', same_type, expression=_items, view=True)
READ = Op('element', _element, expression=GETITEM.expression)
WRITE = Op('set_element', same_type, statement=_write, updates=True)
CHECK_RANGE = Op('check_range', _nothing, statement=_check_range, effect=True)
CLEAR_FLOATS = Op('clear_floats', _nothing, statement=_call(clear_float_errors), effect=True)
CHECK_FLOATS = Op('check_floats', _nothing, statement=_call(check_float_errors), effect=True)
