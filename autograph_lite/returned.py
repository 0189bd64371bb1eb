"""What a trace returns that its graph does not compute: Python values, and whose they are."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .graph import nest
from .graph.given import weakly
from .graph.tracing import is_tracing
from .keys import Identity, copied, leaf_key
from .operators.deques import Deque
from .operators.guards import record_same
from .operators.living_lists import LivingCollection, LivingList
from .operators.new_containers import has_two_names, places_of_new
from .operators.outer_parts import place_of_container, places_holding
from .operators.outside import handing, is_outside, rebound
from .operators.places import Place, found_at
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


def place_of_returned(x: Any) -> Place | None:
    """Where a list, dict or dataclass outside is found that is returned, or what stands for it.

    Also where one will be found that the traced code has made, and put outside.
    """
    known, world, x = handing(), rebound(), nest.actual(x)
    new = {} if world is None else places_of_new()
    if world is not None and id(x) in world.bindings.made:
        raise has_two_names(x, world.bindings.made[id(x)][1])
    if id(x) in new:
        return new[id(x)]
    x = x.items if isinstance(x, Deque) else x
    is_living = isinstance(x, LivingCollection | LivingList)
    if isinstance(x, LivingList) and x.is_held:
        return x.place_now
    container = x.container if is_living else known.container_of(x) if known else x
    place = x.found_at if is_living else place_of_container(container)
    if place is None or isinstance(container, tuple) or not is_outside(container):
        return None
    if found_at(place) is container:
        return place
    others = (each for each in places_holding(container) if found_at(each) is container)
    other = next(others, None)
    if other is not None:
        record_same(other, container)
    return other


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
