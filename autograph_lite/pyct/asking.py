"""Asking objects of which nothing is known."""
from __future__ import annotations

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


def called(x: Any) -> str:
    """A function or class by its own name, which is the same in every run; the text of the rest.

    A function that another one makes has its line with it, of which there may be several.
    """
    is_plain = get_attribute(type(x), '__repr__') is object.__repr__  # its text is an address
    shown = f'one {type(x).__name__}' if is_plain else repr(x)
    name = str(get_attribute(x, '__qualname__') or shown)
    outer, _, own = name.rpartition('<locals>.')
    code = get_attribute(x, '__code__')
    return f'{own} (line {code.co_firstlineno})' if outer and code is not None else own


def package_of(x: Any) -> str:
    """The top package that a class or function says it is of; empty if it does not say so."""
    module = get_attribute(x, '__module__')
    return module.partition('.')[0] if isinstance(module, str) else ''
