"""What a dict outside gives for a key that it lacks, as its class says.

    counts = defaultdict(int)           # outside

    if x > 0:
        counts['positive'] += 1

The key is set where the graph runs to here and the dict lacks it then, as by any assignment.
"""
from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..ops.outer_variables import UNSET
from .conditionals import cond
from .guarded import guarded
from .guards import record, record_error
from .outer_parts import read_part, set_item
from .outside import note
from .own_methods import own_method
from .perhaps_missing import is_bound, may_lack
from .places import Attribute, HeldItem, Place
from .reentry import call


def found_or_made(
    owner: dict[Any, Any], step: HeldItem, place: Place
) -> tuple[Any, Place | None]:
    """What a dict has at a key, or its class gives for it, and the place of what was found.

    Args:
      owner: the dict, of a class with a method `__missing__`.
      step: leads from it to the item.
      place: that of the item.

    Raises:
      KeyError: the class gives nothing for the key, which is not there.
    """
    found, known = read_part(owner, step, place, dict.get(owner, step.key, UNSET))
    note(found)
    if found is UNSET:
        record_error(place, KeyError())
        return _made(owner, step.key, place), None
    if may_lack(found):
        return cond(
            is_bound(found), lambda: guarded(found), lambda: _made(owner, step.key, place)), None
    return found, known


def _made(owner: dict[Any, Any], key: Any, place: Place) -> Any:
    own = own_method(owner, '__missing__')
    if own is not None:
        return own(key)
    if not isinstance(owner, defaultdict) or owner.default_factory is None:
        return type(owner).__missing__(owner, key)  # type: ignore[attr-defined]
    factory = owner.default_factory
    record(place.before().then(Attribute('default_factory')), factory)
    value = call(factory)
    set_item(owner, key, value)
    return value
