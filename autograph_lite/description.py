"""Types and signatures as a person reads them: `float32 Tensor, shape=(2,)`."""
from __future__ import annotations

from typing import Any

from .graph import nest
from .graph.specs import TensorSpec
from .graph.types import TensorType


def described(spec: TensorSpec | TensorType) -> str:
    """One array or scalar."""
    shape = '<unknown>' if spec.shape is None else str(spec.shape)
    # A name does not tell the order of the bytes, and counts those of a text.
    is_named = spec.dtype.isnative and spec.dtype.kind not in 'SU'
    dtype = spec.dtype.name if is_named else spec.dtype.str
    return f'{dtype} Tensor, shape={shape}'


def lines_of_nest(value: Any) -> list[str]:
    """A nest of TensorSpecs and Python values: its form, and below it what each number is."""
    if isinstance(value, TensorSpec):
        return [described(value)]
    leaves, structure = nest.flatten(value)
    specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]
    numbers = iter(range(1, len(specs) + 1))
    shown = [_Number(next(numbers)) if isinstance(x, TensorSpec) else x for x in leaves]
    below = [f'  <{i}>: {described(spec)}' for i, spec in enumerate(specs, 1)]
    return [repr(nest.unflatten(structure, shown)), *below]


def brief(value: Any, longest: int = 60) -> str:
    """A Python value in a message."""
    text = repr(value)
    return text if len(text) <= longest else text[: longest - 3] + '...'


class _Number:
    """What stands for an array in the form of a nest."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __repr__(self) -> str:
        return f'<{self._number}>'
