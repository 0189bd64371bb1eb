"""`NestList`: a list that a staged block changes, whose elements are tuples or other nests.

It is a staged list for each leaf of an element. What the graph returns of it is a list of nests.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .lists import StagedList, new_list
from .watched import watch_parts


class NestList(nest.Nest):
    """A list of nests of one form, whose length only the running graph knows.

    Attributes:
      element: the form of an element.
      columns: for each leaf of an element, the list of those leaves.
    """

    __slots__ = ('columns', 'element')

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
        if isinstance(elements, NestList):
            self._check(elements.element)
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

    def clear(self) -> None:
        """Takes every element out."""
        for column in self.columns:
            column.clear()

    def reverse(self) -> None:
        """Turns the order round."""
        for column in self.columns:
            column.reverse()

    def __getitem__(self, index: Any) -> Any:
        found = [column[index] for column in self.columns]
        return self._like(found) if isinstance(index, slice) else self._element(found)

    def __setitem__(self, index: Any, element: Any) -> None:
        self._each(lambda column, leaf: column.__setitem__(index, leaf), element)

    def __delitem__(self, index: Any) -> None:
        for column in self.columns:
            del column[index]

    def __iadd__(self, elements: Any) -> NestList:
        self.extend(elements)
        return self

    def __add__(self, elements: Any) -> NestList:
        result = self.copy()
        result.extend(elements)
        return result

    def __iter__(self) -> Iterator[Any]:
        raise _unsupported('iterating over it in Python', 'Iterate in a `for` statement.')

    def __contains__(self, item: Any) -> bool:
        raise _unsupported('`in`', 'Compare its elements in a `for` statement.')

    def __bool__(self) -> bool:
        raise _unsupported('asking Python for its truth value', 'Compare `len(items)` with 0.')

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise _unsupported('using it as an array', 'Collect what belongs in an array in a list.')

    def __getattr__(self, name: str) -> Any:
        if hasattr(list, name) and not name.startswith('__'):
            raise _unsupported(f'`{name}`', 'Go over its elements in a `for` statement.')
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f'<a list of {self.element}>'

    def _like(self, columns: list[Any]) -> NestList:
        return NestList(self.element, columns)

    def _element(self, leaves: Sequence[Any]) -> Any:
        element = nest.unflatten(self.element, leaves)
        watch_parts(element)
        return element

    def _each(self, change: Callable[[StagedList, Any], None], element: Any) -> None:
        leaves, structure = nest.flatten(element)
        self._check(structure)
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


def new_nest_list(elements: Sequence[Any], structure: nest.Structure) -> NestList:
    """A staged list of these elements, all of one form."""
    for element in elements:
        watch_parts(element)
    rows = [nest.flatten(element)[0] for element in elements]
    columns = zip(*rows, strict=True) if rows else [()] * len(nest.paths(structure, ''))
    return NestList(structure, [new_list(list(column)) for column in columns])


def _unsupported(what: str, fix: str) -> StagingError:
    what = f'A list that a staged block changes does not support {what}.'
    return StagingError(describe(what, user_location(), fix))
