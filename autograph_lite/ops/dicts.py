"""Dicts that get keys when the graph runs: real Python dicts in the lowered program."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Attrs, Node, Op
from ..graph.joins import JoinError, join
from ..graph.types import DictType, ListType, TensorType, python_scalar
from .lists import element_of, with_element

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


def _new_type(types: _Types, attrs: Attrs) -> TensorType:
    return DictType()


def _set_type(types: _Types, attrs: Attrs) -> TensorType:
    dict_type, element, *keys = types
    assert isinstance(dict_type, DictType)
    put = with_element(dict_type, element, 'dict', 'value')
    return DictType(element=put.element, keys=_with_keys(dict_type.keys, keys))


def _with_keys(
    known: Sequence[TensorType] | None, keys: Sequence[TensorType]
) -> tuple[TensorType, ...]:
    """The types of the keys of a dict that gets one more.

    Raises:
      StagingError: they do not join.
    """
    if known is None:
        return tuple(keys)
    try:
        return tuple(join(one, other) for one, other in zip(known, keys, strict=True))
    except JoinError as error:
        raise StagingError(
            describe(
                f'A dict whose keys only the running graph knows has keys that are '
                f'{_shown(known)}, and gets one that is {_shown(keys)}: {error}.',
                user_location(), 'Give all keys of such a dict one type.')) from None


def _shown(keys: Sequence[TensorType]) -> str:
    return str(keys[0]) if len(keys) == 1 else f'({", ".join(map(str, keys))})'


def _same_type(types: _Types, attrs: Attrs) -> TensorType:
    return types[0]


def _get_type(types: _Types, attrs: Attrs) -> TensorType:
    return element_of(types[0])


def _has_type(types: _Types, attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _values_type(types: _Types, attrs: Attrs) -> TensorType:
    assert isinstance(types[0], DictType)
    return ListType(element=types[0].element)


def _keys_type(types: _Types, attrs: Attrs) -> TensorType:
    (dict_type,) = types
    assert isinstance(dict_type, DictType)
    return ListType(element=dict_type.keys[attrs['part']] if dict_type.keys else None)


def _new(node: Node, args: _Args) -> ast.expr:
    return ast.Dict([], [])


def _set(node: Node, args: _Args) -> list[ast.stmt]:
    key = _told_key(node, args[0], args[2:])
    return [ast.Assign([ast.Subscript(args[0], key, ast.Store())], args[1])]


def _get(node: Node, args: _Args) -> ast.expr:
    return ast.Subscript(args[0], _key(node, args[1:]), ast.Load())


def _get_or_type(types: _Types, attrs: Attrs) -> TensorType:
    return join(element_of(types[0]), types[1])


def _get_or(node: Node, args: _Args) -> ast.expr:
    key = _told_key(node, args[0], args[2:])
    return ast.Call(ast.Attribute(args[0], 'get', ast.Load()), [key, args[1]], [])


def _copy_of(node: Node, args: _Args) -> ast.expr:
    return ast.Call(ast.Attribute(_get(node, args), 'copy', ast.Load()), [], [])


def _append_type(types: _Types, attrs: Attrs) -> TensorType:
    dict_type, item, *_ = types
    held = element_of(dict_type)
    return replace(dict_type, element=with_element(held, item))  # type: ignore[call-arg]


def _append_to(node: Node, args: _Args) -> list[ast.stmt]:
    append = ast.Attribute(_get(node, [args[0], *args[2:]]), 'append', ast.Load())
    return [ast.Expr(ast.Call(append, [args[1]], []))]


def _delete(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Delete([ast.Subscript(args[0], _key(node, args[1:]), ast.Del())])]


def _has(node: Node, args: _Args) -> ast.expr:
    return ast.Compare(_told_key(node, args[0], args[1:]), [ast.In()], [args[0]])


def _key(node: Node, parts: _Args) -> ast.expr:
    return _of_form(node.attrs['form'], iter(parts))


def _told_key(node: Node, owner: ast.expr, parts: _Args) -> ast.expr:
    """The key that is made of these parts; one that may be NaN is looked at first."""
    key = _key(node, parts)
    if not any(value.type.dtype.kind in 'fc' for value in node.inputs[-len(parts) :]):
        return key
    told: Any = told_key
    return ast.Call(ast.Constant(told), [owner, key], [])


def _of_form(form: nest.Structure, parts: Iterator[ast.expr]) -> ast.expr:
    if form.type is None:
        return next(parts)
    return ast.Tuple([_of_form(child, parts) for child in form.children], ast.Load())


def told_key(held: dict[Any, Any], key: Any) -> Any:
    """The key itself.

    Raises:
      StagingError: it is NaN, which may be the same object as a key that the dict has.
    """
    if _is_nan(key) and any(map(_is_nan, held)):
        raise StagingError(
            'NaN is looked for in a dict that has it, where only plain Python knows whether it is '
            'the same object. Ask `np.isnan(...)` first.')
    return key


def _is_nan(key: Any) -> bool:
    return any(map(_is_nan, key)) if isinstance(key, tuple) else bool(key != key)


def _keys(node: Node, args: _Args) -> ast.expr:
    """The list of the keys, or of those parts of them to which `attrs['steps']` lead."""
    steps = node.attrs['steps']
    if not steps:
        return ast.Call(ast.Name('list', ast.Load()), [args[0]], [])
    part: ast.expr = ast.Name('key', ast.Load())
    for step in steps:
        part = ast.Subscript(part, ast.Constant(step), ast.Load())
    loop = ast.comprehension(ast.Name('key', ast.Store()), args[0], [], 0)
    return ast.ListComp(part, [loop])


def _values(node: Node, args: _Args) -> ast.expr:
    values = ast.Call(ast.Attribute(args[0], 'values', ast.Load()), [], [])
    if isinstance(element_of(node.outputs[0].type), ListType):
        value = ast.Name('value', ast.Load())
        copy = ast.Call(ast.Attribute(value, 'copy', ast.Load()), [], [])
        loop = ast.comprehension(ast.Name('value', ast.Store()), values, [], 0)
        return ast.ListComp(copy, [loop])
    return ast.Call(ast.Name('list', ast.Load()), [values], [])


NEW = Op('dict', _new_type, expression=_new)
# Inputs: the dict, for `set` the value, and the parts of the key, which is of `attrs['form']`.
SET = Op('dict.set', _set_type, statement=_set, updates=True)
DELETE = Op('dict.delete', _same_type, statement=_delete, updates=True)
# A copy of a list or an array that it has.
COPY_OF = Op('dict.copy_of', _get_type, expression=_copy_of)
# Inputs: the dict, what is put behind the last of a list that it has, and the parts of the key.
APPEND_TO = Op('dict.append_to', _append_type, statement=_append_to, updates=True)
GET = Op('dict.get', _get_type, expression=_get)
# Inputs: the dict, what it gives for a key that it lacks, of the same type, and the parts of a key.
GET_OR = Op('dict.get_or', _get_or_type, expression=_get_or)
HAS = Op('dict.has', _has_type, expression=_has)
# The list of all keys, or of what is the part of this number of each.
KEYS = Op('dict.keys', _keys_type, expression=_keys)
VALUES = Op('dict.values', _values_type, expression=_values)
