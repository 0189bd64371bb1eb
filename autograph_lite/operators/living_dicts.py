"""Which dicts outside the running graph changes at keys that it alone knows.

    COUNTS[int(v)] += 1

That traced code does so may be found after it has read such a dict: then it is traced anew.
"""
from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from typing import Any

import numpy as np

from ..graph.state import valued
from .anew import TracedAnew
from .chosen_keys import can_choose, is_staged_key
from .chosen_parts import place_at
from .dicts import has_containers
from .entry_types import entry_type, joined
from .given_containers import stage_given
from .outside import is_given, is_outside, rebound
from .outside_errors import read_after_change
from .places import Item, Place, Question, Step
from .set_variables import is_namespace

_KINDS = (dict, Counter, defaultdict, OrderedDict)


def lives(container: Any) -> bool:
    """Whether it is a dict outside that the function is known to change so."""
    world = rebound()
    return world is not None and type(container) in _KINDS and (
        'living', id(container)) in world.expected


def living(container: Any, place: Place | None) -> Any:
    """What stands for it.

    Args:
      container: the dict.
      place: where it was found.
    """
    from .outer_entries import OuterDict  # which needs what is here

    world = rebound()
    assert world is not None
    return world.in_place.named.setdefault(id(container), OuterDict(container, place))


def let_live(container: Any) -> None:
    """Has the function traced anew, knowing that it changes a dict so, where that can be.

    Raises:
      TracedAnew: it can.
    """
    world = rebound()
    if world is None or not world.reads or lives(container) or type(container) not in _KINDS:
        return
    if not is_outside(container) or is_namespace(container):
        return
    if is_given(id(container)):
        stage_given(container)
        return
    if not container or all(map(_have_a_type, (container.keys(), container.values()))):
        raise TracedAnew(('living', id(container)), ('in place', id(container)))


def let_live_by(container: Any, key: Any) -> None:
    """The same, if only the running graph knows the key at which the dict is changed."""
    if not isinstance(container, dict) or not is_staged_key(key):
        return
    if not (can_choose(container, valued(key)) and any(map(_can_change, container.values()))):
        let_live(container)


def let_live_read(container: Any, key: Any) -> None:
    """The same of one that is read at a key, where that may change it, or it has many keys."""
    if not isinstance(container, dict) or not is_staged_key(key):
        return
    is_made = getattr(container, 'default_factory', None) is not None
    has_lists = any(type(x) is list for x in container.values())
    if is_made or has_lists or not can_choose(container, valued(key)):
        let_live(container)


def _have_a_type(parts: Any) -> bool:
    return joined(map(entry_type, parts)) is not None


def _can_change(x: Any) -> bool:
    return isinstance(x, np.ndarray) or has_containers(x)


def read_living(container: Any, place: Place | None, step: Step) -> Any:
    """What a step from such a dict leads to, as the graph finds it."""
    found = living(container, place)
    match step:
        case Question('len'):
            return found.length()
        case Question('in', (x,)):
            return found.has(x)
        case Item(key):
            return place_at(found, key)
    raise read_after_change(container)
