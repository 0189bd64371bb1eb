"""`NestList`: a list that a staged block changes, whose elements are tuples or other nests.

It is a staged list for each leaf of an element. What the graph returns of it is a list of nests.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch, nest
from ..graph.tensor import Tensor
from ..graph.tracing import held_value, site
from ..ops.list_functions import ROWS
from .list_refusals import check_is_list
from .lists import StagedList, element_of_list, new_list
from .logic import and_, not_
from .reentry import gathered
from .staging import graph_now
from .watched import watch_parts


class NestList(nest.Nest):
    """A list of nests of one form, whose length only the running graph knows.

    Attributes:
      element: the form of an element.
      columns: for each leaf of an element, the list of those leaves.
    """

    __slots__ = ('columns', 'element')

    stands_for = list

    def __init__(self, element: nest.Structure, columns: Sequence[Any]) -> None:
        self.element = element
        self.columns = list(columns)

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.element,), self.columns

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        if all(type(part) is list for part in parts):
            return [keys[0].build(iter(row)) for row in zip(*parts, strict=True)]
        return cls(keys[0], parts)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'a list of {keys[0]}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return [path.removeprefix('items') for path in nest.paths(keys[0], 'items')]

    def as_condition(self) -> Any:
        """A list is true if it is not empty."""
        return self.length()

    def length(self) -> Tensor:
        """The number of elements."""
        return self.columns[0].length()  # type: ignore[no-any-return]

    def append(self, element: Any) -> None:
        """Puts an element behind the last."""
        self._each(lambda column, leaf: column.append(leaf), element)

    def insert(self, index: Any, element: Any) -> None:
        """Puts an element before the one at an index."""
        self._each(lambda column, leaf: column.insert(index, leaf), element)

    def extend(self, elements: Any) -> None:
        """Puts several elements behind the last."""
        from .row_names import note_shared_rows

        elements = gathered(elements)
        if isinstance(elements, NestList):
            self._check(elements.element)
            note_shared_rows(self.element)
            for column, more in zip(self.columns, elements.columns, strict=True):
                column.extend(more)
            return
        for element in elements:
            self.append(element)

    def pop(self, index: Any = -1) -> Any:
        """Takes out an element, the last unless told; the element."""
        return self._element([column.pop(index) for column in self.columns])

    def copy(self) -> NestList:
        """A list of the same elements."""
        return self._like([column.copy() for column in self.columns])

    __copy__ = copy

    def index(self, element: Any) -> Any:
        """Where an element is in the list for the first time."""
        from .list_methods import place_in

        return place_in(self, element)

    def count(self, element: Any) -> Any:
        """How often an element is in the list."""
        from .list_methods import equals

        return equals(self, element).count(True)

    def remove(self, element: Any) -> None:
        """Takes out the first element that is equal to this one."""
        from .list_methods import place_to_remove

        del self[place_to_remove(self, element)]

    def clear(self) -> None:
        """Takes every element out."""
        for column in self.columns:
            column.clear()

    def reverse(self) -> None:
        """Turns the order round."""
        for column in self.columns:
            column.reverse()

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Puts the elements in their order."""
        from .ordering import sort

        sort(self, key=key, reverse=reverse)

    def stacked(self) -> Any:
        """The array of its rows, each an element with numbers, or arrays, in it."""
        is_row = self.element.type is not None and issubclass(self.element.type, list | tuple)
        if not is_row or any(child.type is not None for child in self.element.children):
            raise _unsupported('using it as an array', 'Put numbers into its elements.')
        columns = [held_value(column) for column in self.columns]
        return Tensor(graph_now().add(ROWS, columns, site=site()).outputs[0])

    def leaves_at(self, index: Any) -> list[Any]:
        """The leaves of the element at an index."""
        return [column[index] for column in self.columns]

    def put_leaves(self, index: Any, before: Sequence[Any], element: Any) -> None:
        """Puts an element at an index back that has been changed in its place.

        Args:
          index: where it is.
          before: the leaves that it had.
          element: the element as it is now.
        """
        leaves, structure = nest.flatten(element)
        self._check(structure)
        watch_parts(element)
        for column, was, leaf in zip(self.columns, before, leaves, strict=True):
            if leaf is not was:
                column[index] = leaf

    def __getitem__(self, index: Any) -> Any:
        found = self.leaves_at(index)
        return self._like(found) if isinstance(index, slice) else self._element(found)

    def __setitem__(self, index: Any, element: Any) -> None:
        if isinstance(index, slice):
            from .list_slices import put_in_place

            put_in_place(self, index, element)
            return
        self._each(lambda column, leaf: column.__setitem__(index, leaf), element)

    def __delitem__(self, index: Any) -> None:
        for column in self.columns:
            del column[index]

    def __iadd__(self, elements: Any) -> NestList:
        self.extend(elements)
        return self

    def __add__(self, elements: Any) -> NestList:
        check_is_list(elements)
        result = self.copy()
        result.extend(elements)
        return result

    def __radd__(self, elements: Any) -> NestList:
        for element in elements:
            self._check(nest.flatten(element)[1])
        result = new_nest_list(elements, self.element)
        result.extend(self)
        return result

    def __mul__(self, times: Any) -> NestList:
        return self._like([column * times for column in self.columns])

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> NestList:
        from .row_names import note_shared_rows

        note_shared_rows(self.element)
        for i, column in enumerate(self.columns):
            self.columns[i] = column.__imul__(times)
        return self

    def __lt__(self, other: Any) -> Any:
        raise _unsupported('an order', 'Compare its elements in a `for` statement.')

    __le__ = __gt__ = __ge__ = __lt__

    def __iter__(self) -> Iterator[Any]:
        raise _unsupported(
            'iterating over it in Python',
            'Iterate in a `for` statement, copy it by `list(rows)`, or take rows by index.',
        )

    def __contains__(self, item: Any) -> bool:
        raise _unsupported('`in`', 'Compare its elements in a `for` statement.')

    def __eq__(self, other: object) -> Any:
        if isinstance(other, list) and all(nest.flatten(x)[1] == self.element for x in other):
            other = new_nest_list(other, self.element)
        if not isinstance(other, NestList) or other.element != self.element:
            fix = 'Compare its elements in a `for` statement.'
            raise _unsupported('`==` with elements of another form', fix)
        pairs = zip(self.columns, other.columns, strict=True)
        first, *rest = (functools.partial(operator.eq, *pair) for pair in pairs)
        return and_(first(), *rest)

    def __ne__(self, other: object) -> Any:
        return not_(self == other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise _unsupported('asking Python for its truth value', 'Compare `len(items)` with 0.')

    def __len__(self) -> int:
        raise _unsupported('asking Python for its length', 'Write `len(items)`.')

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise _unsupported('using it as an array', 'Collect what belongs in an array in a list.')

    def __getattr__(self, name: str) -> Any:
        if hasattr(list, name) and not name.startswith('__'):
            raise _unsupported(f'`{name}`', 'Go over its elements in a `for` statement.')
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __repr__(self) -> str:
        if self.columns:
            dispatch.FALLBACKS['check shown'](self.columns[0])
        return f'<a list of {self.element}>'

    def _like(self, columns: list[Any]) -> NestList:
        from .row_names import note_shared_rows

        note_shared_rows(self.element)
        return NestList(self.element, columns)

    def _element(self, leaves: Sequence[Any]) -> Any:
        element = nest.unflatten(self.element, list(map(element_of_list, leaves)))
        watch_parts(element)
        return element

    def _each(self, change: Callable[[StagedList, Any], None], element: Any) -> None:
        from .live_kinds import as_element
        from .row_names import note_put

        element = as_element(element)
        leaves, structure = nest.flatten(element)
        self._check(structure)
        note_put([element])
        watch_parts(element)
        for column, leaf in zip(self.columns, leaves, strict=True):
            change(column, leaf)

    def _check(self, structure: nest.Structure) -> None:
        if structure != self.element:
            raise StagingError(
                describe(
                    f'A list of {self.element} gets an element that is {structure} '
                    '(`*` stands for a value).',
                    user_location(),
                    'Put elements of one form into a list that grows in a staged block.',
                )
            )


def new_nest_list(
    elements: Sequence[Any], structure: nest.Structure, kind: type[Any] = list
) -> NestList:
    """A staged list of these elements, all of one form; `kind` as for `new_list`."""
    from .live_kinds import as_element, live_form
    from .row_names import note_put

    elements, structure = list(map(as_element, elements)), live_form(structure)
    note_put(elements)
    for element in elements:
        watch_parts(element)
    rows = [nest.flatten(element)[0] for element in elements]
    columns = zip(*rows, strict=True) if rows else [()] * len(nest.paths(structure, ''))
    return NestList(structure, [new_list(list(column), kind) for column in columns])


def _unsupported(what: str, fix: str) -> StagingError:
    what = f'A list that a staged block changes does not support {what}.'
    return StagingError(describe(what, user_location(), fix))
