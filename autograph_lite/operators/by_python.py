"""What Python's own deque or set does, where all that is in it is known while tracing."""
from __future__ import annotations

import functools
from typing import Any

from ..graph.state import valued
from .progress import Collection


class DoneByPython(Collection):
    """A collection whose other methods are those of Python's, called on one of what is in it."""

    def real(self, what: str) -> Any:
        """The collection itself.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        raise NotImplementedError

    def like(self, real: Any) -> Any:
        """What stands for another collection of the same class."""
        raise NotImplementedError

    def kept_in_order(self, real: Any) -> list[Any]:
        """The items of the collection itself, after Python has changed it."""
        return list(real)

    def by_list(self, name: str, args: tuple[Any, ...]) -> Any:
        """The method of the list that does the same; None where there is none."""
        return None

    def __contains__(self, item: Any) -> bool:
        return item in self.real('asking Python what is in it')

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        kind = self.python_class
        if not hasattr(kind, name) or name.startswith('__'):
            shown = kind.__name__ if kind is set else f'{kind.__module__}.{kind.__name__}'
            raise AttributeError(f'{shown!r} object has no attribute {name!r}')
        return functools.partial(self._done, name)

    def _done(self, name: str, *args: Any) -> Any:
        by_list = self.by_list(name, args)
        if by_list is not None:
            return by_list(*args)
        real = self.real(f'`{name}`')
        given = (x.real(f'`{name}`') if isinstance(x, DoneByPython) else valued(x) for x in args)
        result = getattr(real, name)(*given)
        kept = self.kept_in_order(real)
        if len(kept) != len(self.listed) or any(
                a is not b for a, b in zip(kept, self.listed, strict=True)):
            self.listed[:] = kept
        return self.like(result) if isinstance(result, self.python_class) else result
