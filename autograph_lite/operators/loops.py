"""`while_loop` and `for_loop`: Python's own loops for Python values, staged for tensors.

A staged loop's state is typed by a fixed point: the body is traced with the types that the state
has before the loop, what it returns is joined with them, and it is traced again until they hold.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import CodeType
from typing import Any

from ..asking import get_attribute
from ..errors import Location, OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.tensor import IndexedByTensorError, Storage, Tensor, modified_elsewhere
from ..graph.tracing import (
    as_value,
    checkpoint,
    is_tracing,
    mark_written,
    tracing_into,
    undo,
    undo_writes,
)
from ..graph.types import TensorType
from ..ops.control_flow import FOR_LOOP, WHILE_LOOP
from .conditionals import cond, unchanged
from .effects import raises_when_run
from .iterables import Staged, as_range, staged
from .leaves import (
    Join,
    Leaf,
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
from .lists import handle, raw_value
from .moved import move, move_staged
from .outside import modified
from .reachable import Reachable
from .restaging import Restage, can_change, change, changed, indexed
from .staging import (
    add_node,
    condition,
    graph_now,
    identifier,
    parameter_names,
    run_block,
    staging,
    stored_names,
    truth,
)
from .unbound import Unbound
from .unconverted import record_iteration

# A Python range is staged where its body allows if it has more turns than this, or more than
# these few and the unrolled program would come from more than so many instructions.
UNROLLED_TURNS = 128
_FEW_TURNS = 16
_MOST_INSTRUCTIONS = 1024

_WAYS = ('before the loop', 'after a turn of it')
_MAX_ROUNDS = 32

Test = Callable[..., Any]
Body = Callable[..., Any]


def while_loop(test: Test, body: Body, *state: Any, names: Sequence[str] = ()) -> Any:
    """`while test(*state): state = body(*state)`; the last state, as `unchanged` gives it.

    Args:
      test: takes the state; a tensor with one element makes a node of the graph.
      body: takes the state and returns it: one value itself, several as a tuple, none as None.
      *state: nests of tensors and Python values.
      names: what the user calls the state, for messages and for the graph.

    Raises:
      StagingError: the state has no types that hold for every turn.
    """
    if not is_tracing():
        return _python_loop(None, test, body, state)
    state = own_operands(state)
    first, start, reached = state, checkpoint(), Reachable(body, test, [*state])
    contents = nest.contents(state)
    for turn in count():
        if turn > 1:
            start, contents = checkpoint(), []
            reached = Reachable(test, [*state])
        going_on = condition(test(*state))
        if isinstance(going_on, Tensor):
            # The first turn's flags may be Python values and a later turn's tensors: such a loop
            # is staged as a whole.
            undo(start)
            reached.restore()
            nest.restore(contents)
            return _stage(None, test, body, first if turn <= 1 else state, names)
        if not going_on:
            return unchanged(*state)
        state = _state(body(*state), len(state))
    raise AssertionError('unreachable')


def for_loop(
    iterable: Iterable[Any],
    body: Body,
    *state: Any,
    test: Test | None = None,
    names: Sequence[str] = (),
    items: Sequence[str] = (),
) -> Any:
    """`for item in iterable: state = body(item, *state)`; the last state, as `unchanged` gives it.

    Args:
      iterable: a Python iterable; or an array tensor, or `ag.range`, `ag.enumerate`, `ag.zip`,
        `ag.reversed` of tensors, which make a node of the graph.
      body: takes an item and the state, and returns the state as in `while_loop`.
      *state: nests of tensors and Python values.
      test: takes the state; asked before each turn, the loop ends when it is false.
      names: what the user calls the state.
      items: what the user calls the parts of an item.

    Raises:
      StagingError: the state has no types that hold for every turn.
    """
    if not is_tracing():
        return _python_loop(iterable, test, body, state)
    rows = staged(iterable)
    if rows is not None and rows.length() == 0:
        return _unroll((), test, body, own_operands(state), names)
    if rows is not None:
        return _stage(rows, test, body, state, names, items)
    if isinstance(iterable, range) and (
        _is_long(len(iterable), body) or _ends_by_tensor(iterable, test, body, state)
    ):
        start = checkpoint()
        reached = Reachable(body, [*state])
        try:
            return _stage(as_range(iterable), test, body, state, names, items)
        except (StagingError, OwnershipError):
            undo(start)
            reached.restore()
    record_iteration(iterable)
    return _unroll(iterable, test, body, own_operands(state), names)


def _is_long(turns: int, body: Body) -> bool:
    """Whether the loop unrolled would make a program that is long to make and to read."""
    code = get_attribute(body, '__code__')
    if turns > UNROLLED_TURNS or turns <= _FEW_TURNS or code is None:
        return turns > UNROLLED_TURNS
    return turns * _instructions(code) > _MOST_INSTRUCTIONS


def _instructions(code: CodeType) -> int:
    """About how many instructions a function has, with those of the functions in it."""
    inner = (_instructions(part) for part in code.co_consts if isinstance(part, CodeType))
    return len(code.co_code) // 2 + sum(inner)


def _ends_by_tensor(
    numbers: range, test: Test | None, body: Body, state: tuple[Any, ...]
) -> bool:
    """Whether after its first turn only the running graph knows if the loop goes on."""
    if test is None or len(numbers) < 2 or test(*state) is False:
        return False
    start = checkpoint()
    reached = Reachable(body, [*state])
    after = _state(body(numbers[0], *state), len(state))
    ends = isinstance(test(*after), Tensor)
    undo(start)
    reached.restore()
    return ends


def _state(returned: Any, size: int) -> tuple[Any, ...]:
    """What a loop body returned, as one value a state variable."""
    if size == 1:
        return (returned,)
    return tuple(returned) if size else ()


def _python_loop(
    iterable: Iterable[Any] | None, test: Test | None, body: Body, state: tuple[Any, ...]
) -> Any:
    """The loop in plain Python."""
    size = len(state)
    if iterable is None:
        assert test is not None
        while test(*state):
            state = _state(body(*state), size)
        return unchanged(*state)
    items = iter(iterable)
    while test is None or test(*state):
        try:
            item = next(items)
        except StopIteration:
            break
        state = _state(body(item, *state), size)
    return unchanged(*state)


def _unroll(
    iterable: Iterable[Any], test: Test | None, body: Body, state: tuple[Any, ...], names: Any
) -> Any:
    """A Python loop while tracing; turns after a break that depends on a tensor are conditional."""
    size = len(state)
    for item in iterable:
        going_on = True if test is None else condition(test(*state))
        if isinstance(going_on, Tensor):
            turn = _turn(body, item)
            state = _state(cond(going_on, turn, unchanged, *state, names=names), size)
        elif going_on:
            state = _state(run_block(body, (item, *state), names), size)
        else:
            break
    return unchanged(*state)


def _turn(body: Body, item: Any) -> Body:
    return lambda *state: body(item, *state)


@dataclass
class _Slot:
    """One leaf of the loop's state: what it was before, what holds at every turn, its handle."""

    name: str
    before: Leaf
    join: Join
    handle: Tensor | None = None

    @property
    def type(self) -> TensorType | None:
        return self.join.type

    def as_leaf(self) -> Leaf:
        """The state at the start of a turn, as a way to join with."""
        if self.type is None or self.handle is None:
            return Leaf(None, self.join.static, unbound=self.before.unbound)
        return Leaf(self.type, value=self.handle.read(), unbound=self.join.unbound)

    @property
    def memory(self) -> set[Storage]:
        """The memory that it names at the start of a turn."""
        return set() if self.handle is None else set(self.handle.memory)


