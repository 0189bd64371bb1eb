"""`out[i] = row if c else 0`: setting an item of an array spreads a number over what is there.

One branch gives an array, and the other a number, which is made an array of that shape.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy import ndarray

from ..errors import StagingError
from ..graph.checkpoints import checkpoint, undo
from ..graph.joins import JoinError, join
from ..graph.tensor import Tensor
from ..graph.types import ListType, TensorType, scalar_type, type_of
from .joined_numbers import converted
from .namespaces import np

Branch = Callable[[], Any]


def spread_into(into: Any, branches: Sequence[Branch], stage: Callable[..., Any]) -> Any:
    """What one of two branches gives, for an item of `into`.

    Args:
      into: an array, or something else with items.
      branches: without operands.
      stage: makes the choice between two branches.

    Raises:
      StagingError: what the branches give does not join.
    """
    start = checkpoint()
    try:
        return stage(*branches)
    except StagingError as error:
        like = _array_beside_a_number(error.meets)
        if like is None or not _is_array(into):
            raise
    undo(start)
    return stage(*(_spread(branch, like) for branch in branches))


def _is_array(x: Any) -> bool:
    if isinstance(x, ndarray):
        return True
    return isinstance(x, Tensor) and x.type.kind == 'array' and not isinstance(x.type, ListType)


def _array_beside_a_number(types: Sequence[TensorType | None]) -> TensorType | None:
    """Of the types of an array and a number that it can hold, the array's, if its shape is known.
    """
    known = [type_ for type_ in types if type_ is not None and not type_.maybe]
    arrays = [type_ for type_ in known if type_.shape and None not in type_.shape]
    numbers = [type_ for type_ in known if type_.shape == ()]
    if len(arrays) != 1 or len(numbers) != 1:
        return None
    like, number = arrays[0], numbers[0]
    try:
        return like if join(scalar_type(like.dtype), number).dtype == like.dtype else None
    except JoinError:
        return None


def _spread(branch: Branch, like: TensorType) -> Branch:
    """The branch with a number that it gives as an array."""
    def run() -> Any:
        given = branch()
        type_ = given.type if isinstance(given, Tensor) else type_of(given)
        if type_ is None or type_.shape != ():
            return given
        number = given if isinstance(given, Tensor) else converted(given, scalar_type(like.dtype))
        return np.full(like.shape, number, like.dtype)

    return run
