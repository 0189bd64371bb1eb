"""`ag.Variable`: reads and writes of state that outlives a call, in program order.

    read       no inputs                       `count.value`
    read_item  inputs (*tensors of the index)  `count[i]`
    assign     inputs (value)                  `count.assign(value)`; also assign_add, assign_sub
    set_item   inputs (value, *index)          `count[i] = value`

`attrs['cell']` is the `Cell` of an `ag.Variable`; the lowered program calls the cell itself. What
an assignment gives is the new value.
"""
from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import SignatureError, StagingError, describe, user_location
from ..graph.graph import Attrs, Node, Op
from ..graph.types import Shape, TensorType, result_type, type_of
from .broadcasting import BroadcastError, broadcast
from .index_types import index_type
from .template import write_index


class AssignedDtypeError(StagingError, ValueError):
    """A variable is given a value of another dtype."""


class Cell:
    """The memory of a variable.

    What reading gives is a snapshot: it cannot be written to, and no later assignment changes it.
    An assignment to an item is done in place unless somebody holds a snapshot.

    Attributes:
      name: for people.
      dtype: of the value, for good.
      shape: of the value, for good.
    """

    __slots__ = ('__weakref__', '_array', '_lock', '_shared', 'dtype', 'name', 'shape')

    def __init__(self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self._array: Any = None
        self._shared = False
        self._lock = threading.RLock()

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return self.name

    @property
    def type(self) -> TensorType:
        """What reading gives."""
        return result_type(self.dtype, self.shape)

    @property
    def initialized(self) -> bool:
        """Whether there is a value."""
        return self._array is not None

    @property
    def value(self) -> Any:
        """A snapshot of the value: an array that cannot be written to, or a NumPy scalar."""
        with self._lock:
            if self._array is None:
                raise ValueError(f'The variable {self.name!r} has no value yet.')
            if not self.shape:
                return self._array[()]
            self._shared = True
            snapshot = self._array.view()
        snapshot.flags.writeable = False
        return snapshot

    def initialize(self, value: Any) -> None:
        """Gives it a value, whatever it had."""
        self._set(np.array(value, self.dtype).reshape(self.shape))

    def assign(self, value: Any) -> Any:
        """Gives it a value of its dtype and shape; the value."""
        given = _numbers(value, self.dtype)
        if not self._fits(given):
            check_assigned(self, _type(given))
        self._set(np.array(given, self.dtype))
        return self.value

    def assign_add(self, value: Any) -> Any:
        """Adds to the value; the new value."""
        return self._update(np.add, value)

    def assign_sub(self, value: Any) -> Any:
        """Subtracts from the value; the new value."""
        return self._update(np.subtract, value)

    def __getitem__(self, index: Any) -> Any:
        item = self._array[index]
        return item.copy() if isinstance(item, np.ndarray) else item

    def __setitem__(self, index: Any, value: Any) -> None:
        with self._lock:
            if self._shared:
                self._set(self._array.copy())
            self._array[index] = value

    def _update(self, ufunc: np.ufunc, value: Any) -> Any:
        given = _numbers(value, self.dtype)
        with self._lock:
            result = ufunc(self.value, given)
            if not self._fits(result):
                check_updated(self, ufunc, _type(given))
            self._set(np.asarray(result))
            return self.value

    def _fits(self, value: Any) -> bool:
        """Whether it is an array, or a NumPy scalar, of the dtype and shape."""
        return (
            isinstance(value, np.ndarray | np.generic)
            and value.dtype == self.dtype
            and value.shape == self.shape
        )

    def _set(self, array: Any) -> None:
        with self._lock:
            self._array, self._shared = array, False

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.name, self.dtype, self.shape, self._array)


def _restored(name: str, dtype: np.dtype[Any], shape: tuple[int, ...], array: Any) -> Cell:
    """The cell that was pickled or copied."""
    cell = Cell(name, dtype, shape)
    if array is not None:
        cell.initialize(array)
    return cell


