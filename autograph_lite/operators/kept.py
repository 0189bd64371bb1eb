"""What a `try` block has made of variables by the time that it raises, for its handlers.

    try:
        for row in rows:
            check(row)
            done += 1
    except ValueError:
        return done

While the block is traced, what the variables hold is put into cells before each operation that may
raise; the handlers read it from there.
"""
from __future__ import annotations

import dis
from collections.abc import Callable, Collection, Hashable, Sequence
from types import FunctionType
from typing import Any

from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.graph import Graph, Node, Op
from ..graph.tracing import CONSTANT
from ..ops.control_flow import CAST, COND, FOR_LOOP, IS_MISSING, MISSING, NOT, TRY, WHILE_LOOP
from ..ops.effects import END_WITH, WITHS
from ..ops.exceptions import CAUGHT, IS_ERROR, MADE, NAME_OF_CLASS
from ..ops.kept import CELL, KEEP, KEPT
from ..ops.left import LEAVE
from ..ops.lists import WIDEN
from ..ops.new_objects import NEW_OBJECT
from ..ops.outer_variables import READ_OUTER, SET_OUTER
from .contents import Content, content
from .holders import Held, Holder
from .keeping import Keeping
from .kept_variables import KeptVariable, half_done
from .lists import StagedList
from .made_by import is_another
from .outer_variables import place_of_variable, variable_at
from .owners import Own, Where, by_place, owners_in
from .recalled import Recalled
from .restaging import can_change, changed
from .was_kept import note_kept, recall_kept, recall_lent
from .wider_lists import NO_LISTS, check_lists, types_of_lists

# What raises nothing itself; the graphs of a node keep what is needed in them.
_SILENT = frozenset({
    CONSTANT, MISSING, IS_MISSING, NOT, CAST, CELL, KEEP, KEPT, COND, FOR_LOOP, WHILE_LOOP, TRY,
    *WITHS, END_WITH, READ_OUTER, SET_OUTER, NEW_OBJECT, CAUGHT, IS_ERROR, MADE,
    NAME_OF_CLASS, WIDEN, LEAVE,
})  # fmt: skip
# So many times what is kept may turn out to be more.
_MOST_ROUNDS = 32


class MoreToKeep(BaseException):
    """A block is to be traced again: more of what it changes has to be kept.

    Attributes:
      kept: what is kept of it.
    """

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self.kept = kept


