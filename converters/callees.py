"""What a call calls, as far as that is known before the function runs."""
from __future__ import annotations

import builtins
import collections
import contextlib
import dataclasses
import functools
import math
import operator
import sys
from enum import Enum
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any
from weakref import ReferenceType

import gast
import numpy as np

from autograph_lite.converters.context import MISSING, PACKAGE, Context
from autograph_lite.pyct.asking import get_attribute, has_attribute, package_of
from autograph_lite.pyct.tree import Node
from autograph_lite.pyct.written import CACHED, converted_by

AS_IT_IS = '__ag_as_it_is__'  # marks a function that is called, in converted code, as it is


class Callee(Enum):
    """What kind of thing is called."""

    LIBRARY = 'nothing of the user: NumPy, the standard library, a class without code of its own'
    LOCAL = 'a function that is defined in the function itself, and converted with it'
    METHOD = 'a method of an array, a string, a list or another of Python\'s own types'
    BUILTIN = 'a builtin that means something for a tensor'
    CREATION = 'a function of NumPy that makes an array of what is none'
    MATH = 'a function of the module `math`'
    USER = 'anything else: a function of the user'

    __hash__ = object.__hash__  # by identity: Enum's own is slow, and this is asked all the time


# Builtins that mean something for a tensor and that no protocol lets a tensor reach.
BUILTINS = (
    'all', 'any', 'bool', 'complex', 'enumerate', 'filter', 'float', 'int', 'isinstance', 'iter',
    'len', 'map', 'max', 'min', 'next', 'print', 'range', 'reversed', 'sorted', 'sum', 'zip',
)  # fmt: skip

# Functions of NumPy that make an array of shapes, numbers and lists, as do its scalar types.
CREATION = (
    'arange', 'array', 'asanyarray', 'asarray', 'ascontiguousarray', 'asfortranarray', 'empty',
    'eye', 'fromfunction', 'full', 'geomspace', 'identity', 'indices', 'linspace', 'logspace',
    'ones', 'tri', 'zeros',
)  # fmt: skip

# What NumPy makes arrays with between brackets, and classes of it whose objects are not arrays.
GRIDS = ('c_', 'mgrid', 'ogrid', 'r_')
_CLASSES = ('broadcast', 'matrix', 'ndenumerate', 'ndindex', 'nditer', 'poly1d')

# The code of what `@np.errstate(...)`, or another context manager, makes of a function.
UNDER_CONTEXT = frozenset(
    each for call in (np.errstate.__call__, contextlib.ContextDecorator.__call__)
    for each in call.__code__.co_consts if isinstance(each, CodeType))

# The code of what `functools.singledispatch` makes of a function.
DISPATCHING: CodeType = get_attribute(functools.singledispatch(len), '__code__')

# Modules whose functions are called as written: they look at who calls them, or know tensors.
_AS_WRITTEN = (
    'contextlib', 'inspect', 'logging', 'sys', 'threading', 'traceback', 'typing',
    'numpy', PACKAGE,
)  # fmt: skip

_BUILTINS = {id(getattr(builtins, name)): name for name in BUILTINS}
_CREATION = {id(getattr(np, name)): name for name in CREATION}
_LIBRARIES = sys.stdlib_module_names - {'__main__'} | {'numpy', PACKAGE}
DATA_TYPES = (
    np.ndarray, np.generic, np.random.Generator, np.random.RandomState,
    str, bytes, list, tuple, dict, set, range, int, float, complex, collections.deque,
)  # fmt: skip
METHODS = frozenset(
    name for each in DATA_TYPES for name in dir(each)
    if not name.startswith('_') and callable(getattr(each, name)))


def callee(function: Node, context: Context) -> tuple[Callee, str]:
    """What a called expression is, and its name in the module that it is of."""
    if isinstance(function, gast.Lambda):
        return Callee.LOCAL, ''
    if isinstance(function, gast.Name) and function.id in context.namespace.functions:
        return Callee.LOCAL, function.id
    if _root(function) == context.ag:
        return Callee.LIBRARY, ''
    value = meaning(function, context)
    if value is not MISSING:
        found = kind(value)
        if found is Callee.BUILTIN and isinstance(function, gast.Name) and (
            function.id != _name(function, value)
        ):
            return Callee.USER, ''  # a variable of the user, which may mean another one later
        return found, _name(function, value)
    if isinstance(function, gast.Attribute) and not _is_receiver(function.value, context):
        owner = meaning(function.value, context)
        is_text = isinstance(owner, str | bytes)  # whose methods may be given one of the graph
        if owner is not MISSING and not is_text and _is_librarys_own(owner, function.attr):
            return Callee.LIBRARY, function.attr
        if function.attr in METHODS:
            return Callee.METHOD, function.attr
    return Callee.USER, ''