def _numbers(value: Any, dtype: np.dtype[Any]) -> Any:
    """A list as an array of the dtype, if NumPy would take its numbers to it; else the value."""
    if isinstance(value, list | tuple):
        array = np.asarray(value)
        return array.astype(dtype) if np.can_cast(array.dtype, dtype, 'same_kind') else array
    return value


def _type(value: Any) -> TensorType:
    type_ = type_of(value)
    if type_ is None:
        raise AssignedDtypeError(
            describe(f'{value!r} is assigned to a variable; it is no array.', user_location())
        )
    return type_


def check_assigned(cell: Cell, given: TensorType) -> None:
    """Checks that a value of the given type can be assigned.

    Raises:
      AssignedDtypeError: it has another dtype.
      SignatureError: it has another shape.
    """
    dtype = given.dtype
    if given.weak:
        dtype = np.result_type(cell.dtype, given.python_type(1))
    _check(cell, 'assigned', given, dtype, given.shape)


def check_updated(cell: Cell, ufunc: np.ufunc, given: TensorType) -> None:
    """Checks that the result of the ufunc, of the variable and the value, can be assigned.

    Raises:
      AssignedDtypeError: it has another dtype.
      SignatureError: it has another shape.
    """
    dtype = ufunc.resolve_dtypes((cell.dtype, given.promotion, None))[-1]
    try:
        shape = broadcast([cell.shape, given.shape])
    except BroadcastError:
        shape = given.shape
    _check(cell, 'added or subtracted', given, dtype, shape)


def _check(
    cell: Cell, how: str, given: TensorType, dtype: np.dtype[Any], shape: Shape | None
) -> None:
    what = f'The variable {cell.name!r} is {cell.type}; what is {how} is {given}'
    if dtype != cell.dtype:
        raise AssignedDtypeError(
            describe(
                f'{what}, which makes it {dtype}.' if given.dtype == cell.dtype else f'{what}.',
                user_location(),
                f'Convert it first: `.astype({str(cell.dtype)!r})`.',
            )
        )
    fits = shape is None or len(shape) == len(cell.shape)
    if not fits or any(n not in (m, None) for n, m in zip(shape or (), cell.shape, strict=False)):
        raise SignatureError(
            describe(f'{what}: a variable keeps its shape.', user_location())
        )


# The operations.


def _cell(node: Node) -> ast.expr:
    return ast.Constant(node.attrs['cell'])


def _infer_read(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    cell: Cell = attrs['cell']
    return cell.type


def _infer_item(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return index_type(_stored(attrs['cell']), attrs['index'], types).type


def _infer_assign(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    check_assigned(attrs['cell'], types[0])
    return _infer_read(types, attrs)


def _infer_update(ufunc: np.ufunc) -> Callable[[Sequence[TensorType], Attrs], TensorType]:
    def infer(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
        check_updated(attrs['cell'], ufunc, types[0])
        return _infer_read(types, attrs)

    return infer


def _infer_set_item(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    index_type(_stored(attrs['cell']), attrs['index'], types)
    return ()


def _stored(cell: Cell) -> TensorType:
    return TensorType(cell.dtype, cell.shape, 'array')


def _write_read(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Attribute(_cell(node), 'value', ast.Load())


def _write_item(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Subscript(_cell(node), write_index(node.attrs['index'], values), ast.Load())


def _write_call(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    method = ast.Attribute(_cell(node), node.op.name, ast.Load())
    return ast.Call(method, [values[0]], [])


def _write_set_item(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    index = write_index(node.attrs['index'], values)
    return [ast.Assign([ast.Subscript(_cell(node), index, ast.Store())], values[0])]


READ = Op('read', _infer_read, expression=_write_read, effect=True)
READ_ITEM = Op('read_item', _infer_item, expression=_write_item, effect=True)
ASSIGN = Op('assign', _infer_assign, expression=_write_call, effect=True)
ASSIGN_ADD = Op('assign_add', _infer_update(np.add), expression=_write_call, effect=True)
ASSIGN_SUB = Op('assign_sub', _infer_update(np.subtract), expression=_write_call, effect=True)
SET_ITEM = Op('set_item', _infer_set_item, statement=_write_set_item, effect=True)
