"""A loop as a node of the graph.

Its state is found by an optimistic fixed point. At first nothing is state: every variable, place
and array is taken to be what it was before the loop. A turn is traced; what it gives another value,
or writes, becomes state, typed by the join of both; and the turn is traced once more, with
parameters of the graph for the state, until a turn changes no type.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from ..errors import OwnershipError, StagingError, UnboundError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.tensor import Memory, Storage, Tensor, modified_elsewhere
from ..graph.tracing import (
    as_value,
    checkpoint,
    mark_written,
    note_writes,
    tracing_into,
    undo,
    undo_writes,
)
from ..ops.control_flow import FOR_LOOP, WHILE_LOOP
from .blocks import Way, exists_on_one_side, put_back, trace_way, watch_again
from .conditionals import unchanged
from .iterables import Staged
from .joining import Builder, Given, Nested, Same, Typed, build, given, names_of_parts, parts_of
from .leaves import (
    Join,
    Leaf,
    as_operand,
    enclosing,
    join_leaves,
    outer_memories,
    same_static,
    value_of,
)
from .lists import handle, raw_value
from .restaging import Restage, can_change, change
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
from .state import ABSENT, Change, Place, Snapshot
from .unbound import Unbound
from .watched import is_container, modified_one_of_two

Test = Callable[..., Any]
Body = Callable[..., Any]
WAYS = ('before the loop', 'after a turn of it')
_MAX_ROUNDS = 64


def as_state(returned: Any, size: int) -> tuple[Any, ...]:
    """What a loop body returned, as one value a state variable."""
    if size == 1:
        return (returned,)
    return tuple(returned) if size else ()


def stage(
    rows: Staged | None,
    test: Test | None,
    body: Body,
    state: tuple[Any, ...],
    names: Sequence[str],
    items: Sequence[str] = (),
) -> Any:
    """Makes the loop a node of the graph."""
    names = names or parameter_names(body, 0 if rows is None else 1, len(state))
    names = names or stored_names(len(state)) or [f'state {i}' for i in range(len(state))]
    operands = list(state)
    start = checkpoint()
    for _ in range(_MAX_ROUNDS):
        operands = list(map(as_operand, operands))
        loop = _Loop(rows, test, body, operands, names, items)
        try:
            with staging('the loop'):
                return loop.stage()
        except Restage as restage:
            undo(start)
            restage.prepare()
            start = checkpoint()
    raise AssertionError('the loop changes ever more lists')


class _Invariant:
    """A variable, or a part of one, that no turn has changed so far."""

    def __init__(self, name: str, before: Any) -> None:
        self.name = name
        self.before = before
        self.passed = before
        self.reads: list[UnboundError] = []


@dataclass(eq=False)
class _Carried:
    """A value of the loop's state.

    Attributes:
      name: how the user's code writes it.
      before: what it was before the loop.
      join: what holds at every turn.
      leaf: what the last turn gave.
      handle: what the turn is passed.
    """

    name: str
    before: Leaf
    was: Any
    join: Join
    leaf: Leaf | None = None
    gave: Any = None
    handle: Tensor | None = None

    @property
    def start(self) -> Leaf:
        """The value where a turn starts."""
        assert self.handle is not None
        return Leaf(self.join.type, value=self.handle.held, unbound=self.join.unbound)

    @property
    def memory(self) -> set[Storage]:
        """The memory that it names where a turn starts."""
        return set() if self.handle is None else set(self.handle.memory)


@dataclass(eq=False)
class _Parts:
    """A tuple, list, dict or dataclass that a turn makes anew, of the parts of the last one."""

    name: str
    form: tuple[type, tuple[Any, ...], int]
    parts: list[_Slot]
    was: Any
    gave: Any = None
    passed: Any = None
    held: Any = None  # its parts where a turn starts

    @property
    def is_modified(self) -> bool:
        """Whether the turn has changed what it was passed."""
        now = _children(self.passed)
        return len(now) != len(self.held) or any(map(operator.is_not, now, self.held))


_Slot = Any  # _Invariant | _Carried | _Parts


@dataclass(eq=False)
class _PlaceSlot:
    """A place that a turn changes."""

    place: Place
    slot: _Slot
    passed: Any = None


class _Loop:
    """One attempt to stage a loop."""

    def __init__(
        self,
        rows: Staged | None,
        test: Test | None,
        body: Body,
        state: list[Any],
        names: Sequence[str],
        items: Sequence[str],
    ) -> None:
        self._rows, self._test, self._body = rows, test, body
        self._state, self._names, self._items = state, names, items
        self._outer = graph_now()
        self._snapshot = Snapshot(('', body), ('', test), *zip(names, state, strict=True))
        self._slots: list[_Slot] = list(map(_first_slot, names, state))
        self._places: dict[Any, _PlaceSlot] = {}
        self._arrays: dict[int, tuple[Tensor, _Carried]] = {}
        self._dropped: set[int] = set()

    def stage(self) -> Any:
        """Makes the node; what the variables are after the loop."""
        for _ in range(_MAX_ROUNDS):
            way = self._trace_turn()
            self._way = way
            if not self._settle(way):
                break
        else:
            raise StagingError(
                describe('The types of the loop state do not settle.', user_location()))
        for slot in _invariants(self._all()):
            if slot.reads:
                raise slot.reads[0]
        carried = list(_carried(self._all()))
        way.graph.outputs = [
            value_of(each.leaf or each.start, _type(each), way.graph) for each in carried
        ]
        self._check_apart(way)
        graphs = {'body': way.graph}
        if self._test is not None:
            graphs['test'] = self._trace_test(self._test)
        node = self._add_node(graphs, carried)
        self._check_reads(way, graphs.values())
        written = way.written | self._check_overlaps(way, carried)
        results = self._put(carried, node.outputs, written)
        watch_again(self._outer, [way])
        return results

    def _all(self) -> Iterator[_Slot]:
        yield from (slot for _, slot in self._arrays.values())
        yield from self._slots
        yield from (each.slot for each in self._places.values())

    # Tracing.

    def _trace_turn(self) -> Way:
        graph = Graph('body', self._outer)
        item = self._item(graph)
        operands: list[Any] = []

        def enter() -> None:
            operands[:] = self._enter(graph)

        def run() -> Any:
            returned = as_state(self._body(*item, *operands), len(operands))
            return list(map(_in_form_of, returned, operands))

        return trace_way(
            graph, self._outer, self._snapshot, run, tuple, enter, self._changed_places)

    def _changed_places(self) -> list[Change]:
        """What the places of the state hold at the end of a turn."""
        return [
            Change(each.place, each.passed, _in_form_of(each.place.read(), each.passed))
            for each in self._places.values()
        ]

    def _item(self, graph: Graph) -> list[Any]:
        if self._rows is None:
            return []
        parts, names = self._rows.items(), self._items
        if len(names) != len(parts):
            names = ['item'] * len(parts)
        handles = [
            handle(graph.param(type_, name), memory)
            for (type_, memory), name in zip(parts, names, strict=True)
        ]
        with tracing_into(graph):
            return [self._rows.item(iter(handles))]

    def _enter(self, graph: Graph) -> list[Any]:
        """Lets names, places and arrays have the values that they have where a turn starts."""
        for array, slot in self._arrays.values():
            param = graph.param(_type(slot), identifier(slot.name))
            slot.handle = handle(param, array.memory)
            mark_written(dict.fromkeys(array.memory))
            note_writes(array.moved_to(param))
        operands = [self._passed(slot, graph) for slot in self._slots]
        for each in self._places.values():
            each.passed = self._passed(each.slot, graph)
            each.place.put(each.passed)
        return operands

    def _passed(self, slot: _Slot, graph: Graph) -> Any:
        """What a turn is passed for a slot."""
        if isinstance(slot, _Invariant):
            slot.passed = nest.actual(slot.before)
            slot.reads.clear()
            if isinstance(slot.before, Unbound) and slot.before.tensor is None:
                slot.passed = Unbound(slot.before.name, slot.before.why, reads=slot.reads)
            return slot.passed
        if isinstance(slot, _Parts):
            slot.passed = build(slot.form, [self._passed(part, graph) for part in slot.parts])
            slot.held = _children(slot.passed)
            return slot.passed
        param = graph.param(_type(slot), identifier(slot.name))
        slot.handle = handle(param, slot.before.memory or None)
        unbound = slot.join.unbound
        return slot.handle if unbound is None else unbound.holding(slot.handle)

    def _trace_test(self, test: Test) -> Graph:
        graph = Graph('test', self._outer)
        start = checkpoint()
        try:
            with tracing_into(graph):
                operands = self._enter(graph)
                answer = condition(test(*operands))
                answer = truth(answer) if isinstance(answer, Tensor) else bool(answer)
                graph.outputs = [as_value(answer)]
            changed = [c.place for c in self._snapshot.changes()
                       if c.place.identity not in self._places]
        finally:
            undo_writes(start)
            self._snapshot.rollback()
        if changed:
            raise OwnershipError(
                describe(
                    f'The test of a loop changes {changed[0].name}.',
                    user_location(),
                    'Change it in the body of the loop.',
                )
            )
        return graph

    # The fixed point.

    def _settle(self, way: Way) -> bool:
        """Joins the state with what a turn made of it; whether that changed what is state."""
        if way.returned is None:
            return False  # it always raises
        self._changed = False
        self._slots = list(map(self._joined, self._slots, way.returned))
        for key, (change_, now) in way.places.items():
            known = self._places.get(key)
            if known is None:
                if change_.before is ABSENT:
                    raise exists_on_one_side(change_.place)
                slot: _Slot = _Invariant(change_.place.name, change_.before)
                self._places[key] = known = _PlaceSlot(change_.place, slot)
                self._changed = True
            known.slot = self._joined(known.slot, now)
        written = {
            key: found for key, found in way.arrays.items() if not self._is_as_passed(*found)
        }
        for key, (array, leaf) in written.items():
            if key not in self._arrays:
                value = array.read()
                before = Leaf(value.type, value=self._outer.local(value), memory=array.memory)
                carried = _Carried(array.name, before, array, Join(value.type), None, array)
                self._arrays[key] = array, carried
                self._changed = True
            carried = self._arrays[key][1]
            start = carried.before if carried.handle is None else None
            self._join_leaf(carried, leaf, array, start)
        for key in list(self._arrays):
            # It was written by a name of the state only, which stands for other arrays by now.
            if key not in written and key not in self._dropped:
                self._dropped.add(key)
                del self._arrays[key]
                self._changed = True
        return self._changed

    def _is_as_passed(self, array: Tensor, leaf: Leaf) -> bool:
        """Whether an array holds at the end of a turn what it was given at its start."""
        _, carried = self._arrays.get(id(array), (None, None))
        handle = carried.handle if carried is not None else None
        return handle is not None and leaf.value is handle.held

    def _joined(self, slot: _Slot, now: Given) -> _Slot:
        if isinstance(slot, _Invariant):
            return self._varying(slot, now)
        if isinstance(slot, _Parts):
            if slot.form != now.form:
                raise self._form_changed(slot, now)
            slot.gave = now.value
            slot.parts = list(map(self._joined, slot.parts, now.parts))
            return slot
        if now.form is not None:
            raise self._form_changed(slot, now)
        self._join_leaf(slot, now.read(), now.value)
        return slot

    def _varying(self, slot: _Invariant, now: Given) -> _Slot:
        """The slot of something that was invariant so far."""
        if nest.actual(now.value) is slot.passed:
            return slot
        before = given(slot.before, self._outer)
        if before.form != now.form:
            now = self._in_form_of(now, slot.passed)
        if before.form is not None and before.form == now.form:
            self._changed = True
            names = names_of_parts(slot.name, before.form)
            parts = [
                self._varying(_Invariant(name, part.value), gave)
                for name, part, gave in zip(names, before.parts, now.parts, strict=True)
            ]
            return _Parts(slot.name, before.form, parts, slot.before, now.value)
        if before.form is not None or now.form is not None:
            raise self._form_changed(slot, now)
        was, is_ = before.read(), now.read()
        if was.value is None and is_.value is None and same_static(was.static, is_.static):
            return slot
        carried = _Carried(slot.name, was, slot.before, Join(was.type, was.static, was.unbound))
        joined = self._join_leaf(carried, is_, now.value, was)
        if joined.type is None:
            return slot  # without a value before and after
        self._changed = True
        return carried

    def _in_form_of(self, now: Given, passed: Any) -> Given:
        """What a turn gave in the form in which it was passed, where that can be."""
        after = _as_given(now)
        if not can_change(after, passed):
            return now
        with tracing_into(self._way.graph):
            return replace(given(change(after, passed), self._way.graph), value=now.value)

    def _join_leaf(self, slot: _Carried, leaf: Leaf, gave: Any, start: Leaf | None = None) -> Join:
        joined = join_leaves(slot.name, start or slot.start, leaf, WAYS)
        if joined.unbound is not None:
            # Only the running loop knows whether it made a turn.
            joined = replace(joined, unbound=Unbound(joined.unbound.name))
        self._changed |= joined.type != slot.join.type
        slot.join, slot.leaf, slot.gave = joined, leaf, gave
        return joined

    def _form_changed(self, slot: _Slot, now: Given) -> Exception:
        """A turn gives another form: the loop begins once more with that one, if it can."""
        for i, known in enumerate(self._slots):
            if known is slot:
                put = partial(_set, self._state, i)
                return self._again(self._names[i], self._state[i], now, put)
        for each in self._places.values():
            if each.slot is slot:
                place = each.place
                return self._again(place.name, place.read(), now, place.put)
        name = getattr(slot, 'name', 'the state')
        return _differs(name, slot, now)

    def _again(self, name: str, before: Any, now: Given, put: Callable[[Any], None]) -> Exception:
        after = _as_given(now)
        if not can_change(before, after):
            return _differs(name, before, now)

        def prepare() -> None:
            put(change(before, after))

        return Restage(prepare)

    # The node, and what is there after it.

    def _add_node(self, graphs: dict[str, Graph], carried: list[_Carried]) -> Any:
        """The loop's node, with the state before it taken to the types that it settled on."""
        rows, types = self._rows, list(map(_type, carried))
        inputs: list[Value] = []
        attrs: dict[str, Any] = {'types': types, 'state': len(carried)}
        if rows is not None:
            inputs += [raw_value(source) for source in rows.sources()]
            attrs['iterable'] = rows.template(count())
        inputs += [
            value_of(each.before, type_, self._outer)
            for each, type_ in zip(carried, types, strict=True)
        ]
        names = [identifier(each.name) for each in carried]
        return add_node(FOR_LOOP if rows else WHILE_LOOP, inputs, attrs, graphs, names)

    def _put(
        self, carried: list[_Carried], outputs: Sequence[Value], written: dict[Storage, Any]
    ) -> Any:
        memories = outer_memories(
            [each.before.memory + (each.leaf.memory if each.leaf else ()) for each in carried],
            self._outer, written.keys())
        found: dict[Any, tuple[Value, Memory]] = {}
        typed: dict[_Carried, Typed] = {}
        for each, output, memory in zip(carried, outputs, memories, strict=True):
            typed[each] = Typed(each.name, each.join, (each.before, each.leaf or each.before),
                                (each.was, each.gave))
            found[typed[each]] = output, memory
        put_back(((a, found[typed[slot]][0]) for a, slot in self._arrays.values()), written,
                 [self._way])
        around = set(enclosing(self._outer))

        def is_older(x: Any) -> bool:
            return x.graph in around if isinstance(x, Tensor) else self._snapshot.holds(x)

        builder = Builder(found, is_older)
        joined = partial(_as_join, typed=typed)
        for place in self._places.values():
            place.place.put(builder.build(joined(place.slot)))
        return unchanged(*(builder.build(joined(slot)) for slot in self._slots))

    # Who may modify the memory of which.

    def _check_reads(self, way: Way, graphs: Any) -> None:
        """What a turn reads through a name that is not state, no turn may modify.

        Raises:
          OwnershipError: it does.
        """
        for graph in graphs:
            inside = [g for node in graph.walk() for g in node.graphs.values()]
            own = {way.graph, graph, *inside}
            for read in (read for g in (graph, *inside) for read in g.reads):
                if read.graph in own or id(read) in self._arrays or read.place is not None:
                    continue
                for storage in read.memory:
                    if storage in way.written:
                        raise modified_elsewhere(read, storage)

    def _check_apart(self, way: Way) -> None:
        """A turn modifies no list, dict or object that is one with another one from then on.

        Raises:
          OwnershipError: it does: one that was put into a list, or that two names stand for.
        """
        passed = list(_parts_of(self._all()))
        modified = {id(change.place.owner) for change, _ in way.places.values()}
        modified |= set(way.arrays)
        modified |= {id(slot.passed) for slot in passed if slot.is_modified}
        for x, _ in way.graph.watched:
            if id(x) in modified:
                raise modified_one_of_two(x)
        for slot in passed:
            others = {id(other.passed) for other in passed if other is not slot}
            is_another = id(slot.gave) in others or self._snapshot.holds(slot.gave)
            if is_another and id(slot.gave) in modified:
                raise modified_one_of_two(slot.gave)

    def _check_overlaps(self, way: Way, carried: list[_Carried]) -> dict[Storage, Any]:
        """State that is modified must not overlap with other state, however the turns move it.

        Returns:
          The memory that later turns write because the state's names trade places.

        Raises:
          OwnershipError: arrays of the state share memory, or trade places with the caller's.
        """
        moved: dict[Storage, Any] = {}
        if not way.written:
            return moved
        pairs = [
            (each, each.leaf) for each in carried
            if each.leaf and (each.join.unbound is None or each.join.unbound.name)
        ]
        state = {storage for each in carried for storage in each.memory}
        where = next(iter(way.written.values()))
        for each, leaf in pairs:
            outer = {s for s in leaf.memory if s.graph is not way.graph}
            if outer - each.memory and (state & way.written.keys()):
                moved |= dict.fromkeys((*each.memory, *outer), where)
                if outer - state or any(storage.owner for storage in moved):
                    raise _overlaps(each.name)
        touched = way.written.keys() | moved.keys()
        for i, (each, leaf) in enumerate(pairs):
            for other, another in pairs[:i]:
                shared = set(leaf.memory) & set(another.memory)
                if shared and touched & (shared | each.memory | other.memory):
                    raise _overlaps(each.name)
        return {storage: at for storage, at in moved.items() if storage.graph is not way.graph}


