"""`try` with `except`: what is raised when the graph runs is caught when it runs.

The block is run as Python first. Where it stages nothing that may raise, that is all; otherwise it
is traced again, and so are the handlers, as the branches of a node.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import AutographError, StagingError, describe, user_location
from ..graph.graph import Op
from ..graph.tracing import checkpoint, is_tracing, undo, writes_since
from ..ops.control_flow import TRY
from ..ops.raising import may_raise, op_may_raise
from .activations import Again
from .caught import Caught, is_caught
from .conditionals import Choice, cond, stage
from .effects import Diverged
from .leaves import enclosing
from .restaging import Restage
from .staging import graph_now
from .state import Snapshot

Handlers = Sequence[tuple[Callable[[], Any], Callable[..., Any]]]


def try_(
    body: Callable[..., Any],
    handlers: Handlers,
    *operands: Any,
    shared: Callable[[], tuple[Any, ...]] | None = None,
    names: Sequence[str] = (),
) -> Any:
    """`body(*operands)`; where that raises, the first handler that is for it.

    Args:
      body: called with the operands.
      handlers: for each what gives its classes, and what is called with the exception and the
        operands.
      *operands: nests of tensors and Python values.
      shared: gives the values of the variables that the body sets and of which a handler needs to
        know how far the body has come.
      names: what the user calls the results.

    Raises:
      StagingError: a handler needs to know how far the body has come when the graph runs.
    """
    if not is_tracing():
        return _in_python(body, handlers, operands)
    graph, start = graph_now(), checkpoint()
    snapshot = Snapshot(*(('', x) for x in (body, *operands)))
    try:
        returned = body(*operands)
        if not any(map(may_raise, graph.nodes[start.nodes :])):
            return returned
    except (AutographError, Restage, Again):
        raise
    except BaseException as error:
        staged = any(map(may_raise, graph.nodes[start.nodes :]))
        if not staged and not isinstance(error, Diverged):
            return _handled(error, handlers, operands)
    undo(start)
    snapshot.rollback()
    return _stage(body, handlers, operands, shared, names)


def _in_python(body: Callable[..., Any], handlers: Handlers, operands: tuple[Any, ...]) -> Any:
    try:
        return body(*operands)
    except BaseException as error:
        return _handled(error, handlers, operands)


def _handled(error: BaseException, handlers: Handlers, operands: tuple[Any, ...]) -> Any:
    """What the handler gives that is for the error, which is being handled."""
    for kinds, handler in handlers:
        if isinstance(error, kinds()):
            return handler(error, *operands)
    raise error


def _stage(
    body: Callable[..., Any],
    handlers: Handlers,
    operands: tuple[Any, ...],
    shared: Callable[[], tuple[Any, ...]] | None,
    names: Sequence[str],
) -> Any:
    known = [(_classes(kinds()), handler) for kinds, handler in handlers]
    level = sum(graph.name == 'except' for graph in enclosing(graph_now()))
    caught = Caught(f'caught_{level}' if level else 'caught')

    def tried(*values: Any) -> Any:
        graph, start = graph_now(), checkpoint()
        snapshot = Snapshot(('', body), *(('', value) for value in values))

        def check(op: Op) -> None:
            if op_may_raise(op) and (snapshot.changes() or writes_since(start)):
                raise _half_done()

        outer, graph.observers = graph.observers, (*graph.observers, check)
        before = shared() if shared else ()
        try:
            return body(*values)
        finally:
            graph.observers = outer
            after = shared() if shared else ()
            if any(a is not b for a, b in zip(before, after, strict=True)):
                raise _half_done()

    errors = tuple(kind for kinds, _ in known for kind in kinds)
    attrs = {'errors': errors, 'caught': caught.variable}
    choice = Choice(TRY, (), ('try', 'except'), attrs)
    return stage(choice, (tried, _handler(known, caught, names)), operands, names)


def _classes(kinds: Any) -> tuple[type[BaseException], ...]:
    found = kinds if isinstance(kinds, tuple) else (kinds,)
    flat = [kind for each in found for kind in (each if isinstance(each, tuple) else (each,))]
    if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in flat):
        raise TypeError('catching classes that do not inherit from BaseException is not allowed')
    return tuple(flat)


def _handler(
    handlers: Sequence[tuple[tuple[type[BaseException], ...], Callable[..., Any]]],
    caught: Caught,
    names: Sequence[str],
) -> Callable[..., Any]:
    """The first of the handlers that is for what is caught."""
    (kinds, handler), *others = handlers

    def run(*operands: Any) -> Any:
        try:
            raise caught  # so that a bare `raise` in the handler finds it
        except Caught:
            return handler(caught, *operands)
        finally:
            caught.__traceback__ = None  # it would keep alive what the trace has made

    if not others:
        return run
    rest = _handler(others, caught, names)

    def choose(*operands: Any) -> Any:
        return cond(is_caught(caught, kinds), run, rest, *operands, names=names)

    return choose


def _half_done() -> StagingError:
    return StagingError(
        describe(
            'What follows needs a variable that this `try` block gives a value before something '
            'that may raise when the graph runs; which value it has then, the graph does not know.',
            user_location(),
            'Give it its value in the last statement of the block, or before the `try`.',
        )
    )
