"""`cond`: one of two ways, chosen by a Python value now or by a tensor when the graph runs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..errors import user_location
from ..graph.graph import Attrs, Graph, Op, Value
from ..graph.tensor import Memory, Tensor
from ..graph.tracing import as_value, checkpoint, emit_one, is_tracing, tracing_into, undo
from ..ops.control_flow import COND, NOT
from .blocks import Way, exists_on_one_side, put_back, trace_way, watch_again
from .effects import Diverged
from .is_none import is_none
from .joining import (
    Builder,
    FormsDiffer,
    Given,
    Join,
    Typed,
    alone,
    build,
    given,
    join,
    typed_in,
)
from .leaves import Leaf, Ways, as_operand, enclosing, join_leaves, outer_memories, value_of
from .restaging import Restage, can_change, change
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
from .state import ABSENT, Change, Snapshot

_Branches = tuple[Callable[..., Any], Callable[..., Any]]
# How often a choice is traced again because lists turned out to be changed by it.
_MAX_ROUNDS = 64


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
        return run_block(chosen, operands, names)
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
    """

    op: Op
    inputs: tuple[Tensor, ...]
    roles: tuple[str, str]
    attrs: Attrs = field(default_factory=dict)


def stage(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Makes the choice a node of the graph."""
    start = checkpoint()
    for _ in range(_MAX_ROUNDS):
        operands = tuple(map(as_operand, operands))
        try:
            with staging('the branches'):
                return _stage_once(choice, branches, operands, names)
        except Restage as restage:
            undo(start)
            restage.prepare()
            start = checkpoint()
    raise AssertionError('the branches change ever more lists')


def _stage_once(
    choice: Choice,
    branches: _Branches,
    operands: tuple[Any, ...],
    names: Sequence[str],
) -> Any:
    """Traces both branches, each from the same state, and joins what they give."""
    outer = graph_now()
    inputs = [as_value(x) for x in choice.inputs]
    names = names or _branch_names(branches, operands)
    roots = [*zip(names, operands, strict=False), *(('', x) for x in operands[len(names) :])]
    snapshot = Snapshot(*(('', branch) for branch in branches), *roots)
    ways = [
        trace_way(Graph(role, outer), outer, snapshot, partial(branch, *operands),
                  partial(_split, size=len(names)))
        for role, branch in zip(choice.roles, branches, strict=True)
    ]
    graphs = {role: way.graph for role, way in zip(choice.roles, ways, strict=True)}
    if all(way.raises for way in ways):
        add_node(choice.op, inputs, {**choice.attrs, 'types': []}, graphs, [])
        raise Diverged
    joins = _Joins(ways, snapshot, outer, names, _ways(choice))
    typed = joins.typed
    for i, way in enumerate(ways):
        way.graph.outputs = [
            value_of(each.ways[i], each.join.type, way.graph) for each in typed if each.join.type
        ]
    attrs = {**choice.attrs, 'types': [each.join.type for each in typed]}
    labels = [identifier(each.name.removeprefix('the ')) for each in typed]
    node = add_node(choice.op, inputs, attrs, graphs, labels)
    results = joins.put(node.outputs)
    watch_again(outer, ways)
    return results


class _Joins:
    """What two branches give, joined: results, places, arrays.

    Args:
      ways: the branches.
      snapshot: what they can reach.
      outer: the graph around them.
      names: how the user's code writes the results.
      words: how messages call the ways.
    """

    def __init__(
        self, ways: list[Way], snapshot: Snapshot, outer: Graph, names: Sequence[str], words: Ways
    ) -> None:
        self._ways, self._snapshot, self._words = ways, snapshot, words
        self._outer = outer
        self._around = set(enclosing(outer))
        true, false = ways
        size = max(len(way.returned or ()) for way in ways)
        labels = list(names) if len(names) == size else ['the result'] * size
        nothing = [None] * size
        self._results = [
            self._join(label, a, b) for label, a, b in
            zip(labels, true.returned or nothing, false.returned or nothing, strict=True)
        ]
        self._is_single = len(labels) == 1 and not (len(names) > 1)
        self._changes = {**_changes_of(false), **_changes_of(true)}
        self._places = [
            self._join(change.place.name, *(self._held(way, key, change) for way in ways))
            for key, change in self._changes.items()
        ]
        self._arrays = {
            key: (array, _joined_array(array, [self._array(way, array) for way in ways], words))
            for key, (array, _) in {**false.arrays, **true.arrays}.items()
        }

    @property
    def typed(self) -> list[Typed]:
        """The values of the graph, in order."""
        return [*typed_in(self._results), *typed_in(self._places),
                *(each for _, each in self._arrays.values())]

    def put(self, outputs: Sequence[Value]) -> Any:
        """Gives places and arrays what the node gives for them; the results."""
        written = self._ways[0].written | self._ways[1].written
        typed = self.typed
        memories = outer_memories(
            [each.ways[0].memory + each.ways[1].memory for each in typed],
            self._outer, written.keys())
        by_join: dict[Typed, tuple[Value, Memory]] = {
            each: (output, memory)
            for each, output, memory in zip(typed, outputs, memories, strict=True)
        }
        put_back(((array, by_join[each][0]) for array, each in self._arrays.values()), written,
                 self._ways)
        builder = Builder(by_join, self._is_older)
        for known, each in zip(self._changes.values(), self._places, strict=True):
            known.place.put(builder.build(each))
        results = [builder.build(each) for each in self._results]
        return results[0] if self._is_single else tuple(results) or None

    def _is_older(self, x: Any) -> bool:
        if isinstance(x, Tensor):
            return x.graph in self._around
        return self._snapshot.holds(x)

    def _held(self, way: Way, key: Any, change: Change) -> Given | None:
        """What a place holds at the end of a way."""
        if way.raises:
            return None
        if key in way.places:
            return way.places[key][1]
        if change.before is ABSENT:
            raise exists_on_one_side(change.place)
        with tracing_into(way.graph):
            return given(change.before, way.graph)

    def _array(self, way: Way, array: Tensor) -> Leaf | None:
        if way.raises:
            return None
        if id(array) in way.arrays:
            return way.arrays[id(array)][1]
        value = way.graph.local(array.read())
        return Leaf(value.type, value=value, memory=array.memory)

    def _join(self, name: str, a: Given | None, b: Given | None) -> Join:
        if a is None or b is None:
            known = b if a is None else a
            assert known is not None
            each = alone(name, known, self._is_older)
            if a is None:
                _swap(each)
            return each
        try:
            return join(name, a, b, self._words)
        except FormsDiffer as error:
            a, b = self._alike(a, b, 0), self._alike(b, a, 1)
            try:
                return join(name, a, b, self._words)
            except FormsDiffer:
                raise error.error(self._words) from None

    def _alike(self, a: Given, b: Given, i: int) -> Given:
        """What one way gives in the form that the other one gives it, where that can be."""
        one, other = _held_again(a), _held_again(b)
        if not can_change(one, other):
            return a
        graph = self._ways[i].graph
        with tracing_into(graph):
            return replace(given(change(one, other), graph), value=a.value)


def _split(returned: Any, size: int) -> Sequence[Any]:
    """What a branch returned, as one value a name."""
    if size > 1 and isinstance(returned, tuple) and len(returned) == size:
        return returned
    return (returned,)


def _changes_of(way: Way) -> dict[Any, Change]:
    return {key: change for key, (change, _) in way.places.items()}


def _joined_array(array: Tensor, leaves: list[Leaf | None], words: Ways) -> Typed:
    a, b = leaves
    known = a or b
    assert known is not None
    gone = replace(known, unreachable=True)
    one, other = a or gone, b or gone
    return Typed(array.name, join_leaves(array.name, one, other, words), (one, other),
                 (array, array))


def _swap(each: Join) -> None:
    """Lets the second way be the one that gives a value."""
    for typed in typed_in([each]):
        typed.ways = typed.ways[::-1]


def _held_again(a: Given) -> Any:
    """What a way gave, with handles of its own: what it wrote since was taken back."""
    if a.form is None:
        return a.leaf.held() if a.leaf is not None and a.leaf.value is not None else a.value
    return build(a.form, [_held_again(part) for part in a.parts])


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


