"""Operations with effects, such as `print` and `raise`: they keep their order, needed or not.

What they show is a list of parts: `Shown` stands for an input, `Pieces` for a text and `Display`
for a container with inputs in them, anything else for itself.
"""
from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType, python_scalar


@dataclass(frozen=True)
class Shown:
    """An input that is shown."""

    index: int
    conversion: int = -1
    spec: str = ''


@dataclass(frozen=True)
class Pieces:
    """A text of literals and of inputs that are shown."""

    pieces: tuple[Any, ...]


@dataclass(frozen=True)
class Display:
    """A tuple, a list or a dict of parts."""

    type: type[Any]
    keys: tuple[Any, ...]
    parts: tuple[Any, ...]


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _part(part: Any, args: Sequence[ast.expr]) -> ast.expr:
    if isinstance(part, Shown):
        return args[part.index]
    if isinstance(part, Pieces):
        return write_text(part.pieces, args)
    if not isinstance(part, Display):
        return ast.Constant(part)
    parts = [_part(each, args) for each in part.parts]
    if part.type is dict:
        return ast.Dict([ast.Constant(key) for key in part.keys], parts)
    return (ast.List if part.type is list else ast.Tuple)(parts, ast.Load())


def write_text(pieces: Sequence[Any], args: Sequence[ast.expr]) -> ast.expr:
    """The f-string of literals and inputs."""
    return ast.JoinedStr([_piece(piece, args) for piece in pieces])


def _piece(piece: Any, args: Sequence[ast.expr]) -> ast.expr:
    if not isinstance(piece, Shown):
        return ast.Constant(piece)
    spec = ast.JoinedStr([ast.Constant(piece.spec)]) if piece.spec else None
    return ast.FormattedValue(args[piece.index], piece.conversion, spec)


def _print(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    options = [
        ast.keyword(name, ast.Constant(node.attrs[name]))
        for name, default in (('sep', ' '), ('end', '\n'))
        if node.attrs[name] != default
    ]
    shown = [_part(part, args) for part in node.attrs['parts']]
    return [ast.Expr(ast.Call(ast.Name('print', ast.Load()), shown, options))]


def _raise(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    kind = node.attrs['error']
    if kind is None:
        return [ast.Raise(None, None)]
    shown = [_part(part, args) for part in node.attrs['parts']]
    if 'state' in node.attrs:
        things: list[Any] = [revived, kind, dict(node.attrs['state'])]
        function, *known = map(ast.Constant, things)
        return [ast.Raise(ast.Call(function, [*known, *shown], []), _cause(node))]
    return [ast.Raise(ast.Call(error_class(kind), shown, []), _cause(node))]


def revived(kind: type[BaseException], state: dict[str, Any], *args: Any) -> BaseException:
    """An exception of the user's as it was when it was made: its class is not asked again."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _cause(node: Node) -> ast.expr | None:
    if 'cause' not in node.attrs:
        return None
    name: str | None = node.attrs['cause']
    return ast.Constant(None) if name is None else ast.Name(name, ast.Load())


def error_class(kind: Any) -> ast.expr:
    """An exception class: a builtin by its name."""
    named = getattr(builtins, kind.__name__, None) is kind
    return ast.Name(kind.__name__, ast.Load()) if named else ast.Constant(kind)


def _is_caught(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    kinds: list[ast.expr] = [error_class(kind) for kind in node.attrs['errors']]
    asked = kinds[0] if len(kinds) == 1 else ast.Tuple(kinds, ast.Load())
    name = ast.Name(node.attrs['caught'], ast.Load())
    return ast.Call(ast.Name('isinstance', ast.Load()), [name, asked], [])


def _truth(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _assert(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    shown = [_part(part, args) for part in node.attrs['parts']]
    error = ast.Call(ast.Name('AssertionError', ast.Load()), shown, [])
    return [ast.If(ast.UnaryOp(ast.Not(), args[0]), [ast.Raise(error, None)], [])]


PRINT = Op('print', _nothing, statement=_print, effect=True)
# The user's exception: `attrs['error']` is its class, the parts are its arguments; without a class
# what is caught is raised again. A class that makes its message itself is not called again: then
# `attrs['state']` has the attributes of the exception. `attrs['cause']` is the name of what it is
# raised from.
RAISE = Op('raise', _nothing, statement=_raise, effect=True)
# Whether what was caught is of one of these classes.
IS_CAUGHT = Op('is_caught', _truth, expression=_is_caught)
# Input 0 is the condition; the parts are the message, if there is one.
ASSERT = Op('assert', _nothing, statement=_assert, effect=True)


class EndOfWith(ast.stmt):
    """Where the block of a `with` ends that has stood without one before."""

    _fields = ()


def _errstate(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    function = ast.Attribute(ast.Name('np', ast.Load()), 'errstate', ast.Load())
    states = [
        ast.keyword(name, ast.Constant(state)) for name, state in node.attrs['states'].items()
    ]
    return [ast.With([ast.withitem(ast.Call(function, [], states), None)], [])]


def _end_errstate(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    return [EndOfWith()]


# What stands between them in a block is in a `with np.errstate(**attrs['states'])`.
ERRSTATE = Op('errstate', _nothing, statement=_errstate, effect=True)
END_ERRSTATE = Op('end_errstate', _nothing, statement=_end_errstate, effect=True)
