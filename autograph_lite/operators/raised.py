"""`raise error` and `raise ... from error`, of an exception that only the running graph knows."""
from __future__ import annotations

import sys
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tracing import is_tracing
from ..ops.exceptions import StagedError
from .caught import Caught
from .chosen_functions import functions_within
from .needed import check_there
from .one_of_few import for_each, is_one_of_few


def raised(error: Any) -> Any:
    """What is raised by `raise error`.

    Raises:
      TypeError: it may be None, and is when the graph runs.
    """
    error = _made(error) if is_tracing() else error
    if not isinstance(error, StagedError):
        return error
    check_there(error, TypeError, 'exceptions must derive from BaseException')
    return Caught(error)


def _made(error: Any) -> Any:
    """The exception; of one of several classes, or None, what that makes without arguments."""
    error = valued(error)
    kinds = list(functions_within(error)) if is_one_of_few(error) else []
    if not kinds or not all(isinstance(kind, type) and issubclass(kind, BaseException)
                            for kind in kinds):
        return error
    return for_each(error, lambda kind: kind and kind())


def cause(error: Any) -> Any:
    """What another is raised from by `raise ... from error`."""
    error = _made(error) if is_tracing() else error
    return Caught(error) if isinstance(error, StagedError) else error


@replaces(sys.exc_info)
def _exc_info() -> Any:
    """`sys.exc_info()`.

    Raises:
      StagingError: what is handled only the running graph knows.
    """
    known = sys.exc_info()
    if isinstance(known[1], Caught):
        what = 'What `sys.exc_info()` gives of what the graph catches is not known while tracing.'
        fix = 'Give it a name, `except ValueError as e`, and ask that.'
        raise StagingError(describe(what, user_location(), fix))
    return known


def _exception() -> Any:
    """`sys.exception()`."""
    known = sys.exc_info()[1]
    return known.error if isinstance(known, Caught) else known


if sys.version_info >= (3, 11):
    replaces(sys.exception)(_exception)
