"""The NumPy backend: a graph becomes one plain Python function, compiled once."""
from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..config import active_debugger
from ..graph.graph import Graph
from ..pyct.deep import deeply
from ..pyct.garbage import uncollected
from .program import Program, load

__all__ = ['Program', 'lower', 'run']


def lower(graph: Graph) -> Program:
    """The program for the graph: the fastest that gives the same.

    It may give up; then a program of the graph as it is runs in its place.
    """
    # Imported with the first program: an import of the package does without.
    from ..optimize import lowering
    from ..optimize.order_checks import UnorderedError, is_checked

    with uncollected():
        safe = graph
        for rewrite in lowering.EARLY:
            safe = rewrite(safe) or safe
        bold = safe
        for rewrite in lowering.SPECULATIVE:
            bold = rewrite(bold) or bold
        fast = bold
        for rewrite in lowering.EXACT:
            fast = rewrite(fast) or fast
        program = _written(fast)
        if bold is not safe or is_checked(fast):
            error = UnorderedError if bold is safe else Exception
            program.function = speculating(program, error, lambda: _written(safe))
    program.in_order = functools.cache(functools.partial(_in_order, graph))
    program.apart = functools.cache(functools.partial(_apart, graph))
    return program


def _in_order(graph: Graph) -> Program | None:
    from .in_order import is_repeatable

    graph = graph.unmoved or graph
    return _written(graph, in_order=True) if is_repeatable(graph) else None


def _apart(graph: Graph) -> Program:
    from ..optimize.dead_code import dead_code
    from ..optimize.rewriting import copy_graph

    with uncollected():
        graph = copy_graph(graph.unmoved or graph)
        dead_code(graph)
        return _written(graph, apart=True)


def _written(graph: Graph, in_order: bool = False, apart: bool = False) -> Program:
    return deeply(_write, graph, in_order, apart)


def _write(graph: Graph, in_order: bool, apart: bool) -> Program:
    from ..optimize.raising import warnings_raise
    from .emitter import Emitter
    from .positions import with_return

    emitter = Emitter(graph, in_order=in_order or warnings_raise(graph), apart=apart)
    lines = with_return(emitter.lines()) if apart else emitter.lines()
    program = load(emitter.name, lines, emitter.globals.constants, len(graph.outputs))
    program.changes = tuple(graph.changes)
    return program


def speculating(
    program: Program, error: type[Exception], make_plain: Callable[[], Program]
) -> Callable[..., Any]:
    """A program that may give up, and the one that then runs in its place.

    What makes the first raise is often in the arguments' nature, and comes again: after some times
    it is not tried any more.

    Args:
      program: what may give up, before it has had an effect.
      error: what it raises then.
      make_plain: makes the program that gives what is to be given, or raises what is to be raised.
    """
    fast, originals = program.function, program.originals
    failures = 0
    plain: Program | None = None

    def call(*values: Any) -> Any:
        nonlocal failures, plain
        if failures < _MOST_FAILURES:
            try:
                return fast(*values)
            except error as raised:
                from .failures import is_own

                if not is_own(originals, raised):
                    raise
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
    if sys.gettrace() is not None and program.apart is not None and _is_stopped_in(program):
        program = program.apart()
    try:
        returned = program.function(*values)
    except Exception as error:
        failure = error
    else:
        return (returned,) if program.results == 1 else returned or ()
    # Out of the handler: nothing else is what Python was handling; and no frame keeps it.
    from .failures import raised

    try:
        failure = raised(program, failure, values)
        raise failure
    finally:
        del failure


def _is_stopped_in(program: Program) -> bool:
    """Whether a debugger steps into the program, or has a breakpoint in a file that it is of."""
    found = active_debugger()
    if found is None or found.stopframe is None:
        return found is not None
    files = {code.co_filename for code, _ in program.originals.values()}
    return any(found.get_file_breaks(filename) for filename in files)