class Kept(Keeping):
    """The variables of one `try` block of which a handler needs to know.

    Args:
      recalled: what is known of the statement.
      body: the block.
      shared: reads the variables.
      given: what the block is given, without the places.
      names: what the user calls each of that.
      raises: whether an operation may raise what a handler is for.

    Attributes:
      places: what holds lists and dicts that the block changes by other ways than its own
        variables; it is given what they hold.
    """

    def __init__(
        self,
        recalled: Recalled,
        body: Callable[..., Any],
        shared: Callable[[], tuple[Any, ...]],
        given: tuple[Any, ...],
        names: Sequence[str],
        raises: Callable[[Op], bool],
    ) -> None:
        super().__init__()
        self._recalled = recalled
        self._body = body
        self.variables = [
            KeptVariable(holder, operand=_number_of(holder.read(), given))
            for holder in _variables_of(shared)]
        self._count = len(self.variables)
        self._raises = raises
        self._given = given
        self._names = names
        self._new: list[Holder] = []
        self._new_own: list[Own] = []
        self.places: list[Holder] = []
        self._new_places: list[Holder] = []
        self._values: tuple[Any, ...] = ()
        self._types = NO_LISTS
        self._outer: Graph | None = None
        self._begun_with: dict[Where, Held] = {}
        self._is_adding = False
        self._is_more = False  # what is traced from there on is done with
        self.before_raising: Callable[[], None] = lambda: None

    def settled(self, stage: Callable[[], Any]) -> Any:
        """What staging the statement gives, once it is known what has to be kept."""
        start = checkpoint()
        self._take(recall_lent(self._recalled, self._body))
        self.variables += recall_kept(
            self._recalled, self._body, self.variables[: self._count], self._given)
        for _ in range(_MOST_ROUNDS):
            self.variables += map(KeptVariable, self._new)
            self._take(self._new_places)
            self._new_places = []
            owners = by_place(self._given) if self._new_own else {}
            self.variables += [KeptVariable(_place(owners, own), own) for own in self._new_own]
            self._new, self._new_own = [], []
            note_kept(self._recalled, self._body, self.variables, self._count)
            self._stand_at(self._given)
            for variable in self.variables:
                variable.start()
            self._is_more = False
            try:
                return stage()
            except MoreToKeep as more:
                if more.kept is not self:
                    raise
                undo(start)
        raise half_done()

    def _take(self, places: Sequence[Holder]) -> None:
        """The block is given what these places hold, too."""
        for place in places:
            self.variables.append(KeptVariable(place, operand=len(self._given)))
            self._given, self._names = (*self._given, place.read()), [*self._names, place.name]
        self.places += places

    def _stand_at(self, given: tuple[Any, ...]) -> None:
        """Attributes are from now on those of objects that this block is given."""
        own = [variable for variable in self.variables if variable.own is not None]
        owners = by_place(given) if own else {}
        for variable in own:
            variable.holder = _place(owners, variable.own)

    def begin(self, graph: Graph, given: tuple[Any, ...]) -> None:
        """At the start of the block, which is given its own and is traced into a graph."""
        self._stand_at(given)
        self._values, self._begun_with = given, owners_in(given)
        self._outer = graph.parent
        self._types = types_of_lists(given)
        graph.keeping = (*graph.keeping, self)
        for variable in self.variables:
            if variable.operand is not None:
                variable.holder.put(given[variable.operand])
            variable.begun = variable.holder.read()

    def _held_now(self) -> tuple[Any, ...]:
        """What the block is given, with the lists and dicts that variables hold by now."""
        now = list(self._values)
        for variable in self.variables:
            if variable.operand is not None:
                now[variable.operand] = variable.holder.read()
        return tuple(now)

    def check_lists(self) -> None:
        """Its lists hold nothing that they could not hold before the block.

        Raises:
          Restage: one does.
        """
        if self._types[1]:
            check_lists(self._types, self._held_now(), self._outer)

    def leave(self) -> None:
        """At the end of the block: what it changes after all that may raise, no handler finds."""
        for i, variable in enumerate(self.variables):
            is_changed = variable.holder.read() is not variable.begun
            if i < self._count and variable.joins is None and is_changed:
                variable.holder.put(variable.before)

    def __call__(self, graph: Graph, op: Op) -> None:
        """Before an operation is added to a graph in the block.

        Raises:
          MoreToKeep: a variable holds what it was not known to hold.
        """
        if self._is_adding or op in _SILENT or not self._raises(op):
            return
        if self._is_more:  # an `__exit__` or a `finally` is on the way of that
            raise MoreToKeep(self)
        self.check_lists()
        self._is_adding = True
        self.before_raising()
        try:
            self._stand_at(self._held_now())
            more = [variable.follow(graph) for variable in self.variables]
        finally:
            self._is_adding = False
        if any(more):
            raise self._more()
        for where, held in self._begun_with.items():
            if isinstance(held.owner, (list, dict)) and held.is_changed:
                self._add_items(where, held, graph)

    def add(self, places: Sequence[Holder], own: Sequence[Own]) -> None:
        """What these attributes hold is to be kept, too.

        Raises:
          MoreToKeep: it has not been.
          StagingError: one of them holds what cannot be kept.
        """
        known = {each.own or each.holder.identity: each for each in self.variables}
        ways = [*own, *(place.identity for place in places)]
        for each in (known[key] for key in ways if key in known):
            if each.is_left:
                around = '' if each.own is None else self._names[each.own[0][0]]
                raise half_done(around + each.holder.name)
        self._new = [place for place in places if place.identity not in known]
        self._new_own = [each for each in own if each not in known]
        if self._new or self._new_own:
            raise self._more()

    def lend(self, places: Sequence[Holder]) -> None:
        """The block is to be given what these places hold, too.

        Raises:
          MoreToKeep: always.
        """
        self._new_places = list(places)
        raise self._more()

    def with_lent(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a block is given, with what the places hold meanwhile."""
        return (*given, *(place.read() for place in self.places))

    def _more(self) -> MoreToKeep:
        self._is_more = True
        return MoreToKeep(self)

    def _add_items(self, where: Where, held: Held, graph: Graph) -> None:
        """The items of a list or dict are to be kept.

        Raises:
          MoreToKeep: they have not been.
          Restage: a list is one that grows when the graph runs.
          StagingError: it has got others, or lost some.
        """
        has_others = content(held.owner).keys() != held.content.keys()
        if has_others and not any(_is_part(held.owner, value) for value in self._values):
            self.lend(self._places_of(held.owner))
        self.check_form(where, held.owner, held.content)
        keys = [
            key for key, value in held.changes().items()
            if not isinstance(nest.actual(value), (list, dict, StagedList))
            or is_another(value, held.content.get(key), graph)]
        if keys:
            self.add((), [(where, key) for key in keys])

    def where(self, x: Any) -> Where | None:
        """Where a list, dict or object is in what the block is given, or holds instead by now."""
        owners = owners_in(self._held_now())
        return next((where for where, held in owners.items() if held.owner is x), None)

    def path(self, where: Where) -> str:
        """What the user calls a list, dict or object in what the block is given."""
        return f'{self._names[where[0]]}{where[1]}'

    def check_form(self, where: Where, x: Any, before: Content) -> None:
        """A list, dict or object has values where it had some, and in no other places.

        Raises:
          Restage: it is a list, and one that grows when the graph runs.
          StagingError: it has got others, or lost some.
        """
        can_grow = isinstance(x, list) and can_change([*before.values()], x)
        if not can_grow and content(x).keys() == before.keys():
            return
        refusal = half_done(self.path(where), isinstance(x, dict))
        if can_grow:
            raise changed(nest.map_leaves(lambda x: x, self._held_now()), self._outer) from refusal
        raise refusal

    def _places_of(self, x: Any) -> list[Holder]:
        """The attributes of objects, as one place, that hold a list or dict."""
        places = [
            held.place(key) for held in self._begun_with.values() for key, value in
            held.content.items() if held.is_object and value is x]
        if not places:
            raise half_done()
        first, *others = places
        return [first.together_with(others)]

    def keeps(self, i: int) -> bool:
        """Whether it keeps one of the variables that are shared."""
        return i < self._count and not self.variables[i].is_left

    def check_left(self, may_raise: Callable[[Node], bool]) -> None:
        """What cannot be kept is not changed before an operation that may raise.

        Raises:
          StagingError: it is.
        """
        for each in self.variables[: self._count]:
            if each.is_left_before(may_raise):
                raise half_done(each.holder.name)

    def name(self, i: int) -> str:
        """What the user calls one of the variables that are shared; empty where none is known."""
        return self.variables[i].holder.name if i < self._count else ''

    def shares(self, identity: Any) -> bool:
        """Whether a place is one of the variables that are shared."""
        return any(each.holder.identity == identity for each in self.variables[: self._count])

    def read(self) -> None:
        """Before the handlers: they find what was kept last."""
        for variable in self.variables:
            variable.read()

    def put(self, given: tuple[Any, ...], own: Collection[Hashable]) -> None:
        """At the start of each handler, of which one before may have changed the variables.

        Args:
          given: what it is given.
          own: the variables outside that it is given, as they were before the block.

        Raises:
          StagingError: what the block calls has changed one of these.
        """
        self._stand_at(given)
        for i, variable in enumerate(self.variables):
            if variable.joins is not None:
                if i >= self._count and variable.holder.identity in own:
                    raise half_done(variable.holder.name)
                variable.holder.put(variable.found)
            elif variable.operand is not None:
                variable.holder.put(given[variable.operand])

    def others(self) -> list[tuple[Holder, Any]]:
        """The shared variables that nothing keeps, and what they hold."""
        found = (each for each in self.variables[: self._count] if each.joins is None)
        return [(each.holder, each.holder.read()) for each in found]

    def end(self) -> None:
        """Nothing is kept any more; the results of the statement are for others to assign."""
        for variable in self.variables[: self._count]:
            if isinstance(variable.holder.owner, FunctionType):
                variable.holder.put(variable.before)
        self.variables = []


def _place(owners: dict[Where, Held], own: Own | None) -> Holder:
    if own is None or own[0] not in owners:
        raise half_done()
    where, key = own
    return owners[where].place(key)


def _is_part(x: Any, value: Any) -> bool:
    """Whether a list or dict is a value, or a part of it, and not only of an object in it."""
    return value is x or any(_is_part(x, part) for part in nest.children(nest.actual(value)))


def _number_of(x: Any, given: tuple[Any, ...]) -> int | None:
    """Which of what the block is given a list or dict is."""
    if not isinstance(nest.actual(x), (list, dict)):
        return None
    return next((i for i, each in enumerate(given) if each is x), None)


def _variables_of(shared: Callable[[], tuple[Any, ...]]) -> list[Holder]:
    """The variables that `lambda: (a, b)` reads; none if it reads anything else."""
    if not isinstance(shared, FunctionType):
        return []
    code = shared.__code__
    steps = [each for each in dis.get_instructions(code) if each.opname not in _NO_READS]
    if any(each.opname not in ('LOAD_DEREF', 'LOAD_GLOBAL') for each in steps):
        return []
    return [_holder_of(shared, each.argval) for each in steps]


def _holder_of(shared: FunctionType, name: str) -> Holder:
    """A variable of the functions around, of those that are traced or of others, or of a module."""
    free = shared.__code__.co_freevars
    number = free.index(name) if name in free else -1
    holder = (shared.__closure__ or ())[number] if name in free else shared.__globals__
    outside = variable_at((name, id(holder)))
    return Holder(shared, number, name) if outside is None else place_of_variable(outside)


_NO_READS = frozenset({
    'BUILD_TUPLE', 'CACHE', 'COPY_FREE_VARS', 'NOP', 'RESUME', 'RETURN_VALUE',
})  # fmt: skip
