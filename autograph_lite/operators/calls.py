"""`call`: the user's functions are converted when they are called while a graph is traced."""
from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converted import converted_for_call, is_converted, is_in_converted
from ..converters.callees import AS_IT_IS, is_of_library, reads_objects
from ..graph import dispatch
from ..graph.nest import actual
from ..graph.tensor import Tensor
from ..graph.tracing import called_here, is_tracing
from ..ops.calls import class_name
from ..ops.numpy_calls import call_numpy, takes_arrays
from ..ops.options import check_options
from ..ops.public_names import has_public_name, public_name
from ..ops.random import staged_draw
from ..pyct.asking import get_attribute, has_attribute
from ..pyct.written import CACHED
from .activations import may_be_repeated
from .array_methods import method_of_array
from .cached import from_cache
from .captures import part
from .chosen_functions import OneFunction
from .contexts import undecorated
from .dicts import StagedDict
from .dispatchers import chosen
from .done_once import done
from .drawn_by_python import note_drawn
from .files import check_unread, note_opened
from .functions_outside import note_converted
from .getters import gets, got
from .gone_through import gone_through
from .grown_dicts import method_of_key
from .guards import record, record_function
from .hashed import check_call
from .is_none import is_optional
from .library_code import run as run_library_code
from .library_containers import COPIED, staged_container
from .live_kinds import live_from_birth, of_live_class
from .live_types import is_live_class
from .living_dicts import lives, living
from .member_lookups import looked_up
from .namespaces import math as staged_math
from .needed import check_there
from .new_objects import note_found
from .optional_nests import Perhaps
from .optional_objects import own_of_optional
from .outer_calls import change, is_change, note_method
from .outer_parts import place_of_container
from .outside import note, note_function, note_inlined, without_tensors, world_now
from .places import Attribute, place_of
from .recursion import check_depth, enter
from .references import has_references, looked_into, named_values
from .run_by_python import goes_on, has_run
from .special_methods import operator_of_class, special_method
from .steps import as_tensor, with_tensors
from .text_methods import method_of_text
from .unconverted import check_given, from_library, record_library_names, record_reads
from .unsupported_operands import check_callable
from .untold import note_untold
from .when_run import asked, asks_python
from .whole_reads import check_taking

