"""`while_loop` and `for_loop`: Python's own loops for Python values, staged for tensors."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from types import CodeType
from typing import Any

from ..errors import OwnershipError, StagingError
from ..graph.tensor import Tensor
from ..graph.tracing import checkpoint, is_tracing, undo
from ..pyct.asking import get_attribute
from .conditionals import cond, unchanged
from .iterables import Folding, as_range, staged
from .staged_loops import Body, Test, as_state, stage
from .staging import condition, run_block
from .state import Snapshot
from .unconverted import record_iteration

# A Python range is staged where its body allows if it has more turns than this, or more than
# these few and the unrolled program would come from more than so many instructions.
UNROLLED_TURNS = 128
_FEW_TURNS = 16
_MOST_INSTRUCTIONS = 1024


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
    first, start, snapshot = state, checkpoint(), _snapshot(body, test, *state)
    for turn in count():
        if turn > 1:
            start, snapshot = checkpoint(), _snapshot(test, *state)
        going_on = condition(test(*state))
        if isinstance(going_on, Tensor):
            # The first turn's flags may be Python values and a later turn's tensors: such a loop
            # is staged as a whole.
            undo(start)
            snapshot.rollback()
            return stage(None, test, body, first if turn <= 1 else state, names)
        if not going_on:
            return unchanged(*state)
        state = as_state(body(*state), len(state))
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
    if isinstance(iterable, Folding):
        return iterable.fold(body, *state, test=test, names=names)
    rows = staged(iterable)
    if rows is not None and rows.length() == 0:
        return _unroll((), test, body, state, names)
    if rows is not None:
        return stage(rows, test, body, state, names, items)
    if isinstance(iterable, range) and (
        _is_long(len(iterable), body) or _ends_by_tensor(iterable, test, body, state)
    ):
        start = checkpoint()
        snapshot = _snapshot(body, test, *state)
        try:
            return stage(as_range(iterable), test, body, state, names, items)
        except (StagingError, OwnershipError):
            undo(start)
            snapshot.rollback()
    record_iteration(iterable)
    return _unroll(iterable, test, body, state, names)


def _snapshot(*roots: Any) -> Snapshot:
    return Snapshot(*(('', root) for root in roots))


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
    snapshot = _snapshot(body, *state)
    after = as_state(body(numbers[0], *state), len(state))
    ends = isinstance(test(*after), Tensor)
    undo(start)
    snapshot.rollback()
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
    size, items = len(state), iter(iterable)
    while True:
        going_on = True if test is None else condition(test(*state))
        if not isinstance(going_on, Tensor) and not going_on:
            return unchanged(*state)
        try:
            item = next(items)
        except StopIteration:
            return unchanged(*state)
        if isinstance(going_on, Tensor):
            turn = _turn(body, item)
            state = as_state(cond(going_on, turn, unchanged, *state, names=names), size)
        else:
            state = as_state(run_block(body, (item, *state), names), size)


def _turn(body: Body, item: Any) -> Body:
    return lambda *state: body(item, *state)
