"""Functions whose result is as long as the values say."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..graph.types import TensorType
from .calls import answer, rule
from .oracle import Answer
from .template import Arguments


@rule(
    'numpy.argwhere', 'numpy.bincount', 'numpy.compress', 'numpy.extract', 'numpy.flatnonzero',
    'numpy.intersect1d', 'numpy.nonzero', 'numpy.polydiv', 'numpy.setdiff1d', 'numpy.setxor1d',
    'numpy.trim_zeros', 'numpy.union1d', 'numpy.unique', 'numpy.unique_all', 'numpy.unique_counts',
    'numpy.unique_inverse', 'numpy.unique_values', 'ndarray.compress', 'ndarray.nonzero',
)  # fmt: skip
def _as_long_as_values_say(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer:
    found = answer(name, arguments, types)
    unknown = [replace(t, shape=(None,) * len(t.shape or ())) for t in found.types]
    return replace(found, types=tuple(unknown))
