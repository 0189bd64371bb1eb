"""`try` with `except`: a graph cannot catch what is raised when it runs."""
from __future__ import annotations

from typing import Any

from ..errors import Location, StagingError, describe, user_location
from ..graph.tracing import current_graph


class excepting:
    """Stands around a `try` statement whose handlers only know of what is raised while tracing.

    Raises:
      StagingError: operations were staged in the `try` block; what they raise when the graph runs
        would pass its handlers by.
    """

    def __init__(self) -> None:
        self.staged_at: Location | None = None

    def block(self) -> _Block:
        """Stands around the statements that the handlers are for."""
        return _Block(self)

    def __enter__(self) -> excepting:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if self.staged_at is not None and kind is None:
            raise StagingError(
                describe(
                    'The graph cannot catch what the operations in this `try` raise when it runs.',
                    self.staged_at,
                    'Test for the condition with `if`, or put the `try` into a function under '
                    '`ag.py_function`.',
                )
            )


class _Block:
    """Notices whether operations are staged in a `try` block."""

    def __init__(self, statement: excepting) -> None:
        self._statement = statement
        self._graph = current_graph()
        self._nodes = len(self._graph.nodes) if self._graph else 0

    def __enter__(self) -> None:
        self._location = user_location()

    def __exit__(self, *_: Any) -> None:
        if self._graph is not None and len(self._graph.nodes) > self._nodes:
            self._statement.staged_at = self._location
