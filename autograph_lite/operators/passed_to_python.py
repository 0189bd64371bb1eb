"""What a Python function is given that the graph calls: values as they are, nests as nests."""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.given import Weakly, weakly
from ..graph.state import State, valued
from ..graph.tensor import Tensor
from ..graph.types import ListType
from .outside import is_outside
from .returned_objects import opened_results

_NUMBERS = (bool, int, float, complex)


class Passed:
    """The arguments of a call: nests, in which some leaves come from the graph.

    A list or dict from outside that holds no tensor is passed itself; those that the traced code
    has made are made anew at every call.
    """

    def __init__(self, leaves: list[Any], structure: nest.Structure) -> None:
        self._structure = structure
        self._leaves = [_GIVEN if _is_given(leaf) else weakly(leaf) for leaf in leaves]
        are_leaves = all(child.type is None for child in structure.children)
        self._are_inputs = are_leaves and all(
            _is_given(leaf) and not _is_staged_list(leaf) for leaf in leaves)
        self._whole = [leaf for leaf in self._leaves if leaf is not _GIVEN]

    @property
    def known(self) -> list[Any]:
        """The leaves that do not come from the graph."""
        return list(map(_itself, self._whole))

    def fill(self, values: Sequence[Any]) -> Sequence[Any]:
        """The arguments, with what the graph gives in its places."""
        if self._are_inputs:
            return values
        given = iter(values)
        leaves = [next(given) if leaf is _GIVEN else _itself(leaf) for leaf in self._leaves]
        args: list[Any] = nest.unflatten(self._structure, leaves)
        return args

    def made_for(self, args: Sequence[Any]) -> Made:
        """What the lists and dicts hold that were made for a call."""
        if self._are_inputs:
            return Made([], nest.LEAF)
        known = {id(_itself(leaf)) for leaf in self._whole}
        return Made(*_split(args, lambda x: id(x) in known))


class Made:
    """What nests hold: equal to another that holds the very same."""

    def __init__(self, leaves: list[Any], structure: nest.Structure) -> None:
        self._leaves = leaves
        self._structure = structure

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Made) and self._structure == other._structure
            and all(map(operator.is_, self._leaves, other._leaves)))

    __hash__ = None  # type: ignore[assignment]


class _Given:
    """Stands for a leaf that comes from the graph."""

    def __reduce__(self) -> str:
        return '_GIVEN'


_GIVEN = _Given()


def passed_arguments(
    args: Sequence[Any],
    value_of: Callable[[Any], Any],
    state_of: Callable[[Any], Any] = valued,
) -> tuple[Passed, list[Any]]:
    """The arguments of a call in a graph, and the inputs of its node.

    Args:
      args: the arguments.
      value_of: gives what a leaf stands for.
      state_of: gives what is passed for state: its value, unless told.
    """
    leaves, structure = _split(args, _is_passed_itself, value_of, state_of)
    return Passed(leaves, structure), [leaf for leaf in leaves if _is_given(leaf)]


def plain_arguments(args: Sequence[Any]) -> list[Any]:
    """The arguments of a call outside a graph: variables are passed by their values."""
    return [
        nest.map_leaves(valued, x)
        if any(isinstance(leaf, State) for leaf in nest.flatten(x)[0])
        else x
        for x in args
    ]


def _is_given(leaf: Any) -> bool:
    """Whether a leaf is an input of the node."""
    if isinstance(leaf, np.ndarray | np.generic):
        return leaf.dtype.kind in 'biufcmMUST'
    return isinstance(leaf, Tensor) or type(leaf) in _NUMBERS


def _is_staged_list(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and isinstance(leaf.held.type, ListType)


def _itself(leaf: Any) -> Any:
    return leaf() if isinstance(leaf, Weakly) else leaf


class _Whole:
    """A nest that is a leaf here."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _split(
    args: Sequence[Any],
    is_whole: Callable[[Any], bool],
    value_of: Callable[[Any], Any] = lambda leaf: leaf,
    state_of: Callable[[Any], Any] = valued,
) -> tuple[list[Any], nest.Structure]:
    """The leaves, and the structure that holds them."""

    def marked(x: Any) -> Any:
        if nest.is_leaf(x):
            found = state_of(value_of(nest.actual(x)))
            if not nest.is_leaf(found) and is_whole(found):
                return _Whole(found)
            opened = opened_results(found, 'passed')
            return found if opened is found else nest.map_children(marked, opened)
        return _Whole(x) if is_whole(x) else nest.map_children(marked, x)

    leaves, structure = nest.flatten([marked(x) for x in args])
    return [leaf.value if isinstance(leaf, _Whole) else leaf for leaf in leaves], structure


def _is_passed_itself(x: Any) -> bool:
    held = nest.flatten(x)[0]
    return is_outside(x) and not any(isinstance(leaf, Tensor | State) for leaf in held)
