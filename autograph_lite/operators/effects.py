"""`assert` and `raise` when the graph runs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..errors import (
    AutographError,
    OwnershipError,
    StagingError,
    describe,
    is_internal,
    is_package,
    leaves_debugger,
    user_location,
)
from ..graph import nest
from ..graph.checkpoints import Checkpoint, checkpoint, undo
from ..graph.given import Weakly, weakly
from ..graph.graph import Attrs, Graph
from ..graph.sites import Site
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, emit, held_value, is_tracing
from ..graph.tracing import site as site_now
from ..graph.types import ErrorType
from ..keys import copied
from ..ops.effects import ASSERT, RAISE, Anew, Display, Made, Pieces, Shown, Starred
from ..ops.exceptions import MADE, PartOfError, StagedError, kind_of
from ..ops.revived import beside_arguments, held_by, is_made_by_user
from ..ops.strings import StagedString
from ..pyct.deep import is_on_a_large_stack
from .activations import is_handled_outside
from .caught import Caught, caught_at
from .keeping import leaves_something
from .known import learn
from .leaves import handlers_around
from .outside import is_outside
from .python_refusals import as_staging_error
from .raising_places import is_by_raise, raised_by_user, raised_here
from .reachable import Reachable
from .reentry import cond
from .refused import check_refusals
from .staging import changes_since, condition, graph_now, truth, unchanged
from .text import text
from .unbound import Unbound


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """`assert test, message()`.

    Raises:
      AssertionError: the test is false; when the graph runs, if it is a tensor.
    """
    test = condition(test) if is_tracing() else test
    if not isinstance(test, Tensor):
        if not test:
            raise AssertionError(*([message()] if message else []))
        return
    inputs: list[Any] = [truth(test)]
    start, reached = checkpoint(), Reachable(message)
    parts = [part_of(message(), inputs)] if message else []
    has_effect = message is not None and _has_effect(start, reached)
    if has_effect or leaves_something(graph_now()):
        undo(start)
        reached.restore()
        _assert_in_branch(test, message)
    else:
        emit(ASSERT, inputs, {'parts': parts}, value_of=held_value)
    learn(graph_now(), as_value(inputs[0]), True)


def _has_effect(start: Checkpoint, reached: Reachable) -> bool:
    """Whether what was done since then changes something."""
    if changes_since(start):
        return True
    try:
        reached.check_unchanged()
    except OwnershipError:
        return True
    return False


def _assert_in_branch(test: Any, message: Callable[[], Any] | None) -> None:
    """The same, with effects of the message or of raising, which only a test that is false has."""
    def fail() -> NoReturn:
        inputs: list[Any] = []
        parts = [part_of(message(), inputs)] if message else []
        emit(RAISE, inputs, {'error': AssertionError, 'parts': parts}, value_of=held_value)
        raise Diverged

    cond(test, unchanged, fail)


class Diverged(Exception):
    """Tracing has come to a place that the running graph never passes."""


def raises_when_run(error: BaseException, graph: Graph) -> None:
    """Makes an exception that the user's code raised in a staged block one of its effects.

    Raises:
      BaseException: the error itself, where it tells of a mistake that no run can avoid, or ends
        the trace.
    """
    check_refusals()
    if isinstance(error, Diverged):
        return
    if ends_trace(error):
        raise error
    if isinstance(error, Caught):
        _raise_again(error, graph)
        return
    error = as_staging_error(error)
    site = raised_by_user(error)
    # A recursion that tracing does not end may well end when the graph runs.
    is_plain = not (isinstance(error, AutographError) or _is_too_deep(error))
    if site is None or not (is_plain or getattr(error, 'certain', False)):
        raise error
    _add(error, graph, site)


def raises_of_container(error: Exception, graph: Graph, is_none: bool = False) -> NoReturn:
    """Makes what a list or dict of Python's raises for the user's code one of a block's effects.

    Args:
      error: what it raises.
      graph: that of the block.
      is_none: whether it is None that raises it, in the place of a list, a dict or an object.

    Raises:
      Diverged: it is one.
      Exception: the error itself, where the user's code or the library raised it.
    """
    is_pythons = type(error) in (IndexError, KeyError, TypeError, ValueError)
    is_pythons |= is_none and type(error) is AttributeError
    if not is_pythons or raised_by_user(error) is not None:
        raise error
    _add(error, graph, site_now())
    raise Diverged


def _raise_again(error: Caught, graph: Graph) -> None:
    """Raises what the running graph has caught or made, from another where that is said."""
    attrs: Attrs = {'error': None, 'parts': []}
    inputs: list[Any] = [error.error]
    if error.__suppress_context__:
        cause = error.__cause__
        attrs['cause'] = (cause and _linked(cause, inputs, (id(error),)),)
    elif error.variable == caught_at(handlers_around(graph) - 1):
        inputs = []
        attrs['again'] = error.error.type
    graph.add(RAISE, [held_value(x) for x in inputs], attrs, site=raised_here(error))


def ends_trace(error: BaseException) -> bool:
    """Whether the user's code did not raise it: Ctrl-C, leaving a debugger, a loop begun anew.

    Or the calls are too deep: the trace begins anew with more stack.
    """
    if _is_too_deep(error):
        return not is_on_a_large_stack()
    if leaves_debugger(error):
        return True
    if is_package(type(error).__module__):
        return not isinstance(error, Exception)
    return isinstance(error, KeyboardInterrupt | GeneratorExit) and not is_by_raise(error)


def _is_too_deep(error: BaseException) -> bool:
    """Whether Python itself ended a recursion: a user may raise such an error, too."""
    return isinstance(error, RecursionError) and str(error).startswith('maximum recursion depth')


def _add(error: BaseException, graph: Graph, site: Site | None) -> None:
    inputs, attrs = _attributes(error)
    graph.add(RAISE, [held_value(x) for x in inputs], attrs, site=site)


def made_error(error: BaseException) -> StagedError:
    """An exception that the traced code has made, as the running graph makes it."""
    inputs, attrs = _attributes(error)
    (made,) = emit(MADE, inputs, attrs, names=['error'], value_of=held_value)
    return StagedError(made.held)


def type_of_error(error: BaseException) -> ErrorType:
    """The type of an exception that the traced code has made."""
    inputs, attrs = _attributes(error)
    types = [x.type if isinstance(x, Tensor) else held_value(x).type for x in inputs]
    return ErrorType(kinds=frozenset([kind_of(attrs, types)]))


def _attributes(error: BaseException) -> tuple[list[Any], Attrs]:
    """The inputs and the attributes of what makes or raises an exception."""
    inputs: list[Any] = []
    made = _made(error, inputs)
    return inputs, {name: value for name, value in vars(made).items() if value is not None}


def _made(error: BaseException, inputs: list[Any], outer: tuple[int, ...] = ()) -> Made:
    """How the exception is made when the graph runs; its tensors go to the inputs.

    Args:
      error: the exception.
      inputs: of the operation.
      outer: what it is the cause or the context of, by identity.
    """
    outer = (*outer, id(error))
    parts = [_held_part(value, inputs) for value in error.args]
    state = None
    held = beside_arguments(error)
    for name, value in held.items():
        if _is_perhaps_held(value):
            raise _perhaps_held(name)
    if is_made_by_user(error) or held:
        state = tuple((name, _held_part(value, inputs)) for name, value in held.items())
    cause = (_linked(error.__cause__, inputs, outer),) if error.__suppress_context__ else None
    before = _handled_before(error)
    # What a handler has caught, Python itself notes.
    context = None if isinstance(before, Caught) else _linked(before, inputs, outer)
    return Made(type(error), parts, state, cause, context)


def _is_perhaps_held(value: Any) -> bool:
    """Whether an attribute, or one of the notes, has no value on some way."""
    return any(isinstance(x, Unbound) for x in (value, *(value if type(value) is list else ())))


def _perhaps_held(name: str) -> StagingError:
    """The error for what only a branch or loop gives an exception that was made before it."""
    what = f'Whether the exception holds {name!r}, only the running graph knows.'
    fix = 'Make the exception where it is raised; or set the attribute before the branch, too.'
    return StagingError(describe(what, user_location(), fix))


def _held_part(value: Any, inputs: list[Any]) -> Any:
    """What an exception holds: what the function makes for it is another one at each time."""
    before = len(inputs)
    part = part_of(value, inputs)
    if is_outside(value) and len(inputs) == before:
        return weakly(value)
    return _anew(part)


def _anew(part: Any) -> Any:
    if isinstance(part, Display):
        return Display(part.structure, tuple(map(_anew, part.parts)))
    if isinstance(part, Shown | Pieces):
        return part
    if nest.is_leaf(part):
        return part if copied(part) is part else Anew(part)
    leaves, structure = nest.flatten(part)
    return Display(structure, tuple(map(_anew, leaves)))


def _linked(
    other: BaseException | None, inputs: list[Any], outer: tuple[int, ...]
) -> Made | Shown | None:
    """How the cause or the context of an exception is made, or found, when the graph runs."""
    if other is None or id(other) in outer:
        return None
    if not isinstance(other, Caught):
        return _made(other, inputs, outer)
    inputs.append(other.error)
    return Shown(len(inputs) - 1)


def _handled_before(error: BaseException) -> BaseException | None:
    """What the traced code handled when it raised; what the library handles is not for the user."""
    context = error.__context__
    while context is not None and is_package(type(context).__module__):
        if isinstance(context, Caught):
            return context
        context = context.__context__
    if context is None or is_handled_outside(context):
        return None
    if context.__traceback__ is None:
        return context
    caught_in = context.__traceback__.tb_frame.f_code.co_filename
    is_users = not is_internal(caught_in) or caught_in.endswith('tries.py')
    return context if is_users else None


def names_tensors(error: BaseException, outer: tuple[int, ...] = ()) -> bool:
    """Whether the error, or what it is linked to, has values that only the running graph knows.

    Args:
      error: the error.
      outer: what it is linked to that was asked already, by identity.
    """
    if id(error) in outer:
        return False
    if isinstance(error, Caught):
        return error.variable is None
    held = held_by(error).values()
    if any(isinstance(value, Tensor) for value in (*error.args, *held)):
        return True
    if any(map(_is_perhaps_held, held)):
        return True
    linked = error.__cause__, _handled_before(error)
    return any(
        other is not None and names_tensors(other, (*outer, id(error))) for other in linked)


def part_of(value: Any, inputs: list[Any]) -> Any:
    """What is shown in a value's place, with its tensors among the inputs.

    Args:
      value: what an effect shows.
      inputs: those of its node, to which the tensors are added.
    """
    from .python_functions import found_result  # these import what raises
    from .returned_objects import opened_results

    if isinstance(value, PartOfError):
        str(value)
    if isinstance(value, Starred):
        return Starred(part_of(value.part, inputs))
    value = valued(opened_results(found_result(value), 'shown'))
    if isinstance(value, StagedString) and value.parts:
        return Pieces(
            tuple(
                part if isinstance(part, str) else _shown(part[0], inputs, part[1], part[2])
                for part in value.parts
            )
        )
    if isinstance(value, (Tensor, np.ndarray)):
        return _shown(value, inputs)
    if nest.is_leaf(value):
        return weakly(value if is_outside(value) else copied(value))
    leaves, structure = nest.flatten(value)
    parts = tuple(part_of(leaf, inputs) for leaf in leaves)
    if _is_to_be_made(structure) or any(isinstance(x, (Shown, Pieces, Weakly)) for x in parts):
        return Display(structure, parts)
    return weakly(value)


def _is_to_be_made(structure: nest.Structure) -> bool:
    """Whether something in it only stands for another nest while a graph is traced."""
    kind = structure.type
    if kind is not None and issubclass(kind, nest.Nest):
        return True
    return any(map(_is_to_be_made, structure.children))


def _shown(value: Any, inputs: list[Any], conversion: int = -1, spec: str = '') -> Any:
    if not isinstance(value, (Tensor, np.ndarray)):
        return text((value, conversion, spec))
    inputs.append(value)
    return Shown(len(inputs) - 1, conversion, spec)
