"""Functions whose result is as long as the values say."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..graph.types import TensorType
from .calls import answer, rule
from .oracle import Answer
from .template import Arguments, Slot


@rule(
    'numpy.argwhere', 'numpy.bincount', 'numpy.compress', 'numpy.extract', 'numpy.flatnonzero',
    'numpy.intersect1d', 'numpy.nonzero', 'numpy.polydiv', 'numpy.setdiff1d', 'numpy.setxor1d',
    'numpy.trim_zeros', 'numpy.union1d', 'numpy.unique', 'numpy.unique_all', 'numpy.unique_counts',
    'numpy.unique_inverse', 'numpy.unique_values', 'ndarray.compress', 'ndarray.nonzero',
)  # fmt: skip
def _as_long_as_values_say(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer:
    return with_unknown_lengths(answer(name, arguments, types))


@rule(
    'numpy.array_split', 'numpy.delete', 'numpy.dsplit', 'numpy.hsplit', 'numpy.insert',
    'numpy.repeat', 'numpy.split', 'numpy.vsplit', 'ndarray.repeat',
)  # fmt: skip
def _as_long_as_an_argument_says(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer | None:
    others = [*arguments.args[1:], *(part for _, part in arguments.kwargs)]
    if not any(isinstance(part, Slot) for part in others):
        return None
    return with_unknown_lengths(answer(name, arguments, types))


def with_unknown_lengths(found: Answer) -> Answer:
    """The same with no length known."""
    unknown = [replace(t, shape=(None,) * len(t.shape or ())) for t in found.types]
    return replace(found, types=tuple(unknown))
