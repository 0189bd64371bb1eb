"""`while_loop` and `for_loop`: Python's own loops for Python values, staged for tensors."""
from __future__ import annotations

import dis
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..errors import OwnershipError, StagingError
from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.graph import Node
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.trials import settled, trying
from ..ops.effects import ASSERT, RAISE
from ..ops.raising import may_raise
from ..pyct.asking import get_attribute
from ..pyct.codes import once_by_code
from .blocks_around import check_taken
from .conditionals import cond
from .folding import Folding
from .growing_views import gone_through
from .holders import Parts
from .iterables import as_range, staged
from .leaves import same_static
from .left_iterators import NO_MORE, check_may_be_left, next_unseen
from .loop_turns import Body, Loop, Test, as_state
from .own_iterators import iterated
from .python_loops import Running
from .reachable import Reachable
from .recalled import Recalled, recall, recalling
from .staged_iterable import Once
from .staged_loops import stage, stage_by_index, stage_while
from .staging import condition, graph_now, run_block, unchanged
from .taken_ways import note_taken, note_untaken
from .unconverted import elements

if TYPE_CHECKING:
    from .narrowing import Touched

# A Python range is staged where its body allows if it has more turns than this, or more than
# these few and the unrolled program would come from more than so many operations and calls.
UNROLLED_TURNS = 128
_FEW_TURNS = 16
# A `while` of more turns may be one that only ends by what an operation raises.
_MOST_PYTHON_TURNS = 512
_MOST_OPERATIONS = 128
# Loops in it are taken to have as many turns, unless it has fewer than this.
_LEAST_OUTER_TURNS = 8


def while_loop(
    test: Test,
    body: Body,
    *state: Any,
    names: Sequence[str] = (),
    touched: Touched | None = None,
    outer: Sequence[str] = (),
) -> Any:
    """`while test(*state): state = body(*state)`; the last state, as `unchanged` gives it.

    Args:
      test: takes the state; a tensor with one element makes a node of the graph.
      body: takes the state and returns it: one value itself, several as a tuple, none as None.
      *state: nests of tensors and Python values.
      names: what the user calls the state, for messages and for the graph.
      touched: by the number of a state variable, the steps to the items that alone turns touch.
      outer: those of the names that are variables outside of the function.

    Raises:
      StagingError: the state has no types that hold for every turn.
    """
    if not is_tracing():
        return _python_loop(None, test, body, state)
    loop = Loop(None, test, body, state, names, touched=touched, outer=outer, recalled=recall(body))
    with trying():
        return stage_while(loop) if loop.recalled.is_staged else _while_tracing(loop, test)


def _while_tracing(loop: Loop, test: Test) -> Any:
    """The loop in Python, turn by turn, until it is found to be one of the graph."""
    body, state, recalled = loop.body, loop.state, loop.recalled
    first, start, reached = state, checkpoint(), Reachable(body, test, *state)
    may_stage = not recalled.is_unrolled
    for turn in count():
        if turn > 1:
            settled()
            start, reached = checkpoint(), Reachable(test, *state)
        with recalling(_of_turn(recalled, turn).inside('test')):
            going_on = condition(test(*state))
        if isinstance(going_on, Tensor):
            # The first turn's flags may be Python values and a later turn's tensors: such a loop
            # is staged as a whole.
            undo(start)
            reached.restore()
            recalled.is_staged = turn <= 1
            return stage_while(_from(turn, replace(loop, state=first if turn <= 1 else state)))
        if not going_on:
            if not turn:
                note_untaken(body)
            return unchanged(*state)
        note_taken(body)
        with recalling(_of_turn(recalled, turn).inside('body')):
            before, state = state, as_state(body(*state), len(state))
        is_stuck = turn > UNROLLED_TURNS or _are_alike(before, state)
        ends = may_raise if turn > _MOST_PYTHON_TURNS else _raises
        if may_stage and is_stuck and any(map(ends, graph_now().nodes[start.nodes :])):
            undo(start)
            reached.restore()
            before = first if turn <= 1 else before
            try:
                return stage_while(_from(turn, replace(loop, state=before)))
            except (StagingError, OwnershipError):
                undo(start)
                reached.restore()
                recalled.unroll()
            may_stage, state = False, before
    raise AssertionError('unreachable')