@dataclass(frozen=True)
class _Turn:
    """One traced turn: the body's graph, what it returned, and the memory that it wrote."""

    graph: Graph
    leaves: list[Leaf]
    written: dict[Storage, Location | None]
    modified: set[int]


def _stage(
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
        with staging('the loop'):
            return _stage_once(rows, test, body, state, names, items)
    except Restage as restage:
        undo(start)
        restaged = restage.operands(state)
        results = _stage(rows, test, body, restaged, names, items)
        move_staged(state, restaged)
        return results


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
    names = names or parameter_names(body, 0 if rows is None else 1, len(state))
    names = names or stored_names(len(state)) or [f'state {i}' for i in range(len(state))]
    paths = leaf_names(structure.children, names)
    befores = [leaf_of(x, outer) for x in leaves]
    slots = [_slot(path, before) for path, before in zip(paths, befores, strict=True)]
    for _ in range(_MAX_ROUNDS):
        turn = _trace_turn(rows, body, structure, slots, names, items, outer)
        if not _settle(slots, turn.leaves):
            break
    else:
        raise StagingError(describe('The types of the loop state do not settle.', user_location()))
    kept = [i for i, slot in enumerate(slots) if slot.type is not None]
    turn.graph.outputs = [
        value_of(turn.leaves[i], slots[i].type, turn.graph)  # type: ignore[arg-type]
        for i in kept
    ]
    graphs = {'body': turn.graph}
    if test is not None:
        graphs['test'] = _trace_test(test, structure, slots, outer)
    node = _add_node(rows, graphs, [slots[i] for i in kept], outer)
    _check_reads(turn, graphs)
    written = turn.written | _check_state(turn, slots)
    mark_written(written)
    move(given, turn.modified)
    memories = outer_memories(
        [slot.before.memory + turn.leaves[i].memory for i, slot in enumerate(slots)],
        outer,
        written.keys(),
    )
    outputs = dict(zip(kept, node.outputs, strict=True))
    results = [
        result(slot.join, outputs.get(i), memory)
        for i, (slot, memory) in enumerate(zip(slots, memories, strict=True))
    ]
    return unchanged(*nest.unflatten(structure, results))


def _slot(name: str, before: Leaf) -> _Slot:
    if before.type is None:
        return _Slot(name, before, Join(None, before.static))
    return _Slot(name, before, Join(before.type, unbound=before.unbound))


def _settle(slots: list[_Slot], returned: list[Leaf]) -> bool:
    """Joins the state with what a turn made of it; whether that changed a type."""
    changed = False
    for slot, leaf in zip(slots, returned, strict=True):
        join = join_leaves(slot.name, slot.as_leaf(), leaf, _WAYS)
        if join.unbound is not None:
            # Only the running loop knows whether it made a turn.
            join = replace(join, unbound=Unbound(join.unbound.name))
        changed |= join.type != slot.type
        slot.join = join
    return changed


def _trace_turn(
    rows: Staged | None,
    body: Body,
    structure: nest.Structure,
    slots: list[_Slot],
    names: Sequence[str],
    items: Sequence[str],
    outer: Graph,
) -> _Turn:
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
        item = [rows.item(iter(handles))]
    operands = _operands(graph, structure, slots)
    held = nest.contents(tuple(operands))
    reached = Reachable(body, *nest.flatten(operands)[0])
    with tracing_into(graph):
        try:
            returned = _state(body(*item, *operands), len(structure.children))
        except IndexedByTensorError as error:
            raise indexed(error, operands) from None
        except Exception as error:
            raises_when_run(error, graph)
            return _Turn(graph, list(map(_as_it_was, slots)), undo_writes(start), set())
        if can_change(returned, tuple(operands)):
            returned = change(returned, tuple(operands))
        leaves, after = nest.flatten(returned)
        if after != structure:
            statics = [slot.join.static if slot.type is None else 0 for slot in slots]
            if can_change(nest.unflatten(structure, statics), returned):
                raise changed(returned)
            raise structure_error(structure, after, names, _WAYS)
        leaves = [leaf_of(x, graph) for x in leaves]
    reached.check()
    return _Turn(graph, leaves, undo_writes(start), set(modified(held)))


def _as_it_was(slot: _Slot) -> Leaf:
    """What stands for the state after a turn that never ends: nobody reads it."""
    if slot.type is None or slot.handle is None:
        return slot.as_leaf()
    return Leaf(slot.type, value=slot.handle.held, unbound=slot.join.unbound)


def _operands(graph: Graph, structure: nest.Structure, slots: list[_Slot]) -> Any:
    """The state as a turn sees it, with a parameter of the graph for each leaf that has a type."""
    leaves: list[Any] = []
    for slot in slots:
        if slot.type is None:
            leaves.append(slot.join.static)
            continue
        param = graph.param(slot.type, identifier(slot.name))
        slot.handle = handle(param, slot.before.memory or None)
        unbound = slot.join.unbound
        leaves.append(slot.handle if unbound is None else unbound.holding(slot.handle))
    return nest.unflatten(structure, leaves)


def _trace_test(
    test: Test, structure: nest.Structure, slots: list[_Slot], outer: Graph
) -> Graph:
    graph = Graph('test', outer)
    operands = _operands(graph, structure, slots)
    reached = Reachable(test, *nest.flatten(operands)[0])
    with tracing_into(graph):
        answer = condition(test(*operands))
        graph.outputs = [as_value(truth(answer) if isinstance(answer, Tensor) else bool(answer))]
    reached.check()
    return graph


def _add_node(
    rows: Staged | None, graphs: dict[str, Graph], kept: list[_Slot], outer: Graph
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


def _check_reads(turn: _Turn, graphs: dict[str, Graph]) -> None:
    """What a turn reads through a name that is not loop state, no turn may modify.

    Raises:
      OwnershipError: it does.
    """
    for graph in graphs.values():
        inside = [g for node in graph.walk() for g in node.graphs.values()]
        for read in (read for g in (graph, *inside) for read in g.reads):
            if read.graph in (turn.graph, graph, *inside):
                continue
            for storage in read.memory:
                if storage in turn.written:
                    raise modified_elsewhere(read, storage)


def _check_state(turn: _Turn, slots: list[_Slot]) -> dict[Storage, Location | None]:
    """State that is modified must not overlap with other state, whatever way the turns move it.

    Returns:
      The memory that later turns write because the state's names trade places.

    Raises:
      OwnershipError: arrays of the state share memory, or trade places with one of the caller's.
    """
    moved: dict[Storage, Location | None] = {}
    if not turn.written:
        return moved
    pairs = [
        (slot, leaf)
        for slot, leaf in zip(slots, turn.leaves, strict=True)
        if slot.join.unbound is None or slot.join.unbound.name
    ]
    state = {storage for slot in slots for storage in slot.memory}
    where = next(iter(turn.written.values()))
    for slot, leaf in pairs:
        outer = {s for s in leaf.memory if s.graph is not turn.graph}
        if outer - slot.memory and (state & turn.written.keys()):
            moved |= dict.fromkeys((*slot.memory, *outer), where)
            if outer - state or any(storage.owner for storage in moved):
                raise _overlap(slot.name)
    touched = turn.written.keys() | moved.keys()
    for i, (slot, leaf) in enumerate(pairs):
        for other, another in pairs[:i]:
            shared = set(leaf.memory) & set(another.memory)
            if shared and touched & (shared | slot.memory | other.memory):
                raise _overlap(slot.name)
    return {storage: at for storage, at in moved.items() if storage.graph is not turn.graph}


def _overlap(name: str) -> OwnershipError:
    return OwnershipError(
        describe(
            f'{name} shares memory with another array, and the loop modifies one of them.',
            user_location(),
            f'Take a copy first: `{name} = {name}.copy()`.',
        )
    )
