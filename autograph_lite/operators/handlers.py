"""`try` with `except`: a graph cannot catch what is raised when it runs."""
from __future__ import annotations

from typing import Any

from ..errors import Location, StagingError, describe, user_location
from ..graph.tracing import CONSTANT, current_graph, handling


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
        self._handling = handling()

    def __enter__(self) -> None:
        self._location = user_location()
        self._handling.__enter__()

    def __exit__(self, *raised: Any) -> None:
        self._handling.__exit__(*raised)
        staged = self._graph.nodes[self._nodes :] if self._graph else []
        if any(node.op is not CONSTANT for node in staged):
            self._statement.staged_at = self._location
