"""The turns of a loop: what tracing one of them, and the test before it, gives."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import UnboundError
from ..graph import nest, nest_contents
from ..graph.checkpoints import checkpoint, undo_writes
from ..graph.graph import Graph
from ..graph.ownership import NotOwnedError
from ..graph.tensor import IndexedByTensorError, Tensor
from ..graph.tracing import as_value, tracing_into
from ..ops.flat import Flat
from .becoming_live import check_becoming
from .block_ways import Passed, Way
from .blocks_around import check_told_apart
from .chosen_functions import functions_within
from .chosen_within import check_chosen
from .disagreements import structure_error, turn_error
from .effects import raises_when_run
from .handles import handle
from .leaves import is_read, leaf_after, read_state
from .live_kinds import meet
from .loop_state import WAYS, Slot, Turn, as_it_was, joined_by_turns, operands_of
from .naming import names_refer
from .opened import check_opens
from .outside import modified
from .picks import check_picks
from .reachable import Reachable
from .reachable_errors import ChangedUnseenError
from .recalled import Recalled
from .refused import check_refusals
from .restaging import Restage, can_change, change, changed, indexed
from .staged_iterable import Staged
from .staging import condition, parameter_names, stored_names, truth
from .unbound import NotYetError
from .watched import check_watched
from .watched_results import check_unsure
from .whole_reads import check_of_block

if TYPE_CHECKING:
    from .narrowing import Touched

Test = Callable[..., Any]
Body = Callable[..., Any]


class ChangedByTest(BaseException):
    """The test of a `while` changes what its turns see: it has to be asked in them."""


@dataclass(frozen=True)
class Loop:
    """A loop that becomes a node.

    Attributes:
      rows: what a `for` runs over; None for a `while`.
      test: takes the state, and says whether there is another turn; a `for` may have none.
      body: takes an item, if there are rows, and the state; gives the next state.
      state: the values before the loop.
      names: what the user calls them; empty if that is to be found out.
      items: what the user calls the parts of an item.
      touched: by the number of a state variable, the steps to the items that alone turns touch.
      outer: those of the names that are variables outside of the function.
      growths: how often its state was found to be nested deeper after a turn.
      lent: what identifies the places that hold some of the state while a turn is traced.
      bases: the arrays among these to views of which a turn writes.
      recalled: what was found when it was traced before.
    """

    rows: Staged | None
    test: Test | None
    body: Body
    state: tuple[Any, ...]
    names: Sequence[str] = ()
    items: Sequence[str] = ()
    touched: Touched | None = None
    outer: Sequence[str] = ()
    growths: int = 0
    lent: frozenset[Any] = frozenset()
    bases: tuple[Tensor, ...] = ()
    recalled: Recalled = field(default_factory=Recalled)

    @property
    def taken(self) -> int:
        """How many arguments the body takes before the state."""
        return 0 if self.rows is None else 1

    @property
    def has_turns(self) -> bool:
        """Whether it surely makes a turn: a `for` over something, which nothing else ends."""
        return self.rows is not None and self.test is None and self.rows.has_items()

    def called(self) -> Sequence[str]:
        """What the user calls the state."""
        size = len(self.state)
        names = self.names or parameter_names(self.body, self.taken, size)
        return names or stored_names(size) or [f'state {i}' for i in range(size)]

    def growing(self, restaged: tuple[Any, ...]) -> Iterator[str]:
        """The state that is nested deeper after a turn than before."""
        for name, before, after in zip(self.called(), self.state, restaged, strict=True):
            if nest.depth(after) > nest.depth(before):
                yield name

    def item_names(self, parts: int) -> Sequence[str]:
        """What the user calls the parts of an item, of which there are so many."""
        return self.items if len(self.items) == parts else ['item'] * parts


def as_state(returned: Any, size: int) -> tuple[Any, ...]:
    """What a loop body returned, as one value a state variable."""
    if size == 1:
        return (returned,)
    return tuple(returned) if size else ()


def trace_turn(
    loop: Loop, structure: nest.Structure, slots: list[Slot], rebound: set[int], outer: Graph
) -> Turn:
    """Traces one turn with the types that the state has so far, and takes back what it wrote.

    Args:
      loop: the loop.
      structure: that of the state.
      slots: the state, leaf by leaf.
      rebound: of what can be changed in place, by identity, what earlier turns found rebound.
      outer: the graph that the loop stands in.

    Raises:
      StagingError: the state has another structure after the turn.
    """
    graph = Graph('body', outer, given=_given(slots))
    start = checkpoint()
    handles = _parts_of_item(loop, graph)
    operands = tuple(operands_of(graph, structure, slots, is_turn=True))
    with tracing_into(graph):
        item = [] if loop.rows is None else [loop.rows.item(iter(handles))]
    held = graph.passed = nest_contents.contents(operands)
    others, paths = nest.flatten(operands)[0], [slot.name for slot in slots]
    before = Passed(loop.state, operands)
    reached = Reachable(
        loop.body, *others, names=loop.names, paths=paths, graph=graph, passed=before,
        rebound=rebound, functions=functions_within(operands),
    )  # fmt: skip
    with tracing_into(graph), reached:
        try:
            returned = as_state(loop.body(*item, *operands), len(structure.children))
        except IndexedByTensorError as error:
            raise indexed(error, operands) from None
        except NotYetError as error:
            raise UnboundError(*error.args) from None
        except BaseException as error:
            if joined := joined_by_turns(slots, error):
                raise turn_error(joined, error) from error
            raises_when_run(error, graph)
            reached.leave(loop.state, operands, [held[i] for i in modified(held)])
            nest_contents.restore(held)
            graph.watched.clear()
            leaves = list(map(as_it_was, slots))
            written = undo_writes(start)
            return Turn(graph, leaves, written, set(), held, operands, operands, reached, before)
        check_of_block(returned, others)
        if names_refer():
            reached.check()
        meet(operands, returned)
        ways = (Way(x, before.origins, set(), reached.holders) for x in (operands, returned))
        check_picks(outer, *ways)
        leaves = _state_after(returned, loop, structure, slots, operands, others, graph)
        check_refusals()
        check_watched(graph)
        check_unsure(graph, before)
        reached.check()
    written, lists = undo_writes(start), set(modified(held))
    return Turn(graph, leaves, written, lists, held, operands, returned, reached, before)


def _parts_of_item(loop: Loop, graph: Graph) -> list[Any]:
    """What the loop runs over gives to a turn: none of a `while`."""
    if loop.rows is None:
        return []
    parts = loop.rows.items()
    handles = [
        handle(graph.param(type_, name), memory)
        for (type_, memory), name in zip(parts, loop.item_names(len(parts)), strict=True)
    ]
    if not loop.rows.takes_elements():
        graph.made.update(graph.params)
    return handles


def _state_after(
    returned: tuple[Any, ...],
    loop: Loop,
    structure: nest.Structure,
    slots: list[Slot],
    operands: tuple[Any, ...],
    given: list[Any],
    graph: Graph,
) -> list[Any]:
    """The leaves of the state after a turn, in the structure that it has before.

    Args:
      returned: what the turn gives.
      loop: the loop.
      structure: that of the state.
      slots: the state, leaf by leaf.
      operands: what the turn was given.
      given: the leaves of that, as they were.
      graph: that of the turn.

    Raises:
      StagingError: it cannot have that.
    """
    if can_change(returned, operands):
        check_becoming(returned, operands)
        returned = change(returned, operands)
    check_opens(operands, returned)
    statics = [slot.join.static if slot.type is None else 0 for slot in slots]
    leaves, after = nest.flatten(returned)
    if after != structure:
        is_one = len(structure.children) == 1
        a, b = (structure.children[0], after.children[0]) if is_one else (structure, after)
        differs = structure_error(a, b, loop.names, WAYS)
        if can_change(nest.unflatten(structure, statics), returned):
            raise changed(returned) from differs
        # The turn may have put others into the operands.
        leaves, after = nest.flatten(change(returned, nest.unflatten(structure, given)))
        if after != structure:
            raise differs
        return [leaf_after(x, graph) for x in leaves]
    check_chosen(nest.unflatten(structure, statics), returned)
    return [leaf_after(x, graph) for x in leaves]


def trace_test(
    loop: Loop,
    test: Test,
    structure: nest.Structure,
    slots: list[Slot],
    outer: Graph,
    changing: Collection[int],
) -> Graph:
    """Traces the test, once the types of the state are known.

    Args:
      loop: the loop.
      test: its test.
      structure: that of the state.
      slots: the state, leaf by leaf.
      outer: the graph that the loop stands in.
      changing: by identity, what before the loop later turns may be passed something else for.

    Raises:
      StagingError: it tells that from others.
      ChangedByTest: it changes what the turns see.
    """
    graph = Graph('test', outer, given=_given(slots))
    start = checkpoint()
    operands = operands_of(graph, structure, slots)
    held, others = nest_contents.contents(operands), nest.flatten(operands)[0]
    before = Passed(loop.state, operands)
    reached = Reachable(
        test, *others, names=loop.names, passed=before, rebound=changing,
        functions=functions_within(operands))
    with tracing_into(graph), reached, _noticed(loop):
        answer = condition(test(*operands))
        graph.outputs = [as_value(truth(answer) if isinstance(answer, Tensor) else bool(answer))]
        reached.check_unchanged()
    check_told_apart(reached, changing)
    written = (storage for x in others if isinstance(x, Tensor) for storage in x.memory)
    changes = not undo_writes(start).keys().isdisjoint(written)
    if loop.rows is None and (changes or modified(held) or reached.modified):
        raise ChangedByTest
    return graph


@contextlib.contextmanager
def _noticed(loop: Loop) -> Iterator[None]:
    """Lets a `while` whose test cannot change what it does be traced in another way."""
    try:
        yield
    except (NotOwnedError, ChangedUnseenError):
        if loop.rows is not None:
            raise
        raise ChangedByTest from None


def _given(slots: Sequence[Slot]) -> list[Any]:
    """The arrays that a turn is given as they are."""
    return [x for x in (slot.join.static for slot in slots) if isinstance(x, Tensor | Flat)]


def read_states(turn: Turn, slots: list[Slot]) -> Turn:
    """The turn, with variables that it makes state of the loop read at its end.

    Raises:
      Restage: the state is a variable before the loop, and no longer after a turn.
    """
    pairs = [(slot.as_leaf(), leaf) for slot, leaf in zip(slots, turn.leaves, strict=True)]
    before = [i for i, (known, leaf) in enumerate(pairs) if is_read(known, leaf)]
    if before:
        raise Restage(lambda operands: _with_states_read(operands, before))
    return replace(turn, leaves=[read_state(leaf, known, turn.graph) for known, leaf in pairs])


def _read(x: Any) -> Any:
    return handle(x.read(), x.memory) if isinstance(x, Tensor) else x._held()


def _with_states_read(operands: Any, places: Sequence[int]) -> Any:
    leaves, structure = nest.flatten(operands)
    read = [_read(x) if i in places else x for i, x in enumerate(leaves)]
    return nest.unflatten(structure, read)
