"""What a trace takes for granted of the variables outside that its graph reads and sets."""
from __future__ import annotations

import pickle
from collections.abc import Sequence

from .description import brief
from .errors import SignatureError, describe, user_location
from .graph.graph import Graph
from .graph.types import type_of
from .operators.guards import Guard, SameGuard, TypeGuard
from .operators.places import Place
from .ops.outer_variables import READ_OUTER, SET_OUTER


class OuterState:
    """The variables outside that a graph sets, for whoever calls just this trace.

    Args:
      name: the function's.
      graph: the graph.
      guards: what was read from outside, and what it was.
    """

    def __init__(self, name: str, graph: Graph, guards: Sequence[Guard]) -> None:
        self._name = name
        reads = (node.attrs for node in graph.nodes if node.op is READ_OUTER)
        self._types = [(attrs['variable'], attrs['type']) for attrs in reads]
        sets = (node.attrs for node in graph.walk() if node.op is SET_OUTER)
        own = {attrs['variable'].where for attrs in sets}
        self._values = [
            guard for guard in guards
            if isinstance(guard.read, Place) and guard.read.where in own
            and not isinstance(guard, TypeGuard)]
        self._containers = [guard for guard in guards if isinstance(guard, SameGuard)]

    def check(self) -> None:
        """The variables are what they were when the function was traced, or of the type.

        Raises:
          SignatureError: one is not.
        """
        for variable, type_ in self._types:
            found = type_of(variable.value)
            if found != type_:
                now = brief(variable.value) if found is None else str(found)
                raise self._error(variable.name, str(type_), now)
        for guard in (*self._values, *self._containers):
            if not guard.holds():
                raise self._error(guard.path, 'another value', brief(guard.read()))

    def check_portable(self) -> None:
        """The trace holds in another process, where nothing tells what a variable was.

        Raises:
          PicklingError: it does not.
        """
        for guard in self._values:
            raise pickle.PicklingError(
                f'{self._name} sets the variable {guard.path!r}, and holds only for what that was '
                'when it was traced.')

    def _error(self, name: str, was: str, now: str) -> SignatureError:
        what = f'{self._name} was traced when the variable {name!r} was {was}; it is {now} now.'
        fix = 'This is one trace; call the function itself, which makes another for others.'
        return SignatureError(describe(what, user_location(), fix))
