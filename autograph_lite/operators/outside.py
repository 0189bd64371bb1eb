"""What lives outside of a traced function, and outlives a call: the state of the whole function.

Arguments, `self`, captured objects, globals. The same comparison that finds the state of a block
finds what a function changes there (see `state`). After the trace all is rolled back; what changed
becomes an output of the graph, which each call writes to its place.

An array outside is an input of the graph: while tracing, a tensor stands in its place.
"""
from __future__ import annotations

import threading
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe
from ..graph import dispatch, nest
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Storage, Tensor
from ..graph.tracing import constant, current_graph, tracing_into
from ..graph.types import TensorType, array_type, type_of
from ..signatures import Identity
from .lists import Appended
from .staging import identifier
from .state import ABSENT, WHOLE, Change, Place, Root, Snapshot, content


@dataclass(frozen=True)
class OutsidePlace:
    """A place outside, found again at every call.

    Attributes:
      start: gives the object that it is found from; None for the arguments of the call.
      keys: attributes, items and variables that lead on from there to what has the place.
      key: the attribute, item or variable.
      name: how the user's code writes it.
    """

    start: Callable[[], Any] | None
    keys: tuple[Any, ...]
    key: Any
    name: str

    def owner(self, arguments: Sequence[Any] = ()) -> Any:
        """What has the place."""
        owner = arguments if self.start is None else self.start()
        for key in self.keys:
            owner = owner[key] if isinstance(owner, (list, tuple, dict)) else content(owner)[key]
        return owner

    def place(self, arguments: Sequence[Any] = ()) -> Place:
        """The place as it is now."""
        return Place(self.owner(arguments), self.key, self.name)

    def read(self, arguments: Sequence[Any] = ()) -> Any:
        """What is there; `ABSENT` if it does not exist."""
        try:
            place = self.place(arguments)
        except (LookupError, TypeError, AttributeError):
            return ABSENT
        owner = place.owner
        if isinstance(owner, (list, tuple)) and isinstance(self.key, int):
            return owner[self.key] if -len(owner) <= self.key < len(owner) else ABSENT
        return place.read()

    def put(self, value: Any, arguments: Sequence[Any] = ()) -> None:
        """Sets what is there."""
        self.place(arguments).put(value)

    @property
    def identity(self) -> Any:
        """Equal for two that are one place."""
        return self.start and id(self.start()), self.keys, self.key


@dataclass(eq=False)
class Input:
    """A value outside that the graph is given at every call.

    Attributes:
      place: where it is.
      type: what it must be for the trace to serve.
      value: the parameter of the graph.
      tensor: what stands for it while tracing.
      original: what is there while tracing.
    """

    place: OutsidePlace
    type: TensorType
    value: Value
    tensor: Any
    original: Any

    def fits(self, arguments: Sequence[Any] = ()) -> bool:
        """Whether a value of the type is there now."""
        found = self.place.read(arguments)
        return found is not ABSENT and type_of(found) == self.type


@dataclass(eq=False)
class Write:
    """What a call sets outside when it is done.

    Attributes:
      place: where.
      structure: the form of what is set.
      leaves: its parts: values of the graph, and Python values.
      appends: whether the parts are appended to the list that is there.
    """

    place: OutsidePlace
    structure: nest.Structure
    leaves: list[Any]
    appends: bool = False

    def run(self, outputs: Iterator[Any], arguments: Sequence[Any]) -> None:
        """Sets it, with the next outputs."""
        leaves = [next(outputs) if isinstance(x, Value) else x for x in self.leaves]
        value = nest.unflatten(self.structure, leaves)
        if self.appends:
            self.place.owner(arguments).extend(value)
        else:
            self.place.put(value, arguments)


@dataclass(eq=False)
class ArrayWrite:
    """An array of the caller's that a call modifies in place.

    Attributes:
      source: the input, or which of the arrays among the arguments.
      value: what it holds when the call is done.
    """

    source: Input | int
    value: Any


