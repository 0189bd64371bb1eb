"""Operations that are run for what they do: they keep their order, needed or not.

What they show is a list of parts: `Shown` stands for an input, `Pieces` for a text and `Display`
for a nest with inputs in it, anything else for itself.
"""
from __future__ import annotations

import ast
import builtins
import copy
import dataclasses
import itertools
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph.given import Weakly
from ..graph.graph import Attrs, Node, Op
from ..graph.nest import Structure, paths, unflatten
from ..graph.types import TensorType
from .revived import revived


@dataclass(frozen=True)
class Shown:
    """An input that is shown."""

    index: int
    conversion: int = -1
    spec: str = ''


@dataclass(frozen=True)
class Copied:
    """A copy of a list that is shown, as deep as there are lists in it."""

    part: Shown


@dataclass(frozen=True)
class Pieces:
    """A text of literals and of inputs that are shown."""

    pieces: tuple[Any, ...]


@dataclass(frozen=True)
class Starred:
    """The arguments that the items of a part are."""

    part: Any


@dataclass(frozen=True)
class Display:
    """A nest of parts."""

    structure: Structure
    parts: tuple[Any, ...]


@dataclass(frozen=True)
class Made:
    """An exception as the running graph makes it.

    Attributes:
      error: its class.
      parts: its arguments.
      state: what it holds that its arguments do not tell, where there is any, or the user's class
        makes it: that is not called again.
      cause: in a tuple, what it is raised `from`: another, an input, or None; None where there is
        no `from`.
      context: what was handled when it was made, if that is known while tracing.
    """

    error: Any
    parts: Sequence[Any]
    state: tuple[tuple[str, Any], ...] | None = None
    cause: tuple[Made | Shown | None] | None = None
    context: Made | Shown | None = None


@dataclass(frozen=True, eq=False)
class Anew:
    """Makes another container that holds the same.

    Attributes:
      held: a container that nobody changes.
    """

    held: Any

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return type(self.held).__name__

    def __call__(self) -> Any:
        """One more."""
        return copy.copy(self.held)


@dataclass(frozen=True)
class Builder:
    """Makes a nest that has no display of its own in Python, such as a named tuple."""

    structure: Structure

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return 'nest'

    def __call__(self, *leaves: Any) -> Any:
        """The nest with these leaves."""
        return unflatten(self.structure, leaves)


@dataclass(frozen=True)
class Standard:
    """`sys.stdout` or `sys.stderr`, of the process in which the graph runs."""

    name: str

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return self.name

    def __call__(self) -> Any:
        """The file."""
        return getattr(sys, self.name)

    def __repr__(self) -> str:
        return f'sys.{self.name}'


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def write_part(part: Any, args: Sequence[ast.expr]) -> ast.expr:
    """What is written for a part."""
    if isinstance(part, Shown):
        return args[part.index]
    if isinstance(part, Copied):
        function: Any = copied_lists
        return ast.Call(ast.Constant(function), [write_part(part.part, args)], [])
    if isinstance(part, Starred):
        return ast.Starred(write_part(part.part, args), ast.Load())
    if isinstance(part, Pieces):
        return write_text(part.pieces, args)
    if isinstance(part, Weakly | Standard | Anew):
        stands: Any = part
        return ast.Call(ast.Constant(stands), [], [])
    if not isinstance(part, Display):
        return ast.Constant(part)
    return _display(part.structure, iter([write_part(each, args) for each in part.parts]))


def copied_lists(x: Any) -> Any:
    """Another list of the same items, of which the lists are others, too; anything else itself."""
    return [copied_lists(item) for item in x] if type(x) is list else x


def _display(structure: Structure, leaves: Iterator[ast.expr]) -> ast.expr:
    if structure.type is None:
        return next(leaves)
    if structure.type not in (tuple, list, dict):
        builder: Any = Builder(structure)
        taken = list(itertools.islice(leaves, len(paths(structure, ''))))
        return ast.Call(ast.Constant(builder), taken, [])
    parts = [_display(child, leaves) for child in structure.children]
    if structure.type is dict:
        return ast.Dict([ast.Constant(key) for key in structure.keys], parts)
    return (ast.List if structure.type is list else ast.Tuple)(parts, ast.Load())


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
        ast.keyword(name, write_part(node.attrs[name], args))
        for name in OPTIONS
        if name in node.attrs
    ]
    shown = [write_part(part, args) for part in node.attrs['parts']]
    return [ast.Expr(ast.Call(ast.Name('print', ast.Load()), shown, options))]


# What `print` takes beside the values, and what it is unless told.
OPTIONS: Attrs = {'sep': ' ', 'end': '\n', 'file': None, 'flush': False}


