"""The caller's arrays that a function modifies in place: what the graph made of them is put back.

    def centre(x):
        x -= x.mean()

The graph works on a copy, and gives what becomes of it as one more result. That is put into the
caller's array when the graph has run; of a call that raises, see `left_behind`.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import Location, OwnershipError, describe, user_location, with_article
from .graph import dispatch
from .graph.graph import Graph, Value
from .graph.ownership import named, of_another
from .graph.storage import Memory, Storage
from .graph.tensor import Tensor
from .graph.tracing import CONSTANT, rewrite
from .operators.outer_variables import inputs
from .operators.outside import handing, was_there
from .ops.control_flow import FUNCTION
from .ops.outer_variables import READ_OUTER, OuterVariable
from .optimize.rewriting import replace_values
from .sightings import Sightings, lie_apart, overlap, runs_any_code

Array = np.ndarray[Any, Any]

# So many arrays are not compared each with each other one.
_MANY = 8


@dataclass(frozen=True)
class Target:
    """An array of the caller's that a function modifies.

    Attributes:
      name: what the user calls it, such as "argument 'x'".
      place: its position among the leaves of the arguments; a captured array itself; the variable
        outside that holds it when a call begins.
    """

    name: str
    place: int | Array | OuterVariable

    def array(self, leaves: Sequence[Any]) -> Any:
        """The array, of a call with these leaves that begins."""
        if isinstance(self.place, OuterVariable):
            return self.place.get()
        return leaves[self.place] if isinstance(self.place, int) else self.place


@dataclass(frozen=True)
class Modification:
    """What a trace makes of such an array: the value that it was, and the one that it becomes.

    Attributes:
      memory: that of the latter.
      written: that of the former, and where it was modified.
    """

    target: Target
    before: Value
    after: Value
    memory: Memory
    written: tuple[Storage, Location | None]


def memories(operands: Sequence[Any]) -> list[Storage | None]:
    """The memory of each array among the leaves of the arguments, before anything is traced."""
    return [x.memory[0] if isinstance(x, Tensor) and x.memory else None for x in operands]


def modifications(
    operands: Sequence[Any], lent: Sequence[Storage | None], graph: Graph,
    standing_now: Callable[[Any], Any] = lambda x: x,
) -> list[Modification]:  # fmt: skip
    """What a traced function has made of the caller's arrays.

    Args:
      operands: the leaves of its arguments, as it saw them.
      lent: the memory of these.
      graph: its graph.
      standing_now: gives what stands for an array in the block that is traced.

    Raises:
      OwnershipError: one was modified by another name, or is not of its type any more.
    """
    params = iter(graph.own_params)
    arrays: list[tuple[int | Array | OuterVariable, Storage | None, Tensor, Value]] = [
        (i, lent[i], x, next(params)) for i, x in enumerate(operands) if isinstance(x, Tensor)]
    known = handing()
    arrays += [] if known is None else known.arrays(graph)
    arrays += [(node.attrs['variable'], x.memory[0], x, node.outputs[0]) for x, node in inputs()]
    found: list[Modification] = []
    for place, storage, own, before in arrays:
        tensor = standing_now(own)
        if storage is None or (tensor.held is before and not tensor.is_stale):
            continue
        where = tensor.memory[0].written or storage.written
        if tensor.is_stale:
            raise _modifies_perhaps(storage, where)
        if tensor.held.type != before.type:
            raise of_another(storage, where)
        target = Target(storage.owner, place)
        found.append(
            Modification(target, before, tensor.held, tensor.memory, (storage, where)))
    return found


def check_known(modified: Modification, graph: Graph) -> None:
    """The graph of a trace that ends reads an array which it modifies by one name alone.

    Raises:
      OwnershipError: it was made while tracing, or is read where nobody can tell whether that was
        before.
    """
    place = modified.target.place
    if not isinstance(place, int) and not _is_known(place, modified.before, graph):
        raise _reads_otherwise(*modified.written)


def _reads_otherwise(storage: Storage, location: Location | None) -> OwnershipError:
    """The error of modifying an array outside that may be read by another one in its memory."""
    x, owner = named(storage, location)
    copy, kept = x, ''
    if x.isidentifier():
        copy, kept = 'y', f', which `{x} = y` keeps, with `global {x}` or `nonlocal {x}`'
    return OwnershipError(
        describe(
            f'This modifies {owner} in place, which the function does not have by that name alone: '
            'it reads a view of it that lives outside, or what may be it in a list there, has put '
            'it there itself, or gives it to code that is not converted.',
            location,
            f'Read it by its name, such as `{x}[1:]` for that view; or work on a copy: '
            f'`{copy} = {x}.copy()`{kept}.',
        )
    )


def _modifies_perhaps(storage: Storage, location: Location | None) -> OwnershipError:
    """The error of modifying what may be an array of the caller's, or a part or copy of it."""
    x, owner = named(storage, location)
    return OwnershipError(
        describe(
            f'Whether what this modifies is {owner} only the running graph knows.',
            location,
            f'Let it be the one or the other: what is given its values in place, `{x}[...] = {x} * '
            f'2` for `{x} = {x} * 2`, is, and the caller finds them there; after '
            f'`{x} = {x}.copy()` at the beginning it is not, and the caller\'s array stays as '
            f'it was. Of a part of it, keep the index: `{x}[i] = v`.',
        )
    )


