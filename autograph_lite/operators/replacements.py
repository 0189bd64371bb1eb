"""The staged forms of Python's builtins and of `math`, by the function that the user calls.

`builtins.py`, `ordering.py` and `namespaces.py` add theirs; `calls.py` looks them up.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

_FORMS: dict[Callable[..., Any], Callable[..., Any]] = {}


def stages(function: Callable[..., Any], form: Callable[..., Any]) -> None:
    """Lets a function be called in the place of another one while a graph is traced."""
    _FORMS[function] = form


def staged_form(function: Any) -> Callable[..., Any] | None:
    """What is called in the place of a function while a graph is traced; None if that itself."""
    try:
        return _FORMS.get(function)
    except TypeError:  # it cannot be hashed
        return None
