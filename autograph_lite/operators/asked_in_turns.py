"""A `while` whose test changes something: it is asked before the loop and at the end of each turn.

    while more(c):                          goes_on = more(c)
        total = total + c.n                 while goes_on:
                                                total = total + c.n
                                                goes_on = more(c)

What the test changes, such as an attribute, is state of the loop then like what its body changes.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.tensor import Tensor
from .logic import not_
from .loop_turns import Loop, as_state
from .staging import condition, unchanged


def asked_in_turns(loop: Loop) -> Loop:
    """The same `while` with the answer of its test as the last of its state."""
    test, body, size = loop.test, loop.body, len(loop.state)
    assert test is not None

    def goes_on(*state: Any) -> Any:
        answer = condition(test(*state))
        return answer if _is_truth(answer) else not_(not_(answer))

    def turn(*given: Any) -> Any:
        state = as_state(body(*given[:-1]), size)
        return unchanged(*state, goes_on(*state))

    return replace(
        loop, test=lambda *given: given[-1], body=turn,
        state=(*loop.state, goes_on(*loop.state)), names=(*loop.called(), 'goes_on'))


def _is_truth(x: Any) -> bool:
    return (
        isinstance(x, Tensor) and x.type.shape == () and x.type.dtype == np.bool_
        and not x.type.maybe)
