"""What functions leave in containers outside, call after call: the same, whichever way they run."""
from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from differential import outcome, same

import autograph_lite as ag


def left(
    make_state: Callable[[], Any],
    make: Callable[[Any], Any],
    calls: Sequence[Any],
    change: Callable[[Any], Any] = lambda state: None,
    traces: int | None = 1,
) -> None:
    """Calls a function in both ways, and compares what each gives and leaves, keys in order.

    Args:
      make_state: makes the container, or what holds it.
      make: makes the function of it; one of two parameters is given it.
      calls: the argument of each call.
      change: what the caller does with the state between the calls.
      traces: how many traces the calls may take, if it matters.
    """
    states = make_state(), make_state()
    plain, graph = make(states[0]), ag.function(make(states[1]))
    is_given = len(inspect.signature(plain).parameters) == 2
    for x in calls:
        got = [
            (outcome(partial(_called, f, state if is_given else None), (x,)), _shown(state))
            for f, state in ((plain, states[0]), (graph, states[1]))]
        assert same(*(found for found, _ in got)), (x, got)
        assert same(*(state for _, state in got)), (x, got)
        for state in states:
            change(state)
    assert traces in (None, graph.tracing_count)


def _called(f: Callable[..., Any], given: Any, x: Any) -> Any:
    result = f(x) if given is None else f(x, given)
    return copy.deepcopy(result)


def _shown(state: Any) -> Any:
    held = vars(state) if hasattr(state, '__dict__') else state
    if not isinstance(held, dict):
        return type(held).__name__, list(held)
    return type(state).__name__, [
        (k, _shown(v) if isinstance(v, dict) else copy.deepcopy(v)) for k, v in held.items()]
