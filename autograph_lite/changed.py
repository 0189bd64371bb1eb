"""The caller's lists, dicts and dataclasses that a function changes hold what it put into them.

    def count(state, x):
        state['n'] = state['n'] + x

The trace works on containers of its own. What they hold at its end is put into the caller's when
the graph has run; of a call that raises, see `left_behind`.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from .changed_errors import is_given_twice, is_outside_too, modifies
from .errors import OwnershipError, describe, kind_of, user_location
from .graph import nest, nest_contents
from .graph.graph import Graph, Value
from .graph.tracing import is_tracing
from .operators.given_containers import fill_given, is_own
from .operators.guards import Guard
from .operators.outer_parts import set_attribute, set_item
from .operators.outside import is_outside, note_change, note_setting
from .operators.places import Place
from .operators.set_variables import is_namespace
from .ops.effects import Shown
from .ops.outer_variables import READ_OUTER, SET_OUTER
from .perhaps_set import set_of
from .returned import Given, output_of


class Computed:
    """In a pickle, stands for the next of the graph's results."""


class Own:
    """Stands for a list, dict or dataclass among the arguments: each call has its own.

    Args:
      index: which one, in the order of `containers`; of a set or the like, which leaf it is.
    """

    def __init__(self, index: int | Given) -> None:
        self.index = index

    def of_call(self, owners: Sequence[Any], leaves: Sequence[Any]) -> Any:
        """That of a call with these containers and leaves."""
        return leaves[self.index.index] if isinstance(self.index, Given) else owners[self.index]


@dataclass(frozen=True)
class Change:
    """What a trace makes of one of them.

    Attributes:
      own: which one.
      gone: the keys or attributes that it has no more.
      keys: those that are set; None for a list, and for a dict of which only the running graph
        knows the keys, which are set as a whole.
      structure: of the new values, in a list.
      leaves: values of the graph, and what stands for others.
    """

    own: Own
    gone: tuple[Any, ...]
    keys: tuple[Any, ...] | None
    structure: nest.Structure
    leaves: tuple[Any, ...]

    @property
    def is_none(self) -> bool:
        """Whether it stays as it is: the function tells it from others by `is`."""
        return self.keys == () and not self.gone


def no_change(own: Own) -> Change:
    """What becomes of a container that a call is to be given apart from all others."""
    return Change(own, (), (), nest.flatten([])[1], ())


def containers(structure: nest.Structure, value: Any) -> Iterator[Any]:
    """The lists, dicts and dataclasses in a nest of this structure, the outer before the inner."""
    kind = structure.type
    if kind is None:
        return
    if not issubclass(kind, tuple):
        yield value
    if issubclass(kind, dict):
        parts = [value[key] for key in structure.keys]
    else:
        parts = [getattr(value, key) for key in structure.keys] or list(value)
    for child, part in zip(structure.children, parts, strict=True):
        yield from containers(child, part)


@contextmanager
def unchanged(name: str, structure: nest.Structure, values: Any) -> Iterator[None]:
    """Around a function that gets copies of containers, which is not to change them.

    Args:
      name: the function's.
      structure: of its arguments.
      values: these, one a parameter.

    Raises:
      OwnershipError: it does.
    """
    before = [(x, nest_contents.content(x)) for x in containers(structure, values)]
    yield
    for x, content in before:
        if not nest_contents.holds(nest.actual(x), content):
            what = (
                f'{name}, which has an `input_signature`, changes {kind_of(x)} that another traced '
                'function passes to it.'
            )
            fix = 'Let it return what that is to hold, or leave the `input_signature` out.'
            raise OwnershipError(describe(what, user_location(), fix))


