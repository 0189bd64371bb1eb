"""Result dtypes that depend on values: `np.emath.sqrt`, `np.roots`, and texts of any length.

Some give real numbers, or complex ones if they must; some give texts as long as they come to be.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.types import TensorType, of_any_length
from ..graph.varying import dtypes_of, merged, varying

_EMATH = ('arccos', 'arcsin', 'arctanh', 'log', 'log10', 'log2', 'logn', 'power', 'sqrt')
# Of complex arguments, these give complex results.
_KEEP_COMPLEX = frozenset(
    ('numpy.linalg.eig', 'numpy.linalg.eigvals', *(f'numpy.emath.{name}' for name in _EMATH))
)
_POLYNOMIALS = {
    'polynomial': 'poly', 'chebyshev': 'cheb', 'legendre': 'leg', 'laguerre': 'lag',
    'hermite': 'herm', 'hermite_e': 'herme',
}  # fmt: skip
_OF_VALUES = _KEEP_COMPLEX | {
    'numpy.poly', 'numpy.real_if_close', 'numpy.roots',
    *(f'numpy.polynomial.{module}.{name}roots' for module, name in _POLYNOMIALS.items()),
}  # fmt: skip
_Table = dict[np.dtype[Any], np.dtype[Any]]
_COMPLEX: _Table = {
    np.dtype(real): np.dtype(complex_) for real, complex_ in (('f4', 'c8'), ('f8', 'c16'), 'gG')
}
_REAL = {complex_: real for real, complex_ in _COMPLEX.items()}
_DOUBLES = np.dtype('f8'), np.dtype('c16')
_TEXTS = frozenset(
    f'numpy.{module}.{name}'
    for module in ('strings', 'char')
    for name in (
        'center', 'decode', 'encode', 'expandtabs', 'join', 'ljust', 'mod', 'multiply', 'partition',
        'replace', 'rjust', 'rpartition', 'zfill',
    )
)  # fmt: skip


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
    # Those give real numbers wherever they do for zeros and ones, which the runs are on, too.
    tables = (_COMPLEX,) if name in _KEEP_COMPLEX else (_COMPLEX, _REAL)
    return tuple(_opened(type_, tables) for type_ in found)


def _opened(type_: TensorType, tables: Sequence[_Table]) -> TensorType:
    """The type with every dtype that other values may lead to."""
    dtypes = set(dtypes_of(type_))
    if any(dtype.kind in 'iu' for dtype in dtypes):
        dtypes.update(_DOUBLES)
    others = {table[dtype] for table in tables for dtype in dtypes if dtype in table}
    return varying(type_, dtypes | others, type_.shape)


def texts(
    name: str,
    given: Sequence[TensorType],
    found: Sequence[TensorType],
    runs: Sequence[Sequence[TensorType]],
) -> tuple[TensorType, ...]:
    """The types, for texts of any length where it depends on values how long they are."""
    is_open = name in _TEXTS or any(type_.dtype.kind == 'O' for type_ in given)
    lengths = zip(*([type_.dtype.itemsize for type_ in run] for run in runs), strict=True)
    return tuple(
        of_any_length(type_) if is_open or len(set(each)) > 1 else type_
        for type_, each in zip(found, lengths, strict=True)
    )
