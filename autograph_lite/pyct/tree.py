"""The two kinds of tree, and the way from one to the other.

`ast` is Python's own tree and differs between versions; `gast` is the same on all of them, and is
what the analyses and the passes work on. Both are untyped, so a node is `Any` to the type checker;
`Node` says which `Any` is meant.
"""
from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import gast

Node = Any
Fields = dict[str, Any]

_WITHOUT_NODES = frozenset((
    'arg', 'asname', 'attr', 'conversion', 'ctx', 'id', 'is_async', 'kind', 'level', 'module', 'op',
    'ops', 'simple', 'str', 'type_comment'))
_MIXED = frozenset(('keys', 'kw_defaults', 'kwd_attrs', 'names'))  # lists not of nodes alone
_WITH_MARKS = ('op', 'ops')

POSITIONS = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
_TOP = dict(zip(POSITIONS, (1, 0, 1, 0), strict=True))


def to_gast(node: ast.AST) -> Node:
    """A gast copy of a tree of Python's own nodes."""
    return _translated(node, gast, _for_gast, None)


def to_ast(node: Node) -> Any:
    """A copy of a gast tree in Python's own nodes, as `compile` wants them.

    A node without a position has that of the node around it.
    """
    return _translated(node, ast, _for_ast, _TOP)


def _translated(
    tree: Node,
    module: ModuleType,
    adapt: Callable[[str, Fields], str],
    around: Fields | None,
) -> Node:
    """A copy of a tree in nodes of another module, as deep as the tree may be.

    `adapt` makes of the fields of a node that the two modules do not have in common those of its
    copy, and says of what kind that is. `around` is the position for a node that has none.
    """
    copies: list[tuple[Fields, Sequence[str], Fields | None]] = []
    new, twins, node_type = ast.AST.__new__, _twins(module), ast.AST

    def copied(node: Node, around: Fields | None) -> Node:
        kind, parts, has_position, mark = twins[node.__class__]
        if mark is not None:
            return mark
        fields = node.__dict__.copy()
        context = fields.get('ctx')
        if kind is None or context.__class__ is gast.Param:
            kind = getattr(module, adapt(type(node).__name__, fields))
            parts, context = _parts(kind), fields.get('ctx')
        elif kind is gast.Name:
            fields['annotation'] = fields['type_comment'] = None
        copy = new(kind)
        copy.__dict__ = fields
        if context is not None:  # one does for all places
            fields['ctx'] = twins[context.__class__][3]
        if around is not None and has_position:
            if fields.get('lineno') is None:
                fields.update({key: around[key] for key in POSITIONS})
            else:
                around = fields
        if parts:
            copies.append((fields, parts, around))
        return copy

    root = copied(tree, around)
    while copies:
        fields, parts, around = copies.pop()
        for part in parts:
            value = fields.get(part)
            if isinstance(value, node_type):
                fields[part] = copied(value, around)
            elif isinstance(value, list):
                fields[part] = [
                    copied(each, around) if isinstance(each, node_type) else each
                    for each in value]
    return root


def is_mark(node: Node) -> bool:
    """Whether a node, or a kind of node, is a context or an operator.

    Python has one of each for all trees, so somebody else may have left attributes on it.
    """
    return not node._fields and not node._attributes


def to_ast_by(part: Callable[[Node], Any], node: Node) -> Any:
    """One node as Python's own, `part` saying what the nodes in it become."""
    twins = _twins(ast)
    kind, parts, _, mark = twins[type(node)]
    if mark is not None:
        return mark
    fields = dict(node.__dict__)
    if kind is None or isinstance(fields.get('ctx'), gast.Param):
        kind = getattr(ast, _for_ast(type(node).__name__, fields))
        parts = _parts(kind)
    if 'ctx' in fields:
        fields['ctx'] = twins[type(fields['ctx'])][3]
    for name in parts:
        value = fields.get(name)
        if isinstance(value, list):
            fields[name] = [part(each) if isinstance(each, ast.AST) else each for each in value]
        elif isinstance(value, ast.AST):
            fields[name] = part(value)
    new = ast.AST.__new__(kind)
    new.__dict__ = fields
    return new