def _in_form_of(gave: Any, passed: Any) -> Any:
    """What a turn gave in the form in which it was passed, where that can be."""
    return change(gave, passed) if can_change(gave, passed) else gave


def _first_slot(name: str, value: Any) -> _Slot:
    """The slot of a variable before any turn; the parts of one without a value are told apart."""
    parts = None if isinstance(value, Unbound) else nest.parts(value)
    if parts is None or not any(isinstance(leaf, Unbound) for leaf in nest.flatten(value)[0]):
        return _Invariant(name, value)
    form = type(value), parts[0], len(parts[1])
    slots = list(map(_first_slot, names_of_parts(name, form), parts[1]))
    return _Parts(name, form, slots, value, value)


def _type(slot: _Carried) -> Any:
    assert slot.join.type is not None
    return slot.join.type


def _carried(slots: Any) -> Iterator[_Carried]:
    for slot in slots:
        if isinstance(slot, _Carried):
            yield slot
        elif isinstance(slot, _Parts):
            yield from _carried(slot.parts)


def _parts_of(slots: Any) -> Iterator[_Parts]:
    for slot in slots:
        if isinstance(slot, _Parts):
            if is_container(slot.passed):
                yield slot
            yield from _parts_of(slot.parts)


def _invariants(slots: Any) -> Iterator[_Invariant]:
    for slot in slots:
        if isinstance(slot, _Invariant):
            yield slot
        elif isinstance(slot, _Parts):
            yield from _invariants(slot.parts)


