"""A loop as a node of the graph.

Its state is typed by a fixed point: the body is traced with the types that the state has before the
loop, what it returns is joined with them, and it is traced again until they hold.
"""
from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.checkpoints import checkpoint, mark_written, undo
from ..graph.graph import Graph, Value
from ..graph.ownership import NotOwnedError
from ..graph.tensor import Tensor
from ..ops.control_flow import FOR_LOOP, WHILE_LOOP
from .aliases import OneForAll, check_aliases
from .asked_in_turns import asked_in_turns
from .block_ways import Way, changeable
from .blocks_around import check_told_apart, with_places
from .by_identity import ByIdentity, by_identity_or_not, taken
from .by_index import RunsOver, by_index, check_runs_over, read_by, runs_over
from .disagreements import grows
from .distinct import surely_two, two_after
from .holders import Holder, put_into
from .identity import kept
from .leaves import Leaf, leaf_names, leaf_of, outer_memories, own_arrays, result, value_of
from .lists import raw_value
from .loop_state import (
    Slot,
    Turn,
    begin_with,
    check_reads,
    check_state,
    memories_after,
    note_types,
    settle,
    slot_of,
)
from .loop_turns import ChangedByTest, Loop, as_state, read_states, trace_test, trace_turn
from .moved import move, staged_lists
from .narrowing import narrowly
from .opened import Opens, closed, watch_opened
from .picked_state import check_ends, stage_picked
from .picks import Picks
from .reaches import NotedViews, Reaches, check_views, with_whole_lists
from .recalled import recalling
from .reentry import passed_lists
from .restaging import Restage, with_bound
from .staged_iterable import Staged
from .staging import add_node, graph_now, identifier, staging, unchanged
from .view_bases import bases_after, bases_in, views_of
from .watched import rewatch
from .watched_results import check_apart, watch_still

_MAX_ROUNDS = 32
# How often state may be found to be nested deeper before it is taken to grow with each turn.
_MOST_GROWTHS = 8


def stage(loop: Loop) -> Any:
    """Makes the loop a node of the graph; lists that its body changes become staged lists."""
    names = loop.called()
    if loop.outer and (lists := passed_lists(loop.state, names, loop.outer, loop.body)):
        return lists.results(lambda: stage(replace(
            loop, state=lists.operands, test=loop.test and lists.asking(loop.test), names=names,
            body=lists.function(loop.body, loop.taken), outer=())))
    if loop.touched is not None:
        return narrowly(loop.touched, loop.state, lambda given, few: stage(replace(
            loop, state=given, test=loop.test and few(loop.test), names=loop.called(),
            body=few(loop.body, loop.taken), touched=None)))
    kept = ByIdentity(loop.state)
    if kept.helps:
        passed = replace(
            loop, test=loop.test and kept.function(loop.test), body=kept.function(loop.body),
            state=kept.given(loop.state), names=loop.called())
        return by_identity_or_not(
            loop.recalled, kept, lambda: taken(stage(passed)), lambda: _stage(loop))
    return _stage(loop)


def stage_while(loop: Loop) -> Any:
    """Makes a `while` a node; one whose test changes something asks at the end of each turn."""
    start = checkpoint()
    try:
        return stage(loop)
    except (ChangedByTest, AttributeError):  # of what the test sets, and a turn deletes
        undo(start)
        loop.recalled.note(lambda _: ChangedByTest())
    return unchanged(*as_state(stage(asked_in_turns(loop)), len(loop.state) + 1)[:-1])


def _stage(loop: Loop) -> Any:
    start, one = checkpoint(), OneForAll(loop.state, loop.called())
    if one.begins_empty:  # copies would not tell of each other what is put into them
        try:
            return _stage_as_one(one, loop)
        except OwnershipError:
            undo(start)
    try:
        return _stage_each(loop)
    except OwnershipError as error:
        undo(start)
        if one.helps:
            loop.recalled.note_error(error)
            with loop.recalled.otherwise('as one', error):
                return _stage_as_one(one, loop)
        if loop.rows is None or not read_by(loop.rows):
            raise
        try:
            with loop.recalled.otherwise('by index', error):
                return stage_by_index(loop)
        except NotOwnedError:
            raise
        except (OwnershipError, StagingError):
            undo(start)
        raise


