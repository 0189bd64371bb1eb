"""What the keys and the values of a dict that grows are: numbers, texts, arrays, tuples of them."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.types import TensorType, type_of
from ..ops import lists
from ..ops.dicts import COPY_OF, GET
from .lists import StagedList, new_list
from .live_kinds import as_leaf
from .live_types import live_might_help
from .watched import watch


def stored(value: Any) -> Any:
    """What is put into a dict that grows: of a list, one of the graph."""
    value = valued(as_leaf(value))
    if isinstance(value, StagedList) and _is_anothers(value):
        raise another_name('in another list or dict')
    if type(value) is not list:
        return value
    if not all(map(nest.is_leaf, value)):
        raise unfit(value)
    watch(value)
    return new_list(value)


def _is_anothers(value: StagedList) -> bool:
    """Whether it is what a block was given, or what another list or dict holds."""
    node = value.held.node
    return node is None or node.op in (GET, lists.GET, COPY_OF)


def another_name(where: str) -> OwnershipError:
    """The error for a list in such a dict that would have another name."""
    live_might_help()
    return OwnershipError(describe(
        f'A list in a dict whose keys only the running graph knows gets another name {where}.',
        user_location(),
        'Take a copy, `row = groups[k].copy()`, or go over the keys: `for k in groups`; or read '
        'and change it by its key: `len(groups[k])`, `groups[k].append(x)`.'))


def unfit(value: Any) -> StagingError:
    """The error for a value that is no value of such a dict."""
    kind = getattr(value, 'python_class', None) or nest.kind_of(value)
    return StagingError(describe(
        'A dict whose keys only the running graph knows gets a value that is, or has in it, a '
        f'{kind.__name__}.', user_location(),
        'Its values are numbers, texts, arrays, tuples of these, or lists of numbers, texts and '
        'arrays: make one dict for each part, `sums[k]` and `counts[k]`, or let the key have '
        'several parts, `table[i, j]`.'))


def form_of_key(key: Any) -> nest.Structure:
    """The form of a key of numbers and texts, and of tuples of them.

    Raises:
      TypeError: it cannot be a key.
      StagingError: it is made of something else.
    """
    leaves, form = nest.flatten(valued(key))
    if form.type in (list, dict):
        raise TypeError(f'unhashable type: {form.type.__name__!r}')
    for leaf in leaves:
        if isinstance(leaf, np.ndarray) or (
                isinstance(leaf, Tensor) and leaf.type.kind == 'array'):
            raise TypeError("unhashable type: 'numpy.ndarray'")
    return form


def check_form_of_key(form: nest.Structure) -> None:
    """No key is, or has in it, what only stands for a member of an `Enum`, a function, or `None`.

    Raises:
      StagingError: one has.
    """
    if form.type is not None and issubclass(form.type, nest.Nest):
        raise StagingError(describe(
            f'A dict gets a key that is {form}, and only the running graph knows which.',
            user_location(),
            'Give the dict all its keys before, `counts = {State.IDLE: 0, State.BUSY: 0}`, or let '
            'numbers or texts be its keys, such as `state.value`.'))
    for child in form.children:
        check_form_of_key(child)


def of_another_form(what: str, known: nest.Structure, other: nest.Structure) -> StagingError:
    """The error for a key or a value that is not of the form of those before."""
    return StagingError(
        describe(
            f'A dict whose keys only the running graph knows has {what} of the form {known}, and '
            f'gets one that is {other} (`*` stands for a value).',
            user_location(), f'Give all {what} of such a dict one form.'))


def places_in(form: nest.Structure) -> list[tuple[int, ...]]:
    """Where the parts of a key are in it."""
    if form.type is None:
        return [()]
    return [
        (i, *rest) for i, child in enumerate(form.children) for rest in places_in(child)]


def type_of_number(x: Any) -> TensorType | None:
    """The type of a number, of Python's or NumPy's; None of anything else."""
    type_ = x.type if isinstance(x, Tensor) else type_of(x)
    return None if type_ is None or type_.kind == 'array' or type_.maybe else type_
