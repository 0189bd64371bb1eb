"""A loop as a node of the graph.

Its state is typed by a fixed point: the body is traced with the types that the state has before the
loop, what it returns is joined with them, and it is traced again until they hold.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from ..errors import OwnershipError, StagingError, UnboundError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.tensor import IndexedByTensorError, Tensor
from ..graph.tracing import as_value, checkpoint, mark_written, tracing_into, undo, undo_writes
from ..ops.control_flow import FOR_LOOP, WHILE_LOOP
from .aliases import OneForAll, check_aliases
from .conditionals import unchanged
from .effects import raises_when_run
from .holders import Holder, put_into
from .identity import check_apart, kept
from .iterables import Staged
from .leaves import (
    leaf_names,
    leaf_of,
    outer_memories,
    own_arrays,
    result,
    structure_error,
    value_of,
)
from .lists import raw_value
from .loop_state import (
    WAYS,
    Slot,
    Turn,
    as_it_was,
    check_reads,
    check_state,
    operands_of,
    settle,
    slot_of,
)
from .moved import move, staged_lists
from .outside import modified
from .reachable import Reachable, Reaches, with_places
from .restaging import Restage, can_change, change, changed, indexed
from .staging import (
    add_node,
    condition,
    graph_now,
    identifier,
    parameter_names,
    staging,
    stored_names,
    truth,
)
from .unbound import NotYetError
from .watched import check_watched, rewatch

_MAX_ROUNDS = 32

Test = Callable[..., Any]
Body = Callable[..., Any]


def stage(
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str] = (),
) -> Any:
    """Makes the loop a node of the graph; lists that its body changes become staged lists."""
    start = checkpoint()
    try:
        return _stage_each(rows, test, body, state, names, items)
    except OwnershipError:
        undo(start)
        one = OneForAll(state)
        if not one.helps:
            raise
        return _stage_as_one(one, rows, test, body, state, names, items)


def _stage_each(
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str],
) -> Any:
    start = checkpoint()
    try:
        with staging('the loop'):
            return _stage_once(rows, test, body, state, names, items)
    except Restage as restage:
        undo(start)
        restaged = restage.operands(state)
        if nest.flatten(restaged)[1] == nest.flatten(state)[1] and restage.__cause__ is not None:
            raise restage.__cause__ from None
        with staged_lists(state, restaged):
            return stage(rows, test, body, restaged, names, items)
    except Reaches as reaches:
        undo(start)
        return _stage_with(reaches.places, rows, test, body, state, names, items)


def _stage_as_one(
    one: OneForAll,
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str],
) -> Any:
    """Stages a loop that is passed only once what has several names.

    Raises:
      OwnershipError: after a turn it is no longer one.
    """
    skip = 0 if rows is None else 1

    def turn(*given: Any) -> Any:
        returned = as_state(one.function(body, skip)(*given), len(state))
        one.check(returned)
        return unchanged(*one.once(returned))

    asked = None if test is None else one.function(test)
    named = one.once(_names(rows, body, state, names))
    results = as_state(stage(rows, asked, turn, one.once(state), named, items), len(named))
    return unchanged(*one.all(results))


def _stage_with(
    places: Sequence[Holder],
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str],
) -> Any:
    """Stages a loop whose body changes these places as well."""

    def turn(*given: Any) -> Any:
        returned, after = with_places(places, body, given)
        return unchanged(*as_state(returned, len(state)), *after)

    def going_on(*given: Any) -> Any:
        assert test is not None
        return with_places(places, test, given)[0]

    start = checkpoint()
    names = [*_names(rows, body, state, names), *(place.name for place in places)]
    held = [place.read() for place in places]
    asked = None if test is None else going_on
    results = as_state(stage(rows, asked, turn, (*state, *held), names, items), len(names))
    put_into(places, results[len(state) :])
    rewatch(graph_now(), start)
    return unchanged(*results[: len(state)])


def as_state(returned: Any, size: int) -> tuple[Any, ...]:
    """What a loop body returned, as one value a state variable."""
    if size == 1:
        return (returned,)
    return tuple(returned) if size else ()


def _names(
    rows: Staged | None, body: Body, state: tuple[Any, ...], names: Sequence[str]
) -> Sequence[str]:
    """What the user calls the state."""
    names = names or parameter_names(body, 0 if rows is None else 1, len(state))
    return names or stored_names(len(state)) or [f'state {i}' for i in range(len(state))]


def _stage_once(
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str],
) -> Any:
    outer, given = graph_now(), state
    state = nest.map_leaves(own_arrays, state)
    leaves, structure = nest.flatten(state)
    names = _names(rows, body, state, names)
    paths = leaf_names(structure.children, names)
    befores = [leaf_of(x, outer) for x in leaves]
    slots = [slot_of(path, before) for path, before in zip(paths, befores, strict=True)]
    for _ in range(_MAX_ROUNDS):
        turn = _trace_turn(rows, body, structure, slots, names, items, outer)
        if not settle(slots, turn.leaves):
            break
    else:
        raise StagingError(describe('The types of the loop state do not settle.', user_location()))
    never_typed = [error for slot in slots for error in slot.reads]
    if never_typed:
        raise never_typed[0]
    typed = [i for i, slot in enumerate(slots) if slot.type is not None]
    turn.graph.outputs = [
        value_of(turn.leaves[i], slots[i].type, turn.graph)  # type: ignore[arg-type]
        for i in typed
    ]
    graphs = {'body': turn.graph}
    if test is not None:
        graphs['test'] = _trace_test(test, structure, slots, names, outer)
    node = _add_node(rows, graphs, [slots[i] for i in typed], outer)
    check_reads(turn, graphs)
    written = turn.written | check_state(turn, slots)
    mark_written(written)
    memories = outer_memories(
        [slot.before.memory + turn.leaves[i].memory for i, slot in enumerate(slots)],
        outer,
        written.keys(),
    )
    outputs = dict(zip(typed, node.outputs, strict=True))
    results = [
        result(slot.join, outputs.get(i), memory)
        for i, (slot, memory) in enumerate(zip(slots, memories, strict=True))
    ]
    check_aliases(given, turn.modified)
    turned = turn.back(given)
    after = nest.unflatten(structure, results)
    if turn.gave is not None:
        after = tuple(
            kept(result, name, turned.part(was), turned.part(is_))
            for result, name, was, is_ in zip(after, names, turn.passed, turn.gave, strict=True)
        )
    check_apart(turn.passed, turned, after, turn.graph.watched)
    move(given, turn.modified, after)
    return unchanged(*after)


def _trace_turn(
    rows: Staged | None,
    body: Body,
    structure: nest.Structure,
    slots: list[Slot],
    names: Sequence[str],
    items: Sequence[str],
    outer: Graph,
) -> Turn:
    graph = Graph('body', outer)
    start = checkpoint()
    item: list[Any] = []
    if rows is not None:
        parts = rows.items()
        if len(items) != len(parts):
            items = ['item'] * len(parts)
        handles = [
            Tensor(graph.param(type_, name), memory)
            for (type_, memory), name in zip(parts, items, strict=True)
        ]
        with tracing_into(graph):
            item = [rows.item(iter(handles))]
    operands = tuple(operands_of(graph, structure, slots, is_turn=True))
    held = nest.contents(operands)
    others, paths = nest.flatten(operands)[0], [slot.name for slot in slots]
    reached = Reachable(body, *others, names=names, paths=paths, graph=graph)
    with tracing_into(graph), reached:
        try:
            returned = as_state(body(*item, *operands), len(structure.children))
        except IndexedByTensorError as error:
            raise indexed(error, operands) from None
        except NotYetError as error:
            raise UnboundError(*error.args) from None
        except Exception as error:
            raises_when_run(error, graph)
            reached.restore()
            return Turn(graph, list(map(as_it_was, slots)), undo_writes(start))
        if can_change(returned, operands):
            returned = change(returned, operands)
        leaves, after = nest.flatten(returned)
        if after != structure:
            statics = [slot.join.static if slot.type is None else 0 for slot in slots]
            differs = structure_error(structure, after, names, WAYS)
            if can_change(nest.unflatten(structure, statics), returned):
                raise changed(returned) from differs
            raise differs
        leaves = [leaf_of(x, graph) for x in leaves]
        check_watched(graph)
        reached.check()
    written, lists = undo_writes(start), set(modified(held))
    return Turn(graph, leaves, written, lists, held, operands, returned, reached)


def _trace_test(
    test: Test,
    structure: nest.Structure,
    slots: list[Slot],
    names: Sequence[str],
    outer: Graph,
) -> Graph:
    graph = Graph('test', outer)
    operands = operands_of(graph, structure, slots)
    reached = Reachable(test, *nest.flatten(operands)[0], names=names)
    with tracing_into(graph), reached:
        answer = condition(test(*operands))
        graph.outputs = [as_value(truth(answer) if isinstance(answer, Tensor) else bool(answer))]
        reached.check_unchanged()
    return graph


def _add_node(
    rows: Staged | None, graphs: dict[str, Graph], kept: list[Slot], outer: Graph
) -> Any:
    """The loop's node, with the state before it taken to the types that it settled on."""
    types = [slot.type for slot in kept if slot.type is not None]
    inputs: list[Value] = []
    attrs: dict[str, Any] = {'types': types, 'state': len(kept)}
    if rows is not None:
        inputs += [raw_value(source) for source in rows.sources()]
        attrs['iterable'] = rows.template(count())
    inputs += [
        value_of(slot.before, type_, outer) for slot, type_ in zip(kept, types, strict=True)
    ]
    names = [identifier(slot.name) for slot in kept]
    return add_node(FOR_LOOP if rows else WHILE_LOOP, inputs, attrs, graphs, names)