class Changed:
    """The containers of the caller's that a graph changes.

    Args:
      changes: what becomes of each.
      structure: of the arguments.
      graph: the graph.
      returned: the leaves of what a call returns.
      left: what a call changes that raises.
    """

    def __init__(
        self, changes: Sequence[Change], structure: nest.Structure, graph: Graph,
        returned: Sequence[Any], left: Sequence[Own],
    ) -> None:  # fmt: skip
        self.changes = list(changes)
        own = [change.own for change in changes]
        self._changed = list({each.index: each for each in (*own, *left)}.values())
        self._is_returned = any(isinstance(leaf, Own) for leaf in returned)
        self._structure = structure
        kinds = set(_kinds(structure))
        variables = [
            node.attrs['variable'] for node in graph.walk() if node.op in (READ_OUTER, SET_OUTER)]
        self._variables = [
            each for each in variables
            if type(each.holder) in kinds and not is_namespace(each.holder)]

    def __bool__(self) -> bool:
        return self._is_returned or self.may_change

    @property
    def may_change(self) -> bool:
        """Whether a call may have to change some, or to find that it cannot."""
        return bool(self._changed or self._variables)

    def portable(self) -> list[Change]:
        """The changes, without the graph's values."""
        return [
            replace(change, leaves=tuple(
                Computed() if isinstance(leaf, Value) else leaf for leaf in change.leaves))
            for change in self.changes
        ]  # fmt: skip

    @property
    def positions(self) -> list[int]:
        """The positions, among the leaves of the arguments, of what is put into them."""
        leaves = (leaf for change in self.changes for leaf in change.leaves)
        return [leaf.index for leaf in leaves if isinstance(leaf, Given)]

    def of_call(
        self, name: str, values: Any, leaves: Sequence[Any], guards: Sequence[Guard]
    ) -> list[Any]:
        """The containers of a call.

        Args:
          name: the function's.
          values: the arguments, one a parameter.
          leaves: their leaves.
          guards: what the trace has read from outside.

        Raises:
          OwnershipError: one that changes, or is told from others by `is`, is there twice, or is
            read or set from outside, too.
        """
        owners = list(containers(self._structure, values))
        for each in self._variables:
            if any(x is each.holder for x in owners):
                raise is_outside_too(name, each.holder)
        changed = [own.of_call(owners, leaves) for own in self._changed]
        for owner in changed:
            if sum(x is owner for x in (*owners, *leaves)) > 1:
                raise is_given_twice(name, owner, self._changes(owner, owners, leaves))
        for guard in guards if changed else ():
            for x in _on_the_way(guard):
                if any(x is owner for owner in changed):
                    raise is_outside_too(name, x, self._changes(x, owners, leaves))
        return owners

    def _changes(self, owner: Any, owners: Sequence[Any], leaves: Sequence[Any]) -> bool:
        """Whether one is changed, and not only told from others."""
        told = {change.own for change in self.changes if change.is_none}
        told -= {change.own for change in self.changes if not change.is_none}
        return not any(own.of_call(owners, leaves) is owner for own in told)

    def put(
        self, owners: Sequence[Any], leaves: Sequence[Any], results: Iterator[Any],
        changes: Sequence[Change] | None = None,
    ) -> None:  # fmt: skip
        """Puts what became of them into the containers of a call.

        Args:
          owners: these.
          leaves: the leaves of the arguments.
          results: what the graph gave for it.
          changes: what became of them, if not what a call makes of them that returns.
        """
        changes = self.changes if changes is None else changes
        changes = [change for change in changes if not change.is_none]
        new = [
            nest.unflatten(change.structure, self.filled(change.leaves, owners, leaves, results))
            for change in changes
        ]
        for change, values in zip(changes, new, strict=True):
            _put(change.own.of_call(owners, leaves), change, values)

    def filled(
        self, parts: Sequence[Any], owners: Sequence[Any], leaves: Sequence[Any],
        results: Iterator[Any],
    ) -> list[Any]:
        """What these stand for: the next of the graph's results, and what it does not compute."""
        return [
            next(results) if isinstance(part, Value | Shown)
            else part.of_call(owners, leaves) if isinstance(part, Own)
            else output_of(part, leaves) for part in parts
        ]  # fmt: skip


def _put(owner: Any, change: Change, values: list[Any]) -> None:
    """Lets what the caller has given hold these values, at the keys that the change names."""
    if is_outside(owner):  # while another function is traced
        note_change(owner)
        note_setting(owner, None)
    if change.keys is None and isinstance(owner, list):
        owner[:] = values
        return
    if is_own(owner):
        if is_tracing():  # another function, whose graph would not do so
            raise modifies('This trace', owner)
        fill_given(owner, values)
        return
    if change.keys is None:
        new: Any = values
        owner.clear()
        for key, value in new.items():
            set_item(owner, key, value)
        return
    items = list(set_of(owner, zip(change.keys, values, strict=True)))
    if isinstance(owner, dict):
        for key in change.gone:
            del owner[key]
        for key, value in items:
            set_item(owner, key, value)
        return
    for key in change.gone:
        object.__delattr__(owner, key)
    for key, value in items:
        if is_outside(owner):
            set_attribute(owner, key, value)
        else:
            object.__setattr__(owner, key, value)


def restored(changes: Sequence[Change], values: Iterator[Value]) -> list[Change]:
    """What was made portable, with the values of the graph that it is read with."""
    return [
        replace(change, leaves=tuple(
            next(values) if isinstance(leaf, Computed) else leaf for leaf in change.leaves))
        for change in changes
    ]  # fmt: skip


def _kinds(structure: nest.Structure) -> Iterator[Any]:
    """The types of the containers in a structure."""
    yield structure.type
    for child in structure.children:
        yield from _kinds(child)


def _on_the_way(guard: Guard) -> Iterator[Any]:
    """What is read until what is guarded is found."""
    if not isinstance(guard.read, Place):
        return
    try:
        value = guard.read.root()
        yield value
        for step in guard.read.steps:
            value = step(value)
            yield value
    except Exception:
        return
