"""Whether a list of rows that the running graph fills is all that has its rows.

    rows.append([x, 1])
    rows[-1][1] += 1

What has a name is put into such a list, and taken from it, by value. A row is changed in its place
only where nobody sees that: it is in one list once, and no variable leads to it by then. That is
told of all rows of one form together, and of a block that may run again from all of it.
"""
from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph import nest
from ..graph.tracing import current_graph
from .other_names import is_reached
from .outside import is_outside
from .watched import is_container, is_watched, modified_one_of_two


class _Tracing(threading.local):
    def __init__(self) -> None:
        self.shared: set[nest.Structure] = set()
        self.changed: set[nest.Structure] = set()


_tracing = _Tracing()


@contextmanager
def telling_rows() -> Iterator[None]:
    """Around a trace."""
    outer = _tracing.shared, _tracing.changed
    _tracing.shared, _tracing.changed = set(), set()
    try:
        yield
    finally:
        _tracing.shared, _tracing.changed = outer


def note_put(elements: Iterable[Any]) -> None:
    """These are about to be put into a list: what has been in one is in two places from now on."""
    known: set[int] = set()
    for element in elements:
        for x in _containers(element):
            if id(x) in known or is_watched(id(x)) or is_outside(x):
                note_shared(x)
            known.add(id(x))


def note_shared(x: Any, is_again: bool = False) -> None:
    """From now on what has the form of this list, dict or object may be in two places.

    Args:
      x: it.
      is_again: whether it comes to that in a block that may run again.

    Raises:
      OwnershipError: there, what has this form is changed in its place.
    """
    form = nest.flatten(x)[1]
    graph = current_graph()
    is_again = is_again or (graph is not None and graph.parent is not None)
    if form in _tracing.changed and is_again:
        raise modified_one_of_two(x)
    _tracing.shared.add(form)


def note_shared_rows(form: nest.Structure) -> None:
    """The rows of this form that are in a list are put into another one, too."""
    for x in _containers(example(form)):
        note_shared(x)


def check_alone(element: Any) -> None:
    """An element of a list is changed in its place: no other place has it.

    Raises:
      OwnershipError: another one may have it.
    """
    forms = {nest.flatten(x)[1] for x in _containers(element)}
    for form in forms & _tracing.shared:
        raise modified_one_of_two(example(form))
    graph = current_graph()
    while graph is not None:
        for x, _ in graph.watched:
            if is_container(x) and nest.flatten(x)[1] in forms and is_reached(x):
                raise modified_one_of_two(x)
        graph = graph.parent
    _tracing.changed |= forms


def example(form: nest.Structure) -> Any:
    """A nest of this form, with nothing in it."""
    return nest.unflatten(form, [None] * len(nest.paths(form, '')))


def has_containers(form: nest.Structure) -> bool:
    """Whether what has this form is, or has in it, what can be changed in place."""
    return any(True for _ in _containers(example(form)))


def _containers(x: Any) -> Iterator[Any]:
    x = nest.actual(x)
    if is_container(x):
        yield x
    for part in nest.children(x):
        yield from _containers(part)
