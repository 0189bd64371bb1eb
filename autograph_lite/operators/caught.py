"""What is raised while tracing in the place of an exception that only the running graph knows."""
from __future__ import annotations

from ..graph.dispatch import FALLBACKS
from ..ops.exceptions import CAUGHT, StagedError
from .known import root


class Caught(Exception):
    """Stands for an exception that the running graph raises again, or from which it raises another.

    Attributes:
      error: the exception.
    """

    def __init__(self, error: StagedError) -> None:
        super().__init__()
        self.error = error

    def __str__(self) -> str:
        """Nothing, in a message of the library.

        Raises:
          StagingError: Python's own code shows it, as `traceback.format_exc` and `logging` do.
        """
        FALLBACKS['check shown'](self.error)
        return ''

    @property
    def variable(self) -> str | None:
        """What the lowered program calls it, if it is what a handler is for."""
        node = root(self.error.held).node
        return node.attrs['caught'] if node is not None and node.op is CAUGHT else None


def caught_at(level: int) -> str:
    """What the lowered program calls what a handler catches that stands in so many others."""
    return f'caught_{level}' if level else 'caught'
