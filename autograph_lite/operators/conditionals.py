"""`cond`: one of two ways, chosen by a Python value now or by a tensor when the graph runs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import Location, OwnershipError, user_location
from ..graph import nest
from ..graph.graph import Attrs, Graph, Op
from ..graph.tensor import IndexedByTensorError, Storage, Tensor
from ..graph.tracing import (
    as_value,
    checkpoint,
    emit_one,
    is_tracing,
    mark_written,
    tracing_into,
    undo,
    undo_writes,
)
from ..ops.control_flow import COND, NOT
from .aliases import OneForAll, check_aliases
from .effects import Diverged, raises_when_run
from .holders import Holder, put_into
from .identity import Way, kept_each, origins
from .is_none import is_none
from .leaves import (
    Leaf,
    Ways,
    inner_operands,
    join_leaves,
    leaf_names,
    leaf_of,
    outer_memories,
    own_arrays,
    own_operands,
    result,
    structure_error,
    value_of,
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
    run_block,
    staging,
    truth,
)
from .unbound import NotYetError
from .watched import check_watched, rewatch

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

    Raises:
      StagingError: `pred` has more than one element, or the branches' results do not join.
    """
    pred = condition(pred)
    if isinstance(pred, Tensor) and pred.type.maybe:
        value = pred
        pred = cond(is_none(value), lambda: False, lambda: emit_one(NOT, [emit_one(NOT, [value])]))
    if not isinstance(pred, Tensor) or not is_tracing():
        chosen = if_true if pred else if_false
        return run_block(chosen, own_operands(operands), names)
    choice = Choice(COND, (truth(pred),), ('true', 'false'))
    return stage(choice, (if_true, if_false), operands, names)


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
    """

    op: Op
    inputs: tuple[Tensor, ...]
    roles: tuple[str, str]
    attrs: Attrs = field(default_factory=dict)
    check: Callable[[Branch, Branch], None] | None = None


def stage(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Makes the choice a node; lists among the operands that a branch changes become staged."""
    start = checkpoint()
    try:
        return _stage_each(choice, branches, operands, names)
    except OwnershipError:
        undo(start)
        one = OneForAll(operands)
        if not one.helps:
            raise
        names = names or _branch_names(branches, operands)
        passed = (one.function(branches[0]), one.function(branches[1]))
        return stage(choice, passed, one.once(operands), names)