@dataclass(eq=False)
class OutsideState:
    """What a trace reads and changes outside.

    Attributes:
      inputs: what the graph is given beside the arguments.
      arrays: what it modifies in place.
      writes: what it sets.
      numbers: the places of numbers that it changes, which are no inputs yet.
      guards: places whose value before a change the graph depends on, and that value.
      forms: places of tuples that are inputs, and their forms.
      dropped_from: the inputs before those that nothing reads were left out.
    """

    inputs: list[Input]
    arrays: list[ArrayWrite]
    writes: list[Write]
    numbers: list[OutsidePlace]
    dropped_from: list[Input]
    guards: list[tuple[OutsidePlace, Any]] = field(default_factory=list)
    forms: list[tuple[OutsidePlace, nest.Structure]] = field(default_factory=list)

    def values(self) -> list[Any]:
        """The outputs of the graph, in the order in which `settle` takes them."""
        arrays = [write.value for write in self.arrays]
        return [*arrays, *(leaf for write in self.writes for leaf in write.leaves)]

    def kept(self, name: str) -> list[tuple[str, TensorType, Any]]:
        """The inputs by name, type and value, for a copy that lives without what is outside.

        Raises:
          TypeError: the function changes what is outside.
        """
        if self.arrays or self.writes:
            raise TypeError(
                f'{name} changes what lives outside, so it cannot be pickled; return it instead.')
        return [(each.place.name, each.type, each.place.read()) for each in self.inputs]

    @classmethod
    def of_kept(cls, kept: Sequence[tuple[str, TensorType, Any]], graph: Graph) -> OutsideState:
        """The state of such a copy."""
        params = graph.params[len(graph.params) - len(kept) :]
        inputs = []
        for (name, type_, value), param in zip(kept, params, strict=True):
            place = OutsidePlace(partial(_same, {name: value}), (), name, name)
            inputs.append(Input(place, type_, param, None, value))
        return cls(inputs, [], [], [], inputs)

    def drop_unused(self, graph: Graph) -> None:
        """Leaves out inputs that nothing reads."""
        used = {v for node in graph.nodes for v in node.inputs} | set(graph.outputs)
        self.inputs = [each for each in self.inputs if each.value in used]
        own = {each.value for each in self.inputs}
        outside = {each.value for each in self.dropped_from}
        graph.params = [p for p in graph.params if p in own or p not in outside]

    def gather(self, arguments: Sequence[Any]) -> list[Any] | None:
        """The values of the inputs; None if one does not fit."""
        found = [each.place.read(arguments) for each in self.inputs]
        if any(isinstance(value, Tensor) for value in found):
            with tracing_lock:  # another thread traces: tensors stand in their places
                found = [each.place.read(arguments) for each in self.inputs]
        if any(nest.flatten(place.read(arguments))[1] != form for place, form in self.forms):
            return None
        fits = all(type_of(x) == each.type for x, each in zip(found, self.inputs, strict=True))
        return found if fits else None

    def settle(
        self,
        outputs: Iterator[Any],
        arguments: Sequence[Any],
        arrays: Sequence[Any],
        given: Sequence[Any],
    ) -> None:
        """Lets the caller's arrays and the places outside have what a call gave them.

        Args:
          outputs: what the program gave for `values`.
          arguments: one value a parameter.
          arrays: the staged leaves of the arguments.
          given: the inputs.
        """
        inputs = dict(zip(map(id, self.inputs), given, strict=True))
        targets = [
            arrays[each.source] if isinstance(each.source, int) else inputs[id(each.source)]
            for each in self.arrays
        ]
        _check_apart(targets, [*arrays, *given])
        if any(write.place.start is None for write in self.writes):
            _check_given_once(arguments)
        for array in targets:
            new = next(outputs)
            if array is not new:
                array[...] = new
        for write in self.writes:
            write.run(outputs, arguments)


def _check_given_once(arguments: Sequence[Any]) -> None:
    """Raises OwnershipError if a list, dict or object is given twice to what changes it."""
    seen: set[int] = set()
    waiting = list(arguments)
    while waiting:
        x = waiting.pop()
        parts = nest.parts(x)
        if parts is None:
            continue
        if id(x) in seen and not isinstance(x, tuple):
            raise OwnershipError(
                f'A function that changes what it is given is given a {type(x).__name__} twice; '
                'a graph cannot tell that they are one. Give it a copy for one of them.')
        seen.add(id(x))
        waiting += parts[1]


def _same(x: Any) -> Any:
    return x


def _check_apart(modified: Sequence[Any], arrays: Sequence[Any]) -> None:
    """Raises OwnershipError if an array that a call modifies shares memory with another one."""
    for array in modified:
        if sum(other is array for other in arrays) > 1:
            raise OwnershipError(
                'A function modifies an array that it is given twice; a graph cannot tell that '
                'they are one. Give it a copy for one of them.')
        for other in arrays:
            if other is not array and isinstance(other, np.ndarray) and (
                    np.may_share_memory(array, other)):
                raise OwnershipError(
                    'A function modifies an array that shares memory with another one that it is '
                    'given; a graph cannot tell them apart. Give it a copy of one of them.')


tracing_lock = threading.RLock()


