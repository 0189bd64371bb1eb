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
    from .operators.calls import call
    from .operators.captures import (
        alias,
        augmented,
        captured,
        getenv,
        gone_over,
        looked_at,
        method,
        owner,
        part,
        set_captured,
        set_part,
        variable,
    )
    from .operators.class_tests import isinstance, type_of
    from .operators.comprehensions import each, list_of
    from .operators.conditionals import cond, switch_case
    from .operators.constants import constant
    from .operators.contexts import context
    from .operators.effects import assert_
    from .operators.excepting import excepting
    from .operators.extremes import max, min
    from .operators.guarded import bound, guarded
    from .operators.hashed import as_key
    from .operators.imports import imported
    from .operators.in_flight import error_in_flight, finishing, refused_since, returning
    from .operators.is_none import is_none
    from .operators.iterable_builtins import enumerate, filter, map, range, reversed, zip
    from .operators.iterators import iter, next
    from .operators.lengths import len
    from .operators.listing import list_display
    from .operators.logic import and_, is_true, not_, or_, python_test
    from .operators.loops import for_loop, while_loop
    from .operators.membership import in_, item
    from .operators.namespaces import math, np
    from .operators.numbers_made import bool, complex, float, int
    from .operators.operations import operation
    from .operators.ordering import sorted
    from .operators.own_methods import items
    from .operators.patterns import has_positional, is_mapping, is_sequence, plain, positional
    from .operators.printing import print, print_
    from .operators.python_functions import numpy_function, py_function
    from .operators.quantifiers import all, any
    from .operators.raised import cause, raised
    from .operators.recursion import local_call
    from .operators.returned_within import block_results
    from .operators.set_comprehensions import dict_from, dict_of, set_display, set_of
    from .operators.setting import deleting, setting
    from .operators.staging import unchanged
    from .operators.summing import sum
    from .operators.tensor_array import TensorArray
    from .operators.text import join, percent, text
    from .operators.tries import try_
    from .operators.unbound import unbound
    from .operators.unconverted import as_it_is
    from .operators.unpacking import several, spread, unpacked
    from .operators.variables import Variable
    from .operators.whole_reads import whole
    from .ops import Tensor
    from .report import inspect

# First what people write, then what generated code says where Python says `len` or `and`.
__all__ = [
    'ConcreteFunction',
    'Function',
    'Tensor',
    'TensorArray',
    'TensorSpec',
    'Variable',
    'alias',
    'all',
    'and_',
    'any',
    'as_it_is',
    'as_key',
    'assert_',
    'augmented',
    'block_results',
    'bool',
    'bound',
    'call',
    'captured',
    'cause',
    'complex',
    'cond',
    'config',
    'constant',
    'context',
    'convert',
    'debugging',
    'decorator',
    'deleting',
    'dict_display',
    'dict_from',
    'dict_of',
    'do_not_convert',
    'each',
    'enumerate',
    'error_in_flight',
    'errors',
    'excepting',
    'explain',
    'filter',
    'finishing',
    'float',
    'for_loop',
    'function',
    'getenv',
    'gone_over',
    'guarded',
    'has_positional',
    'identity',
    'imported',
    'in_',
    'inspect',
    'int',
    'is_mapping',
    'is_none',
    'is_sequence',
    'is_true',
    'isinstance',
    'issubclass',
    'item',
    'items',
    'iter',
    'join',
    'len',
    'list_display',
    'list_of',
    'local_call',
    'looked_at',
    'map',
    'math',
    'max',
    'method',
    'min',
    'next',
    'not_',
    'np',
    'numpy_function',
    'operation',
    'or_',
    'owner',
    'part',
    'percent',
    'plain',
    'positional',
    'print',
    'print_',
    'py_function',
    'python_test',
    'raised',
    'range',
    'refused_since',
    'returning',
    'reversed',
    'set_captured',
    'set_display',
    'set_of',
    'set_part',
    'setting',
    'several',
    'sorted',
    'spread',
    'sum',
    'switch_case',
    'text',
    'to_code',
    'to_graph',
    'try_',
    'tuple_display',
    'type_of',
    'unbound',
    'unchanged',
    'unpacked',
    'variable',
    'while_loop',
    'whole',
    'zip',
]


# Everything else is imported when it is asked for, to import fast.
_LATER = {
    name: module
    for module, names in {
        'concrete': ['ConcreteFunction'],
        'conversion': ['convert', 'do_not_convert', 'to_code', 'to_graph'],
        'explanation': ['explain'],
        'graph.specs': ['TensorSpec'],
        'operators.augmenting': ['augmented_by_one'],
        'operators.calls': ['call', 'decorator'],
        'operators.captures': [
            'alias', 'augmented', 'captured', 'getenv', 'gone_over', 'looked_at', 'method', 'owner',
            'part', 'set_captured', 'set_part', 'variable',
        ],
        'operators.class_tests': ['isinstance', 'issubclass', 'type_of'],
        'operators.comprehensions': ['each', 'list_of'],
        'operators.conditionals': ['cond', 'switch_case'],
        'operators.constants': ['constant'],
        'operators.contexts': ['context'],
        'operators.dict_forms': ['dict_display'],
        'operators.effects': ['assert_'],
        'operators.excepting': ['excepting'],
        'operators.guarded': ['bound', 'guarded'],
        'operators.hashed': ['as_key'],
        'operators.identical': ['identity'],
        'operators.imports': ['imported'],
        'operators.in_flight': ['error_in_flight', 'finishing', 'refused_since', 'returning'],
        'operators.is_none': ['is_none'],
        'operators.iterable_builtins': [
            'enumerate', 'filter', 'map', 'range', 'reversed', 'zip',
        ],
        'operators.iterators': ['iter', 'next'],
        'operators.lengths': ['len'],
        'operators.listing': ['list_display', 'tuple_display'],
        'operators.logic': ['and_', 'is_true', 'not_', 'or_', 'python_test'],
        'operators.loops': ['for_loop', 'while_loop'],
        'operators.membership': ['in_', 'item'],
        'operators.namespaces': ['math', 'np'],
        'operators.numbers_made': ['bool', 'complex', 'float', 'int'],
        'operators.extremes': ['max', 'min'],
        'operators.ordering': ['sorted'],
        'operators.operations': ['operation'],
        'operators.own_methods': ['items'],
        'operators.patterns': [
            'has_positional', 'is_mapping', 'is_sequence', 'plain', 'positional',
        ],
        'operators.printing': ['print', 'print_'],
        'operators.python_functions': ['numpy_function', 'py_function'],
        'operators.quantifiers': ['all', 'any'],
        'operators.raised': ['cause', 'raised'],
        'operators.recursion': ['local_call'],
        'operators.returned_within': ['block_results'],
        'operators.set_comprehensions': ['dict_from', 'dict_of', 'set_display', 'set_of'],
        'operators.setting': ['deleting', 'setting'],
        'operators.staging': ['unchanged'],
        'operators.summing': ['sum'],
        'operators.tensor_array': ['TensorArray'],
        'operators.text': ['join', 'percent', 'text'],
        'operators.tries': ['try_'],
        'operators.unbound': ['unbound'],
        'operators.unconverted': ['as_it_is'],
        'operators.unpacking': ['several', 'spread', 'unpacked'],
        'operators.variables': ['Variable'],
        'operators.whole_reads': ['whole'],
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
