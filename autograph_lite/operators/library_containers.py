"""Deques, sets, defaultdicts and Counters that Python makes while tracing; what stands for them."""
from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import Any

from .deques import Deque
from .sets import staged_set

LIBRARY_CONTAINERS = (deque, defaultdict, Counter)
# What Python copies by their method, as a container that traced code has made.
COPIED = (*LIBRARY_CONTAINERS, set)


def staged_container(x: Any) -> Any:
    """What stands for a container of these classes, as if traced code had made it; others as is."""
    from .dict_forms import dict_of_class

    if type(x) is set:
        return staged_set(x)
    if type(x) is deque:
        return Deque(list(x), x.maxlen)
    if type(x) is defaultdict:
        return dict_of_class(defaultdict, x.default_factory, dict(x))
    return dict_of_class(Counter, None, dict(x)) if type(x) is Counter else x
