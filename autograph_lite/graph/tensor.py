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
from functools import partialmethod
from typing import Any

import numpy as np

from ..errors import (
    Location,
    OwnershipError,
    StagingError,
    describe,
    is_numpy,
    user_location,
)
from . import dispatch
from .graph import Graph, Value
from .nest import actual
from .types import Shape, TensorType, VaryingType, is_of_any_length


class Storage:
    """The memory that some handles share.

    Attributes:
      owner: whose memory it is where it is not the graph's own, such as "argument 'x'".
      graph: the graph that was traced when it came to be.
      version: how often it was written.
      written: where it was last written.
    """

    __slots__ = ('graph', 'owner', 'version', 'written')

    def __init__(self, graph: Graph, owner: str = '') -> None:
        self.graph = graph
        self.owner = owner
        self.version = 0
        self.written: Location | None = None


Memory = tuple[Storage, ...]


class Place:
    """Where in another array a view of it lies."""

    __slots__ = ()

    def load(self) -> Value:
        """What is there now."""
        raise NotImplementedError

    def store(self, value: Value) -> None:
        """Puts other contents there."""
        raise NotImplementedError


# What a write changed, so that tracing can take it back: the target and its two old attributes.
Write = tuple['Tensor | Storage', Any, Any]


class IndexedByTensorError(StagingError):
    """A Python list, or a Python function, is given a tensor for an index or a count."""


