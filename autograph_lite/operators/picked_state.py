"""A loop of whose state something may be another list, dict or object after a turn, by its number.

    while p is not None and p.value < x:
        p = p.next

What it may be is found turn by turn, and with each object those to which its attributes lead.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from ..graph.checkpoints import checkpoint, undo
from .loop_turns import Loop, as_state
from .object_advice import leads_on
from .opened import Opened, Opens, at
from .outside import is_outside
from .picks import Picks, Widens
from .staging import unchanged
from .watched import modified_one_of_two

Stage = Callable[[Loop], Any]

# So many objects outside are opened, each in the one before it, until the next is one too many.
_MOST_IN_A_ROW = 4
# So often more is found before it is taken to be another one whenever a turn is traced.
_MOST_TIMES = 8


def stage_picked(picks: Picks, loop: Loop, stage: Stage) -> Any:
    """Stages a loop.

    Args:
      picks: what of its state may be another one, and which.
      loop: the loop.
      stage: stages one whose state has numbers there.

    Raises:
      OwnershipError: what it may be is not known before the loop.
    """
    start = checkpoint()
    for times in count():
        recalled = loop.recalled.other('picking', times)
        try:
            return _stage_known(picks, replace(loop, recalled=recalled), stage)
        except Widens as wider:
            if wider.picks is not picks:
                raise
            if times == _MOST_TIMES:
                raise modified_one_of_two(wider.more[0]) from None
            undo(start)
            picks = picks.wider(wider.number, wider.more)
    raise AssertionError('unreachable')


def _stage_known(picks: Picks, loop: Loop, stage: Stage) -> Any:
    """The same, where that is among what is known."""
    size, names = len(loop.state), loop.called()
    test = None if loop.test is None else picks.turn(loop.test, 0, None)
    body = picks.turn(loop.body, loop.taken, size)
    results = stage(replace(loop, test=test, body=body, state=picks.told(loop.state), names=names))
    return unchanged(*picks.named(as_state(results, size)))


def check_ends(opens: Opens, state: Any) -> None:
    """What a loop is given is no long row of objects outside: each turn would open one more of it.

    Args:
      opens: what of its state is to be opened.
      state: what it is before the loop, with the objects opened that were found before.

    Raises:
      StagingError: it is one.
    """
    for path in opens.paths:
        one = at(state, path)
        around = (at(state, path[:i]) for i, _ in enumerate(path) if i)
        row = [each for each in around if isinstance(each, Opened) and each.kind is type(one)]
        if len(row) >= _MOST_IN_A_ROW and is_outside(one):
            raise leads_on(one)
