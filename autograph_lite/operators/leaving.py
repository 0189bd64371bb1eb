"""What a context manager does with what is raised in its block, as far as its source tells.

Its `__exit__` runs while tracing, when nothing is raised yet.
"""
from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any

from ..converters.callees import is_of_library
from ..converters.managers import (
    class_may_swallow,
    function_may_swallow,
    generator_may_swallow,
)
from ..pyct.asking import get_attribute


def may_swallow(manager: Any) -> bool:
    """Whether something that is raised in its block may end there."""
    if isinstance(manager, contextlib.suppress):
        return True
    if isinstance(manager, contextlib.ExitStack):
        return any(_callback_may_swallow(each) for _, each in manager._exit_callbacks)  # type: ignore[attr-defined]  # typeshed does not know of it
    generator = generator_of(manager)
    if generator is not None:
        return generator_may_swallow(generator)
    return class_may_swallow(type(manager))


def name_of(manager: Any) -> str:
    """What the user calls its class, or the function that makes it."""
    generator = generator_of(manager)
    return type(manager).__name__ if generator is None else str(generator.__name__)


def _callback_may_swallow(callback: Any) -> bool:
    """Whether what an `ExitStack` calls may: an `__exit__`, or any function that it has."""
    function = get_attribute(callback, '__func__', callback)
    if isinstance(callback, types.MethodType) and function.__name__ == '__exit__':
        return may_swallow(callback.__self__)
    is_wrapper = isinstance(function, types.FunctionType) and is_of_library(function)
    return not is_wrapper and function_may_swallow(function)  # `callback` makes the wrappers


def generator_of(manager: Any) -> Callable[..., Any] | None:
    """The user's function that `contextlib.contextmanager` has made the manager of."""
    is_made = isinstance(manager, contextlib._GeneratorContextManager)
    generator = get_attribute(manager, 'gen') if is_made else None
    if not isinstance(generator, types.GeneratorType) or generator.gi_frame is None:
        return None
    code, frame = generator.gi_code, generator.gi_frame
    held = frame.f_locals
    cells = tuple(
        types.CellType(held[name]) if name in held else types.CellType()
        for name in code.co_freevars)
    return types.FunctionType(code, frame.f_globals, closure=cells)
