"""A choice as a node of the graph: both branches are traced, and what they return is joined."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import user_location
from ..graph import nest
from ..graph.checkpoints import checkpoint, mark_written
from ..graph.graph import Attrs, Graph, Op, Value
from ..graph.tensor import Tensor
from ..graph.tracing import as_value
from ..graph.types import TensorType
from ..ops.control_flow import COND
from .activations import is_recursive
from .aliases import check_aliases
from .blocks_around import blocks_around
from .branches import (
    Branch,
    both_alike,
    like_the_other,
    trace_branch,
    with_chosen_alike,
    with_variables_read,
)
from .chosen_arrays import kept_arrays, note_chosen
from .chosen_within import check_chosen
from .disagreements import Ways, structure_error
from .distinct import AreTwo, two_after
from .effects import Diverged
from .holders import Holder, walk
from .identity import kept_each
from .known import learn
from .known_places import are_places_known, known_places
from .leaves import join_leaves, leaf_names, outer_memories, own_arrays, result, value_of
from .live_kinds import meet
from .moved import move
from .names_of_ways import ways_at
from .opened import check_opens, watch_opened_each
from .picks import check_picks
from .reaches import Reaches, check_views
from .recalled import Recalled, recalling
from .restaging import can_change, changed, check_staged_within
from .staging import UNNAMED, add_node, graph_now, identifier, parameter_names, unchanged
from .view_bases import views_of
from .watched import rewatch
from .watched_results import watch_apart, watch_still


@dataclass(frozen=True)
class Choice:
    """A choice between two branches.

    Attributes:
      op: makes the node.
      inputs: what it asks.
      roles: what it calls the branches.
      branches: the two functions.
      operands: what they are called with.
      names: what the user calls the results, if that is known.
      attrs: what else there is to know.
      check: looks at the two branches together.
      lent: what identifies the places that hold some of the operands while a branch is traced.
      bases: the arrays among these to views of which a branch writes.
      left: identifies the arrays to which a branch writes that nobody can read after it.
      parameters: what the user calls the operands, where the branches do not tell.
      recalled: what was found when it was traced before.
    """

    op: Op
    inputs: tuple[Tensor, ...]
    roles: tuple[str, str]
    branches: tuple[Callable[..., Any], Callable[..., Any]]
    operands: tuple[Any, ...] = ()
    names: Sequence[str] = ()
    attrs: Attrs = field(default_factory=dict)
    check: Callable[[Branch, Branch], None] | None = None
    lent: frozenset[Any] = frozenset()
    bases: tuple[Tensor, ...] = ()
    left: frozenset[int] = frozenset()
    parameters: Sequence[str] = ()
    recalled: Recalled = field(default_factory=Recalled)

    def called(self) -> Sequence[str]:
        """What the user calls the results.

        A branch that changes nothing gives back the operands, which the other one names.
        """
        first, second = self.branches
        if self.names or unchanged not in self.branches:
            return self.names
        return parameter_names(first if second is unchanged else second, 0, len(self.operands))

    def given(self) -> Sequence[str]:
        """What the user calls the operands, as far as that is known."""
        size = len(self.operands)
        told = (parameter_names(branch, 0, size) for branch in self.branches)
        return next(filter(None, told), self.parameters if len(self.parameters) == size else ())

    def passing(
        self,
        form: Callable[[Callable[..., Any]], Callable[..., Any]],
        operands: tuple[Any, ...] | None = None,
        names: Sequence[str] = (),
    ) -> Choice:
        """The same choice with branches in another form.

        Args:
          form: gives a branch that form.
          operands: what they are called with then; None if that is the same.
          names: what the user calls the results then, if they are others.
        """
        first, second = self.branches
        return replace(
            self,
            branches=(form(first), form(second)),
            operands=self.operands if operands is None else operands,
            names=names or self.called(),
        )


def stage_once(choice: Choice) -> Any:
    """Traces both branches, each from the same state of all memory, and joins what they return."""
    outer, given = graph_now(), choice.operands
    operands = nest.map_leaves(own_arrays, given)
    inputs = [as_value(x) for x in choice.inputs]
    given_paths = _paths(choice)
    check_views(operands, (), choice.bases)
    _check_places_known(choice, given_paths)
    views = views_of(choice.bases, operands)
    graphs = [Graph(role, outer, given=views) for role in choice.roles]
    _learn(choice, inputs, *graphs)
    traced: list[Branch] = []
    for graph, branch in zip(graphs, choice.branches, strict=True):
        with recalling(choice.recalled.inside(graph.name)):
            traced.append(trace_branch(branch, operands, given, graph, choice.names, given_paths))
    true, false = traced
    written = true.written | false.written
    check_views(operands, written, choice.bases, choice.left | kept_arrays(true, false))
    if choice.check is not None:
        choice.check(true, false)
    if true.diverges and false.diverges:
        _add_node(choice, inputs, (true, false), {}, [])
        raise Diverged
    _learn(choice, inputs, *(outer if way.diverges else None for way in (false, true)))
    true, false = _in_one_form(choice, true, false, operands)
    names = choice.called()
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
        _are_two(true, false),
    )
    leaves = [
        result(join, outputs.get(i), memory)
        for i, (join, memory) in enumerate(zip(joins, memories, strict=True))
    ]
    results = _put_back(given, nest.unflatten(true.structure, leaves), names, (true, false), outer)
    if choice.op is COND and not true.diverges and not false.diverges:
        note_chosen(results, inputs[0], true, false, choice.bases)
    return results


def _are_two(true: Branch, false: Branch) -> AreTwo:
    """Whether two of the results, by number, surely share no memory, whichever way is taken."""
    ways = [two_after(way) for way in (true, false) if not way.diverges]
    return lambda i, j: all(are_two(i, j) for are_two in ways)


def _check_places_known(choice: Choice, paths: Sequence[str]) -> None:
    """Both branches are given at once what either was found to change before.

    Args:
      choice: the choice.
      paths: what the user calls the leaves of the operands.

    Raises:
      Reaches: they have not been given it.
    """
    outer = graph_now()
    known = [choice.recalled.inside(role) for role in choice.roles]
    if is_recursive() or not are_places_known(choice.branches[1], outer, known[1]):
        return  # those of the first one alone are known where it begins
    leaves = nest.flatten(choice.operands)[0]
    named = list(zip(paths or [''] * len(leaves), leaves, strict=True))
    found: dict[Any, Holder] = {}
    for recalled, branch in zip(known, choice.branches, strict=True):
        held = list(walk(('', branch), *named))
        for place in known_places(branch, outer, held, recalled):
            found.setdefault(place.identity, place)
    given = {name.strip('<>') for name in choice.names}
    if any(place.name not in given for place in found.values()):
        raise Reaches(list(found.values()), len(blocks_around()))


def _learn(
    choice: Choice, inputs: Sequence[Value], true: Graph | None, false: Graph | None
) -> None:
    """Notes in the graphs that run only where the condition is true, or false, that it is."""
    for graph, is_true in ((true, True), (false, False)):
        if choice.op is COND and graph is not None:
            learn(graph, inputs[0], is_true)


def _in_one_form(
    choice: Choice, true: Branch, false: Branch, operands: tuple[Any, ...]
) -> tuple[Branch, Branch]:
    """The branches with what they give in one form.

    Raises:
      StagingError: it has none.
    """
    if true.diverges:
        true = like_the_other(true, false)
    if false.diverges:
        false = like_the_other(false, true)
    if not true.diverges and not false.diverges:
        meet(true.gave, false.gave)
    check_picks(graph_now(), *(way.back() for way in (true, false) if not way.diverges))
    if not true.diverges and not false.diverges:
        check_opens(true.gave, false.gave)
    for branch in (true, false):
        if not branch.diverges:
            check_chosen(operands, branch.passed)
            check_staged_within(operands, branch.passed)
    if true.structure != false.structure:
        for branch in (true, false):
            if not branch.diverges and can_change(operands, branch.passed):
                raise changed(branch.passed)
        true, false = both_alike(true, false)
    if true.structure != false.structure:
        raise structure_error(true.structure, false.structure, choice.names, _ways(choice))
    true, false = with_chosen_alike(true, false)
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
    modified = check_aliases(given, branches[0].modified | branches[1].modified, names)
    ways_back = [way.back() for way in branches if not way.diverges]
    start = checkpoint()
    results = kept_each(results, names, *ways_back)
    move(modified, results)
    rewatch(outer, start)
    watch_opened_each(results, names, *ways_back)
    for way in branches:
        if way.as_it_was is not None:
            watch_still(way.graph, way.as_it_was, way.gave, results)
            watch_apart(way.back(), results)
    return results


def _ways(choice: Choice) -> Ways:
    """How messages call the two branches."""
    if choice.op is not COND:
        return f'after `{choice.roles[0]}`', f'after `{choice.roles[1]}`'
    return ways_at(user_location(), choice.inputs[0].held)


def _paths(choice: Choice) -> Sequence[str]:
    """What the user calls the leaves of the operands, as far as that is known."""
    names = choice.given()
    return leaf_names(nest.flatten(choice.operands)[1].children, names) if names else ()