def _is_known(place: Array | OuterVariable, value: Value, graph: Graph) -> bool:
    """Whether an array outside is read by no more than a value."""
    if any(map(runs_any_code, graph.walk())):
        return False
    return isinstance(place, OuterVariable) or (
        was_there(place) and not _is_read_elsewhere(place, value, graph))


def _is_read_elsewhere(array: Array, value: Value, graph: Graph) -> bool:
    """Whether the graph reads a captured array other than by a value.

    A staged block also reads it by values of its own, where it was not modified before.
    """
    known = handing()
    own = {value.node} if known is None else set(known.nodes(array))
    in_functions = {
        node for each in graph.walk() if each.op is FUNCTION for node in each.inside()}
    return any(
        (node.op is CONSTANT
            and isinstance(node.attrs['value'], np.ndarray)
            and overlap(array, node.attrs['value'])
            and (node not in own or node in in_functions))
        for node in graph.walk()
    )


def set_apart(found: Sequence[Modification], graph: Graph) -> None:
    """Lets the graph that is traced work on copies of what it modifies."""
    before = list(graph.nodes)
    copy = dispatch.METHODS['copy']
    copies = {
        # As they lie in memory: sums depend on that.
        x.before: copy(Tensor(x.before, (Storage(graph),)), order='K').read()
        for x in found
    }
    made = graph.nodes[len(before) :]
    graph.nodes[:] = before
    replace_values(graph, copies)
    for node in made:
        (copied,) = node.inputs
        graph.nodes.insert(0 if copied.node is None else graph.nodes.index(copied.node) + 1, node)


