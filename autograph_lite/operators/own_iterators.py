"""What goes through objects of the user's classes: code that Python itself would call as it is."""
from __future__ import annotations

import types
from collections import UserDict, UserList
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, user_location
from ..graph.checkpoints import Checkpoint, checkpoint
from ..graph.dispatch import replaces
from ..graph.graph import Node
from ..graph.nest import actual
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..graph.tracing import handling
from ..ops.effects import RAISE
from ..pyct.asking import get_attribute
from .dicts import StagedDict
from .growing_dicts import GrowingDict
from .growing_views import GrowingView, as_listed
from .own_methods import own_length, own_method
from .progress import Collection, Progress
from .reentry import call
from .staging import graph_now
from .tuples import StagedTuple
from .whole_reads import check_whole

# As many items at most come from the graph, which may not tell where there are no more.
_MOST = 1000


class OwnIterator(Progress, Iterator[Any]):
    """Stands for an iterator of the user's, whose `__next__` is converted.

    Attributes:
      iterator: the iterator.
    """

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator

    def __next__(self) -> Any:
        own = own_method(self.iterator, '__next__')
        if own is None:
            return next(self.iterator)
        start = checkpoint()
        item = own()
        _check_end(start, self.iterator, '__next__', StopIteration)
        return item


def _check_end(start: Checkpoint, x: Any, name: str, error: type[Exception]) -> None:
    """Where the items end is known while tracing.

    Raises:
      StagingError: the method raises what ends them in a branch that only the running graph takes.
    """
    if any(_raises(node, error) for node in graph_now().nodes[start.nodes :]):
        raise _endless(f'`{type(x).__name__}.{name}` raises {error.__name__}')


def _raises(node: Node, error: type[Exception]) -> bool:
    """Whether an operation raises this when the graph runs, or holds one that does."""
    inside = (inner for graph in node.graphs.values() for inner in graph.nodes)
    found = node.attrs.get('error') if node.op is RAISE else None
    return found is error or any(_raises(each, error) for each in inside)


def _endless(what: str) -> StagingError:
    what = f'Where {what} only the running graph knows.'
    fix = 'Run over the numbers of the items, `for i in range(n)`, and `break` where they end.'
    return StagingError(describe(what, user_location(), fix))


def iterated(x: Any) -> Any:
    """What a `for` runs over: what the user's class gives for an object, or that itself."""
    x = actual(x.value if isinstance(x, ReadAsValue) else x)
    if isinstance(x, Collection):
        return x.in_order()
    if isinstance(x, StagedTuple):
        return x.items
    if isinstance(x, GrowingDict | GrowingView):
        return as_listed(x)
    if isinstance(x, StagedDict):
        return x.keys()
    check_whole(x)
    x = iterator_of(x)
    return x if own_method(x, '__next__') is None else OwnIterator(x)


def iterator_of(x: Any) -> Any:
    """What `iter(x)` gives of an object, as the user's class says; otherwise the object."""
    own = own_method(x, '__iter__')
    if own is not None:
        return own()
    if isinstance(x, UserList | UserDict) and own_method(x, '__getitem__') is None:
        return iterated(x.data)  # which Python asks for one item after the other
    return _by_index(x, count()) if _has_items_only(x, '__iter__') else x


def through(x: Any) -> Any:
    """What goes through an object of the user's; anything else itself."""
    return iterated(x) if any(own_method(x, name) is not None for name in GOING_THROUGH) else x


# The methods of the user's by one of which Python goes through an object.
GOING_THROUGH = ('__iter__', '__next__', '__getitem__')


def backwards(x: Any) -> Any:
    """What `reversed` goes through of an object, if the user's class says so; None if not."""
    check_whole(x)
    own = own_method(x, '__reversed__')
    if own is not None:
        return iterated(own())
    if not _has_items_only(x, '__reversed__') or own_method(x, '__len__') is None:
        return None
    return _by_index(x, range(own_length(x) - 1, -1, -1))


def _has_items_only(x: Any, name: str) -> bool:
    """Whether the user's class says what items an object has, and Python how to go through them."""
    if own_method(x, '__getitem__') is None:
        return False
    found = get_attribute(type(x), name)
    return found is None or (isinstance(found, types.FunctionType) and is_of_library(found))


@replaces(Sequence.index)
def _index(x: Any, *args: Any) -> Any:
    return call([*iterated(x)].index, *args)


@replaces(Sequence.count)
def _count(x: Any, value: Any) -> Any:
    return call([*iterated(x)].count, value)


def _by_index(x: Any, indices: Iterable[int]) -> Iterator[Any]:
    """What Python makes of an object that has items and does not say how to go through them.

    Raises:
      StagingError: only the running graph knows how many there are.
    """
    if isinstance(own_length(x), Tensor):
        raise _endless(f'the items of a `{type(x).__name__}` end')
    return _items(x, indices)


def _items(x: Any, indices: Iterable[int]) -> Iterator[Any]:
    of_graph, own = 0, own_method(x, '__getitem__')
    assert own is not None
    for index in indices:
        start = checkpoint()
        try:
            with handling():  # so that what is out of bounds is found while tracing
                found = own(index)
        except IndexError:
            return
        _check_end(start, x, '__getitem__', IndexError)
        of_graph += len(graph_now().nodes) > start.nodes
        if of_graph > _MOST:
            raise _endless(f'the items of a `{type(x).__name__}` end')
        yield found
