"""Methods of dicts outside that set what stands at keys which are known while tracing.

    STATE.update(n=x)       STATE.setdefault('k', x)

They set items, of which the graph knows (see `outer_parts`); what takes items out it calls itself.
"""
from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ..graph import nest
from ..graph.state import valued
from ..graph.tracing import current_graph
from ..keys import is_container
from .in_place import is_repeated
from .outer_parts import note_place, set_item
from .outside import is_outside
from .places import Item, Place, Question, is_static
from .set_variables import is_namespace
from .steps import finished, step_from

_KINDS = (dict, OrderedDict, defaultdict)


def by_items(
    container: Any, place: Place, name: str, args: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """What a method of a dict outside gives that sets items; NotImplemented where none does.

    Args:
      container: the dict.
      place: where it was found.
      name: the method.
      args: what that is given.
      named: what it is given by name.
    """
    if name not in ('update', 'setdefault') or type(container) not in _KINDS:
        return NotImplemented
    if not is_outside(container) or is_namespace(container):
        return NotImplemented
    note_place(container, place)
    return (_update if name == 'update' else _setdefault)(container, place, *args, **named)


def _update(container: Any, place: Place, more: Any = (), /, **named: Any) -> Any:
    more = nest.actual(more)
    items = dict(more) if type(more) in (dict, tuple, list) else None
    if items is None or not all(map(is_static, items)):
        return NotImplemented
    for key, value in (items | named).items():
        set_item(container, key, value)
    return None


def _setdefault(container: Any, place: Place, key: Any, default: Any = None, /) -> Any:
    key, default = valued(key), nest.actual(default)
    if not is_static(key) or (is_container(default) and not isinstance(default, tuple)):
        return NotImplemented
    is_there = finished(*step_from(container, place, Question('in', (key,))))
    if not isinstance(is_there, bool) or (not is_there and is_repeated(current_graph())):
        return NotImplemented
    if not is_there:
        set_item(container, key, default)
    return finished(*step_from(container, place, Item(key)))
