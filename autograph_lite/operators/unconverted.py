"""What functions may read that run as they are while a graph is traced: nothing tells of it.

Such a function is one that is marked `ag.do_not_convert`, one without source, an operator of a
class of the user's. The names in its code say what it may read: global variables, variables of the
functions around it, attributes of what it is given. All of them are guarded.
"""
from __future__ import annotations

import builtins
import copy
import dataclasses
import functools
import inspect
import itertools
import operator
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import numpy as np

from ..converters.callees import AS_IT_IS, Callee, is_library, is_of_library
from ..converters.callees import kind as kind_of
from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import METHODS
from ..graph.tracing import constant
from ..keys import is_container
from ..pyct.asking import get_attribute, has_attribute
from ..pyct.written import CACHED
from .anew import leave_to_python
from .guards import record, record_error, record_function
from .holders import walk
from .is_none import is_optional
from .known import is_there
from .new_objects import note_found
from .optional_nests import Perhaps
from .outside import is_made_here, is_outside, note, world_now
from .places import Attribute, Global, Place, Question, place_of
from .reentry import call
from .run_by_python import goes_on, has_run
from .untold import all_taken, note_untold_names
from .whole_reads import check_reached

# Of an object that is iterated over or calculated with, Python calls these.
_OPERATORS = frozenset(
    f'__{prefix}{name}__'
    for name in ('add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or')
    for prefix in ('', 'r')
) | {'__neg__', '__abs__', '__array__', '__float__', '__int__', '__index__', '__bool__', '__eq__',
     '__ne__', '__lt__', '__le__', '__gt__', '__ge__'}  # fmt: skip


# Modules of Python whose functions do not look at what they are given to copy, hold or hand on.
_HANDING_ON = frozenset({'collections', 'copy', 'dataclasses', 'functools', 'types', 'weakref'})


# Except for these, which look at what an object is.
_LOOKING = frozenset({dataclasses.replace, dataclasses.astuple, dataclasses.asdict})


def record_reads(f: Any, *args: Any, is_run: bool = True) -> None:
    """Guards everything that a function may read, which is called as it is.

    Args:
      f: the function.
      *args: what it is given.
      is_run: whether Python runs it; else it is converted, where it can be.

    Raises:
      StagingError: only the running graph knows whether some of that is `None`.
    """
    seen: set[int] = set()
    _record(f, args, seen, is_called=True)
    if seen and is_run:
        leave_to_python()
        world_now().runs_python = True


def record_library_names(f: Any) -> None:
    """Guards that names of libraries and builtins, such as `np`, `sqrt`, `len`, still mean them."""
    f = _written(f)
    if not isinstance(f, types.FunctionType):
        return
    for place in _variables(f):
        value = _now(place)
        is_module = isinstance(value, types.ModuleType) and place.steps
        if (callable(value) or is_module) and is_of_library(value):
            record(place, value)
    for name in names_in(f.__code__):
        if name not in f.__globals__ and hasattr(builtins, name):
            record_error(_global(f, name), KeyError(name))


def _written(f: Any) -> Any:
    """The function behind a method, a partial or an object that can be called."""
    while isinstance(f, types.MethodType | functools.partial):
        f = f.__func__ if isinstance(f, types.MethodType) else f.func
    if isinstance(f, types.FunctionType):
        return f
    return inspect.getattr_static(type(f), '__call__', None)


def _now(place: Place) -> Any:
    try:
        return place()
    except ValueError:  # the variable has no value yet
        return None


