"""Exceptions as values of the running graph.

    caught    what a handler is for                        `except ValueError as e`
    made      one that may be raised later                 `error = ValueError(f'{x} is negative')`
    is_error  whether it is of one of these classes        `isinstance(e, ValueError)`
    name_of_class                                          `type(e).__name__`
    part_of_error                                          `e.args[0]`, `e.value`

What shows one is a `format` as of any other value. The attributes of `made` are those of a `raise`.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import FALLBACKS, SPECIAL_METHODS
from ..graph.graph import Attrs, Node, Op, declared_type
from ..graph.nest import Nest
from ..graph.tensor import Tensor
from ..graph.tracing import emit, emit_one, held_value
from ..graph.types import (
    STRING,
    ErrorKind,
    ErrorType,
    ListType,
    ObjectType,
    TensorType,
    python_scalar,
    text_type,
    type_of,
)
from .control_flow import NOT
from .effects import Pieces, Shown, error_class, made_exception, write_part
from .strings import text_handle
from .template import dotted


def kind_of(attrs: Attrs, types: Sequence[TensorType]) -> ErrorKind:
    """What is made by what has these attributes of `Made`, of inputs of these types."""
    return ErrorKind(
        attrs.get('error', AssertionError),
        tuple(_type_of(part, types) for part in attrs['parts']),
        tuple((name, _type_of(part, types)) for name, part in attrs.get('state') or ()))


def _type_of(part: Any, types: Sequence[TensorType]) -> TensorType | None:
    """The type of what a part shows; None for what is an array, or holds others."""
    if isinstance(part, Pieces):
        return STRING
    type_ = types[part.index] if isinstance(part, Shown) else text_type(part)
    type_ = type_ or type_of(part)
    if type_ is None or type_.kind == 'array' or isinstance(type_, ListType) or type_.maybe:
        return None
    return type_ if type_ == STRING or not isinstance(type_, ObjectType) else None


def _made(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return ErrorType(kinds=frozenset([kind_of(attrs, types)]))


def _truth(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _text(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return STRING


def _caught(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Name(node.attrs['caught'], ast.Load())


def _is_error(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    kinds: list[ast.expr] = [error_class(kind) for kind in node.attrs['errors']]
    asked = kinds[0] if len(kinds) == 1 else ast.Tuple(kinds, ast.Load())
    if not node.attrs.get('exactly'):
        return ast.Call(ast.Name('isinstance', ast.Load()), [values[0], asked], [])
    return ast.Compare(_class(values[0]), [ast.Is()], [asked])


def _name_of_class(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Attribute(_class(values[0]), '__name__', ast.Load())


def _class(error: ast.expr) -> ast.expr:
    return ast.Call(ast.Name('type', ast.Load()), [error], [])


def _part(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    owner = values[0]
    if node.attrs['kinds'] is not None:
        owner = _checked(node, owner)
    found = ast.Attribute(owner, node.attrs['name'], ast.Load())
    if node.attrs['index'] is None:
        return found
    return ast.Subscript(found, ast.Constant(node.attrs['index']), ast.Load())


def _check(node: Node, values: Sequence[ast.expr]) -> list[ast.stmt]:
    return [ast.Expr(_checked(node, values[0]))]


def _checked(node: Node, error: ast.expr) -> ast.Call:
    function: Any = known_by_args
    names = [dotted(f'{kind.__module__}.{kind.__name__}') for kind in node.attrs['kinds']]
    return ast.Call(ast.Constant(function), [error, ast.Tuple(names, ast.Load())], [])


def _add_note(node: Node, values: Sequence[ast.expr]) -> list[ast.stmt]:
    method = ast.Attribute(values[0], 'add_note', ast.Load())
    return [ast.Expr(ast.Call(method, [write_part(node.attrs['part'], values)], []))]


def known_by_args(error: BaseException, kinds: tuple[type[Any], ...]) -> BaseException:
    """The exception.

    Raises:
      StagingError: its arguments are not of these classes, as they were taken to be.
    """
    if tuple(map(type, error.args)) != kinds:
        expected = ', '.join(kind.__name__ for kind in kinds)
        what = f'The arguments of {error!r} are not ({expected}), as of what else is raised there.'
        raise StagingError(describe(what, user_location(), 'Ask for its text: `str(e)`.'))
    return error


# What is called `attrs['caught']` in the program, of the type `attrs['type']`.
CAUGHT = Op('caught', declared_type, expression=_caught)
MADE = Op('made', _made, expression=made_exception)
# `attrs['errors']` are the classes; it is of the one of them itself if `attrs['exactly']` is true.
IS_ERROR = Op('is_error', _truth, expression=_is_error)
NAME_OF_CLASS = Op('name_of_class', _text, expression=_name_of_class)
# Of the attribute `attrs['name']`, what is at `attrs['index']`, or the whole if that is None;
# `attrs['kinds']` are the classes that the arguments have to have, if that has to be checked.
PART_OF_ERROR = Op('part_of_error', declared_type, expression=_part)
# The arguments have to have the classes `attrs['kinds']`.
CHECK_ARGS = Op('check_args', lambda types, attrs: (), statement=_check, effect=True)
# `attrs['part']` is the note, with the inputs but the first in it.
ADD_NOTE = Op('add_note', lambda types, attrs: (), statement=_add_note, effect=True)


class StagedError(Tensor):
    """An exception that only the running graph knows."""

    __slots__ = ()

    def as_condition(self) -> bool:
        """It is true."""
        return True

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__') and name not in _LINKS:
            raise AttributeError(name)
        if name == '__traceback__':
            return PartOfError(self)
        found = FALLBACKS['part of error'](self, name)
        return _has_no_value() if found is None else found

    if sys.version_info >= (3, 11):

        def add_note(self, note: Any) -> None:
            """Adds a text to what a traceback shows below the exception."""
            FALLBACKS['add note'](self, note)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _OWN:
            _has_no_value()
        super().__setattr__(name, value)

    def _described(self) -> str:
        """What messages call it."""
        return 'What the graph catches'

    def __format__(self, spec: str) -> str:
        _has_no_value()


_LINKS = ('__cause__', '__context__', '__notes__', '__suppress_context__', '__traceback__')
_OWN = frozenset(slot for kind in Tensor.__mro__ for slot in vars(kind).get('__slots__', ()))


def _refusing(name: str) -> Any:
    def method(self: StagedError, *args: Any) -> NoReturn:
        _has_no_value()

    return method


for _name in SPECIAL_METHODS:
    setattr(StagedError, _name, _refusing(_name))


class PartOfError:
    """What stands for the traceback of such an exception: all that is known is that it is there."""

    __slots__ = ('_error',)

    def __init__(self, error: StagedError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        _has_no_value()

    __call__ = __str__ = __repr__ = __format__ = __hash__ = _refusing('')


class ClassOfError(PartOfError):
    """What stands for the class of such an exception: its name is known, when the graph runs."""

    __slots__ = ()

    @property
    def __name__(self) -> Any:
        """Its name, a text of the graph."""
        (made,) = emit(NAME_OF_CLASS, [self._error], names=['name'], value_of=held_value)
        return text_handle(made.held)

    def is_class(self, kind: Any) -> Any:
        """Whether it is this class."""
        if isinstance(kind, Nest):  # one of several
            _has_no_value()
        return isinstance(kind, type) and is_error(self._error, kind, exactly=True)

    def is_subclass(self, classes: Any) -> Any:
        """Whether it is one of these classes, or derived from one."""
        return is_error(self._error, classes)

    def __eq__(self, other: object) -> Any:
        return self.is_class(other)

    def __ne__(self, other: object) -> Any:
        found = self.is_class(other)
        return emit_one(NOT, [found]) if isinstance(found, Tensor) else True

    __hash__ = PartOfError.__hash__


def caught_value(caught: str, type_: ErrorType) -> StagedError:
    """What a handler is for that the lowered program calls so."""
    (made,) = emit(CAUGHT, [], {'caught': caught, 'type': type_}, names=['error'])
    return StagedError(made.held)


def is_error(error: Tensor, classes: Any, exactly: bool = False) -> Tensor:
    """`isinstance(error, classes)`, or whether it is of the one class itself."""
    kinds = classes if isinstance(classes, tuple) else (classes,)
    if any(isinstance(kind, ClassOfError) for kind in kinds):
        _has_no_value()
    attrs = {'errors': kinds, **({'exactly': True} if exactly else {})}
    (made,) = emit(IS_ERROR, [error], attrs, value_of=held_value)
    return made


def _has_no_value(*_: Any) -> NoReturn:
    raise StagingError(
        describe(
            'What the graph catches has no value while tracing.',
            user_location(),
            'Ask for its class by `isinstance` or `type(e).__name__`, for its message by `str`, '
            'raise it again, or raise another exception from it: `raise Other(...) from e`. '
            'Read numbers and texts that it was made of, `e.args` or `e.v`, where its own class '
            'is caught, `except Other as e`, and every `raise Other(v)` gives them the same types; '
            'or read the variable that was set before: `v` for `e.v`.',
        )
    )
