"""`try` with `except`: what is raised when the graph runs is caught when it runs.

The block is run as Python first. Where it stages nothing that may raise, that is all; otherwise it
is traced again, and so are the handlers, as the branches of a node.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from ..graph import nest
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
from .conditionals import cond
from .effects import Diverged
from .error_parts import type_caught
from .given_back import block_names
from .holders import Held, Holder, walk
from .in_flight import GIVEN_UP, Followed, following, may_end
from .kept import Kept
from .kept_variables import half_done
from .leaves import handlers_around
from .made_by import is_made_by_first, maker
from .outer_variables import VariablePlace, place_of_variable, variables_changed
from .owners import owners_in
from .raised_by import node_may_raise, op_may_raise
from .reachable import Reachable
from .recalled import Recalled, recall, recalling
from .set_variables import Variable as OuterVariable
from .set_variables import variables_set_by_block
from .staged_choices import stage
from .staging import graph_now

Handlers = Sequence[tuple[Callable[[], Any], Callable[..., Any]]]


def try_(
    body: Callable[..., Any],
    handlers: Handlers,
    *operands: Any,
    shared: Callable[[], tuple[Any, ...]] | None = None,
    final: str = '',
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
      final: where the handler is what a `finally` does, where what that changes is: 'here', so
        that only handlers around find it, or 'outside'; 'jumps' where it ends what is raised.
      names: what the user calls the results.

    Raises:
      StagingError: a handler needs to know how far the body has come when the graph runs.
    """
    if not is_tracing():
        return _in_python(body, handlers, operands)
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
    except GIVEN_UP:
        raise
    except BaseException as error:
        staged = _may_be_caught(graph.nodes[start.nodes :], handlers, final)
        if not staged and not isinstance(error, Diverged | Caught):
            return _handled(error, handlers, operands)
    undo(start)
    reached.restore()
    recalled.is_staged = True
    return _stage(body, handlers, operands, shared, names, recalled)


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

    def tried(*values: Any) -> Any:
        kept.begin(graph_now(), values)
        begun = _Begun(body, shared or tuple, values, errors, kept)
        try:
            with following(begun):
                returned = body(*values)
        except GIVEN_UP:
            raise
        except BaseException:
            begun.check(surely=True)
            raise
        finally:
            graphs[:] = [graph_now()]
        begun.check(surely=False)
        kept.leave()
        return returned

    attrs = {'errors': errors, 'caught': caught}
    found = [(kinds, _finding(each, kept)) for kinds, each in known]
    handler = _handler(found, caught, names, graphs)

    def handled(*values: Any) -> Any:
        kept.read()
        return handler(*values)

    choice = Choice(
        TRY, (), ('try', 'except'), (tried, handled), operands, names, attrs, _check_reads,
        recalled=recalled)

    def staged() -> Any:
        recalled.begin()
        return stage(choice)

    try:
        return kept.settled(staged)
    finally:
        kept.end()


