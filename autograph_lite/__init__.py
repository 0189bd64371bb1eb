"""Write NumPy. Read the graph program it becomes. Run it faster than you wrote it."""
from __future__ import annotations

from . import config, debugging, errors
from .conversion import convert, do_not_convert, to_code, to_graph
from .function import ConcreteFunction, Function, function
from .graph.specs import TensorSpec
from .graph.tensor import Tensor
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
    max,
    min,
    pow,
    range,
    reversed,
    round,
    sorted,
    sum,
    zip,
)
from .operators.calls import call
from .operators.captures import captured, part
from .operators.conditionals import cond, switch_case, unchanged
from .operators.effects import assert_, print
from .operators.excepting import excepting
from .operators.is_none import is_none
from .operators.logic import and_, not_, or_
from .operators.loops import for_loop, while_loop
from .operators.namespaces import math, np
from .operators.python_functions import numpy_function, py_function
from .operators.text import text
from .operators.unbound import bound, unbound
from .operators.variables import Variable

# First what people write, then what generated code says where Python says `len` or `and`.
__all__ = [
    'ConcreteFunction',
    'Function',
    'Tensor',
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
    'convert',
    'debugging',
    'divmod',
    'do_not_convert',
    'enumerate',
    'errors',
    'excepting',
    'filter',
    'float',
    'for_loop',
    'function',
    'int',
    'is_none',
    'isinstance',
    'len',
    'map',
    'math',
    'max',
    'min',
    'not_',
    'np',
    'numpy_function',
    'or_',
    'part',
    'pow',
    'print',
    'py_function',
    'range',
    'reversed',
    'round',
    'sorted',
    'sum',
    'switch_case',
    'text',
    'to_code',
    'to_graph',
    'unbound',
    'unchanged',
    'while_loop',
    'zip',
]