def _stage_each(loop: Loop) -> Any:
    start = checkpoint()
    try:
        with staging('the loop'):
            loop.recalled.check(loop.state)
            return _stage_once(loop)
    except Restage as restage:
        undo(start)
        restaged = restage.applied(loop.state)
        loop.recalled.note(restage.again)
        growing = list(loop.growing(restaged))
        if growing and loop.growths == _MOST_GROWTHS:
            raise grows(growing[0]) from None
        with staged_lists(loop.state, restaged) as held:
            return stage(replace(loop, state=held, growths=loop.growths + bool(growing)))
    except Reaches as reaches:
        undo(start)
        places = reaches.not_among(loop.lent)
        NotedViews(loop.recalled, loop.state, places)
        return with_whole_lists(places, lambda places: _stage_with(places, loop))
    except OwnershipError as error:
        if not (places := bases_after(error, start, loop.state, loop.bases)):
            raise
        NotedViews(loop.recalled, loop.state, places)
        with loop.recalled.otherwise('with bases', error):
            return _stage_with(places, loop)
    except Opens as opens:
        undo(start)
        check_ends(opens, loop.state)
        loop.recalled.note(opens.again)
        return _stage_opened(opens, loop)
    except Picks as picks:
        undo(start)
        return stage_picked(picks, loop, stage)
    except RunsOver:
        undo(start)
        loop.recalled.note(lambda _: RunsOver())
        return stage_by_index(loop)


def stage_by_index(loop: Loop, first: int = 0) -> Any:
    """Stages a loop that runs over what it changes.

    Args:
      loop: one with rows.
      first: the index of the first item.

    Raises:
      OwnershipError: its items cannot be taken by their index.
    """
    try:
        results = stage_while(by_index(loop, first))
    except NotOwnedError:
        raise  # a block around this one is given what the loop runs over
    except OwnershipError as error:
        refused = runs_over(loop.rows)
        refused.written |= error.written
        raise refused from error
    return unchanged(*as_state(results, 1 + len(loop.state))[1:])


def _stage_opened(opens: Opens, loop: Loop) -> Any:
    """Stages a loop of whose state objects are opened: a turn may give another object."""
    # What a function closes over is what it may change: not the loop with its state.
    state = opens.opened(loop.state)
    test, names, size = loop.test, loop.called(), len(state)
    body = opens.turn(loop.body, state, names)
    gave = list(state)  # by the turn that was traced last

    def turn(*given: Any) -> Any:
        gave[:] = opens.opened(as_state(body(*given), size))
        return unchanged(*gave)

    def going_on(*given: Any) -> Any:
        assert test is not None
        return test(*map(closed, given))

    asked = None if test is None else going_on
    results = as_state(stage(replace(loop, test=asked, body=turn, state=state, names=names)), size)
    for after, name, *ways in zip(results, names, state, gave, strict=True):
        for returned in ways:
            watch_opened(after, name, Way(returned, {}, set(), lambda _: ()))
    return unchanged(*map(closed, results))


def _stage_as_one(one: OneForAll, loop: Loop) -> Any:
    """Stages a loop that is passed only once what has several names.

    Raises:
      OwnershipError: after a turn it is no longer one.
    """
    # What a function closes over is what it may change: not the loop with its state.
    body, taken, size = loop.body, loop.taken, len(loop.state)

    def turn(*given: Any) -> Any:
        returned = as_state(one.function(body, taken)(*given), size)
        one.check(returned)
        return unchanged(*one.once(returned))

    test = None if loop.test is None else one.function(loop.test)
    names = one.once(loop.called())
    state = one.once(loop.state)
    results = stage(replace(loop, test=test, body=turn, state=state, names=names))
    return unchanged(*one.all(as_state(results, len(names))))


def _stage_with(places: Sequence[Holder], loop: Loop) -> Any:
    """Stages a loop whose body changes these places as well."""
    # What a function closes over is what it may change: not the loop with its state.
    body, test, size = loop.body, loop.test, len(loop.state)

    @functools.wraps(body)
    def turn(*given: Any) -> Any:
        returned, after = with_places(places, body, given)
        return unchanged(*as_state(returned, size), *after)

    def going_on(*given: Any) -> Any:
        assert test is not None
        return with_places(places, test, given)[0]

    start = checkpoint()
    names = [*loop.called(), *(place.name for place in places)]
    state = (*loop.state, *(own_arrays(place.read(), place.name) for place in places))
    asked = None if test is None else going_on
    lent = loop.lent.union(place.identity for place in places)
    results = stage(replace(
        loop, test=asked, body=turn, state=state, names=names, lent=lent,
        bases=(*loop.bases, *bases_in(places))))
    results = as_state(results, len(names))
    put_into(places, results[size:])
    rewatch(graph_now(), start)
    return unchanged(*results[:size])


