"""Whether two graphs are the same program: nodes, names, types, attributes and constants."""
from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..errors import is_package
from .data import FunctionDef, NodeDef
from .graph import FORMS, Graph
from .graph_def import graph_def
from .types import is_generator

# What is told by identity.
_THEMSELVES = (type, ModuleType, BuiltinFunctionType, np.ufunc)


def same_graph(a: Graph, b: Graph) -> bool:
    """Whether two whole graphs are equal; where the user's code stands does not matter."""
    one, other = graph_def(a), graph_def(b)
    functions = zip(one.library.function, other.library.function, strict=False)
    return len(one.library.function) == len(other.library.function) and all(
        _same_function(f, g) for f, g in [(one, other), *functions]
    )


def _same_function(a: FunctionDef, b: FunctionDef) -> bool:
    known = (a.name, a.ret, a.captures, len(a.node)) == (b.name, b.ret, b.captures, len(b.node))
    return known and all(_same_node(m, n) for m, n in zip(a.node, b.node, strict=True))


def _same_node(a: NodeDef, b: NodeDef) -> bool:
    known = (a.name, a.op, a.input, a.output) == (b.name, b.op, b.input, b.output)
    return known and same_value(a.attr, b.attr)


def same_value(a: Any, b: Any) -> bool:
    """Whether two attributes are equal in type and value; functions by their code."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, _THEMSELVES) or is_generator(a):
        return False
    if isinstance(a, np.ndarray | np.generic):
        alike: bool = a.dtype == b.dtype and a.shape == b.shape
        return alike and bool(a.tobytes() == b.tobytes())
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_value(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, FunctionType):
        return a.__code__ == b.__code__ and all(
            map(same_value, _bound(a), _bound(b)))
    if isinstance(a, MethodType):
        return same_value((a.__self__, a.__func__), (b.__self__, b.__func__))
    if isinstance(a, int | float | complex | str | bytes):
        return repr(a) == repr(b)
    return _same_object(a, b)


def _bound(f: FunctionType) -> list[Any]:
    """The defaults of a function, and what its closure holds."""
    found: list[Any] = [f.__defaults__, f.__kwdefaults__]
    for cell in f.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # the variable has no value yet
            found.append(None)
    return found


def _same_object(a: Any, b: Any) -> bool:
    """Whether two objects that are no numbers and no containers are equal."""
    if is_package(type(a).__module__) and hasattr(a, '__dict__'):
        return same_value(vars(a), vars(b))
    try:
        return bool(a == b)
    except Exception:
        return False


FORMS['equal'] = same_graph