class _Begun(Followed):
    """What a `try` block may change so early that it raises only after that.

    Args:
      body: the block.
      shared: gives the variables that it changes early, as far as its text tells.
      values: those that it changes, early or late.
      errors: the exceptions that a handler is for.
      kept: the variables and places that are followed.
    """

    def __init__(
        self,
        body: Callable[..., Any],
        shared: Callable[[], tuple[Any, ...]],
        values: Any,
        errors: tuple[type[BaseException], ...],
        kept: Kept,
    ) -> None:
        self._kept = kept
        self._shared = shared
        self._errors = errors
        self._before = self._shared()
        self._given = owners_in(values)
        late = {id(held.owner) for held in self._given.values()}
        read = ((kept.name(i), value) for i, value in enumerate(self._before))
        self._held = [
            held for held in (*walk(('', body)), *walk(*read))
            if id(held.owner) not in late and not isinstance(held.owner, FunctionType)]
        self._changed = len(variables_changed())
        self._early: set[tuple[int, Any]] = set()
        self._variables = {
            id(cell) for held in walk(('', body)) if isinstance(held.owner, FunctionType)
            for cell in held.owner.__closure__ or ()}
        kept.before_raising, kept.takes = self._note, self._takes

    def _takes(self, graph: Graph, places: Sequence[Holder]) -> bool:
        """Whether the handlers find what a block has changed by the time that it raises.

        Raises:
          MoreToKeep: they do, once it is kept.
        """
        if not any(map(self.may_raise, graph.nodes)):
            return True
        given = {id(held.owner): where for where, held in self._given.items() if held.is_object}
        reached = {id(held.owner) for held in self._held if held.is_object}
        others, own = [], []
        for place in places:
            if isinstance(place.owner, FunctionType):
                if place.identity[0] in self._variables:
                    others.append(place)
            elif id(place.owner) in given:
                own.append((given[id(place.owner)], place.key))
            elif id(place.owner) in reached or isinstance(place, VariablePlace):
                others.append(place)
            else:
                return False
        self._kept.add(others, own)
        return True

    def _note(self) -> None:
        """Before what may raise: what is changed by now."""
        for held in (*self._given.values(), *self._held):
            if held.is_changed:
                self._early.update((id(held.owner), key) for key in held.changes())

    def state(self) -> list[tuple[int, Any, Any]]:
        found: list[tuple[int, Any, Any]] = [(0, i, x) for i, x in enumerate(self._shared())]
        for held in (*self._given.values(), *self._held):
            found += [(id(held.owner), key, x) for key, x in held.changes().items()]
        return [*found, *((id(each), each.name, each.read()) for each in self._others())]

    def _others(self) -> list[OuterVariable]:
        """The variables outside that what the block calls has set, as its text does not tell."""
        found = variables_changed()[self._changed :]
        return [each for each in found if not self._kept.shares(each.where)]

    def may_raise(self, node: Node) -> bool:
        return node_may_raise(node, self._errors)

    def check(self, surely: bool) -> None:
        """It has changed nothing so early but what is kept; `surely` it raises at its end.

        Raises:
          MoreToKeep: it has changed what can be kept.
          StagingError: it has changed anything else.
        """
        nodes = graph_now().nodes
        raising = [i for i, node in enumerate(nodes) if node_may_raise(node, self._errors)]
        last = len(nodes) if surely else max(raising, default=-1)
        if last < 0:
            return
        after = set(nodes[last + 1 :])
        blocks = {nodes[i] for i in raising if nodes[i].graphs}

        def changed_early(held: Held) -> list[Any]:
            # What a block changes, and where in it something may raise, is not seen from outside.
            return [
                key for key, value in held.changes().items()
                if surely or (id(held.owner), key) in self._early
                or any(maker(leaf) in blocks for leaf in nest.flatten(value)[0])]

        for i, (before, now) in enumerate(zip(self._before, self._shared(), strict=True)):
            if before is not now and not self._kept.keeps(i) and maker(now) not in after:
                raise half_done(self._kept.name(i))
        self._kept.check_left(self.may_raise)
        times = Counter(each.where for each in self._others())
        places: list[Holder] = [
            place_of_variable(variable)
            for variable in {each.where: each for each in self._others()}.values()
            if maker(variable.read()) not in after
            and (times[variable.where] > 1 or not is_made_by_first(variable.read(), nodes[last:]))]
        for held in self._held:
            keys = changed_early(held)
            if keys and not held.is_object:
                raise half_done(held.path)
            places += map(held.place, keys)
        own = [
            (where, key) for where, held in self._given.items()
            if held.is_object or _has_other_items(held)
            for key in changed_early(held)]
        self._kept.add(places, own)


def _has_other_items(held: Held) -> bool:
    """Whether it is a list or dict that may hold other values, at the places that it had before."""
    owner = held.owner
    return (
        isinstance(owner, (list, dict)) and nest.actual(owner) is owner
        and held.now().content.keys() == held.content.keys())


def _classes(kinds: Any) -> tuple[type[BaseException], ...]:
    found = kinds if isinstance(kinds, tuple) else (kinds,)
    flat = [kind for each in found for kind in (each if isinstance(each, tuple) else (each,))]
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
    own = {variable.where for variable in variables_set_by_block(handler)}

    def run(error: Any, *operands: Any) -> Any:
        kept.put(operands, own)
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
