"""Functions that Python's library has in Python: converted where they call code of the user's.

    numbers.get(key)        `collections.abc.Mapping` calls the user's `__getitem__`
    dataclasses.replace(o)  calls the user's `__post_init__`
"""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..converted import library_code_for_call
from ..converters.callees import is_of_library
from ..errors import StagingError, is_numpy, is_package
from ..graph.checkpoints import checkpoint, undo
from ..graph.dispatch import UNREACHED
from ..graph.trials import trying
from .contents import is_object
from .reachable import Reachable


def run(f: Callable[..., Any], plainly: Callable[[], Any], args: Any, kwargs: Any) -> Any:
    """What a function of Python's library gives.

    It runs as it is, and is converted only if code that it calls has to be.

    Args:
      f: the function, or a method.
      plainly: calls it as it is.
      args: what it is given.
      kwargs: what it is given by name.
    """
    function = _written(f, (*args, *kwargs.values()))
    if function is None:
        return plainly()
    start, reached = checkpoint(), Reachable(f, *args, *kwargs.values())
    with trying():
        try:
            return plainly()
        except StagingError as error:
            converted = _converted(function) if error.is_of_unconverted else None
            if converted is None:
                raise
        undo(start)
        reached.restore()
        owner = (f.__self__,) if isinstance(f, types.MethodType) else ()
        return converted(*owner, *args, **kwargs)


def _converted(function: types.FunctionType) -> Callable[..., Any] | None:
    replacement: Callable[..., Any] | None = UNREACHED.get(function)
    return replacement or library_code_for_call(function)


def _written(f: Any, given: tuple[Any, ...]) -> types.FunctionType | None:
    """The function in Python, if it is given something that leads to code of the user's."""
    function = f
    if isinstance(f, types.MethodType):
        function, given = f.__func__, (f.__self__, *given)
    if not isinstance(function, types.FunctionType) or not is_of_library(function):
        return None
    if is_package(str(function.__globals__.get('__name__'))):
        return None
    is_numpys = is_numpy(function.__code__.co_filename)
    held = (cell.cell_contents for cell in function.__closure__ or ())
    return function if not is_numpys and any(map(_is_users, (*given, *held))) else None


def _is_users(x: Any) -> bool:
    """Whether it is, or holds, a function of the user's or an object of a class of the user's."""
    if isinstance(x, list | tuple):
        return any(map(_is_users, x))
    if isinstance(x, types.FunctionType | types.MethodType | type):
        return not is_of_library(x.__func__ if isinstance(x, types.MethodType) else x)
    return is_object(x) and not is_of_library(type(x))
