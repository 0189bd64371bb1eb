"""Attributes of the caller's dataclasses that a function sets on some of its ways only.

    if x > 0:
        return weights.mean     # a `functools.cached_property`, which is set when it is read
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .operators.conditionals import cond
from .operators.guarded import guarded
from .operators.perhaps_missing import is_bound
from .pyct.asking import attributes


@dataclass(frozen=True)
class IfThere:
    """An attribute that is set only if the graph says so, which gives that, too."""

    key: Any


def is_there_and(value: Any) -> tuple[Any, Any]:
    """Whether there is such a value when the graph has run, and the value, or None."""
    is_there = is_bound(value)
    return is_there, cond(is_there, lambda: guarded(value), lambda: None)


def set_of(owner: Any, items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Those of the keys and values that are set; the other attributes are taken out."""
    for key, value in items:
        if not isinstance(key, IfThere):
            yield key, value
        elif value[0]:
            yield key.key, value[1]
        elif key.key in attributes(owner):
            object.__delattr__(owner, key.key)