class World:
    """What is known to live outside of the function that is traced.

    Args:
      graph: its graph.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.snapshot = Snapshot()
        self.root = Root()
        self.inputs: dict[int, Input] = {}
        self.tensors: dict[int, Input] = {}
        self.made: dict[int, tuple[Any, Tensor]] = {}
        self.prologue: list[Node] = []
        self.used: dict[Any, tuple[OutsidePlace, Any]] = {}
        self.forms: dict[Any, tuple[OutsidePlace, nest.Structure]] = {}
        self.called: dict[int, Callable[..., Any]] = {}

    def locate(self, owner: Any, key: Any, name: str) -> OutsidePlace | None:
        """The place, as it is found again at every call; None if nothing leads to it."""
        found = self.snapshot.locate(owner)
        if found is None:
            return None
        start, keys = found
        if start is self.root:
            return OutsidePlace(None, tuple(keys), key, name)
        return OutsidePlace(_reference(start), tuple(keys), key, name)

    def input(self, place: Place, value: Any) -> Any:
        """The tensor that stands for an array or a number outside; None if it cannot be found."""
        known = self.inputs.get(id(value)) if isinstance(value, np.ndarray) else None
        if known is not None:
            return known.tensor
        located = self.locate(place.owner, place.key, place.name)
        type_ = array_type(value.dtype, value.shape) if isinstance(value, np.ndarray) else (
            type_of(value))
        if located is None or type_ is None:
            return None
        param = self.graph.param(type_, identifier(place.name) or 'outside')
        owner = Storage(self.graph) if value_is_ours(value) else Storage(self.graph, _READ_ONLY)
        tensor = Tensor(param, (owner,))
        key = id(value) if isinstance(value, np.ndarray) else id(tensor)
        self.inputs[key] = self.tensors[id(tensor)] = Input(located, type_, param, tensor, value)
        return tensor

    def lift(self, place: Place, value: Any) -> Any:
        """A number, or a tuple of numbers and arrays, as inputs of the graph."""
        if type_of(value) is not None:
            tensor = self.input(place, value)
            return value if tensor is None else tensor
        if not isinstance(value, tuple) or (located := self._located(place)) is None:
            return value
        self.forms[located.identity] = located, nest.flatten(value)[1]
        parts = [self.lift(Place(value, i, f'{place.name}[{i}]'), x) for i, x in enumerate(value)]
        structure = nest.Structure(type(value), (), (nest.LEAF,) * len(parts))
        return nest.unflatten(structure, parts)

    def _located(self, place: Place) -> OutsidePlace | None:
        return self.locate(place.owner, place.key, place.name)

    def copied(self, array: Any, name: str) -> Tensor:
        """A tensor for an array that Python has made while tracing; each run starts with a copy."""
        known = self.made.get(id(array))
        if known is not None:
            return known[1]
        size = len(self.graph.nodes)
        with tracing_into(self.graph):
            tensor: Tensor = dispatch.METHODS['copy'](constant(array, identifier(name)))
        # They stand before all else, so that no block that is traced again takes them back.
        self.prologue += self.graph.nodes[size:]
        del self.graph.nodes[size:]
        self.made[id(array)] = array, tensor
        return tensor

    def use(self, change: Change) -> Change:
        """A change in a block, where what was there before may stay: the graph depends on it."""
        place, before = change.place, change.before
        if before is ABSENT or place.key is WHOLE or not self.snapshot.holds(place.owner):
            return change
        if isinstance(before, np.ndarray):
            tensor = self.input(place, before)
            return change if tensor is None else replace(change, before=tensor)
        located = None if isinstance(before, Tensor) else self._located(place)
        if located is not None and located.start is not None:
            self.used[located.identity] = located, before
        return change

    def changes(self) -> list[Change]:
        """What the function has changed outside."""
        return [each for each in self.snapshot.changes(is_block=False)
                if not is_stand_in(each.before, each.after)]


def value_is_ours(value: Any) -> bool:
    """Whether the graph may write to an array outside."""
    return not isinstance(value, np.ndarray) or bool(value.flags.writeable)


_READ_ONLY = 'an array outside that is read-only'


def _reference(x: Any) -> Callable[[], Any]:
    """What gives an object again, and does not keep it alive where it can be held weakly."""
    if isinstance(x, (dict, types.CellType, type)):
        return lambda: x
    return Identity(x).value


class _Tracing(threading.local):
    world: World | None = None


_tracing = _Tracing()


@contextmanager
def outside_world(graph: Graph) -> Iterator[World]:
    """Around a trace: what it changes outside is rolled back."""
    outer = _tracing.world
    with tracing_lock:
        _tracing.world = world = World(graph)
        try:
            yield world
        finally:
            _tracing.world = outer
            world.snapshot.rollback(is_block=False)


def is_outside(x: Any) -> bool:
    """Whether it is known to live outside of the traced function."""
    return _tracing.world is not None and _tracing.world.snapshot.holds(x)


def note(*values: Any, name: str = '') -> None:
    """Remembers what the traced function reads from outside, before it changes it."""
    if _tracing.world is not None:
        _tracing.world.snapshot.add(*((name, value) for value in values))


def note_arguments(values: Sequence[Any], names: Sequence[str]) -> None:
    """Remembers what the traced function is given."""
    world = _tracing.world
    if world is not None:
        for i, (name, value) in enumerate(zip(names, values, strict=True)):
            world.snapshot.add((name, value), holder=(world.root, i))


def note_function(f: Any, is_made_here: bool = False) -> None:
    """Remembers what a function reads or sets outside of itself.

    Args:
      f: the function.
      is_made_here: whether the trace has made it: then the variables around it are the trace's.
    """
    world = _tracing.world
    if isinstance(f, types.MethodType):
        f = f.__func__
    if world is None or not isinstance(f, types.FunctionType) or id(f) in world.called:
        return
    world.called[id(f)] = f
    if not is_made_here:
        world.snapshot.add(('', f))


def note_inlined(*functions: Callable[..., Any] | None) -> None:
    """Remembers functions whose own traces became part of this one."""
    if _tracing.world is not None:
        _tracing.world.called.update((id(f), f) for f in functions if f is not None)


def called_functions() -> list[Callable[..., Any]]:
    """The functions of which something was traced so far, in the order of their calls."""
    return [] if _tracing.world is None else list(_tracing.world.called.values())


def stand_in(owner: Any, key: Any, name: str, value: Any) -> Any:
    """Puts the tensor that stands for an array outside in its place; the tensor.

    An array that Python has made while tracing is copied into the graph, once for all its places.
    """
    world = _tracing.world
    if world is None or current_graph() is None:
        return value
    place = Place(owner, key, name)
    is_outside = world.snapshot.holds(owner) or world.snapshot.locate(owner) is not None
    tensor = world.input(place, value) if is_outside else world.copied(value, name)
    if tensor is None:
        return value
    if not isinstance(owner, tuple):
        place.put(tensor)
    return tensor


def is_stand_in(before: Any, after: Any) -> bool:
    """Whether a tensor only stands for the array or the number that was there."""
    if _tracing.world is None or not isinstance(after, Tensor) or isinstance(before, Tensor):
        return False
    known = _tracing.world.tensors.get(id(after))
    made = _tracing.world.made.get(id(before))
    return (known is not None and known.original is before) or (
        made is not None and made[1] is after)


def original(x: Any) -> Any:
    """A list or dict outside as it was before the function changed it; anything else itself."""
    if _tracing.world is None or type(x) not in (list, dict) or not is_outside(x):
        return x
    before = _tracing.world.snapshot.content(x)
    if isinstance(x, dict) and '__builtins__' in x:  # of a module's namespace names are known
        return x
    return dict(before) if isinstance(x, dict) else list(before.values())


def is_changed(x: Any, key: Any = ABSENT) -> bool:
    """Whether the function has changed a list or dict outside, or one of its items."""
    before = original(x)
    if before is x:
        return False
    old, new = content(before), content(x)
    if key is not ABSENT:
        old, new = ({key: each[key]} if key in each else {} for each in (old, new))
    return list(old) != list(new) or any(
        new[each] is not old[each] and not is_stand_in(old[each], new[each]) for each in new)


def appended_to(items: list[Any]) -> list[Any] | None:
    """What was appended to a list outside so far; None if it was changed in another way."""
    world = _tracing.world
    assert world is not None
    before = list(world.snapshot.content(items).values())
    same = all(a is b or is_stand_in(b, a) for a, b in zip(items, before, strict=False))
    return items[len(before) :] if same and len(items) >= len(before) else None


def stand_ins_in(x: Any, name: str) -> None:
    """The same for the arrays in a list, dict or dataclass outside."""
    if not is_outside(x) or nest.parts(x) is None:
        return
    for key, part in (content(x) or {}).items():
        if type(part) is np.ndarray:
            stand_in(x, key, f'{name}_{key}', part)
        elif nest.parts(part) is not None:
            stand_ins_in(part, f'{name}_{key}')


def used(change: Change) -> Change:
    """A change in a block, whose value before the graph depends on if it is outside."""
    return change if _tracing.world is None else _tracing.world.use(change)


def as_tensor(value: Any, path: str) -> Any:
    """An array from outside that no place leads to as a tensor; anything else itself."""
    if type(value) is not np.ndarray:
        return value
    known = None if _tracing.world is None else _tracing.world.inputs.get(id(value))
    return constant(value, identifier(path)) if known is None else known.tensor


def tensor_for(x: Any) -> Any:
    """The tensor that stands for an array from outside; one of its own for another array."""
    if not isinstance(x, np.ndarray):
        return x
    world = _tracing.world
    known = None if world is None else world.inputs.get(id(x))
    if known is not None:
        return known.tensor
    return constant(x) if world is None or id(x) not in world.made else world.made[id(x)][1]


def finish(
    world: World, operands: Sequence[Any], output: Callable[[Any], Any]
) -> OutsideState:
    """What each call reads outside, modifies in place, and sets.

    Args:
      world: what is known outside.
      operands: the leaves of the arguments.
      output: gives the value of the graph for a part of what is set, or the Python value.

    Raises:
      OwnershipError: something changed that cannot be set at every call.
    """
    world.graph.nodes[:0] = world.prologue
    inputs = list(world.tensors.values())
    sources: list[tuple[Any, Tensor]] = list(
        enumerate(x for x in operands if isinstance(x, Tensor)))
    sources += [(each, each.tensor) for each in inputs if isinstance(each.original, np.ndarray)]
    arrays = [
        ArrayWrite(source, output(tensor))
        for source, tensor in sources
        if tensor.held.node is not None
    ]
    changes = world.changes()
    writes = [write for change in changes for write in _write(world, change, output)]
    known = {each.place.identity for each in inputs} | world.forms.keys()
    numbers = [
        located
        for change in changes
        if not isinstance(change.before, np.ndarray) and _can_be_lifted(change.before)
        if (located := world.locate(change.place.owner, change.place.key, change.place.name))
        if located.identity not in known
    ]
    guards = [(place, before) for place, before in world.used.values()
              if place.identity not in known]
    return OutsideState(
        inputs, arrays, writes, numbers, inputs, guards, list(world.forms.values()))


def _can_be_lifted(x: Any) -> bool:
    """Whether it is a number, or a tuple of numbers and arrays."""
    if isinstance(x, tuple):
        return all(map(_can_be_lifted, x))
    return type(x) in _NUMBERS or isinstance(x, (np.number, np.ndarray))


_NUMBERS = (int, float, complex)


def _write(world: World, change: Change, output: Callable[[Any], Any]) -> Iterator[Write]:
    place, after = change.place, change.after
    if place.key is WHOLE:
        yield from _write_list(world, change, output)
        return
    located = world.locate(place.owner, place.key, place.name)
    if located is None:
        raise cannot_set(place.name)
    if after is ABSENT:
        raise cannot_set(place.name)
    yield Write(located, *_parts(place.name, after, output))


def _write_list(world: World, change: Change, output: Callable[[Any], Any]) -> Iterator[Write]:
    """A list outside whose length changed; if it was only appended to, its rest."""
    items, before, after = change.place.owner, change.before, nest.actual(change.after)
    name = change.place.name
    holder = world.snapshot.locate(items)
    if holder is None:
        raise cannot_set(name)
    located = world.locate(items, WHOLE, name)
    assert located is not None
    kept = isinstance(after, list) and len(after) >= len(before) and all(
        a is b or is_stand_in(b, a) for a, b in zip(after, before, strict=False))
    if not isinstance(after, list):
        yield Write(located, *_parts(name, after, output), appends=isinstance(after, Appended))
    else:
        new = after[len(before) :] if kept else after
        yield Write(located, *_parts(name, new, output), appends=kept)


def _parts(
    name: str, value: Any, output: Callable[[Any], Any]
) -> tuple[nest.Structure, list[Any]]:
    leaves, structure = nest.flatten(value)
    for leaf in leaves:
        if not isinstance(leaf, Tensor) and _leads_to_tensor(leaf):
            raise cannot_set(name)
    return structure, [output(leaf) for leaf in leaves]


def _leads_to_tensor(x: Any) -> bool:
    """Whether an object that the trace has made holds something that only the graph knows."""
    return any(
        isinstance(part, Tensor)
        for owner in Snapshot(('', x)).owners()
        for part in (content(owner) or {}).values()
    )


def cannot_set(name: str) -> OwnershipError:
    """The error for a change outside that a graph cannot make at every call."""
    return OwnershipError(
        describe(
            f'This function changes {name}, which lives outside, in a way that a graph cannot '
            'repeat at every call.',
            fix='Set it to arrays, numbers, strings, or lists, tuples and dicts of them; or '
            'return it.',
        )
    )


