"""The two kinds of tree, and the way from one to the other.

`ast` is Python's own tree and differs between versions; `gast` is the same on all of them, and is
what the analyses and the passes work on. Both are untyped, so a node is `Any` to the type checker;
`Node` says which `Any` is meant.
"""
from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import gast

Node = Any
Fields = dict[str, Any]

_WITHOUT_NODES = frozenset((
    'arg', 'asname', 'attr', 'conversion', 'ctx', 'id', 'is_async', 'kind', 'level', 'module', 'op',
    'ops', 'simple', 'str', 'type_comment'))

POSITIONS = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')


def to_gast(node: ast.AST) -> Node:
    """A gast copy of a tree of Python's own nodes."""
    return _translated(node, gast, _for_gast)


def to_ast(node: Node) -> Any:
    """A copy of a gast tree in Python's own nodes, as `compile` wants them."""
    return _translated(node, ast, _for_ast)


def _translated(tree: Node, module: ModuleType, adapt: Callable[[str, Fields], str]) -> Node:
    """A copy of a tree in nodes of another module, as deep as the tree may be.

    `adapt` makes of the fields of a node that the two modules do not have in common those of its
    copy, and says of what kind that is.
    """
    copies: list[Node] = []

    def copied(node: Node) -> Node:
        fields, kind = dict(node.__dict__), type(node).__name__
        if not fields:
            return _mark(module, kind)
        if kind in _DIFFERENT:
            kind = adapt(kind, fields)
        copy = ast.AST.__new__(getattr(module, kind))
        copy.__dict__.update(fields)
        copies.append(copy)
        return copy

    root = copied(tree)
    while copies:
        fields = copies.pop().__dict__
        for field, value in fields.items():
            if isinstance(value, list):
                fields[field] = [
                    copied(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST):
                fields[field] = copied(value)
    return root


@functools.cache
def _mark(module: ModuleType, kind: str) -> Node:
    """A context or an operator, of which one does for all places."""
    return getattr(module, kind)()


_DIFFERENT = frozenset((
    'Name', 'arg', 'ExceptHandler', 'FunctionDef', 'AsyncFunctionDef', 'ClassDef', 'TypeVar',
    'ParamSpec', 'TypeVarTuple'))


def _for_gast(kind: str, fields: Fields) -> str:
    """In gast parameters and what an exception is called are names like any others."""
    if kind == 'Name':
        fields.update(annotation=None, type_comment=None)
    elif kind == 'arg':
        fields.update(id=fields.pop('arg'), ctx=gast.Param())
        return 'Name'
    elif kind == 'ExceptHandler':
        name = fields['name']
        fields['name'] = name and gast.Name(name, gast.Store(), None, None)
    elif kind in ('FunctionDef', 'AsyncFunctionDef', 'ClassDef'):
        fields.setdefault('type_params', [])  # since Python 3.12
    else:
        fields.setdefault('default_value', None)  # since Python 3.13
    return kind


def _for_ast(kind: str, fields: Fields) -> str:
    if kind == 'Name':
        annotation, comment = fields.pop('annotation', None), fields.pop('type_comment', None)
        if isinstance(fields['ctx'], gast.Param):
            fields.update(arg=fields.pop('id'), annotation=annotation, type_comment=comment)
            return 'arg'
    elif kind == 'ExceptHandler':
        fields['name'] = fields['name'] and fields['name'].id
    return kind


def children(node: Node) -> list[Node]:
    """The nodes directly in a node, in the order of its fields, without contexts and operators.

    These carry nothing, and are half of the nodes that a tree has.
    """
    found: list[Node] = []
    kind: Any = type(node)
    for field in fields(kind):
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(tree: Node) -> Iterator[Node]:
    """A node and all nodes in it, in the order of the text, without contexts and operators."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        inside = children(node)
        inside.reverse()
        pending += inside


@functools.cache
def fields(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of node in which there may be nodes other than those."""
    return () if kind.__name__ == 'Constant' else tuple(
        field for field in kind._fields if field not in _WITHOUT_NODES)


def is_gast(node: Node) -> bool:
    """Whether a node is gast's; contexts and operators, which carry nothing, count for both."""
    return type(node).__module__.startswith('gast')


def without_positions(node: Node) -> Node:
    """The same tree, its nodes belonging to no file."""
    for child in walk(node):
        for attribute in POSITIONS:
            child.__dict__.pop(attribute, None)
    return node
