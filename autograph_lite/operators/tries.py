"""`try` with `except`: what is raised when the graph runs is caught when it runs.

The block is run as Python first. Where it stages nothing that may raise, that is all; otherwise it
is traced again, and so are the handlers, as the branches of a node.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, UnboundError, describe, leaves_debugger, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.graph import Graph, Node
from ..graph.ownership import modified_elsewhere
from ..graph.tracing import is_tracing
from ..graph.trials import trying
from ..graph.types import ErrorType
from ..ops.control_flow import TRY
from ..ops.exceptions import caught_value, is_error
from ..ops.raising import may_raise
from .branches import Branch
from .caught import Caught, caught_at
from .choice_nodes import Choice
from .chosen_functions import OneFunction
from .conditionals import cond
from .effects import Diverged
from .error_parts import type_caught
from .given_back import block_names
from .in_flight import GIVEN_UP, following, may_end
from .keeping import forget_left
from .kept import Kept
from .leaves import handlers_around
from .python_refusals import check_not_refused
from .raised_by import node_may_raise, op_may_raise
from .reachable import Reachable
from .recalled import Recalled, recall, recalling
from .reentry import passed_lists
from .refused import check_refusals
from .set_variables import variables_set_by_block
from .staged_choices import stage, stage_with
from .staging import graph_now
from .tried_blocks import TriedBlock

Handlers = Sequence[tuple[Callable[[], Any], Callable[..., Any]]]


def try_(
    body: Callable[..., Any],
    handlers: Handlers,
    *operands: Any,
    shared: Callable[[], tuple[Any, ...]] | None = None,
    final: str = '',
    names: Sequence[str] = (),
    outer: Sequence[str] = (),
) -> Any:
    """`body(*operands)`; where that raises, the first handler that is for it.

    Args:
      body: called with the operands.
      handlers: for each what gives its classes, and what is called with the exception and the
        operands.
      *operands: nests of tensors and Python values.
      shared: gives the values of the variables that the body sets and of which a handler needs to
        know how far the body has come.
      final: where the handler is what a `finally` does, where what that changes is: 'here', so
        that only handlers around find it, or 'outside'; 'jumps' where it ends what is raised.
      names: what the user calls the results.
      outer: those of the names that are variables outside of the function.

    Raises:
      StagingError: a handler needs to know how far the body has come when the graph runs.
    """
    if not is_tracing():
        return _in_python(body, handlers, operands)
    if outer and (lists := passed_lists(operands, names, outer, body)):
        known = [(kinds, lists.function(handler, taken=1)) for kinds, handler in handlers]
        return lists.results(lambda: try_(
            lists.function(body), known, *lists.operands, shared=shared, final=final, names=names))
    recalled = recall(body)
    with trying():
        if recalled.is_staged:
            return _stage(body, handlers, operands, shared, names, recalled)
        return _while_tracing(body, handlers, operands, shared, final, names, recalled)


def _while_tracing(
    body: Callable[..., Any],
    handlers: Handlers,
    operands: tuple[Any, ...],
    shared: Any,
    final: str,
    names: Sequence[str],
    recalled: Recalled,
) -> Any:
    graph, start = graph_now(), checkpoint()
    reached = Reachable(None, body, *operands)
    try:
        with recalling(recalled.inside('try')):
            returned = body(*operands)
        if not _may_be_caught(graph.nodes[start.nodes :], handlers, final):
            return returned
    except BaseException as error:
        check_refusals()
        is_refused = isinstance(error, GIVEN_UP)
        if is_refused and not _is_of_a_name(error, handlers):
            raise
        if isinstance(error, KeyboardInterrupt) or leaves_debugger(error):
            raise  # the body, run once more, would not
        check_not_refused(error)
        staged = _may_be_caught(graph.nodes[start.nodes :], handlers, final)
        is_known = not is_refused or getattr(error, 'certain', False)
        if is_known and not staged and not isinstance(error, Diverged | Caught):
            return _handled(error, handlers, operands)
    undo(start)
    reached.restore()
    recalled.is_staged = True
    return _stage(body, handlers, operands, shared, names, recalled)


def _is_of_a_name(error: BaseException, handlers: Handlers) -> bool:
    """Whether a name lacks a value, for which one of the handlers is."""
    kind = error.in_python if isinstance(error, UnboundError) else None
    return kind is not None and any(issubclass(kind, kinds()) for kinds, _ in handlers)


def _may_be_caught(nodes: Sequence[Node], handlers: Handlers, final: str) -> bool:
    """Whether one of the operations may raise what a handler is for."""
    if not any(map(may_raise, nodes)) or (final and not may_end(nodes, final)):
        return False  # nothing asks for the classes of the handlers, as in Python
    errors = tuple(kind for kinds, _ in handlers for kind in _classes(kinds()))
    return any(node_may_raise(node, errors) for node in nodes)


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
    recalled: Recalled,
) -> Any:
    """Makes a node of it: a choice of what the body gives and what the handlers give after it.

    What the body has made of variables by the time that it raises is kept for the handlers.
    """
    known = [(_classes(kinds()), handler) for kinds, handler in handlers]
    caught = caught_at(handlers_around(graph_now()))

    errors = tuple(kind for kinds, _ in known for kind in kinds)
    kept = Kept(
        recalled, body, shared or tuple, operands, block_names(body),
        lambda op: op_may_raise(op, errors))

    graphs: list[Graph] = []
    tried = _tried(body, shared or tuple, len(names), errors, kept, graphs)
    attrs = {'errors': errors, 'caught': caught}
    found = [(kinds, _finding(each, kept)) for kinds, each in known]
    handler = _handler(found, caught, names, graphs)

    def handled(*values: Any) -> Any:
        _ = body  # what is looked for here finds what the block has changed for the handlers
        kept.read()
        forget_left(graphs, graph_now())
        return handler(*values)

    choice = Choice(
        TRY, (), ('try', 'except'), (tried, handled), operands, names, attrs, _check_reads,
        recalled=recalled)

    def staged() -> Any:
        recalled.begin()
        return stage_with(kept.places, choice) if kept.places else stage(choice)

    try:
        return kept.settled(staged)
    finally:
        kept.end()


def _tried(
    body: Callable[..., Any],
    shared: Callable[[], tuple[Any, ...]],
    size: int,
    errors: tuple[type[BaseException], ...],
    kept: Kept,
    graphs: list[Graph],
) -> Callable[..., Any]:
    """The block, which tells what it has changed before it raises.

    Args:
      body: the block.
      shared: gives the variables of which a handler needs to know.
      size: how many results it has.
      errors: the exceptions that a handler is for.
      kept: what is known of those variables.
      graphs: where its graph is put.
    """
    def tried(*given: Any) -> Any:
        values = kept.with_lent(given)
        kept.begin(graph_now(), values)
        begun = TriedBlock(body, shared, values, errors, kept)
        try:
            with following(begun):
                returned = body(*given)
        except BaseException as error:
            if isinstance(error, GIVEN_UP) and not getattr(error, 'certain', False):
                raise
            begun.check(surely=True)
            kept.check_lists()
            raise
        finally:
            graphs[:] = [graph_now()]
        begun.check(surely=False)
        kept.check_lists()
        kept.leave()
        if returned is None and size > 1:
            raise Diverged  # it ends in a loop without an end
        return returned

    return tried


def _classes(kinds: Any) -> tuple[type[BaseException], ...]:
    found = kinds if isinstance(kinds, tuple) else (kinds,)
    flat = [kind for each in found for kind in (each if isinstance(each, tuple) else (each,))]
    if any(isinstance(kind, OneFunction) for kind in flat):
        what = 'Which class this `except` is for only the running graph knows.'
        fix = (
            'Name all that it may be, `except (A, B) as e:`, and raise again what is not of the '
            'one: `if not isinstance(e, kind): raise`.')
        raise StagingError(describe(what, user_location(), fix))
    if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in flat):
        raise TypeError('catching classes that do not inherit from BaseException is not allowed')
    return tuple(flat)


def _handler(
    handlers: Sequence[tuple[tuple[type[BaseException], ...], Callable[..., Any]]],
    caught: str,
    names: Sequence[str],
    tried: Sequence[Graph],
) -> Callable[..., Any]:
    """The first of the handlers that is for what is caught in the graph of the block."""
    (kinds, handler), *others = handlers

    def run(*operands: Any) -> Any:
        error = Caught(caught_value(caught, type_caught(kinds, tried)))
        try:
            raise error  # so that a bare `raise` in the handler finds it
        except Caught:
            return handler(error.error, *operands)
        finally:
            error.__traceback__ = None  # it would keep alive what the trace has made

    if not others:
        return run
    rest = _handler(others, caught, names, tried)

    def choose(*operands: Any) -> Any:
        is_this = is_error(caught_value(caught, ErrorType()), kinds)
        return cond(is_this, run, rest, *operands, names=names)

    return choose


def _finding(handler: Callable[..., Any], kept: Kept) -> Callable[..., Any]:
    variables = variables_set_by_block(handler)
    own = {each.where for each in variables} | {(id(each.holder), None) for each in variables}

    def run(error: Any, *operands: Any) -> Any:
        kept.put(kept.with_lent(operands), own)
        others = kept.others()
        returned = handler(error, *operands)
        for holder, before in others:
            holder.put(before)  # the next handler does not find what this one sets
        return returned

    return run


def _check_reads(tried: Branch, handler: Branch) -> None:
    """What the block modifies a handler reads only by the names that it is given.

    Raises:
      OwnershipError: it does otherwise.
    """
    for graph in _graphs(handler.graph):
        for read in graph.reads:
            for storage in read.memory:
                if storage in tried.written:
                    raise modified_elsewhere(read, storage)


def _graphs(graph: Graph) -> Iterator[Graph]:
    yield graph
    for node in graph.walk():
        yield from node.graphs.values()