def calls_nobody(call: Node, context: Context) -> bool:
    """Whether a call certainly runs no code of the user's, nor of a method that it has."""
    found, name = callee(call.func, context)
    if any(keyword.arg == 'key' for keyword in call.keywords):
        return False
    if _root(call.func) == context.ag:
        return not isinstance(call.func, gast.Attribute) or call.func.attr not in _CALLING_BACK
    if found is Callee.LIBRARY:
        value = meaning(call.func, context)
        return value is not MISSING and vars(np).get(name) is value and name not in _CALLING
    return found in (Callee.BUILTIN, Callee.CREATION, Callee.MATH) and name not in _CALLING


# What calls functions that it is given, or makes what does.
_CALLING = (
    'map', 'filter', 'apply_along_axis', 'apply_over_axes', 'fromfunction', 'fromiter',
    'frompyfunc', 'piecewise', 'vectorize',
)  # fmt: skip
_CALLING_BACK = (
    'call', 'cond', 'for_loop', 'numpy_function', 'py_function', 'switch_case', 'while_loop',
)  # fmt: skip


def is_of_package(decorator: Node, context: Context) -> bool:
    """Whether a decorator, with or without arguments, is one of this package's."""
    called = decorator.func if isinstance(decorator, gast.Call) else decorator
    value = meaning(called, context)
    return package_of(value) == PACKAGE


def _name(function: Node, value: Any) -> str:
    """What an object is called in its module: where there are several names, as the user says."""
    own = str(get_attribute(value, '__name__', ''))
    is_type = isinstance(value, type) and isinstance(function, gast.Attribute)
    return function.attr if is_type else own


def is_operator(node: Node, name: str, context: Context) -> bool:
    """Whether what is called is the operator of this package with this name."""
    match node:
        case gast.Attribute(value=gast.Name(id=root), attr=attribute):
            return bool(root == context.ag and attribute == name)
    return False


