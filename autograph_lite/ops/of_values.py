"""Functions that give real numbers, or complex ones if they must, which NumPy sees at the end."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.types import TensorType
from ..graph.varying import dtypes_of, merged, varying

_EMATH = ('arccos', 'arcsin', 'arctanh', 'log', 'log10', 'log2', 'logn', 'power', 'sqrt')
# Of complex arguments, these give complex results.
_KEEP_COMPLEX = frozenset(
    ('numpy.linalg.eig', 'numpy.linalg.eigvals', *(f'numpy.emath.{name}' for name in _EMATH))
)
_OF_VALUES = _KEEP_COMPLEX | {
    'numpy.poly', 'numpy.real_if_close', 'numpy.roots', 'numpy.polynomial.polynomial.polyroots',
}  # fmt: skip
_COMPLEX: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(real): np.dtype(complex_) for real, complex_ in (('f4', 'c8'), ('f8', 'c16'), 'gG')
}
_REAL = {complex_: real for real, complex_ in _COMPLEX.items()}
_DOUBLES = np.dtype('f8'), np.dtype('c16')


def of_values(
    name: str, given: Sequence[TensorType], runs: Sequence[Sequence[TensorType]]
) -> tuple[TensorType, ...] | None:
    """The types of a function's results, of which each run on stand-ins tells one.

    None if the function is none of these, or the results are no numbers.
    """
    if name not in _OF_VALUES:
        return None
    found = merged(runs)
    if found is None or any(dtype.kind not in 'iufc' for t in found for dtype in dtypes_of(t)):
        return None
    if name in _KEEP_COMPLEX and any(type_.dtype.kind == 'c' for type_ in given):
        return found
    return tuple(map(_opened, found))


def _opened(type_: TensorType) -> TensorType:
    """The type with every dtype that other values may lead to."""
    dtypes = set(dtypes_of(type_))
    if any(dtype.kind in 'iu' for dtype in dtypes):
        dtypes.update(_DOUBLES)
    others = {table[dtype] for table in (_COMPLEX, _REAL) for dtype in dtypes if dtype in table}
    return varying(type_, dtypes | others, type_.shape)