class Modified:
    """The arrays of the caller's that a graph modifies.

    Args:
      targets: which they are.
      graph: the graph; its last results are what becomes of them.

    Attributes:
      left: those that it modifies where it raises.
    """

    left: Sequence[Target] = ()

    def __init__(self, targets: Sequence[Target], graph: Graph) -> None:
        self.targets = list(targets)
        values = [node.attrs['value'] for node in graph.walk() if node.op is CONSTANT]
        self._captured = [value for value in values if isinstance(value, np.ndarray)]
        reads = (node.attrs['variable'] for node in graph.nodes if node.op is READ_OUTER)
        self._outside = list(reads)
        self._sightings = Sightings(graph)

    def __bool__(self) -> bool:
        return bool(self.targets)

    @property
    def positions(self) -> list[int]:
        """Of those that are arguments, the positions among the leaves."""
        return [each.place for each in self.targets if isinstance(each.place, int)]

    @property
    def captured(self) -> list[Array]:
        """Those that are no arguments."""
        return [each.array(()) for each in self.targets if not isinstance(each.place, int)]

    @property
    def may_modify(self) -> bool:
        """Whether there are any, also where it raises."""
        return bool(self.targets or self.left)

    def at_begin(self, leaves: Sequence[Any]) -> Callable[[Target], Any]:
        """What gives one of the arrays, of a call with these leaves that begins."""
        places = (each.place for each in self._all)
        held = {place: place.get() for place in places if isinstance(place, OuterVariable)}

        def array(target: Target) -> Any:
            place = target.place
            return held[place] if isinstance(place, OuterVariable) else target.array(leaves)

        return array

    @functools.cached_property
    def _all(self) -> list[Target]:
        """The arrays, each once."""
        found = {
            each.place if isinstance(each.place, int | OuterVariable) else id(each.place): each
            for each in (*self.targets, *self.left)}
        return list(found.values())

    def check(self, name: str, leaves: Sequence[Any]) -> None:
        """Each can be modified, and nothing else that the graph reads is modified with it.

        Args:
          name: the function's.
          leaves: what it is called with.

        Raises:
          OwnershipError: that is not so.
        """
        targets = self._all
        places = [each.place for each in targets if isinstance(each.place, OuterVariable)]
        found = self._sightings.found()
        variables = (each.get() for each in self._outside if each not in places)
        read = [x for x in (*found, *variables)
                if isinstance(x, np.ndarray) and not x.dtype.hasobject]
        arrays = [each.array(leaves) for each in targets]
        others = [x for x in (*leaves, *self._captured) if isinstance(x, np.ndarray)]
        given, captured, changed = ([id(x) for x in xs] for xs in (leaves, self._captured, arrays))
        may_overlap = len(arrays) < _MANY or not lie_apart([*others, *arrays], read)
        for each, array in zip(targets, arrays, strict=True):
            if not array.flags.writeable:
                what = f'{name} modifies {each.name} in place, which is read-only.'
                raise OwnershipError(describe(what, user_location(), 'Let it be a copy.'))
            if not array.flags.forc:
                what = (
                    f'{name} modifies {each.name} in place, which does not lie in memory in one '
                    'piece, as the copy does that the graph works on.'
                )
                fix = 'Pass a copy, and put that back: `y = x[:, 0].copy()`, `x[:, 0] = y`.'
                raise OwnershipError(describe(what, user_location(), fix))
            times, is_captured = given.count(id(array)), id(array) in captured
            is_variable = isinstance(each.place, OuterVariable)
            if changed.count(id(array)) > 1 or (is_variable and (times or is_captured)) or (
                times + (times and is_captured)) > 1 or (may_overlap and (any(
                    x is not array and overlap(array, x) for x in others
                ) or any(overlap(array, x) for x in read))):
                what = (
                    f'{name} modifies {each.name} in place, which shares memory with '
                    'another array that it reads.'
                )
                raise OwnershipError(describe(what, user_location(), 'Let one be a copy.'))
            for x in found:
                if not isinstance(x, np.ndarray) or x.dtype.hasobject:
                    raise _perhaps_read_by(x, name, each.name)

    def called(
        self, leaves: Sequence[Any], run: Callable[[], Sequence[Any]]
    ) -> list[Any]:
        """Puts what became of them into the caller's arrays; the other results.

        Args:
          leaves: what the trace is called with.
          run: runs it.
        """
        arrays = [each.array(leaves) for each in self.targets]
        values = self._apart(run(), arrays)
        count = len(values) - len(arrays)
        for array, value in zip(arrays, values[count:], strict=True):
            array[...] = value
        return values[:count]

    def _apart(self, results: Sequence[Any], arrays: Sequence[Array]) -> list[Any]:
        """The results, of which none changes with them."""
        made = [x for x in results if isinstance(x, np.ndarray)]
        if len(arrays) >= _MANY and lie_apart(made, arrays):
            return list(results)
        return [
            x.copy('K') if isinstance(x, np.ndarray) and any(overlap(x, y) for y in arrays) else x
            for x in results]

    def move_on(self, name: str, leaves: Sequence[Any], results: Sequence[Any]) -> list[Any]:
        """The same while another graph is traced, whose handles are moved on.

        Raises:
          OwnershipError: one is none of that graph's, or has another name in the call.
        """
        count = len(results) - len(self.targets)
        for each, value in zip(self.targets, results[count:], strict=True):
            given = each.array(leaves)
            memory = set(given.memory) if isinstance(given, Tensor) else set()
            others = (x for x in leaves if x is not given and isinstance(x, Tensor))
            is_once = sum(x is given for x in leaves) == 1
            if not memory or not is_once or any(memory.intersection(x.memory) for x in others):
                what = f'This trace of {name} modifies {each.name}, which has another name here.'
                fix = f'Call {name} itself, or give it an array of its own: `x = x.copy()`.'
                raise OwnershipError(describe(what, user_location(), fix))
            rewrite(given, value.read())
        return list(results[:count])


def _perhaps_read_by(x: Any, name: str, owner: str) -> OwnershipError:
    """The error of modifying an array that an object may read where it is compared."""
    kind = type(x).__name__
    return OwnershipError(describe(
        f'{name} modifies {owner} in place, and looks at {with_article(kind)} in a list outside, '
        'which may read it.', user_location(),
        'Let two functions do that, which are called one after the other.'))
