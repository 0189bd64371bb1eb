"""`Tensor`: a symbolic array, and the rules of who may still read it after it was modified.

Inside a graph an array is a value. A Tensor is a handle that a name holds: `x[i] = v` makes a new
value and moves the handle on to it, so every name that holds the handle sees the new contents, as
with an array. Another handle onto the same memory (a reshaped view, or the operand of an enclosing
staged block) cannot follow; it is stale from then on, and reading it is an error. A view by index
knows its place in the array that it is of: it is read there again, and what is written to it is
assigned there.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import StagingError, describe, is_numpy, user_location
from . import dispatch
from .advice import (
    GIVE_A_VALUE,
    INDEX_AN_ARRAY,
    KEYS,
    TAKE_IN_A_LOOP,
    USE_PY_FUNCTION,
    instead_of_library,
    resuming,
)
from .dispatch import SPECIAL_METHODS
from .graph import Graph, Value
from .nest import LEAVES
from .ownership import modified_elsewhere, of_another, of_several_places
from .storage import ELEMENT, Memory, Place, StateStorage, Storage
from .types import Shape, TensorType, VaryingType, is_of_any_length, names_of_fields

# What a write changed, so that tracing can take it back: the target and its two old attributes.
Write = tuple['Tensor | Storage', Any, Any]


class IndexedByTensorError(StagingError):
    """A Python list, or a Python function, is given a tensor for an index or a count."""


class Tensor:
    """A symbolic array: what an array, a NumPy scalar or a number is while a graph is traced.

    It has the operators, methods and attributes of `numpy.ndarray`, and NumPy's functions accept
    it. Its `shape` is a tuple whose unknown axes are symbolic integers.
    """

    __slots__ = ('__weakref__', '_memory', '_root', '_value', '_versions', 'chosen', 'place')
    __array_priority__ = 1000

    place: Place | None

    def __init__(
        self, value: Value, memory: Memory | None = None, place: Place | None = None
    ) -> None:
        if value.type.kind != 'array':  # it cannot change, but what it may stand for can
            memory = tuple(each for each in memory or () if isinstance(each, StateStorage))
        self.place = place
        self._root: Tensor | None = None
        self.chosen: Any = None  # which arrays of before a choice it may be
        self._value = value
        self._memory = (Storage(value.graph),) if memory is None else memory
        self._versions = [storage.version for storage in self._memory]

    # What is known of it.

    @property
    def type(self) -> TensorType:
        """dtype, shape and kind."""
        return self._value.type

    @property
    def graph(self) -> Graph:
        """The graph in which its value was made."""
        return self._value.graph

    @property
    def memory(self) -> Memory:
        """The memory that this handle may name; none for a scalar, which nothing can modify."""
        return self.root._memory

    @property
    def root(self) -> Tensor:
        """The array in which it lies: itself, where that is no other one."""
        if self.place is None:
            return self
        if self._root is None:
            self._root = self.place.base.root
        return self._root

    @property
    def name(self) -> str:
        """The name of the value in the graph."""
        if self.may_be_state:
            name: str = dispatch.FALLBACKS['attribute of state'](self, 'name')
            return name
        return self._value.name

    @property
    def may_be_state(self) -> bool:
        """Whether it stands for a variable, or for one of several things that one is among."""
        return any(isinstance(each, StateStorage) for each in self.memory)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype.

        Raises:
          StagingError: it depends on values.
        """
        type_ = self._value.type
        if isinstance(type_, VaryingType):
            raise self._no_dtype(type_.shown, '`x.astype(complex)`, or `x.real`')
        if is_of_any_length(type_):
            raise self._no_dtype('on how long the texts are', '`x.astype(np.dtypes.StringDType())`')
        return type_.dtype

    def _no_dtype(self, why: str, fix: str) -> StagingError:
        what = f'The dtype of {self!r} depends on values: {why}.'
        return StagingError(describe(what, user_location(), f'Convert it first: {fix}.'))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.static_shape)

    @property
    def static_shape(self) -> Shape:
        """The shape as far as it is known while tracing: None for an unknown axis.

        Raises:
          StagingError: not even the rank is known.
        """
        shape = self._value.type.shape
        if shape is None:
            raise StagingError(
                describe(
                    f'The rank of {self!r} is not known while tracing.',
                    user_location(),
                    'Give the shape in the TensorSpec; None stands for an axis of any length.',
                )
            )
        return shape

    @property
    def is_taken_anew(self) -> bool:
        """Whether, as a view, it can be taken from its root again, whatever that holds."""
        return self.place is None or (self.place.is_view and self.place.base.is_taken_anew)

    # Reading and writing.

    @property
    def is_found(self) -> bool:
        """Whether it is known what it holds: a result may wait for that until it is used."""
        return True

    @property
    def held(self) -> Value:
        """The value that the handle holds, even where its memory was written since."""
        return self._value

    @property
    def is_stale(self) -> bool:
        """Whether its memory was written through another handle; of a view, whether it moved."""
        if self.place is not None and self._memory != self.memory:
            return True
        return self._versions != [storage.version for storage in self._memory]

    def read(self) -> Value:
        """The value that the handle holds now.

        Raises:
          OwnershipError: the memory was written through another handle.
        """
        if self.is_stale:
            if self.place is not None:
                return self.place.load()
            versions = zip(self._memory, self._versions, strict=True)
            written = [storage for storage, known in versions if storage.version != known]
            if self.chosen is not None and self.chosen.is_in(written):
                value: Value = self.chosen.load(self)
                return value
            raise modified_elsewhere(self, written[0])
        return self._value

    def write(self, value: Value) -> list[Write]:
        """Moves the handle on to its new contents; what that changed.

        Raises:
          OwnershipError: the memory belongs to the caller.
        """
        writes: list[Write] = [self._as_it_is()]
        if self.place is None:
            writes += self._mark_written()
        self._value = value
        self._memory = self.memory
        self._versions = [storage.version for storage in self._memory]
        return writes

    def consume(self) -> list[Write]:
        """Lets nobody read the handle any more, nor any other one onto its memory.

        Raises:
          OwnershipError: the memory belongs to the caller.
        """
        return self._mark_written()

    def _mark_written(self) -> list[Write]:
        location = user_location()
        for storage in self.memory:
            if storage.owner == ELEMENT:
                raise of_several_places(location)
            if storage.owner and not storage.is_lent:
                raise of_another(storage, location)
        writes: list[Write] = []
        for storage in self.memory:
            writes.append((storage, storage.version, storage.written))
            storage.version += 1
            storage.written = location
        return writes

    def follow(self, other: Tensor) -> list[Write]:
        """Lets the handle hold what another one holds; what that changed."""
        changed: list[Write] = [self._as_it_is()]
        self.restore(other._value, (other._memory, other._versions))
        return changed

    def go_on(self, memory: Memory) -> list[Write]:
        """Takes the memory for its own, as it is now: what was written there it is given next."""
        changed = [self._as_it_is()]
        self.restore(self._value, (memory, [storage.version for storage in memory]))
        return changed

    def _as_it_is(self) -> Write:
        return self, self._value, (self._memory, self._versions)

    def restore(self, value: Value, held: tuple[Memory, list[int]]) -> None:
        """Takes a write back."""
        self._value = value
        self._memory, self._versions = held

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return dispatch.FALLBACKS['ufunc'](ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if not all(issubclass(type_, (Tensor, np.ndarray)) for type_ in types):
            return NotImplemented
        implementation = dispatch.FUNCTIONS.get(func)
        if implementation is not None:
            return implementation(*args, **kwargs)
        return dispatch.FALLBACKS['function'](func, args, kwargs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise self._misused('as a NumPy array', GIVE_A_VALUE)

    def __getattr__(self, name: str) -> Any:
        if self._value.type.maybe and name in _NDARRAY_NAMES:
            return getattr(dispatch.FALLBACKS['with_attributes'](self, name), name)
        if name in dispatch.PROPERTIES:
            return dispatch.PROPERTIES[name](self)
        if name in dispatch.METHODS:
            return dispatch.METHODS[name].__get__(self)
        if name.startswith('__') or name not in _NDARRAY_NAMES:
            if self.may_be_state:
                return dispatch.FALLBACKS['attribute of state'](self, name)
            raise dispatch.FALLBACKS['attribute'](self, name)
        raise StagingError(
            describe(f'`ndarray.{name}` does not trace.', user_location(), USE_PY_FUNCTION)
        )

    # Python's `copy`.

    def __copy__(self) -> Any:
        is_copied = self.type.kind == 'array' or (_COPIES_NUMBERS and self.type.kind == 'scalar')
        return dispatch.METHODS['copy'](self) if is_copied else self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return memo.setdefault(id(self), self.__copy__())

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise self._misused('by `pickle`', 'Pickle what the function returns.')

    # What Python asks of a value and only a real one can answer.

    def __bool__(self) -> bool:
        raise self._misused('as a Python bool', GIVE_A_VALUE)

    def __int__(self) -> int:
        raise self._misused('as a Python int', GIVE_A_VALUE)

    def __float__(self) -> float:
        raise self._misused('as a Python float', GIVE_A_VALUE)

    def __complex__(self) -> complex:
        raise self._misused('as a Python complex', GIVE_A_VALUE)

    def __bytes__(self) -> bytes:
        raise self._misused('as Python bytes', 'Write `x.tobytes()`.')

    def __index__(self) -> int:
        error = self._misused('as an index or a count by Python itself', INDEX_AN_ARRAY)
        raise error if error.is_of_unconverted else IndexedByTensorError(*error.args)

    def __len__(self) -> int:
        shape = self.static_shape
        if not shape:
            raise TypeError('len() of unsized object')
        if shape[0] is None:
            raise self._misused('by len() where its length is not known', GIVE_A_VALUE)
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        shape = self.static_shape
        names = names_of_fields(self.type.present)
        if names:
            return iter([dispatch.OPERATORS['__getitem__'](self, name) for name in names])
        if not shape:
            raise TypeError('iteration over a 0-d array')
        if is_numpy(sys._getframe(1).f_code.co_filename):
            # NumPy looks through its arguments for one that implements the protocol.
            return iter((self,))
        if shape[0] is None:
            raise self._misused('as an iterable whose length is not known', TAKE_IN_A_LOOP)
        return (dispatch.OPERATORS['__getitem__'](self, i) for i in range(shape[0]))

    def __contains__(self, item: Any) -> bool:
        raise self._misused('with `in`', 'Write `np.any(x == item)`.')

    def __hash__(self) -> int:
        raise self._misused('as a dict key or a set element', KEYS)

    def __format__(self, spec: str) -> str:
        if spec:
            raise self._misused(
                f'with the format {spec!r}', 'Print it when the graph runs: `print(x)`.'
            )
        return repr(self)

    def _misused(self, how: str, fix: str) -> StagingError:
        what = f'{self._described()} has no value while tracing; it is used {how}.'
        to_convert = dispatch.FALLBACKS['to convert']()
        fix = resuming() or instead_of_library() or to_convert or fix
        error = StagingError(describe(what, user_location(), fix))
        error.is_of_unconverted = bool(to_convert)
        dispatch.FALLBACKS['note asked'](error)
        return error

    def __repr__(self) -> str:
        dispatch.FALLBACKS['check shown'](self)
        return self._described()

    def _described(self) -> str:
        """What messages call it."""
        type_ = self.type
        axes = '<unknown>' if type_.shape is None else str(type_.shape)
        dtype = type_.shown if isinstance(type_, VaryingType) else type_.dtype
        return f'Tensor("{self._value.name}:0", shape={axes}, dtype={dtype})'


# Whether a copy of a number is another object, as NumPy 2.2 makes it.
_NUMBER = np.float64(0.5)
_COPIES_NUMBERS = _NUMBER.__copy__() is not _NUMBER
_NDARRAY_NAMES = frozenset(name for name in dir(np.ndarray) if not name.startswith('__'))


def _special(name: str) -> Any:
    def method(self: Tensor, *args: Any) -> Any:
        return dispatch.OPERATORS[name](self, *args)

    method.__name__ = name
    method.__doc__ = f'`ndarray.{name}`, traced.'
    return method


for _name in SPECIAL_METHODS:
    setattr(Tensor, _name, _special(_name))


def _settable(name: str) -> Any:
    """An attribute that can be assigned to, as `x.real = v`."""

    known = vars(Tensor).get(name)

    def get(self: Tensor) -> Any:
        return self.__getattr__(name) if known is None else known.fget(self)

    def set_(self: Tensor, value: Any) -> None:
        dispatch.SETTERS[name](self, value)

    return property(get, set_, doc=known.__doc__ if known else f'`ndarray.{name}`, traced.')


LEAVES.add(Tensor)
for _name in ('dtype', 'flat', 'imag', 'real', 'shape', 'strides'):
    setattr(Tensor, _name, _settable(_name))
