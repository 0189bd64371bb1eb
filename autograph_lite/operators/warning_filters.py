"""Filters for warnings that a traced function sets: the graph has them, or they are refused."""
from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import Location, StagingError, describe, user_location
from ..graph.graph import Node
from ..graph.held_filters import Entering, are_held, are_in_front, are_of_another
from ..ops.raising import may_raise
from .staging import graph_now


def check_warned(filters: Entering, nodes: Sequence[Node], location: Location | None) -> None:
    """What a `with warnings.catch_warnings()` is for is not what the graph warns of when it runs.

    Args:
      filters: those of a manager, which is left while tracing.
      nodes: the operations in the block.
      location: of the `with`.

    Raises:
      StagingError: it is: it lists the warnings, makes errors of them, or has filters that no
        graph has.
    """
    if not filters.has_changed or not any(map(may_raise, nodes)):
        return
    own = filters.own()
    if filters.lists or any(action == 'error' for action, *_ in own):
        what = (
            '`warnings.catch_warnings()` is left while tracing; what this block warns of is '
            'known when the graph runs.')
        fix = (
            "Write `np.errstate(all='raise')`, which raises FloatingPointError when the graph "
            'runs, or enter it around the call of the function.')
        raise StagingError(describe(what, location, fix))
    if any(module for *_, module, _ in own) or not are_in_front():
        what = (
            'This block sets filters for the warnings of a module, or others than in front of '
            'those that were there: a graph does not.')
        fix = (
            "Write `warnings.simplefilter('...')` or `warnings.filterwarnings('...')` without "
            '`module` and `append`, or set them around the call of the function.')
        raise StagingError(describe(what, location, fix))


@contextmanager
def leaving_filters(nodes: Sequence[Node], location: Location | None) -> Iterator[None]:
    """A manager is left inside, and perhaps others that it has entered.

    Raises:
      StagingError: one of those has had filters in force for the operations in the block.
    """
    is_of_another = are_of_another()
    yield
    if is_of_another and not are_of_another() and any(map(may_raise, nodes)):
        raise _of_another('What this `with` enters sets filters for warnings', location)


def is_held(f: Any) -> bool:
    """Whether what a function does to the filters for warnings holds when the graph runs.

    Raises:
      StagingError: nothing tells for which operations it is to hold.
    """
    if not sets_filters(f):
        return False
    graph = graph_now()
    if are_held(graph):
        return True
    if are_of_another():
        what = f'`{f.__name__}` sets filters of a context that no `with` has entered'
        raise _of_another(what, user_location())
    if any(map(may_raise, graph.nodes)) and graph.parent is None:
        raise StagingError(describe(
            f'`{f.__name__}` is called while tracing, before anything that the graph does when it '
            'runs.',
            user_location(),
            'Write it into a `with warnings.catch_warnings():`, or call it first in the function.'))
    return False


def sets_filters(f: Any) -> bool:
    """Whether it is a function that sets filters for warnings."""
    return any(f is each for each in _SETTING)


_SETTING = (warnings.simplefilter, warnings.filterwarnings, warnings.resetwarnings)


def _of_another(what: str, location: Location | None) -> StagingError:
    return StagingError(describe(
        f'{what}, which are not known when the graph runs.', location,
        'Write `with warnings.catch_warnings():` around the operations.'))