class Tensor:
    """A symbolic array: what an array, a NumPy scalar or a number is while a graph is traced.

    It has the operators, methods and attributes of `numpy.ndarray`, and NumPy's functions accept
    it. Its `shape` is a tuple whose unknown axes are symbolic integers.
    """

    __slots__ = ('__weakref__', '_memory', '_value', '_versions', 'place')
    __array_priority__ = 1000

    place: Place | None

    def __init__(
        self, value: Value, memory: Memory | None = None, place: Place | None = None
    ) -> None:
        if value.type.kind != 'array':
            memory = ()
        self.place = place
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
        return self._memory

    @property
    def name(self) -> str:
        """The name of the value in the graph."""
        return self._value.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype.

        Raises:
          StagingError: it depends on values.
        """
        type_ = self._value.type
        if isinstance(type_, VaryingType):
            why, fix = type_.shown, '`x.astype(complex)`, or `x.real`'
        elif is_of_any_length(type_):
            why, fix = 'how long the texts are', '`x.astype(np.dtypes.StringDType())`'
        else:
            return type_.dtype
        what = f'The dtype of {self!r} depends on values: {why}.'
        raise StagingError(describe(what, user_location(), f'Convert it first: {fix}.'))

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
    def held(self) -> Value:
        """The value that the handle holds, even where its memory was written since."""
        return self._value

    def read(self) -> Value:
        """The value that the handle holds now.

        Raises:
          OwnershipError: the memory was written through another handle.
        """
        for storage, version in zip(self._memory, self._versions, strict=True):
            if storage.version != version:
                if self.place is not None:
                    return self.place.load()
                raise modified_elsewhere(self, storage)
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
        self._versions = [storage.version for storage in self._memory]
        return writes

    def _mark_written(self) -> list[Write]:
        location = user_location()
        for storage in self._memory:
            if storage.owner:
                raise OwnershipError(
                    describe(
                        f'This modifies {storage.owner} in place; it belongs to the caller.',
                        location,
                        'Work on a copy: write `x = x.copy()` first, or `x = x + v` for `x += v`.',
                    )
                )
        writes: list[Write] = []
        for storage in self._memory:
            writes.append((storage, storage.version, storage.written))
            storage.version += 1
            storage.written = location
        return writes

    def moved_to(self, value: Value) -> list[Write]:
        """Lets the handle hold a value in its memory as that is now; what that changed."""
        changed: list[Write] = [self._as_it_is()]
        self.restore(value, (self._memory, [storage.version for storage in self._memory]))
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
        raise self._misused('as a NumPy array', _USE_CONVERTED)

    def __getattr__(self, name: str) -> Any:
        if name in dispatch.PROPERTIES:
            return dispatch.PROPERTIES[name](self)
        if name in dispatch.METHODS:
            return dispatch.METHODS[name].__get__(self)
        if name.startswith('__') or name not in _NDARRAY_NAMES:
            raise dispatch.FALLBACKS['attribute'](self, name)
        raise StagingError(
            describe(f'`ndarray.{name}` does not trace.', user_location(), _USE_PY_FUNCTION)
        )

    # What Python asks of a value and only a real one can answer.

    def _no_number(self, *, kind: str) -> Any:
        raise self._misused(f'as a Python {kind}', _USE_CONVERTED)

    __bool__ = partialmethod(_no_number, kind='bool')
    __int__ = partialmethod(_no_number, kind='int')
    __float__ = partialmethod(_no_number, kind='float')
    __complex__ = partialmethod(_no_number, kind='complex')

    def __index__(self) -> int:
        error = self._misused('as an index or a count by Python itself', _USE_CONVERTED)
        raise IndexedByTensorError(*error.args)

    def __len__(self) -> int:
        shape = self.static_shape
        if not shape:
            raise TypeError('len() of unsized object')
        if shape[0] is None:
            raise self._misused('by len() where its length is not known', _USE_CONVERTED)
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        shape = self.static_shape
        if not shape:
            raise TypeError('iteration over a 0-d array')
        if is_numpy(sys._getframe(1).f_code.co_filename):
            # NumPy looks through its arguments for one that implements the protocol.
            return iter((self,))
        if shape[0] is None:
            raise self._misused('as an iterable whose length is not known', _USE_CONVERTED)
        return (dispatch.OPERATORS['__getitem__'](self, i) for i in range(shape[0]))

    def __contains__(self, item: Any) -> bool:
        raise self._misused('with `in`', 'Write `np.any(x == item)`.')

    def __hash__(self) -> int:
        raise self._misused('as a dict key or a set element', 'Use a Python value.')

    def __format__(self, spec: str) -> str:
        if spec:
            raise self._misused(
                f'with the format {spec!r}', 'Print it when the graph runs: `ag.print(x)`.'
            )
        return repr(self)

    def _misused(self, how: str, fix: str) -> StagingError:
        what = f'{self!r} has no value while tracing; it is used {how}.'
        return StagingError(describe(what, user_location(), fix))

    def __repr__(self) -> str:
        type_ = self.type
        axes = '<unknown>' if type_.shape is None else str(type_.shape)
        dtype = type_.shown if isinstance(type_, VaryingType) else type_.dtype
        return f'Tensor("{self._value.name}:0", shape={axes}, dtype={dtype})'


class State:
    """What lives on between calls and can be used as an array: it is read where it is used."""

    __slots__ = ('__weakref__',)

    @property
    def value(self) -> Any:
        """What it holds now; a tensor while tracing."""
        raise NotImplementedError


def valued(x: Any) -> Any:
    """What state holds now, and what a list has become; anything else itself."""
    return x.value if isinstance(x, State) else actual(x)


def modified_elsewhere(x: Tensor, storage: Storage) -> OwnershipError:
    """The error of reading a handle whose memory was written through another one."""
    where = storage.written
    at = f' at line {where.line} (`{where.text.strip()}`)' if where else ''
    return OwnershipError(
        describe(
            f'This reads {x!r}, whose memory is modified through another name{at}.',
            user_location(),
            'Take a copy before it is modified: `y = x.copy()`.',
        )
    )


_USE_CONVERTED = (
    'The code that does so was not converted: let it run in a function under `ag.function` or '
    '`ag.convert`.'
)
_USE_PY_FUNCTION = 'Call it in a function under `ag.py_function`.'
_NDARRAY_NAMES = frozenset(name for name in dir(np.ndarray) if not name.startswith('__'))


def _special(name: str) -> Any:
    def method(self: Tensor, *args: Any) -> Any:
        return dispatch.OPERATORS[name](self, *args)

    return method


_BINARY = (
    'add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow',
    'matmul', 'and', 'or', 'xor', 'lshift', 'rshift',
)  # fmt: skip
_COMPARISONS = ('lt', 'le', 'eq', 'ne', 'gt', 'ge')
_UNARY = ('neg', 'pos', 'abs', 'invert', 'round', 'floor', 'ceil', 'trunc')
_OTHERS = ('divmod', 'rdivmod', 'getitem', 'setitem')
SPECIAL_METHODS = tuple(
    f'__{prefix}{name}__'
    for prefix, names in (
        ('', (*_BINARY, *_COMPARISONS, *_UNARY, *_OTHERS)),
        ('r', _BINARY),
        ('i', _BINARY),
    )
    for name in names
)
for _name in SPECIAL_METHODS:
    setattr(Tensor, _name, _special(_name))


def _forwarded(name: str) -> Any:
    def method(self: State, *args: Any) -> Any:
        implementation = getattr(self.value, name, None)
        if implementation is None:
            return NotImplemented
        return implementation(*map(valued, args))

    return method


# `v += x` gives the name an array, as `v = v + x` does; state is changed by assigning to it.
_IN_PLACE = {f'__i{name}__' for name in _BINARY}
for _name in SPECIAL_METHODS:
    if _name not in _IN_PLACE:
        setattr(State, _name, _forwarded(_name))
