"""`finally` that jumps: Python forgets the exception that led there; a refusal must not be."""
from __future__ import annotations

import sys

from ..errors import AutographError


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
