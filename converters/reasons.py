"""Why a test, a loop, a comprehension or a call is left to Python, in the words of `explain`."""
from __future__ import annotations

import builtins
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autograph_lite.converters.callees import (
    AS_IT_IS,
    DATA_TYPES,
    is_librarys,
    is_numpy_function,
    meaning,
)
from autograph_lite.converters.comprehensions import can_be_functions
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.pyct.asking import get_attribute, has_attribute
from autograph_lite.pyct.tree import Node, walk


def of_test(test: Node) -> str:
    """Why a test is never a tensor."""
    found = dict.fromkeys(_parts(test))
    return ', and '.join(found) or 'its test is never a tensor'


def _parts(test: Node) -> Iterator[str]:
    match test:
        case gast.Constant(value=value):
            yield f'its test is `{value!r}`'
        case gast.UnaryOp(operand=operand):
            yield from _parts(operand)
        case gast.BoolOp(values=values):
            for value in values:
                yield from _parts(value)
        case gast.Compare(left=left, comparators=[right]):
            named = [each.id for each in (left, right) if isinstance(each, gast.Name)]
            what = f'`{named[0]}`' if named else 'something'
            yield f'the call says whether {what} is `None`'
        case gast.Call(func=gast.Name(id=name)):
            yield f'`{name}` is answered while tracing'


def of_loop(iterable: Node) -> str:
    """Why a loop is unrolled."""
    match iterable:
        case gast.Call(func=gast.Attribute(attr=name)):
            return f'it runs over what `.{name}()` gives, which is Python\'s'
        case gast.Call(func=gast.Name(id=name)):
            return f'it runs over a `{name}` of Python values'
        case gast.Constant():
            return 'it runs over a text'
        case gast.Tuple(elts=elts) | gast.List(elts=elts) | gast.Set(elts=elts) if (
            not any(isinstance(each, gast.Starred) for each in elts)
        ):
            return f'it runs over {len(elts)} items that are written out'
    return 'it runs over Python values'


def of_comprehension(node: Node) -> str:
    """Why a comprehension is left to Python."""
    if can_be_functions(node):
        return of_loop(node.generators[0].iter)
    if any(isinstance(part, gast.NamedExpr) for part in walk(node)):
        return 'it binds names with `:=` that others may read'
    return 'a function that is made in it sees its variables change'


def of_method(function: Node) -> str:
    """Whose method it is that is called as it is."""
    kinds = [kind for kind in DATA_TYPES if hasattr(kind, function.attr)]
    if not kinds:
        return 'it is known'
    owner = 'arrays have' if kinds[0] is np.ndarray else f'`{kinds[0].__name__}` has'
    is_literal = isinstance(function.value, gast.Constant)
    return f'{owner} such a method' + ('' if is_literal else '; one of yours is converted')


def of_library(function: Node, context: Context) -> str:
    """Why a call is no call of the user's code."""
    value: Any = meaning(function, context)
    if value is MISSING:
        return 'it is known'
    if isinstance(value, FunctionType) and has_attribute(value, AS_IT_IS):
        return 'it is marked @ag.do_not_convert'
    name, module = get_attribute(value, '__name__'), get_attribute(value, '__module__')
    if isinstance(name, str) and getattr(builtins, name, MISSING) is value:
        return "it is Python's own"
    if is_numpy_function(value):
        return "it is NumPy's"
    if isinstance(module, str) and is_librarys(module):
        return f'it is of `{module.partition(".")[0]}`'
    return 'it runs no code of yours'
