"""What functions leave in the variables of their module: the same, whichever way they run."""
from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from differential import joined, outcome

import autograph_lite as ag


def left_alike(
    f: Any,
    *calls: tuple[Any, ...],
    names: Collection[str],
    seen: list[Any],
    traces: int | None = None,
    converted: bool = True,
    run: Callable[..., Any] = ag.function,
) -> Any:
    """Runs every call in all ways and compares what it returns, leaves and lets others see.

    Args:
      f: the function under test, or an `ag.Function`.
      *calls: the arguments of each call.
      names: the variables of its module.
      seen: a list in which others note what they see.
      traces: how many traces all the calls together may take, if it matters.
      converted: whether converted code is one of the ways.
      run: makes the `ag.Function`.

    Returns:
      The `ag.Function`.
    """
    graph = run(f)
    namespace = getattr(f, 'python_function', f).__globals__

    def left() -> list[Any]:
        return [namespace[name] for name in names]

    for args in calls:
        before, noted = left(), list(seen)
        expected = outcome(f, args), left(), list(seen)
        for way in (*([ag.to_graph(f)] if converted else []), graph):
            namespace.update(zip(names, before, strict=True))
            seen[:] = noted
            got = outcome(way, args), left(), list(seen)
            assert joined(expected[0], got[0]), (args, expected, got)
            assert joined(expected[1:], got[1:]), (args, expected, got)
    assert traces in (None, graph.tracing_count)
    return graph