def _as_join(slot: _Slot, typed: dict[_Carried, Typed]) -> Any:
    if isinstance(slot, _Invariant):
        return Same(nest.actual(slot.before))
    if isinstance(slot, _Carried):
        return typed[slot]
    parts = [_as_join(part, typed) for part in slot.parts]
    return Nested(slot.name, slot.form, parts, (slot.was, slot.gave))


def _as_given(now: Given) -> Any:
    """What a turn gave, with handles of its own."""
    if now.form is None:
        return now.leaf.held() if now.leaf is not None and now.leaf.value is not None else now.value
    return build(now.form, list(map(_as_given, now.parts)))


def _children(x: Any) -> list[Any]:
    parts = parts_of(x)
    return parts[1] if parts else []


def _set(values: list[Any], i: int, value: Any) -> None:
    values[i] = value


def _differs(name: str, before: Any, now: Given) -> StagingError:
    form = before.structure if isinstance(before, Given) else nest.flatten(before)[1]
    return StagingError(
        describe(
            f'{name} is {form} {WAYS[0]} and {now.structure} {WAYS[1]} (`*` stands for a value).',
            user_location(),
            'Give it the same structure on both ways.',
        )
    )


def _overlaps(name: str) -> OwnershipError:
    return OwnershipError(
        describe(
            f'{name} shares memory with another array, and the loop modifies one of them.',
            user_location(),
            f'Take a copy first: `{name} = {name}.copy()`.',
        )
    )
