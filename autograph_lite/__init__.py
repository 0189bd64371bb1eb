"""Write NumPy. Read the graph program it becomes. Run it faster than you wrote it."""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import config, errors
from .function import Function, function

if TYPE_CHECKING:
    from . import debugging
    from .concrete import ConcreteFunction
    from .conversion import convert, do_not_convert, to_code, to_graph
    from .explanation import explain
    from .graph.specs import TensorSpec
    from .operators.builtins import (
        all,
        any,
        bool,
        complex,
        enumerate,
        filter,
        float,
        int,
        isinstance,
        len,
        map,
        range,
        reversed,
        sum,
        type_of,
        zip,
    )
    from .operators.calls import call
    from .operators.captures import (
        alias,
        captured,
        getenv,
        method,
        owner,
        part,
        set_captured,
        set_part,
        variable,
    )
    from .operators.comprehensions import each, list_of
    from .operators.conditionals import cond, switch_case, unchanged
    from .operators.constants import constant
    from .operators.contexts import context
    from .operators.effects import assert_, print
    from .operators.excepting import excepting
    from .operators.guarded import bound, guarded
    from .operators.imports import imported
    from .operators.in_flight import error_in_flight, finishing, refused_since
    from .operators.is_none import is_none
    from .operators.iterators import iter, next
    from .operators.logic import and_, is_true, not_, or_, python_test
    from .operators.loops import for_loop, while_loop
    from .operators.membership import in_, item
    from .operators.namespaces import math, np
    from .operators.operations import operation
    from .operators.ordering import max, min, sorted
    from .operators.own_methods import items
    from .operators.patterns import is_mapping, is_sequence, plain
    from .operators.python_functions import numpy_function, py_function
    from .operators.recursion import local_call
    from .operators.setting import deleting, setting
    from .operators.tensor_array import TensorArray
    from .operators.text import join, percent, text
    from .operators.tries import try_
    from .operators.unbound import unbound
        'operators.unpacking': ['unpacked'],
        'operators.variables': ['Variable'],
        'ops': ['Tensor'],
        'report': ['inspect'],
    }.items()
    for name in names
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == 'debugging':
        return import_module(f'{__name__}.debugging')
    if name not in _LATER:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    value = getattr(import_module(f'{__name__}.{_LATER[name]}'), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
