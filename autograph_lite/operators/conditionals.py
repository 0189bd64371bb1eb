"""`cond`: one of two ways, chosen by a Python value now or by a tensor when the graph runs."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import OwnershipError, user_location
from ..graph import nest
from ..graph.graph import Attrs, Graph, Op, Value
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, checkpoint, emit_one, is_tracing, mark_written, undo
from ..graph.types import TensorType
from ..ops.control_flow import COND, NOT
from .aliases import OneForAll, check_aliases
from .bases import bases_after, bases_in, views_of
from .blocks_around import with_places
from .branches import Branch, both_alike, like_the_other, trace_branch, with_variables_read
from .by_identity import ByIdentity, by_identity_or_not, taken
from .chosen_arrays import kept_arrays, note_chosen
from .disagreements import Ways, structure_error
from .effects import Diverged
from .given_back import GivesBack
from .holders import Holder, put_into
from .identity import kept_each
from .is_none import is_none
from .known import learn
from .leaves import join_leaves, leaf_names, outer_memories, own_arrays, result, value_of
from .moved import move, staged_lists
from .opened import Opens, check_opens, closed, watch_opened_each
from .picks import Picks, check_picks
from .reaches import Reaches, check_views, note_views
from .recalled import Recalled, recall, recalling
from .restaging import Restage, can_change, changed, check_members, check_staged_within
from .staging import (
    UNNAMED,
    add_node,
    condition,
    graph_now,
    identifier,
    parameter_names,
    run_block,
    staging,
    truth,
)
from .taken import note_taken, note_untaken
from .watched import rewatch
from .watched_results import watch_apart, watch_still
from .ways import ways_at

if TYPE_CHECKING:
    from .narrowing import Touched

_Branches = tuple[Callable[..., Any], Callable[..., Any]]


def unchanged(*operands: Any) -> Any:
    """The branch that does nothing: one operand itself, several as a tuple, None for none."""
    if len(operands) == 1:
        return operands[0]
    return operands or None


def cond(
    pred: Any,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    *operands: Any,
    names: Sequence[str] = (),
    touched: Touched | None = None,
    into: Any = None,
) -> Any:
    """`if_true(*operands)` if `pred` is true, else `if_false(*operands)`.

    A `pred` that is a tensor makes a node of the graph: both branches are traced, and what they
    return must have the same structure and types that join (see `graph.joins`).

    Args:
      pred: a Python value, or a tensor with one element.
      if_true: called with the operands.
      if_false: called with the operands.
      *operands: nests of tensors and Python values.
      names: what the user calls the results, for messages and for the graph.
      touched: by the number of an operand, the steps to the items that alone the branches touch.
      into: what the result becomes an item of; that of an array may be an array or a number.

    Raises:
      StagingError: `pred` has more than one element, or the branches' results do not join.
    """
    pred = condition(pred)
    if isinstance(pred, Tensor) and pred.type.maybe:
        value = pred
        pred = cond(is_none(value), lambda: False, lambda: emit_one(NOT, [emit_one(NOT, [value])]))
    if not isinstance(pred, Tensor) or not is_tracing():
        chosen, other = (if_true, if_false) if pred else (if_false, if_true)
        note_taken(chosen)
        note_untaken(other)
        return run_block(chosen, operands, names)
    note_taken(if_true)
    note_taken(if_false)
    other = if_false if if_true is unchanged else if_true
    choice = Choice(COND, (truth(pred),), ('true', 'false'), recalled=recall(other))
    if into is not None:
        from .spreading import spread_into

        return spread_into(into, (if_true, if_false), lambda *ways: stage(choice, ways, (), names))
    if touched is None:
        return stage(choice, (if_true, if_false), operands, names)
    from .narrowing import narrowly

    return narrowly(touched, operands, lambda given, few: stage(
        choice, (few(if_true), few(if_false)), given, names))


def switch_case(
    index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, names: Sequence[str] = ()
) -> Any:
    """`branches[index](*operands)`; the last branch for an index out of range.

    Args:
      index: a Python integer or an integer tensor without axes.
      branches: the functions to choose from; at least one.
      *operands: what the chosen one is called with.
      names: what the user calls the results.
    """
    *first, last = branches

    def choose(i: int) -> Any:
        if i == len(first):
            return last(*operands)
        return cond(index == i, lambda: first[i](*operands), lambda: choose(i + 1), names=names)

    return choose(0)


@dataclass(frozen=True)
class Choice:
    """What makes the choice between two branches.

    Attributes:
      op: makes the node.
      inputs: what it asks.
      roles: what it calls the branches.
      attrs: what else there is to know.
      check: looks at the two branches together.
      lent: what identifies the places that hold some of the operands while a branch is traced.
      bases: the arrays among these to views of which a branch writes.
      left: identifies the arrays to which a branch writes that nobody can read after it.
      recalled: what was found when it was traced before.
    """

    op: Op
    inputs: tuple[Tensor, ...]
    roles: tuple[str, str]
    attrs: Attrs = field(default_factory=dict)
    check: Callable[[Branch, Branch], None] | None = None
    lent: frozenset[Any] = frozenset()
    bases: tuple[Tensor, ...] = ()
    left: frozenset[int] = frozenset()
    recalled: Recalled = field(default_factory=Recalled)


def stage(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Makes the choice a node; lists among the operands that a branch changes become staged."""
    kept = ByIdentity(operands)
    if kept.helps:
        named = names or _branch_names(branches, operands)
        passed = (kept.function(branches[0]), kept.function(branches[1]))
        return by_identity_or_not(
            choice.recalled,
            lambda: taken(stage(choice, passed, kept.given(operands), named)),
            lambda: _stage(choice, branches, operands, names))
    return _stage(choice, branches, operands, names)


