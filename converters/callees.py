"""What a call calls, as far as that is known before the function runs."""
from __future__ import annotations

import builtins
import collections
import dataclasses
import functools
import math
import sys
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import gast
import numpy as np

from autograph_lite.converters.context import MISSING, PACKAGE, Context
from autograph_lite.pyct.asking import get_attribute, has_attribute
from autograph_lite.pyct.tree import Node

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


# Builtins that mean something for a tensor and that no protocol lets a tensor reach.
BUILTINS = (
    'abs', 'all', 'any', 'bool', 'complex', 'divmod', 'enumerate', 'filter', 'float', 'int',
    'isinstance', 'len', 'map', 'max', 'min', 'pow', 'range', 'reversed', 'round', 'sorted', 'sum',
    'zip',
)  # fmt: skip

# Functions of NumPy that make an array of shapes, numbers and lists, as do its scalar types.
CREATION = (
    'arange', 'array', 'asanyarray', 'asarray', 'ascontiguousarray', 'asfortranarray', 'empty',
    'eye', 'fromfunction', 'full', 'geomspace', 'identity', 'indices', 'linspace', 'logspace',
    'ones', 'tri', 'zeros',
)  # fmt: skip

# What makes arrays of what stands between its brackets.
GRIDS = ('c_', 'mgrid', 'ogrid', 'r_')

# What `functools.cache` and `functools.lru_cache` make of a function.
CACHED: Any = type(functools.cache(len))

# The code of what `@np.errstate(...)` makes of a function.
UNDER_ERRSTATE = frozenset(
    each for each in np.errstate.__call__.__code__.co_consts if isinstance(each, CodeType))

_BUILTINS = {id(getattr(builtins, name)): name for name in BUILTINS}
_CREATION = {id(getattr(np, name)): name for name in CREATION}
_LIBRARIES = sys.stdlib_module_names - {'__main__'} | {'numpy', PACKAGE}
_DATA_TYPES = (
    np.ndarray, np.generic,
    str, bytes, list, tuple, dict, set, range, int, float, complex, collections.deque,
)  # fmt: skip
# The methods of random generators, listed because `numpy.random` takes long to import.
DRAWS = frozenset((
    'beta', 'binomial', 'bit_generator', 'bytes', 'chisquare', 'choice', 'dirichlet',
    'exponential', 'f', 'gamma', 'generate_state', 'geometric', 'get_state', 'gumbel',
    'hypergeometric', 'integers', 'laplace', 'logistic', 'lognormal', 'logseries',
    'multinomial', 'multivariate_hypergeometric', 'multivariate_normal', 'negative_binomial',
    'noncentral_chisquare', 'noncentral_f', 'normal', 'pareto', 'permutation', 'permuted',
    'poisson', 'power', 'rand', 'randint', 'randn', 'random', 'random_integers', 'random_raw',
    'random_sample', 'rayleigh', 'seed', 'set_state', 'shuffle', 'spawn', 'standard_cauchy',
    'standard_exponential', 'standard_gamma', 'standard_normal', 'standard_t', 'tomaxint',
    'triangular', 'uniform', 'vonmises', 'wald', 'weibull', 'zipf',
))  # fmt: skip
METHODS = DRAWS.union(
    name for each in _DATA_TYPES for name in dir(each) if not name.startswith('_'))


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
        if owner is not MISSING and _is_librarys_own(owner, function.attr):
            return Callee.LIBRARY, function.attr
        if function.attr in METHODS:
            return Callee.METHOD, function.attr
    return Callee.USER, ''


def _name(function: Node, value: Any) -> str:
    """What an object is called in its module: where there are several names, as the user says."""
    own = str(get_attribute(value, '__name__', ''))
    is_type = isinstance(value, type) and isinstance(function, gast.Attribute)
    return function.attr if is_type else own


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


def is_library(value: Any) -> bool:
    """Whether nothing of what the user wrote runs when an object is called."""
    if has_attribute(value, AS_IT_IS) or isinstance(value, BuiltinFunctionType):
        return True
    if isinstance(value, type):
        return _top(value.__module__) in _LIBRARIES or _has_no_code(value)
    if isinstance(value, MethodType):
        return is_library(value.__func__)
    if isinstance(value, FunctionType):  # what it wraps may have lent it its `__module__`
        if value.__code__ in UNDER_ERRSTATE:
            return False
        return _top(value.__globals__.get('__name__')) in _LIBRARIES
    if _is_compiled(value):
        return True
    if isinstance(value, CACHED):
        return is_library(value.__wrapped__)
    return _top(type(value).__module__) in _LIBRARIES and not has_attribute(value, 'func')


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


def is_numpy_function(value: Any) -> bool:
    """Whether an object is a function of NumPy, or a class that makes random generators."""
    if isinstance(value, type):
        return value.__module__.startswith('numpy.random')
    if isinstance(value, MethodType):
        return type(value.__self__).__module__.startswith('numpy.random')
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
        dataclasses.is_dataclass(value)
        or issubclass(value, BaseException)
        or (issubclass(value, tuple) and hasattr(value, '_fields'))
        or (not isinstance(value.__init__, FunctionType)
        and not isinstance(value.__new__, FunctionType))
    )
