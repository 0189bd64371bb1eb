"""A function is traced again where one attempt does not do.

The next one knows what of the variables outside is set, keeps names that refer to what only the
running graph knows, lets lists hold live objects, or has more stack.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import partial

from .concrete import ConcreteFunction
from .errors import AutographError, leaves_debugger
from .graph.ownership import SeveralPlacesError
from .operators.anew import TracedAnew, begin_anew
from .operators.context_variables import OwnContext
from .operators.done_once import done_once
from .operators.live_types import KnownAnew, NotOfLiveError, by_value, live_would_help, traced_live
from .operators.naming import referring, would_refer
from .pyct.deep import is_on_a_large_stack, on_a_large_stack
from .pyct.garbage import uncollected
from .trace import Call, trace_once
from .turns import in_turn

# How many calls tracing may need for one of the user's, a branch in it included.
CALLS_OF_A_CALL = 20
# So many times a function is traced anew, knowing more of what it sets: of what each trace makes
# itself, it would never know enough.
_MOST_TIMES = 200


def trace(call: Call) -> ConcreteFunction | None:
    """Traces a function.

    A function of the user's that Python runs within its recursion limit may take more calls than
    that to trace. Then it is traced anew, where there are more.
    """
    begin_anew()  # the trace around, which does what this one does to no purpose
    context = OwnContext()
    concrete = None
    try:
        with done_once():
            begin = partial(context.run, trace_once, call, context)
            concrete = _on_enough_stack(partial(_living, begin))
    finally:
        set_ = context.leave()
        if concrete is not None:
            concrete.done_by_python = concrete.done_by_python or set_
    return concrete


def _on_enough_stack(begin: Callable[[], ConcreteFunction | None]) -> ConcreteFunction | None:
    """Traces a function, in a thread that has more stack if need be."""
    try:
        with uncollected():
            return begin()
    except RecursionError:
        if is_on_a_large_stack():
            raise
    with uncollected():
        return on_a_large_stack(
            partial(in_turn, begin), CALLS_OF_A_CALL * sys.getrecursionlimit())


def _living(begin: Callable[..., ConcreteFunction | None]) -> ConcreteFunction | None:
    """Traces a function; lists of the running graph hold what is live only where they must.

    Args:
      begin: `trace_once`, but for what `_settled` gives it.
    """
    with by_value():
        try:
            return _referring(begin)
        except AutographError as error:
            if not live_would_help():
                raise
            refused = error
    try:
        with referring(True):
            return traced_live(partial(_settled, begin))
    except (NotOfLiveError, SeveralPlacesError):
        raise
    except (Exception, KnownAnew):
        raise refused from None


def _referring(begin: Callable[..., ConcreteFunction | None]) -> ConcreteFunction | None:
    """Traces a function; names refer to what only the running graph knows only where they must.

    Args:
      begin: `trace_once`, but for what `_settled` gives it.
    """
    with referring(False):
        try:
            return _settled(begin)
        except AutographError as error:
            if not would_refer():
                raise
            refused = error
    with referring(True):
        try:
            return _settled(begin)
        except Exception as error:
            if leaves_debugger(error):
                raise
            raise refused from None


def _not_held(expected: Iterable[Hashable]) -> Iterator[Hashable]:
    """What says that the running graph finds no lists in variables: see `Bindings`."""
    for each in expected:
        match each:
            case ('held', where):
                yield 'never held', where


def _settled(
    begin: Callable[[list[str] | None, Collection[Hashable]], ConcreteFunction | None],
) -> ConcreteFunction | None:
    """Traces a function; what of a variable outside only Python can use is no input of the graph.

    Args:
      begin: `trace_once`, but for what the graph reads and what it is known to set.
    """
    expected: set[Hashable] = set()
    refused: AutographError | None = None  # where the graph finds lists in variables
    for _ in range(_MOST_TIMES):
        read: list[str] = []
        try:
            return begin(read, expected)
        except TracedAnew as anew:
            expected.update(anew.places)
        except AutographError as error:
            held = set(_not_held(expected)) - expected
            if not (read or held):
                raise refused or error from None
            if not held:
                break
            refused = refused or error
            expected |= held
    try:
        return begin(None, expected)
    except AutographError as error:
        raise refused or error from None
