"""`e.args` and `e.value` of an exception that the running graph has caught, or kept.

    try:
        if x < 0:
            raise Negative(x)
    except Negative as e:
        return e.value

What all that it may be have of one type is read when the graph runs. What is an array is not, since
it may be modified by another name.
"""
from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..graph import dispatch
from ..graph.graph import Graph, Node
from ..graph.tracing import emit, held_value
from ..graph.types import STRING, ErrorKind, ErrorType, TensorType, python_scalar
from ..ops.calls import carrier
from ..ops.effects import ASSERT, RAISE
from ..ops.exceptions import ADD_NOTE, CHECK_ARGS, PART_OF_ERROR, StagedError, kind_of
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..ops.strings import StagedString, StagedText
from .effects import part_of
from .handles import handle
from .needed import with_attributes
from .raised_by import Classes, node_may_raise

# What Python and NumPy raise is made of a text, but for a few; of what functions of the user's
# raise, attributes are not known, either.
_PYTHONS = ErrorKind(None, (STRING,))
_USERS = ErrorKind(BaseException, (STRING,))
# What every exception has of those before it.
_LINKS: dict[str, TensorType] = {
    '__cause__': ErrorType(maybe=True), '__context__': ErrorType(maybe=True),
    '__suppress_context__': python_scalar(bool)}
_ERRORS = [
    each for each in vars(builtins).values()
    if isinstance(each, type) and issubclass(each, BaseException)]
_OF_PYTHONS = frozenset(name for each in _ERRORS for name in dir(each))


def type_caught(classes: Classes, tried: Collection[Graph]) -> ErrorType:
    """What a handler for these classes gets of what is raised in the graph of the `try` block."""
    nodes = [node for graph in tried for node in _inside(graph) if node_may_raise(node, classes)]
    kinds = [_kinds_of(node, classes) for node in nodes]
    return ErrorType(kinds=frozenset().union(*kinds) if all(kinds) else frozenset())


def _inside(graph: Graph) -> Iterator[Node]:
    for node in graph.nodes:
        for inner in node.graphs.values():
            yield from _inside(inner)
        if not node.graphs:
            yield node


def _kinds_of(node: Node, classes: Classes) -> Collection[ErrorKind]:
    """What an operation raises; nothing where it raises again what is not known here."""
    if node.op not in (RAISE, ASSERT):
        return (_USERS if node.op in (PYTHON_ACTION, PYTHON_FUNCTION) else _PYTHONS,)
    if node.op is ASSERT or node.attrs['error'] is not None:
        return (kind_of(node.attrs, [value.type for value in node.inputs]),)
    again = node.inputs[0].type if node.inputs else node.attrs.get('again')
    known = again.kinds if isinstance(again, ErrorType) else ()
    return [kind for kind in known if kind.error is None or issubclass(kind.error, classes)]


def _part(error: StagedError, name: str) -> Any:
    """An attribute of an exception; None if it is not known."""
    kinds = error.type.kinds if isinstance(error.type, ErrorType) else frozenset()
    if name == 'args':
        types = _of_all([kind.args for kind in kinds - {_PYTHONS} or kinds])
        if types is None:
            return None
        is_sure = all(kind.error not in (None, BaseException) for kind in kinds)
        carriers = None if is_sure else tuple(map(carrier, types))
        there = with_attributes(error, name)
        if carriers is not None and len(types) != 1:  # of others there is one: a text, or none
            emit(CHECK_ARGS, [there], {'kinds': carriers}, value_of=held_value)
            carriers = None
        return tuple(_read(there, name, i, type_, carriers) for i, type_ in enumerate(types))
    if name in _LINKS:
        return _read(with_attributes(error, name), name, None, _LINKS[name], None)
    held = [dict(kind.state) for kind in kinds]
    if not all(_is_its_own(kind, name) for kind in kinds):
        return None
    types = _of_all([(state[name],) for state in held if name in state])
    if types is None:
        return None
    return _read(with_attributes(error, name), name, None, types[0], None)


def _is_its_own(kind: ErrorKind, name: str) -> bool:
    """Whether such an exception has an attribute only if it was given that."""
    if kind.error in (None, BaseException):
        return kind.error is None and name not in _OF_PYTHONS
    return name in dict(kind.state) or not (
        hasattr(kind.error, name) or hasattr(kind.error, '__getattr__'))


def _of_all(found: Sequence[Sequence[TensorType | None]]) -> Sequence[TensorType] | None:
    """The types that all have in common; None where they differ, or are not known."""
    if not found or any(tuple(each) != tuple(found[0]) for each in found):
        return None
    types = [type_ for type_ in found[0] if type_ is not None]
    return types if len(types) == len(found[0]) else None


def _read(
    error: Any, name: str, index: int | None, type_: TensorType, kinds: Any
) -> Any:
    attrs = {'name': name, 'index': index, 'type': type_, 'kinds': kinds}
    (made,) = emit(PART_OF_ERROR, [error], attrs, names=[name], value_of=held_value)
    return handle(made.held)


def _add_note(error: StagedError, note: Any) -> None:
    """`error.add_note(note)`.

    Raises:
      TypeError: the note is no text.
    """
    if not isinstance(note, str | StagedString | StagedText):
        raise TypeError(f"note must be a str, not '{type(note).__name__}'")
    inputs: list[Any] = [with_attributes(error, 'add_note')]
    part = part_of(note, inputs)
    emit(ADD_NOTE, inputs, {'part': part}, value_of=held_value)


dispatch.FALLBACKS['add note'] = _add_note
dispatch.FALLBACKS['part of error'] = _part
