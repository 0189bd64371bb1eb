"""`Perhaps`: a tuple or another nest that only the running graph knows to be there, or `None`.

    best = None
    for i, x in enumerate(xs):
        if best is None or x > best[1]:
            best = i, x

Its leaves are values that may be missing, beside one that tells whether the nest is there. What the
graph returns of it is the nest itself or `None`.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import constant, unwrap
from ..graph.types import type_of


class Perhaps(nest.Nest):
    """A nest that may be `None` when the graph runs.

    Attributes:
      present: whether it is there; a symbolic bool.
      nest: what it is then.
    """

    __slots__ = ('nest', 'present')

    def __init__(self, present: Any, value: Any) -> None:
        object.__setattr__(self, 'present', present)
        object.__setattr__(self, 'nest', value)

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (), [self.present, self.nest]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        present, value = parts
        if isinstance(present, (bool, np.bool_)):
            return value if present else None
        return cls(present, value)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'{parts[1]} or None'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['', '']

    def as_condition(self) -> Any:
        """Whether it is there, and not empty."""
        return self.present if not hasattr(type(self.nest), '__len__') or len(self.nest) else False

    def sure(self) -> Any:
        """The nest, where it must be there: checked when the graph runs."""
        return nest.map_leaves(_present, self.nest)

    def __getitem__(self, index: Any) -> Any:
        return self.sure()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sure())

    def __len__(self) -> int:
        return len(self.sure())

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        found = getattr(self.nest, name)
        if callable(found) and name not in _READING:
            raise _unsupported(f'calling `{name}`')
        return getattr(self.sure(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise _unsupported(f'setting `{name}`')

    def __setitem__(self, index: Any, value: Any) -> None:
        raise _unsupported('setting an item')

    def __delitem__(self, index: Any) -> None:
        raise _unsupported('deleting an item')

    def __bool__(self) -> bool:
        raise _unsupported('asking Python for its truth value')

    def __eq__(self, other: object) -> Any:
        raise _unsupported('`==`')

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise _unsupported('using it as an array')

    def __repr__(self) -> str:
        return f'<{nest.flatten(self)[1]}>'


# What reads a nest and changes nothing.
_READING = {'items', 'keys', 'values', 'get', '_asdict', '_replace'}


def perhaps(value: Any, like: Any) -> Perhaps:
    """A nest, or None, as one that may be None.

    Args:
      value: a nest; None for one of the form of `like` that is not there.
      like: a nest of the same form.
    """
    if value is None:
        return Perhaps(constant(False), nest.map_leaves(_nothing, like))
    return Perhaps(constant(True), value)


def can_be_none(x: Any) -> bool:
    """Whether a nest can be one that may be None: nothing inside it can be changed in place."""
    if isinstance(x, Perhaps):
        return True
    return not nest.is_leaf(x) and all(map(_is_fixed, nest.children(x)))


def _is_fixed(x: Any) -> bool:
    return nest.is_leaf(x) or (
        isinstance(x, (tuple, Perhaps)) and all(map(_is_fixed, nest.children(x)))
    )


def _nothing(leaf: Any) -> Any:
    """What stands for a leaf that is not there; a text or the like is known all the same."""
    return None if isinstance(leaf, Tensor) or type_of(leaf) is not None else leaf


def _present(leaf: Any) -> Any:
    return unwrap(leaf) if isinstance(leaf, Tensor) and leaf.type.maybe else leaf


def _unsupported(what: str) -> StagingError:
    return StagingError(
        describe(
            f'What may be None when the graph runs does not support {what}.',
            user_location(),
            'Take its parts where it `is not None`, and make a new one of them.',
        )
    )
