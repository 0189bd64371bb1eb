"""Calls of NumPy's functions, by public name, as Python source."""
from __future__ import annotations

import ast
import builtins
import math
import operator
from collections.abc import Sequence

import numpy as np

from ..graph.graph import Node
from .infix import infix
from .template import Arguments, dotted, write_index

# Where public names begin; others are of a class, whose methods are called on the first argument.
ROOTS = {'numpy': np, 'math': math, 'builtins': builtins, 'operator': operator}


def write_call(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    """The call of a node's function as source, with these expressions for its inputs."""
    name: str = node.attrs['function']
    arguments: Arguments = node.attrs['arguments']
    args, keywords = arguments.write(values)
    root, _, attribute = name.partition('.')
    if root == 'operator':
        return infix(attribute, args)
    if attribute.endswith('.__getitem__'):
        (key,) = arguments.args
        return ast.Subscript(dotted(name.rpartition('.')[0]), write_index(key, values), ast.Load())
    if root in ROOTS:
        return ast.Call(dotted(name), args, keywords)
    if isinstance(args[0], ast.Constant):
        args[0] = ast.Call(dotted('builtins.' + type(args[0].value).__name__), [args[0]], [])
    target = ast.Attribute(args[0], attribute, ast.Load())
    return ast.Call(target, args[1:], keywords) if is_method(attribute) else target


def write_picked(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    """The same, and of what it returns the one result that the node takes."""
    written = write_call(node, values)
    for index in node.attrs['pick']:
        written = ast.Subscript(written, ast.Constant(index), ast.Load())
    return written


def is_method(name: str) -> bool:
    """Whether `x.name` is called, not an attribute."""
    return not hasattr(np.ndarray, name) or callable(getattr(np.ndarray, name))
