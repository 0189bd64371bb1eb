"""`call`: the user's functions are converted when they are called while a graph is traced."""
from __future__ import annotations

import builtins
import functools
import math
import types
from collections.abc import Callable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.tracing import depth, is_tracing
from ..ops.numpy_calls import call_numpy, takes_arrays
from ..ops.random import GENERATORS, bound_draw
from . import builtins as staged_builtins
from .outside import note_function

# A function that calls itself this deep inside staged branches does not end while tracing.
_MAX_DEPTH = 48


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, with `f` converted where a tensor may reach its control flow.

    Raises:
      StagingError: `f` calls itself without end, since only the running graph could end it.
    """
    if not is_tracing():
        return f(*args, **kwargs)
    if depth() > _MAX_DEPTH:
        raise StagingError(
            describe(
                f'{getattr(f, "__name__", f)!r} is called ever deeper inside branches whose '
                'condition is a tensor; tracing such a recursion does not end.',
                user_location(),
                'Write it as a loop, or recurse over a Python value.',
            )
        )
    return _traced(f)(*args, **kwargs)


def _traced(f: Callable[..., Any]) -> Callable[..., Any]:
    """What to call instead of `f` while tracing."""
    replacement = _replacement(f)
    if replacement is not None:
        return replacement
    if isinstance(f, functools.partial):
        return functools.partial(_traced(f.func), *f.args, **f.keywords)
    if isinstance(f, types.FunctionType):
        return _converted(f)
    if isinstance(f, types.MethodType):
        return types.MethodType(_converted(f.__func__), f.__self__)
    method = vars(type(f)).get('__call__')
    if isinstance(method, types.FunctionType):
        return types.MethodType(_converted(method), f)
    return f


def _replacement(f: Callable[..., Any]) -> Callable[..., Any] | None:
    """The staged form of a builtin, a `math` function or a NumPy function no protocol reaches."""
    try:
        replacement = dispatch.UNREACHED.get(f)
    except TypeError:  # not hashable
        return None
    if replacement is not None:
        return replacement
    if isinstance(getattr(f, '__self__', None), GENERATORS):
        return bound_draw(f)
    if takes_arrays(f):
        return functools.partial(call_numpy, f)
    name = getattr(f, '__name__', '')
    if getattr(builtins, name, None) is f and name in staged_builtins.STAGED:
        return getattr(staged_builtins, name)  # type: ignore[no-any-return]
    if getattr(math, name, None) is f:
        from .namespaces import math as staged_math

        return getattr(staged_math, name)  # type: ignore[no-any-return]
    return None


def _converted(f: Any) -> Callable[..., Any]:
    from ..conversion import converted_for_call

    note_function(f)
    return converted_for_call(f)