def _record(
    f: Any, args: tuple[Any, ...], seen: set[int], is_called: bool = False
) -> None:
    """Records what a function may read: its variables, theirs, and attributes that it names.

    Args:
      f: the function.
      args: what it is given.
      seen: identifies the functions that were recorded before.
      is_called: whether it runs now, as it is, or only may.
    """
    if isinstance(f, types.MethodType):
        f, args = f.__func__, (f.__self__, *args)
    if is_of_library(f):
        f = get_attribute(f, '__wrapped__')  # such as the generator of a context manager
    if not isinstance(f, types.FunctionType) or is_of_library(f) or id(f) in seen:
        return
    seen.add(id(f))
    record_function(f)
    if is_called:
        world_now().code.note(f)
        note_untold_names(f, map(_now, _variables(f)))
    for place in _variables(f):
        value = _now(place)
        if is_of_library(value) or isinstance(value, types.ModuleType):
            continue
        if is_called:
            check_given(f, value)
            world_now().arrays.note_named(value)
        is_own = is_made_here(f)
        if not is_own or place.steps:  # those of its module have steps
            record(place, value)
        if not is_own:
            note(value)
        note_found(value)
        _record(value, (), seen, is_called)
        _record_attributes(f, value, is_called)
    for x in args:
        if is_called:
            check_given(f, x)
        _record_attributes(f, x, is_called)