def _stage_once(loop: Loop) -> Any:
    """Traces turns until the types of the state hold, and makes a node of the last."""
    outer, given = graph_now(), loop.state
    leaves, structure = nest.flatten(nest.map_leaves(own_arrays, given))
    loop = replace(loop, names=loop.called())
    check_views(given, (), loop.bases)
    views = views_of(loop.bases, given)
    slots = _slots(leaves, leaf_names(structure.children, loop.names), outer, views)
    turn, rebound = _settled_turn(loop, structure, slots, outer)
    _check_known(slots)
    turn.graph.outputs = [
        value_of(leaf, slot.type, turn.graph)
        for leaf, slot in zip(turn.leaves, slots, strict=True)
        if slot.type is not None
    ]
    turn.check_names()
    changing = rebound | turn.changing()
    if turn.reached is not None:
        check_told_apart(turn.reached, changing)
    check_runs_over(loop.rows, turn.written)
    graphs = {'body': turn.graph}
    if loop.test is not None:
        with recalling(loop.recalled.inside('test')):
            graphs['test'] = trace_test(loop, loop.test, structure, slots, outer, changing)
    results = _results(loop, slots, turn, graphs, outer)
    return _put_back(given, nest.unflatten(structure, results), loop.names, turn, outer)


def _settled_turn(
    loop: Loop, structure: nest.Structure, slots: list[Slot], outer: Graph
) -> tuple[Turn, set[int]]:
    """The turn of which the types hold, and what turns rebind of what can be changed in place."""
    recalled, objects = loop.recalled, changeable(loop.state)
    begin_with(recalled, structure, slots)
    rebound = recalled.rebound(structure, objects)
    for _ in range(_MAX_ROUNDS):
        with recalling(recalled.inside('body')):
            turn = read_states(trace_turn(loop, structure, slots, rebound, outer), slots)
        check_views(loop.state, turn.written, loop.bases)
        found = turn.rebound() - rebound
        rebound |= found
        is_settled = not settle(slots, turn.leaves)
        note_types(recalled, structure, slots)
        recalled.note_rebound(structure, objects, rebound)
        if is_settled and not found:
            return turn, rebound
    raise StagingError(describe('The types of the loop state do not settle.', user_location()))


def _slots(
    leaves: Sequence[Any], paths: Sequence[str], outer: Graph, views: Sequence[Tensor]
) -> list[Slot]:
    """The state before the loop, leaf by leaf; the views are what they are in the loop, too."""
    befores = [
        Leaf(None, x) if any(x is view for view in views) else leaf_of(x, outer) for x in leaves]
    return [slot_of(path, before) for path, before in zip(paths, befores, strict=True)]


def _check_known(slots: Sequence[Slot]) -> None:
    """Of all state it is known whether its name has a value, and which type that is.

    Raises:
      Restage: some has a name of whose value nothing tells whether the name has it.
      UnboundError: some is read and never had a type.
    """
    untold = {i: slot.name for i, slot in enumerate(slots) if slot.is_untold}
    if untold:
        raise Restage(lambda operands: with_bound(operands, untold))
    never_typed = [error for slot in slots for error in slot.reads]
    if never_typed:
        raise never_typed[0]


def _results(
    loop: Loop, slots: list[Slot], turn: Turn, graphs: dict[str, Graph], outer: Graph
) -> list[Any]:
    """Makes the node; what it gives for each leaf of the state."""
    typed = [i for i, slot in enumerate(slots) if slot.type is not None]
    node = _add_node(loop.rows, graphs, [slots[i] for i in typed], outer)
    are_two = two_after(turn)
    moved = check_state(turn, slots, are_two)
    mark_written({**turn.written, **moved})
    check_reads(turn, graphs)
    were_two = surely_two(nest.flatten(loop.state)[0], [slot.before.memory for slot in slots])
    memories = outer_memories(
        memories_after(turn, slots, loop.has_turns),
        outer,
        {**turn.written, **moved},
        lambda i, j: were_two(i, j) and are_two(i, j),
    )
    outputs = dict(zip(typed, node.outputs, strict=True))
    return [
        result(slot.join, outputs.get(i), memory)
        for i, (slot, memory) in enumerate(zip(slots, memories, strict=True))
    ]


def _put_back(
    given: tuple[Any, ...], after: Any, names: Sequence[str], turn: Turn, outer: Graph
) -> Any:
    """The state after the loop as the objects that it is; what turns modify stands for it now."""
    modified = check_aliases(given, turn.modified, names)
    assert turn.as_it_was is not None
    turned = turn.back()
    start = checkpoint()
    unturned = replace(turned, changing=frozenset())
    ways = zip(after, names, turn.as_it_was.before, turn.gave, strict=True)
    after = tuple(
        kept(result, name, unturned.part(was), turned.part(is_)) for result, name, was, is_ in ways)
    rewatch(outer, start)
    check_apart(turn.as_it_was, turned, after, turn.graph, turn.written)
    move(modified, after)
    watch_still(turn.graph, turn.as_it_was, turn.gave, after, is_turn=True)
    return unchanged(*after)


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


