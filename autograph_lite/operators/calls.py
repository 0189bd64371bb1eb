"""`call`: the user's functions are converted when they are called while a graph is traced."""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from ..conversion import converted_for_call, is_converted
from ..converters.callees import CACHED, is_of_library
from ..errors import StagingError, describe, user_location
from ..graph import dispatch, nest
from ..graph.nest import actual
from ..graph.tensor import Tensor
from ..graph.tracing import called_here, depth, is_tracing
from ..ops.numpy_calls import call_numpy, takes_arrays
from ..ops.random import staged_draw
from ..pyct.asking import get_attribute
from .activations import endless_recursion, may_be_repeated
from .contexts import decorated_function
from .guards import record, record_function
from .outside import as_tensor, note_function
from .places import Attribute, place_of
from .recursion import enter
from .replacements import staged_form
from .unconverted import record_library_names, record_reads

# A function that calls itself this deep inside staged branches does not end while tracing.
_MAX_DEPTH = 48


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, with `f` converted where a tensor may reach its control flow.

    Raises:
      StagingError: `f` calls itself without end, since only the running graph could end it.
    """
    if not is_tracing():
        return f(*args, **kwargs)
    check_depth(f)
    kwargs = {name: actual(value) for name, value in kwargs.items()}
    args = tuple(map(actual, args))
    traced = _traced(f, args)
    with called_here():
        if may_be_repeated(traced, args, kwargs):
            return enter(traced, *args, **kwargs)
        return traced(*args, **kwargs)


def check_depth(f: Callable[..., Any]) -> None:
    """Refuses a call that is ever deeper in staged blocks.

    Raises:
      StagingError: it is.
    """
    if depth() > _MAX_DEPTH:
        raise StagingError(
            describe(
                endless_recursion()
                or f'{get_attribute(f, "__name__", f)!r} is called ever deeper inside branches '
                'whose condition is a tensor; tracing such a recursion does not end.',
                user_location(),
                'Give it arguments of the same types and the same Python values at every level, or '
                'write it as a loop.',
            )
        )


def undecorated(f: Any) -> Callable[..., Any] | None:
    """What `@np.errstate(...)` has made of a function, for tracing; None if it is nothing such."""
    if isinstance(f, types.MethodType):
        function = undecorated(f.__func__)
        return None if function is None else types.MethodType(function, f.__self__)
    found = decorated_function(f)
    if found is None:
        return None
    decorated, make_context = found

    def under_errstate(*args: Any, **kwargs: Any) -> Any:
        with make_context():
            return call(decorated, *args, **kwargs)

    return under_errstate


def _traced(f: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """What to call instead of `f` while tracing."""
    owner = get_attribute(f, '__self__')
    if actual(owner) is not owner:
        return getattr(actual(owner), f.__name__)  # type: ignore[no-any-return]
    replacement = undecorated(f) or _replacement(f)
    if replacement is not None:
        return replacement
    if isinstance(f, functools.partial):
        return functools.partial(_traced(f.func, args), *f.args, **f.keywords)
    if isinstance(f, types.FunctionType):
        return _converted(f, args)
    if isinstance(f, types.MethodType):
        return types.MethodType(_converted(f.__func__, (f.__self__, *args)), f.__self__)
    if isinstance(f, type):
        _record_construction(f)
        return functools.partial(_made, f) if _is_made_by_init(f) else f
    if isinstance(f, CACHED):
        return functools.partial(_from_cache, f)
    method = inspect.getattr_static(type(f), '__call__', None)
    if isinstance(method, types.FunctionType):
        record(place_of(type(f), type(f).__name__).then(Attribute('__call__')), method)
        return types.MethodType(_converted(method, (f, *args)), f)
    return f


def _from_cache(f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of what `functools.cache` has made; an array from it is a captured one."""
    given = nest.flatten((args, kwargs))[0]
    if any(isinstance(x, Tensor) for x in given):
        if any(isinstance(x, Tensor) and x.type.kind == 'array' for x in given):
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return call(f.__wrapped__, *args, **kwargs)
    record_reads(f.__wrapped__, *args)
    return nest.map_leaves(lambda x: as_tensor(x, f.__name__), f(*args, **kwargs))


def _is_made_by_init(kind: type[Any]) -> bool:
    """Whether objects of a class are made by nothing but an `__init__` of the user's."""
    return (
        type(kind) is type and get_attribute(kind, '__new__') is object.__new__
        and isinstance(kind.__init__, types.FunctionType) and not is_of_library(kind.__init__)
    )


def _made(kind: type[Any], *args: Any, **kwargs: Any) -> Any:
    """A new object, whose `__init__` is converted."""
    made = object.__new__(kind)
    call(types.MethodType(kind.__init__, made), *args, **kwargs)
    return made


def _record_construction(kind: type[Any]) -> None:
    """Guards what makes the objects of a class of the user's."""
    for name in ('__init__', '__new__'):
        function = get_attribute(kind, name)
        if isinstance(function, types.FunctionType) and not is_of_library(function):
            record(place_of(kind, kind.__name__).then(Attribute(name)), function)
            record_reads(function)


def _replacement(f: Callable[..., Any]) -> Callable[..., Any] | None:
    """The staged form of a builtin, a `math` function or a NumPy function no protocol reaches."""
    replacement: Callable[..., Any] | None
    try:
        replacement = dispatch.UNREACHED.get(f)
    except TypeError:  # not hashable
        return None
    if replacement is not None:
        return replacement  # type: ignore[no-any-return]
    drawn = staged_draw(f)
    if drawn is not None:
        return drawn
    if takes_arrays(f):
        return functools.partial(call_numpy, f)
    return staged_form(f)


def _converted(f: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
    is_made_here = isinstance(f, types.FunctionType) and is_converted(f.__code__)
    note_function(f, is_made_here)
    converted = converted_for_call(f)
    if isinstance(f, types.FunctionType) and not is_made_here:
        if converted is f:
            record_reads(f, *args)
        elif not is_of_library(f):
            record_function(f)
            record_library_names(f)
    return converted
