"""`Folding`: what runs a loop over itself, as `filter`, a generator expression and `iter(x)` do."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Folding:
    """An iterable that runs a loop over itself.

    Attributes:
      stands_for: the class of what it is in Python; None where it stands for nothing there.
    """

    stands_for: type[Any] | None = None

    @property
    def is_pythons(self) -> bool:
        """Whether Python can take its elements one by one while tracing."""
        return False

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """`for item in self: state = body(item, *state)`, as `for_loop` gives it."""
        raise NotImplementedError

    def listed(self) -> Any:
        """The list of the items."""
        raise NotImplementedError