# Methods of a dict that are given keys.
_BY_KEY = ('get', 'pop', 'setdefault', 'update')
_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, with `f` converted where a tensor may reach its control flow.

    Raises:
      StagingError: `f` calls itself without end, since only the running graph could end it.
      TypeError: `f` cannot be called.
    """
    if not is_tracing():
        return f(*args, **kwargs)
    if isinstance(f, Tensor):
        raise TypeError(f'{class_name(f)} object is not callable')
    if isinstance(f, Perhaps):
        own = own_of_optional(f, '__call__')
        if own is not None:
            return own(*args, **kwargs)
        f = f.checked(TypeError, "'NoneType' object is not callable")
    check_callable(f)
    check_depth(f)
    kwargs = {name: actual(value) for name, value in kwargs.items()}
    args = tuple(map(actual, args))
    if isinstance(f, OneFunction):  # each of them is asked of, and read for, where it is called
        return f(*map(named_values, args), **named_values(kwargs))
    check_call(f, args)
    is_untold = note_untold(f, *args, *kwargs.values())
    kwargs |= _default_arrays(f, len(args), kwargs)
    traced = _traced(f, args, kwargs)
    if has_references((args, kwargs)) and not _is_converted(traced):
        read = _read_by(f)
        args, kwargs = tuple(map(read, args)), {name: read(x) for name, x in kwargs.items()}
        traced = _traced(f, args, kwargs)
    if _is_converted(traced):  # it says what it reads of a dataclass outside, and may change it
        args = tuple(map(without_tensors, args))
        kwargs = {name: without_tensors(value) for name, value in kwargs.items()}
    else:
        world_now().code.note(*args, *kwargs.values())
        check_taking(f, *args, *kwargs.values())
        if _is_users(f.__func__ if isinstance(f, types.MethodType) else f):
            args = tuple(map(with_tensors, args))
            kwargs = {name: with_tensors(value) for name, value in kwargs.items()}
    args = gone_through(f, args)
    goes_on()
    with called_here() as returned:
        if is_untold:
            result = done(traced, *args, **kwargs)
            note(result)
            note_opened(result)
            note_found(result)
            return returned(result)
        if may_be_repeated(traced, args, kwargs):
            return returned(enter(traced, *args, **kwargs))
        if traced is f and reads_objects(f):
            args = tuple(map(with_tensors, args))
            plainly = functools.partial(from_library, f, *args, **kwargs)
            result = run_library_code(f, plainly, args, kwargs)
            has_run()
            return result
        result = run_library_code(f, functools.partial(traced, *args, **kwargs), args, kwargs)
        if not _is_converted(traced):
            has_run()
        if traced is f and isinstance(f, types.FunctionType | types.MethodType):
            note_found(result)
        return returned(result)


def _read_by(f: Callable[..., Any]) -> Callable[[Any], Any]:
    """What a function of Python's or NumPy's reads of a name for one of several."""
    is_of_container = isinstance(get_attribute(f, '__self__'), list | dict | set)
    if is_of_container and f.__name__ not in ('extend', 'update'):
        return lambda x: x
    is_looking = is_of_container or takes_arrays(f) or any(f is each for each in _LOOKING)
    return looked_into if is_looking else named_values


# Builtins that keep nothing of what they are given, or only what is in it.
_LOOKING = (
    all, any, bool, float, frozenset, int, len, list, max, min, set, sorted, str, sum, tuple)


def _is_converted(traced: Callable[..., Any]) -> bool:
    """Whether it is code of the user's that is converted, which itself says what it reads."""
    while isinstance(traced, types.MethodType | functools.partial):
        traced = traced.__func__ if isinstance(traced, types.MethodType) else traced.func
    code = get_attribute(traced, '__code__')
    return traced is _construct or (code is not None and is_in_converted(code))


