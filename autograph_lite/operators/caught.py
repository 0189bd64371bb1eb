"""What stands for an exception that the running graph catches."""
from __future__ import annotations

from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor
from ..graph.tracing import emit_one
from ..ops.effects import IS_CAUGHT


def _has_no_value(*_: Any) -> NoReturn:
    raise StagingError(
        describe(
            'What the graph catches has no value while tracing.',
            user_location(),
            'Ask for its class by `isinstance`, for its message by `str`, raise it again, or raise '
            'another exception from it: `raise Other(...) from e`.',
        )
    )


class _Unknown(type):
    """What stands for a class that only the running graph knows."""

    __name__ = property(_has_no_value)


class Caught(Exception, metaclass=_Unknown):
    """The exception that a handler is for: it can be raised again, and others from it.

    Attributes:
      variable: what it is called in the lowered program.
    """

    def __init__(self, variable: str) -> None:
        super().__init__()
        self.variable = variable

    __str__ = __repr__ = __format__ = __reduce__ = _has_no_value
    args = property(_has_no_value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        _has_no_value()


def is_caught(caught: Caught, classes: Any) -> Tensor:
    """`isinstance(caught, classes)`."""
    kinds = classes if isinstance(classes, tuple) else (classes,)
    return emit_one(IS_CAUGHT, [], {'errors': kinds, 'caught': caught.variable})
