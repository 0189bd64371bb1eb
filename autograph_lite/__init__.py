"""Write NumPy. Read the graph program it becomes. Run it faster than you wrote it."""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import config, errors
from .function import Function, function

if TYPE_CHECKING:
    from . import debugging, operators
    from .concrete import ConcreteFunction
    from .conversion import convert, do_not_convert, to_code, to_graph
    from .graph.specs import TensorSpec
    from .operators.builtins import abs as abs
    from .operators.builtins import all as all
    from .operators.builtins import any as any
    from .operators.builtins import bool as bool
    from .operators.builtins import enumerate as enumerate
    from .operators.builtins import float as float
    from .operators.builtins import int as int
    from .operators.builtins import isinstance as isinstance
    from .operators.builtins import len as len
    from .operators.builtins import range as range
    from .operators.builtins import round as round
    from .operators.builtins import sum as sum
    from .operators.builtins import zip as zip
    from .operators.calls import call
    from .operators.comprehensions import each, list_of
    from .operators.conditionals import cond, switch_case, unchanged
    from .operators.constants import constant
    from .operators.effects import assert_
    from .operators.effects import print as print
    from .operators.is_none import is_none
    from .operators.logic import and_, not_, or_
    from .operators.loops import for_loop, while_loop
    from .operators.namespaces import math, np
    from .operators.ordering import max as max
    from .operators.ordering import min as min
    from .operators.ordering import sorted as sorted
    from .operators.python_functions import numpy_function, py_function
    from .operators.tensor_array import TensorArray
    from .operators.unbound import bound, unbound
    from .operators.variables import Variable
    from .ops import Tensor
    from .report import explain, inspect

# What `from autograph_lite import *` gives: no name of a builtin.
__all__ = [
    'ConcreteFunction', 'Function', 'Tensor', 'TensorArray', 'TensorSpec', 'Variable', 'and_',
    'assert_', 'bound', 'call', 'cond', 'config', 'constant', 'convert', 'debugging',
    'do_not_convert', 'each', 'errors', 'explain', 'for_loop', 'function', 'inspect', 'is_none',
    'list_of', 'math', 'not_', 'np', 'numpy_function', 'operators', 'or_', 'py_function',
    'switch_case', 'to_code', 'to_graph', 'unbound', 'unchanged', 'while_loop',
]  # fmt: skip

# Where each name is; it is imported when it is asked for. What is rarer is in `operators`.
_MODULES = {
    name: module
    for module, names in {
        'concrete': ['ConcreteFunction'],
        'conversion': ['convert', 'do_not_convert', 'to_code', 'to_graph'],
        'graph.specs': ['TensorSpec'],
        'operators.builtins': [
            'abs', 'all', 'any', 'bool', 'enumerate', 'float', 'int', 'isinstance', 'len', 'range',
            'round', 'sum', 'zip',
        ],
        'operators.calls': ['call'],
        'operators.comprehensions': ['each', 'list_of'],
        'operators.conditionals': ['cond', 'switch_case', 'unchanged'],
        'operators.constants': ['constant'],
        'operators.effects': ['assert_', 'print'],
        'operators.is_none': ['is_none'],
        'operators.logic': ['and_', 'not_', 'or_'],
        'operators.loops': ['for_loop', 'while_loop'],
        'operators.namespaces': ['math', 'np'],
        'operators.ordering': ['max', 'min', 'sorted'],
        'operators.python_functions': ['numpy_function', 'py_function'],
        'operators.tensor_array': ['TensorArray'],
        'operators.unbound': ['bound', 'unbound'],
        'operators.variables': ['Variable'],
        'ops': ['Tensor'],
        'report': ['explain', 'inspect'],
    }.items()
    for name in names
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in ('debugging', 'operators'):
        return import_module(f'{__name__}.{name}')
    if name not in _MODULES:
        # Generated code says `ag.text` for `ag.operators.text`.
        operators = import_module(f'{__name__}.operators')
        if name.startswith('_') or name not in dir(operators):
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        return operators.__getattr__(name)
    value = getattr(import_module(f'{__name__}.{_MODULES[name]}'), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(dict.fromkeys([*__all__, *_MODULES]))


def _render(shown: Any) -> str:
    html: str = import_module(f'{__name__}.report').as_html(shown)
    return html


config.Displayed.render = _render