def decorator(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which decorates a nested function: it is converted while a graph is traced."""
    return functools.partial(call, f)


def note_inner(f: Callable[..., Any]) -> None:
    """An `ag.function` that is called while tracing becomes part of the trace.

    Raises:
      StagingError: it calls itself without end, since only the running graph could end it.
    """
    check_depth(f)
    note_inlined(f)
    note_function(f)
    record_library_names(f)
    if isinstance(f, types.FunctionType):
        record_function(f)


def _traced(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any]:
    """What to call instead of `f` while tracing."""
    given = *args, *kwargs.values()
    method = _method_of_container(f, args, given)
    if method is not None:
        return method
    member = looked_up(f, args, kwargs)
    if member is not None:
        return member
    found = chosen(f, args)
    if found is not None:
        return _traced(found, args, kwargs)
    if gets(f, args):
        return functools.partial(got, f)
    if takes_arrays(f) and not isinstance(f, np.ufunc):
        if any(map(is_optional, given)) and has_public_name(f):
            check_options(public_name(f), args, kwargs)
        _check_arrays(given)
    replacement = undecorated(f) or _replacement(f)
    if replacement is not None:
        return replacement
    if isinstance(f, functools.partial):
        made = _traced(f.func, (*f.args, *args), f.keywords | kwargs)
        return functools.partial(made, *f.args, **f.keywords)
    return _written(f, given)


def _method_of_container(
    f: Callable[..., Any], args: tuple[Any, ...], given: tuple[Any, ...]
) -> Callable[..., Any] | None:
    """What to call instead of a method of a container, a text or what stands for one."""
    owner: Any = f.__self__ if isinstance(f, _METHODS) else None
    if actual(owner) is not owner:
        return getattr(actual(owner), f.__name__)  # type: ignore[no-any-return]
    if isinstance(owner, np.ndarray):
        return method_of_array(owner, f.__name__)
    if owner is not None:
        check_unread(owner, f.__name__)
        note_method(owner, f.__name__)
    is_pythons = not isinstance(f, types.MethodType)
    if owner is not None and lives(owner):
        changed = living(owner, place_of_container(owner))
        return getattr(changed, f.__name__)  # type: ignore[no-any-return]
    if owner is not None and is_change(owner, f.__name__, is_pythons):
        return functools.partial(change, owner, place_of_container(owner), f.__name__)
    from .spelled_out import as_method, as_statement  # which calls

    said = operator_of_class(f, args) or as_method(f, args)
    said = said or as_statement(f) or special_method(f, args)
    if said is not None:
        return said
    if type(f) is types.MethodDescriptorType and args and is_change(args[0], f.__name__, True):
        return lambda owner, *rest, **given: change(
            owner, place_of_container(owner), f.__name__, *rest, **given)
    if isinstance(owner, COPIED) and f.__name__ == 'copy':
        return lambda: staged_container(f())
    if type(owner) is list and f.__name__ == 'sort':
        from .ordering import sort

        return functools.partial(sort, owner)
    if args and isinstance(owner, dict | StagedDict) and f.__name__ in _BY_KEY:
        method = method_of_key(owner, f.__name__, *args)
        if method is not None:
            return method
    if type(owner) in (str, bytes):
        return method_of_text(owner, f.__name__, given)
    if type(owner) in (list, tuple):
        from .list_methods import staged_method

        method = staged_method(owner, f.__name__, args)
        if method is not None:
            return method
    return None


def _written(f: Callable[..., Any], given: tuple[Any, ...]) -> Callable[..., Any]:
    """What the user has written, converted, and guarded; anything else itself."""
    if isinstance(f, types.FunctionType):
        return _converted(f, given)
    if isinstance(f, types.MethodType) and isinstance(f.__func__, CACHED):
        return functools.partial(from_cache, f.__func__, f.__self__)
    if isinstance(f, types.MethodType):
        return types.MethodType(_converted(f.__func__, (f.__self__, *given)), f.__self__)
    if type(f) is weakref.ref:
        return functools.partial(part, place_of(f, 'weakref'), ('call',))
    if isinstance(f, CACHED):
        return functools.partial(from_cache, f)
    method = inspect.getattr_static(type(f), '__call__', None)
    if isinstance(method, types.FunctionType) and not is_of_library(type(f)):
        record(place_of(type(f), type(f).__name__).then(Attribute('__call__')), method)
        return types.MethodType(_converted(method, (f, *given)), f)
    # A metaclass of the user's has `super().__call__`.
    is_of_type = type(f) is types.MethodWrapperType and f.__objclass__ is type
    kind = get_attribute(f, '__self__') if is_of_type else f
    if isinstance(kind, type) and (is_of_type or type(kind).__call__ is type.__call__):
        _record_construction(kind)
        is_ours = _starts_by_code(kind) or is_live_class(kind)
        return functools.partial(_construct, kind) if is_ours else f
    return f


def _check_arrays(given: tuple[Any, ...]) -> None:
    """Guards what NumPy reads by making arrays of objects of the user's, by code that does so.

    What may be None is asked for when the graph runs, even where only its shape matters.
    """
    for x in given:
        check_there(x, TypeError, 'An array or a number is needed here, and what is given is None.')
        own = get_attribute(type(x), '__array__')
        if _is_users(own):
            record_reads(own, x)


def _record_construction(kind: type[Any]) -> None:
    """Guards what makes the objects of a class of the user's."""
    for name in ('__init__', '__new__'):
        function = get_attribute(kind, name)
        if isinstance(function, types.FunctionType) and not is_of_library(function):
            record(place_of(kind, kind.__name__).then(Attribute(name)), function)
            record_reads(function, is_run=False)


def _starts_by_code(kind: type[Any]) -> bool:
    """Whether methods of the user's say what a new object of a class is."""
    is_made = dataclasses.is_dataclass(kind)
    start = get_attribute(kind, '__post_init__' if is_made else '__init__')
    return _is_users(start) or _is_users(kind.__new__)


def _is_users(method: Any) -> bool:
    return isinstance(method, types.FunctionType) and not is_of_library(method)


def _construct(kind: type[Any], *args: Any, **kwargs: Any) -> Any:
    """`kind(*args, **kwargs)`, with the user's code in it converted."""
    return of_live_class(_constructed(kind, *args, **kwargs))


def _constructed(kind: type[Any], *args: Any, **kwargs: Any) -> Any:
    if _is_users(kind.__new__):
        made = call(kind.__new__, kind, *args, **kwargs)
    else:
        made = live_from_birth(kind) or kind.__new__(kind, *args, **kwargs)
    if not isinstance(made, kind):
        return made
    held, finish = get_attribute(made, '__dict__'), get_attribute(kind, '__post_init__')
    if not dataclasses.is_dataclass(kind) or held is None:
        call(kind.__init__, made, *args, **kwargs)
        return made
    # The `__init__` of a dataclass, which nobody wrote, calls what the object itself has first.
    held['__post_init__'] = functools.partial(call, finish, made)
    try:
        made.__init__(*args, **kwargs)
    finally:
        del held['__post_init__']
    return made


def _replacement(f: Callable[..., Any]) -> Callable[..., Any] | None:
    """The staged form of a builtin, a `math` function or a NumPy function no protocol reaches."""
    try:
        replacement: Callable[..., Any] | None = dispatch.UNREACHED.get(f)
    except TypeError:  # not hashable
        return None
    if replacement is not None:
        return replacement
    drawn = staged_draw(f)
    if drawn is not None:
        note_drawn(f)
        return drawn
    if isinstance(f, np.vectorize):
        from .vectorized import vectorized

        return functools.partial(vectorized, f)
    if takes_arrays(f):
        return functools.partial(call_numpy, f)
    if get_attribute(f, '__module__') in ('json', 'statistics'):
        return functools.partial(asked, f) if asks_python(f) else None
    name = str(get_attribute(f, '__name__'))
    is_of_math = getattr(math, name, None) is f
    return getattr(staged_math, name) if is_of_math else None


def _default_arrays(f: Any, given: int, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arrays that the function takes by default in this call, as the graph captures them.

    Args:
      f: the function.
      given: how many arguments it is given by position.
      kwargs: those that it is given by name.
    """
    if isinstance(f, types.MethodType):
        f, given = f.__func__, given + 1
    if not isinstance(f, types.FunctionType) or not (f.__defaults__ or f.__kwdefaults__):
        return {}
    if is_of_library(f):
        return {}
    code, defaults = f.__code__, f.__defaults__ or ()
    first = max(given, code.co_argcount - len(defaults))
    named = code.co_varnames[max(first, code.co_posonlyargcount) : code.co_argcount]
    taken = dict(zip(named, defaults[len(defaults) - len(named) :], strict=True))
    taken |= f.__kwdefaults__ or {}
    return {
        name: as_tensor(value, name)
        for name, value in taken.items()
        if isinstance(value, np.ndarray) and name not in kwargs
    }


def _converted(f: Any, given: tuple[Any, ...]) -> Callable[..., Any]:
    code = get_attribute(f, '__code__')
    note_converted(f) if is_in_converted(code) else note_function(f)
    is_made_here = is_converted(code)
    converted = converted_for_call(f)
    if is_made_here and has_attribute(f, AS_IT_IS):
        check_given(f, *given, *inspect.getclosurevars(f).nonlocals.values())
    if isinstance(f, types.FunctionType) and not is_made_here:
        if converted is f:
            record_reads(f, *given)
        elif not is_of_library(f):
            record_function(f)
            record_library_names(f)
    return converted
