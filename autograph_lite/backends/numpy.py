"""The NumPy backend: a graph becomes one plain Python function, compiled once."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.graph import Graph
from .program import Program, load

__all__ = ['Program', 'lower', 'run']


def lower(graph: Graph) -> Program:
    """The program for the graph: the fastest that gives the same.

    It may give up; then a program of the graph as it is runs in its place.
    """
    # Imported with the first program: an import of the package does without.
    from ..optimize import EARLY, EXACT, SPECULATIVE
    from ..optimize.order_checks import UnorderedError, is_checked

    safe = _rewritten(graph, EARLY)
    bold = _rewritten(safe, SPECULATIVE)
    fast = _rewritten(bold, EXACT)
    program = _written(fast)
    if bold is not safe or is_checked(fast):
        error = UnorderedError if bold is safe else Exception
        program.function = speculating(program.function, error, lambda: _written(safe))
    return program


def _rewritten(graph: Graph, rewrites: Sequence[Callable[[Graph], Graph | None]]) -> Graph:
    for rewrite in rewrites:
        graph = rewrite(graph) or graph
    return graph


def _written(graph: Graph) -> Program:
    from .emitter import Emitter

    emitter = Emitter(graph)
    lines = emitter.lines()
    program = load(emitter.name, lines, emitter.globals.constants, len(graph.outputs))
    program.changes = tuple(graph.changes)
    return program


def speculating(
    fast: Callable[..., Any], error: type[Exception], make_plain: Callable[[], Program]
) -> Callable[..., Any]:
    """A program that may give up, and the one that then runs in its place.

    What makes the first raise is often in the arguments' nature, and comes again: after some times
    it is not tried any more.

    Args:
      fast: the function of the program that may give up, before it has had an effect.
      error: what it raises then.
      make_plain: makes the program that gives what is to be given, or raises what is to be raised.
    """
    failures = 0
    plain: Program | None = None

    def call(*values: Any) -> Any:
        nonlocal failures, plain
        if failures < _MOST_FAILURES:
            try:
                return fast(*values)
            except error:
                failures += 1
        if plain is None:
            plain = make_plain()
        results = run(plain, values)
        return results[0] if len(results) == 1 else tuple(results)

    return call


_MOST_FAILURES = 3


def run(program: Program, values: Sequence[Any]) -> Sequence[Any]:
    """The outputs for these values of the parameters.

    Raises:
      Exception: what the program raised, the same object; its traceback ends at the user's line.
    """
    try:
        returned = program.function(*values)
    except Exception as error:
        from .failures import relocated

        error = relocated(program, error)
        raise error
    if program.results == 1:
        return (returned,)
    return returned or ()