def _of_turn(recalled: Recalled, turn: int) -> Recalled:
    """What was found of a loop in the turn of that number."""
    return recalled.inside('turn', turn) if turn else recalled


def _from(turn: int, loop: Loop) -> Loop:
    """The loop that is staged where Python has come to that turn; before it, at its first one."""
    return loop if turn <= 1 else replace(loop, recalled=loop.recalled.other('from', turn))


def _are_alike(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Whether a turn that Python ran came no nearer to an end that Python knows."""
    leaves, structure = nest.flatten(before)
    now, form = nest.flatten(after)
    return structure == form and all(
        isinstance(a, Tensor) or same_static(a, b) for a, b in zip(leaves, now, strict=True)
    )


def _raises(node: Node) -> bool:
    """Whether the user's code raises or asserts there, when the graph runs."""
    inside = (inner for graph in node.graphs.values() for inner in graph.nodes)
    return node.op in (RAISE, ASSERT) or any(map(_raises, inside))


def for_loop(
    iterable: Iterable[Any],
    body: Body,
    *state: Any,
    test: Test | None = None,
    names: Sequence[str] = (),
    items: Sequence[str] = (),
    touched: Touched | None = None,
    outer: Sequence[str] = (),
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
      touched: by the number of a state variable, the steps to the items that alone turns touch.
      outer: those of the names that are variables outside of the function.

    Raises:
      StagingError: the state has no types that hold for every turn.
    """
    if not is_tracing():
        return _python_loop(iter(iterable), test, body, state)
    if isinstance(iterable, ReadAsValue):
        return iterable.unchanged_by(
            lambda rows: for_loop(
                rows, body, *state, test=test, names=names, items=items, touched=touched,
                outer=outer))
    iterable, body = gone_through(iterable, body, state)
    iterable = iterated(iterable)
    if isinstance(iterable, Folding):
        return iterable.fold(body, *state, test=test, names=names)
    rows = staged(iterable)
    if isinstance(rows, Once) and not rows.taken_by(leaves=test is not None):
        return unchanged(*state)
    if rows is not None and rows.length() == 0:
        return _unroll((), test, body, state, names)
    if rows is not None:
        sizes = rows.equal_sizes()
        results = stage(Loop(
            rows, test, body, state, names, items, touched, outer, recalled=recall(body)))
        if sizes:
            _check_sizes(sizes, test, as_state(results, len(state)))
        return results
    if isinstance(iterable, range):
        loop = Loop(
            as_range(iterable), test, body, state, names, items, touched, outer,
            recalled=recall(body))
        if _is_to_be_staged(iterable, loop):
            start = checkpoint()
            reached = Reachable(body, *state)
            try:
                return stage(loop)
            except (StagingError, OwnershipError):
                undo(start)
                reached.restore()
                loop.recalled.unroll()
    return _unroll(iterable, test, body, state, names)


def _is_to_be_staged(numbers: range, loop: Loop) -> bool:
    """Whether a Python range is staged where its body allows."""
    recalled = loop.recalled
    if not recalled.is_staged and not recalled.is_unrolled:
        recalled.is_staged = _is_long(len(numbers), loop.body) or _ends_by_tensor(numbers, loop)
    return recalled.is_staged


def _check_sizes(sizes: Sequence[Any], test: Test | None, state: tuple[Any, ...]) -> None:
    """Raises what `zip(strict=True)` does, unless the loop has ended before it."""
    from .zipping import check_equal

    is_ended = True if test is None else test(*state)
    cond(is_ended, lambda: check_equal(sizes), unchanged)


def _is_long(turns: int, body: Body) -> bool:
    """Whether the loop unrolled would make a program that is long to make and to read."""
    code = get_attribute(body, '__code__')
    if turns > UNROLLED_TURNS or code is None:
        return turns > UNROLLED_TURNS
    if turns >= _LEAST_OUTER_TURNS and turns ** (1 + _depth(code)) > UNROLLED_TURNS:
        return True
    if turns <= _FEW_TURNS:
        return False
    return turns * _operations(code) > _MOST_OPERATIONS


@once_by_code
def _depth(code: CodeType) -> int:
    """How many loops there are in a function, each inside the one before."""
    inner = (_depth(part) for part in code.co_consts if isinstance(part, CodeType))
    is_loop = not _LOOPS.isdisjoint(code.co_names)
    return is_loop + max(inner, default=0)


_LOOPS = frozenset((for_loop.__name__, while_loop.__name__))


@once_by_code
def _operations(code: CodeType) -> int:
    """How many operations and calls there are in a function, with those of the functions in it."""
    inner = (_operations(part) for part in code.co_consts if isinstance(part, CodeType))
    own = (each.opname for each in dis.get_instructions(code))
    return sum(name.startswith(('BINARY', 'CALL')) for name in own) + sum(inner)


def _ends_by_tensor(numbers: range, loop: Loop) -> bool:
    """Whether after its first turn only the running graph knows if the loop goes on."""
    test, body, state = loop.test, loop.body, loop.state
    if test is None or len(numbers) < 2 or test(*state) is False:
        return False
    reached = Reachable(body, *state)
    with trying(), recalling(loop.recalled.inside('body')):
        start = checkpoint()
        after = as_state(body(numbers[0], *state), len(state))
        ends = isinstance(test(*after), Tensor)
        undo(start)
    reached.restore()
    return ends


def _python_loop(
    iterable: Iterable[Any] | None, test: Test | None, body: Body, state: tuple[Any, ...]
) -> Any:
    """The loop in plain Python."""
    size = len(state)
    if iterable is None:
        assert test is not None
        while test(*state):
            state = as_state(body(*state), size)
        return unchanged(*state)
    items = iter(iterable)
    while test is None or test(*state):
        try:
            item = next(items)
        except StopIteration:
            break
        state = as_state(body(item, *state), size)
    return unchanged(*state)


def _unroll(
    iterable: Iterable[Any], test: Test | None, body: Body, state: tuple[Any, ...], names: Any
) -> Any:
    """A Python loop while tracing; turns after a break that depends on a tensor are conditional."""
    check_taken(iterable)
    size, is_left, running = len(state), False, Running(iterable)
    items = elements(iterable)
    for taken in count():
        if running.is_moved():
            rest = Loop(running.rows(), test, body, state, names)
            return stage_by_index(rest, running.first + taken)
        going_on = True if test is None else condition(test(*state))
        if isinstance(going_on, Tensor) and not is_left:
            check_may_be_left(items)
            is_left = True
        if not isinstance(going_on, Tensor) and not going_on:
            return unchanged(*state)
        item = next_unseen(items, state) if isinstance(going_on, Tensor) else next(items, NO_MORE)
        if item is NO_MORE:
            if not taken:
                note_untaken(body)
            return unchanged(*state)
        note_taken(body)
        if isinstance(going_on, Tensor):
            turn = _turn(body, item)
            state = as_state(cond(going_on, turn, unchanged, *state, names=names), size)
        else:
            state = as_state(run_block(body, (item, *state), names), size)
    raise AssertionError('unreachable')


def _turn(body: Body, item: Any) -> Body:
    """The turn for an item: what that reaches is seen, and lists in it can be replaced."""
    is_tuple = type(item) is tuple
    return partial(_of_parts, body, is_tuple, Parts(item if is_tuple else [item]))


def _of_parts(body: Body, is_tuple: bool, parts: Parts, *state: Any) -> Any:
    return body(tuple(parts) if is_tuple else parts[0], *state)
