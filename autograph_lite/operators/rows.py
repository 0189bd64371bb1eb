"""A row of a list that the running graph fills, to be changed where it is.

    runs[-1][1] += 1

The columns of the list have its parts (see `nest_lists`): those that are changed are put back.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from .checking import check
from .chosen_parts import Chosen, Step
from .conditionals import cond
from .nest_lists import NestList
from .row_names import check_alone, has_containers


class Row(Chosen):
    """The row at an index.

    Args:
      owner: the list.
      index: where it is.
      steps: what leads from there to what is meant.
    """

    __slots__ = ('index', 'owner')

    def __init__(self, owner: NestList, index: Any, steps: tuple[Step, ...] = ()) -> None:
        super().__init__((), (), None, steps)
        self.owner = owner
        self.index = index

    def then(self, step: Step) -> Chosen:
        return Row(self.owner, self.index, (*self.steps, step))

    def value(self) -> Any:
        found = self._led(self.owner[self.index])
        return found.value() if isinstance(found, Chosen) else found

    kept = gone_over = value

    def changed(self, change: Callable[..., Any], *args: Any) -> Any:
        index, leaves = self._place(), self.owner.leaves_at(self.index)
        element = nest.unflatten(self.owner.element, leaves)
        check_alone(element)
        x = self._led(element)
        result = x.changed(change, *args) if isinstance(x, Chosen) else change(x, *args)
        self.owner.put_leaves(index, leaves, element)
        return result

    def _place(self) -> Any:
        """The index from the start, whatever is put behind it meanwhile.

        Raises:
          IndexError: when the graph runs, that there is no such row.
        """
        index, size = self.index, self.owner.length()
        is_known = not isinstance(index, Tensor)
        if is_known:
            place = index + size if index < 0 else index
        else:
            place = cond(index < 0, lambda: index + size, lambda: index)
        if not is_known or index < 0:
            check(place < 0, _NO_ROW, IndexError)
        if not is_known or index >= 0:
            check(place >= size, _NO_ROW, IndexError)
        return place


_NO_ROW = 'list index out of range'


def row_of(owner: NestList, index: Any) -> Row | None:
    """A row that can be changed in its place; None of what cannot, such as a tuple of numbers."""
    index = valued(index)
    is_index = isinstance(index, int) or (
        isinstance(index, Tensor) and index.type.shape == () and index.dtype.kind in 'iu')
    return Row(owner, index) if is_index and has_containers(owner.element) else None
