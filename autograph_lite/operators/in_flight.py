"""`finally` while tracing: what led there must not be forgotten."""
from __future__ import annotations

import sys

from ..errors import AutographError
from .activations import Again
from .reachable import Reaches
from .restaging import Restage


def error_in_flight() -> BaseException | None:
    """The exception that is being handled, or on its way through a `finally`."""
    return sys.exc_info()[1]


def refused_since(before: BaseException | None) -> None:
    """Goes on with a refusal that came up after `before` was in flight.

    Raises:
      AutographError: there is one.
    """
    error = error_in_flight()
    if error is not before and isinstance(error, AutographError):
        raise error


class finishing:
    """Stands around what a `finally` does: where a trace is given up, only that counts."""

    def __enter__(self) -> None:
        error = error_in_flight()
        self._is_given_up = isinstance(error, AutographError | Restage | Reaches | Again)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return self._is_given_up and kind is not None and issubclass(kind, Exception)
