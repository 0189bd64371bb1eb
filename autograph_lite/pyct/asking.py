"""Asking objects of which nothing is known."""
from __future__ import annotations

import inspect
from typing import Any


def get_attribute(x: Any, name: str, default: Any = None) -> Any:
    """An attribute; the default where there is none, whatever the object's class raises for it."""
    try:
        return getattr(x, name, default)
    except Exception:
        return default


def has_attribute(x: Any, name: str) -> bool:
    """Whether there is an attribute, whatever the object's class raises where there is none."""
    return get_attribute(x, name, _NONE) is not _NONE


_NONE = object()


def resumes(f: Any) -> str:
    """What a function makes that is not done when it returns; empty if it is done."""
    for test, what in (
        (inspect.isasyncgenfunction, 'an asynchronous generator'),
        (inspect.iscoroutinefunction, 'a coroutine'),
        (inspect.isgeneratorfunction, 'a generator'),
    ):
        if test(f):
            return what
    return ''