@functools.cache
def _twins(module: ModuleType) -> _Twins:
    return _Twins(module)


class _Twins(dict[Any, tuple[Any, Sequence[str], bool, Node]]):
    """For each kind of node the same kind in another module, unless it differs, its parts, whether
    it has a position, and of contexts and operators the one node that does for all places."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, kind: Any) -> tuple[Any, Sequence[str], bool, Node]:
        name = kind.__name__
        twin: Any = None if name in _DIFFERENT else getattr(self._module, name)
        mark = twin() if is_mark(kind) else None
        found = self[kind] = twin, _parts(kind), bool(kind._attributes), mark
        return found


_DIFFERENT = frozenset((
    'arg', 'ExceptHandler', 'FunctionDef', 'AsyncFunctionDef', 'ClassDef', 'TypeVar', 'ParamSpec',
    'TypeVarTuple'))


def _for_gast(kind: str, fields: Fields) -> str:
    """In gast parameters and what an exception is called are names like any others."""
    if kind == 'arg':
        fields.update(id=fields.pop('arg'), ctx=gast.Param())
        return 'Name'
    if kind == 'ExceptHandler':
        name = fields['name']
        fields['name'] = name and gast.Name(name, gast.Store(), None, None)
    elif kind in ('FunctionDef', 'AsyncFunctionDef', 'ClassDef'):
        fields.setdefault('type_params', [])  # since Python 3.12
    else:
        fields.setdefault('default_value', None)  # since Python 3.13
    return kind


def _for_ast(kind: str, fields: Fields) -> str:
    if kind == 'Name':  # what a function takes
        del fields['ctx']
        fields['arg'] = fields.pop('id')
        return 'arg'
    if kind == 'ExceptHandler':
        fields['name'] = fields['name'] and fields['name'].id
    return kind


LOAD, STORE, PARAM = gast.Load(), gast.Store(), gast.Param()  # of which one does for all places


def name_node(name: str, context: Node) -> Node:
    """A name; most of what is generated are names, and gast's own constructor is slow."""
    node = ast.AST.__new__(gast.Name)
    node.id, node.ctx = name, context
    node.annotation = node.type_comment = None
    return node


def children(node: Node) -> list[Node]:
    """The nodes directly in a node, in the order of its fields, without contexts and operators.

    These carry nothing, and are half of the nodes that a tree has.
    """
    found: list[Node] = []
    known = node.__dict__
    for field in _with_nodes[type(node)]:
        value = known.get(field)
        if not value:
            continue
        if value.__class__ is not list:
            if value.__class__ is not str:
                found.append(value)
        elif field in _MIXED:
            found += [each for each in value if isinstance(each, ast.AST)]
        else:
            found += value
    return found


def walk(tree: Node) -> Iterator[Node]:
    """A node and all nodes in it, in the order of the text, without contexts and operators."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        inside = () if node.__class__ is gast.Name and node.annotation is None else children(node)
        if inside:
            inside.reverse()
            pending += inside


def has_more_nodes(expression: Node, count: int) -> bool:
    """Whether there are more nodes in an expression; each of them is a letter of its text."""
    nodes = (node for node in walk(expression) if isinstance(node, ast.expr))
    return next(itertools.islice(nodes, count, None), None) is not None


def fields(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of node in which there may be nodes other than those."""
    return () if kind.__name__ in ('Constant', 'MatchSingleton') else tuple(
        field for field in kind._fields if field not in _WITHOUT_NODES)


class _Fields(dict[Any, tuple[str, ...]]):
    """`fields`, of the kinds that were asked for."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        found = self[kind] = fields(kind)
        return found


_with_nodes = _Fields()


@functools.cache
def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of node in which there may be nodes."""
    return tuple(field for field in kind._fields if field in (*fields(kind), *_WITH_MARKS))


def is_gast(node: Node) -> bool:
    """Whether a node is gast's; contexts and operators, which carry nothing, count for both."""
    return type(node).__module__.startswith('gast')


def without_positions(node: Node) -> Node:
    """The same tree, its nodes belonging to no file."""
    for child in walk(node):
        for attribute in POSITIONS:
            child.__dict__.pop(attribute, None)
    return node
