"""What a trace returns that its graph does not compute: Python values, and whose they are."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .graph.given import weakly
from .graph.tracing import is_tracing
from .keys import Identity, copied, leaf_key
from .operators.outside import is_outside
from .operators.places import Place
from .operators.steps import read_again
from .ops.new_objects import NewObject


@dataclass(frozen=True)
class Given:
    """An argument that is returned: each call returns its own, which the trace does not keep."""

    index: int


@dataclass(frozen=True)
class Made:
    """A set, or its like, that the function made: each call returns one of its own."""

    value: Any


class Outside:
    """A list, dict or dataclass from outside that is returned: each call returns what is there.

    Args:
      place: where it was found.
    """

    def __init__(self, place: Place) -> None:
        self.place = place

    def value(self) -> Any:
        """What is there now; for a function that is being traced, as it reads it."""
        return read_again(self.place) if is_tracing() else self.place()

    def __reduce__(self) -> Any:
        return Made, (self.place(),)


def static_output(value: Any, leaves: Sequence[Any]) -> Any:
    """What stands for a Python value that is returned.

    Args:
      value: the Python value.
      leaves: the arguments of the trace.
    """
    kept = weakly(value)
    if isinstance(kept, NewObject):
        return kept
    copy = copied(value)
    if copy is not value or isinstance(leaf_key(value), Identity):
        for index, leaf in enumerate(leaves):
            if leaf is value:
                return Given(index)
    return value if copy is value or is_outside(value) else Made(copy)


def output_of(output: Any, leaves: Sequence[Any]) -> Any:
    """The Python value that a call with these arguments returns.

    Args:
      output: what `static_output` gave.
      leaves: the arguments of the call.
    """
    if isinstance(output, Given):
        return leaves[output.index]
    if isinstance(output, Outside):
        return output.value()
    if isinstance(output, NewObject):
        return output()
    return copied(output.value) if isinstance(output, Made) else output
