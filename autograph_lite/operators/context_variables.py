"""Context variables that Python sets while a function is traced: `LEVEL.set(n)`.

A trace runs in a context of its own. What it has set there is set outside when it is done; it is
for one call then.
"""
from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar

from ..errors import AutographError, OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .blocks_around import given_in
from .outside_errors import puts_given

R = TypeVar('R')


class OwnContext:
    """The context of a trace, apart from that of the call."""

    def __init__(self) -> None:
        self._outside = copy_context()
        self._inside = self._outside

    def run(self, function: Callable[..., R], *args: Any) -> R:
        """Calls a function in a new context like that of the call."""
        self._inside = self._outside.copy()
        try:
            return self._inside.run(function, *args)
        except AutographError:
            self._inside = self._outside
            raise

    def check(self) -> None:
        """No variable of the context is left with a tensor.

        Raises:
          OwnershipError: one is, or with a container that the function is given.
        """
        for variable, value in changed(self._outside, copy_context()).items():
            given = given_in(value)
            if given is not None:
                raise puts_given(given, variable.name)
            if any(isinstance(x, Tensor) for x in nest.flatten(value)[0]):
                raise _becomes_a_tensor(variable)

    def leave(self) -> str:
        """Sets outside what was set; which variable that was, or nothing."""
        left = changed(self._outside, self._inside)
        for variable, value in left.items():
            variable.set(value)
        return next((f'set the context variable {each.name!r}' for each in left), '')


def changed(before: Context, after: Context) -> dict[ContextVar[Any], Any]:
    """The variables that are set in a context to something else than in the one before."""
    return {
        variable: value for variable, value in after.items()
        if variable not in before or before[variable] is not value}


def check_context(before: Context) -> None:
    """A staged block has set no context variable.

    Raises:
      OwnershipError: it has; it is set back.
    """
    left = changed(before, copy_context())
    for variable in left:
        if variable in before:
            variable.set(before[variable])
    for variable in left:
        raise OwnershipError(describe(
            f'A staged block sets the context variable {variable.name!r}, which Python does once, '
            'while tracing.',
            user_location(),
            'Set it outside of the block, or in a function that `ag.py_function` calls.'))


def _becomes_a_tensor(variable: ContextVar[Any]) -> OwnershipError:
    return OwnershipError(describe(
        f'The context variable {variable.name!r} becomes a tensor, or what holds one; the graph '
        'would not set it when it runs.',
        user_location(),
        'Return the value, and set the variable where the function is called.'))
