"""Types of values: dtype, shape, and which Python type carries them."""
from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

Shape = tuple[int | None, ...]
Kind = Literal['array', 'scalar', 'python']

PYTHON_DTYPES: dict[type, np.dtype[Any]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    complex: np.dtype(np.complex128),
}
_PYTHON_TYPES = {dtype: python for python, dtype in PYTHON_DTYPES.items()}


@dataclass(frozen=True)
class TensorType:
    """The type of a value.

    Attributes:
      dtype: the NumPy dtype.
      shape: one entry an axis, None where its length is not known while tracing; None as a whole
        where not even the rank is known.
      kind: what carries the value in plain Python: an 'array', a NumPy 'scalar', or a 'python'
        number. A python number is weak: beside an array it takes the array's dtype (NEP 50).
      maybe: the value may be missing when the program runs (`None`, or a name without a value).
    """

    dtype: np.dtype[Any]
    shape: Shape | None = ()
    kind: Kind = 'array'
    maybe: bool = False

    @property
    def weak(self) -> bool:
        """Whether this is a Python number."""
        return self.kind == 'python'

    @property
    def python_type(self) -> type:
        """The Python type of a weak scalar's value."""
        return _PYTHON_TYPES[self.dtype]

    @property
    def promotion(self) -> Any:
        """What stands for this type in NumPy's promotion: a dtype, or a Python type if weak."""
        return self.python_type if self.weak and self.dtype.kind != 'b' else self.dtype

    @property
    def present(self) -> TensorType:
        """This type for a value that is known not to be missing."""
        return replace(self, maybe=False) if self.maybe else self

    def __str__(self) -> str:
        name = self.python_type.__name__ if self.weak else str(self.dtype)
        if self.kind == 'array':
            axes = '...' if self.shape is None else ', '.join(map(_axis, self.shape))
            name += f'[{axes}]'
        return name + ' or missing' if self.maybe else name


_OBJECT = np.dtype(object)


@dataclass(frozen=True)
class ListType(TensorType):
    """The type of a list that the running graph appends to: its elements have one type.

    Attributes:
      element: the type of the elements; None while nothing was put into the list.
    """

    dtype: np.dtype[Any] = _OBJECT
    shape: Shape | None = (None,)
    element: TensorType | None = None

    def __str__(self) -> str:
        name = f'list of {self.element or "nothing"}'
        return name + ' or missing' if self.maybe else name


@dataclass(frozen=True)
class ObjectType(TensorType):
    """The type of an object that is no array: a random generator.

    Attributes:
      of: its class.
    """

    dtype: np.dtype[Any] = _OBJECT
    kind: Kind = 'scalar'
    of: type[Any] = object

    def __str__(self) -> str:
        return self.of.__name__ + (' or missing' if self.maybe else '')


@dataclass(frozen=True)
class VaryingType(TensorType):
    """The type of an array, or of a NumPy scalar, whose dtype depends on values: see `varying`.

    Attributes:
      dtypes: those that it may be.
    """

    dtype: np.dtype[Any] = _OBJECT
    dtypes: tuple[np.dtype[Any], ...] = ()

    def of(self, dtype: np.dtype[Any]) -> TensorType:
        """The type where the dtype is this one."""
        return TensorType(dtype, self.shape, self.kind, self.maybe)

    @property
    def shown(self) -> str:
        """The dtypes, for people."""
        return ' or '.join(map(str, self.dtypes))

    def __str__(self) -> str:
        return str(self.of(_OBJECT)).replace('object', f'({self.shown})', 1)


# A Python string that only the running graph knows.
STRING = ObjectType(of=str)


def _axis(length: int | None) -> str:
    return '?' if length is None else str(length)


def array_type(dtype: Any, shape: Shape | None) -> TensorType:
    """The type of an array."""
    return TensorType(np.dtype(dtype), shape, 'array')


def scalar_type(dtype: Any) -> TensorType:
    """The type of a NumPy scalar, whose bytes are in the machine's own order."""
    dtype = np.dtype(dtype)
    native = dtype if dtype.isnative or dtype.names else dtype.newbyteorder('=')
    return TensorType(native, (), 'scalar')


def python_scalar(python_type: type) -> TensorType:
    """The type of a Python number: int, float, bool or complex."""
    return TensorType(PYTHON_DTYPES[python_type], (), 'python')


def result_type(dtype: Any, shape: Shape | None) -> TensorType:
    """The type of what most NumPy functions return: a scalar where there is no axis."""
    return scalar_type(dtype) if shape == () else array_type(dtype, shape)


def row_type(type_: TensorType) -> TensorType:
    """The type of what iterating over an array of known rank gives."""
    shape = (type_.shape or ())[1:]
    if shape:
        return replace(type_, shape=shape)
    native = scalar_type(type_.dtype).dtype
    return of_any_length(replace(type_, dtype=native, shape=shape, kind='scalar'))


def is_of_any_length(type_: TensorType) -> bool:
    """Whether these are texts (`U` or `S`) of which it is not known how long they may be."""
    return type_.dtype.kind in 'US' and type_.dtype.itemsize == 0


def of_any_length(type_: TensorType) -> TensorType:
    """The same type; of texts, for those of any length."""
    kind = type_.dtype.kind
    return replace(type_, dtype=np.dtype(kind)) if kind in 'US' else type_


def is_generator(value: Any) -> bool:
    """Whether it is a random generator of NumPy; none is before `numpy.random` is imported."""
    if 'numpy.random' not in sys.modules:
        return False
    return isinstance(value, np.random.Generator | np.random.RandomState)


def type_of(value: Any) -> TensorType | None:
    """The type of a NumPy array, NumPy scalar or Python number; None for anything else."""
    if isinstance(value, np.ndarray):
        return array_type(value.dtype, value.shape)
    if isinstance(value, np.generic):
        return scalar_type(value.dtype)
    if type(value) in PYTHON_DTYPES:
        return python_scalar(type(value))
    return None
