"""`Tensor`: a symbolic array, and the rules of who may still read it after it was modified.

Inside a graph an array is a value. A Tensor is a handle that a name holds: `x[i] = v` makes a new
value and moves the handle on to it, so every name that holds the handle sees the new contents, as
with an array. Another handle onto the same memory (a view, or the operand of an enclosing staged
block) cannot follow; it is stale from then on, and reading it is an error.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import Location, OwnershipError, StagingError, describe, user_location
from . import dispatch
from .graph import Value
from .types import Shape, TensorType


class Storage:
    """The memory that some handles share.

    Attributes:
      owner: whose memory it is where it is not the graph's own, such as "argument 'x'".
      version: how often it was written.
      written: where it was last written.
      outer: the storage of the operand that this one stands for inside a staged block.
    """

    __slots__ = ('outer', 'owner', 'version', 'written')

    def __init__(self, owner: str = '', outer: Storage | None = None) -> None:
        self.owner = owner
        self.outer = outer
        self.version = 0
        self.written: Location | None = None

    def write(self, location: Location | None) -> None:
        """Notes a write, here and in every storage that this one stands for.

        Raises:
          OwnershipError: the memory belongs to the caller.
        """
        storage: Storage | None = self
        while storage is not None:
            if storage.owner:
                raise OwnershipError(
                    describe(
                        f'This modifies {storage.owner} in place; it belongs to the caller.',
                        location,
                        'Work on a copy: write `x = x.copy()` first, or `x = x + v` for `x += v`.',
                    )
                )
            storage.version += 1
            storage.written = location
            storage = storage.outer


class Tensor:
    """A symbolic array: what an array, a NumPy scalar or a number is while a graph is traced.

    It has the operators, methods and attributes of `numpy.ndarray`, and NumPy's functions accept
    it. Its `shape` is a tuple whose unknown axes are symbolic integers.
    """

    __slots__ = ('__weakref__', '_storage', '_value', '_version')
    __array_priority__ = 1000

    def __init__(self, value: Value, storage: Storage | None = None) -> None:
        self._value = value
        self._storage = storage or Storage()
        self._version = self._storage.version

    # What is known of it.

    @property
    def type(self) -> TensorType:
        """dtype, shape and kind."""
        return self._value.type

    @property
    def storage(self) -> Storage:
        """The memory that this handle names."""
        return self._storage

    @property
    def version(self) -> int:
        """The version of the memory that this handle knows."""
        return self._version

    @property
    def name(self) -> str:
        """The name of the value in the graph."""
        return self._value.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype."""
        return self._value.type.dtype

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

    # Reading and writing.

    def read(self) -> Value:
        """The value that the handle holds now.

        Raises:
          OwnershipError: the memory was written through another handle.
        """
        if self._version != self._storage.version:
            where = self._storage.written
            at = f' at line {where.line} (`{where.text.strip()}`)' if where else ''
            raise OwnershipError(
                describe(
                    f'This reads {self!r}, whose memory was modified through another name{at}.',
                    user_location(),
                    'Take a copy before it is modified: `y = x.copy()`.',
                )
            )
        return self._value

    def write(self, value: Value) -> None:
        """Moves the handle on to its new contents.

        Raises:
          OwnershipError: the memory belongs to the caller.
        """
        self._storage.write(user_location())
        self._value = value
        self._version = self._storage.version

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return dispatch.FALLBACKS['ufunc'](ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
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
            raise AttributeError(f"'Tensor' object has no attribute {name!r}")
        raise StagingError(
            describe(f'`ndarray.{name}` does not trace.', user_location(), _USE_PY_FUNCTION)
        )

    # What Python asks of a value and only a real one can answer.

    def __bool__(self) -> bool:
        raise self._misused('as a Python bool', _USE_CONVERTED)

    def __int__(self) -> int:
        raise self._misused('as a Python int', _USE_CONVERTED)

    def __float__(self) -> float:
        raise self._misused('as a Python float', _USE_CONVERTED)

    def __complex__(self) -> complex:
        raise self._misused('as a Python complex', _USE_CONVERTED)

    def __index__(self) -> int:
        raise self._misused('as an index or a count by Python itself', _USE_CONVERTED)

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
        if shape[0] is None:
            raise self._misused('as an iterable whose length is not known', _USE_CONVERTED)
        return iter([self[i] for i in range(shape[0])])

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
        return StagingError(
            describe(f'{self!r} has no value while tracing; it is used {how}.', user_location(), fix)
        )

    def __repr__(self) -> str:
        shape = self.type.shape
        axes = '<unknown>' if shape is None else str(shape)
        return f'Tensor("{self._value.name}:0", shape={axes}, dtype={self.dtype})'


_USE_CONVERTED = (
    'The code that does so was not converted: let it run in a function under `ag.function` or '
    '`ag.convert`.'
)
_USE_PY_FUNCTION = 'Call it in a function under `ag.py_function`.'
_NDARRAY_NAMES = frozenset(name for name in dir(np.ndarray) if not name.startswith('__'))


def _special(name: str) -> Any:
    def method(self: Tensor, *args: Any) -> Any:
        return dispatch.OPERATORS[name](self, *args)

    method.__name__ = name
    method.__doc__ = f'`ndarray.{name}`, traced.'
    return method


_BINARY = 'add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift'.split()
_INPLACE = [name for name in _BINARY if name != 'divmod']
SPECIAL_METHODS = [
    *(f'__{name}__' for name in _BINARY),
    *(f'__r{name}__' for name in _BINARY),
    *(f'__i{name}__' for name in _INPLACE),
    *(f'__{name}__' for name in 'lt le eq ne gt ge neg pos abs invert'.split()),
    *(f'__{name}__' for name in 'getitem setitem round floor ceil trunc'.split()),
]
for _name in SPECIAL_METHODS:
    setattr(Tensor, _name, _special(_name))