def as_it_is(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, of a function that is not converted.

    Raises:
      StagingError: only the running graph knows whether what it is given is `None`.
    """
    from .steps import with_tensors  # which records what it reads

    check_given(f, *args, *kwargs.values())
    record_reads(f, *args, *kwargs.values())
    kwargs = {name: with_tensors(value) for name, value in kwargs.items()}
    goes_on()
    result = f(*map(with_tensors, args), **kwargs)
    has_run()
    return result


def check_given(f: Callable[..., Any], *values: Any) -> None:
    """What runs as it is would take a value for one that is there.

    Raises:
      StagingError: only the running graph knows whether it is, or `None`.
      UnboundError: an item of a dict outside, or an attribute, may be missing.
    """
    check_reached(*values)
    if not any(is_optional(x) and not is_there(x) for each in values for x in _parts(each)):
        return
    name = get_attribute(f, '__name__', 'a function')
    code = get_attribute(f, '__code__')
    is_generator = code is not None and bool(code.co_flags & inspect.CO_GENERATOR)
    why = 'is a generator, which does not convert' if is_generator else 'is not converted'
    raise StagingError(
        describe(
            f'`{name}` {why}, and what it reads may be None when the graph runs: it would take it '
            'for a value.',
            user_location(),
            'Let it run only where that is known, `if x is not None:`, and give it the parts of a '
            'tuple or an object.',
        )
    )


def _parts(x: Any) -> Iterator[Any]:
    """A value, and all that is in it."""
    yield x
    for part in nest.children(x):
        yield from _parts(part)


def _variables(f: types.FunctionType) -> Iterator[Place]:
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        yield Place(_reading(getattr, cell, 'cell_contents'), (name, id(cell)), name)
    for name in names_in(f.__code__):
        if name in f.__globals__:
            yield _global(f, name)


def _global(f: types.FunctionType, name: str) -> Place:
    namespace = f.__globals__
    return Place(lambda: namespace, ('module', id(namespace)), 'globals()', (Global(name),))


def names_in(code: types.CodeType) -> Iterator[str]:
    """The names of globals in a function, and in those that are nested in it."""
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from names_in(const)


def _reading(read: Callable[..., Any], owner: Any, name: str) -> Callable[[], Any]:
    return lambda: read(owner, name)


def _record_attributes(f: types.FunctionType, x: Any, is_called: bool) -> None:
    """Guards the attributes of an object that a function names."""
    if not _is_users(x):
        return
    for name in f.__code__.co_names:
        found = inspect.getattr_static(x, name, None)
        if found is not None and not hasattr(type(found), '__get__'):
            if is_called:
                check_given(f, getattr(x, name))
                world_now().arrays.note_named(getattr(x, name))
            place = place_of(x, type(x).__name__).then(Attribute(name))
            record(place, getattr(x, name))


def from_library(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A call of a function of Python's library, which may read all of what it is given.

    Raises:
      StagingError: only the running graph knows whether what it is given is `None`.
    """
    args = tuple(x.sure() if isinstance(x, Perhaps) and is_there(x) else x for x in args)
    if isinstance(f, types.FunctionType) and f.__module__ not in _HANDING_ON:
        check_given(f, *args, *kwargs.values())
    if f in _LOOKING and args and isinstance(args[0], Perhaps):
        check_given(f, args[0])
    if f is itertools.accumulate:
        check_given(f, kwargs.get('initial'))
    if isinstance(f, type) and f.__module__ == 'itertools':
        args = tuple(map(converting, args))
        kwargs = {name: converting(value) for name, value in kwargs.items()}
    arrays = [array for x in (*args, *kwargs.values()) for array in record_whole(x)]
    if f is copy.deepcopy and arrays and len(args) == 1 and not kwargs:
        args = (*args, {id(array): _copied(array) for array in arrays})
    return read_element(f(*args, **kwargs))


def converting(x: Any) -> Any:
    """A function of the user's, or a builtin such as `max`, as one that knows tensors whoever
    calls it; anything else itself.
    """
    function = x.__func__ if isinstance(x, types.MethodType) else x
    if kind_of(function) is Callee.BUILTIN:
        return functools.partial(call, x)
    if not isinstance(function, types.FunctionType) or is_library(function):
        return x
    return x if function.__code__.co_flags & inspect.CO_GENERATOR else functools.partial(call, x)


def record_whole(x: Any) -> list[np.ndarray[Any, Any]]:
    """Guards all that can be read of an object of the user's; the arrays that it holds."""
    arrays: list[np.ndarray[Any, Any]] = []
    if not _is_users(x) or not is_outside(x):
        return arrays
    for held in walk(('', x)):
        arrays += [value for value in held.content.values() if isinstance(value, np.ndarray)]
        if not held.is_object:
            continue
        place = place_of(held.owner, type(held.owner).__name__)
        if has_attribute(held.owner, '__dict__'):
            record(place.then(Question('vars')), vars(held.owner))
        for name, value in held.content.items():
            record(place.then(Attribute(name)), value)
    return arrays


def _copied(array: np.ndarray[Any, Any]) -> Any:
    """What `copy.deepcopy` makes of an array, in the running graph.

    Raises:
      StagingError: it holds objects, which only Python could copy.
    """
    if array.dtype.hasobject:
        what = 'An array of objects is copied once, while tracing.'
        fix = 'Copy the object outside the function, and pass the copy.'
        raise StagingError(describe(what, user_location(), fix))
    return METHODS['copy'](constant(array), order='K')


def record_uses(x: Any) -> None:
    """Guards what may be read by using something as it is: by operators of an object's class."""
    if isinstance(x, types.FunctionType | types.MethodType):
        if has_attribute(x, AS_IT_IS):
            _record(x, (), set())
    elif isinstance(x, CACHED):
        _record(x.__wrapped__, (), set())
    elif _is_users(x):
        for kind in type(x).__mro__[:-1]:
            for name in sorted(_OPERATORS.intersection(vars(kind))):
                _record(vars(kind)[name], (x,), set())


def elements(iterable: Iterable[Any]) -> Iterator[Any]:
    """What Python's own iteration gives while tracing: guarded, an array as a tensor."""
    if _is_users(iterable):
        record_reads(getattr(type(iterable), '__iter__', None), iterable)
    if isinstance(iterable, Collection) and is_container(iterable):
        return iter(iterable)  # what it holds are tensors already
    items = all_taken(iterable)
    runs_code = isinstance(iterable, Iterator) or not is_of_library(type(iterable))
    return map(read_element, _telling(items) if runs_code else items)


def _telling(iterator: Iterator[Any]) -> Iterator[Any]:
    """The same, where what each step has set outside is told."""
    while True:
        goes_on()
        item = next(iterator, _END)
        has_run()
        if item is _END:
            return
        yield item


_END = object()


def read_element(item: Any) -> Any:
    """An element of what lives outside, its arrays as the graph captures them."""
    if type(item) is tuple:
        read = tuple(map(read_element, item))
        return item if all(map(operator.is_, item, read)) else read
    return constant(item) if type(item) is np.ndarray else item


def record_context(x: Any) -> None:
    """Guards what an object reads when it is the context of a `with`."""
    if _is_users(x):
        for name in ('__enter__', '__exit__'):
            _record(getattr(type(x), name, None), (x,), set())


def _is_users(x: Any) -> bool:
    """Whether it is an object of a class of the user's, with attributes."""
    if is_container(x) or isinstance(x, type | types.ModuleType | types.FunctionType):
        return False
    return has_attribute(x, '__dict__') and not is_of_library(type(x))
