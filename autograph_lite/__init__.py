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
    from .graph.specs import TensorSpec
    from .operators.builtins import (
        abs,
        all,
        any,
        bool,
        complex,
        divmod,
        enumerate,
        filter,
        float,
        int,
        isinstance,
        len,
        map,
        pow,
        range,
        reversed,
        round,
        sum,
        type_of,
        zip,
    )
    from .operators.calls import call
    from .operators.captures import (
        captured,
        getenv,
        method,
        owner,
        part,
        places,
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
    from .operators.in_flight import error_in_flight, refused_since
    from .operators.is_none import is_none
    from .operators.logic import and_, is_true, not_, or_, python_test
    from .operators.loops import for_loop, while_loop
    from .operators.membership import in_, item
    from .operators.namespaces import math, np
    from .operators.ordering import max, min, sorted
    from .operators.patterns import is_mapping, is_sequence, plain
    from .operators.python_functions import numpy_function, py_function
    from .operators.recursion import local_call
    from .operators.tensor_array import TensorArray
    from .operators.text import percent, text
    from .operators.tries import try_
    from .operators.unbound import bound, unbound
    from .operators.variables import Variable
    from .ops import Tensor
    from .report import explain, inspect

# First what people write, then what generated code says where Python says `len` or `and`.
__all__ = [
    'ConcreteFunction',
    'Function',
    'Tensor',
    'TensorArray',
    'TensorSpec',
    'Variable',
    'abs',
    'all',
    'and_',
    'any',
    'assert_',
    'bool',
    'bound',
    'call',
    'captured',
    'complex',
    'cond',
    'config',
    'constant',
    'context',
    'convert',
    'debugging',
    'divmod',
    'do_not_convert',
    'each',
    'enumerate',
    'error_in_flight',
    'errors',
    'excepting',
    'explain',
    'filter',
    'float',
    'for_loop',
    'function',
    'getenv',
    'in_',
    'inspect',
    'int',
    'is_mapping',
    'is_none',
    'is_sequence',
    'is_true',
    'isinstance',
    'item',
    'len',
    'list_of',
    'local_call',
    'map',
    'math',
    'max',
    'method',
    'min',
    'not_',
    'np',
    'numpy_function',
    'or_',
    'owner',
    'part',
    'percent',
    'places',
    'plain',
    'pow',
    'print',
    'py_function',
    'python_test',
    'range',
    'refused_since',
    'reversed',
    'round',
    'set_captured',
    'set_part',
    'sorted',
    'sum',
    'switch_case',
    'text',
    'to_code',
    'to_graph',
    'try_',
    'type_of',
    'unbound',
    'unchanged',
    'variable',
    'while_loop',
    'zip',
]


# Everything else is imported when it is asked for, to import fast.
_LATER = {
    name: module
    for module, names in {
        'concrete': ['ConcreteFunction'],
        'conversion': ['convert', 'do_not_convert', 'to_code', 'to_graph'],
        'graph.specs': ['TensorSpec'],
        'operators.builtins': [
            'abs', 'all', 'any', 'bool', 'complex', 'divmod', 'enumerate', 'filter', 'float', 'int',
            'isinstance', 'len', 'map', 'pow', 'range', 'reversed', 'round', 'sum', 'type_of',
            'zip',
        ],
        'operators.calls': ['call'],
        'operators.captures': [
            'captured', 'getenv', 'method', 'owner', 'part', 'places', 'set_captured', 'set_part',
            'variable',
        ],
        'operators.comprehensions': ['each', 'list_of'],
        'operators.conditionals': ['cond', 'switch_case', 'unchanged'],
        'operators.constants': ['constant'],
        'operators.contexts': ['context'],
        'operators.effects': ['assert_', 'print'],
        'operators.excepting': ['excepting'],
        'operators.in_flight': ['error_in_flight', 'refused_since'],
        'operators.is_none': ['is_none'],
        'operators.logic': ['and_', 'is_true', 'not_', 'or_', 'python_test'],
        'operators.loops': ['for_loop', 'while_loop'],
        'operators.membership': ['in_', 'item'],
        'operators.namespaces': ['math', 'np'],
        'operators.ordering': ['max', 'min', 'sorted'],
        'operators.patterns': ['is_mapping', 'is_sequence', 'plain'],
        'operators.python_functions': ['numpy_function', 'py_function'],
        'operators.recursion': ['local_call'],
        'operators.tensor_array': ['TensorArray'],
        'operators.text': ['percent', 'text'],
        'operators.tries': ['try_'],
        'operators.unbound': ['bound', 'unbound'],
        'operators.variables': ['Variable'],
        'ops': ['Tensor'],
        'report': ['explain', 'inspect'],
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


def _render(shown: Any) -> str:
    html: str = import_module(f'{__name__}.report').as_html(shown)
    return html


config.Displayed.render = _render
