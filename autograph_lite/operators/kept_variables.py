"""A variable that a `try` block changes: cells of the graph keep what its handlers find in it."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Node, Value
from ..graph.joins import JoinError
from ..graph.joins import join as joined_type
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..graph.types import ObjectType, TensorType, type_of
from ..ops.kept import CELL, KEEP, KEPT
from .contents import is_object
from .holders import Holder
from .leaves import Join, Leaf, enclosing, join_leaves, leaf_of, result, value_of
from .made_by import is_another
from .members import Member, is_member, member
from .outer_variables import is_found_by_graph, is_set_to
from .owners import Own
from .recalled import alike, kind
from .staging import graph_now, identifier
from .unbound import NOTHING, Unbound

_WAYS = ('before', 'later in the `try` block')


@dataclass(frozen=True)
class Known:
    """What is known of a variable.

    Attributes:
      structure: that of what it holds.
      kinds: the kind of each leaf that it held before the block.
      joins: what is known of each leaf; empty if nothing is.
    """

    structure: nest.Structure
    kinds: Sequence[Any]
    joins: Sequence[Join]

    def holds_for(self, before: Sequence[Any], structure: nest.Structure) -> bool:
        """Whether it is no more than would be found for a variable that held this before."""
        return structure == self.structure and all(map(_is_as_wide, self.kinds, before))


class KeptVariable:
    """A variable, its cells, and what is known of what it holds.

    Attributes:
      holder: the variable itself, or an attribute.
      own: for an attribute of an object that the block is given, where that object is in what it is
        given, and the name.
      before: what it held before the block.
      begun: what stands for that in the block.
      found: what a handler finds in it.
      joins: what is known of each leaf; None for a variable that needs no cells.
      is_left: whether it holds what cannot be kept, such as an array.
      operand: the number of the list or dict that it holds in what the block is given, if it does:
        the block and each handler has one of its own in its place, whose items are kept.
    """

    def __init__(
        self, holder: Holder, own: Own | None = None, operand: int | None = None
    ) -> None:
        self.holder = holder
        self.own = own
        self.operand = operand
        self.before: Any = holder.read()
        self.begun: Any = self.before
        self.found: Any = None
        self.joins: list[Join] | None = None
        self.is_left = False
        self._structure: nest.Structure = nest.LEAF
        self._cells: list[Value | None] = []
        self._last: tuple[Graph, int, Node, Any] | None = None
        self._left_at: list[tuple[Graph, int]] = []

    def start(self) -> None:
        """New cells, in which is what it held before the block."""
        self.holder.put(self.before)
        self._last = None
        if self.joins is not None:
            self._cells = [
                None if join.type is None else emit(CELL, names=[self._name])[0].held
                for join in self.joins
            ]
            self.keep(graph_now())

    def begin_with(self, known: Known) -> None:
        """What was known of it when the statement was traced before, if that still holds."""
        leaves, structure = _flattened(self.before)
        if not known.joins or not known.holds_for(leaves, structure):
            return
        graph, name = graph_now(), self.holder.name
        with contextlib.suppress(StagingError):
            self.joins = [
                Join(None, x) if join.type is None
                else self._joined(_leaf(x, graph, name), _known(join, graph))
                for x, join in zip(leaves, known.joins, strict=True)]
            self._structure = structure

    def known(self) -> Known:
        """What is known of it by now."""
        kinds = list(map(kind, _flattened(self.before)[0]))
        return Known(self._structure, kinds, list(self.joins or ()))

    def follow(self, graph: Graph) -> bool:
        """Keeps what it holds now; whether it was not known that it holds such a thing.

        Raises:
          StagingError: it has become another object, or is one no more.
        """
        if is_found_by_graph(self.holder.identity):
            return False
        now = self.holder.read()
        if self.joins is None and now is self.begun:
            return False
        if self.is_left:
            self._note_left(now, graph)
            return False
        if self.joins is None:
            self.is_left = not (_can_be_kept(now) and _can_be_kept(self.before))
            if self.is_left:
                if is_object(now) or is_object(self.before):
                    raise half_done(self.holder.name)
                self._note_left(now, graph)
                return False
            leaves, self._structure = _flattened(self.before)
            self.joins = [Join(None, x) for x in leaves]
            self._widen(now, graph)
            return True
        if self._widen(now, graph):
            return True
        self.keep(graph)
        return False

    def _note_left(self, now: Any, graph: Graph) -> None:
        if is_set_to(self.holder.identity, now) or is_another(now, self.begun, graph):
            self._left_at.append((graph, len(graph.nodes)))

    def is_left_before(self, may_raise: Callable[[Node], bool]) -> bool:
        """Whether it holds what cannot be kept where an operation comes that may raise."""
        return any(
            may_raise(graph.nodes[i]) for graph, i in self._left_at if i < len(graph.nodes))

    def keep(self, graph: Graph) -> None:
        """Puts what it holds into the cells, unless that was the last thing done here."""
        now = self.holder.read()
        if self._last is not None:
            where, position, node, what = self._last
            is_there = position < len(graph.nodes) and graph.nodes[position] is node
            if where is graph and is_there and what is now:
                return
        assert self.joins is not None
        for cell, join, x in zip(self._cells, self.joins, _flattened(now)[0], strict=True):
            if cell is not None and join.type is not None:
                value = value_of(_leaf(x, graph, self.holder.name), join.type, graph)
                node = graph.add(KEEP, [graph.local(cell), value])
                self._last = graph, len(graph.nodes) - 1, node, now

    def read(self) -> None:
        """What was kept last is what a handler finds."""
        if self.joins is None:
            return
        leaves = [
            join.static if cell is None or join.type is None
            else result(join, self._read(cell, join.type), ())
            for cell, join in zip(self._cells, self.joins, strict=True)
        ]
        self.found = nest.unflatten(self._structure, leaves)

    @property
    def _name(self) -> str:
        return f'{identifier(self.holder.name)}_kept'

    def _read(self, cell: Value, type_: TensorType) -> Value:
        return emit(KEPT, [Tensor(cell)], {'type': type_}, names=[self._name])[0].held

    def _widen(self, now: Any, graph: Graph) -> bool:
        """Takes in what it holds now; whether that is more than was known."""
        leaves, structure = _flattened(now)
        if structure != self._structure or not _can_be_kept(now):
            raise half_done(self.holder.name)
        assert self.joins is not None
        before = self.joins
        self.joins = [
            self._joined(_leaf(x, graph, self.holder.name), _known(join, graph))
            for x, join in zip(leaves, before, strict=True)
        ]
        return [join.type for join in before] != [join.type for join in self.joins]

    def _joined(self, leaf: Leaf, known: Leaf) -> Join:
        join = join_leaves(self.holder.name, known, leaf, _WAYS)
        if join.unbound is None:
            return join
        # Only the running graph knows how far it has come.
        return replace(join, unbound=join.unbound.untold())


def _flattened(x: Any) -> tuple[list[Any], nest.Structure]:
    """The leaves of what cells keep: the number of a member of an `Enum` is one."""
    return nest.flatten(_by_number(x))


def _by_number(x: Any) -> Any:
    if is_member(x):
        return member(x)
    return nest.map_children(_by_number, x) if isinstance(x, tuple) else x


def _known(join: Join, graph: Graph) -> Leaf:
    """What is known already, as a way to join with."""
    if join.type is None:
        return leaf_of(join.static, graph)
    return Leaf(join.type, value=Value(graph, join.type, ''), unbound=join.unbound)


def _leaf(x: Any, graph: Graph, name: str) -> Leaf:
    held = x.tensor if isinstance(x, Unbound) else x
    if isinstance(held, Tensor) and held.held.graph not in enclosing(graph):
        raise half_done(name)
    return leaf_of(x, graph)


def _can_be_kept(x: Any) -> bool:
    """Whether a value can be in a cell: what is modified in place would change there."""
    if isinstance(x, Unbound):
        return x.tensor is None or _can_be_kept(x.tensor)
    if isinstance(x, Tensor):
        is_object = isinstance(x.type, ObjectType) and x.type.of not in (BaseException, str)
        return x.type.kind != 'array' and not is_object
    if not nest.is_leaf(x):
        return isinstance(x, tuple | Member) and all(map(_can_be_kept, nest.children(x)))
    return x is None or isinstance(x, (*_NUMBERS, str)) or x is NOTHING or is_member(x)


def _is_as_wide(known: Any, x: Any) -> bool:
    """Whether a leaf is of this kind, or of a type that takes in what was."""
    if not isinstance(x, Tensor) or alike(known, kind(x)):
        return alike(known, kind(x))
    before = known[1] if isinstance(known, tuple) else type_of(known)
    try:
        return isinstance(before, TensorType) and joined_type(before, x.held.type) == x.held.type
    except JoinError:
        return False


_NUMBERS = (bool, int, float, complex, np.generic)


def half_done(name: str = '', is_dict: bool = False) -> StagingError:
    """The error for what cannot be kept, which the user calls by a name if that is known.

    Args:
      name: the name.
      is_dict: whether it is a dict, a Counter or a defaultdict that may get other keys.
    """
    needed = f'{name!r}, which' if name else 'what'
    if name.startswith('.'):  # of an object that is known by no name
        needed = f'the attribute {name[1:]!r}, which'
    return StagingError(
        describe(
            f'What follows needs {needed} this `try` block changes before something that may raise '
            'when the graph runs; which value it has then, the graph does not know.',
            user_location(),
            'Change it after all in the block that may raise, in an `else`, or before the `try`'
            + ("; or let it be a plain dict that has all its keys before: `{'n': 0}`." if is_dict
               else '.'),
        )
    )