def _stage_each(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    start = checkpoint()
    try:
        with staging('the branches'):
            return _stage_once(choice, branches, operands, names)
    except Restage as restage:
        undo(start)
        restaged = restage.operands(operands)
        with staged_lists(operands, restaged):
            return stage(choice, branches, restaged, names)
    except Reaches as reaches:
        undo(start)
        return _stage_with(reaches.places, choice, branches, operands, names)


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
        def run(*given: Any) -> Any:
            returned, after = with_places(places, branch, given)
            return (*(returned if size > 1 else (returned,)), *after)

        return run

    start = checkpoint()
    more = [place.name for place in places]
    held = [place.read() for place in places]
    passed = (passing(branches[0]), passing(branches[1]))
    results = stage(choice, passed, (*operands, *held), [*(names or ['the result']), *more])
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
    true = _trace(choice.roles[0], branches[0], operands, outer, names)
    false = _trace(choice.roles[1], branches[1], operands, outer, names)
    if choice.check is not None:
        choice.check(true, false)
    graphs = dict(zip(choice.roles, (true.graph, false.graph), strict=True))
    if true.diverges and false.diverges:
        add_node(choice.op, inputs, {**choice.attrs, 'types': []}, graphs, [])
        raise Diverged
    if true.diverges:
        true = replace(true, leaves=_missing(false), structure=false.structure)
    if false.diverges:
        false = replace(false, leaves=_missing(true), structure=true.structure)
    if true.structure != false.structure:
        for branch in (true, false):
            if not branch.diverges and can_change(operands, branch.passed):
                raise changed(branch.passed)
        true, false = _alike(true, false), _alike(false, true)
    if true.structure != false.structure:
        raise structure_error(true.structure, false.structure, names, _ways(choice))
    ways = _ways(choice)
    names = names or _branch_names(branches, operands)
    parts = true.structure.children if len(names) > 1 else (true.structure,)
    if len(parts) != len(names):
        parts, names = (true.structure,), ['the result']
    paths = leaf_names(parts, names)
    joins = [
        join_leaves(path, a, b, ways)
        for path, a, b in zip(paths, true.leaves, false.leaves, strict=True)
    ]
    kept_types = {i: join.type for i, join in enumerate(joins) if join.type is not None}
    for branch in (true, false):
        branch.graph.outputs = [
            value_of(branch.leaves[i], type_, branch.graph) for i, type_ in kept_types.items()
        ]
    node = add_node(
        choice.op,
        inputs,
        {**choice.attrs, 'types': list(kept_types.values())},
        graphs,
        [identifier(paths[i].removeprefix('the ')) for i in kept_types],
    )
    written = true.written | false.written
    mark_written(written)
    memories = outer_memories(
        [a.memory + b.memory for a, b in zip(true.leaves, false.leaves, strict=True)],
        outer,
        written.keys(),
    )
    outputs = dict(zip(kept_types, node.outputs, strict=True))
    results = nest.unflatten(
        true.structure,
        [
            result(join, outputs.get(i), memory)
            for i, (join, memory) in enumerate(zip(joins, memories, strict=True))
        ],
    )
    check_aliases(given, true.modified | false.modified)
    ways_back = [way.back(given) for way in (true, false) if not way.diverges]
    results = kept_each(results, names, *ways_back)
    move(given, true.modified | false.modified, results)
    return results


def _ways(choice: Choice) -> Ways:
    """How messages call the two branches: by the user's condition."""
    if choice.op is not COND:
        return f'after `{choice.roles[0]}`', f'after `{choice.roles[1]}`'
    here = user_location()
    if here is None:
        return 'where the condition is true', 'where it is false'
    text = here.text[here.column : here.end_column].strip() or here.text.strip()
    for keyword in ('if ', 'elif ', 'while '):
        text = text.removeprefix(keyword)
    where = f'where `{text.rstrip(":")}` (line {here.line})'
    return f'{where} is true', f'{where} is false'


def _branch_names(branches: Sequence[Callable[..., Any]], operands: Sequence[Any]) -> Sequence[str]:
    """A branch that changes nothing gives back the operands, which the other one names."""
    if unchanged not in branches:
        return ()
    other = branches[0] if branches[1] is unchanged else branches[1]
    return parameter_names(other, 0, len(operands))


@dataclass(frozen=True)
class Branch:
    """A traced branch: its graph, what it returned, and the memory that it wrote."""

    graph: Graph
    leaves: list[Leaf]
    structure: nest.Structure
    written: dict[Storage, Location | None]
    modified: set[int] = field(default_factory=set)
    held: nest.Contents = field(default_factory=list)
    passed: Any = None
    gave: Any = None
    reached: Reachable | None = None
    diverges: bool = False

    def back(self, given: Any) -> Way:
        """What it did to what was given."""
        modified = {id(self.held[i][0]) for i in self.modified}
        assert self.reached is not None
        return Way(self.gave, origins(self.passed, given), modified, self.reached.holders)

    def returned(self) -> Any:
        """What it returned, with handles of its own."""
        return nest.unflatten(self.structure, [leaf.held() for leaf in self.leaves])


def _alike(branch: Branch, other: Branch) -> Branch:
    """The branch with what it gives in the form that the other one gives it, where that can be."""
    with tracing_into(branch.graph):
        returned = change(branch.returned(), other.returned())
        leaves, structure = nest.flatten(returned)
        leaves = [leaf_of(x, branch.graph) for x in leaves]
    return replace(branch, leaves=leaves, structure=structure)


def _missing(other: Branch) -> list[Leaf]:
    """The results of a branch that never gives any: whatever the other one does."""
    return [replace(leaf, unreachable=True) for leaf in other.leaves]


def _trace(
    role: str,
    branch: Callable[..., Any],
    operands: tuple[Any, ...],
    outer: Graph,
    names: Sequence[str],
) -> Branch:
    """Traces one branch and takes back what it wrote, so that the other starts where it did."""
    start = checkpoint()
    graph = Graph(role, outer)
    with tracing_into(graph):
        mine = inner_operands(operands, graph)
        held = nest.contents(mine)
        others = nest.flatten(mine)[0]
        with Reachable(branch, *others, names=names, graph=graph) as reached:
            try:
                gave = branch(*mine)
            except IndexedByTensorError as error:
                raise indexed(error, operands) from None
            except NotYetError:
                reached.restore()
                return Branch(graph, [], nest.LEAF, undo_writes(start), diverges=True)
            except Exception as error:
                raises_when_run(error, graph)
                reached.restore()
                return Branch(graph, [], nest.LEAF, undo_writes(start), diverges=True)
            leaves, structure = nest.flatten(gave)
            leaves = [leaf_of(x, graph) for x in leaves]
            check_watched(graph)
            reached.check()
    written, lists = undo_writes(start), set(modified(held))
    return Branch(graph, leaves, structure, written, lists, held, mine, gave, reached)