def _root(node: Node) -> str | None:
    while isinstance(node, gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def _is_receiver(node: Node, context: Context) -> bool:
    return isinstance(node, gast.Name) and node.id == context.receiver


def meaning(node: Node, context: Context) -> Any:
    """The object that a name, or an attribute of a module, stands for; MISSING if not known."""
    if isinstance(node, gast.Name):
        return context.namespace.value(node.id)
    if isinstance(node, gast.Attribute):
        owner = meaning(node.value, context)
        if isinstance(owner, ModuleType | type):
            return get_attribute(owner, node.attr, MISSING)
    return MISSING


def kind(value: Any) -> Callee:
    """What calling an object calls."""
    if id(value) in _BUILTINS:
        return Callee.BUILTIN
    if id(value) in _CREATION or (isinstance(value, type) and issubclass(value, np.generic)):
        return Callee.CREATION
    if getattr(math, str(get_attribute(value, '__name__')), MISSING) is value:
        return Callee.MATH
    return Callee.LIBRARY if is_library(value) else Callee.USER


def is_bound(value: Any) -> bool:
    """Whether an object is a method of one that is not written in Python, such as `log.append`."""
    owner = get_attribute(value, '__self__')
    is_builtin = isinstance(value, BuiltinFunctionType)
    return is_builtin and not isinstance(owner, ModuleType | type | None)


def is_library(value: Any) -> bool:
    """Whether nothing of what the user wrote runs when an object is called."""
    if has_attribute(value, AS_IT_IS) or isinstance(value, BuiltinFunctionType):
        return True
    if isinstance(value, type):
        return _top(value.__module__) in _LIBRARIES or _has_no_code(value)
    if isinstance(value, MethodType):
        return is_library(value.__func__)
    if isinstance(value, FunctionType):  # what it wraps may have lent it its `__module__`
        value = converted_by(value)
        if value.__code__ in UNDER_CONTEXT or value.__code__ is DISPATCHING:
            return False
        return _top(value.__globals__.get('__name__')) in _LIBRARIES
    if _is_compiled(value):
        return True
    if isinstance(value, ReferenceType):
        return False  # it gives an object of the user's
    if isinstance(value, CACHED):  # what it keeps of a class or a builtin, the user changes
        return isinstance(value.__wrapped__, FunctionType) and is_library(value.__wrapped__)
    return _top(type(value).__module__) in _LIBRARIES and not has_attribute(value, 'func')


def runs_as_it_is(value: Any) -> bool:
    """Whether an object is a function of the user's that is not converted, or is wrapped by one."""
    if not isinstance(value, FunctionType):
        return False
    wrapped = get_attribute(value, '__wrapped__') if is_of_library(value) else value
    return isinstance(wrapped, FunctionType) and not is_of_library(wrapped) and is_library(value)


def _is_librarys_own(owner: Any, name: str) -> bool:
    """Whether a method of an object is its class's, and not the user's."""
    is_set = not isinstance(owner, type) and name in get_attribute(owner, '__dict__', ())
    return not isinstance(owner, FunctionType) and is_of_library(type(owner)) and not is_set


def is_of_library(value: Any) -> bool:
    """Whether a module, a class or a function is of NumPy, Python or this package."""
    if isinstance(value, ModuleType):
        return _top(value.__name__) in _LIBRARIES
    if isinstance(value, FunctionType):
        return _top(value.__globals__.get('__name__')) in _LIBRARIES
    module = _top(get_attribute(value, '__module__'))
    return module in _LIBRARIES or isinstance(value, BuiltinFunctionType)


def is_librarys(module: str) -> bool:
    """Whether the module of this name is of NumPy, Python or this package."""
    return _top(module) in _LIBRARIES


def is_known_as(value: Any, name: str) -> bool:
    """Whether an object is a module of a library, or is of one and has this name there."""
    if isinstance(value, ModuleType) or not is_of_library(value):
        return isinstance(value, ModuleType) and is_of_library(value)
    return callable(value) and get_attribute(value, '__name__') == name


def reads_objects(value: Any) -> bool:
    """Whether an object is a function of Python's library that may read what it is given."""
    if isinstance(value, operator.attrgetter | operator.itemgetter | operator.methodcaller):
        return True
    if isinstance(value, type):
        return value.__module__ in ('collections', 'itertools')
    if isinstance(value, BuiltinFunctionType):
        module = value.__self__
        if module is dict or value is builtins.dir:
            return True
        known = isinstance(module, ModuleType) and module not in (builtins, math)
    elif isinstance(value, WrapperDescriptorType):
        return value.__objclass__ is dict
    else:
        known = isinstance(value, FunctionType)
    if not known or not is_of_library(value) or has_attribute(value, '__wrapped__'):
        return False
    return _top(value.__module__) not in _AS_WRITTEN


def is_numpy_function(value: Any) -> bool:
    """Whether an object is a function of NumPy, or a class of it that a graph knows otherwise."""
    if isinstance(value, type):
        of_arrays = any(value is getattr(np, name) for name in _CLASSES)
        return of_arrays or value.__module__.startswith('numpy.random')
    if isinstance(value, MethodType):
        return isinstance(value.__self__, np.random.RandomState)
    return isinstance(value, np.ufunc) or (
        callable(value) and _top(get_attribute(value, '__module__')) == 'numpy')


def _is_compiled(value: Any) -> bool:
    """Whether an object is a function that Cython has compiled: it has no Python code."""
    return type(value).__name__ == 'cython_function_or_method'


def _top(module: object) -> str:
    return str(module).split('.')[0]


def _has_no_code(value: type) -> bool:
    """Whether making an object of a class runs no Python of the user."""
    return (
        (dataclasses.is_dataclass(value) and not hasattr(value, '__post_init__'))
        or (issubclass(value, tuple) and hasattr(value, '_fields'))
        or not any(
            isinstance(get_attribute(value, name), FunctionType)
            for name in ('__init__', '__new__'))
    )
