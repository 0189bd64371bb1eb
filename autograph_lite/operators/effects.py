"""`print`, `assert` and `raise` when the graph runs."""
from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any

import numpy as np

from ..errors import AutographError, is_internal
from ..graph import nest
from ..graph.graph import Graph
from ..graph.sites import CodeSite, Site
from ..graph.tensor import Tensor, valued
from ..graph.tracing import as_value, emit, is_tracing
from ..graph.tracing import site as site_now
from ..ops.effects import ASSERT, PRINT, RAISE, Display, Pieces, Shown
from ..ops.strings import StagedString
from ..replay import is_silent
from .caught import Caught
from .formatting import text
from .staging import condition, truth
from .state import Snapshot


def print(*values: Any, sep: str = ' ', end: str = '\n') -> None:
    """Prints the values when the graph runs, at every call; outside a graph, at once."""
    if not is_tracing():
        if not is_silent():
            builtins.print(*values, sep=sep, end=end)
        return
    inputs: list[Any] = []
    parts = [_part(value, inputs) for value in values]
    emit(PRINT, inputs, {'parts': parts, 'sep': sep, 'end': end})


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """`assert test, message()`.

    Raises:
      AssertionError: the test is false; when the graph runs, if it is a tensor.
    """
    test = condition(test) if is_tracing() else test
    if not isinstance(test, Tensor):
        if not test:
            raise AssertionError(*([message()] if message else []))
        return
    inputs: list[Any] = [truth(test)]
    snapshot = Snapshot(('', message))
    parts = [_part(message(), inputs)] if message else []
    snapshot.check_unchanged()
    emit(ASSERT, inputs, {'parts': parts})


class Diverged(Exception):
    """Tracing has come to a place that the running graph never passes."""


def raises_when_run(error: Exception, graph: Graph) -> None:
    """Makes an exception that the user's code raised in a staged block one of its effects.

    Raises:
      Exception: the error itself, where it tells of a mistake that no run can avoid.
    """
    if isinstance(error, Diverged):
        return
    if isinstance(error, Caught):
        graph.add(RAISE, [], {'error': None, 'parts': []}, site=site_now())
        return
    site = _raised_by_user(error)
    # A recursion that tracing does not end may well end when the graph runs.
    if isinstance(error, AutographError | RecursionError) or site is None:
        raise error
    inputs: list[Any] = []
    parts = [_part(value, inputs) for value in error.args]
    values = [as_value(x) for x in inputs]
    attrs: dict[str, Any] = {'error': type(error), 'parts': parts}
    if isinstance(type(error).__init__, FunctionType):
        static = [(k, v) for k, v in vars(error).items() if not isinstance(v, Tensor)]
        attrs['state'] = tuple(static)
    if isinstance(error.__cause__, Caught):
        attrs['cause'] = error.__cause__.variable
    elif isinstance(error.__context__, Caught) and error.__suppress_context__:
        attrs['cause'] = None
    graph.add(RAISE, values, attrs, site=site)


def names_tensors(error: Exception) -> bool:
    """Whether the error's message has values that only the running graph knows."""
    return any(isinstance(value, Tensor) for value in error.args)


# What NumPy and Python raise for values that do not fit: which ones do, a branch may depend on.
_OF_VALUES = (ArithmeticError, AssertionError, IndexError, TypeError, ValueError)

# Where attributes, items and variables are read for the user's code.
_READING = ('captures.py', 'membership.py', 'places.py')


def _raised_by_user(error: Exception) -> Site | None:
    """Where the user's code raised, or called what raised; None if the library itself is wrong."""
    found: TracebackType | None = None
    is_users = True  # whether what follows does no more than read what the user's code reads
    traceback = error.__traceback__
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        if not is_internal(filename):
            found, is_users = traceback, True
        elif not filename.endswith(_READING):
            is_users = False
        traceback = traceback.tb_next
    if found is None or not (is_users or isinstance(error, _OF_VALUES)):
        return None
    return CodeSite(found.tb_frame.f_code, found.tb_lasti, found.tb_lineno)


def _part(value: Any, inputs: list[Any]) -> Any:
    """What is shown in a value's place, with its tensors among the inputs."""
    value = valued(value)
    if isinstance(value, StagedString) and value.parts:
        return Pieces(
            tuple(
                part if isinstance(part, str) else _shown(part[0], inputs, part[1], part[2])
                for part in value.parts
            )
        )
    if isinstance(value, (Tensor, np.ndarray)):
        return _shown(value, inputs)
    if type(value) in (tuple, list, dict):
        parts = tuple(_part(child, inputs) for child in nest.children(value))
        if any(isinstance(part, (Shown, Pieces, Display)) for part in parts):
            return Display(type(value), tuple(value) if type(value) is dict else (), parts)
    return value


def _shown(value: Any, inputs: list[Any], conversion: int = -1, spec: str = '') -> Any:
    if not isinstance(value, (Tensor, np.ndarray)):
        return text((value, conversion, spec))
    inputs.append(value)
    return Shown(len(inputs) - 1, conversion, spec)