def _raise(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    if node.attrs['error'] is None:
        raised, cause = args[0] if args else None, node.attrs.get('cause')
    else:
        made = _made(node)
        raised, cause = _exception(dataclasses.replace(made, cause=None), args), made.cause
    return [ast.Raise(raised, cause and _exception(cause[0], args))]


def made_exception(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    """What makes the exception of a node with the attributes of `Made`."""
    return _exception(_made(node), args)


def _made(node: Node) -> Made:
    known: Any = map(node.attrs.get, ('error', 'parts', 'state', 'cause', 'context'))
    return Made(*known)


def _exception(made: Made | Shown | None, args: Sequence[ast.expr]) -> ast.expr:
    if made is None:
        return ast.Constant(None)
    if isinstance(made, Shown):
        return args[made.index]
    error = error_class(made.error)
    shown = [write_part(part, args) for part in made.parts]
    if made.state is not None:
        function: Any = revived
        attributes = ast.Dict(
            [ast.Constant(name) for name, _ in made.state],
            [write_part(part, args) for _, part in made.state])
        error, shown = ast.Constant(function), [ast.Constant(made.error), attributes, *shown]
    call = ast.Call(error, shown, [])
    if made.cause is None and made.context is None:
        return call
    linking: Any = chained
    others = [_exception(other, args) for other in (made.context, *(made.cause or ()))]
    return ast.Call(ast.Constant(linking), [call, *others], [])


def chained(
    error: BaseException, context: BaseException | None, *cause: BaseException | None
) -> BaseException:
    """The exception, after what was handled when it was made, and from a cause if there is one."""
    error.__context__ = context
    for each in cause:
        error.__cause__ = each
    return error


def error_class(kind: Any) -> ast.expr:
    """An exception class: a builtin by its name."""
    named = getattr(builtins, kind.__name__, None) is kind
    return ast.Name(kind.__name__, ast.Load()) if named else ast.Constant(kind)


def _assert(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    shown = [write_part(part, args) for part in node.attrs['parts']]
    error = ast.Call(ast.Name('AssertionError', ast.Load()), shown, [])
    return [ast.If(ast.UnaryOp(ast.Not(), args[0]), [ast.Raise(error, None)], [])]


PRINT = Op('print', _nothing, statement=_print, effect=True)
# What a block prints while tracing, `attrs['show']`; it is done, and gone, when the trace ends.
PRINTED = Op('printed', _nothing)
# The attributes are those of `Made`, as far as there are any; where `attrs['error']` is None, what
# is handled is raised again, or input 0.
RAISE = Op('raise', _nothing, statement=_raise, effect=True)
# Input 0 is the condition; the parts are the message, if there is one.
ASSERT = Op('assert', _nothing, statement=_assert, effect=True)


class EndOfWith(ast.stmt):
    """Where the block of a `with` ends that has stood without one before."""

    _fields = ()


def _with(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    function = ast.Attribute(ast.Name('np', ast.Load()), node.op.name, ast.Load())
    states = [
        ast.keyword(name, ast.Constant(state)) for name, state in node.attrs['states'].items()
    ]
    return [ast.With([ast.withitem(ast.Call(function, [], states), None)], [])]


def _catch_warnings(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    manager: Any = warnings.catch_warnings
    entered = ast.With([ast.withitem(ast.Call(ast.Constant(manager), [], []), None)], [])
    return [entered, *map(_filter, reversed(node.attrs['filters']))]


def _filter(values: Sequence[Any]) -> ast.stmt:
    """What puts a filter in front."""
    function: Any = warnings.filterwarnings
    action, message, category, module, line = values
    told = {'message': message, 'module': module, 'lineno': line}
    given: list[tuple[str, ast.expr]] = [
        (name, ast.Constant(getattr(value, 'pattern', value)))
        for name, value in told.items() if value]
    if category is not Warning:
        given.append(('category', error_class(category)))
    call = ast.Call(ast.Constant(function), [ast.Constant(action)], [
        ast.keyword(name, value) for name, value in given])
    return ast.Expr(call)


def _end_with(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    return [EndOfWith()]


# What stands between one of these and END_WITH in a block is in a `with`, as in
# `with np.errstate(**attrs['states'])`.
ERRSTATE = Op('errstate', _nothing, statement=_with, effect=True)
PRINTOPTIONS = Op('printoptions', _nothing, statement=_with, effect=True)
# `with warnings.catch_warnings()`, with `attrs['filters']` in front.
CATCH_WARNINGS = Op('catch_warnings', _nothing, statement=_catch_warnings, effect=True)
WITHS = (ERRSTATE, PRINTOPTIONS, CATCH_WARNINGS)
END_WITH = Op('end_with', _nothing, statement=_end_with, effect=True)
