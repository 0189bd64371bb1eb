"""`Variable`: state that outlives a call, in plain Python and in a graph alike."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.tensor import State, Storage, Tensor, valued
from ..graph.tracing import current_graph, emit, is_tracing
from ..graph.types import Shape
from ..ops.template import Inputs
from ..ops.ufuncs import operand
from ..ops.variables import ASSIGN, ASSIGN_ADD, ASSIGN_SUB, READ, READ_ITEM, SET_ITEM, Cell
from .variable_creation import creation_now


class Variable(State):
    """An array that lives on between calls; assignments are effects, in program order.

    It can be used as an array anywhere; its value then is a snapshot, which no later assignment
    changes and which cannot be written to (`numpy()` makes a copy that can).

    Args:
      initial: its first value, which fixes dtype and shape: an array, a number, a nested list.
      dtype: the dtype, if not that of `initial`.
      name: for people.
      trainable: whether an optimiser should train it.
    """

    __slots__ = ('cell', 'trainable')
    __array_priority__ = 1001
    __hash__ = None  # type: ignore[assignment]  # `==` compares elements, as arrays do

    def __init__(
        self, initial: Any, dtype: Any = None, name: str = 'variable', trainable: bool = True
    ) -> None:
        self.trainable = trainable
        if isinstance(initial, Variable):
            initial = initial.value
        creation = creation_now()
        if isinstance(initial, list | tuple) and _has_tensor(initial):
            initial = operand(initial)
        if isinstance(initial, Tensor):
            assert creation is not None
            self.cell = creation.later(initial, dtype, name)
        else:
            array = np.asarray(initial, dtype)
            self.cell = Cell(name, array.dtype, array.shape)
            self.cell.initialize(array)
        if creation is not None:
            creation.created.append(self.cell)

    # What is known of it.

    @property
    def name(self) -> str:
        """What people call it."""
        return self.cell.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its value."""
        return self.cell.dtype

    @property
    def shape(self) -> Shape:
        """The shape of its value."""
        return self.cell.shape

    @property
    def ndim(self) -> int:
        """The number of axes of its value."""
        return len(self.cell.shape)

    @property
    def size(self) -> int:
        """The number of elements of its value."""
        return int(np.prod(self.cell.shape, dtype=np.int64))

    # Reading and writing.

    @property
    def value(self) -> Any:
        """Its value now: a snapshot, which cannot be written to."""
        if not is_tracing():
            return self.cell.value
        return self._emit(READ)

    def numpy(self) -> Any:
        """A copy of its value."""
        value = self.value
        return value.copy() if self.shape else value

    def assign(self, value: Any) -> Any:
        """Gives it a value of its dtype and shape; the value.

        Raises:
          AssignedDtypeError: the dtype differs (also a TypeError and a ValueError).
          SignatureError: the shape differs (also a ValueError).
        """
        return self._write(ASSIGN, self.cell.assign, value)

    def assign_add(self, value: Any) -> Any:
        """Adds to its value; the new value. What `assign` raises, it raises."""
        return self._write(ASSIGN_ADD, self.cell.assign_add, value)

    def assign_sub(self, value: Any) -> Any:
        """Subtracts from its value; the new value. What `assign` raises, it raises."""
        return self._write(ASSIGN_SUB, self.cell.assign_sub, value)

    def __getitem__(self, index: Any) -> Any:
        if not is_tracing():
            return self.cell[index]
        inputs = Inputs()
        template = _index_template(index, inputs)
        return self._emit(READ_ITEM, inputs.tensors, index=template)

    def __setitem__(self, index: Any, value: Any) -> None:
        value = valued(value)
        if not is_tracing():
            self.cell[index] = value
            return
        inputs = Inputs(_staged(value))
        template = _index_template(index, inputs)
        emit(SET_ITEM, inputs.tensors, {'cell': self.cell, 'index': template})

    def _write(self, op: Any, run_now: Callable[[Any], Any], value: Any) -> Any:
        value = valued(value)
        return self._emit(op, [_staged(value)]) if is_tracing() else run_now(value)

    def _emit(self, op: Any, inputs: Any = (), **attrs: Any) -> Tensor:
        """A node; its result is a snapshot, which nothing may modify."""
        (result,) = emit(op, inputs, {'cell': self.cell, **attrs}, names=[self.name])
        graph = current_graph()
        assert graph is not None
        return Tensor(result.read(), (Storage(graph, f'the value of variable {self.name!r}'),))

    # As an array.

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        value = np.asarray(self.cell.value, dtype)
        return value.copy() if copy else value

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(out, Variable) for out in kwargs.get('out', ())):
            raise TypeError('A variable cannot be `out=`; assign the result to it.')
        return getattr(ufunc, method)(*map(valued, inputs), **kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        args = nest.map_leaves(valued, tuple(args))
        return func(*args, **nest.map_leaves(valued, kwargs))

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__') or not hasattr(np.ndarray, name):
            raise AttributeError(f"'Variable' object has no attribute {name!r}")
        return getattr(self.value, name)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError('len() of unsized object')
        return self.cell.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __contains__(self, item: Any) -> bool:
        return item in self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __index__(self) -> int:
        index: int = self.value.__index__()
        return index

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __repr__(self) -> str:
        head = f'ag.Variable {self.name!r} shape={self.shape} dtype={self.dtype}'
        return f'<{head}, numpy={self.cell.value!r}>' if self.cell.initialized else f'<{head}>'

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        return Variable(self.cell.value, name=self.name, trainable=self.trainable)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.cell, self.trainable)


def _restored(cell: Cell, trainable: bool) -> Variable:
    """The variable that was pickled."""
    variable = object.__new__(Variable)
    variable.cell, variable.trainable = cell, trainable
    return variable


def _staged(value: Any) -> Any:
    """A value to assign, as an input of a node."""
    return operand(value) if isinstance(value, list | tuple) else value


def _has_tensor(x: Any) -> bool:
    return any(isinstance(leaf, Tensor) for leaf in nest.flatten(x)[0])


def _index_template(index: Any, inputs: Inputs) -> Any:
    from ..ops.indexing import _template

    return _template(nest.map_leaves(valued, index), inputs)
