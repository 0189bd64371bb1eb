"""A dict that gets a key which only the running graph knows becomes one that grows.

    counts = {}
    counts[int(x)] = 1
"""
from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ..graph import nest
from ..graph.state import valued
from .chosen_keys import can_choose, chosen_or, chosen_there, is_staged_key, missing
from .dicts import StagedDict, in_order
from .entry_types import entry_type, joined
from .growing_dicts import GrowingDict, empty_dict
from .keys_and_values import form_of_key, unfit
from .live_kinds import can_be_put
from .live_types import live_might_help
from .moved import leave
from .outside import is_outside
from .reentry import call


def is_open(container: Any, key: Any) -> bool:
    """Whether it is an empty dict, asked for a key which only the running graph knows."""
    return _held(container) == {} and is_staged_key(key)


def grown(container: Any, key: Any, *values: Any) -> GrowingDict | None:
    """What a dict becomes that gets, or loses, a key which only the running graph knows.

    Args:
      container: anything.
      key: the key.
      *values: what it shall have.

    Returns:
      The dict; None where the container is none, or has keys or values of other kinds.

    Raises:
      OwnershipError: it lives outside the function.
    """
    held = _held(container) if is_staged_key(key) else None
    if held is None or (held and is_outside(container)) or not (held or values):
        return None
    key_form, value_form = _form_of_keys([*held, key]), _form_of([*held.values(), *values])
    if key_form is None or value_form is None:
        live_might_help()
        return None
    factory = container.factory if isinstance(container, StagedDict) else None
    made = filled(held, empty_dict(nest.kind_of(container), factory, key_form, value_form))
    leave(container, made)
    return made


def can_be_grown(container: Any, like: GrowingDict) -> bool:
    """Whether a dict can be one whose keys and values have the forms that this one's have."""
    held = _held(container)
    return held is not None and nest.kind_of(container) is like.kind and (
        not held or (_form_of_keys(list(held)), _form_of(list(held.values()))) == (
            like.key, like.value))


def grown_like(container: Any, like: GrowingDict) -> GrowingDict:
    """The dict as one that grows."""
    return filled(
        _held(container) or {}, empty_dict(like.kind, like.factory, like.key, like.value))


def filled(held: dict[Any, Any], made: GrowingDict) -> GrowingDict:
    """A dict with these keys and values put into it."""
    for key, value in held.items():
        made[key] = value
    return made


def set_grown(container: Any, key: Any, value: Any) -> bool:
    """Whether `container[key] = value` made the dict one that grows."""
    made = grown(container, key, value)
    if made is not None:
        made[key] = value
    elif is_open(container, key):
        raise unfit(value)
    return made is not None


def make_by_reading(container: Any, key: Any) -> None:
    """A `defaultdict` that is asked for such a key becomes one that grows."""
    container = nest.actual(container)
    if isinstance(container, StagedDict) and container.factory is not None and is_staged_key(key):
        first = call(container.factory)
        if grown(container, key, first) is None and is_open(container, key):
            raise unfit(first)


def method_of_key(container: Any, name: str, key: Any, *rest: Any) -> Callable[..., Any] | None:
    """What does what a method of a dict does with such a key; None where that is the method."""
    if name == 'update':
        from .filling import update  # it needs what is here

        return None if isinstance(container, StagedDict) else functools.partial(update, container)
    if not is_staged_key(key):
        return None
    if name in ('setdefault', 'pop'):
        made = grown(container, key, *((rest or (None,)) if name == 'setdefault' else ()))
        if made is not None:
            return getattr(made, name)  # type: ignore[no-any-return]
    if name != 'setdefault' and is_open(container, key):
        lacking = None if name == 'get' else missing
        return functools.partial(_absent, container, lacking)
    if can_choose(container, valued(key)) and name != 'pop':
        return functools.partial(chosen_or if name == 'get' else chosen_there, container)
    return None


def _absent(container: Any, lacking: Any, key: Any, *default: Any) -> Any:
    if default or lacking is None:
        return default[0] if default else None
    return lacking(container, key)


def _held(container: Any) -> dict[Any, Any] | None:
    """The keys and values of a dict, where they are known; None of anything else."""
    if isinstance(container, StagedDict):
        if container.unsure() or container.successor is not None:
            return None
        return {key: container.held[key] for key in in_order(container.numbers)}
    return container if type(container) in (dict, OrderedDict) else None


def _form_of_keys(keys: Sequence[Any]) -> nest.Structure | None:
    """The form of keys of numbers, and of tuples of them; the texts of a dict are all known."""
    form = form_of_key(keys[-1])
    if len(keys) > 1 and form.type is None and isinstance(keys[0], str | bytes):
        return None
    return _form_of(keys)


def _form_of(parts: Sequence[Any]) -> nest.Structure | None:
    """The form that all have, with numbers, texts and arrays of types that join; else None."""
    if all(map(can_be_put, parts)):
        return nest.LEAF
    found = joined(map(entry_type, parts))
    return None if found is None else found.form