def _stage(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    start, one = checkpoint(), OneForAll(operands)

    def as_one() -> Any:
        passed = (one.function(branches[0]), one.function(branches[1]))
        named = names or _branch_names(branches, operands)
        return stage(choice, passed, one.once(operands), named)

    if one.begins_empty:  # copies would not tell of each other what is put into them
        try:
            return as_one()
        except OwnershipError:
            undo(start)
    try:
        return _stage_each(choice, branches, operands, names)
    except OwnershipError as error:
        undo(start)
        if not one.helps:
            raise
        choice.recalled.note_error(error)
        return as_one()


def _stage_each(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    start = checkpoint()
    try:
        with staging('the branches'):
            choice.recalled.check(operands)
            return _stage_once(choice, branches, operands, names)
    except Restage as restage:
        undo(start)
        if not restage.is_for(graph_now()):
            raise
        restaged = restage.operands(operands)
        if nest.flatten(restaged)[1] == nest.flatten(operands)[1] and restage.__cause__:
            raise restage.__cause__ from None
        choice.recalled.note(restage.again)
        with staged_lists(operands, restaged) as held:
            return stage(choice, branches, held, names)
    except Reaches as reaches:
        undo(start)
        if reaches.is_for_others:
            raise
        if choice.lent.issuperset(place.identity for place in reaches.places):
            raise reaches.__context__ or reaches from None
        note_views(choice.recalled, operands, reaches.places, reaches.replaced)
        try:
            return _stage_with(reaches.places, choice, branches, operands, names)
        except OwnershipError:
            if not reaches.replaced:
                raise
            undo(start)
            choice.recalled.forget()
            left = replace(choice, left=choice.left.union(reaches.replaced))
            return _stage_each(left, branches, operands, names)
    except OwnershipError as error:
        places = bases_after(error, start, operands, choice.bases)
        if not places:
            raise
        note_views(choice.recalled, operands, places)
        return _stage_with(places, choice, branches, operands, names)
    except Opens as opens:
        undo(start)
        choice.recalled.note(opens.again)
        names = names or _branch_names(branches, operands)
        opened = (opens.function(branches[0]), opens.function(branches[1]))
        return closed(_stage_each(choice, opened, operands, names))
    except Picks as picks:
        undo(start)
        names = names or _branch_names(branches, operands)
        picking = (picks.function(branches[0]), picks.function(branches[1]))
        choice = replace(choice, recalled=choice.recalled.other('picking'))
        return picks.named(_stage_each(choice, picking, operands, names))
    except GivesBack as back:
        undo(start)
        choice.recalled.note(back.again)
        return _stage_giving_back(back, choice, branches, operands, names)


def _stage_giving_back(
    back: GivesBack,
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Stages a choice whose branches change operands that they do not return."""
    names = names or _branch_names(branches, operands) or [UNNAMED]
    passed = next(filter(None, (parameter_names(b, 0, len(operands)) for b in branches)), ())
    more = [passed[i] if passed else UNNAMED for i in back.numbers]
    is_one = len(names) == 1
    giving = (back.function(branches[0], is_one), back.function(branches[1], is_one))
    results = stage(choice, giving, operands, [*names, *more])[: len(names)]
    return results[0] if is_one else results


def _stage_with(
    places: Sequence[Holder],
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Stages a choice whose branches change these places as well."""
    names = names or _branch_names(branches, operands)
    size = len(names)

    def passing(branch: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(branch)
        def run(*given: Any) -> Any:
            returned, after = with_places(places, branch, given)
            return (*(returned if size > 1 else (returned,)), *after)

        return run

    start = checkpoint()
    more = [place.name for place in places]
    held = [own_arrays(place.read(), place.name) for place in places]
    passed = (passing(branches[0]), passing(branches[1]))
    choice = replace(
        choice, lent=choice.lent.union(place.identity for place in places),
        bases=(*choice.bases, *bases_in(places)))
    results = stage(choice, passed, (*operands, *held), [*(names or [UNNAMED]), *more])
    put_into(places, results[-len(places) :])
    rewatch(graph_now(), start)
    results = results[: -len(places)]
    return results if size > 1 else results[0]


def _stage_once(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Traces both branches, each from the same state of all memory, and joins what they return."""
    outer, given = graph_now(), operands
    operands = nest.map_leaves(own_arrays, operands)
    inputs = [as_value(x) for x in choice.inputs]
    given_paths = _paths(branches, operands)
    check_views(operands, (), choice.bases)
    views = views_of(choice.bases, operands)
    graphs = [Graph(role, outer, given=views) for role in choice.roles]
    _learn(choice, inputs, *graphs)
    traced: list[Branch] = []
    for graph, branch in zip(graphs, branches, strict=True):
        with recalling(choice.recalled.inside(graph.name)):
            traced.append(trace_branch(branch, operands, given, graph, names, given_paths))
    true, false = traced
    written = true.written | false.written
    check_views(operands, written, choice.bases, choice.left | kept_arrays(true, false))
    if choice.check is not None:
        choice.check(true, false)
    if true.diverges and false.diverges:
        _add_node(choice, inputs, (true, false), {}, [])
        raise Diverged
    _learn(choice, inputs, *(outer if way.diverges else None for way in (false, true)))
    true, false = _in_one_form(choice, true, false, operands, names)
    names = names or _branch_names(branches, operands)
    parts = true.structure.children if len(names) > 1 else (true.structure,)
    if len(parts) != len(names):
        parts, names = (true.structure,), [UNNAMED]
    paths = leaf_names(parts, names)
    true, false = with_variables_read(true, false)
    ways = _ways(choice)
    joins = [
        join_leaves(path, a, b, ways)
        for path, a, b in zip(paths, true.leaves, false.leaves, strict=True)
    ]
    kept_types = {i: join.type for i, join in enumerate(joins) if join.type is not None}
    outputs = _add_node(choice, inputs, (true, false), kept_types, paths)
    mark_written(written)
    memories = outer_memories(
        [a.memory + b.memory for a, b in zip(true.leaves, false.leaves, strict=True)],
        outer,
        written.keys(),
    )
    leaves = [
        result(join, outputs.get(i), memory)
        for i, (join, memory) in enumerate(zip(joins, memories, strict=True))
    ]
    results = _put_back(given, nest.unflatten(true.structure, leaves), names, (true, false), outer)
    if choice.op is COND and not true.diverges and not false.diverges:
        note_chosen(results, inputs[0], true, false)
    return results


def _learn(
    choice: Choice, inputs: Sequence[Value], true: Graph | None, false: Graph | None
) -> None:
    """Notes in the graphs that run only where the condition is true, or false, that it is."""
    for graph, is_true in ((true, True), (false, False)):
        if choice.op is COND and graph is not None:
            learn(graph, inputs[0], is_true)


def _in_one_form(
    choice: Choice, true: Branch, false: Branch, operands: tuple[Any, ...], names: Sequence[str]
) -> tuple[Branch, Branch]:
    """The branches with what they give in one form.

    Raises:
      StagingError: it has none.
    """
    if true.diverges:
        true = like_the_other(true, false)
    if false.diverges:
        false = like_the_other(false, true)
    check_picks(graph_now(), *(way.back() for way in (true, false) if not way.diverges))
    if not true.diverges and not false.diverges:
        check_opens(true.gave, false.gave)
    for branch in (true, false):
        if not branch.diverges:
            check_members(operands, branch.passed)
            check_staged_within(operands, branch.passed)
    if true.structure != false.structure:
        for branch in (true, false):
            if not branch.diverges and can_change(operands, branch.passed):
                raise changed(branch.passed)
        true, false = both_alike(true, false)
    if true.structure != false.structure:
        raise structure_error(true.structure, false.structure, names, _ways(choice))
    return true, false


def _add_node(
    choice: Choice,
    inputs: Sequence[Value],
    branches: tuple[Branch, Branch],
    types: Mapping[int, TensorType],
    paths: Sequence[str],
) -> dict[int, Value]:
    """Makes the node; its outputs, by the number of the leaf that each stands for.

    Args:
      types: those of the leaves that the graph computes, by number.
      paths: what the user calls all leaves.
    """
    for branch in branches:
        branch.graph.outputs = [
            value_of(branch.leaves[i], type_, branch.graph) for i, type_ in types.items()
        ]
    node = add_node(
        choice.op,
        inputs,
        {**choice.attrs, 'types': list(types.values())},
        {role: branch.graph for role, branch in zip(choice.roles, branches, strict=True)},
        [identifier(paths[i].removeprefix('the ')) for i in types],
    )
    return dict(zip(types, node.outputs, strict=True))


def _put_back(
    given: tuple[Any, ...],
    results: Any,
    names: Sequence[str],
    branches: tuple[Branch, Branch],
    outer: Graph,
) -> Any:
    """The results as the objects that they are; what the branches modify stands for them now."""
    # Asked before the results are put into what was given: another list may stand there then.
    modified = check_aliases(given, branches[0].modified | branches[1].modified)
    ways_back = [way.back() for way in branches if not way.diverges]
    start = checkpoint()
    results = kept_each(results, names, *ways_back)
    move(modified, results)
    rewatch(outer, start)
    watch_opened_each(results, names, *ways_back)
    for way in branches:
        if way.as_it_was is not None:
            watch_still(way.graph, way.as_it_was, way.gave, results)
            watch_apart(way.gave, results)
    return results


def _ways(choice: Choice) -> Ways:
    """How messages call the two branches."""
    if choice.op is not COND:
        return f'after `{choice.roles[0]}`', f'after `{choice.roles[1]}`'
    return ways_at(user_location(), choice.inputs[0].held)


def _branch_names(branches: Sequence[Callable[..., Any]], operands: Sequence[Any]) -> Sequence[str]:
    """A branch that changes nothing gives back the operands, which the other one names."""
    if unchanged not in branches:
        return ()
    other = branches[0] if branches[1] is unchanged else branches[1]
    return parameter_names(other, 0, len(operands))


def _paths(branches: _Branches, operands: tuple[Any, ...]) -> Sequence[str]:
    """What the user calls the leaves of the operands, as far as the branches' parameters tell."""
    parts = nest.flatten(operands)[1].children
    for branch in branches:
        names = parameter_names(branch, 0, len(parts))
        if names:
            return leaf_names(parts, names)
    return ()
