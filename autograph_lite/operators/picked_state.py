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
from .picks import Picks, Widens
from .staging import unchanged
from .watched import modified_one_of_two

Stage = Callable[[Loop], Any]

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
